package io.bg3.core.block;

import io.bg3.core.entry.Bytes;
import java.nio.ByteBuffer;

/** Lays out and writes sorted byte keys, see {@link ByteKeys}. */
public final class ByteKeysWriter {
  private final byte[][] keys;
  private final int from;
  private final int count;
  private final int prefixLength;

  /** Bytes of every key in its head, or {@link ByteKeys#HEAD_LENGTHS_COLUMN}. */
  private final int headLength;

  private final int tailsLength;

  /** For keys of an array, which stand in ascending order. */
  public ByteKeysWriter(byte[][] keys, int from, int to) {
    this.keys = keys;
    this.from = from;
    this.count = to - from;
    prefixLength = count == 0 ? 0 : Bytes.commonPrefix(keys[from], keys[to - 1]);
    int common = count == 0 ? 0 : inHead(keys[from]);
    int tails = 0;
    for (int i = from; i < to; i++) {
      if (keys[i].length > PageHeader.MAX_KEY) {
        throw new IllegalArgumentException("key too long: length=" + keys[i].length);
      }
      common = inHead(keys[i]) == common ? common : ByteKeys.HEAD_LENGTHS_COLUMN;
      tails = Math.addExact(tails, inTail(keys[i]));
    }
    headLength = common;
    tailsLength = tails;
  }

  /** Bytes that each key takes at most in a page of these keys, besides their prefix. */
  public static int[] costs(byte[][] keys, int from, int to) {
    int[] costs = new int[to - from];
    if (from == to) {
      return costs;
    }
    int inHead = Bytes.commonPrefix(keys[from], keys[to - 1]) + Long.BYTES;
    int longest = 0;
    for (int i = from; i < to; i++) {
      costs[i - from] = Math.max(0, keys[i].length - inHead);
      longest = Math.max(longest, costs[i - from]);
    }
    int fixed = Long.BYTES + Byte.BYTES + (longest == 0 ? 0 : Short.BYTES);
    for (int i = 0; i < costs.length; i++) {
      costs[i] += fixed;
    }
    return costs;
  }

  /** Bytes of the prefix that all keys share. */
  public int prefixLength() {
    return prefixLength;
  }

  /** Bytes of the column of heads. */
  public int headLength() {
    return headLength;
  }

  /** Bytes of each end of a tail. */
  public int tailWidth() {
    return tailWidth(tailsLength);
  }

  /** Bytes of an offset in tails of this length. */
  public static int tailWidth(int tailsLength) {
    return tailsLength == 0 ? 0 : tailsLength <= 0xFFFF ? Short.BYTES : Integer.BYTES;
  }

  /** Bytes of the column of ends of tails. */
  public int tailEndsLength() {
    return tailWidth() * count;
  }

  /** Describes the column of ends of tails. */
  public void addTailEnds(Columns to) {
    to.indexes(tailsLength == 0 ? 0 : count, tailWidth());
  }

  /** Bytes of the column of lengths of heads. */
  public int headLengthsLength() {
    return headLength == ByteKeys.HEAD_LENGTHS_COLUMN ? count : 0;
  }

  /** Bytes of all tails. */
  public int tailsLength() {
    return tailsLength;
  }

  /** Writes the prefix. */
  public void writePrefix(ByteBuffer to, int at) {
    if (prefixLength > 0) {
      to.put(at, keys[from], 0, prefixLength);
    }
  }

  /** Writes the column of heads. */
  public void writeHeads(ByteBuffer to, int at) {
    for (int i = 0; i < count; i++) {
      to.putLong(at + i * Long.BYTES, Bytes.head(keys[from + i], prefixLength));
    }
  }

  /** Writes the column of lengths of heads, if there is one. */
  public void writeHeadLengths(ByteBuffer to, int at) {
    if (headLength == ByteKeys.HEAD_LENGTHS_COLUMN) {
      for (int i = 0; i < count; i++) {
        to.put(at + i, (byte) inHead(keys[from + i]));
      }
    }
  }

  /** Writes the ends of the tails, and the tails. */
  public void writeTails(ByteBuffer to, int endsAt, int at) {
    if (tailsLength == 0) {
      return;
    }
    int width = tailWidth();
    int end = 0;
    for (int i = 0; i < count; i++) {
      byte[] key = keys[from + i];
      int tail = inTail(key);
      to.put(at + end, key, key.length - tail, tail);
      end += tail;
      if (width == Short.BYTES) {
        to.putShort(endsAt + i * Short.BYTES, (short) end);
      } else {
        to.putInt(endsAt + i * Integer.BYTES, end);
      }
    }
  }

  private int inHead(byte[] key) {
    return Math.min(Long.BYTES, key.length - prefixLength);
  }

  private int inTail(byte[] key) {
    return Math.max(0, key.length - prefixLength - Long.BYTES);
  }
}
