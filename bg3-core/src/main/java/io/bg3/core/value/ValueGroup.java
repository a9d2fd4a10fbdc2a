package io.bg3.core.value;

import java.util.Arrays;

/**
 * Large values that are read together: the keys and locations of up to {@value #MOST}, and where
 * the values stand that have been found. Those that were in memory are copied one behind the other
 * into one array, which is used again. Belongs to one thread.
 */
public final class ValueGroup {
  /** Values of a group, at most. */
  public static final int MOST = 16;

  /** An array above this many bytes is not kept for another group. */
  private static final int MOST_KEPT = 256 << 10;

  private final long[] locations = new long[MOST];
  private final byte[][] keys = new byte[MOST][];
  private final byte[][] arrays = new byte[MOST][];
  private final int[] starts = new int[MOST];
  private final int[] lengths = new int[MOST];
  private int count;
  private byte[] copies = {};
  private int copied;

  /** Kept so that no compiler leaves out the loads that only fetch lines. */
  @SuppressWarnings("UnusedVariable")
  long touched;

  /** A group without values. */
  public ValueGroup() {}

  /** Forgets keys and values. */
  public void clear() {
    Arrays.fill(keys, 0, count, null);
    Arrays.fill(arrays, 0, count, null);
    count = 0;
    copied = 0;
    if (copies.length > MOST_KEPT) {
      copies = new byte[0];
    }
  }

  /** Asks for the value of a key at a location; there are fewer than {@link #MOST} so far. */
  public void add(byte[] key, long location) {
    keys[count] = key;
    locations[count++] = location;
  }

  /** How many values have been asked for. */
  public int count() {
    return count;
  }

  /** The key of a value, by its index in the group. */
  public byte[] key(int i) {
    return keys[i];
  }

  /** Where a value is stored. */
  public long location(int i) {
    return locations[i];
  }

  /** Whether a value has been found. */
  public boolean isThere(int i) {
    return arrays[i] != null;
  }

  /** The array in which a value stands; valid until the next {@link #clear}. */
  public byte[] array(int i) {
    return arrays[i];
  }

  /** Where a value begins in its array. */
  public int start(int i) {
    return starts[i];
  }

  /** Bytes of a value. */
  public int length(int i) {
    return lengths[i];
  }

  /** A value that has been found, in an array of its own; nobody may change it. */
  public byte[] value(int i) {
    byte[] array = arrays[i];
    return array.length == lengths[i] && array != copies
        ? array
        : Arrays.copyOfRange(array, starts[i], starts[i] + lengths[i]);
  }

  /** Says what a value is. The group keeps the array. */
  public void set(int i, byte[] value) {
    set(i, value, 0, value.length);
  }

  private void set(int i, byte[] array, int start, int length) {
    arrays[i] = array;
    starts[i] = start;
    lengths[i] = length;
  }

  /** Makes room for a value among the copies, whose bytes the caller fills in. */
  void reserve(int i, int length) {
    if (length > copies.length - copied) {
      copies = new byte[Math.max(2 * copies.length, length)]; // earlier values keep the old one
      copied = 0;
    }
    set(i, copies, copied, length);
    copied += length;
  }
}
