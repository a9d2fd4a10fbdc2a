package io.bg3.core.block;

import io.bg3.core.entry.Bytes;
import java.nio.ByteBuffer;

/**
 * View of a sorted column of byte keys: what all share, then 8 bytes of each as a number that is
 * compared in one step, then the rest.
 *
 * <pre>
 *  size  column        placed by the page, in its own order
 *   8*n  heads         the 8 bytes behind the prefix as a big-endian number, padded with zeros; stored little-endian
 *   w*n  tail ends     end of tail i, from the first byte of the tails; w is 2 or 4, no column and no tails if it is 0
 *     n  head lengths  bytes of the key in its head; not if the same for all
 *     …  tails         what stands behind the heads
 * </pre>
 *
 * <p>Of two keys with the same head the one with fewer bytes in it is the smaller; if both fill it,
 * the tails decide.
 */
public final class ByteKeys {
  /** Says in the header that head lengths are a column. */
  public static final int HEAD_LENGTHS_COLUMN = 0xFF;

  private ByteBuffer slab;
  private int count;
  private int prefixAt;
  private int prefixLength;
  private int headsAt;
  private int headLength;
  private int headLengthsAt;
  private int tailWidth;
  private int tailEndsAt;
  private int tailsAt;
  private int tailsLength;

  /** Places the view at a column. */
  public void place(
      ByteBuffer slab,
      int count,
      int prefixAt,
      int prefixLength,
      int headsAt,
      int headLength,
      int headLengthsAt,
      int tailWidth,
      int tailEndsAt,
      int tailsAt,
      int tailsLength) {
    this.slab = slab;
    this.count = count;
    this.prefixAt = prefixAt;
    this.prefixLength = prefixLength;
    this.headsAt = headsAt;
    this.headLength = headLength;
    this.headLengthsAt = headLengthsAt;
    this.tailWidth = tailWidth;
    this.tailEndsAt = tailEndsAt;
    this.tailsAt = tailsAt;
    this.tailsLength = tailsLength;
  }

  /** Index of the first key that is not below this one. */
  public int find(byte[] key) {
    return find(key, 0);
  }

  /** Index of the first key at or behind {@code from} that is not below this one. */
  public int find(byte[] key, int from) {
    int order =
        Bytes.compare(slab, prefixAt, prefixLength, key, 0, Math.min(prefixLength, key.length));
    if (order != 0) {
      return order > 0 ? from : count;
    }
    long head = Bytes.head(key, prefixLength);
    int low =
        SortedLongs.firstNotBelow(slab, headsAt, Long.BYTES, from, count, head, Long.MIN_VALUE);
    return low < count && head(low) == head ? findRest(low, head, key) : low;
  }

  /** The first of the keys with this head, of which one is at {@code low}, that is not below. */
  private int findRest(int from, long head, byte[] key) {
    int low = from;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (head(middle) == head && compareRest(middle, key) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Whether key {@code i} is this one. */
  public boolean hasKey(int i, byte[] key) {
    return length(i) == key.length
        && Bytes.compare(slab, prefixAt, prefixLength, key, 0, prefixLength) == 0
        && head(i) == Bytes.head(key, prefixLength)
        && compareRest(i, key) == 0;
  }

  int length(int i) {
    int inHead = headLength(i);
    return prefixLength + inHead + (inHead == Long.BYTES ? tailLength(i) : 0);
  }

  /** A copy of key {@code i}. */
  public byte[] key(int i) {
    int inHead = headLength(i);
    int tail = inHead == Long.BYTES ? tailLength(i) : 0;
    byte[] key = new byte[prefixLength + inHead + tail];
    slab.get(prefixAt, key, 0, prefixLength);
    Bytes.putHead(head(i), key, prefixLength, inHead);
    if (tail > 0) {
      slab.get(tailsAt + tailStart(i), key, prefixLength + inHead, tail);
    }
    return key;
  }

  /** The first bytes of key {@code i} behind the prefix, as a big-endian number. */
  public long head(int i) {
    return slab.getLong(headsAt + i * Long.BYTES);
  }

  int headLength(int i) {
    return headLength == HEAD_LENGTHS_COLUMN ? slab.get(headLengthsAt + i) : headLength;
  }

  int tailStart(int i) {
    return i == 0 ? 0 : tailEnd(i - 1);
  }

  /** The end of the tail of key {@code i}, from the start of the tails. */
  public int tailEnd(int i) {
    return switch (tailWidth) {
      case 0 -> 0;
      case Short.BYTES -> slab.getShort(tailEndsAt + i * Short.BYTES) & 0xFFFF;
      default -> slab.getInt(tailEndsAt + i * Integer.BYTES);
    };
  }

  /**
   * The fault of the lengths and ends of the keys, null if there is none; for bytes that may be
   * anything.
   */
  public String problem() {
    int end = 0;
    for (int i = 0; i < count; i++) {
      int inHead = headLength(i);
      if (inHead < 0 || inHead > Long.BYTES) {
        return "head length " + inHead + " of key " + i;
      }
      if (inHead < Long.BYTES && head(i) << (inHead * Byte.SIZE) != 0) {
        return "bytes behind the " + inHead + " of the head of key " + i;
      }
      int next = tailWidth == 0 ? 0 : tailEnd(i);
      if (next < end || next > tailsLength || (next > end && inHead < Long.BYTES)) {
        return "tail of key " + i + " from " + end + " to " + next;
      }
      end = next;
    }
    return end == tailsLength ? null : "tails end at " + end + " of " + tailsLength;
  }

  /** Order of the key at {@code i} and one that has the same prefix and head. */
  private int compareRest(int i, byte[] key) {
    int inHead = headLength(i);
    int order = Integer.compare(inHead, Math.min(Long.BYTES, key.length - prefixLength));
    if (order != 0 || inHead < Long.BYTES) {
      return order;
    }
    int from = prefixLength + Long.BYTES;
    return Bytes.compare(slab, tailsAt + tailStart(i), tailLength(i), key, from, key.length - from);
  }

  private int tailLength(int i) {
    int start = tailStart(i);
    int end = tailEnd(i);
    if (start < 0 || end < start || end > tailsLength) {
      throw new IllegalStateException("tail outside its column: start=" + start + ", end=" + end);
    }
    return end - start;
  }
}
