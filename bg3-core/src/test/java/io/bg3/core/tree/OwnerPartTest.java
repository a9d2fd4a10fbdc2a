package io.bg3.core.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.EdgeKey;
import io.bg3.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Cuts random ranges of an owner into parts, in both directions, and looks whether each key of a
 * family that has a tree is in one part, and that a part of its family.
 */
class OwnerPartTest {
  private static final long OWNER = -7;

  private static byte[] key(int tagLabel, long other) {
    return EdgeKey.isIndex(tagLabel)
        ? EdgeKey.encode(OWNER, tagLabel, other, other, 0)
        : EdgeKey.encode(OWNER, tagLabel, other, 0);
  }

  private static List<byte[]> keys() {
    List<byte[]> keys = new ArrayList<>();
    for (int tag = EdgeKey.OUT; tag <= EdgeKey.COUNTER; tag++) {
      List<Integer> labels = new ArrayList<>(List.of(1, EdgeKey.TTL - 1));
      for (int family : new int[] {0, 1, 2, 3, 254, EdgeKey.MAX_FAMILY}) {
        labels.add(EdgeKey.ttlLabel(family, 1));
        labels.add(EdgeKey.ttlLabel(family, EdgeKey.MAX_TTL_NUMBER));
        labels.add(EdgeKey.LASTING | EdgeKey.ttlLabel(family, 1));
      }
      for (int label : labels) {
        keys.add(key(EdgeKey.tagLabel(tag, label), -1));
        keys.add(key(EdgeKey.tagLabel(tag, label), 5));
      }
    }
    return keys;
  }

  /** A key, or a bound of keys that begin as one does. */
  private static byte[] bound(Random random, List<byte[]> keys) {
    byte[] key = keys.get(random.nextInt(keys.size()));
    int[] lengths = {Long.BYTES, EdgeKey.OTHER, EdgeKey.OTHER + Long.BYTES, key.length};
    byte[] prefix = Arrays.copyOf(key, lengths[random.nextInt(lengths.length)]);
    return random.nextBoolean() ? prefix : EdgeKey.after(prefix);
  }

  private static boolean isIn(byte[] key, byte[] low, byte[] high) {
    return Arrays.compareUnsigned(low, key) <= 0
        && (high == null || Arrays.compareUnsigned(key, high) < 0);
  }

  private static List<byte[]> found(List<byte[]> keys, OwnerPart part) {
    int family = EdgeKey.family(part.tagLabel());
    return keys.stream()
        .filter(key -> EdgeKey.family(EdgeKey.tagLabel(key)) == family)
        .filter(key -> isIn(key, part.low(), part.high()))
        .toList();
  }

  @Test
  void eachKeyIsInOnePartOfItsFamily() {
    long seed = Seeds.one();
    Random random = new Random(seed);
    List<byte[]> keys = keys();
    for (int i = 0; i < 20_000; i++) {
      int families = new int[] {1, 2, 254, EdgeKey.MAX_FAMILY}[random.nextInt(4)];
      byte[] low = bound(random, keys);
      byte[] high = random.nextInt(10) == 0 ? null : bound(random, keys);
      if (!OwnerPart.isOf(OWNER, low)) {
        continue; // a bound above all keys of the owner
      }
      List<byte[]> expected =
          keys.stream()
              .filter(key -> EdgeKey.family(EdgeKey.tagLabel(key)) <= families)
              .filter(key -> isIn(key, low, high))
              .toList();
      String at = "seed=" + seed + ", range=" + i + ", families=" + families;
      assertEquals(expected, forward(keys, low, high, families), at);
      assertEquals(expected, backward(keys, low, high, families), at + ", backward");
    }
  }

  private static List<byte[]> forward(List<byte[]> keys, byte[] low, byte[] high, int families) {
    List<byte[]> found = new ArrayList<>();
    byte[] at = low;
    while (at != null) {
      OwnerPart part = OwnerPart.first(OWNER, at, high, families);
      if (part == null) {
        break;
      }
      found.addAll(found(keys, part));
      assertTrue(part.outermost() || Arrays.compareUnsigned(at, part.high()) < 0);
      at = part.outermost() ? null : part.high();
    }
    return found;
  }

  private static List<byte[]> backward(List<byte[]> keys, byte[] low, byte[] high, int families) {
    List<byte[]> found = new ArrayList<>();
    byte[] above = high;
    OwnerPart part = OwnerPart.last(OWNER, low, above, families);
    while (part != null) {
      found.addAll(0, found(keys, part));
      above = part.low();
      part = part.outermost() ? null : OwnerPart.last(OWNER, low, above, families);
    }
    return found;
  }
}
