package io.bg3;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.transaction.EdgeCursor;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.tree.Neighbours;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Groups of reads, scans and commits in a store of tiny pages whose leaves are evicted before each
 * of them, and in the second test all the time by another thread. The answers are those of a sorted
 * map.
 */
class ColdReadsTest {
  private static final int OWNERS = 200;
  private static final int HEAVY = 5;
  private static final int LABEL = EdgeKey.tagLabel(EdgeKey.OUT, 3);

  static LongStream seeds() {
    return Seeds.of(3);
  }

  private static Bg3 open(Random random) throws IOException {
    return Bg3.open(
        Settings.defaults()
            .with(Setting.MEMORY_BUDGET, "16m")
            .with(Setting.PAGE_CAPACITY, "512")
            .with(Setting.IO_READS, Integer.toString(1 + random.nextInt(5)))
            .with(Setting.TOPOLOGY_FIRST, Boolean.toString(random.nextInt(3) > 0))
            .with(Setting.DURABILITY, "none"),
        new MemoryDisk());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void readsOfAStoreThatIsNotInMemoryAnswerLikeASortedMap(long seed) throws Exception {
    Random random = new Random(seed);
    try (Bg3 store = open(random)) {
      Model model = new Model();
      change(store, model, random, 4_000);
      for (int step = 0; step < 40; step++) {
        change(store, model, random, random.nextInt(80));
        if (random.nextInt(3) == 0) {
          store.checkpoint();
        }
        evict(store, random);
        compare(store, model, random, Seeds.say(seed) + ", step " + step);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void readsAnswerLikeASortedMapWhileTheirLeavesAreEvicted(long seed) throws Exception {
    Random random = new Random(seed);
    AtomicBoolean done = new AtomicBoolean();
    try (Bg3 store = open(random)) {
      Model model = new Model();
      change(store, model, random, 4_000);
      store.checkpoint();
      Thread evictor =
          new Thread(
              () -> {
                Random which = new Random(seed);
                while (!done.get()) {
                  evict(store, which);
                }
              });
      evictor.start();
      try {
        for (int step = 0; step < 15; step++) {
          change(store, model, random, random.nextInt(80));
          compare(store, model, random, Seeds.say(seed) + ", step " + step);
        }
      } finally {
        done.set(true);
        evictor.join();
      }
    }
  }

  private static void evict(Bg3 store, Random random) {
    if (random.nextBoolean()) {
      store.evict();
    } else {
      store.evictValues();
    }
  }

  /** The other ends of each owner, with their values. */
  private static final class Model {
    final Map<Long, SortedMap<Long, byte[]>> owners = new TreeMap<>();

    SortedMap<Long, byte[]> of(long owner) {
      return owners.computeIfAbsent(owner, any -> new TreeMap<>());
    }
  }

  private static void change(Bg3 store, Model model, Random random, int changes) {
    try (Transaction transaction = store.transactions().begin(Isolation.STRICT, false)) {
      for (int i = 0; i < changes; i++) {
        long owner = random.nextInt(4) == 0 ? random.nextInt(HEAVY) : random.nextInt(OWNERS);
        long other = random.nextInt(owner < HEAVY ? 3_000 : 30);
        if (random.nextInt(6) == 0) {
          transaction.deleteEdge(owner, LABEL, other, 0);
          model.of(owner).remove(other);
        } else {
          byte[] value = new byte[random.nextInt(40)];
          random.nextBytes(value);
          transaction.putEdge(owner, LABEL, other, 0, value);
          model.of(owner).put(other, value);
        }
      }
      transaction.commit();
    }
  }

  private static void compare(Bg3 store, Model model, Random random, String at) {
    boolean readOnly = random.nextBoolean();
    try (Transaction reader = store.transactions().begin(Isolation.STRICT, readOnly)) {
      if (!readOnly) {
        reader.putEdge(OWNERS + 1, LABEL, 1, 0, new byte[0]); // reads of cursors instead
      }
      long[] owners = random.longs(random.nextInt(150), 0, OWNERS).toArray();
      int limit = random.nextBoolean() ? Integer.MAX_VALUE : random.nextInt(400);
      Neighbours found = new Neighbours();
      reader.neighbours(owners, 0, owners.length, LABEL, limit, found);
      assertEquals(owners.length, found.count(), at);
      for (int i = 0; i < owners.length; i++) {
        long[] others = Arrays.copyOfRange(found.array(), found.start(i), found.end(i));
        assertArrayEquals(first(model, owners[i], limit), others, at + ", owner " + owners[i]);
      }
      comparePoints(reader, model, random, at);
      compareScan(reader, model, random.nextInt(HEAVY), at);
    }
  }

  private static long[] first(Model model, long owner, int limit) {
    return model.of(owner).keySet().stream().mapToLong(Long::longValue).limit(limit).toArray();
  }

  private static void comparePoints(Transaction reader, Model model, Random random, String at) {
    long owner = random.nextInt(HEAVY);
    long[] others = random.longs(random.nextInt(50), 0, 3_000).toArray();
    reader.prefetchEdges(owner, LABEL, others);
    for (long other : others) {
      assertArrayEquals(model.of(owner).get(other), reader.edgeValue(owner, LABEL, other, 0), at);
    }
  }

  private static void compareScan(Transaction reader, Model model, long owner, String at) {
    try (EdgeCursor edges = reader.edges(owner, LABEL, LABEL, true, ScanOrder.FORWARD)) {
      for (long other : model.of(owner).keySet()) {
        assertTrue(edges.next(), at);
        assertEquals(other, edges.other(), at);
        assertArrayEquals(model.of(owner).get(other), edges.value(), at);
      }
      assertFalse(edges.next(), at);
    }
  }
}
