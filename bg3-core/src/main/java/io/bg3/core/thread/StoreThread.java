package io.bg3.core.thread;

import java.util.concurrent.locks.LockSupport;

/**
 * A thread that a store keeps for itself while it is open: it loops until it {@link #isEnding} and
 * parks where it waits. Threads: {@link #close} may be called by any.
 */
public final class StoreThread implements AutoCloseable {
  private final Thread thread;
  private volatile boolean ending;

  /** A thread that is not yet started. */
  public StoreThread(String name, Runnable work) {
    thread = new Thread(work, name);
    thread.setDaemon(true);
  }

  /** Starts the thread; once. */
  public void start() {
    thread.start();
  }

  /** Wakes the thread where it parks, or has it not park the next time. */
  public void wake() {
    LockSupport.unpark(thread);
  }

  /** Whether the thread is to come to its end. */
  public boolean isEnding() {
    return ending;
  }

  /**
   * Ends the thread, after it has finished what it is in. An interrupt does not end the wait, its
   * flag stays.
   */
  @Override
  public void close() {
    ending = true;
    LockSupport.unpark(thread);
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
