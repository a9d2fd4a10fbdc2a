package io.bg3.core.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.Horizon;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Moves every leaf that can be moved to other blocks (R32), and evicts every leaf that can be
 * evicted, after every step and between the finding and the applying of a batch, loads leaves
 * together, and compares the tree with a sorted map of all versions. A batch that has to load a
 * page when it is applied is an error (R5).
 */
class EvictionModelTest {
  /** Between two stamps: in storage they are known to two of these. */
  private static final long UNIT = 1 << 19;

  static LongStream seeds() {
    return Seeds.of(5);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aTreeThatIsEvictedAfterEachStepAnswersLikeASortedMap(long seed) throws IOException {
    Random random = new Random(seed);
    for (TreeKind kind : TreeKind.values()) {
      int keys = 50 + random.nextInt(800);
      int deletes = random.nextInt(100);
      int batch = 1 + random.nextInt(30);
      int capacity = 512 + random.nextInt(1_000);
      try (StoredTree stored = new StoredTree(kind, capacity, 1 + random.nextInt(12))) {
        TreeHarness harness = stored.harness;
        long stamp = UNIT;
        long floor = 0;
        int[] evicted = new int[2];
        long[] moved = new long[1];
        for (int step = 0; step < 200; step++) {
          String at = "-Dbg3.seed=" + seed + ", " + kind + ", step " + step;
          Horizon horizon = new Horizon(floor, floor, new long[0]);
          harness.between = () -> evicted[1] += flushMoveAndEvict(stored, random, horizon, moved);
          stamp += UNIT * (1 + random.nextInt(3));
          harness.write(TreeModelTest.batch(kind, random, keys, batch, deletes, 40), stamp);
          if (random.nextInt(3) == 0) {
            floor = Math.max(floor, stamp - UNIT * random.nextInt(100));
          }
          evicted[0] += flushMoveAndEvict(stored, random, horizon, moved);
          harness.settle(new Horizon(floor, floor, new long[0]));
          evicted[0] += flushMoveAndEvict(stored, random, horizon, moved);
          if (random.nextInt(3) == 0) {
            prefetch(harness, kind, random, keys);
          }
          long snapshot = floor + UNIT * random.nextInt((int) ((stamp - floor) / UNIT) + 1);
          byte[] key = TreeModelTest.key(kind, random, keys);
          assertArrayEquals(harness.expected(key, snapshot), harness.actual(key, snapshot), at);
          byte[] low = random.nextInt(10) == 0 ? null : TreeModelTest.key(kind, random, keys);
          byte[] high = random.nextInt(10) == 0 ? null : TreeModelTest.key(kind, random, keys);
          if (low == null || high == null || Arrays.compareUnsigned(low, high) < 0) {
            assertEquals(
                harness.expectedChange(low, high, snapshot),
                harness.tree.changedAfter(low, high, snapshot),
                at);
          }
          if (random.nextInt(30) == 0) {
            TreeModelTest.compareRange(harness, kind, random, keys, snapshot, at);
          }
          if (random.nextInt(30) == 0) {
            assertEquals(List.of(), harness.problems(), at);
          }
        }
        boolean pinned =
            evicted[1] == 0 && stored.pages() < 40; // by a batch that goes to all leaves
        assertTrue(moved[0] > 0, "nothing was moved");
        assertTrue(evicted[0] > 0 && (evicted[1] > 0 || pinned), Arrays.toString(evicted));
      }
    }
  }

  /** Loads the leaves of some keys together, and leaves behind them. */
  private static void prefetch(TreeHarness harness, TreeKind kind, Random random, int keys) {
    LeafPrefetch prefetch = new LeafPrefetch(harness.space);
    for (int i = random.nextInt(20); i > 0; i--) {
      byte[] low = TreeModelTest.key(kind, random, keys);
      byte[] high = random.nextBoolean() ? null : TreeModelTest.key(kind, random, keys);
      switch (random.nextInt(3)) {
        case 0 -> prefetch.want(harness.tree, 0, low, high, 1 + random.nextInt(10));
        case 1 -> prefetch.want(harness.tree, 0, null, high, 1 + random.nextInt(10));
        default -> prefetch.want(harness.tree, low);
      }
    }
    prefetch.load(random.nextBoolean() ? PageLoader.Part.ALL : PageLoader.Part.TOPOLOGY);
  }

  private static int flushMoveAndEvict(
      StoredTree stored, Random random, Horizon horizon, long[] moved) {
    try {
      switch (random.nextInt(6)) {
        case 0 -> stored.flush(horizon);
        case 1, 2 -> stored.flushLeaves(1 + random.nextInt(10), horizon);
        default -> {}
      }
      moved[0] += stored.move();
      int evicted = random.nextInt(3) == 0 ? stored.evictValues() : stored.evict();
      moved[0] += stored.move();
      return evicted;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
