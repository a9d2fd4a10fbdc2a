package io.bg3.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Runs a piece of work in several threads that begin at the same moment, and fails if one of them
 * fails or hangs.
 */
public final class Together {
  /** Work of one of the threads. */
  public interface Work {
    void run(int thread) throws Exception;
  }

  private Together() {}

  public static void run(int threads, Work work) throws InterruptedException {
    CountDownLatch start = new CountDownLatch(1);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int number = i;
      Thread thread =
          new Thread(
              () -> {
                try {
                  start.await();
                  work.run(number);
                } catch (Throwable e) {
                  failure.compareAndSet(null, e);
                }
              },
              "together-" + i);
      thread.setDaemon(true);
      all.add(thread);
      thread.start();
    }
    start.countDown();
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(20);
    for (Thread thread : all) {
      TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, deadline - System.nanoTime()));
    }
    if (failure.get() != null) {
      throw new AssertionError("a thread failed", failure.get());
    }
    for (Thread thread : all) {
      if (thread.isAlive()) {
        AssertionError hangs = new AssertionError("a thread hangs: " + thread.getName());
        hangs.setStackTrace(thread.getStackTrace());
        throw hangs;
      }
    }
  }
}
