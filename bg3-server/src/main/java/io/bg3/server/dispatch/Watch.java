package io.bg3.server.dispatch;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The thread that looks at the time while requests run or wait, and that starts workers (D5). It
 * sleeps while there is nothing to look at.
 *
 * <p>Threads: the fields that are not volatile are guarded by the scheduler's lock. A thread that
 * finds something to look at notes it by {@link #call} with the lock, and unparks the watch by
 * {@link #wake} without it.
 */
final class Watch {
  private static final long TICK = TimeUnit.MILLISECONDS.toNanos(20);

  private final boolean hasThread;
  private Thread thread; // null until it is started; set before the scheduler is published
  private volatile boolean isOver;
  private boolean isAwake; // it looks again without being called
  private boolean isCalled; // and is not unparked yet

  /**
   * A watch that is not started yet.
   *
   * @param hasThread false in tests that look at the time themselves
   */
  Watch(boolean hasThread) {
    this.hasThread = hasThread;
  }

  /** Starts the thread, which runs these rounds. */
  void start(Scheduler scheduler) {
    if (hasThread) {
      thread = new Thread(() -> run(scheduler), "bg3-query-watch");
      thread.setDaemon(true);
      thread.start();
    }
  }

  /** Whether it has a thread. */
  boolean hasThread() {
    return hasThread;
  }

  /** Notes that there is something to look at. The lock is held. */
  void call() {
    if (!isAwake) {
      isAwake = true;
      isCalled = true;
    }
  }

  /** Whether it was called since, so that the caller has to {@link #wake} it. The lock is held. */
  boolean takeCall() {
    boolean taken = isCalled;
    isCalled = false;
    return taken;
  }

  /** Notes whether it looks again without being called. The lock is held. */
  void setAwake(boolean is) {
    isAwake = is;
  }

  /** Has it look at once. The lock is not held: the thread would wait for it. */
  void wake() {
    LockSupport.unpark(thread);
  }

  /** Ends the thread. */
  void end() {
    isOver = true;
    if (hasThread) {
      thread.interrupt();
    }
  }

  private void run(Scheduler scheduler) {
    while (true) {
      try {
        boolean unused = Thread.interrupted(); // what it answered may have taken it for its own
        if (isOver) {
          return;
        }
        if (scheduler.startWorkers()) {
          LockSupport.parkNanos(this, TICK);
          unused = scheduler.startWorkers();
          scheduler.tick();
        } else {
          LockSupport.park(this);
        }
      } catch (Throwable t) { // without this thread no request would have a time limit
        Failures.log("looking at the requests that run failed", t);
        LockSupport.parkNanos(this, TICK);
      }
    }
  }
}
