package io.bg3.core.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Horizon;
import io.bg3.testing.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Gives a tree of tiny pages and a sorted map the same random batches and expects the same answers
 * at random snapshots.
 *
 * <p>How often each thing happens is drawn per seed: some runs only grow, some delete most of what
 * they write, so that pages split into many and empty pages go. A failure prints its seed; repeat
 * it with {@code -Dbg3.seed=…}.
 */
class TreeModelTest {
  static LongStream seeds() {
    return Seeds.of(12);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void byteKeysAnswerLikeASortedMap(long seed) {
    run(seed, TreeKind.BYTES);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void edgesAnswerLikeASortedMap(long seed) {
    run(seed, TreeKind.EDGES);
  }

  private static void run(long seed, TreeKind kind) {
    Random random = new Random(seed);
    int keys = 50 + random.nextInt(2000);
    int deletes = random.nextInt(100);
    int batch = 1 + random.nextInt(30);
    int valueBytes = random.nextInt(40);
    try (TreeHarness harness =
        new TreeHarness(kind, 512 + random.nextInt(1500), 1 + random.nextInt(12))) {
      long stamp = 1;
      long floor = 0;
      for (int step = 0; step < 400; step++) {
        String at = "-Dbg3.seed=" + seed + ", " + kind + ", step " + step;
        stamp += 1 + random.nextInt(3);
        harness.write(batch(kind, random, keys, batch, deletes, valueBytes), stamp);
        long oldest = Math.max(floor, stamp - random.nextInt(200));
        if (random.nextInt(3) == 0) {
          floor = oldest;
        }
        if (random.nextBoolean()) { // else when the next write has found its leaves
          harness.settle(new Horizon(floor, floor, new long[0]));
        }
        long snapshot = floor + random.nextInt((int) (stamp - floor) + 1);
        byte[] key = key(kind, random, keys);
        assertArrayEquals(harness.expected(key, snapshot), harness.actual(key, snapshot), at);
        if (step % 20 == 0) {
          compareRange(harness, kind, random, keys, snapshot, at);
          assertEquals(List.of(), harness.problems(), at);
        }
      }
    }
  }

  static NavigableMap<byte[], byte[]> batch(
      TreeKind kind, Random random, int keys, int count, int deletes, int valueBytes) {
    TreeMap<byte[], byte[]> writes = new TreeMap<>(Arrays::compareUnsigned);
    for (int i = 0; i < count; i++) {
      byte[] value = new byte[1 + random.nextInt(valueBytes + 1)];
      random.nextBytes(value);
      writes.put(key(kind, random, keys), random.nextInt(100) < deletes ? null : value);
    }
    return writes;
  }

  static void compareRange(
      TreeHarness harness, TreeKind kind, Random random, int keys, long snapshot, String at) {
    byte[] a = key(kind, random, keys);
    byte[] b = key(kind, random, keys);
    byte[] low = random.nextInt(4) == 0 ? null : Arrays.compareUnsigned(a, b) < 0 ? a : b;
    byte[] high = random.nextInt(4) == 0 ? null : Arrays.compareUnsigned(a, b) < 0 ? b : a;
    if (low != null && high != null && Arrays.equals(low, high)) {
      return;
    }
    List<String> expected = text(harness.expected(low, high, snapshot));
    assertEquals(expected, text(harness.actual(low, high, snapshot, false)), at + ", forward");
    assertEquals(expected, text(harness.actual(low, high, snapshot, true)), at + ", backward");
  }

  private static List<String> text(NavigableMap<byte[], byte[]> entries) {
    List<String> text = new ArrayList<>();
    for (Map.Entry<byte[], byte[]> entry : entries.entrySet()) {
      text.add(Arrays.toString(entry.getKey()) + "=" + Arrays.toString(entry.getValue()));
    }
    return text;
  }

  private static byte[] edge(long owner, int tag, int label, int number) {
    int tagLabel = EdgeKey.tagLabel(tag, label);
    return tag == EdgeKey.INDEX
        ? EdgeKey.encode(owner, tagLabel, number % 7, number - 50, number % 5)
        : EdgeKey.encode(owner, tagLabel, number - 50, number % 5);
  }

  static byte[] key(TreeKind kind, Random random, int keys) {
    int number = random.nextInt(keys);
    return kind == TreeKind.EDGES
        ? edge(number % 17, number % 3, 1 + number / 3 % 3, number)
        : ("key-" + number * 7919 % keys).getBytes(StandardCharsets.UTF_8);
  }
}
