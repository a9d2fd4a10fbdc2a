package io.bg3.server.dispatch;

import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The lock that guards a {@link Schedule} and all that it consists of.
 *
 * <ul>
 *   <li>L1: a thread that has the lock takes the monitor of a {@link RunningRequest} at most, and
 *       waits for nothing else.
 *   <li>L2: no request is run or answered with the lock, and no thread is started or unparked: one
 *       that runs at once could take the processor from the thread that has the lock. {@link
 *       #unlock} gives it back first.
 *   <li>L3: {@link #awaitQuiet} is woken by each {@link #unlock} that finds the schedule quiet.
 * </ul>
 *
 * <p>Threads: any.
 */
final class SchedulerLock {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition quiet = lock.newCondition(); // nothing waits or runs
  private final Schedule schedule;
  private final Workers workers;
  private final Watch watch;

  /**
   * The lock of a schedule.
   *
   * @param workers are unparked when they were given a request
   * @param watch is called, and starts workers
   */
  SchedulerLock(Schedule schedule, Workers workers, Watch watch) {
    this.schedule = schedule;
    this.workers = workers;
    this.watch = watch;
  }

  /** Takes the lock. */
  void lock() {
    lock.lock();
  }

  /** Gives the lock back and then wakes the threads that have something to do. */
  void unlock() {
    List<Worker> woken;
    boolean hasUnborn;
    boolean callsWatch;
    try {
      callsWatch = watch.takeCall();
      hasUnborn = workers.hasUnborn();
      if (schedule.isQuiet()) {
        quiet.signalAll();
      }
      woken = workers.takeWoken();
    } finally { // though memory has run out
      lock.unlock();
    }
    woken.forEach(LockSupport::unpark);
    if (watch.hasThread() && (hasUnborn || callsWatch)) {
      watch.wake();
    } else if (hasUnborn) {
      boolean unused = startWorkers();
    }
  }

  /**
   * Starts the workers that have to be started, without the lock. Both are found under one hold of
   * it: waiting for a second one would use up the permit of an {@code unpark}, and a worker that
   * has to be started since would wait for a tick.
   *
   * @return whether there is something to look at; if not, the watch waits for a call
   */
  boolean startWorkers() {
    List<Worker> unborn;
    boolean isBusy;
    lock.lock();
    try {
      unborn = workers.takeUnborn();
      isBusy = schedule.isBusy();
      watch.setAwake(isBusy);
    } finally {
      lock.unlock();
    }
    for (Worker worker : unborn) {
      try {
        worker.start();
      } catch (OutOfMemoryError e) { // the system has no thread, which says nothing of the heap
        refuse(worker.given());
      }
    }
    return isBusy;
  }

  private void refuse(RunningRequest unborn) {
    lock();
    try {
      schedule.refuseUnborn(unborn);
      watch.call();
    } finally {
      unlock();
    }
  }

  /**
   * Waits until the schedule is quiet.
   *
   * @param deadline of {@link System#nanoTime}
   * @return whether that was before the deadline
   */
  boolean awaitQuiet(long deadline) throws InterruptedException {
    lock.lock();
    try {
      while (!schedule.isQuiet()) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          return false;
        }
        long unused = quiet.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }
}
