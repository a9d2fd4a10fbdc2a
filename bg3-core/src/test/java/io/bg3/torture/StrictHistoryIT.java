package io.bg3.torture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Settings;
import io.bg3.StoreOnDisk;
import io.bg3.core.transaction.Isolation;
import io.bg3.history.Anomaly;
import io.bg3.history.Checker;
import io.bg3.history.History;
import io.bg3.history.Load;
import io.bg3.history.Mix;
import io.bg3.history.Outcome;
import io.bg3.history.Report;
import io.bg3.storage.file.Disk;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.storage.file.RealDisk;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Lets several threads loose on the engine and expects their history to be strictly serialisable,
 * in memory and on the disk, also when it is read by another opening of the store. Repeat with
 * {@code -Dbg3.seed=N} as far as threads allow; {@code -Dbg3.torture.transactions=N} makes it
 * longer.
 *
 * <p>Takes about 15 s in its short form: it is the proof of strict serialisability, since a checker
 * that knows nothing of the engine finds an order of all transactions or says that there is none.
 */
class StrictHistoryIT {
  private static final long SEED = Seeds.one();

  /** List-append transactions in memory. */
  private static final int TRANSACTIONS = Integer.getInteger("bg3.torture.transactions", 100_000);

  /** On the disk, where each commit waits for a sync; fewer find the same faults. */
  private static final int ON_DISK = TRANSACTIONS / 2;

  private static final int THREADS = 6;

  @TempDir Path directory;

  private static Settings settings() {
    return Settings.defaults()
        .with("bg3.page.capacity", "1k")
        .with("bg3.forest.counted-leaves", "2")
        .with("bg3.value.threshold", "100")
        .with("bg3.extent.size", "1m")
        .with("bg3.log.segment.min", "256k")
        .with("bg3.log.limit", "2m")
        .with("bg3.memory.budget", "256m");
  }

  private static Report run(Disk disk, Mix mix, Isolation isolation, boolean fullScans, int count)
      throws Exception {
    return run(disk, mix, isolation, fullScans, count, false);
  }

  /**
   * @param evicting whether leaves are flushed and evicted all the time
   */
  private static Report run(
      Disk disk, Mix mix, Isolation isolation, boolean fullScans, int count, boolean evicting)
      throws Exception {
    History history = new History();
    Load load;
    long begin = System.nanoTime();
    try (StoreOnDisk store = StoreOnDisk.open(settings(), disk)) {
      EngineStore tested = new EngineStore(store.transactions(), isolation, fullScans);
      load = new Load(history, tested, mix, count, SEED);
      Evicting other = new Evicting(store, evicting);
      try {
        load.runThreads(THREADS);
      } finally {
        other.end();
      }
      load.finalRead();
      assertEquals(List.of(), store.check());
    }
    long millis = (System.nanoTime() - begin) / 1_000_000;
    try (StoreOnDisk store = StoreOnDisk.open(settings(), disk)) {
      load.finalRead(new EngineStore(store.transactions(), isolation, fullScans));
      assertEquals(List.of(), store.check());
    }
    Report report = Checker.check(history);
    int committed = history.count(Outcome.COMMITTED);
    System.out.printf("history: committed=%d, ms=%d, %s%n", committed, millis, report.summary());
    assertTrue(committed > count / 3, () -> "hardly anything committed: " + committed);
    return report;
  }

  /** A thread that flushes leaves, moves and evicts all that can be, as fast as it can. */
  private static final class Evicting {
    private final AtomicLong evicted = new AtomicLong();
    private final AtomicLong moved = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final boolean on;
    private final Thread thread;
    private volatile boolean ending;

    Evicting(StoreOnDisk store, boolean on) {
      this.on = on;
      this.thread = new Thread(() -> run(store));
      if (on) {
        thread.start();
      }
    }

    private void run(StoreOnDisk store) {
      try {
        do {
          store.flush(32);
          store.evictValues();
          moved.addAndGet(store.move());
          evicted.addAndGet(store.evict());
        } while (!ending || evicted.get() == 0);
      } catch (IOException | RuntimeException | Error e) {
        failure.set(e);
      }
    }

    void end() throws InterruptedException {
      ending = true;
      thread.join();
      assertNull(failure.get());
      assertTrue(!on || evicted.get() > 0, "nothing was evicted");
      assertTrue(!on || moved.get() > 0, "nothing was moved");
    }
  }

  @Test
  void transactionsOnLeavesThatAreEvictedAllTheTimeAreStrictlySerialisable() throws Exception {
    run(new MemoryDisk(), Mix.lists(), Isolation.STRICT, false, 30_000, true).assertClean();
    run(new MemoryDisk(), Mix.everything(), Isolation.STRICT, false, 20_000, true).assertClean();
    run(new MemoryDisk(), Mix.phantoms(), Isolation.STRICT, false, 10_000, true).assertClean();
  }

  @Test
  void manyListAppendTransactionsInMemoryAreStrictlySerialisable() throws Exception {
    run(new MemoryDisk(), Mix.lists(), Isolation.STRICT, false, TRANSACTIONS).assertClean();
  }

  @Test
  void manyListAppendTransactionsOnTheDiskAreStrictlySerialisable() throws Exception {
    run(RealDisk.open(directory.resolve("store")), Mix.lists(), Isolation.STRICT, false, ON_DISK)
        .assertClean();
  }

  @Test
  void listsSetsRangesAndTotalsTogetherAreStrictlySerialisable() throws Exception {
    run(new MemoryDisk(), Mix.everything(), Isolation.STRICT, false, 30_000).assertClean();
  }

  @Test
  void insertsThatLookAtRangesSeeNoPhantoms() throws Exception {
    run(new MemoryDisk(), Mix.phantoms(), Isolation.STRICT, false, 30_000).assertClean();
  }

  @Test
  void fullScansSeeNoPhantoms() throws Exception {
    run(new MemoryDisk(), Mix.phantoms(), Isolation.STRICT, true, 3_000).assertClean();
  }

  @Test
  void insertsBoundedByATotalKeepTheBound() throws Exception {
    run(new MemoryDisk(), Mix.totals(), Isolation.STRICT, false, 20_000).assertClean();
  }

  @Test
  void snapshotIsolationShowsWriteSkewAndNothingWorse() throws Exception {
    boolean isShown = false;
    for (int attempt = 0; !isShown && attempt < 20; attempt++) { // it takes two at the same time
      Report report = run(new MemoryDisk(), Mix.lists(), Isolation.SNAPSHOT, false, 30_000);
      for (Anomaly anomaly : report.anomalies()) {
        assertTrue(
            anomaly.kind() == Anomaly.Kind.G2_ITEM
                || anomaly.kind() == Anomaly.Kind.G2_ITEM_REALTIME,
            anomaly::toString);
      }
      isShown = report.has(Anomaly.Kind.G2_ITEM);
    }
    assertTrue(isShown, "no write skew in any run");
  }
}
