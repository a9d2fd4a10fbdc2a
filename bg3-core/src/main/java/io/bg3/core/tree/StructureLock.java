package io.bg3.core.tree;

import io.bg3.storage.Waiting;
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

  /** Takes the lock; false if another thread has it and the calling thread may not wait. */
  boolean lockIfAllowed() {
    if (Waiting.isForbidden()) {
      return tryLock();
    }
    lock();
    return true;
  }

  /** How often a thread has found the lock taken, and has waited for it. */
  long waits() {
    return waits.sum();
  }
}
