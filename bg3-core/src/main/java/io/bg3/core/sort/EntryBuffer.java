package io.bg3.core.sort;

import java.util.Arrays;

/**
 * Edge entries in memory, in columns. Filled up to a bound, sorted, read, and filled again. Belongs
 * to one thread.
 *
 * <p>Entries are sorted by numbers that hold the upper part of an entry's owner and the position of
 * the entry; only entries with equal upper parts are compared field by field. Entries with equal
 * keys stay in the order in which they were added.
 */
final class EntryBuffer {
  /** Heap that an entry takes, without its value. */
  static final int ENTRY_BYTES = 3 * Long.BYTES + 2 * Integer.BYTES;

  private static final int INDEX_BITS = 24;
  private static final int FIRST_CAPACITY = 1 << 10;
  private static final long INDEX = (1L << INDEX_BITS) - 1;

  /** Bits of the owner in a sorted number, which is not negative. */
  private static final int OWNER_BITS = Long.SIZE - 1 - INDEX_BITS;

  private final int mostEntries;
  private final int mostValueBytes;

  private long[] owners = new long[FIRST_CAPACITY];
  private long[] others = new long[FIRST_CAPACITY];
  private int[] tagLabels = new int[FIRST_CAPACITY];
  private int[] ends = new int[FIRST_CAPACITY]; // of the values
  private byte[] values = new byte[FIRST_CAPACITY];
  private int count;

  /** Numbers in the order of the entries; the lower bits are an entry's position. */
  private long[] order = new long[0];

  private long[] scratch = new long[0];

  /**
   * @param mostEntries when it is full, 1 to 16,777,215
   * @param mostValueBytes with so many bytes of values it is full too
   */
  EntryBuffer(int mostEntries, int mostValueBytes) {
    if (mostEntries < 1 || mostEntries > INDEX || mostValueBytes < 1) {
      throw new IllegalArgumentException(
          "bounds out of range: entries=" + mostEntries + ", bytes of values=" + mostValueBytes);
    }
    this.mostEntries = mostEntries;
    this.mostValueBytes = mostValueBytes;
  }

  int count() {
    return count;
  }

  /** Whether an entry with so long a value should wait until it is empty again. */
  boolean isFullFor(int valueLength) {
    return count == mostEntries
        || (count > 0 && (long) valueBytes() + valueLength > mostValueBytes);
  }

  void add(long owner, int tagLabel, long other, byte[] value) {
    int start = valueBytes();
    if (count == owners.length) {
      grow();
    }
    if (values.length - start < value.length) {
      long doubled = Math.min(mostValueBytes, 2L * values.length);
      values = Arrays.copyOf(values, (int) Math.max(doubled, (long) start + value.length));
    }
    System.arraycopy(value, 0, values, start, value.length);
    owners[count] = owner;
    others[count] = other;
    tagLabels[count] = tagLabel;
    ends[count] = start + value.length;
    count++;
  }

  private int valueBytes() {
    return count == 0 ? 0 : ends[count - 1];
  }

  private void grow() {
    int capacity = Math.min(mostEntries, 2 * owners.length);
    owners = Arrays.copyOf(owners, capacity);
    others = Arrays.copyOf(others, capacity);
    tagLabels = Arrays.copyOf(tagLabels, capacity);
    ends = Arrays.copyOf(ends, capacity);
  }

  void clear() {
    count = 0;
  }

  /** Sorts the entries and reads them from the first one; none may be added meanwhile. */
  SortedEntries sorted() {
    sort();
    return new Cursor();
  }

  private void sort() {
    if (order.length < count) {
      order = new long[owners.length];
    }
    long min = Long.MAX_VALUE;
    long max = Long.MIN_VALUE;
    for (int i = 0; i < count; i++) {
      min = Math.min(min, owners[i]);
      max = Math.max(max, owners[i]);
    }
    int range = Long.SIZE - Long.numberOfLeadingZeros(max - min); // as an unsigned number
    int shift = Math.max(0, range - OWNER_BITS);
    for (int i = 0; i < count; i++) {
      order[i] = (owners[i] - min) >>> shift << INDEX_BITS | i;
    }
    Arrays.sort(order, 0, count);
    for (int from = 0; from < count; ) {
      int to = from + 1;
      while (to < count && order[to] >>> INDEX_BITS == order[from] >>> INDEX_BITS) {
        to++;
      }
      sortGroup(from, to);
      from = to;
    }
  }

  private void sortGroup(int from, int to) {
    for (int i = from + 1; i < to; i++) {
      if (compare(order[i - 1], order[i]) > 0) {
        if (scratch.length < to - from) {
          scratch = new long[order.length];
        }
        mergeSort(from, to);
        return;
      }
    }
  }

  private void mergeSort(int from, int to) {
    if (to - from < 2) {
      return;
    }
    int middle = (from + to) >>> 1;
    mergeSort(from, middle);
    mergeSort(middle, to);
    if (compare(order[middle - 1], order[middle]) <= 0) {
      return;
    }
    int left = middle - from;
    System.arraycopy(order, from, scratch, 0, left);
    int at = from;
    int i = 0;
    int j = middle;
    while (i < left) {
      boolean takesRight = j < to && compare(scratch[i], order[j]) > 0;
      order[at++] = takesRight ? order[j++] : scratch[i++];
    }
  }

  /** Compares the entries of two sorted numbers; of equal keys the one that was added first. */
  private int compare(long a, long b) {
    int i = index(a);
    int j = index(b);
    int result = Long.compare(owners[i], owners[j]);
    result = result == 0 ? Integer.compareUnsigned(tagLabels[i], tagLabels[j]) : result;
    result = result == 0 ? Long.compare(others[i], others[j]) : result;
    return result == 0 ? Integer.compare(i, j) : result;
  }

  private static int index(long sorted) {
    return (int) (sorted & INDEX);
  }

  private final class Cursor implements SortedEntries {
    private int next;
    private int entry;

    @Override
    public boolean next() {
      if (next == count) {
        return false;
      }
      entry = index(order[next++]);
      return true;
    }

    @Override
    public long owner() {
      return owners[entry];
    }

    @Override
    public int tagLabel() {
      return tagLabels[entry];
    }

    @Override
    public long other() {
      return others[entry];
    }

    @Override
    public byte[] value() {
      return Arrays.copyOfRange(values, entry == 0 ? 0 : ends[entry - 1], ends[entry]);
    }
  }
}
