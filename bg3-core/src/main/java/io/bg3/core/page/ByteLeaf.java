package io.bg3.core.page;

import io.bg3.core.block.ByteKeys;
import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.ByteEntries;
import io.bg3.core.entry.Entries;
import java.nio.ByteBuffer;

/**
 * View of a block of a leaf of byte keys.
 *
 * <pre>
 *  size  column        behind the header and the prefix, in this order
 *   8*n  heads         see {@link ByteKeys}
 *   8*m  stamps        of the entries above the floor
 *     4  tails length  bytes of the tails, 0 where there are none
 *   w*n  tail ends
 *  2/4*m positions     index of the entry of each stamp, ascending; not if all have one stamp
 *     n  head lengths  if they are not all alike
 *     n  ops           if they are not all alike
 *     …  tails, zeros up to a multiple of 8; in a delta the values
 * </pre>
 */
final class ByteLeaf extends LeafBlock {
  private final ByteKeys keys = new ByteKeys();

  @Override
  void place(ByteBuffer block, int offset) {
    placeHeader(block, offset, PageHeader.BYTE_LEAF);
    int prefixLength = u16(PageHeader.PREFIX_LENGTH);
    int headLength = slab.get(at + PageHeader.HEAD_LENGTHS) & 0xFF;
    int tailWidth = slab.get(at + PageHeader.TAIL_WIDTH);
    if ((headLength > Long.BYTES && headLength != ByteKeys.HEAD_LENGTHS_COLUMN)
        || (tailWidth != 0 && tailWidth != Short.BYTES && tailWidth != Integer.BYTES)) {
      throw new IllegalStateException(
          "no byte keys here: headLength=" + headLength + ", tailWidth=" + tailWidth);
    }
    int prefixAt = place(prefixLength);
    align();
    int headsAt = place((long) count * Long.BYTES);
    placeStamps();
    int tailsLengthAt = place(Integer.BYTES);
    int tailEndsAt = place((long) count * tailWidth);
    placeStampPositions();
    int headLengthsAt = headLength == ByteKeys.HEAD_LENGTHS_COLUMN ? place(count) : 0;
    placeOps();
    if (tailsLengthAt > slab.capacity() - Integer.BYTES) {
      throw new IllegalStateException("columns outside the block: offset=" + at);
    }
    int tailsLength = slab.getInt(tailsLengthAt);
    if (tailsLength < 0) {
      throw new IllegalStateException("no byte keys here: tailsLength=" + tailsLength);
    }
    int tailsAt = place(tailsLength);
    finishLayout();
    keys.place(
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
  }

  ByteKeys keys() {
    return keys;
  }

  @Override
  int find(byte[] bound) {
    return keys.find(bound);
  }

  @Override
  int find(LeafBlock that, int j, int from) {
    return keys.find(that.key(j), from);
  }

  @Override
  int find(Entries that, int j) {
    return keys.find(((ByteEntries) that).sharedKey(j));
  }

  @Override
  boolean hasKey(int i, byte[] key) {
    return keys.hasKey(i, key);
  }

  @Override
  boolean hasKey(int i, LeafBlock that, int j) {
    return keys.hasKey(i, that.key(j));
  }

  @Override
  boolean hasKey(int i, Entries that, int j) {
    return keys.hasKey(i, ((ByteEntries) that).sharedKey(j));
  }

  @Override
  void copyKeys(int from, int to, Entries into) {
    ByteEntries bytes = (ByteEntries) into;
    for (int i = from; i < to; i++) {
      bytes.shareKey(i - from, keys.key(i));
    }
  }

  @Override
  boolean mayHold(byte[] key) {
    return true;
  }

  @Override
  boolean mayHold(byte[] low, byte[] high) {
    return true;
  }

  @Override
  byte[] key(int i) {
    return keys.key(i);
  }
}
