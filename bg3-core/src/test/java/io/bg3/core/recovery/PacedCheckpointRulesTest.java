package io.bg3.core.recovery;

import static io.bg3.core.recovery.CheckpointedStore.key;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.table.PageTable;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.memory.MemoryBudget;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A checkpoint that pauses between its pages (R47), by a clock that stands still: without somebody
 * who waits for its end it would pause for ever.
 */
class PacedCheckpointRulesTest {
  private static final byte[] OLD = new byte[40];
  private static final byte[] NEW = {3};
  private static final int KEYS = 2_000;

  /** Pauses that may follow before a thread looks who waits. */
  private static final int FEW = 3;

  private static Runnable inAPause;

  /** In place of the end of a latch, in a twin. */
  static void unlatchAfterAPause(PageTable table, int page) {
    if (inAPause != null) {
      inAPause.run();
    }
    table.unlatch(page);
  }

  private static CheckpointedStore filled(CrashingDisk disk) throws Exception {
    CheckpointedStore store = CheckpointedStore.open(disk);
    store.fill(KEYS, 100, OLD);
    return store;
  }

  // ---- What a pause holds.

  /** Pages that are written and those that are not yet change, are read, and leave memory. */
  @RuleTest(
      rule = 47,
      sites = @Site(name = Sites.WAITS, in = "io.bg3.core.table.PageTable", method = "awaitLatch"),
      twins =
          @Twin(
              name = "a checkpoint pauses while it holds the latch of a page",
              in = "io.bg3.core.tree.PageFlush",
              method = "settle",
              without = "PageTable.unlatch",
              instead = "unlatchAfterAPause"))
  void aCheckpointHoldsNothingWhileItPauses() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    CheckpointedStore store = filled(disk);
    AtomicInteger pauses = new AtomicInteger();
    AtomicInteger waited = new AtomicInteger();
    Runnable others =
        () -> {
          if (pauses.incrementAndGet() > 3) {
            return;
          }
          int pause = pauses.get();
          Sites.Other other =
              Sites.Other.start(
                  () -> {
                    store.commit(
                        all -> {
                          for (int i = 0; i < KEYS; i += 7) {
                            all.put(TreeIds.VERTICES, key(i), NEW);
                          }
                        });
                    store.evict();
                    store.move();
                    store.opened().space().epochs().awaitQuiescence();
                    assertArrayEquals(OLD, store.get(key(pause)));
                  });
          if (other.isAlive()) {
            waited.incrementAndGet();
          }
        };
    inAPause = others;
    try {
      AtomicLong clock = new AtomicLong();
      store
          .checkpointer()
          .run(
              new CheckpointPacer(
                  1 << 20,
                  1 << 20,
                  () -> 0,
                  () -> pauses.get() > 3,
                  clock::get,
                  nanos -> others.run()));
    } finally {
      inAPause = null;
    }
    assertTrue(pauses.get() >= 3, "pauses: " + pauses);
    assertEquals(0, waited.get(), "others that waited for a pause");
    store.checkpoint();
    CrashingDisk rest = disk.crash(new Random(1));
    store.abandon();
    try (CheckpointedStore reopened = CheckpointedStore.open(rest)) {
      assertArrayEquals(NEW, reopened.get(key(7)));
      assertArrayEquals(OLD, reopened.get(key(8)));
    }
  }

  // ---- What ends a pause.

  private static CheckpointSettings settings(CheckpointedStore store, AtomicLong clock) {
    return new CheckpointSettings(store.logLength(), store.logLength(), true, clock::get);
  }

  /** Brings a checkpoint into a pause, has something begin, and counts the pauses behind that. */
  private static void requireEnd(CheckpointedStore store, Sites.Work signal) throws Exception {
    AtomicInteger pauses = new AtomicInteger();
    AtomicLong clock = new AtomicLong();
    Sites.always("pauses", pauses::incrementAndGet);
    long before = store.checkpointer().count();
    RowKeeper keeper = store.keeper(settings(store, clock));
    try {
      while (pauses.get() == 0) {
        Thread.onSpinWait();
      }
      assertEquals(before, store.checkpointer().count(), "the checkpoint has ended by itself");
      signal.run();
      int pausesBefore = pauses.get();
      while (store.checkpointer().count() == before
          && store.transactions().failure() == null
          && pauses.get() <= pausesBefore + 10 * FEW) {
        Thread.onSpinWait();
      }
      int more = pauses.get() - pausesBefore;
      assertTrue(more <= FEW, "pauses while somebody waits: " + more);
    } finally {
      clock.set(Long.MAX_VALUE / 2);
      keeper.close();
      Sites.never("pauses");
    }
  }

  @RuleTest(
      rule = 47,
      sites = @Site(name = "pauses", in = "io.bg3.core.recovery.RowKeeper", method = "pause"),
      twins =
          @Twin(
              name = "a checkpoint goes on pausing while the store is closed",
              in = "io.bg3.core.recovery.RowKeeper",
              method = "isAwaited",
              without = "StoreThread.isEnding"))
  void closingDoesNotWaitForAPause() throws Exception {
    CheckpointedStore store = filled(new CrashingDisk());
    AtomicInteger pauses = new AtomicInteger();
    AtomicLong clock = new AtomicLong();
    Sites.always("pauses", pauses::incrementAndGet);
    RowKeeper keeper = store.keeper(settings(store, clock));
    while (pauses.get() == 0) {
      Thread.onSpinWait();
    }
    Sites.Other closing = Sites.Other.start(keeper::close); // which waits for the thread
    int before = pauses.get();
    while (closing.isAlive() && pauses.get() <= before + 10 * FEW) {
      Thread.onSpinWait();
    }
    int more = pauses.get() - before;
    clock.set(Long.MAX_VALUE / 2);
    closing.join();
    Sites.never("pauses");
    store.abandon();
    assertTrue(more <= FEW, "pauses behind the closing: " + more);
  }

  @RuleTest(
      rule = 47,
      sites = @Site(name = "pauses", in = "io.bg3.core.recovery.RowKeeper", method = "pause"),
      twins =
          @Twin(
              name = "a checkpoint goes on pausing while another thread wants one",
              in = "io.bg3.core.recovery.RowLock",
              method = "isAwaited",
              without = "ReentrantLock.hasQueuedThreads"))
  void aThreadThatWantsACheckpointDoesNotWaitForAPause() throws Exception {
    CheckpointedStore store = filled(new CrashingDisk());
    Sites.Other[] other = new Sites.Other[1];
    requireEnd(store, () -> other[0] = Sites.Other.start(store::checkpoint));
    other[0].join();
    store.abandon();
  }

  @RuleTest(
      rule = 47,
      sites = {
        @Site(name = "pauses", in = "io.bg3.core.recovery.RowKeeper", method = "pause"),
        @Site(
            name = Sites.WAITS,
            in = "io.bg3.core.commit.CommitThrottle$Queue",
            method = "await",
            before = "LockSupport.parkNanos")
      },
      twins =
          @Twin(
              name = "a checkpoint goes on pausing while a commit waits for its end",
              in = "io.bg3.core.recovery.RowLock",
              method = "isAwaited",
              without = "CheckpointSource.commitsWait"))
  void aCommitThatIsThrottledDoesNotWaitForAPause() throws Exception {
    CheckpointedStore store = filled(new CrashingDisk());
    Sites.Other[] other = new Sites.Other[1];
    requireEnd(
        store,
        () -> {
          store.transactions().throttle().log().limit(0, 1, 2);
          other[0] = Sites.Other.start(() -> store.put(key(1), NEW));
          assertTrue(other[0].isAlive(), "the commit does not wait");
        });
    store.transactions().throttle().log().limit(0, 1, Long.MAX_VALUE);
    other[0].join();
    store.abandon();
  }

  @RuleTest(
      rule = 47,
      sites = @Site(name = "pauses", in = "io.bg3.core.recovery.RowKeeper", method = "pause"),
      twins =
          @Twin(
              name = "a checkpoint goes on pausing while memory is short",
              in = "io.bg3.core.recovery.RowKeeper",
              method = "hasRoom",
              without = "PageEvictor.missing",
              result = 0))
  void aRequestForMemoryDoesNotWaitForAPause() throws Exception {
    CheckpointedStore store = filled(new CrashingDisk());
    MemoryBudget budget = store.opened().space().table().budget();
    long[] taken = new long[1];
    requireEnd(
        store,
        () -> {
          taken[0] = budget.limit() - budget.used();
          budget.reserve(taken[0]);
        });
    budget.release(taken[0]);
    assertNull(store.transactions().failure());
    store.abandon();
  }
}
