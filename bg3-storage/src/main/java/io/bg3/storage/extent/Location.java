package io.bg3.storage.extent;

import java.util.HexFormat;

/**
 * The place of a record: 64 bits that fit into a page entry or a page-table row.
 *
 * <pre>
 *  bits    field
 *  63..32  extent   its number, from 1 on
 *  31.. 8  offset   of the frame in the extent's file, in units of 8 bytes
 *   7.. 0  class    upper bound of the frame's length, at most an eighth too large
 * </pre>
 *
 * <p>The length class is what makes one read enough. A class below 8 is the number of 8-byte words
 * itself; above, class {@code 8 + 8e + m} stands for {@code (8 + m) << e} words, with m in [0, 8).
 *
 * <p>0 is no location.
 */
public final class Location {
  /** Stands for "nowhere". */
  public static final long NONE = 0;

  static final int ALIGNMENT = 8;

  /** The largest number of an extent, which is unsigned. */
  static final long MAX_EXTENT = (1L << 32) - 1;

  static final long MAX_OFFSET = ((1L << 24) - 1) * ALIGNMENT;

  private static final int EXTENT_SHIFT = 32;
  private static final int OFFSET_SHIFT = 8;
  private static final long OFFSET_MASK = 0xFFFFFF;
  private static final int CLASS_MASK = 0xFF;
  private static final int STEPS = 8;
  private static final int STEP_BITS = 3;

  private Location() {}

  static long of(int extent, long offset, long bytes) {
    assert extent != 0;
    assert offset % ALIGNMENT == 0 && offset >= 0 && offset <= MAX_OFFSET : offset;
    return ((long) extent << EXTENT_SHIFT)
        | ((offset / ALIGNMENT) << OFFSET_SHIFT)
        | classOf(bytes);
  }

  /** Number of the extent. */
  public static int extent(long location) {
    return (int) (location >>> EXTENT_SHIFT);
  }

  /** Byte offset of the record's frame in the extent's file. */
  public static long offset(long location) {
    return (location >>> OFFSET_SHIFT & OFFSET_MASK) * ALIGNMENT;
  }

  /** Bytes of the record with its frame: not less, and at most an eighth more. */
  public static long bytes(long location) {
    int lengthClass = (int) location & CLASS_MASK;
    if (lengthClass < STEPS) {
      return (long) lengthClass * ALIGNMENT;
    }
    int exponent = (lengthClass >>> STEP_BITS) - 1;
    return ((STEPS + (lengthClass & (STEPS - 1L))) * ALIGNMENT) << exponent;
  }

  /** The smallest class that holds a frame of this many bytes. */
  static int classOf(long bytes) {
    long words = (bytes + ALIGNMENT - 1) / ALIGNMENT;
    if (words < STEPS) {
      return (int) words;
    }
    int exponent = Long.SIZE - Long.numberOfLeadingZeros(words) - 1 - STEP_BITS;
    long mantissa = (words + (1L << exponent) - 1) >>> exponent; // may round up to the next power
    return STEPS * exponent + (int) mantissa;
  }

  /** A location as messages spell it. */
  public static String toString(long location) {
    String extent = HexFormat.of().toHexDigits(extent(location));
    return extent + ":" + offset(location) + "+" + bytes(location);
  }
}
