package io.bg3.core.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.Op;
import io.bg3.core.page.PageRead;
import io.bg3.core.table.StoredState;
import io.bg3.storage.extent.Location;
import io.bg3.storage.memory.MemoryBudget;
import io.bg3.storage.memory.MemoryExceededException;
import io.bg3.testing.Seeds;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Opens stored trees with no page in memory and goes on with them: against a sorted map, from
 * several threads at once, and with too little memory. Two readers that break the rule show what it
 * is for.
 */
class PageLoaderTest {
  private static final int THREADS = 4;
  private static final int KEYS = 3_000;

  static LongStream seeds() {
    return Seeds.of(6);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aTreeOfWhichSomePagesAreStoredAnswersLikeASortedMap(long seed) throws Exception {
    Random random = new Random(seed);
    for (TreeKind kind : TreeKind.values()) {
      int keys = 50 + random.nextInt(1_500);
      int deletes = random.nextInt(100);
      int batch = 1 + random.nextInt(20);
      int capacity = 512 + random.nextInt(1_000);
      try (StoredTree stored = new StoredTree(kind, capacity, 1 + random.nextInt(12))) {
        long stamp = 1;
        long floor = 0;
        for (int step = 0; step < 250; step++) {
          String at = "-Dbg3.seed=" + seed + ", " + kind + ", step " + step;
          TreeHarness harness = stored.harness;
          stamp += 1 + random.nextInt(3);
          if (random.nextInt(3) > 0) {
            harness.write(TreeModelTest.batch(kind, random, keys, batch, deletes, 40), stamp);
            if (random.nextInt(3) == 0) {
              floor = Math.max(floor, stamp - random.nextInt(100));
            }
            harness.settle(new Horizon(floor, floor, new long[0]));
          }
          long snapshot = floor + random.nextInt((int) (stamp - floor) + 1);
          byte[] key = TreeModelTest.key(kind, random, keys);
          assertArrayEquals(harness.expected(key, snapshot), harness.actual(key, snapshot), at);
          if (random.nextInt(30) == 0) {
            TreeModelTest.compareRange(harness, kind, random, keys, snapshot, at);
          }
          if (random.nextInt(30) == 0) {
            assertEquals(List.of(), harness.problems(), at);
          }
          if (random.nextInt(20) == 0) {
            Horizon horizon = new Horizon(floor, floor, new long[0]);
            stored.flush(horizon);
            if (random.nextBoolean()) {
              while (stored.flush(horizon) > 0) {} // the removal of empty pages changes others
              stored.reopen(stamp);
              floor = stamp; // who opens sees all that is stored
            }
          }
        }
      }
    }
  }

  /** The range of an empty leaf goes to a neighbour that no thread has asked for yet. */
  @ParameterizedTest
  @EnumSource(TreeKind.class)
  void leavesThatAreEmptiedGoToNeighboursInStorage(TreeKind kind) throws Exception {
    Random random = new Random(11);
    try (StoredTree stored = filled(kind)) {
      for (int stamp = 2; stamp < 30; stamp++) {
        TreeHarness harness = stored.harness;
        List<byte[]> keys = new ArrayList<>(harness.expected(null, null, stamp).keySet());
        int from = random.nextInt(keys.size() - 100);
        NavigableMap<byte[], byte[]> batch = new TreeMap<>(Arrays::compareUnsigned);
        keys.subList(from, from + 30 + random.nextInt(70)).forEach(key -> batch.put(key, null));
        harness.write(batch, stamp);
        harness.settle(Horizon.at(stamp));
        while (stored.flush(Horizon.at(stamp)) > 0) {}
        assertEquals(List.of(), harness.problems());
        assertEquals(
            harness.expected(null, null, stamp).size(),
            harness.actual(null, null, stamp, random.nextBoolean()).size());
        stored.reopen(stamp);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(TreeKind.class)
  void aPageIsLoadedOnceForAllWhoWantIt(TreeKind kind) throws Exception {
    for (int round = 0; round < 8; round++) {
      try (StoredTree stored = filled(kind)) {
        TreeHarness harness = stored.harness;
        List<byte[]> keys = new ArrayList<>(harness.model.keySet());
        CountDownLatch start = new CountDownLatch(1);
        List<Throwable> wrong = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
          Thread thread = new Thread(() -> readAll(harness, keys, start, wrong));
          threads.add(thread);
          thread.start();
        }
        start.countDown();
        for (Thread thread : threads) {
          thread.join();
        }
        assertEquals(List.of(), wrong);
        assertEquals(stored.pages(), harness.space.loader().loads());
        assertEquals(List.of(), harness.problems());
      }
    }
  }

  @Test
  void writersAndReadersMeetTheSameStoredPages() throws Exception {
    for (int round = 0; round < 8; round++) {
      try (StoredTree stored = filled(TreeKind.BYTES)) {
        TreeHarness harness = stored.harness;
        List<byte[]> keys = new ArrayList<>(harness.model.keySet());
        CountDownLatch start = new CountDownLatch(1);
        List<Throwable> wrong = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
          int remainder = t;
          Thread thread =
              t == 0
                  ? new Thread(() -> readAll(harness, keys, start, wrong))
                  : new Thread(() -> writeSome(harness.tree, keys, remainder, start, wrong));
          threads.add(thread);
          thread.start();
        }
        start.countDown();
        for (Thread thread : threads) {
          thread.join();
        }
        assertEquals(List.of(), wrong);
        for (int i = 0; i < keys.size(); i++) {
          byte[] now = harness.actual(keys.get(i), Long.MAX_VALUE);
          boolean written = i % THREADS != 0;
          byte[] expected = written ? new byte[] {7} : harness.expected(keys.get(i), 1);
          assertArrayEquals(expected, now);
        }
        assertEquals(List.of(), harness.problems());
      }
    }
  }

  /** Writes every so many keys, and leaves the others and what they were before. */
  private static void writeSome(
      Tree tree, List<byte[]> keys, int remainder, CountDownLatch start, List<Throwable> wrong) {
    try {
      start.await();
      PendingMaintenance due = new PendingMaintenance();
      for (int i = remainder; i < keys.size(); i += THREADS) {
        Entries batch = tree.newEntries();
        batch.append(keys.get(i), Op.PUT, 2, new byte[] {7});
        tree.apply(batch, 0, 1, due);
        due.settle(new Horizon(1, 1, new long[0]));
      }
    } catch (InterruptedException | RuntimeException | Error e) {
      wrong.add(e);
    }
  }

  private static void readAll(
      TreeHarness harness, List<byte[]> keys, CountDownLatch start, List<Throwable> wrong) {
    try {
      start.await();
      for (byte[] key : keys) {
        assertArrayEquals(harness.expected(key, 1), harness.actual(key, 1));
      }
    } catch (InterruptedException | RuntimeException | Error e) {
      wrong.add(e);
    }
  }

  @Test
  void aCheckReadsWhatIsStoredAndKeepsNothing() throws Exception {
    try (StoredTree stored = filled(TreeKind.EDGES)) {
      TreeHarness harness = stored.harness;
      long used = harness.memory.used();
      List<Integer> read = new ArrayList<>();
      TreeReport report = harness.tree.check((page, references) -> read.add(page));
      assertEquals(List.of(), report.problems());
      assertEquals(harness.model.size(), report.entries());
      assertEquals(stored.pages(), read.size());
      assertEquals(used, harness.memory.used());
      assertEquals(0, harness.space.loader().loads());
    }
  }

  @Test
  void aReadThatFindsNoMemoryFailsAloneAndNamesTheSetting() throws Exception {
    try (StoredTree stored = filled(TreeKind.BYTES)) {
      TreeHarness harness = stored.harness;
      List<byte[]> keys = new ArrayList<>(harness.model.keySet());
      byte[] first = keys.get(0);
      byte[] last = keys.get(keys.size() - 1);
      assertArrayEquals(harness.expected(first, 1), harness.actual(first, 1));
      long free = harness.budget.limit() - harness.budget.used();
      harness.budget.reserve(free);
      MemoryExceededException e =
          assertThrows(MemoryExceededException.class, () -> harness.actual(last, 1));
      assertTrue(e.getMessage().contains("bg3.memory.budget"), e.getMessage());
      assertArrayEquals(harness.expected(first, 1), harness.actual(first, 1));
      harness.budget.release(free);
      assertArrayEquals(harness.expected(last, 1), harness.actual(last, 1));
    }
  }

  /** The first image of a store is compressed, and nothing tells yet how well. */
  @Test
  void aPageIsLoadedWithoutWaitingThoughItIsLargerThanThought() throws Exception {
    try (StoredTree stored = new StoredTree(TreeKind.BYTES, 16 << 10, 10)) {
      NavigableMap<byte[], byte[]> batch = new TreeMap<>(Arrays::compareUnsigned);
      for (int i = 0; i < 40; i++) {
        batch.put(new byte[] {(byte) i}, new byte[300]);
      }
      stored.harness.write(batch, 1);
      stored.harness.settle(Horizon.at(1));
      while (stored.flush(Horizon.at(1)) > 0) {}
      stored.reopen(1);
      TreeHarness harness = stored.harness;
      assertTrue(harness.space.loader().tryLoad(harness.tree.root()));
      assertEquals(1, harness.space.loader().loads());
      stored.reopen(1);
      MemoryBudget budget = stored.harness.budget;
      budget.reserve(budget.limit() - budget.used() - 8_000);
      assertFalse(stored.harness.space.loader().tryLoad(stored.harness.tree.root()));
      assertEquals(0, stored.harness.space.loader().loads());
    }
  }

  /** The lengths in the header of an image count, and not those of the compressed bytes. */
  @Test
  void aCompressedPageNeedsTheMemoryThatItTakes() throws Exception {
    try (StoredTree stored = new StoredTree(TreeKind.BYTES, 16 << 10, 10)) {
      NavigableMap<byte[], byte[]> batch = new TreeMap<>(Arrays::compareUnsigned);
      for (int i = 0; i < 40; i++) {
        batch.put(new byte[] {(byte) i}, new byte[300]); // 12 KB, of which few are stored
      }
      stored.harness.write(batch, 1);
      stored.harness.settle(Horizon.at(1));
      while (stored.flush(Horizon.at(1)) > 0) {}
      stored.reopen(1);
      TreeHarness harness = stored.harness;
      byte[] key = batch.firstKey();
      long stores = Location.bytes(stored.base(harness.tree.root()));
      assertTrue(stores < 1_000, "bytes=" + stores);
      long taken = harness.budget.limit() - harness.budget.used() - 8_000;
      harness.budget.reserve(taken);
      assertThrows(MemoryExceededException.class, () -> harness.actual(key, 1));
      assertEquals(0, harness.space.loader().loads());
      harness.budget.release(taken);
      assertArrayEquals(harness.expected(key, 1), harness.actual(key, 1));
      assertEquals(1, harness.space.loader().loads());
    }
  }

  /** Images are decoded through the buffers of the thread, however they were compressed. */
  @ParameterizedTest
  @ValueSource(ints = {16 << 10, 64 << 10})
  void aLoadMakesNoGarbageOfTheSizeOfThePage(int capacity) throws Exception {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (StoredTree stored = new StoredTree(TreeKind.BYTES, capacity, 10)) {
      NavigableMap<byte[], byte[]> batch = new TreeMap<>(Arrays::compareUnsigned);
      for (int i = 0; i < capacity / 330; i++) {
        batch.put(new byte[] {(byte) i}, new byte[300]);
      }
      stored.harness.write(batch, 1);
      for (int way = 0; way < StoredTree.WAYS.size(); way++) {
        stored.harness.settle(Horizon.at(1 + way));
        while (stored.flush(Horizon.at(1 + way)) > 0) {}
        stored.reopen(1 + way);
        TreeHarness harness = stored.harness;
        int page = harness.tree.root();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 10; i++) { // the first loads grow buffers
          long before = threads.getCurrentThreadAllocatedBytes();
          harness.space.free(harness.space.loader().read(page));
          least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertTrue(least < capacity / 2, "way=" + way + ", bytes=" + least);
        harness.write(batch, 2 + way); // so that the next way writes a base
      }
    }
  }

  @Test
  void nobodyLoadsInsideAnEpoch() throws Exception {
    try (StoredTree stored = filled(TreeKind.BYTES)) {
      TreeHarness harness = stored.harness;
      int ticket = harness.epochs.enter();
      try {
        assertThrows(AssertionError.class, () -> harness.space.loader().load(harness.tree.root()));
      } finally {
        harness.epochs.exit(ticket);
      }
    }
  }

  /** Two who have read the images of one page, of which the second publishes last. */
  @Test
  void theLoaderThatTakesNoClaimLosesWhatWasWrittenMeanwhile() throws Exception {
    try (StoredTree stored = filled(TreeKind.BYTES)) {
      TreeHarness harness = stored.harness;
      byte[] key = harness.model.firstKey();
      int missing = loadDownTo(harness, key);
      long late = harness.space.loader().read(missing);
      NavigableMap<byte[], byte[]> batch = new TreeMap<>(Arrays::compareUnsigned);
      batch.put(key, new byte[] {9});
      harness.write(batch, 2);
      assertArrayEquals(new byte[] {9}, harness.actual(key, 2));
      harness.table.publish(missing, late);
      assertArrayEquals(harness.expected(key, 1), harness.actual(key, 2));
    }
  }

  /** Rule 12: a split in the meantime has moved the key to a page further right. */
  @Test
  void theReaderThatGoesOnAtThePageItWaitedForMissesWhatASplitMoved() throws Exception {
    try (StoredTree stored = filled(TreeKind.BYTES)) {
      TreeHarness harness = stored.harness;
      byte[] key = harness.model.lastKey();
      int missing = loadDownTo(harness, key);

      for (int i = 0; i < 40; i++) { // another thread, while this one waits for the page
        NavigableMap<byte[], byte[]> batch = new TreeMap<>(Arrays::compareUnsigned);
        batch.put(("key-z" + i).getBytes(StandardCharsets.UTF_8), new byte[100]);
        harness.write(batch, 10 + i);
        harness.settle(Horizon.at(10 + i));
      }
      byte[] moved = harness.model.lastKey();

      PageRead read = new PageRead();
      int ticket = harness.epochs.enter();
      try {
        assertFalse(
            harness.tree.format.get(harness.table.block(missing), moved, Long.MAX_VALUE, read));
      } finally {
        harness.epochs.exit(ticket);
      }
      assertNotNull(harness.actual(moved, Long.MAX_VALUE));
    }
  }

  /** Loads the inner pages on the way to a key and returns the leaf, which is not in memory. */
  private static int loadDownTo(TreeHarness harness, byte[] key) {
    while (true) {
      long found;
      int ticket = harness.epochs.enter();
      try {
        found = harness.tree.descent.leaf(key);
      } finally {
        harness.epochs.exit(ticket);
      }
      int missing = Descent.missing(found);
      long block = harness.space.loader().read(missing);
      boolean inner = harness.space.header(block).level() > 0;
      harness.space.free(block);
      if (!inner) {
        assertTrue(StoredState.isStored(harness.table.block(missing)));
        return missing;
      }
      harness.space.loader().load(missing);
    }
  }

  /** A tree of many leaves, with deltas over some, of which no page is in memory. */
  private static StoredTree filled(TreeKind kind) throws Exception {
    Random random = new Random(5);
    StoredTree stored = new StoredTree(kind, 512, 4);
    NavigableMap<byte[], byte[]> batch = new TreeMap<>(Arrays::compareUnsigned);
    for (int i = 0; i < KEYS; i++) {
      byte[] value = new byte[1 + random.nextInt(20)];
      random.nextBytes(value);
      batch.put(TreeModelTest.key(kind, random, KEYS), value);
    }
    stored.harness.write(batch, 1);
    stored.harness.settle(Horizon.at(1));
    stored.flush(Horizon.at(1));
    stored.reopen(1);
    return stored;
  }
}
