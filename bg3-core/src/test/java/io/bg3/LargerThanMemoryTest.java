package io.bg3;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.transaction.ByteCursor;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.file.PowerCut;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * Fills a store with several times the memory that it has, reads and updates it from several
 * threads, kills it, and opens it again with the memory that it had. No operation may fail.
 */
class LargerThanMemoryTest {
  private static final int KEYS = 150_000;
  private static final int VALUE = 180;
  private static final int THREADS = 3;
  private static final int UPDATES = 6_000;
  private static final int IN_COMMIT = 4;
  private static final long BUDGET = 12 << 20;

  private final long seed = Seeds.one();

  private static Settings settings() {
    return Settings.defaults()
        .with("bg3.page.capacity", "4k")
        .with("bg3.memory.budget", Long.toString(BUDGET))
        .with("bg3.extent.size", "1m")
        .with("bg3.log.segment.min", "256k")
        .with("bg3.log.limit", "8m")
        .with("bg3.durability", "async");
  }

  private static byte[] key(int i) {
    return new byte[] {(byte) (i >>> 16), (byte) (i >>> 8), (byte) i};
  }

  private static byte[] value(int i, int version) {
    byte[] value = new byte[VALUE];
    new Random(31L * i + version).nextBytes(value);
    return value;
  }

  @Test
  void aStoreOfSeveralTimesItsMemoryIsReadWrittenKilledAndOpened() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    int[] versions = new int[KEYS];
    Bg3 store = Bg3.open(settings(), disk);
    fill(store);
    update(store, versions);
    store.transactions().syncLog();
    CrashingDisk killed = disk.kill(); // with a log of megabytes
    closeDead(store);
    try (Bg3 opened = Bg3.open(settings(), killed)) {
      expect(opened, versions);
      update(opened, versions);
      expect(opened, versions);
      assertEquals(List.of(), opened.checkPages(looked -> {}));
      while (opened.stats().usedBytes() > BUDGET) { // what a commit has overdrawn is evicted soon
        Thread.sleep(10);
      }
      long live = opened.stats().streams().values().stream().mapToLong(s -> s.live()).sum();
      assertTrue(live > 2 * BUDGET, "live=" + live);
    }
  }

  private static void fill(Bg3 store) {
    for (int i = 0; i < KEYS; i += 100) {
      try (Transaction transaction = store.transactions().begin(Isolation.STRICT, false)) {
        for (int k = i; k < i + 100; k++) {
          transaction.put(TreeIds.VERTICES, key(k), value(k, 0));
        }
        transaction.commit();
      }
    }
  }

  /** Updates keys all over the store, each thread some of its own, and reads others. */
  private void update(Bg3 store, int[] versions) throws InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      int own = t;
      Thread thread =
          new Thread(
              () -> {
                try {
                  update(store, versions, own);
                } catch (RuntimeException | Error e) {
                  failure.compareAndSet(null, e);
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    if (failure.get() != null) {
      throw new AssertionError("-Dbg3.seed=" + seed + ", " + store.stats(), failure.get());
    }
  }

  private void update(Bg3 store, int[] versions, int own) {
    Random random = new Random(seed + own);
    for (int i = 0; i < UPDATES / IN_COMMIT; i++) {
      int[] keys = random.ints(IN_COMMIT, 0, KEYS / THREADS).map(k -> k * THREADS + own).toArray();
      try (Transaction transaction = store.transactions().begin(Isolation.SNAPSHOT, false)) {
        for (int k : keys) {
          transaction.put(TreeIds.VERTICES, key(k), value(k, versions[k] + 1));
        }
        transaction.commit();
      }
      for (int k : Arrays.stream(keys).distinct().toArray()) {
        versions[k]++;
      }
    }
  }

  private void expect(Bg3 store, int[] versions) {
    int i = 0;
    try (Transaction transaction = store.transactions().begin(Isolation.STRICT, true);
        ByteCursor cursor = transaction.scan(TreeIds.VERTICES, null, null, ScanOrder.FORWARD)) {
      while (cursor.next()) {
        assertArrayEquals(key(i), cursor.key());
        assertArrayEquals(value(i, versions[i]), cursor.value(), "-Dbg3.seed=" + seed);
        i++;
      }
    }
    assertEquals(KEYS, i);
  }

  /** Closes a store whose disk is gone. */
  private static void closeDead(Bg3 store) {
    try {
      store.close();
    } catch (IOException | RuntimeException | PowerCut e) {
      // as intended: what it says goes to a disk that is not read any more
    }
  }
}
