package io.bg3.core.page;

import io.bg3.core.block.ByteKeysWriter;
import io.bg3.core.block.Columns;
import io.bg3.core.block.PageFrame;
import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.ByteEntries;
import java.nio.ByteBuffer;

/** Writes blocks of leaves of byte keys, see {@link ByteLeaf}. */
final class ByteLeafWriter extends LeafWriter {
  private final ByteKeysWriter keys;

  ByteLeafWriter(PageFrame frame, ByteEntries entries, int from, int to) {
    super(frame, entries, from, to);
    keys = new ByteKeysWriter(entries.sharedKeys(), from, to);
  }

  @Override
  int kind() {
    return PageHeader.BYTE_LEAF;
  }

  @Override
  int keyFlags() {
    return 0;
  }

  @Override
  int prefixLength() {
    return keys.prefixLength();
  }

  @Override
  int firstKeyColumns() {
    return count * Long.BYTES;
  }

  @Override
  int secondKeyColumns() {
    return Integer.BYTES + keys.tailEndsLength();
  }

  @Override
  int thirdKeyColumns() {
    return keys.headLengthsLength();
  }

  @Override
  int tailLength() {
    return keys.tailsLength();
  }

  @Override
  void addFirstKeyColumns(Columns to) {
    to.longs(count);
  }

  @Override
  void addSecondKeyColumns(Columns to) {
    keys.addTailEnds(to.ints(1));
  }

  @Override
  void addThirdKeyColumns(Columns to) {
    to.bytes(keys.headLengthsLength());
  }

  @Override
  void writeKeys(ByteBuffer to, int at) {
    to.putShort(at + PageHeader.PREFIX_LENGTH, (short) keys.prefixLength());
    to.put(at + PageHeader.HEAD_LENGTHS, (byte) keys.headLength());
    to.put(at + PageHeader.TAIL_WIDTH, (byte) keys.tailWidth());
    keys.writePrefix(to, at + fencesEnd());
    keys.writeHeads(to, at + columns());
    to.putInt(at + secondColumns(), keys.tailsLength());
    keys.writeTails(to, at + secondColumns() + Integer.BYTES, at + opsEnd());
    keys.writeHeadLengths(to, at + thirdColumns());
  }
}
