package io.bg3.core.entry;

import java.util.Arrays;

/**
 * Entries on the heap, in columns: what a reader copied from a page, what a commit is about to
 * write, what a page is built from.
 *
 * <p>Where entries go into a page they are sorted by key, the versions of a key newest first.
 * {@link #append} does not check this; {@link #isSorted()} does. Columns grow as needed and are
 * kept by {@link #clear()}, so a cursor reuses one object for all its pages. Columns that no entry
 * needs (ops, stamps, values) are not written on the way. Belongs to one thread.
 */
public abstract class Entries {
  /** The value of an entry that has none. */
  public static final byte[] NO_VALUE = new byte[0];

  private static final int INITIAL = 16;

  /** So few entries are copied one by one: copying columns begins with several calls. */
  private static final int FEW = 4;

  /** Many more entries than a page has. */
  private static final int LARGE = 1 << 14;

  int count;

  /** Where the columns of this many entries fit. */
  private int capacity;

  /**
   * Ops, stamps and values are kept from the first entry that has one; until then they read as
   * zero.
   */
  private boolean hasOps;

  private boolean hasStamps;
  private boolean hasValues;
  private byte[] ops = {};
  private long[] stamps = {};
  private int[] valueStarts = {};
  private int[] valueLengths = {};
  private byte[] valueBytes = {};
  private int valueEnd;

  Entries() {}

  /** Number of entries. */
  public final int count() {
    return count;
  }

  /** The entry's {@link Op} bits. */
  public final byte op(int i) {
    return hasOps ? ops[i] : Op.PUT;
  }

  /** The entry's commit stamp, 0 if it is settled. */
  public final long stamp(int i) {
    return hasStamps ? stamps[i] : 0;
  }

  /** Length of the entry's value in bytes. */
  public final int valueLength(int i) {
    return hasValues ? valueLengths[i] : 0;
  }

  /**
   * Whether the entry is a counter: a commit writes the value applied last and its increment, so no
   * newer version is a conflict.
   */
  public boolean isCounter(int i) {
    return false;
  }

  /** A copy of the entry's value; empty if it has none. */
  public final byte[] value(int i) {
    int length = valueLength(i);
    return length == 0
        ? NO_VALUE
        : Arrays.copyOfRange(valueBytes, valueStarts[i], valueStarts[i] + length);
  }

  /**
   * The array that holds the entry's value from {@link #valueStart} on; valid until the next append
   * or clear.
   */
  public final byte[] valueArray() {
    return valueBytes;
  }

  /** The start of the entry's value in {@link #valueArray()}. */
  public final int valueStart(int i) {
    return hasValues ? valueStarts[i] : 0;
  }

  /** Whether the entry keeps its stamp where all snapshots see it, since it may expire (R13). */
  boolean keepsStamp(int i) {
    return false;
  }

  /** Whether the entry has expired for all snapshots, and nothing stored needs it (R13). */
  boolean mayGo(int i, Horizon horizon) {
    return false;
  }

  /** The entry's key as bytes, a new array. */
  public abstract byte[] key(int i);

  /** Compares keys, not stamps, with an entry of the same kind. */
  public abstract int compareKeys(int i, Entries that, int j);

  /** Compares the entry's key with a key or a bound (which may be shorter than a key). */
  public abstract int compareKey(int i, byte[] key);

  /** Adds a copy of an entry of the same kind. */
  public final void append(Entries from, int i) {
    appendKey(from, i);
    finish(from.op(i), from.stamp(i), from.valueBytes, from.valueStart(i), from.valueLength(i));
  }

