package io.bg3.core.keyspace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.forest.TreeIds;
import io.bg3.testing.Seeds;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Adds random ranges of two-byte keys, and keys of vertices, and compares with a set of keys. */
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

  @ParameterizedTest
  @MethodSource("seeds")
  void keysAreReadOnceAndNothingBesideThem(long seed) {
    Random random = new Random(seed);
    SpaceReads reads = new SpaceReads(TreeIds.VERTICES);
    Set<Long> read = new HashSet<>();
    for (int i = random.nextInt(1_000); i > 0; i--) {
      long vertex = random.nextInt(9) == 0 ? Long.MIN_VALUE : random.nextInt(400) - 200;
      reads.addKey(vertexKey(vertex));
      read.add(vertex);
      if (random.nextInt(300) == 0) {
        assertEquals(read.size(), reads.ranges().size(), Seeds.say(seed));
      }
      if (random.nextInt(100) == 0) {
        byte[] longer = Arrays.copyOf(vertexKey(vertex), 12);
        reads.addKey(longer);
        assertTrue(covers(reads.ranges(), longer), Seeds.say(seed));
        reads = new SpaceReads(TreeIds.VERTICES);
        read.clear();
      }
    }
    for (long vertex = -250; vertex < 250; vertex++) {
      assertEquals(
          read.contains(vertex),
          covers(reads.ranges(), vertexKey(vertex)),
          Seeds.say(seed) + ", vertex " + vertex);
    }
    assertEquals(read.size(), reads.ranges().size(), Seeds.say(seed));
    for (SpaceReads.Range range : reads.ranges()) {
      assertTrue(KeySpace.isOneStripe(TreeIds.VERTICES, range.low(), range.high()));
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void edgesOfOwnersAreReadAndNothingBesideThem(long seed) {
    Random random = new Random(seed);
    SpaceReads reads = new SpaceReads(KeySpace.EDGES);
    SpaceReads ranges = new SpaceReads(KeySpace.EDGES);
    for (int i = random.nextInt(1_000); i > 0; i--) {
      long owner = random.nextInt(9) == 0 ? Long.MIN_VALUE : random.nextInt(100) - 50;
      int low = EdgeKey.tagLabel(random.nextInt(3), random.nextInt(3));
      int high = random.nextBoolean() ? low : EdgeKey.tagLabel(EdgeKey.COUNTER, EdgeKey.MAX_LABEL);
      long[] some = {0, owner, owner + random.nextInt(9), owner + 200, 0};
      int from = random.nextInt(2); // index 1 has the owner
      int to = 2 + random.nextInt(3);
      if (random.nextBoolean()) {
        reads.addOwners(some, from, to, low, high);
      } else {
        reads.addOwner(owner, low, high);
        from = 1;
        to = 2;
      }
      for (int at = from; at < to; at++) {
        byte[] end = EdgeKey.after(EdgeKey.prefix(some[at], high));
        ranges.addRange(EdgeKey.prefix(some[at], low), end);
      }
      if (random.nextInt(300) == 0) {
        assertSame(ranges, reads, seed);
      }
    }
    assertSame(ranges, reads, seed);
  }

  private static void assertSame(SpaceReads expected, SpaceReads found, long seed) {
    List<SpaceReads.Range> wanted = expected.ranges();
    List<SpaceReads.Range> ranges = found.ranges();
    assertEquals(wanted.size(), ranges.size(), Seeds.say(seed));
    for (int i = 0; i < ranges.size(); i++) {
      assertArrayEquals(wanted.get(i).low(), ranges.get(i).low(), Seeds.say(seed));
      assertArrayEquals(wanted.get(i).high(), ranges.get(i).high(), Seeds.say(seed));
      assertTrue(
          KeySpace.isOneStripe(KeySpace.EDGES, ranges.get(i).low(), ranges.get(i).high()),
          Seeds.say(seed));
    }
  }

  private static byte[] vertexKey(long vertex) {
    return ByteBuffer.allocate(Long.BYTES).putLong(vertex ^ Long.MIN_VALUE).array();
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
    SpaceReads vertices = new SpaceReads(TreeIds.VERTICES);
    SpaceReads edges = new SpaceReads(KeySpace.EDGES);
    for (int i = 0; i < 3 * SpaceReads.MOST_RANGES; i++) {
      byte[] key = {(byte) (i >> 16), (byte) (i >> 8), (byte) i, 1};
      reads.addRange(key, KeySpace.successor(key));
      reads.addExistence(key, true);
      vertices.addKey(vertexKey(i));
      edges.addOwner(i, 7, 7);
    }
    assertTrue(edges.ranges().size() <= SpaceReads.MOST_RANGES);
    assertTrue(covers(edges.ranges(), EdgeKey.prefix(12_345, 7)));
    assertTrue(vertices.ranges().size() <= SpaceReads.MOST_RANGES);
    assertTrue(covers(vertices.ranges(), vertexKey(12_345)));
    assertTrue(reads.ranges().size() <= SpaceReads.MOST_RANGES);
    assertTrue(reads.existences().size() <= SpaceReads.MOST_RANGES);
    for (int i = 0; i < 3 * SpaceReads.MOST_RANGES; i += 10_007) {
      assertTrue(
          covers(reads.ranges(), new byte[] {(byte) (i >> 16), (byte) (i >> 8), (byte) i, 1}));
    }
  }

  @Test
  void keysOfVerticesThatExistAreNotedOnceAndAscend() {
    SpaceReads reads = new SpaceReads(TreeIds.VERTICES);
    assertFalse(reads.knowsExistence(vertexKey(0)));
    reads.addExistence(vertexKey(9), false);
    for (long vertex : new long[] {5, -3, Long.MIN_VALUE, 5, 0, -3}) {
      reads.addExistence(vertexKey(vertex), true);
      assertTrue(reads.knowsExistence(vertexKey(vertex)));
      assertEquals(1, reads.existences().stream().filter(read -> !read.existed()).count());
    }
    assertFalse(reads.knowsExistence(vertexKey(9)));
    List<Long> found =
        reads.existences().stream()
            .filter(SpaceReads.Existence::existed)
            .map(read -> ByteBuffer.wrap(read.key()).getLong() ^ Long.MIN_VALUE)
            .toList();
    assertEquals(List.of(Long.MIN_VALUE, -3L, 0L, 5L), found);
  }

  @Test
  void veryManyExistencesBecomeRanges() {
    SpaceReads reads = new SpaceReads(TreeIds.VERTICES);
    for (int i = 0; i < 3 * SpaceReads.MOST_RANGES; i++) {
      reads.addExistence(vertexKey(i), true);
      assertTrue(i % 10_007 > 0 || reads.existences().size() <= SpaceReads.MOST_RANGES);
    }
    for (int i = 0; i < 3 * SpaceReads.MOST_RANGES; i += 10_007) {
      byte[] key = vertexKey(i);
      assertTrue(reads.knowsExistence(key) || covers(reads.ranges(), key), "vertex " + i);
    }
  }
}
