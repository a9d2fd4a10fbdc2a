package io.bg3.storage.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Finds misuse of blocks, in tests: switched on by the system property {@value #PROPERTY}.
 *
 * <ul>
 *   <li>A freed block is filled with {@link #FREED} and must still be full of it when it is given
 *       out again.
 *   <li>A new block is filled with {@link #FRESH}, so that nobody relies on zeros.
 *   <li>Freeing a block twice, or at an address that is no block's, is an AssertionError.
 *   <li>A slab is handed out as a view that ends where the bytes end that were asked for. Reading
 *       <em>before</em> the block is not detected, nor is reading a block that was freed after the
 *       view was taken; the poison shows that.
 * </ul>
 */
final class BlockAudit {
  static final String PROPERTY = "bg3.memory.debug";
  static final boolean ON = Boolean.getBoolean(PROPERTY);

  static final byte FREED = (byte) 0xDB;
  static final byte FRESH = (byte) 0xCD;

  private static final long FREED_WORD = 0xDBDBDBDBDBDBDBDBL;

  private BlockAudit() {}

  static void poison(ByteBuffer slab, int offset, int length) {
    if (ON) {
      fill(slab, offset, length, FREED);
    }
  }

  static void taken(ByteBuffer slab, Span span, long address, int bytes) {
    int offset = BlockMemory.offset(address);
    for (int i = 0; i < span.blockSize; i += Long.BYTES) {
      long word = slab.getLong(offset + i);
      if (word != FREED_WORD) {
        throw new AssertionError(
            String.format(
                "written after it was freed: address=%#x, at=%d, found=%#x, %s",
                address, i, word, span));
      }
    }
    fill(slab, offset, span.blockSize, FRESH);
    if (!span.asked.compareAndSet(span.number(address), 0, bytes)) {
      throw new AssertionError(String.format("given out twice: address=%#x, %s", address, span));
    }
  }

  static void freed(ByteBuffer slab, Span span, long address) {
    int number = span.number(address);
    if (span.address(number) != address) {
      throw new AssertionError(
          String.format("no block starts here: address=%#x, %s", address, span));
    }
    if (span.asked.getAndSet(number, 0) == 0) {
      throw new AssertionError(String.format("freed twice: address=%#x, %s", address, span));
    }
    fill(slab, BlockMemory.offset(address), span.blockSize, FREED);
  }

  static ByteBuffer bounded(ByteBuffer slab, Span span, long address) {
    int bytes = span.asked.get(span.number(address));
    if (bytes == 0) {
      throw new AssertionError(
          String.format("used after it was freed: address=%#x, %s", address, span));
    }
    ByteBuffer view = slab.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    view.limit(BlockMemory.offset(address) + bytes);
    return view;
  }

  private static void fill(ByteBuffer slab, int offset, int length, byte with) {
    long word = (with & 0xFFL) * 0x0101010101010101L;
    for (int i = 0; i < length; i += Long.BYTES) {
      slab.putLong(offset + i, word);
    }
  }
}
