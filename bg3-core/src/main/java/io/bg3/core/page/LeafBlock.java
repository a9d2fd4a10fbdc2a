package io.bg3.core.page;

import io.bg3.core.block.PageHeader;
import io.bg3.core.block.ValueBlock;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Op;
import io.bg3.storage.memory.BlockMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * View of one block of a leaf, base or delta: where its columns are, and what they say about ops,
 * stamps and values. Slab and offset are resolved once, when the view is placed; it can be placed
 * again, so that a thread with many look-ups need not allocate. The keys belong to the two kinds
 * below.
 *
 * <p>The bytes may be stale, because a reader held an address too long, or foreign, because an
 * image was damaged. So before anything is read by an offset, the lengths that the header claims
 * are laid out and must end where the header says that the block ends, and that inside its buffer;
 * every loop here is bounded by those lengths.
 */
abstract class LeafBlock {
  /**
   * Most entries of a block. A base is split long before; the delta of a large commit may have many
   * until it is consolidated.
   */
  static final int MAX_COUNT = (1 << 24) - 1;

  /** A reader copies each entry once or twice, so more than this is a sign of foreign bytes. */
  private static final int MOST_COPIES = 4;

  private static final VarHandle INTS =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private long copied; // entries since the view was placed

  ByteBuffer slab;
  int at;
  int flags;

  /**
   * The bits that any of the ops has; where there is no ops column they are the ops of every entry.
   */
  int opsUnion;

  int count;

  /** The largest stamp in this block, in a delta also of its base. */
  long newest;

  private int stampCount;
  private int length;

  /** Offsets of columns in the slab; 0 where there is none. */
  private int opsAt;

  private int stampsAt;
  private int stampPositionsAt;

  /** End of the column placed last, see {@link #place}. */
  private long end;

  /** Null while nobody has asked for it. */
  private ValueBlock values;

  private ValueBlock ownValues;

  @SuppressWarnings("UnusedVariable") // see fetchValues
  private int fetched;

  /** Places the view at a block, in place of the one where it was before. */
  abstract void place(ByteBuffer block, int offset);

  /** Reads the header and places the columns up to the fences, all others nowhere. */
  final void placeHeader(ByteBuffer block, int offset, int kind) {
    slab = block;
    at = offset;
    opsAt = 0;
    stampsAt = 0;
    stampPositionsAt = 0;
    values = null;
    if (at < 0
        || at > slab.capacity() - PageHeader.FENCES
        || slab.get(at + PageHeader.KIND) != kind) {
      throw new IllegalStateException("no leaf of this kind here: kind=" + kind + ", offset=" + at);
    }
    copied = 0;
    flags = slab.get(at + PageHeader.FLAGS);
    opsUnion = slab.get(at + PageHeader.OP);
    length = slab.getInt(at + PageHeader.LENGTH);
    count = slab.getInt(at + PageHeader.COUNT);
    stampCount = slab.getInt(at + PageHeader.STAMP_COUNT);
    newest = slab.getLong(at + PageHeader.NEWEST_STAMP);
    if (((count | stampCount) & ~MAX_COUNT) != 0
        || length < PageHeader.FENCES
        || length > slab.capacity() - at
        || count > length / Long.BYTES) { // an entry has 8 bytes at least: a neighbour, or a head
      throw new IllegalStateException(
          "no leaf here: length="
              + length
              + ", count="
              + count
              + ", stamps="
              + stampCount
              + ", offset="
              + at);
    }
    int low = u16(PageHeader.LOW_LENGTH);
    int high = u16(PageHeader.HIGH_LENGTH);
    end = at;
    place(PageHeader.FENCES);
    place(low == PageHeader.NO_FENCE ? 0 : low);
    place(high == PageHeader.NO_FENCE ? 0 : high);
  }

  final int u16(int field) {
    return slab.getShort(at + field) & 0xFFFF;
  }

