package io.bg3.core.page;

import io.bg3.core.block.ByteKeys;
import io.bg3.core.block.Columns;
import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.Bytes;
import java.nio.ByteBuffer;

/**
 * View of an inner page: separators as {@link ByteKeys}, and the children between them.
 *
 * <pre>
 *  size    column       behind the header and the prefix, in this order
 *   8*n    heads        see {@link ByteKeys}
 *   4*n+4  children     page ids, one more than separators
 *     4    tails length bytes of the tails, 0 where there are none
 *   w*n    tail ends
 *     n    head lengths if they are not all alike
 *     …    tails, zeros up to a multiple of 8
 * </pre>
 */
final class InnerBlock {
  /** Separators are numbered by 16 bits. */
  static final int MAX_COUNT = 0xFFFF;

  ByteBuffer slab;
  int at;
  int length;

  /** Number of separators. */
  int count;

  private final ByteKeys separators = new ByteKeys();

  /** The start of the columns, from the first byte of the slab. */
  int headsAt;

  int childrenAt;
  int tailsLengthAt;
  int tailEndsAt;
  int headLengthsAt;
  int tailsAt;

  /** Bytes of the prefix, of the head of every key, and of an offset in the tails. */
  int prefixLength;

  int headLength;
  int tailWidth;

  /** Places the view at a page, in place of the one where it was before. */
  InnerBlock place(ByteBuffer block, int offset) {
    slab = block;
    at = offset;
    if (at < 0
        || at > slab.capacity() - PageHeader.FENCES
        || slab.get(at + PageHeader.KIND) != PageHeader.INNER) {
      throw new IllegalStateException("no inner page here: offset=" + at);
    }
    length = slab.getInt(at + PageHeader.LENGTH);
    count = slab.getInt(at + PageHeader.COUNT);
    headLength = slab.get(at + PageHeader.HEAD_LENGTHS) & 0xFF;
    tailWidth = slab.get(at + PageHeader.TAIL_WIDTH);
    if ((count & ~MAX_COUNT) != 0
        || length < PageHeader.FENCES
        || length > slab.capacity() - at
        || (headLength > Long.BYTES && headLength != ByteKeys.HEAD_LENGTHS_COLUMN)
        || (tailWidth != 0 && tailWidth != Short.BYTES && tailWidth != Integer.BYTES)) {
      throw new IllegalStateException("no inner page here: length=" + length + ", count=" + count);
    }
    prefixLength = u16(PageHeader.PREFIX_LENGTH);
    int prefixAt =
        at
            + PageHeader.FENCES
            + fenceLength(PageHeader.LOW_LENGTH)
            + fenceLength(PageHeader.HIGH_LENGTH);
    headsAt = at + Bytes.align8(prefixAt + prefixLength - at);
    childrenAt = headsAt + count * Long.BYTES;
    tailsLengthAt = childrenAt + (count + 1) * Integer.BYTES;
    tailEndsAt = tailsLengthAt + Integer.BYTES;
    headLengthsAt = tailEndsAt + count * tailWidth;
    tailsAt = headLengthsAt + (headLength == ByteKeys.HEAD_LENGTHS_COLUMN ? count : 0);
    if (tailsAt - at > length) {
      throw new IllegalStateException(
          "columns outside the block: length=" + length + ", count=" + count);
    }
    int tailsLength = slab.getInt(tailsLengthAt);
    if (tailsLength < 0
        || tailsLength > length
        || Bytes.align8(tailsAt - at + tailsLength) != length) {
      throw new IllegalStateException(
          "columns do not fill the block: length=" + length + ", tails=" + tailsLength);
    }
    separators.place(
        slab,
        count,
        prefixAt,
        prefixLength,
        headsAt,
        headLength,
        headLengthsAt,
        tailWidth,
        tailEndsAt,
        tailsAt,
        tailsLength);
    return this;
  }

  /** The columns of the page. */
  Columns columns() {
    return new Columns()
        .sparse(headsAt - at)
        .longs(count)
        .ints(count + 2) // the children and the length of the tails
        .indexes(tailWidth == 0 ? 0 : count, tailWidth)
        .bytes(tailsAt - headLengthsAt)
        .rest(length);
  }

  ByteKeys separators() {
    return separators;
  }

  int level() {
    return slab.get(at + PageHeader.LEVEL);
  }

  int child(int index) {
    return slab.getInt(childrenAt + index * Integer.BYTES);
  }

  int u16(int field) {
    return slab.getShort(at + field) & 0xFFFF;
  }

  private int fenceLength(int field) {
    int fence = u16(field);
    return fence == PageHeader.NO_FENCE ? 0 : fence;
  }
}
