package io.bg3.core.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.table.PageTable;
import io.bg3.core.tree.DirtyPages;
import io.bg3.core.value.LargeValueCache;
import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.Epochs;
import io.bg3.storage.memory.MemoryBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CommitThrottleTest {
  private static final long LIMIT = 1_000_000;
  private static final long STOP = 1_800_000;
  private static final int THREADS = 8;

  private final BlockMemory memory = new BlockMemory(new MemoryBudget(16 << 20, "test"));
  private final AtomicLong end = new AtomicLong();
  private final Queue<Thread> looked = new ConcurrentLinkedQueue<>();
  private volatile boolean recording;

  private long end() {
    if (recording) {
      looked.add(Thread.currentThread());
    }
    return end.get();
  }

  @AfterEach
  void close() {
    memory.close();
  }

  private CommitThrottle throttle(Supplier<Throwable> failure) {
    PageTable table = new PageTable(memory.budget());
    CommitThrottle throttle =
        new CommitThrottle(
            this::end,
            new DirtyPages(table, memory, new LargeValueCache(memory, new Epochs()), 16 << 10),
            () -> 0,
            failure);
    throttle.log().limit(0, LIMIT, STOP);
    return throttle;
  }

  @Test
  void nobodyWaitsBelowAllMarks() {
    CommitThrottle throttle = throttle(() -> null);
    end.set(LIMIT - 1);
    throttle.await();
    assertEquals(0, throttle.delayed());
    assertEquals(0, throttle.delayedNanos());
  }

  @Test
  void aCommitThatWaitsGoesOnWhenTheStoreFailsAndKeepsItsInterrupt() {
    end.set(STOP);
    Thread.currentThread().interrupt();
    AtomicInteger looks = new AtomicInteger();
    CommitThrottle throttle =
        throttle(() -> looks.incrementAndGet() < 4 ? null : new IllegalStateException("planted"));
    throttle.await();
    assertTrue(Thread.interrupted());
    assertEquals(4, looks.get());
    assertEquals(1, throttle.delayed());
    assertTrue(throttle.logNanos() > 0);
    assertEquals(throttle.logNanos(), throttle.delayedNanos());
    assertEquals(throttle.logNanos(), throttle.longestNanos());
  }

  /** Each thread comes when the one before it waits. */
  @Test
  void commitsGoOnInTheOrderInWhichTheyCame() throws Exception {
    CommitThrottle throttle = throttle(() -> null);
    end.set(STOP);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Thread thread = new Thread(throttle::await);
      threads.add(thread);
      thread.start();
      while (!isWaiting(thread)) {
        Thread.onSpinWait();
      }
    }
    recording = true;
    throttle.log().checkpointEnds(STOP);
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(threads, looked.stream().distinct().toList());
    assertEquals(THREADS, throttle.delayed());
  }

  private static boolean isWaiting(Thread thread) {
    return thread.getState() == Thread.State.WAITING
        || thread.getState() == Thread.State.TIMED_WAITING;
  }
}
