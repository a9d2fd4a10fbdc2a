package io.bg3.core.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.page.PageRead;
import io.bg3.testing.Seeds;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Looks up keys of runs that are longer than what is searched around the expected place, in a tree
 * whose hints say where the runs are, and compares with a sorted map. The neighbours are drawn
 * evenly or not, so that many keys are far from the place that is expected; some have parallel
 * edges. Two labels of one owner take turns, so that a hint is often that of the other run.
 */
class LongRunTest {
  private static final int CAPACITY = 16 << 10;
  private static final int CONSOLIDATE = 10;
  private static final int OWNERS = 3;
  private static final int LABELS = 2;
  private static final int LOOK_UPS = 20_000;

  static LongStream seeds() {
    return Seeds.of(6);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aKeyIsFoundWhereverItStandsInItsRun(long seed) {
    Random random = new Random(seed);
    int power = 1 + random.nextInt(4); // 1 draws evenly
    int range = 1 + random.nextInt(5_000);
    int keys = 1 + random.nextInt(3_000);
    try (TreeHarness harness = new TreeHarness(TreeKind.EDGES, CAPACITY, CONSOLIDATE)) {
      TreeMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
      for (int i = 0; i < keys; i++) {
        model.put(key(random, power, range), value(i));
      }
      long stamp = 1;
      harness.write(model, stamp++);
      for (int i = 0; i < 20; i++) { // so that there are deltas
        byte[] key = key(random, power, range);
        TreeMap<byte[], byte[]> one = new TreeMap<>(Arrays::compareUnsigned);
        one.put(key, value(-i));
        model.putAll(one);
        harness.write(one, stamp++);
      }
      PageRead read = new PageRead();
      for (int i = 0; i < LOOK_UPS; i++) {
        byte[] key = key(random, power, range);
        String at = Seeds.say(seed) + ", look-up " + i + ": " + EdgeKey.toString(key);
        assertEquals(model.containsKey(key), harness.tree.get(key, Long.MAX_VALUE, read), at);
        if (model.containsKey(key)) {
          assertArrayEquals(model.get(key), read.version().value(), at);
        }
      }
    }
  }

  private static byte[] key(Random random, int power, int range) {
    long other = (long) (Math.pow(random.nextDouble(), power) * range);
    int tagLabel = EdgeKey.tagLabel(EdgeKey.OUT, random.nextInt(LABELS));
    int sequence = random.nextInt(8) == 0 ? random.nextInt(3) : 0;
    return EdgeKey.encode(random.nextInt(OWNERS), tagLabel, other, sequence);
  }

  private static byte[] value(int i) {
    return ByteBuffer.allocate(16 + Math.floorMod(i, 9)).putInt(i).array();
  }
}
