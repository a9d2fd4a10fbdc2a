package io.bg3;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.storage.extent.Stream;
import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.format.FileHeader;
import io.bg3.storage.format.FileKind;
import io.bg3.storage.format.FormatTooOldException;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Opens stores whose pages are read when they are wanted: damaged ones, large ones, with values.
 */
class OpeningTest {
  private static final int TREE = TreeIds.EXTERNAL_IDS;
  private static final int KEYS = 2_000;
  private static final Settings SMALL =
      Settings.defaults()
          .with(Setting.MEMORY_BUDGET, "64m")
          .with(Setting.PAGE_CAPACITY, "1k")
          .with(Setting.EXTENT_SIZE, "64k")
          .with(Setting.VALUE_THRESHOLD, "64")
          .with(Setting.COMPRESSION_VALUE, "none") // the bytes are counted
          .with(Setting.LOG_SEGMENT_MIN, "64k")
          .with(Setting.DURABILITY, "none");

  private final long seed = Seeds.one();
  private final Random random = new Random(seed);
  private final Disk disk = new MemoryDisk();

  @Test
  void openingReadsNoPageOfTheGraph() throws Exception {
    fill(KEYS);
    try (Bg3 store = Bg3.open(SMALL, disk)) {
      long opened = store.stats().blockBytes();
      assertTrue(opened < 20_000, store.stats().toString());
      assertArrayEquals(value(7), get(store, 7));
      assertTrue(store.stats().blockBytes() - opened < 20_000, store.stats().toString());
      for (int i = 0; i < KEYS; i++) {
        assertArrayEquals(value(i), get(store, i));
      }
      assertTrue(store.stats().blockBytes() > 100_000, store.stats().toString());
    }
  }

  @Test
  void aStoreOfAnOlderFormatIsRefusedByTheVersionsOfBoth() throws Exception {
    fill(KEYS);
    try (DiskFile manifest = disk.open("manifest")) {
      ByteBuffer bytes = ByteBuffer.allocate((int) manifest.size());
      manifest.read(bytes, 0);
      FileHeader header = FileHeader.decode(bytes.flip(), new FileKind("manifest", 1, 9), "");
      new FileHeader(new FileKind("manifest", 1, 1), header.store(), header.number())
          .encode(bytes, 0);
      manifest.write(bytes.rewind(), 0);
    }
    List<String> before = disk.list().stream().sorted().toList();
    FormatTooOldException e =
        assertThrows(FormatTooOldException.class, () -> Bg3.open(SMALL, disk));
    assertTrue(e.getMessage().contains("found=1, oldest=2"), e.getMessage());
    assertEquals(before, disk.list().stream().sorted().toList());
  }

  @Test
  void aDamagedPageIsTheTroubleOfWhoTouchesIt() throws Exception {
    fill(KEYS);
    damage("extent-base");
    List<Integer> broken = new ArrayList<>();
    try (Bg3 store = Bg3.open(SMALL, disk)) {
      for (int i = 0; i < KEYS; i++) {
        try {
          assertArrayEquals(value(i), get(store, i), this::seed);
        } catch (CorruptionException e) {
          assertTrue(e.getMessage().contains("extent-base"), e.getMessage());
          broken.add(i);
        }
      }
      assertTrue(!broken.isEmpty() && broken.size() < 100, () -> seed() + ": " + broken);
      int key = broken.get(0);
      assertThrows(CorruptionException.class, () -> put(store, key, new byte[1]));
      assertNull(store.transactions().failure(), this::seed);
      int sound = (key + KEYS / 2) % KEYS;
      put(store, sound, new byte[] {1, 2, 3});
      assertArrayEquals(new byte[] {1, 2, 3}, get(store, sound), this::seed);
      store.checkpoint();
      assertEquals(1, store.checkPages(looked -> {}).size(), this::seed);
    }
    try (Bg3 store = Bg3.open(SMALL, disk)) {
      List<String> problems = store.check(looked -> {});
      assertTrue(problems.get(0).contains("extent-base"), () -> seed() + ": " + problems);
    }
  }

  @Test
  void aBudgetThatIsSmallerThanTheStoreSuffices() throws Exception {
    int keys = 40_000;
    Settings large = SMALL.with(Setting.VALUE_THRESHOLD, "1k").with(Setting.PAGE_CAPACITY, "8k");
    try (Bg3 store = Bg3.open(large, disk)) {
      for (int i = 0; i < keys; i += 1_000) {
        try (Transaction transaction = store.transactions().begin(Isolation.STRICT, false)) {
          for (int j = i; j < i + 1_000; j++) {
            transaction.put(TREE, key(j), new byte[250]);
          }
          transaction.commit();
        }
      }
    }
    try (Bg3 store = Bg3.open(large.with(Setting.MEMORY_BUDGET, "8m"), disk)) {
      for (int read = 0; read < keys; read++) {
        assertNotNull(get(store, read));
      }
      put(store, keys - 1, new byte[1]);
      while (store.stats().usedBytes() > 8 << 20) { // what a commit has overdrawn is evicted soon
        Thread.sleep(10);
      }
      assertEquals(List.of(), store.checkPages(looked -> {}));
    }
    try (Bg3 store = Bg3.open(large, disk)) {
      assertArrayEquals(new byte[1], get(store, keys - 1));
      assertArrayEquals(new byte[250], get(store, keys - 2));
    }
  }

