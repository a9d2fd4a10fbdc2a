package io.bg3;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.transaction.ConflictException;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.storage.extent.Stream;
import io.bg3.storage.file.Disk;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.storage.file.StoreInUseException;
import io.bg3.storage.memory.MemoryExceededException;
import io.bg3.testing.Seeds;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Opens, writes, closes and opens again, on a disk in memory and on a real one. */
class Bg3Test {
  private static final Settings SMALL =
      Settings.defaults()
          .with(Setting.MEMORY_BUDGET, "64m")
          .with(Setting.PAGE_CAPACITY, "1k")
          .with(Setting.EXTENT_SIZE, "64k")
          .with(Setting.LOG_LIMIT, "256k")
          .with(Setting.LOG_SEGMENT_MIN, "64k");

  @TempDir Path directory;

  @Test
  void whatWasCommittedIsThereAfterReopening() throws Exception {
    Disk disk = new MemoryDisk();
    try (Bg3 store = Bg3.open(SMALL, disk)) {
      put(store, 1, "one");
      store.checkpoint();
      put(store, 2, "two");
      put(store, 1, "uno");
      assertEquals(List.of(), store.check(looked -> {}));
    }
    try (Bg3 store = Bg3.open(SMALL, disk)) {
      assertEquals("uno", get(store, 1));
      assertEquals("two", get(store, 2));
      assertNull(get(store, 3));
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  @Test
  void aStoreInADirectoryIsOpenedByOneAtATime() throws Exception {
    Settings settings = SMALL.with(Setting.DIRECTORY, directory.resolve("store").toString());
    try (Bg3 store = Bg3.open(settings)) {
      put(store, 1, "one");
      StoreInUseException e = assertThrows(StoreInUseException.class, () -> Bg3.open(settings));
      assertTrue(e.getMessage().contains("" + ProcessHandle.current().pid()), e.getMessage());
    }
    try (Bg3 store = Bg3.open(settings)) {
      assertEquals("one", get(store, 1));
    }
  }

  @Test
  void theLogStaysWithinItsLimit() throws Exception {
    long seed = Seeds.one();
    Random random = new Random(seed);
    Disk disk = new MemoryDisk();
    try (Bg3 store = Bg3.open(SMALL.with(Setting.DURABILITY, "none"), disk)) {
      byte[] value = new byte[200];
      for (int i = 0; i < 30_000; i++) {
        random.nextBytes(value);
        try (Transaction transaction = store.transactions().begin(Isolation.STRICT, false)) {
          transaction.put(TreeIds.META, key(100 + random.nextInt(5_000)), value.clone());
          transaction.commit();
        }
      }
      assertTrue(store.stats().logBytes() < 2 << 20, "-Dbg3.seed=" + seed + ": " + store.stats());
      assertEquals(List.of(), store.check(looked -> {}));
    }
    try (Bg3 store = Bg3.open(SMALL, disk)) {
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  @Test
  void largeValuesLiveApartAndAreForgottenWhenOverwritten() throws Exception {
    Disk disk = new MemoryDisk();
    byte[] large = new byte[20_000];
    new Random(1).nextBytes(large);
    try (Bg3 store = Bg3.open(SMALL, disk)) {
      for (int i = 0; i < 200; i++) {
        try (Transaction transaction = store.transactions().begin(Isolation.STRICT, false)) {
          transaction.put(TreeIds.META, key(i % 3), large.clone());
          transaction.commit();
        }
      }
      store.checkpoint();
      store.checkpoint();
      StoreStats.StreamBytes values = store.stats().streams().get(Stream.VALUE);
      assertTrue(values.live() < 20 * 20_500, store.stats().toString());
      assertTrue(values.written() < 5 << 20, store.stats().toString());
    }
    try (Bg3 store = Bg3.open(SMALL, disk);
        Transaction transaction = store.transactions().begin(Isolation.STRICT, true)) {
      for (int i = 0; i < 3; i++) {
        assertArrayEquals(large, transaction.get(TreeIds.META, key(i)));
      }
      StoreStats.StreamBytes values = store.stats().streams().get(Stream.VALUE);
      assertTrue(values.live() < 20 * 20_500, store.stats().toString());
    }
  }

  @Test
  void aVertexWithManyEdgesIsCountedWhenItHasATreeOfItsOwn() throws Exception {
    Settings splitting = SMALL.with(Setting.SPLIT_OUT, "8");
    try (Bg3 store = Bg3.open(splitting, new MemoryDisk())) {
      assertEquals(0, store.stats().trees().dedicated());
      int tagLabel = EdgeKey.tagLabel(EdgeKey.OUT, 1);
      for (int i = 0; store.stats().trees().dedicated() == 0; i++) {
        try (Transaction transaction = store.transactions().begin(Isolation.STRICT, false)) {
          transaction.putEdge(7, tagLabel, i, 0, new byte[8]);
          transaction.putEdge(8, tagLabel, i % 8, 0, new byte[8]);
          transaction.commit();
        }
      }
      assertEquals(1, store.stats().trees().dedicated());
    }
  }

  @Test
  void writesBeyondTheBudgetSucceedAndNothingIsLost() throws Exception {
    Disk disk = new MemoryDisk();
    Settings tight = SMALL.with(Setting.MEMORY_BUDGET, "8m").with(Setting.DURABILITY, "none");
    int commits = 1_200; // three times the budget
    try (Bg3 store = Bg3.open(tight, disk)) {
      for (int written = 0; written < commits; written++) {
        try (Transaction transaction = store.transactions().begin(Isolation.STRICT, false)) {
          for (int i = 0; i < 100; i++) {
            transaction.put(TreeIds.META, key(written * 100L + i), new byte[200]);
          }
          transaction.commit();
        }
      }
      try (Transaction transaction = store.transactions().begin(Isolation.STRICT, true)) {
        for (int i = 0; i < commits * 100; i++) {
          assertTrue(transaction.exists(TreeIds.META, key(i)), "key " + i);
        }
      }
      assertEquals(List.of(), store.check(looked -> {}));
    }
    try (Bg3 store = Bg3.open(tight, disk);
        Transaction transaction = store.transactions().begin(Isolation.STRICT, true)) {
      assertTrue(transaction.exists(TreeIds.META, key(commits * 100L - 1)));
    }
  }

  @Test
  void aCommitThatIsLargeBesideTheBudgetFailsAndNothingIsLost() throws Exception {
    Settings tight = SMALL.with(Setting.MEMORY_BUDGET, "8m");
    try (Bg3 store = Bg3.open(tight, new MemoryDisk())) {
      put(store, 1, "one");
      try (Transaction transaction = store.transactions().begin(Isolation.STRICT, false)) {
        for (int i = 0; i < 10_000; i++) {
          transaction.put(TreeIds.META, key(i), new byte[200]);
        }
        MemoryExceededException e =
            assertThrows(MemoryExceededException.class, transaction::commit);
        assertTrue(e.getMessage().contains("bg3.memory.budget"), e.getMessage());
      }
      put(store, 2, "two");
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  @Test
  void countsCommitsConflictsAndCheckpoints() throws Exception {
    try (Bg3 store = Bg3.open(SMALL, new MemoryDisk())) {
      StoreStats before = store.stats();
      put(store, 1, "one");
      try (Transaction late = store.transactions().begin(Isolation.STRICT, false)) {
        late.get(TreeIds.META, key(1));
        put(store, 1, "two");
        late.put(TreeIds.META, key(1), new byte[] {3});
        assertThrows(ConflictException.class, late::commit);
      }
      store.checkpoint();
      StoreStats after = store.stats();
      assertEquals(2, after.commits() - before.commits());
      assertEquals(1, after.conflicts() - before.conflicts());
      assertEquals(1, after.checkpoints() - before.checkpoints());
    }
  }

  private static void put(Bg3 store, long key, String value) {
    try (Transaction transaction = store.transactions().begin(Isolation.STRICT, false)) {
      transaction.put(
          TreeIds.META, key(key), value.getBytes(java.nio.charset.StandardCharsets.UTF_8));
      transaction.commit();
    }
  }

  private static String get(Bg3 store, long key) {
    try (Transaction transaction = store.transactions().begin(Isolation.STRICT, true)) {
      byte[] value = transaction.get(TreeIds.META, key(key));
      return value == null ? null : new String(value, java.nio.charset.StandardCharsets.UTF_8);
    }
  }

  private static byte[] key(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }
}
