package io.bg3.core.page;

import io.bg3.core.block.ByteKeysWriter;
import io.bg3.core.block.FrameCodec;
import io.bg3.core.block.PageFrame;
import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.Bytes;
import java.nio.ByteBuffer;

/** Lays out and writes an inner page, see {@link InnerBlock}. */
final class InnerWriter {
  private final PageFrame frame;
  private final int level;
  private final byte[][] separators;
  private final int[] children;
  private final ByteKeysWriter keys;

  InnerWriter(PageFrame frame, int level, byte[][] separators, int[] children) {
    if (children.length != separators.length + 1 || separators.length > InnerBlock.MAX_COUNT) {
      throw new IllegalArgumentException(
          "an inner page has one child more than separators: children="
              + children.length
              + ", separators="
              + separators.length
              + ", frame="
              + frame);
    }
    if (level < 1 || level > Byte.MAX_VALUE) {
      throw new IllegalArgumentException(
          "no level of an inner page: level=" + level + ", frame=" + frame);
    }
    this.frame = frame;
    this.level = level;
    this.separators = separators;
    this.children = children;
    keys = new ByteKeysWriter(separators, 0, separators.length);
  }

  int length() {
    return Bytes.align8(tails() + keys.tailsLength());
  }

  void write(ByteBuffer to, int at) {
    int count = separators.length;
    int length = length();
    Bytes.zero(to, at, at + PageHeader.FENCES);
    to.put(at + PageHeader.KIND, (byte) PageHeader.INNER);
    to.put(at + PageHeader.LEVEL, (byte) level);
    to.putInt(at + PageHeader.LENGTH, length);
    to.putInt(at + PageHeader.COUNT, count);
    to.putShort(at + PageHeader.PREFIX_LENGTH, (short) keys.prefixLength());
    to.put(at + PageHeader.HEAD_LENGTHS, (byte) keys.headLength());
    to.put(at + PageHeader.TAIL_WIDTH, (byte) keys.tailWidth());
    int prefixAt = FrameCodec.write(frame, to, at);
    keys.writePrefix(to, prefixAt);
    Bytes.zero(to, prefixAt + keys.prefixLength(), at + heads());
    keys.writeHeads(to, at + heads());
    for (int i = 0; i <= count; i++) {
      to.putInt(at + children() + i * Integer.BYTES, children[i]);
    }
    to.putInt(at + tailsLength(), keys.tailsLength());
    keys.writeTails(to, at + tailsLength() + Integer.BYTES, at + tails());
    keys.writeHeadLengths(to, at + headLengths());
    Bytes.zero(to, at + tails() + keys.tailsLength(), at + length);
  }

  private int heads() {
    return Bytes.align8(PageHeader.FENCES + FrameCodec.length(frame) + keys.prefixLength());
  }

  private int children() {
    return heads() + separators.length * Long.BYTES;
  }

  private int tailsLength() {
    return children() + children.length * Integer.BYTES;
  }

  private int headLengths() {
    return tailsLength() + Integer.BYTES + keys.tailEndsLength();
  }

  private int tails() {
    return headLengths() + keys.headLengthsLength();
  }
}
