package io.bg3.core.thread;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A bounded number of threads that a store has for short tasks. A thread starts when there is a
 * task for it, and ends when it has had none for a while, so a store that needs no help has no such
 * threads. Threads: any.
 */
public final class StorePool implements Executor, AutoCloseable {
  private static final long IDLE_SECONDS = 10;

  private final ThreadPoolExecutor threads;

  /**
   * A pool without threads.
   *
   * @param name begins the names of its threads
   * @param most threads at a time, at least 1
   */
  public StorePool(String name, int most) {
    AtomicInteger number = new AtomicInteger();
    threads =
        new ThreadPoolExecutor(
            most,
            most,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
  }

  /**
   * Runs a task when a thread is free.
   *
   * @throws RejectedExecutionException if the pool is closed
   */
  @Override
  public void execute(Runnable task) {
    threads.execute(task);
  }

  /**
   * Drops the tasks that wait and ends the threads, after they have finished what they are in. An
   * interrupt does not end the wait; its flag is kept.
   */
  @Override
  public void close() {
    threads.getQueue().clear();
    threads.shutdown();
    boolean interrupted = false;
    boolean ended = false;
    while (!ended) {
      try {
        ended = threads.awaitTermination(1, TimeUnit.DAYS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
