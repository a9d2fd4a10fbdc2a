package io.bg3.core.block;

import io.bg3.core.entry.Bytes;
import io.bg3.storage.format.CorruptionException;
import java.nio.ByteBuffer;

/** Writes a {@link PageFrame} into a page's header, and reads one that may be damaged. */
public final class FrameCodec {
  private FrameCodec() {}

  /** Bytes of both fences. */
  public static int length(PageFrame frame) {
    return length(frame.low()) + length(frame.high());
  }

  /**
   * Writes the frame's fields and fences.
   *
   * @return position behind the fences
   */
  public static int write(PageFrame frame, ByteBuffer to, int at) {
    to.putInt(at + PageHeader.PAGE_ID, frame.pageId());
    to.putInt(at + PageHeader.TREE_ID, frame.treeId());
    to.putInt(at + PageHeader.RIGHT_SIBLING, frame.rightSibling());
    int next = writeFence(frame.low(), to, at + PageHeader.LOW_LENGTH, at + PageHeader.FENCES);
    return writeFence(frame.high(), to, at + PageHeader.HIGH_LENGTH, next);
  }

  /**
   * Reads a frame from a header whose lengths have been checked.
   *
   * @throws CorruptionException if the fences are not in order, with offsets from the header's
   *     first byte
   */
  public static PageFrame read(ByteBuffer from, int at) {
    int low = from.getShort(at + PageHeader.LOW_LENGTH) & 0xFFFF;
    int high = from.getShort(at + PageHeader.HIGH_LENGTH) & 0xFFFF;
    int lowAt = at + PageHeader.FENCES;
    int highAt = lowAt + (low == PageHeader.NO_FENCE ? 0 : low);
    try {
      return new PageFrame(
          from.getInt(at + PageHeader.PAGE_ID),
          from.getInt(at + PageHeader.TREE_ID),
          low == PageHeader.NO_FENCE ? null : Bytes.copy(from, lowAt, low),
          high == PageHeader.NO_FENCE ? null : Bytes.copy(from, highAt, high),
          from.getInt(at + PageHeader.RIGHT_SIBLING));
    } catch (IllegalArgumentException e) {
      CorruptionException corruption =
          new CorruptionException("page", PageHeader.LOW_LENGTH, "fences in order", e.getMessage());
      corruption.addSuppressed(e);
      throw corruption;
    }
  }

  private static int length(byte[] fence) {
    return fence == null ? 0 : fence.length;
  }

  private static int writeFence(byte[] fence, ByteBuffer to, int lengthAt, int at) {
    if (fence == null) {
      to.putShort(lengthAt, (short) PageHeader.NO_FENCE);
      return at;
    }
    if (fence.length > PageHeader.MAX_KEY) {
      throw new IllegalArgumentException("fence too long: length=" + fence.length);
    }
    to.putShort(lengthAt, (short) fence.length);
    to.put(at, fence, 0, fence.length);
    return at + fence.length;
  }
}
