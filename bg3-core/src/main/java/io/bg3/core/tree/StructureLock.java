package io.bg3.core.tree;

import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The lock of a {@link TreeShape}. It counts how often a thread has waited for it, which costs
 * nothing where the lock is free.
 */
final class StructureLock extends ReentrantLock {
  private static final long serialVersionUID = 1;

  private final LongAdder waits = new LongAdder();

  @Override
  public void lock() {
    if (!tryLock()) {
      waits.increment();
      super.lock();
    }
  }

  /** How often a thread has found the lock taken, and has waited for it. */
  long waits() {
    return waits.sum();
  }
}
