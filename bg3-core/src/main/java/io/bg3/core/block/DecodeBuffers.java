package io.bg3.core.block;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Where a thread decodes the parts of the images of one page: outside of the heap, where the views
 * of pages look at all other bytes too. What does not fit is decoded on the heap.
 */
public final class DecodeBuffers {
  /** The parts of both images of a page of the default capacity fit, with what lies between. */
  private static final int BUFFER = 64 << 10;

  private static final ThreadLocal<DecodeBuffers> OF_THREAD =
      ThreadLocal.withInitial(DecodeBuffers::new);

  private final ColumnPacking packing = new ColumnPacking();

  /** Null until an image is coded. */
  private ByteBuffer buffer;

  private int used;

  private DecodeBuffers() {}

  /** Those of the calling thread, empty: what was decoded before is overwritten. */
  public static DecodeBuffers ofThread() {
    DecodeBuffers buffers = OF_THREAD.get();
    buffers.used = 0;
    return buffers;
  }

  ColumnPacking packing() {
    return packing;
  }

  /** A buffer from 0 to this capacity, with any content. */
  ByteBuffer take(int length) {
    if (buffer == null) {
      buffer = ByteBuffer.allocateDirect(BUFFER);
    }
    if (length > buffer.capacity() - used) {
      return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    }
    ByteBuffer taken = buffer.slice(used, length).order(ByteOrder.LITTLE_ENDIAN);
    used = (used + length + Long.BYTES - 1) & -Long.BYTES;
    if (used > buffer.capacity()) {
      used = buffer.capacity();
    }
    return taken;
  }
}
