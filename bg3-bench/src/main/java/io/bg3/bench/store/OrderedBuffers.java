package io.bg3.bench.store;

import java.nio.ByteBuffer;

/**
 * Keys and values of the two entries of an ordered edge, outside of the heap. The label of the
 * entries in the order is the next one behind the label of the edges.
 */
final class OrderedBuffers {
  private static final int PLACE = EdgeBuffers.OTHER;
  private static final int OTHER = PLACE + Long.BYTES;

  final EdgeBuffers edge = new EdgeBuffers();
  final ByteBuffer key = ByteBuffer.allocateDirect(OTHER + Long.BYTES);
  private final ByteBuffer place = ByteBuffer.allocateDirect(Long.BYTES);
  private final int label;

  OrderedBuffers(int label) {
    this.label = label;
  }

  /** The key of the entry under the other end. */
  ByteBuffer out(long owner, long other) {
    return edge.key(owner, label, other);
  }

  /** The value of the entry under the other end. */
  ByteBuffer place(long time) {
    place.clear();
    return place.putLong(0, OrderedLists.place(time));
  }

  /** Room for what {@link #place} makes. */
  ByteBuffer placeRead() {
    place.clear();
    return place;
  }

  /** The key of the entry in the order. */
  ByteBuffer ordered(long owner, long place, long other) {
    key.clear();
    return key.putLong(0, owner)
        .putInt(EdgeBuffers.LABEL, label + 1)
        .putLong(PLACE, place)
        .putLong(OTHER, other);
  }

  /** Whether a key is of an entry in the order of a vertex. */
  boolean isOrdered(long owner, ByteBuffer found) {
    return found.getLong(0) == owner && found.getInt(EdgeBuffers.LABEL) == label + 1;
  }

  /** The other end in the key of an entry in the order. */
  static long other(ByteBuffer found) {
    return found.getLong(OTHER);
  }
}