  /** Bytes of the index of an entry. */
  static int positionWidth(int count) {
    return count <= 1 << Short.SIZE ? Short.BYTES : Integer.BYTES;
  }

  /** Places the next column and says where it begins. */
  final int place(long bytes) {
    long start = end;
    end += bytes;
    return (int) start;
  }

  final void align() {
    end = ((end - at + 7) & -8L) + at;
  }

  final void placeStamps() {
    if (stampCount > 0) {
      stampsAt = place((long) stampCount * Long.BYTES);
    }
  }

  final void placeStampPositions() {
    if (stampCount > 0 && !has(PageHeader.FLAG_ONE_STAMP)) {
      stampPositionsAt = place((long) stampCount * positionWidth(count));
    }
  }

  final void placeOps() {
    if (has(PageHeader.FLAG_OPS)) {
      opsAt = place(count);
    }
  }

  /** Compares the columns that were placed with the length that the header claims. */
  final void finishLayout() {
    align();
    int valuesInside = 0;
    if (has(PageHeader.FLAG_VALUES_INSIDE)) {
      valuesInside = length - (int) (end - at);
    }
    if (end - at + valuesInside != length || valuesInside < 0) {
      throw new IllegalStateException(
          "columns do not fill the block: columns="
              + (end - at)
              + ", length="
              + length
              + ", offset="
              + at);
    }
  }

  /** Bytes of header and columns, without values inside the block. */
  final int columnsLength() {
    return (int) (end - at);
  }

  final boolean has(int flag) {
    return (flags & flag) != 0;
  }

  final boolean isDelta() {
    return has(PageHeader.FLAG_DELTA);
  }

  final long base() {
    return slab.getLong(at + PageHeader.BASE);
  }

  final long cut() {
    return slab.getLong(at + PageHeader.CUT);
  }

  final int length() {
    return length;
  }

  final int stampCount() {
    return stampCount;
  }

  final int op(int i) {
    return opsAt == 0 ? opsUnion : slab.get(opsAt + i);
  }

  final long stamp(int i) {
    if (stampCount == 0) {
      return 0;
    }
    if (stampPositionsAt == 0) {
      return slab.getLong(stampsAt);
    }
    int row = stampRow(i);
    return row < stampCount && stampPosition(row) == i ? stampAt(row) : 0;
  }

