package io.bg3.core.block;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The buffers into which a thread decodes the parts of the images of one page: outside of the heap,
 * where the views of pages look at all other bytes too.
 *
 * <p>The buffer of a thread is reused for every page, so that a load makes no garbage of the size
 * of a page. A part that does not fit is decoded on the heap, and the buffer grows before the
 * thread's next page; the parts of pages that need more than {@link #MOST} stay on the heap.
 */
public final class DecodeBuffers {
  /** The parts of both images of a page of the default capacity fit, with what lies between. */
  static final int LEAST = 64 << 10;

  /** Enough for pages of the largest capacity; a larger page has one very large entry. */
  static final int MOST = 512 << 10;

  private static final ThreadLocal<DecodeBuffers> OF_THREAD =
      ThreadLocal.withInitial(DecodeBuffers::new);

  private final ColumnPacking packing = new ColumnPacking();
  private final DeltaPacking deltas = new DeltaPacking();

  /** Null until an image is coded. */
  private ByteBuffer buffer;

  private int used;

  /** Bytes that the page has asked for so far, also those that it has given back. */
  private long wanted;

  private DecodeBuffers() {}

  /** Those of the calling thread, empty: what was decoded before is overwritten. */
  public static DecodeBuffers ofThread() {
    DecodeBuffers buffers = OF_THREAD.get();
    buffers.clear();
    return buffers;
  }

  /** That of the calling thread, to pack by; what is decoded stays. */
  static ColumnPacking packingOfThread() {
    return OF_THREAD.get().packing;
  }

  /** As {@link #packingOfThread}, for deltas. */
  static DeltaPacking deltasOfThread() {
    return OF_THREAD.get().deltas;
  }

  ColumnPacking packing() {
    return packing;
  }

  DeltaPacking deltas() {
    return deltas;
  }

  /** A buffer from 0 to this capacity, with any content. */
  ByteBuffer take(int length) {
    if (buffer == null) {
      buffer = ByteBuffer.allocateDirect(LEAST);
    }
    wanted += length + Long.BYTES;
    if (length > buffer.capacity() - used) {
      return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    }
    ByteBuffer taken = buffer.slice(used, length).order(ByteOrder.LITTLE_ENDIAN);
    used = Math.min(buffer.capacity(), (used + length + Long.BYTES - 1) & -Long.BYTES);
    return taken;
  }

  /** The number of buffers in use, for {@link #release}. */
  int mark() {
    return used;
  }

  /** Gives back what was taken since the mark. */
  void release(int mark) {
    used = mark;
  }

  private void clear() {
    if (buffer != null && wanted > buffer.capacity() && buffer.capacity() < MOST) {
      int twice = Integer.highestOneBit((int) Math.min(wanted, MOST) - 1) << 1;
      buffer = ByteBuffer.allocateDirect(twice);
    }
    used = 0;
    wanted = 0;
  }
}
