package io.bg3.core.page;

import io.bg3.core.block.FrameCodec;
import io.bg3.core.block.PageFrame;
import io.bg3.core.block.PageHeader;
import io.bg3.core.block.ValueBlock;
import io.bg3.core.entry.Bytes;
import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Op;
import io.bg3.storage.memory.BlockMemory;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Writes a block of an edge leaf that differs from another only around a few keys: what lies
 * between them is copied column by column and never taken apart. A commit changes a few of the
 * hundreds of entries of a page, and taking all of them apart and putting them together again was
 * the most expensive part of it.
 *
 * <pre>
 *   source   [ kept | cut | kept           | cut | kept ]
 *   result   [ kept | added | kept         | added | kept ]
 * </pre>
 *
 * <p>The result is the same, byte for byte, as what {@link EdgeLeafWriter} writes of the same
 * entries. An edit cuts all versions of a key, perhaps none, and adds those that take their place,
 * newest first, perhaps none; edits with nothing kept between them become one, so that what is laid
 * out of many new keys is a few stretches.
 *
 * <p>Filled by {@link #begin}, {@link #added} and {@link #edit} in key order, then {@link #layOut},
 * then written. Kept by a thread for its next use; belongs to it.
 */
final class EdgeSplice {
  private final EdgeEntries added = new EdgeEntries();
  private EdgeLeaf source;
  private ValueBlock sourceValues;

  /** Entries of the source; 0 if only its fences are used. */
  private int sourceCount;

  private int edits;
  private int[] cutFrom = new int[16];
  private int[] cutTo = new int[16];
  private int[] addedTo = new int[16];

  // The parts of the result, known after layOut: entries kept and entries added in turn.
  private final SpliceParts parts = new SpliceParts();
  private int count;
  private int valueBytes;
  private boolean sequences;
  private final EdgeRuns runs = new EdgeRuns();
  private byte[] ops = new byte[1024];
  private int opsUnion;
  private boolean uniformOps;
  private int stampRows;
  private long[] stamps = new long[64];
  private int[] positions = new int[64];
  private boolean oneStamp;
  private long newest;

  // Of the entries, for the search for split points.
  private int[] weights = {};
  private int[] stamped = {};

  /** Null where the result has the fences of the source. */
  private PageFrame frame;

  /** Begins with a block and the values that belong to it; null if it has none. */
  void begin(EdgeLeaf from, ValueBlock values) {
    source = from;
    sourceValues = values;
    sourceCount = from.count;
    frame = null;
    added.clear();
    edits = 0;
  }

  /** Gives the result other fences than the source has. */
  void frame(PageFrame of) {
    frame = of;
  }

  /** Begins with no entries and the fences of a block. */
  void beginEmpty(EdgeLeaf from) {
    begin(from, null);
    sourceCount = 0;
  }

  /** The entries to which the next edit's are appended. */
  EdgeEntries added() {
    return added;
  }

  /**
   * Puts what was appended to {@link #added} since the last edit in the place of source entries.
   *
   * @param from index of the first entry to go
   * @param to index behind the last entry to go
   */
  void edit(int from, int to) {
    if (edits > 0 && cutTo[edits - 1] == from) {
      cutTo[edits - 1] = to;
      addedTo[edits - 1] = added.count();
      return;
    }
    if (edits == cutFrom.length) {
      cutFrom = Arrays.copyOf(cutFrom, 2 * edits);
      cutTo = Arrays.copyOf(cutTo, 2 * edits);
      addedTo = Arrays.copyOf(addedTo, 2 * edits);
    }
    cutFrom[edits] = from;
    cutTo[edits] = to;
    addedTo[edits] = added.count();
    edits++;
  }

  /**
   * Finds out what the result consists of.
   *
   * @param floor stamps of kept entries up to it become 0, unless these may expire (R13)
   * @param marks which entries are marked
   */
  void layOut(long floor, Marks marks) {
    layOut(floor, marks, 0, Integer.MAX_VALUE);
  }

  /**
   * Lays out a piece of the result, which does not cut the versions of a key apart.
   *
   * @param from index of its first entry in the whole
   * @param to index behind its last
   */
  void layOut(long floor, Marks marks, int from, int to) {
    parts.count = 0;
    count = 0;
    valueBytes = 0;
    sequences = false;
    runs.clear();
    stampRows = 0;
    newest = 0;
    if (ops.length < sourceCount + added.count()) {
      ops = new byte[2 * (sourceCount + added.count())];
    }
    int at = 0;
    int next = 0;
    int position = 0;
    for (int edit = 0; edit < edits; edit++) {
      position = take(true, at, cutFrom[edit], position, from, to, floor);
      position = take(false, next, addedTo[edit], position, from, to, floor);
      at = cutTo[edit];
      next = addedTo[edit];
    }
    take(true, at, sourceCount, position, from, to, floor);
    LeafWriter.requireCount(count);
    summarize(marks);
  }

  /**
   * Takes those of some entries that lie in the piece.
   *
   * @param position of the first in the whole
   * @return position of what follows them
   */
  private int take(boolean kept, int first, int end, int position, int from, int to, long floor) {
    int low = first + Math.max(0, from - position);
    int high = first + Math.min(end - first, Math.max(0, to - position));
    if (low < high) {
      parts.add(kept, low, high);
      if (kept) {
        keep(low, high, floor);
      } else {
        add(low, high);
      }
    }
    return position + end - first;
  }

  private void keep(int from, int to, long floor) {
    int first = count;
    source.copyOps(from, to, ops, first);
    source.eachRun(from, to, runs);
    count = runs.entries();
    keepStamps(from, to, first, floor);
    sequences = sequences || source.anySequence(from, to);
    if (sourceValues != null) {
      valueBytes = Math.addExact(valueBytes, sourceValues.end(to - 1) - sourceValues.start(from));
    }
  }

  private void add(int from, int to) {
    for (int i = from; i < to; i++) {
      boolean older = i > from && added.followsItsKey(i);
      ops[count] = (byte) ((added.op(i) & ~Op.OLDER) | (older ? Op.OLDER : 0));
      addStamp(count, added.stamp(i));
      runs.add(added.owner(i), added.tagLabel(i), 1);
      count++;
      sequences |= added.sequence(i) != 0;
      valueBytes = Math.addExact(valueBytes, added.valueLength(i));
    }
  }

  private void keepStamps(int from, int to, int first, long floor) {
    if (source.stampCount() == 0) {
      return;
    }
    int run = source.runOf(from);
    if (!source.hasStampPositions()) {
      long stamp = source.stampAt(0);
      for (int i = from; i < to; i++) {
        run = source.runFrom(run, i);
        if (stamp > floor || source.keepsStamp(run, i)) {
          addStamp(first + i - from, stamp);
        }
      }
      return;
    }
    int rows = source.stampCount();
    for (int row = source.stampRow(from); row < rows; row++) {
      int i = source.stampPosition(row);
      if (i >= to) {
        return;
      }
      long stamp = source.stampAt(row);
      run = source.runFrom(run, i);
      if (stamp > floor || source.keepsStamp(run, i)) {
        addStamp(first + i - from, stamp);
      }
    }
  }

  private void addStamp(int position, long stamp) {
    if (stamp == 0) {
      return;
    }
    if (stampRows == stamps.length) {
      stamps = Arrays.copyOf(stamps, 2 * stampRows);
      positions = Arrays.copyOf(positions, 2 * stampRows);
    }
    stamps[stampRows] = stamp;
    positions[stampRows] = position;
    stampRows++;
    newest = Math.max(newest, stamp);
  }

  private void summarize(Marks marks) {
    opsUnion = 0;
    uniformOps = true;
    for (int i = 0; i < count; i++) {
      ops[i] = marks.of(ops[i]);
      opsUnion |= ops[i];
      uniformOps &= ops[i] == ops[0];
    }
    boolean alike = stampRows == count && count > 0;
    for (int row = 1; row < stampRows && alike; row++) {
      alike = stamps[row] == stamps[0];
    }
    oneStamp = alike;
  }

  /** Entries of the result. */
  int count() {
    return count;
  }

  /** The largest stamp of the result's entries. */
  long newest() {
    return newest;
  }

  /**
   * Whether the result is surely small enough for a page, by the measure of {@link SplitPoints}.
   */
  boolean fits(int capacity) {
    long versions =
        (long) runs.count() * runs.width()
            + (long) count * (Long.BYTES + (sequences ? Integer.BYTES : 0))
            + (long) runs.sortKeys() * Long.BYTES
            + (valueBytes > 0 ? (long) count * Short.BYTES + valueBytes : 0);
    int room = SplitPoints.room(capacity);
    return versions <= room
        && versions + (long) stampRows * (Long.BYTES + Short.BYTES) <= 2L * room;
  }

  /** The cuts of the entries that were laid out, see {@link LeafFormat#splitPoints}. */
  int[] splitPoints(int capacity, boolean appending) {
    if (weights.length < count) {
      weights = new int[ops.length];
      stamped = new int[ops.length];
    }
    int entry = Long.BYTES + (sequences ? Integer.BYTES : 0) + (valueBytes > 0 ? Short.BYTES : 0);
    runs.weigh(entry, stamped);
    if (valueBytes > 0) {
      weighValues();
    }
    for (int i = 0; i < count; i++) {
      weights[i] = Op.isOlder(ops[i]) ? 0 : stamped[i];
    }
    for (int row = 0; row < stampRows; row++) {
      stamped[positions[row]] += SplitPoints.STAMP;
    }
    return new SplitPoints(count, weights, stamped, capacity).find(appending);
  }

  private void weighValues() {
    int i = 0;
    for (int part = 0; part < parts.count; part++) {
      for (int each = parts.from[part]; each < parts.to[part]; each++) {
        if (!parts.kept[part]) {
          stamped[i] += added.valueLength(each);
        } else if (sourceValues != null) {
          stamped[i] += sourceValues.valueLength(each);
        }
        i++;
      }
    }
  }

  /** The key of an entry of what was laid out. */
  byte[] key(int i) {
    return parts.key(i, source, added);
  }

  /** Bytes of header and columns. */
  int length() {
    return Bytes.align8(opsAt() + (uniformOps ? 0 : count));
  }

  /** Bytes of the values, 0 if there are none. */
  int valuesLength() {
    return valueBytes == 0 ? 0 : ValueBlock.length(count, valueBytes);
  }

  private int columnsAt() {
    return Bytes.align8(fencesEnd());
  }

  private int fencesEnd() {
    return frame == null ? source.fencesEnd() : PageHeader.FENCES + FrameCodec.length(frame);
  }

  private int sortKeysAt() {
    return columnsAt() + runs.count() * EdgeLeaf.RUN + count * Long.BYTES;
  }

  private int stampsAt() {
    return sortKeysAt() + runs.sortKeys() * Long.BYTES;
  }

  private int sequencesAt() {
    return stampsAt() + (oneStamp ? 1 : stampRows) * Long.BYTES;
  }

  private int sortStartsAt() {
    return sequencesAt() + (sequences ? count * Integer.BYTES : 0);
  }

  private int positionsAt() {
    return sortStartsAt() + (runs.sortKeys() > 0 ? runs.count() * Integer.BYTES : 0);
  }

  private int opsAt() {
    return positionsAt() + (oneStamp ? 0 : stampRows * LeafBlock.positionWidth(count));
  }

  /**
   * Writes header and columns.
   *
   * @param flags of the header besides those that follow from the entries
   * @param newestOfPage at least {@link #newest}
   */
  void write(ByteBuffer to, int at, int flags, long newestOfPage, long cut) {
    if (frame == null) {
      to.put(at, source.slab, source.at, source.fencesEnd());
    } else {
      Bytes.zero(to, at, at + PageHeader.FENCES);
      to.put(at + PageHeader.KIND, (byte) PageHeader.EDGE_LEAF);
      FrameCodec.write(frame, to, at);
    }
    Bytes.zero(to, at + fencesEnd(), at + columnsAt());
    int all =
        flags
            | (sequences ? PageHeader.FLAG_SEQUENCES : 0)
            | (runs.sortKeys() > 0 ? PageHeader.FLAG_SORT_KEYS : 0)
            | (uniformOps ? 0 : PageHeader.FLAG_OPS)
            | (oneStamp ? PageHeader.FLAG_ONE_STAMP : 0)
            | (valueBytes > 0 ? PageHeader.FLAG_VALUES : 0);
    to.put(at + PageHeader.FLAGS, (byte) all);
    to.put(at + PageHeader.OP, (byte) opsUnion);
    to.putInt(at + PageHeader.LENGTH, length());
    to.putInt(at + PageHeader.COUNT, count);
    to.putInt(at + PageHeader.STAMP_COUNT, oneStamp ? 1 : stampRows);
    to.putInt(at + PageHeader.RUNS, runs.count());
    to.putLong(at + PageHeader.NEWEST_STAMP, newestOfPage);
    to.putLong(at + PageHeader.CUT, cut);
    to.putLong(at + PageHeader.BASE, 0);
    to.putLong(at + PageHeader.VALUES, 0);
    to.putInt(at + PageHeader.SORT_KEYS, runs.sortKeys());
    long owners = runs.write(to, at + columnsAt(), at + sortStartsAt());
    to.putLong(at + PageHeader.OWNERS, owners);
    writeEntries(to, at);
    writeStamps(to, at);
    if (!uniformOps) {
      to.put(at + opsAt(), ops, 0, count);
    }
    Bytes.zero(to, at + opsAt() + (uniformOps ? 0 : count), at + length());
  }

  private void writeEntries(ByteBuffer to, int at) {
    int otherAt = at + columnsAt() + runs.count() * EdgeLeaf.RUN;
    int sequenceAt = sequences ? at + sequencesAt() : 0;
    int sortKeyAt = at + sortKeysAt();
    for (int part = 0; part < parts.count; part++) {
      int from = parts.from[part];
      int end = parts.to[part];
      if (parts.kept[part]) {
        source.putOthers(from, end, to, otherAt);
        otherAt += (end - from) * Long.BYTES;
        if (sequences) {
          source.putSequences(from, end, to, sequenceAt);
          sequenceAt += (end - from) * Integer.BYTES;
        }
        sortKeyAt += source.putSortKeys(from, end, to, sortKeyAt);
        continue;
      }
      for (int i = from; i < end; i++) {
        to.putLong(otherAt, added.other(i));
        otherAt += Long.BYTES;
        if (sequences) {
          to.putInt(sequenceAt, added.sequence(i));
          sequenceAt += Integer.BYTES;
        }
        if (EdgeKey.isIndex(added.tagLabel(i))) {
          to.putLong(sortKeyAt, added.sortKey(i));
          sortKeyAt += Long.BYTES;
        }
      }
    }
  }

  private void writeStamps(ByteBuffer to, int at) {
    int stampAt = at + stampsAt();
    if (oneStamp) {
      to.putLong(stampAt, newest);
      return;
    }
    int width = LeafBlock.positionWidth(count);
    int positionAt = at + positionsAt();
    for (int row = 0; row < stampRows; row++) {
      to.putLong(stampAt, stamps[row]);
      if (width == Short.BYTES) {
        to.putShort(positionAt, (short) positions[row]);
      } else {
        to.putInt(positionAt, positions[row]);
      }
      stampAt += Long.BYTES;
      positionAt += width;
    }
  }

  /** Writes the values, where there are some. */
  void writeValues(ByteBuffer to, int at) {
    ValueBlock.Filler filler = new ValueBlock.Filler(to, at, count, valueBytes);
    for (int part = 0; part < parts.count; part++) {
      if (parts.kept[part]) {
        filler.copy(sourceValues, parts.from[part], parts.to[part]);
      } else {
        filler.add(added, parts.from[part], parts.to[part]);
      }
    }
    filler.finish();
  }

  /** Allocates a base and its values and writes both. */
  long writeBase(BlockMemory memory, LeafFormat format, long cut) {
    long values = 0;
    if (valueBytes > 0) {
      values = memory.allocate(valuesLength());
      writeValues(memory.slab(values), BlockMemory.offset(values));
    }
    long base = format.allocateBeside(values, length());
    ByteBuffer slab = memory.slab(base);
    int at = BlockMemory.offset(base);
    write(slab, at, 0, newest, cut);
    slab.putLong(at + PageHeader.VALUES, values);
    return base;
  }

  /** Allocates a delta over a base and writes it. */
  long writeDelta(BlockMemory memory, long newestOfPage, long base) {
    int inside = valueBytes > 0 ? PageHeader.FLAG_VALUES_INSIDE : 0;
    int columns = length();
    int length = columns + valuesLength();
    long delta = memory.allocate(length);
    ByteBuffer slab = memory.slab(delta);
    int at = BlockMemory.offset(delta);
    write(slab, at, PageHeader.FLAG_DELTA | inside, newestOfPage, source.cut());
    if (inside != 0) {
      writeValues(slab, at + columns);
      slab.putInt(at + PageHeader.LENGTH, length);
    }
    slab.putLong(at + PageHeader.BASE, base);
    return delta;
  }
}
