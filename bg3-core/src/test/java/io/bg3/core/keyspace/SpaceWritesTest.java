package io.bg3.core.keyspace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.testing.Seeds;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Buffered writes compared with a sorted map, few and many, sorted and not. */
class SpaceWritesTest {
  static java.util.stream.LongStream seeds() {
    return Seeds.of(12);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void writesAndAMapAgree(long seed) {
    Random random = new Random(seed);
    int keys = random.nextInt(3) == 0 ? 4 * SpaceWrites.MOST_MOVED : 100;
    boolean ascending = random.nextBoolean();
    SpaceWrites writes = new SpaceWrites(3);
    TreeMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
    for (int i = 0; i < keys; i++) {
      byte[] key = key(ascending && random.nextInt(50) > 0 ? i : random.nextInt(keys));
      if (random.nextInt(10) == 0) {
        writes.removeAll(List.of(key));
        model.remove(key);
      } else {
        byte[] value = random.nextInt(4) == 0 ? null : new byte[] {(byte) i};
        writes.add(key, value, i, false, -1);
        model.put(key, value);
      }
      if (i % 50 == 0 || keys == 100) {
        compare(random, keys, writes, model, Seeds.say(seed) + ", step " + i);
        if (random.nextBoolean() && !model.isEmpty()) {
          assertSame(model.firstEntry(), writes.at(0), Seeds.say(seed) + ", step " + i);
        }
      }
    }
    List<Write> more = new ArrayList<>();
    for (int number = 0; number < keys; number += 1 + random.nextInt(7)) {
      byte[] key = key(number);
      if (!model.containsKey(key)) {
        model.put(key, new byte[] {1});
        more.add(new Write(key, model.get(key), keys));
      }
    }
    writes.addAll(more);
    compare(random, keys, writes, model, Seeds.say(seed) + ", all added");
    assertEquals(model.size(), writes.count(), Seeds.say(seed));
    compareAll(writes, model, seed);

    List<byte[]> gone = new ArrayList<>();
    for (int number = 0; number < keys; number += 1 + random.nextInt(7)) {
      gone.add(key(number));
    }
    writes.removeAll(gone);
    gone.forEach(model::remove);
    assertEquals(model.size(), writes.count(), Seeds.say(seed));
    compareAll(writes, model, seed);
  }

  @Test
  void aKeyIsNewIfItsFirstWriteSaysSo() {
    SpaceWrites writes = new SpaceWrites(3);
    writes.add(key(1), new byte[] {1}, 1, true, -1);
    writes.add(key(1), null, 2, false, -1);
    writes.add(key(2), null, 3, false, -1);
    writes.add(key(2), new byte[] {1}, 4, true, -1);
    assertTrue(writes.at(0).isNew);
    assertFalse(writes.at(1).isNew);
  }

  private static void compareAll(
      SpaceWrites writes, NavigableMap<byte[], byte[]> model, long seed) {
    var expected = model.entrySet().iterator();
    for (int i = 0; i < writes.count(); i++) {
      assertSame(expected.next(), writes.at(i), Seeds.say(seed));
    }
  }

  private static void compare(
      Random random, int keys, SpaceWrites writes, NavigableMap<byte[], byte[]> model, String at) {
    byte[] key = key(random.nextInt(keys));
    assertEquals(model.containsKey(key), writes.get(key) != null, at);
    assertSame(model.ceilingEntry(key), writes.next(key, true, ScanOrder.FORWARD), at);
    assertSame(model.higherEntry(key), writes.next(key, false, ScanOrder.FORWARD), at);
    assertSame(model.floorEntry(key), writes.next(key, true, ScanOrder.BACKWARD), at);
    assertSame(model.lowerEntry(key), writes.next(key, false, ScanOrder.BACKWARD), at);
    assertSame(model.firstEntry(), writes.next(null, true, ScanOrder.FORWARD), at);
    assertSame(model.lastEntry(), writes.next(null, true, ScanOrder.BACKWARD), at);
  }

  private static void assertSame(Map.Entry<byte[], byte[]> expected, Write found, String at) {
    assertEquals(expected == null, found == null, at);
    if (expected != null) {
      assertArrayEquals(expected.getKey(), found.key, at);
      assertArrayEquals(expected.getValue(), found.value, at);
    }
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }
}
