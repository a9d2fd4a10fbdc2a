package io.bg3.core.record;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Texts and other bytes of any length as they stand in index entries ({@link IndexValue}): in their
 * order, and with a 0 at the end, which is nowhere else in them.
 *
 * <p>A byte, or char, of 0 or 1 is written as 1 and the byte plus 1.
 */
final class IndexBytes {
  /** The last byte, and no other one. */
  static final byte END = 0;

  private static final byte ESCAPE = 1;

  private IndexBytes() {}

  /** Some bytes behind a kind, where there are so many, and the end. */
  static byte[] of(byte kind, byte[] bytes, int from, int most) {
    int to = Math.min(bytes.length, from + most);
    ByteBuffer into = ByteBuffer.allocate(2 + 2 * Math.max(0, to - from)).put(kind);
    for (int i = from; i < to; i++) {
      put(bytes[i], into);
    }
    return ended(into);
  }

  /** The first chars of a text behind a kind, each as UTF-8 has a char of 16 bits, and the end. */
  static byte[] of(byte kind, String text, int most) {
    int length = Math.min(text.length(), most);
    ByteBuffer to = ByteBuffer.allocate(2 + 3 * length).put(kind);
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        put((byte) c, to);
      } else if (c < 0x800) {
        to.put((byte) (0xC0 | (c >> 6))).put((byte) (0x80 | (c & 0x3F)));
      } else {
        to.put((byte) (0xE0 | (c >> 12)))
            .put((byte) (0x80 | ((c >> 6) & 0x3F)))
            .put((byte) (0x80 | (c & 0x3F)));
      }
    }
    return ended(to);
  }

  /** The bytes without their end: the beginning of longer ones. */
  static byte[] withoutEnd(byte[] bytes) {
    return Arrays.copyOf(bytes, bytes.length - 1);
  }

  private static void put(byte b, ByteBuffer to) {
    if (b == END || b == ESCAPE) {
      to.put(ESCAPE).put((byte) (b + 1));
    } else {
      to.put(b);
    }
  }

  private static byte[] ended(ByteBuffer to) {
    to.put(END).flip();
    byte[] bytes = new byte[to.remaining()];
    to.get(bytes);
    return bytes;
  }
}