  /** Adds copies of entries of the same kind, column by column. */
  public final void append(Entries from, int first, int end) {
    int more = end - first;
    if (more < FEW) {
      for (int i = first; i < end; i++) {
        append(from, i);
      }
      return;
    }
    ensure(more);
    appendKeys(from, first, end);
    if (hasOps || from.hasOps) {
      materializeOps();
      if (from.hasOps) {
        System.arraycopy(from.ops, first, ops, count, more);
      } else {
        Arrays.fill(ops, count, count + more, Op.PUT);
      }
    }
    if (hasStamps || from.hasStamps) {
      materializeStamps();
      if (from.hasStamps) {
        System.arraycopy(from.stamps, first, stamps, count, more);
      } else {
        Arrays.fill(stamps, count, count + more, 0);
      }
    }
    if (hasValues || from.hasValues) {
      materializeValues();
      reserveValueBytes(from.valueBytes(first, end));
      for (int i = first, to = count; i < end; i++, to++) {
        int length = from.valueLength(i);
        System.arraycopy(from.valueBytes, from.valueStart(i), valueBytes, valueEnd, length);
        valueStarts[to] = valueEnd;
        valueLengths[to] = length;
        valueEnd += length;
      }
    }
    count += more;
  }

  /**
   * Adds an entry.
   *
   * @param value null or empty for none; copied
   */
  public final void append(byte[] key, byte op, long stamp, byte[] value) {
    appendKey(key);
    finish(op, stamp, value, 0, value == null ? 0 : value.length);
  }

  /** Gives every entry this stamp: a commit learns its own only after it has built its entries. */
  public final void stampAll(long stamp) {
    materializeStamps();
    Arrays.fill(stamps, 0, count, stamp);
  }

  /** Forgets the entries and keeps the memory. */
  public void clear() {
    count = 0;
    hasOps = false;
    hasStamps = false;
    hasValues = false;
    valueEnd = 0;
  }

