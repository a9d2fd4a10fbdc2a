package io.bg3.core.keyspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.forest.TreeIds;
import io.bg3.testing.Seeds;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Adds random ranges of two-byte keys and compares with a set of keys. */
class SpaceReadsTest {
  static java.util.stream.LongStream seeds() {
    return Seeds.of(20);
  }

  private static byte[] key(int number) {
    return number < 0 ? null : new byte[] {(byte) (number >> 8), (byte) number};
  }

  private static boolean covers(List<SpaceReads.Range> ranges, byte[] key) {
    return ranges.stream()
        .anyMatch(
            r ->
                (r.low() == null || Arrays.compareUnsigned(r.low(), key) <= 0)
                    && (r.high() == null || Arrays.compareUnsigned(key, r.high()) < 0));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theRangesCoverExactlyWhatWasRead(long seed) {
    Random random = new Random(seed);
    SpaceReads reads = new SpaceReads(TreeIds.EDGE_IDS);
    boolean[] read = new boolean[2_000];
    int count = random.nextInt(400);
    for (int i = 0; i < count; i++) {
      int low = random.nextInt(read.length);
      int high = Math.min(read.length, low + 1 + random.nextInt(5));
      boolean toEnd = random.nextInt(1_000) == 0;
      reads.addRange(key(low), toEnd ? null : key(high));
      Arrays.fill(read, low, toEnd ? read.length : high, true);
    }
    for (int i = 0; i < read.length; i++) {
      assertEquals(read[i], covers(reads.ranges(), key(i)), Seeds.say(seed) + ", key " + i);
    }
    for (int i = 1; i < reads.ranges().size(); i++) {
      byte[] high = reads.ranges().get(i - 1).high();
      assertTrue(Arrays.compareUnsigned(high, reads.ranges().get(i).low()) <= 0, Seeds.say(seed));
    }
  }

  @Test
  void rangesOfNeighbouringVerticesStayInTheirStripes() {
    SpaceReads reads = new SpaceReads(KeySpace.EDGES);
    for (long owner = -3; owner < 3; owner++) {
      byte[] low = EdgeKey.prefix(owner);
      reads.addRange(low, EdgeKey.after(low));
      byte[] label = EdgeKey.prefix(owner, 7);
      reads.addRange(label, EdgeKey.after(label));
    }
    assertEquals(6, reads.ranges().size());
    for (SpaceReads.Range range : reads.ranges()) {
      assertTrue(KeySpace.isOneStripe(KeySpace.EDGES, range.low(), range.high()));
    }
  }

  @Test
  void veryManyReadsAreJoinedOverTheirGaps() {
    SpaceReads reads = new SpaceReads(TreeIds.EDGE_IDS);
    for (int i = 0; i < 3 * SpaceReads.MOST_RANGES; i++) {
      byte[] key = {(byte) (i >> 16), (byte) (i >> 8), (byte) i, 1};
      reads.addRange(key, KeySpace.successor(key));
      reads.addExistence(key, true);
    }
    assertTrue(reads.ranges().size() <= SpaceReads.MOST_RANGES);
    assertTrue(reads.existences().size() <= SpaceReads.MOST_RANGES);
    for (int i = 0; i < 3 * SpaceReads.MOST_RANGES; i += 10_007) {
      assertTrue(
          covers(reads.ranges(), new byte[] {(byte) (i >> 16), (byte) (i >> 8), (byte) i, 1}));
    }
  }
}
