package io.bg3.linkbench.remote;

import io.bg3.batch.BatchAnswer;
import io.bg3.batch.BatchRequest;
import io.bg3.linkbench.model.LinkStoreException;
import java.util.concurrent.locks.LockSupport;

/**
 * An operation that its thread waits for: a request of this operation alone, and later its answer
 * or what was wrong. While it waits the thread may be given work: to wait for the answer of the
 * whole request, for all sessions that share it.
 */
final class PendingOperation {
  private final BatchRequest request;
  private final Thread asker = Thread.currentThread();
  private BatchAnswer answer; // written before done
  private LinkStoreException problem; // written before done
  private boolean alone; // of the request it is in
  private volatile boolean done;
  private volatile Runnable work; // null if there is none

  PendingOperation(BatchRequest request) {
    this.request = request;
  }

  BatchRequest request() {
    return request;
  }

  /** Whether it did not fit with others and has to be sent by itself. */
  boolean isAlone() {
    return alone;
  }

  void sendAlone() {
    alone = true;
  }

  /** Gives the thread something to do, after which this one is done or will be asked again. */
  void give(Runnable task) {
    work = task;
    wake();
  }

  void answered(BatchAnswer found) {
    answer = found;
    done = true;
    wake();
  }

  /** Does nothing if it is answered. */
  void failed(LinkStoreException failure) {
    if (!done) {
      problem = failure;
      done = true;
      wake();
    }
  }

  private void wake() {
    if (asker != Thread.currentThread()) {
      LockSupport.unpark(asker);
    }
  }

  /**
   * Waits for the answer. An interrupt does not end the wait, its flag stays: others may wait for
   * what this thread does.
   *
   * @throws LinkStoreException if there is none
   */
  BatchAnswer await() {
    boolean interrupted = false;
    while (!done) {
      Runnable task = work;
      if (task != null) {
        work = null;
        task.run();
      } else {
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (problem != null) {
      throw problem;
    }
    return answer;
  }
}
