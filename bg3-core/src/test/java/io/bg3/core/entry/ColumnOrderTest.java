package io.bg3.core.entry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.testing.Seeds;
import java.util.Arrays;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Sorts random edge entries by columns and by comparing them, and expects one order. How many bits
 * the numbers of a column have is drawn, so that keys collide, columns are constant, or signs
 * differ. A failure prints its seed; repeat it with {@code -Dbg3.seed=…}.
 */
class ColumnOrderTest {
  static LongStream seeds() {
    return Seeds.of(100);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void ordersAsComparisonsDo(long seed) {
    EdgeEntries entries = entries(new Random(seed));
    assertArrayEquals(KeyOrder.of(entries), entries.keyOrder(), "-Dbg3.seed=" + seed);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void copiesTheLastOfEachKey(long seed) {
    Random random = new Random(seed);
    EdgeEntries entries = entries(random);
    TreeMap<byte[], Integer> model = new TreeMap<>(Arrays::compareUnsigned);
    for (int i = 0; i < entries.count(); i++) {
      model.put(entries.key(i), i);
    }
    EdgeEntries copied = new EdgeEntries();
    for (int i = random.nextInt(2); i > 0; i--) {
      copied.append(0, 0, 0, 0, Op.TOMBSTONE, 1, null);
      copied.clear();
    }
    entries.copyNewest(copied);
    assertTrue(copied.isSorted(), "-Dbg3.seed=" + seed);
    assertEquals(model.size(), copied.count(), "-Dbg3.seed=" + seed);
    int next = 0;
    for (int i : model.values()) {
      String at = "-Dbg3.seed=" + seed + ", entry " + i;
      assertArrayEquals(entries.key(i), copied.key(next), at);
      assertEquals(entries.stamp(i), copied.stamp(next), at);
      assertEquals(entries.op(i), copied.op(next), at);
      assertArrayEquals(entries.value(i), copied.value(next), at);
      next++;
    }
  }

  private static EdgeEntries entries(Random random) {
    int owners = 1 + random.nextInt(Long.SIZE);
    int others = 1 + random.nextInt(Long.SIZE);
    int sequences = random.nextInt(Integer.SIZE + 1);
    int labels = random.nextInt(Integer.SIZE - 1);
    int tags = 1 + random.nextInt(4);
    boolean removals = random.nextBoolean();
    int count = ColumnOrder.FEWEST - 1 + random.nextInt(3_000);
    EdgeEntries entries = new EdgeEntries();
    for (int i = 0; i < count; i++) {
      int tagLabel = EdgeKey.tagLabel(random.nextInt(tags), (int) bits(random, labels));
      long owner = bits(random, owners);
      long other = bits(random, others);
      int sequence = (int) bits(random, sequences);
      byte[] key =
          EdgeKey.isIndex(tagLabel)
              ? EdgeKey.encode(owner, tagLabel, bits(random, owners), other, sequence)
              : EdgeKey.encode(owner, tagLabel, other, sequence);
      boolean put = !removals || random.nextInt(4) > 0;
      byte[] value = put ? new byte[random.nextInt(9)] : null;
      if (put) {
        random.nextBytes(value);
      }
      entries.append(key, put ? Op.PUT : Op.TOMBSTONE, i + 1L, value);
    }
    return entries;
  }

  /** A number of so many bits; of 64 bits with either sign. */
  private static long bits(Random random, int count) {
    return count == 0 ? 0 : random.nextLong() >>> (Long.SIZE - count);
  }
}