  /** The first row of the stamps columns that is for an entry at or behind {@code i}. */
  final int stampRow(int i) {
    if (stampPositionsAt == 0) {
      return 0;
    }
    int low = 0;
    int high = stampCount;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (stampPosition(middle) < i) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  final int stampPosition(int row) {
    return positionWidth(count) == Short.BYTES
        ? slab.getShort(stampPositionsAt + row * Short.BYTES) & 0xFFFF
        : slab.getInt(stampPositionsAt + row * Integer.BYTES);
  }

  final long stampAt(int row) {
    return slab.getLong(stampsAt + row * Long.BYTES);
  }

  final boolean hasStampPositions() {
    return stampPositionsAt != 0;
  }

  /** The largest stamp of the entries from {@code from} up to {@code to}. */
  final long newestIn(int from, int to) {
    if (stampCount == 0 || from >= to) {
      return 0;
    }
    if (stampPositionsAt == 0) {
      return slab.getLong(stampsAt);
    }
    long largest = 0;
    for (int row = stampRow(from); row < stampCount && stampPosition(row) < to; row++) {
      largest = Math.max(largest, stampAt(row));
    }
    return largest;
  }

  /** Whether a snapshot sees every entry of the block as it stands. */
  final boolean isPlainFor(long snapshot) {
    return (opsUnion & (Op.TOMBSTONE | Op.OLDER)) == 0 && (stampCount == 0 || newest <= snapshot);
  }

  /** End of the versions of the key whose newest stands at {@code i}. */
  final int groupEnd(int i) {
    int next = i + 1;
    if ((opsUnion & Op.OLDER) != 0) {
      while (next < count && Op.isOlder(op(next))) {
        next++;
      }
    }
    return next;
  }

  /**
   * The newest of the versions at {@code from} up to {@code to} that a snapshot sees, -1 if it sees
   * none.
   */
  final int visible(int from, int to, long snapshot) {
    for (int i = from; i < to; i++) {
      if (stamp(i) <= snapshot) {
        return i;
      }
    }
    return -1;
  }

  /** Copies the ops of entries. */
  final void copyOps(int from, int to, byte[] into, int first) {
    if (opsAt == 0) {
      Arrays.fill(into, first, first + to - from, (byte) opsUnion);
    } else {
      slab.get(opsAt + from, into, first, to - from);
    }
  }

  /**
   * The newest version of the first key, at {@code from} or behind it, that is a tombstone or has
   * older versions; the number of entries if there is none.
   *
   * @param from where the versions of a key begin
   */
  final int nextSpecial(int from) {
    if ((opsUnion & (Op.TOMBSTONE | Op.OLDER)) == 0) {
      return count;
    }
    for (int i = from; i < count; i++) {
      int op = op(i);
      if (Op.isOlder(op)) {
        return i - 1;
      }
      if (Op.isTombstone(op)) {
        return i;
      }
    }
    return count;
  }

  /** Offset in the block of the first byte behind the fences. */
  final int fencesEnd() {
    int low = u16(PageHeader.LOW_LENGTH);
    int high = u16(PageHeader.HIGH_LENGTH);
    return PageHeader.FENCES
        + (low == PageHeader.NO_FENCE ? 0 : low)
        + (high == PageHeader.NO_FENCE ? 0 : high);
  }

  /** Entries that the stored base does not hold. */
  final int markedCount() {
    if (opsAt == 0 || (opsUnion & Op.UNSTORED) == 0) {
      return Op.isUnstored(opsUnion) ? count : 0;
    }
    int marked = 0;
    for (int i = 0; i < count; i++) {
      marked += Op.isUnstored(op(i)) ? 1 : 0;
    }
    return marked;
  }

  /** Address of the block of values, or their offset inside this block; 0 without values. */
  final long valuesAddress() {
    return slab.getLong(at + PageHeader.VALUES);
  }

  /** Whether this block or that of its values, once looked at, has a slab of its own. */
  final boolean isLarge() {
    return BlockMemory.isLarge(length) || (values != null && BlockMemory.isLarge(values.length()));
  }

  /** Whether the values have a block of their own, which goes with this one. */
  final boolean ownsValueBlock() {
    return has(PageHeader.FLAG_VALUES) && !has(PageHeader.FLAG_VALUES_INSIDE);
  }

  /** The block of the values; null without values. */
  final ValueBlock values(BlockMemory memory) {
    if (values == null && has(PageHeader.FLAG_VALUES)) {
      if (ownValues == null) {
        ownValues = new ValueBlock();
      }
      if (has(PageHeader.FLAG_VALUES_INSIDE)) {
        ownValues.place(slab, at + columnsLength(), count);
      } else {
        long address = valuesAddress();
        ownValues.place(memory.slab(address), BlockMemory.offset(address), count);
      }
      values = ownValues;
    }
    return values;
  }

  /** Says where the values are before they are in memory. */
  final void values(ValueBlock block) {
    values = block;
  }

  /**
   * Reads the first line of the values' own block, so that it comes while the key is searched for.
   * The load is an acquire so that it is not put off until its result is needed.
   */
  final void fetchValues(BlockMemory memory) {
    if (ownsValueBlock()) {
      long address = valuesAddress();
      fetched = (int) INTS.getAcquire(memory.slab(address), BlockMemory.offset(address));
      values(memory);
    }
  }

  /** Reads where the values of some entries end, if {@link #fetchValues} was called. */
  final void fetchEnds(int from, int to) {
    if (values != null && from < to) {
      fetched = values.end(from) + values.end(to - 1);
    }
  }

  /**
   * Says what {@link io.bg3.core.block.RunPrefetch} the last look-up has read, so that this one
   * looks there first.
   *
   * @param part of the run that may be before the key; negative if nobody knows
   */
  void expect(long lines, float part) {}

  /** Index of the newest version of a key, -1 if it is not here. */
  int at(byte[] key) {
    int at = find(key);
    return at < count && hasKey(at, key) ? at : -1;
  }

  /** Index of the first entry whose key is not below the key or bound. */
  abstract int find(byte[] bound);

  /**
   * Index of the first entry from {@code from} on whose key is not below that of another block's.
   */
  abstract int find(LeafBlock that, int j, int from);

  /** Index of the first entry whose key is not below that of an entry on the heap. */
  abstract int find(Entries that, int j);

  /** Whether the key at {@code i} is this one. */
  abstract boolean hasKey(int i, byte[] key);

  /** Whether the key at {@code i} is that of another block's entry. */
  abstract boolean hasKey(int i, LeafBlock that, int j);

  /** Whether the key at {@code i} is that of an entry on the heap. */
  abstract boolean hasKey(int i, Entries that, int j);

  /** Copies keys behind the last entry of {@code into}, where there is room. */
  abstract void copyKeys(int from, int to, Entries into);

  abstract byte[] key(int i);

  /** Whether an entry with the key may expire (R13). */
  boolean mayExpire(byte[] key) {
    return false;
  }

  /** Copies the stamps of entries that may expire, see {@link #copyPlain}. */
  void copyKeptStamps(int from, int to, int first, Entries into) {}

  /** Whether a delta may hold the key, without reading more than its header. */
  abstract boolean mayHold(byte[] key);

  /** Whether a delta may hold keys of the range, without reading more than its header. */
  abstract boolean mayHold(byte[] low, byte[] high);

  /**
   * Adds entries as a reader sees them: settled, but for those that may expire, with no bits but
   * that of a location.
   */
  final void copyPlain(int from, int to, ValueBlock from0, Entries into) {
    if (from >= to) {
      return;
    }
    int first = into.count();
    copyAll(from, to, from0, into);
    if ((opsUnion & Op.LOCATION) != 0) {
      for (int i = from; i < to; i++) {
        if (Op.isLocation(op(i))) {
          into.setOp(first + i - from, Op.LOCATION);
        }
      }
    }
    if (stampCount > 0) {
      copyKeptStamps(from, to, first, into);
    }
  }

  /** Adds entries as they stand, with all bits and stamps. */
  final void copyRaw(int from, int to, ValueBlock from0, Entries into) {
    if (from >= to) {
      return;
    }
    int first = into.count();
    copyAll(from, to, from0, into);
    if (opsUnion != 0) {
      for (int i = from; i < to; i++) {
        into.setOp(first + i - from, op(i));
      }
    }
    if (stampCount > 0) {
      copyStamps(from, to, first, into);
    }
  }

  final void copyStamps(int from, int to, int first, Entries into) {
    if (stampPositionsAt == 0) {
      long stamp = slab.getLong(stampsAt);
      for (int i = from; i < to; i++) {
        into.setStamp(first + i - from, stamp);
      }
      return;
    }
    for (int row = stampRow(from); row < stampCount && stampPosition(row) < to; row++) {
      into.setStamp(first + stampPosition(row) - from, stampAt(row));
    }
  }

  private void copyAll(int from, int to, ValueBlock from0, Entries into) {
    copied += to - from;
    if (to > count || copied > MOST_COPIES * (long) count) { // foreign bytes: runs that overlap
      throw new IllegalStateException(
          "no entries here: from=" + from + ", to=" + to + ", count=" + count);
    }
    int first = into.count();
    into.ensure(to - from);
    copyKeys(from, to, into);
    into.finishRange(to - from);
    if (from0 != null) {
      from0.copy(from, to, into, first);
    }
  }
}
