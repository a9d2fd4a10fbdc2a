package io.bg3.core.commit;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/** The buffered writes of one transaction in one key space, in key order. Belongs to one thread. */
final class SpaceWrites {
  final int space;
  private final TreeMap<byte[], Write> writes = new TreeMap<>(Arrays::compareUnsigned);

  SpaceWrites(int space) {
    this.space = space;
  }

  /**
   * Buffers a write over an earlier one of the same key.
   *
   * @param value null for a removal
   * @param now number of the write in its transaction
   */
  void add(byte[] key, byte[] value, long now) {
    Write earlier = writes.get(key);
    long born = earlier != null && earlier.isPut() && value != null ? earlier.born : now;
    writes.put(key, new Write(key, value, born));
  }

  void remove(byte[] key) {
    writes.remove(key);
  }

  Write get(byte[] key) {
    return writes.get(key);
  }

  /** The first write in a direction from a bound on; null if there is none. */
  Write next(byte[] from, boolean inclusive, Order order) {
    Map.Entry<byte[], Write> found;
    if (order == Order.FORWARD) {
      found =
          from == null
              ? writes.firstEntry()
              : inclusive ? writes.ceilingEntry(from) : writes.higherEntry(from);
    } else {
      found =
          from == null
              ? writes.lastEntry()
              : inclusive ? writes.floorEntry(from) : writes.lowerEntry(from);
    }
    return found == null ? null : found.getValue();
  }

  Collection<Write> all() {
    return writes.values();
  }

  int count() {
    return writes.size();
  }
}
