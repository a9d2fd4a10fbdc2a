package io.bg3.storage.format;

import java.nio.ByteBuffer;

/**
 * Unsigned 64-bit integers in one to ten bytes: seven bits a byte, low bits first, the high bit set
 * on all but the last.
 *
 * <p>A varint is <b>valid</b> if and only if
 *
 * <ul>
 *   <li>V1: its last byte lies inside the buffer,
 *   <li>V2: it has at most ten bytes, and the tenth is 1,
 *   <li>V3: its last byte is not 0 unless it is the only one, so each value has one encoding.
 * </ul>
 */
public final class Varints {
  /** The most bytes a value takes. */
  public static final int MAX_BYTES = 10;

  private static final int PAYLOAD_BITS = 7;
  private static final int MORE = 1 << PAYLOAD_BITS;
  private static final int PAYLOAD = MORE - 1;
  private static final String NO_LAST_BYTE = "V1: a last byte";

  private Varints() {}

  /** The number of bytes that {@link #put} writes for this value, taken as unsigned. */
  public static int size(long value) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(value | 1);
    return (bits + PAYLOAD_BITS - 1) / PAYLOAD_BITS;
  }

  /** Appends {@code value}, taken as unsigned, at the buffer's position. */
  public static void put(ByteBuffer to, long value) {
    long rest = value;
    while ((rest & ~PAYLOAD) != 0) {
      to.put((byte) ((rest & PAYLOAD) | MORE));
      rest >>>= PAYLOAD_BITS;
    }
    to.put((byte) rest);
  }

  /** Appends {@code value} so that numbers near zero, of either sign, are short. */
  public static void putSigned(ByteBuffer to, long value) {
    put(to, zigzag(value));
  }

  /** The number of bytes that {@link #putSigned} writes for this value. */
  public static int sizeSigned(long value) {
    return size(zigzag(value));
  }

  /**
   * Reads the value at the buffer's position and moves behind it.
   *
   * @throws CorruptionException if the bytes are no valid varint; {@link CorruptionException#in}
   *     names their file
   */
  public static long get(ByteBuffer from) {
    int start = from.position();
    long value = 0;
    for (int count = 0; count < MAX_BYTES; count++) {
      if (!from.hasRemaining()) {
        throw invalid(start, NO_LAST_BYTE, "the end of the buffer");
      }
      int next = from.get();
      value |= (long) (next & PAYLOAD) << (count * PAYLOAD_BITS);
      if (next >= 0) {
        requireShortest(start, count, next);
        return value;
      }
    }
    throw invalid(start, "V2: at most ten bytes", "an eleventh");
  }

  /**
   * Reads the value at an offset of an array. It takes as many bytes as {@link #size} says of it.
   *
   * @param end of what may be read
   * @throws CorruptionException as {@link #get(ByteBuffer)}
   */
  public static long get(byte[] from, int at, int end) {
    long value = 0;
    for (int count = 0; count < MAX_BYTES; count++) {
      if (at + count >= end) {
        throw invalid(at, NO_LAST_BYTE, "the end of the array");
      }
      int next = from[at + count];
      value |= (long) (next & PAYLOAD) << (count * PAYLOAD_BITS);
      if (next >= 0) {
        requireShortest(at, count, next);
        return value;
      }
    }
    throw invalid(at, "V2: at most ten bytes", "an eleventh");
  }

  private static void requireShortest(int start, int count, int last) {
    if (last == 0 && count > 0) {
      throw invalid(start, "V3: the shortest encoding", "a last byte of 0");
    }
    if (count == MAX_BYTES - 1 && last != 1) {
      throw invalid(start, "V2: at most 64 bits", "a tenth byte of " + last);
    }
  }

  /**
   * Reads what {@link #putSigned} wrote.
   *
   * @throws CorruptionException as {@link #get(ByteBuffer)}
   */
  public static long getSigned(ByteBuffer from) {
    return signed(get(from));
  }

  /** The value that {@link #putSigned} wrote as this one. */
  public static long signed(long zigzag) {
    return (zigzag >>> 1) ^ -(zigzag & 1);
  }

  private static long zigzag(long value) {
    return (value << 1) ^ (value >> (Long.SIZE - 1));
  }

  private static CorruptionException invalid(int start, String expected, String found) {
    return new CorruptionException("varint", start, expected, found);
  }
}
