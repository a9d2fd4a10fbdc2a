package io.bg3.core.page;

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
 * entries. An edit concerns one key: it cuts all versions of the key, perhaps none, and adds those
 * that take their place, newest first, perhaps none.
 *
 * <p>Filled by {@link #begin}, {@link #added} and {@link #edit} in key order, then {@link #layOut},
 * then written. Kept by a thread for its next use; belongs to it.
 */
final class EdgeSplice {
  private final EdgeEntries added = new EdgeEntries();
  private final RunSink runSink = this::addRun;
  private EdgeLeaf source;
  private ValueBlock sourceValues;

  private int edits;
  private int[] cutFrom = new int[16];
  private int[] cutTo = new int[16];
  private int[] addedTo = new int[16];

  // What the result consists of, known after layOut.
  private int count;
  private int sortKeys;
  private int valueBytes;
  private boolean sequences;
  private int runs;
  private long[] owners = new long[64];
  private int[] tagLabels = new int[64];
  private int[] starts = new int[64];
  private int[] sortStarts = new int[64];
  private byte[] ops = new byte[1024];
  private int opsUnion;
  private boolean uniformOps;
  private int stampRows;
  private long[] stamps = new long[64];
  private int[] positions = new int[64];
  private boolean oneStamp;
  private long newest;

  /** Begins with a block and the values that belong to it; null if it has none. */
  void begin(EdgeLeaf from, ValueBlock values) {
    source = from;
    sourceValues = values;
    added.clear();
    edits = 0;
  }

  /** Where the entries of the next edit are appended. */
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
   * @param floor stamps of kept entries up to it become 0
   * @param marks bits that every op gets
   */
  void layOut(long floor, int marks) {
    count = 0;
    sortKeys = 0;
    valueBytes = 0;
    sequences = false;
    runs = 0;
    stampRows = 0;
    newest = 0;
    if (ops.length < source.count + added.count()) {
      ops = new byte[2 * (source.count + added.count())];
    }
    int at = 0;
    int next = 0;
    for (int edit = 0; edit < edits; edit++) {
      keep(at, cutFrom[edit], floor);
      add(next, addedTo[edit]);
      at = cutTo[edit];
      next = addedTo[edit];
    }
    keep(at, source.count, floor);
    summarize(marks);
  }

  private void keep(int from, int to, long floor) {
    if (from >= to) {
      return;
    }
    int first = count;
    source.copyOps(from, to, ops, first);
    source.eachRun(from, to, runSink);
    keepStamps(from, to, first, floor);
    sequences = sequences || source.anySequence(from, to);
    if (sourceValues != null) {
      valueBytes += sourceValues.end(to - 1) - sourceValues.start(from);
    }
  }

  private void add(int from, int to) {
    for (int i = from; i < to; i++) {
      ops[count] = (byte) ((added.op(i) & ~Op.OLDER) | (i > from ? Op.OLDER : 0));
      addStamp(count, added.stamp(i));
      addRun(added.owner(i), added.tagLabel(i), 1);
      sequences |= added.sequence(i) != 0;
      valueBytes += added.valueLength(i);
    }
  }

  /** Adds so many entries, to the last run if that is theirs. */
  private void addRun(long owner, int tagLabel, int entries) {
    int last = runs - 1;
    if (last < 0 || owners[last] != owner || tagLabels[last] != tagLabel) {
      if (runs == owners.length) {
        owners = Arrays.copyOf(owners, 2 * runs);
        tagLabels = Arrays.copyOf(tagLabels, 2 * runs);
        starts = Arrays.copyOf(starts, 2 * runs);
        sortStarts = Arrays.copyOf(sortStarts, 2 * runs);
      }
      owners[runs] = owner;
      tagLabels[runs] = tagLabel;
      starts[runs] = count;
      sortStarts[runs] = sortKeys;
      runs++;
    }
    count += entries;
    sortKeys += EdgeKey.isIndex(tagLabel) ? entries : 0;
  }

  private void keepStamps(int from, int to, int first, long floor) {
    if (source.stampCount() == 0) {
      return;
    }
    if (!source.hasStampPositions()) {
      long stamp = source.stampAt(0);
      for (int i = from; i < to && stamp > floor; i++) {
        addStamp(first + i - from, stamp);
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
      if (stamp > floor) {
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

  private void summarize(int marks) {
    int union = 0;
    boolean uniform = true;
    for (int i = 0; i < count; i++) {
      int op = ops[i] | marks;
      ops[i] = (byte) op;
      union |= op;
      uniform &= op == ops[0];
    }
    opsUnion = union;
    uniformOps = uniform;
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
    long run = sortKeys > 0 ? EdgeLeaf.LONGEST_RUN : EdgeLeaf.RUN;
    long versions =
        runs * run
            + (long) count * (Long.BYTES + (sequences ? Integer.BYTES : 0))
            + (long) sortKeys * Long.BYTES
            + (valueBytes > 0 ? (long) count * Short.BYTES + valueBytes : 0);
    int room = SplitPoints.room(capacity);
    return versions <= room
        && versions + (long) stampRows * (Long.BYTES + Short.BYTES) <= 2L * room;
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
    return Bytes.align8(source.fencesEnd());
  }

  private int sortKeysAt() {
    return columnsAt() + runs * EdgeLeaf.RUN + count * Long.BYTES;
  }

  private int stampsAt() {
    return sortKeysAt() + sortKeys * Long.BYTES;
  }

  private int sequencesAt() {
    return stampsAt() + (oneStamp ? 1 : stampRows) * Long.BYTES;
  }

  private int sortStartsAt() {
    return sequencesAt() + (sequences ? count * Integer.BYTES : 0);
  }

  private int positionsAt() {
    return sortStartsAt() + (sortKeys > 0 ? runs * Integer.BYTES : 0);
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
    int fencesEnd = source.fencesEnd();
    to.put(at, source.slab, source.at, fencesEnd);
    Bytes.zero(to, at + fencesEnd, at + columnsAt());
    int all =
        flags
            | (sequences ? PageHeader.FLAG_SEQUENCES : 0)
            | (sortKeys > 0 ? PageHeader.FLAG_SORT_KEYS : 0)
            | (uniformOps ? 0 : PageHeader.FLAG_OPS)
            | (oneStamp ? PageHeader.FLAG_ONE_STAMP : 0)
            | (valueBytes > 0 ? PageHeader.FLAG_VALUES : 0);
    to.put(at + PageHeader.FLAGS, (byte) all);
    to.put(at + PageHeader.OP, (byte) opsUnion);
    to.putInt(at + PageHeader.LENGTH, length());
    to.putInt(at + PageHeader.COUNT, count);
    to.putInt(at + PageHeader.STAMP_COUNT, oneStamp ? 1 : stampRows);
    to.putInt(at + PageHeader.RUNS, runs);
    to.putLong(at + PageHeader.NEWEST_STAMP, newestOfPage);
    to.putLong(at + PageHeader.CUT, cut);
    to.putLong(at + PageHeader.BASE, 0);
    to.putLong(at + PageHeader.VALUES, 0);
    to.putInt(at + PageHeader.SORT_KEYS, sortKeys);
    writeRuns(to, at);
    writeEntries(to, at);
    writeStamps(to, at);
    if (!uniformOps) {
      to.put(at + opsAt(), ops, 0, count);
    }
    Bytes.zero(to, at + opsAt() + (uniformOps ? 0 : count), at + length());
  }

  private void writeRuns(ByteBuffer to, int at) {
    int runAt = at + columnsAt();
    int sortStartAt = at + sortStartsAt();
    long filter = 0;
    for (int run = 0; run < runs; run++) {
      to.putLong(runAt, owners[run]);
      to.putInt(runAt + EdgeLeaf.RUN_TAG_LABEL, tagLabels[run]);
      to.putInt(runAt + EdgeLeaf.RUN_START, starts[run]);
      filter |= PageHeader.ownerBit(owners[run]);
      runAt += EdgeLeaf.RUN;
      if (sortKeys > 0) {
        to.putInt(sortStartAt, sortStarts[run]);
        sortStartAt += Integer.BYTES;
      }
    }
    to.putLong(at + PageHeader.OWNERS, filter);
  }

  private void writeEntries(ByteBuffer to, int at) {
    int otherAt = at + columnsAt() + runs * EdgeLeaf.RUN;
    int sequenceAt = sequences ? at + sequencesAt() : 0;
    int sortKeyAt = at + sortKeysAt();
    int from = 0;
    int next = 0;
    for (int edit = 0; edit <= edits; edit++) {
      int end = edit < edits ? cutFrom[edit] : source.count;
      if (end > from) {
        int kept = end - from;
        source.putOthers(from, end, to, otherAt);
        otherAt += kept * Long.BYTES;
        if (sequences) {
          source.putSequences(from, end, to, sequenceAt);
          sequenceAt += kept * Integer.BYTES;
        }
        sortKeyAt += source.putSortKeys(from, end, to, sortKeyAt);
      }
      if (edit == edits) {
        return;
      }
      for (; next < addedTo[edit]; next++) {
        to.putLong(otherAt, added.other(next));
        otherAt += Long.BYTES;
        if (sequences) {
          to.putInt(sequenceAt, added.sequence(next));
          sequenceAt += Integer.BYTES;
        }
        if (EdgeKey.isIndex(added.tagLabel(next))) {
          to.putLong(sortKeyAt, added.sortKey(next));
          sortKeyAt += Long.BYTES;
        }
      }
      from = cutTo[edit];
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
    int from = 0;
    int next = 0;
    for (int edit = 0; edit <= edits; edit++) {
      int end = edit < edits ? cutFrom[edit] : source.count;
      if (end > from) {
        filler.copy(sourceValues, from, end);
      }
      if (edit < edits) {
        for (; next < addedTo[edit]; next++) {
          filler.add(added, next);
        }
        from = cutTo[edit];
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
  long writeDelta(BlockMemory memory, long newestOfPage) {
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
    slab.putLong(at + PageHeader.BASE, source.base());
    return delta;
  }
}