  /** Whether keys ascend and the versions of a key stand newest first, no two of one stamp. */
  public final boolean isSorted() {
    for (int i = 1; i < count; i++) {
      int order = compareKeys(i - 1, this, i);
      if (order > 0 || (order == 0 && stamp(i - 1) <= stamp(i))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Adds one version of each key to {@code into}, sorted. The entries need not be; of those with
   * one key the last counts.
   */
  public final void copyNewest(Entries into) {
    int[] order = keyOrder();
    int kept = 0;
    for (int i = 0; i < count; i++) {
      boolean last = i + 1 == count || compareKeys(order[i], this, order[i + 1]) != 0;
      if (last) {
        order[kept++] = order[i];
      }
    }
    into.append(this, order, kept);
  }

  /** The indexes of the entries in the order of their keys; those of one key as they stand. */
  int[] keyOrder() {
    return KeyOrder.of(this);
  }

  /** Adds copies of entries of the same kind in the order of their indexes, column by column. */
  private void append(Entries from, int[] indexes, int more) {
    ensure(more);
    appendKeys(from, indexes, more);
    if (hasOps || from.hasOps) {
      materializeOps();
      for (int i = 0; i < more; i++) {
        ops[count + i] = from.op(indexes[i]);
      }
    }
    if (hasStamps || from.hasStamps) {
      materializeStamps();
      for (int i = 0; i < more; i++) {
        stamps[count + i] = from.stamp(indexes[i]);
      }
    }
    if (hasValues || from.hasValues) {
      materializeValues();
      appendValues(from, indexes, more);
    }
    count += more;
  }

  private void appendValues(Entries from, int[] indexes, int more) {
    reserveValueBytes(from.valueEnd);
    for (int i = 0; i < more; i++) {
      int length = from.valueLength(indexes[i]);
      int start = from.valueStart(indexes[i]);
      System.arraycopy(from.valueBytes, start, valueBytes, valueEnd, length);
      valueStarts[count + i] = valueEnd;
      valueLengths[count + i] = length;
      valueEnd += length;
    }
  }

  /** Index of the first entry whose key is not below the key or bound. */
  public final int find(byte[] key) {
    return find(key, 0, count);
  }

  /** As {@link #find(byte[])}, among the entries from {@code from} up to {@code to}. */
  public final int find(byte[] key, int from, int to) {
    int low = from;
    int high = to;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compareKey(middle, key) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * Makes these the entries of a page without a stored base, because it was split, widened or newly
   * made: every entry is marked {@link Op#UNSTORED}. Settled tombstones go, since nothing is stored
   * that they could hide.
   */
  public final void markAllUnstored() {
    dropSettledTombstones(true);
    materializeOps();
    for (int i = 0; i < count; i++) {
      ops[i] |= Op.UNSTORED;
    }
  }

  /**
   * Makes these the entries of a page whose stored base holds them all: no marks, and no settled
   * tombstones.
   */
  public final void clearMarks() {
    dropSettledTombstones(true);
    if (hasOps) {
      for (int i = 0; i < count; i++) {
        ops[i] &= ~Op.UNSTORED;
      }
    }
  }

  /** Leaves only the entries that are marked as not in the stored base. */
  public final void keepUnstored() {
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (Op.isUnstored(op(i))) {
        move(i, kept++);
      }
    }
    truncate(kept);
  }

  abstract void appendKey(Entries from, int i);

  abstract void appendKey(byte[] key);

  /** Copies the keys of entries of the same kind to index {@code count}, where there is room. */
  abstract void appendKeys(Entries from, int first, int end);

  /** Copies the keys of entries of the same kind to index {@code count}, where there is room. */
  abstract void appendKeys(Entries from, int[] indexes, int more);

  /** Moves the key of an entry down to a lower index, over one no longer needed. */
  abstract void moveKey(int from, int to);

  abstract void growKeys(int capacity);

  /** Makes room for the key of one more entry, before it is written at index {@code count}. */
  public final void ensure(int more) {
    if (more > capacity - count) {
      int target =
          Math.max(Math.max(INITIAL, capacity + (capacity >> 1)), Math.addExact(count, more));
      growKeys(target);
      if (hasOps) {
        ops = Arrays.copyOf(ops, target);
      }
      if (hasStamps) {
        stamps = Arrays.copyOf(stamps, target);
      }
      if (hasValues) {
        valueStarts = Arrays.copyOf(valueStarts, target);
        valueLengths = Arrays.copyOf(valueLengths, target);
      }
      capacity = target;
    }
  }

  /** Makes room for entries and the bytes of their values, all at once. */
  public final void makeRoom(int more, int bytes) {
    ensure(more);
    reserveValueBytes(bytes);
  }

  /** The number of bytes of the values of some entries. */
  public final int valueBytes(int from, int to) {
    int bytes = 0;
    for (int i = from; hasValues && i < to; i++) {
      bytes += valueLengths[i];
    }
    return bytes;
  }

  /** Completes the entry whose key stands at index {@code count}. */
  final void finish(byte op, long stamp, byte[] value, int start, int length) {
    int i = count++;
    if (hasOps || op != Op.PUT) {
      materializeOps();
      ops[i] = op;
    }
    if (hasStamps || stamp != 0) {
      materializeStamps();
      stamps[i] = stamp;
    }
    if (hasValues || length != 0) {
      materializeValues();
      if (length > 0) {
        int target = reserveValueBytes(length);
        System.arraycopy(value, start, valueBytes, target, length);
      }
      valueStarts[i] = valueEnd;
      valueLengths[i] = length;
      valueEnd += length;
    }
  }

  /**
   * Completes {@code more} settled entries whose keys stand from index {@code count} on, without
   * values so far.
   */
  public final void finishRange(int more) {
    int from = count;
    count += more;
    if (hasOps) {
      Arrays.fill(ops, from, count, Op.PUT);
    }
    if (hasStamps) {
      Arrays.fill(stamps, from, count, 0);
    }
    if (hasValues) {
      Arrays.fill(valueStarts, from, count, valueEnd);
      Arrays.fill(valueLengths, from, count, 0);
    }
  }

  /** Changes what entry {@code i} does. */
  public final void setOp(int i, int op) {
    if (hasOps || op != Op.PUT) {
      materializeOps();
      ops[i] = (byte) op;
    }
  }

  /** Changes the timestamp of entry {@code i}. */
  public final void setStamp(int i, long stamp) {
    if (hasStamps || stamp != 0) {
      materializeStamps();
      stamps[i] = stamp;
    }
  }

  /** Makes room for bytes of values and says where they go; {@link #setValue} then claims them. */
  public final int reserveValueBytes(int length) {
    if (length > valueBytes.length - valueEnd) {
      valueBytes =
          Arrays.copyOf(
              valueBytes,
              Math.max(
                  Math.max(256, valueBytes.length + (valueBytes.length >> 1)),
                  Math.addExact(valueEnd, length)));
    }
    return valueEnd;
  }

  /** Changes where the value of entry {@code i} stands in the bytes of all values. */
  public final void setValue(int i, int start, int length) {
    materializeValues();
    valueStarts[i] = start;
    valueLengths[i] = length;
    valueEnd = Math.max(valueEnd, start + length);
  }

  /** Moves an entry down to a lower index, over one no longer needed. */
  final void move(int from, int to) {
    if (from == to) {
      return;
    }
    moveKey(from, to);
    if (hasOps) {
      ops[to] = ops[from];
    }
    if (hasStamps) {
      stamps[to] = stamps[from];
    }
    if (hasValues) {
      valueStarts[to] = valueStarts[from];
      valueLengths[to] = valueLengths[from];
    }
  }

  /** Drops the entries from this index on. */
  public final void truncate(int newCount) {
    assert newCount <= count : "count=" + count + ", newCount=" + newCount;
    count = newCount;
  }

  /** Whether there is room for more than pages have by far. */
  public final boolean isLarge() {
    return capacity > LARGE || valueBytes.length > LARGE * Long.BYTES;
  }

  final boolean hasOps() {
    return hasOps;
  }

  /** Whether an entry has had a stamp since the columns were cleared. */
  public final boolean hasStamps() {
    return hasStamps;
  }

  /** Whether an entry has a value that is not empty. */
  public final boolean hasValues() {
    return hasValues;
  }

  /** End of the versions of the key at {@code i}. */
  public final int groupEnd(int i) {
    int end = i + 1;
    while (end < count && compareKeys(i, this, end) == 0) {
      end++;
    }
    return end;
  }

  /**
   * Whether the entry is an older version of the key before it, by its neighbour and not by its
   * bit.
   */
  public final boolean followsItsKey(int i) {
    return i > 0 && compareKeys(i - 1, this, i) == 0;
  }

  /**
   * Drops the settled tombstones, which are the last of the versions of their keys.
   *
   * @param unstoredToo whether those go that the stored base does not hold
   */
  public final void dropSettledTombstones(boolean unstoredToo) {
    if (!hasOps) {
      return;
    }
    int kept = 0;
    for (int i = 0; i < count; i++) {
      boolean goes =
          Op.isTombstone(ops[i]) && stamp(i) == 0 && (unstoredToo || !Op.isUnstored(ops[i]));
      if (!goes) {
        move(i, kept++);
      }
    }
    truncate(kept);
  }

  private void materializeOps() {
    if (!hasOps) {
      if (ops.length < capacity) {
        ops = new byte[capacity];
      } else {
        Arrays.fill(ops, 0, count, Op.PUT);
      }
      hasOps = true;
    }
  }

  private void materializeStamps() {
    if (!hasStamps) {
      if (stamps.length < capacity) {
        stamps = new long[capacity];
      } else {
        Arrays.fill(stamps, 0, count, 0);
      }
      hasStamps = true;
    }
  }

  private void materializeValues() {
    if (!hasValues) {
      if (valueStarts.length < capacity) {
        valueStarts = new int[capacity];
        valueLengths = new int[capacity];
      } else {
        Arrays.fill(valueStarts, 0, count, 0);
        Arrays.fill(valueLengths, 0, count, 0);
      }
      hasValues = true;
    }
  }
}
