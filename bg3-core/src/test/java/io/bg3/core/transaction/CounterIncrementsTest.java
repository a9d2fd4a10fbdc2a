package io.bg3.core.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.DegreeKey;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.forest.TreeIds;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.memory.MemoryExceededException;
import io.bg3.testing.Seeds;
import io.bg3.testing.Together;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Counters of vertices: what increments do to one another, and what snapshots see of them. */
class CounterIncrementsTest {
  private static final int OUT = EdgeKey.tagLabel(EdgeKey.OUT, 1);

  static java.util.stream.LongStream seeds() {
    return Seeds.of(5);
  }

  private static void add(TestStore store, long owner, long increment) {
    try (Transaction transaction = store.begin()) {
      transaction.addCount(owner, 1, increment);
      transaction.commit();
    }
  }

  private static long count(TestStore store, long owner) {
    try (Transaction reader = store.read()) {
      return reader.count(owner, 1);
    }
  }

  private static int entries(TestStore store) {
    int count = 0;
    try (Transaction reader = store.read();
        EdgeCursor cursor = reader.allEdges(EdgeKey.COUNTER, false)) {
      while (cursor.next()) {
        count += DegreeKey.isOne(cursor.tagLabel()) ? 0 : 1;
      }
    }
    return count;
  }

  @Test
  void incrementsOfManyThreadsDoNotConflictAndNoneIsLost() throws Exception {
    int threads = 6;
    int each = 2_000;
    MemoryDisk disk = new MemoryDisk();
    try (TestStore store = TestStore.open(disk, TestStore.QUICK, new ComponentFactory())) {
      Together.run(
          threads,
          thread -> {
            Random random = new Random(thread);
            for (int i = 0; i < each; i++) {
              if (thread == 0) {
                store.manager.update(
                    new long[] {7},
                    t -> {
                      t.addCount(7, 1, 3);
                      return null;
                    });
              } else if (random.nextInt(3) == 0) { // among other writes
                try (Transaction transaction = store.begin()) {
                  transaction.putEdge(7, OUT, thread, i, new byte[0]);
                  transaction.addCount(7, 1, 4);
                  transaction.addCount(8, 1, 1);
                  transaction.addCount(7, 1, -1);
                  transaction.addCount(8, 1, -1);
                  transaction.commit();
                }
              } else {
                add(store, 7, 3);
              }
            }
          });
      assertEquals(3L * threads * each, count(store, 7));
      assertEquals(0, count(store, 8));
      assertEquals(1, entries(store));
      assertEquals(0, store.manager.conflicts());
    }
    try (TestStore store = TestStore.open(disk, TestStore.QUICK, new ComponentFactory())) {
      assertEquals(3L * threads * each, count(store, 7), "after replay");
      assertEquals(1, entries(store));
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aSnapshotSeesTheCountOfItsTime(long seed) throws IOException {
    Random random = new Random(seed);
    long expected = 0;
    Deque<Transaction> open = new ArrayDeque<>();
    Deque<Long> counts = new ArrayDeque<>();
    try (TestStore store = TestStore.create()) {
      for (int step = 0; step < 1_000; step++) {
        long increment = random.nextInt(300) - Math.min(expected, 100);
        add(store, 7, increment);
        expected += increment;
        if (random.nextInt(20) == 0) {
          open.add(store.read());
          counts.add(expected);
        }
        if (open.size() > 4) {
          open.remove().close();
          counts.remove();
        }
        Long[] then = counts.toArray(Long[]::new);
        int i = 0;
        for (Transaction reader : open) {
          assertEquals(then[i++], reader.count(7, 1), Seeds.say(seed) + ", step " + step);
        }
        assertEquals(expected, count(store, 7), Seeds.say(seed) + ", step " + step);
      }
      open.forEach(Transaction::close);
    }
  }

  @Test
  void aTransactionSeesItsOwnIncrements() throws IOException {
    try (TestStore store = TestStore.create();
        Transaction transaction = store.begin()) {
      add(store, 7, 5);
      assertFalse(transaction.hasWrites());
      transaction.addCount(7, 1, 2);
      assertTrue(transaction.hasWrites());
      assertEquals(2, transaction.count(7, 1), "the other commit is newer");
      assertEquals(0, transaction.count(7, 2));
    }
  }

  @Test
  void whoHasReadTheCountConflictsWithAnIncrement() throws IOException {
    try (TestStore store = TestStore.create()) {
      Transaction reader = store.begin();
      assertEquals(0, reader.count(7, 1));
      reader.addCount(7, 1, 1);
      add(store, 7, 5);
      assertThrows(ConflictException.class, reader::commit);
      assertEquals(5, count(store, 7));
    }
  }

  @Test
  void aCountThatFallsToZeroLeavesNothingAndNoneFallsBelow() throws IOException {
    try (TestStore store = TestStore.create()) {
      add(store, 7, 2);
      add(store, 7, -2);
      assertEquals(0, entries(store));
      Transaction below = store.begin();
      below.put(TreeIds.VERTICES, EdgeKey.prefix(1), new byte[0]);
      below.addCount(6, 1, 1);
      below.addCount(7, 1, -1);
      IllegalArgumentException e = assertThrows(IllegalArgumentException.class, below::commit);
      assertEquals(
          "a counter cannot hold this: edge 7 counter 1 0 0, count=0, increment=-1",
          e.getMessage());
      assertFalse(below.isOpen());
      assertEquals(0, entries(store));
      try (Transaction reader = store.read()) {
        assertFalse(reader.exists(TreeIds.VERTICES, EdgeKey.prefix(1)));
      }
      add(store, 7, Long.MAX_VALUE);
      assertThrows(IllegalArgumentException.class, () -> add(store, 7, 1));
      assertEquals(Long.MAX_VALUE, count(store, 7));
    }
  }

  @Test
  void aCommitThatFindsNoMemoryCanBeTriedAgainAndCountsAnew() throws IOException {
    try (TestStore store =
        TestStore.open(new MemoryDisk(), TestStore.QUICK, new ComponentFactory(), 1 << 21)) {
      Transaction transaction = store.begin();
      transaction.addCount(7, 1, 1);
      long rest = store.budget.limit() - store.budget.used() - 100;
      store.budget.request(rest);
      assertThrows(MemoryExceededException.class, transaction::commit);
      store.budget.release(rest);
      add(store, 7, 5);
      transaction.commit();
      assertEquals(6, count(store, 7));
    }
  }

  @Test
  void aCounterIsOnlyAddedTo() throws IOException {
    int counter = EdgeKey.tagLabel(EdgeKey.COUNTER, 1);
    try (TestStore store = TestStore.create();
        Transaction transaction = store.begin()) {
      assertThrows(
          IllegalArgumentException.class,
          () -> transaction.putEdge(7, counter, 0, 0, new byte[] {1}));
      assertThrows(IllegalArgumentException.class, () -> transaction.deleteEdge(7, counter, 0, 0));
    }
  }

  @Test
  void bytesThatAreNoCountAreDamage() {
    List<byte[]> bad = new ArrayList<>();
    bad.add(new byte[] {});
    bad.add(new byte[] {0});
    bad.add(new byte[] {1, 1});
    bad.add(new byte[] {-1, -1, -1, -1, -1, -1, -1, -1, -1, 1});
    for (byte[] value : bad) {
      assertThrows(CorruptionException.class, () -> CounterIncrements.decode(value));
    }
    assertEquals(0, CounterIncrements.decode(null));
  }
}
