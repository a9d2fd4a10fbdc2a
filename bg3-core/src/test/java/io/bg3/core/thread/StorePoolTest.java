package io.bg3.core.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A pool that is asked for more than it has threads, and is closed meanwhile. */
class StorePoolTest {
  @Test
  void asManyTasksRunAtATimeAsItMayHaveThreads() throws Exception {
    try (StorePool pool = new StorePool("pool", 2)) {
      CountDownLatch both = new CountDownLatch(2);
      CountDownLatch go = new CountDownLatch(1);
      AtomicInteger running = new AtomicInteger();
      AtomicInteger most = new AtomicInteger();
      CountDownLatch ended = new CountDownLatch(5);
      for (int i = 0; i < 5; i++) {
        pool.execute(
            () -> {
              most.accumulateAndGet(running.incrementAndGet(), Math::max);
              both.countDown();
              awaitUninterrupted(go);
              running.decrementAndGet();
              ended.countDown();
            });
      }
      both.await();
      go.countDown();
      ended.await();
      assertEquals(2, most.get());
    }
  }

  @Test
  void closingEndsTheTaskThatRunsAndDropsThoseThatWait() throws Exception {
    StorePool pool = new StorePool("pool", 1);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    AtomicBoolean ended = new AtomicBoolean();
    AtomicBoolean dropped = new AtomicBoolean(true);
    pool.execute(
        () -> {
          begun.countDown();
          interrupted.set(awaitUninterrupted(go));
          ended.set(true);
        });
    begun.await();
    pool.execute(() -> dropped.set(false));
    AtomicBoolean endedFirst = new AtomicBoolean();
    AtomicBoolean flag = new AtomicBoolean();
    Thread closer =
        new Thread(
            () -> {
              Thread.currentThread().interrupt();
              pool.close();
              endedFirst.set(ended.get());
              flag.set(Thread.currentThread().isInterrupted());
            });
    closer.start();
    while (!isClosed(pool)) {
      Thread.onSpinWait();
    }
    go.countDown();
    closer.join();
    assertTrue(endedFirst.get());
    assertTrue(dropped.get());
    assertFalse(interrupted.get(), "an interrupt would close the files that the task reads");
    assertTrue(flag.get(), "the closing thread keeps its interrupt");
    assertThrows(RejectedExecutionException.class, () -> pool.execute(() -> {}));
  }

  private static boolean isClosed(StorePool pool) {
    try {
      pool.execute(() -> {});
      return false;
    } catch (RejectedExecutionException e) {
      return true;
    }
  }

  /** Waits; says whether it was interrupted. */
  private static boolean awaitUninterrupted(CountDownLatch latch) {
    boolean interrupted = false;
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    return interrupted;
  }
}
