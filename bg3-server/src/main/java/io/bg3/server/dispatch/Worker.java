package io.bg3.server.dispatch;

import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that runs one request after the other.
 *
 * <pre>
 *                 given            ended: another one is given, or none waits
 *   started ---> runs it ---> asks the scheduler ----> sleeps until it is given one
 *                               '--> ends: it has a low priority, or there are enough idle ones
 * </pre>
 *
 * <p>The scheduler gives a worker its request under the lock, and unparks the thread without it.
 */
final class Worker extends Thread {
  private static final Logger LOG = LoggerFactory.getLogger(Scheduler.class);

  private final Scheduler scheduler;
  private final long keepAlive; // nanoseconds
  private volatile RunningRequest given; // set with the scheduler's lock, taken by this thread

  /**
   * A worker that is not started yet.
   *
   * @param keepAlive nanoseconds after which an idle one asks whether it has to end
   */
  Worker(Scheduler scheduler, String name, long keepAlive) {
    super(null, null, name, Scheduler.STACK_BYTES);
    this.scheduler = scheduler;
    this.keepAlive = keepAlive;
    setDaemon(true);
  }

  /** Gives it a request, of which it has none. The scheduler's lock is held. */
  void give(RunningRequest one) {
    assert given == null : getName();
    given = one;
  }

  /** The request that it was given and has not begun; null if there is none. */
  RunningRequest given() {
    return given;
  }

  @Override
  public void run() {
    while (awaitGiven()) {
      RunningRequest one = given;
      given = null;
      execute(one);
      if (!scheduler.goesOn(this, one)) {
        return;
      }
    }
  }

  private void execute(RunningRequest one) {
    try {
      one.run(() -> scheduler.prepared(one));
    } catch (Throwable t) { // a worker outlives whatever a request does
      LOG.error("a request was not answered: client={}", one.work.client(), t);
    }
  }

  /**
   * Waits for the next request; false if the thread has to end. Between the look at {@link #given}
   * and {@code parkNanos} the thread takes no lock: waiting for a lock would use up the permit that
   * the dispatcher's {@code unpark} has left, and the thread would sleep with a request.
   */
  private boolean awaitGiven() {
    if (given != null) {
      return true;
    }
    long end = System.nanoTime() + keepAlive;
    while (given == null) {
      long left = end - System.nanoTime();
      if (left > 0 && !scheduler.isClosed()) {
        LockSupport.parkNanos(scheduler, left);
        boolean unused = Thread.interrupted(); // nobody's
      } else if (scheduler.leaves(this)) {
        return false;
      } else {
        end = System.nanoTime() + keepAlive;
      }
    }
    return true;
  }
}
