package io.bg3.core.page;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.Bytes;
import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Op;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The expected content of a leaf: every version of every key that was ever written, newest first.
 */
final class LeafModel {
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Value(byte op, byte[] bytes) {}

  private final TreeMap<byte[], TreeMap<Long, Value>> keys = new TreeMap<>(Arrays::compareUnsigned);

  void put(byte[] key, long stamp, byte op, byte[] value) {
    keys.computeIfAbsent(key, k -> new TreeMap<>(Comparator.reverseOrder()))
        .put(stamp, new Value(op, value));
  }

  int size() {
    return keys.size();
  }

  byte[] anyKey(Random random) {
    int skip = random.nextInt(keys.size());
    return keys.keySet().stream().skip(skip).findFirst().orElseThrow();
  }

  /** The value of a key in a snapshot; null for none, also where the version is a tombstone. */
  Value get(byte[] key, long snapshot) {
    TreeMap<Long, Value> versions = keys.get(key);
    var version = versions == null ? null : versions.ceilingEntry(snapshot);
    return version == null || Op.isTombstone(version.getValue().op) ? null : version.getValue();
  }

  /** Compares a key as a leaf has it. */
  void assertGet(LeafFormat format, long block, byte[] key, long snapshot, String at) {
    Value expected = get(key, snapshot);
    PageRead read = new PageRead();
    boolean found = format.get(block, key, snapshot, read) && !read.version().isTombstone();
    assertEquals(expected != null, found, () -> at + " get " + Bytes.text(key) + " @" + snapshot);
    if (expected != null) {
      assertEquals(expected.op, read.version().op(), at);
      assertArrayEquals(expected.bytes, read.version().value(), at);
    }
    PageRead opOnly = new PageRead();
    boolean present =
        format.get(block, key, snapshot, false, opOnly) && !opOnly.version().isTombstone();
    assertEquals(found, present, () -> at + " find " + Bytes.text(key) + " @" + snapshot);
    if (expected != null) {
      assertEquals(expected.op, opOnly.version().op(), at);
      assertThrows(IllegalStateException.class, opOnly.version()::value, at);
    }
  }

  /** Compares a range as a leaf has it. */
  void assertCopy(
      LeafFormat format,
      long block,
      byte[] low,
      byte[] high,
      long snapshot,
      boolean values,
      String at) {
    Entries copied = format.newEntries();
    copied.append(anyKeyOf(format), Op.TOMBSTONE, 7, new byte[3]);
    format.copy(block, low, high, snapshot, values, copied);
    int i = 1;
    for (byte[] key : range(low, high).keySet()) {
      Value expected = get(key, snapshot);
      if (expected == null) {
        continue;
      }
      int index = i++;
      assertTrue(
          index < copied.count(), () -> at + " missing " + Bytes.text(key) + " @" + snapshot);
      assertArrayEquals(key, copied.key(index), at);
      assertEquals(expected.op, copied.op(index), at);
      assertEquals(0, copied.stamp(index), at);
      assertArrayEquals(values ? expected.bytes : new byte[0], copied.value(index), at);
    }
    assertEquals(i, copied.count(), () -> at + " copy @" + snapshot);
    int counted = format.count(block, low, high, snapshot, new PageRead());
    assertEquals(i - 1, counted, () -> at + " count @" + snapshot);
  }

  /** Compares the newest stamp of a range; what is at or below the floor may have lost it. */
  void assertNewest(LeafFormat format, long block, byte[] low, byte[] high, long floor, String at) {
    long expected = range(low, high).values().stream().mapToLong(TreeMap::firstKey).max().orElse(0);
    long found = format.newest(block, low, high);
    if (expected > floor) {
      assertEquals(expected, found, at);
    } else {
      assertTrue(found <= floor, () -> at + " newest=" + found + ", floor=" + floor);
    }
  }

  private static byte[] anyKeyOf(LeafFormat format) {
    return format.newEntries() instanceof EdgeEntries ? EdgeKey.encode(1, 2, 3, 4) : new byte[] {1};
  }

  @SuppressWarnings("NonApiType") // the order matters
  private SortedMap<byte[], TreeMap<Long, Value>> range(byte[] low, byte[] high) {
    if (low != null && high != null && Arrays.compareUnsigned(low, high) > 0) {
      return new TreeMap<>(Arrays::compareUnsigned);
    }
    SortedMap<byte[], TreeMap<Long, Value>> range = keys;
    if (low != null) {
      range = range.tailMap(low);
    }
    return high == null ? range : range.headMap(high);
  }
}
