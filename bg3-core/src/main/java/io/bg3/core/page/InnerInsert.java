package io.bg3.core.page;

import io.bg3.core.block.ByteKeys;
import io.bg3.core.block.ByteKeysWriter;
import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.Bytes;
import java.nio.ByteBuffer;

/**
 * Writes an inner page that has one separator and one child more than another, column by column:
 * taking hundreds of separators out and putting them in again for every split cost more than the
 * split itself. The result is the same, byte for byte, as what {@link InnerWriter} writes.
 *
 * <p>Possible where the new separator has the prefix and the length in the head that all have, or
 * that lengths are a column of, and where it stands between two others: then neither changes.
 */
final class InnerInsert {
  private final InnerBlock from;
  private final byte[] separator;
  private final int child;
  private final int at;
  private final int inHead;
  private final int inTail;
  private final int tailsBefore;
  private final int tails;
  private final boolean possible;

  InnerInsert(InnerBlock from, byte[] separator, int child) {
    this.from = from;
    this.separator = separator;
    this.child = child;
    this.at = from.separators().find(separator);
    this.inHead = Math.min(Long.BYTES, separator.length - from.prefixLength);
    this.inTail = Math.max(0, separator.length - from.prefixLength - Long.BYTES);
    this.tailsBefore = at == 0 ? 0 : from.separators().tailEnd(at - 1);
    this.tails = from.slab.getInt(from.tailsLengthAt);
    this.possible =
        at > 0
            && at < from.count
            && from.count < InnerBlock.MAX_COUNT
            && (inHead == from.headLength || from.headLength == ByteKeys.HEAD_LENGTHS_COLUMN)
            && ByteKeysWriter.tailWidth(tails + inTail) == from.tailWidth;
  }

  boolean isPossible() {
    return possible;
  }

  int length() {
    int bytes = Long.BYTES + Integer.BYTES + from.tailWidth + headLengths() + inTail;
    return Bytes.align8(from.tailsAt - from.at + tails + bytes);
  }

  /** Bytes of all separators, as {@link InnerFormat#bytes} counts them. */
  int bytes() {
    int end = tails + inTail > 0 ? Short.BYTES : 0;
    int each = Long.BYTES + Byte.BYTES + end + Integer.BYTES;
    return SplitPoints.OVERHEAD + 2 * Integer.BYTES + (from.count + 1) * each + tails + inTail;
  }

  private int headLengths() {
    return from.headLength == ByteKeys.HEAD_LENGTHS_COLUMN ? 1 : 0;
  }

  void write(ByteBuffer to, int target) {
    ByteBuffer slab = from.slab;
    int count = from.count;
    int heads = target + from.headsAt - from.at;
    int children = heads + (count + 1) * Long.BYTES;
    int tailsLength = children + (count + 2) * Integer.BYTES;
    int tailEnds = tailsLength + Integer.BYTES;
    int headLengths = tailEnds + (count + 1) * from.tailWidth;
    int tailBytes = headLengths + (count + 1) * headLengths();
    to.put(target, slab, from.at, from.headsAt - from.at);
    to.putInt(target + PageHeader.LENGTH, length());
    to.putInt(target + PageHeader.COUNT, count + 1);
    insert(to, heads, from.headsAt, at, count, Long.BYTES);
    to.putLong(heads + at * Long.BYTES, Bytes.head(separator, from.prefixLength));
    insert(to, children, from.childrenAt, at + 1, count + 1, Integer.BYTES);
    to.putInt(children + (at + 1) * Integer.BYTES, child);
    to.putInt(tailsLength, tails + inTail);
    if (from.tailWidth > 0) {
      writeTailEnds(to, tailEnds);
    }
    if (headLengths() > 0) {
      insert(to, headLengths, from.headLengthsAt, at, count, 1);
      to.put(headLengths + at, (byte) inHead);
    }
    to.put(tailBytes, slab, from.tailsAt, tailsBefore);
    to.put(tailBytes + tailsBefore, separator, separator.length - inTail, inTail);
    int behind = tailBytes + tailsBefore + inTail;
    to.put(behind, slab, from.tailsAt + tailsBefore, tails - tailsBefore);
    Bytes.zero(to, tailBytes + tails + inTail, target + length());
  }

  /** Copies a column with a gap. */
  private void insert(ByteBuffer to, int target, int source, int gap, int rows, int width) {
    to.put(target, from.slab, source, gap * width);
    to.put(target + (gap + 1) * width, from.slab, source + gap * width, (rows - gap) * width);
  }

  private void writeTailEnds(ByteBuffer to, int ends) {
    for (int i = 0; i <= from.count; i++) {
      int end =
          i < at
              ? from.separators().tailEnd(i)
              : inTail + (i == at ? tailsBefore : from.separators().tailEnd(i - 1));
      if (from.tailWidth == Short.BYTES) {
        to.putShort(ends + i * Short.BYTES, (short) end);
      } else {
        to.putInt(ends + i * Integer.BYTES, end);
      }
    }
  }
}
