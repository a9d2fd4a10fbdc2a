package io.bg3.bench.store;

import io.bg3.bench.data.EdgeValue;
import java.nio.ByteBuffer;

/**
 * A key and a value outside of the heap, as RocksDB and LMDB take them fastest.
 *
 * <p>A key is big-endian, so that bytes compare as the numbers do: source (8 bytes), label (4),
 * target (8). Ids are positive.
 */
final class EdgeBuffers {
  static final int LABEL = 8;
  static final int OTHER = 12;

  final ByteBuffer key = ByteBuffer.allocateDirect(EdgeValue.KEY);
  final ByteBuffer value = ByteBuffer.allocateDirect(EdgeValue.LONGEST);

  /** Sets the key, ready to be read. */
  ByteBuffer key(long owner, int label, long other) {
    key.clear();
    return key.putLong(0, owner).putInt(LABEL, label).putLong(OTHER, other);
  }

  /** Sets the value, ready to be read. */
  ByteBuffer value(byte[] bytes, int length) {
    value.clear();
    return value.put(bytes, 0, length).flip();
  }
}
