package io.bg3.core.entry;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;

/** Strings of bytes inside a block, compared as unsigned and copied out. */
public final class Bytes {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final int FEW_LONGS = 16;

  private Bytes() {}

  /** A copy of some bytes of a block. */
  public static byte[] copy(ByteBuffer from, int at, int length) {
    byte[] copy = new byte[length];
    from.get(at, copy, 0, length);
    return copy;
  }

  /** Unsigned lexicographic order of bytes in a little-endian buffer and bytes in an array. */
  public static int compare(
      ByteBuffer left, int leftAt, int leftLength, byte[] right, int rightAt, int rightLength) {
    int common = Math.min(leftLength, rightLength);
    int i = 0;
    if (common > 0
        && common < Long.BYTES
        && right.length - rightAt >= Long.BYTES
        && left.limit() - leftAt
            >= Long.BYTES) { // all of them at once, and what follows shifted out
      int shift = (Long.BYTES - common) * Byte.SIZE;
      long a = Long.reverseBytes(left.getLong(leftAt)) >>> shift;
      long b = (long) LONGS.get(right, rightAt) >>> shift;
      if (a != b) {
        return Long.compare(a, b);
      }
      i = common;
    }
    for (; i + Long.BYTES <= common; i += Long.BYTES) {
      long a = Long.reverseBytes(left.getLong(leftAt + i));
      long b = (long) LONGS.get(right, rightAt + i);
      if (a != b) {
        return Long.compareUnsigned(a, b);
      }
    }
    for (; i < common; i++) {
      int order = Byte.compareUnsigned(left.get(leftAt + i), right[rightAt + i]);
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(leftLength, rightLength);
  }

  /** Up to 8 bytes as a big-endian number, with zeros for those that are not there. */
  public static long head(byte[] key, int from) {
    int length = key.length - from;
    if (length >= Long.BYTES) {
      return (long) LONGS.get(key, from);
    }
    if (key.length >= Long.BYTES && length > 0) {
      return (long) LONGS.get(key, key.length - Long.BYTES) << ((Long.BYTES - length) * Byte.SIZE);
    }
    long head = 0;
    for (int i = from; i < key.length; i++) {
      head = (head << 8) | (key[i] & 0xFF);
    }
    return length <= 0 ? 0 : head << ((Long.BYTES - length) * 8);
  }

  /** Writes the first {@code length} bytes of a head. */
  public static void putHead(long head, byte[] to, int at, int length) {
    if (length == Long.BYTES) {
      LONGS.set(to, at, head);
    } else {
      for (int i = 0; i < length; i++) {
        to[at + i] = (byte) (head >>> ((Long.BYTES - 1 - i) * 8));
      }
    }
  }

  /** Length of the longest common prefix. */
  public static int commonPrefix(byte[] left, byte[] right) {
    int mismatch = Arrays.mismatch(left, right);
    return mismatch < 0 ? left.length : mismatch;
  }

  /**
   * The shortest bytes above {@code left} and not above {@code right}: a separator between two keys
   * in order.
   */
  public static byte[] separator(byte[] left, byte[] right) {
    int common = commonPrefix(left, right);
    assert common < right.length : "keys not in order: " + text(left) + ", " + text(right);
    return Arrays.copyOf(right, common + 1);
  }

  /** The length, rounded up to a multiple of 8. */
  public static int align8(int length) {
    return Math.addExact(length, 7) & -8;
  }

  /** Copies numbers of 8 bytes: few of them in a loop, since a call costs as much as that. */
  public static void copyLongs(ByteBuffer from, int fromAt, ByteBuffer to, int toAt, int count) {
    if (count > FEW_LONGS) {
      to.put(toAt, from, fromAt, count * Long.BYTES);
      return;
    }
    int shift = toAt - fromAt;
    int end = fromAt + count * Long.BYTES;
    for (int at = fromAt; at < end; at += Long.BYTES) {
      to.putLong(at + shift, from.getLong(at));
    }
  }

  /** Writes zeros. */
  public static void zero(ByteBuffer to, int from, int end) {
    for (int i = from; i < end; i++) {
      to.put(i, (byte) 0);
    }
  }

  /** Bytes in hexadecimal digits, for messages; "none" for null. */
  public static String text(byte[] key) {
    return key == null ? "none" : HexFormat.of().formatHex(key);
  }
}