  /**
   * Large values are counted by the manifest's rows, which opening takes as they are: after lives
   * with overwritten values, old snapshots, reopened stores and commits that a crash takes back,
   * the live bytes must be those of the values that are there.
   */
  @Test
  void valuesAreCountedRightAcrossOpenings() throws Exception {
    int keys = 200;
    byte[][] model = new byte[keys][];
    MemoryDisk current = new MemoryDisk();
    for (int life = 0; life < 12; life++) {
      Bg3 store = Bg3.open(SMALL, current);
      Transaction old = store.transactions().begin(Isolation.SNAPSHOT, true);
      for (int step = random.nextInt(60); step >= 0; step--) {
        int key = random.nextInt(keys);
        model[key] = random.nextInt(5) == 0 ? null : new byte[100 + random.nextInt(200)];
        put(store, key, model[key]);
        if (random.nextInt(15) == 0) {
          store.checkpoint();
        }
        if (random.nextInt(15) == 0) {
          old.rollback();
          old = store.transactions().begin(Isolation.SNAPSHOT, true);
        }
      }
      old.rollback();
      if (random.nextBoolean()) {
        store.close();
      } else {
        store.transactions().syncLog();
        current = copy(current); // as a kill leaves it
        store.close();
      }
    }
    try (Bg3 store = Bg3.open(SMALL, current)) {
      long bytes = 0;
      for (int i = 0; i < keys; i++) {
        assertArrayEquals(model[i], get(store, i), this::seed);
        bytes += model[i] == null ? 0 : model[i].length;
      }
      store.checkpoint();
      store.checkpoint();
      long live = store.stats().streams().get(Stream.VALUE).live();
      assertTrue(live >= bytes, () -> seed() + ": live=" + live);
      assertTrue(live <= bytes + keys * 90L, () -> seed() + ": live=" + live);
      assertEquals(List.of(), store.checkPages(looked -> {}), this::seed);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"async", "none"})
  void aCommitWhoseLogWasWrittenSurvivesTheEndOfTheProcess(String durability) throws Exception {
    Settings unsynced = SMALL.with(Setting.DURABILITY, durability);
    MemoryDisk memory = new MemoryDisk();
    try (Bg3 store = Bg3.open(unsynced, memory)) {
      for (int i = 0; i < 50; i++) {
        put(store, i, new byte[] {(byte) i});
        store.transactions().writeLog();
        try (Bg3 left = Bg3.open(unsynced, copy(memory))) { // as a kill leaves it
          assertArrayEquals(new byte[] {(byte) i}, get(left, i));
        }
      }
    }
  }

  private String seed() {
    return "-Dbg3.seed=" + seed;
  }

  private void fill(int count) throws IOException {
    try (Bg3 store = Bg3.open(SMALL, disk)) {
      for (int i = 0; i < count; i += 100) {
        try (Transaction transaction = store.transactions().begin(Isolation.STRICT, false)) {
          for (int j = i; j < i + 100; j++) {
            transaction.put(TREE, key(j), value(j));
          }
          transaction.commit();
        }
      }
      assertNotNull(get(store, 0));
    }
  }

  /** Flips a byte in the middle of the first large file of a kind. */
  private void damage(String kind) throws IOException {
    for (String name : disk.list()) {
      if (name.startsWith(kind)) {
        try (DiskFile file = disk.open(name)) {
          if (file.size() > 50_000) {
            ByteBuffer one = ByteBuffer.allocate(1);
            file.read(one, file.size() / 2);
            one.put(0, (byte) (one.get(0) ^ 0x10));
            file.write(one.rewind(), file.size() / 2);
            return;
          }
        }
      }
    }
    throw new AssertionError("no file to damage: " + disk.list());
  }

  private static MemoryDisk copy(MemoryDisk from) throws IOException {
    MemoryDisk to = new MemoryDisk();
    for (String name : from.list()) {
      try (DiskFile source = from.open(name);
          DiskFile target = to.create(name)) {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(source.size()));
        source.read(bytes, 0);
        target.write(bytes.flip(), 0);
      }
    }
    return to;
  }

  private static void put(Bg3 store, long key, byte[] value) {
    try (Transaction transaction = store.transactions().begin(Isolation.STRICT, false)) {
      if (value == null) {
        transaction.delete(TREE, key(key));
      } else {
        transaction.put(TREE, key(key), value);
      }
      transaction.commit();
    }
  }

  private static byte[] get(Bg3 store, long key) {
    try (Transaction transaction = store.transactions().begin(Isolation.STRICT, true)) {
      return transaction.get(TREE, key(key));
    }
  }

  private static byte[] key(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  /** Of a length that stays in pages but for some. */
  private static byte[] value(int number) {
    byte[] value = new byte[20 + number % 50];
    new Random(number).nextBytes(value);
    return value;
  }
}
