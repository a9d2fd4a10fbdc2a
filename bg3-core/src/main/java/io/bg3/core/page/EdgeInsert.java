package io.bg3.core.page;

import io.bg3.core.block.PageHeader;
import io.bg3.core.block.ValueBlock;
import io.bg3.core.entry.Bytes;
import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Op;
import io.bg3.storage.memory.BlockMemory;
import java.nio.ByteBuffer;

/**
 * Writes the delta that a page has when a commit has brought it a few entries, as most commits do:
 * an edge, and what becomes of a degree. The columns are those of the delta before, each with a few
 * rows more. Nothing is taken apart, and nothing about the old entries is found out again, except
 * that an entry whose key has a new version is an older one.
 *
 * <p>The result is the same, byte for byte, as that of {@link EdgeSplice}. Where columns would have
 * to come or go, but for that of the ops, it is left to that. Kept by a thread for its next use;
 * belongs to it.
 */
final class EdgeInsert {
  /** Entries that are added at once. */
  static final int MOST = 4;

  /** Largest sum of values whose ends have two bytes. */
  private static final int MOST_VALUE_BYTES = 0xFFFF;

  /** Entries whose numbers have two bytes, as {@link LeafBlock#positionWidth} has it. */
  private static final int MOST_ENTRIES = (1 << Short.SIZE) + 1 - MOST;

  private static final int RUN_REST = EdgeLeaf.RUN_TAG_LABEL;

  // Of each entry that is added:
  private final int[] rows = new int[MOST]; // of the source, the one that it stands before
  private final int[] runs = new int[MOST]; // of the source, its own or the one before which its is
  private final boolean[] newRun = new boolean[MOST];
  private final boolean[] over = new boolean[MOST]; // whether that row is a version of its key

  private EdgeLeaf source;
  private EdgeEntries batch;
  private int from;
  private int added;

  /**
   * The delta that follows from adding entries to a page.
   *
   * @param delta the delta it has; older than the entries
   * @param entries sorted, one of a key
   * @return its address; 0 if it has to be made in another way
   */
  long delta(BlockMemory memory, EdgeLeaf delta, EdgeEntries entries, int first, int end) {
    if (end - first > MOST || delta.count == 0 || delta.count >= MOST_ENTRIES) {
      return 0;
    }
    source = delta;
    batch = entries;
    from = first;
    added = end - first;
    ValueBlock values = source.values(memory);
    int valueBytes = values == null ? 0 : values.end(source.count - 1);
    boolean ops = source.has(PageHeader.FLAG_OPS);
    for (int i = 0; i < added; i++) {
      if (!hasSameColumns(first + i) || !isPlaced(i)) {
        return 0;
      }
      ops |= over[i];
      valueBytes += batch.valueLength(first + i);
    }
    boolean isWide = values != null && values.width() != Short.BYTES;
    if (isWide || valueBytes > MOST_VALUE_BYTES || (!ops && !hasSameOps())) {
      return 0;
    }
    return write(memory, values, valueBytes, ops);
  }

  /** Whether all columns but the ops have a row an entry, and those of the result are the same. */
  private boolean hasSameColumns(int i) {
    return !EdgeKey.isIndex(batch.tagLabel(i))
        && !source.has(PageHeader.FLAG_SORT_KEYS)
        && (batch.sequence(i) == 0 || source.has(PageHeader.FLAG_SEQUENCES))
        && (batch.valueLength(i) == 0 || source.has(PageHeader.FLAG_VALUES))
        && (source.stampCount() == source.count || source.has(PageHeader.FLAG_ONE_STAMP));
  }

  private boolean hasSameOps() {
    for (int i = 0; i < added; i++) {
      if (op(i) != source.opsUnion) {
        return false;
      }
    }
    return true;
  }

  private int op(int i) {
    return (batch.op(from + i) & Op.MEANING) | Op.UNSTORED;
  }

  /** Finds the place of an entry; false if it shares a new run with the entry before. */
  private boolean isPlaced(int i) {
    int at = from + i;
    long owner = batch.owner(at);
    int tagLabel = batch.tagLabel(at);
    int run = source.findRun(owner, tagLabel);
    int row = source.start(run);
    boolean isNew = !source.isRun(run, owner, tagLabel);
    runs[i] = run;
    newRun[i] = isNew;
    over[i] = false;
    if (!isNew) {
      int end = source.start(run + 1);
      row = source.findOther(row, end, batch.other(at), batch.sequence(at), false);
      over[i] =
          row < end
              && source.other(row) == batch.other(at)
              && source.sequence(row) == batch.sequence(at);
    }
    rows[i] = row;
    return !isNew
        || i == 0
        || !newRun[i - 1]
        || batch.owner(at - 1) != owner
        || batch.tagLabel(at - 1) != tagLabel;
  }

  private long write(BlockMemory memory, ValueBlock values, int valueBytes, boolean ops) {
    int count = source.count + added;
    int runCount = source.runs;
    int union = source.opsUnion;
    long owners = source.owners();
    long newest = Long.MIN_VALUE; // of a replay, the last key need not have the newest stamp
    for (int i = 0; i < added; i++) {
      newest = Math.max(newest, batch.stamp(from + i));
      runCount += newRun[i] ? 1 : 0;
      union |= op(i) | (over[i] ? Op.OLDER : 0);
      owners |= PageHeader.ownerBit(batch.owner(from + i));
    }
    boolean sequences = source.has(PageHeader.FLAG_SEQUENCES);
    int columnsAt = Bytes.align8(source.fencesEnd());
    int othersAt = columnsAt + runCount * EdgeLeaf.RUN;
    int stampsAt = othersAt + count * Long.BYTES;
    int sequencesAt = stampsAt + count * Long.BYTES;
    int positionsAt = sequencesAt + (sequences ? count * Integer.BYTES : 0);
    int opsAt = positionsAt + count * Short.BYTES;
    int end = opsAt + (ops ? count : 0);
    int columns = Bytes.align8(end);
    int length = columns + (values == null ? 0 : ValueBlock.length(count, valueBytes));

    long delta = memory.allocate(length);
    ByteBuffer to = memory.slab(delta);
    int at = BlockMemory.offset(delta);
    to.put(at, source.slab, source.at, columnsAt); // the base and the fences among them
    int flags = (source.flags & ~PageHeader.FLAG_ONE_STAMP) | (ops ? PageHeader.FLAG_OPS : 0);
    to.put(at + PageHeader.FLAGS, (byte) flags);
    to.put(at + PageHeader.OP, (byte) union);
    to.putInt(at + PageHeader.LENGTH, length);
    to.putInt(at + PageHeader.COUNT, count);
    to.putInt(at + PageHeader.STAMP_COUNT, count);
    to.putInt(at + PageHeader.RUNS, runCount);
    to.putLong(at + PageHeader.NEWEST_STAMP, newest);
    to.putLong(at + PageHeader.OWNERS, owners);

    writeRuns(to, at + columnsAt);
    writeOthers(to, at + othersAt);
    writeStamps(to, at + stampsAt);
    if (sequences) {
      writeSequences(to, at + sequencesAt);
    }
    writePositions(count, to, at + positionsAt);
    if (ops) {
      writeOps(to, at + opsAt);
    }
    Bytes.zero(to, at + end, at + columns);
    if (values != null) {
      writeValues(values, valueBytes, to, at + columns);
    }
    return delta;
  }

  /** Each run begins later by the entries that are added before it. */
  private void writeRuns(ByteBuffer to, int at) {
    ByteBuffer slab = source.slab;
    int next = at;
    int i = 0;
    for (int run = 0; run <= source.runs; run++) {
      for (; i < added && runs[i] == run && newRun[i]; i++) {
        to.putLong(next, batch.owner(from + i));
        to.putInt(next + EdgeLeaf.RUN_TAG_LABEL, batch.tagLabel(from + i));
        to.putInt(next + EdgeLeaf.RUN_START, rows[i] + i);
        next += EdgeLeaf.RUN;
      }
      if (run < source.runs) {
        int each = source.runsAt + run * EdgeLeaf.RUN;
        to.putLong(next, slab.getLong(each));
        to.putLong(next + RUN_REST, slab.getLong(each + RUN_REST) + ((long) i << Integer.SIZE));
        next += EdgeLeaf.RUN;
        while (i < added && runs[i] == run) {
          i++;
        }
      }
    }
  }

  private void writeOthers(ByteBuffer to, int at) {
    int row = 0;
    for (int i = 0; i < added; i++) {
      source.putOthers(row, rows[i], to, at + (row + i) * Long.BYTES);
      row = rows[i];
      to.putLong(at + (row + i) * Long.BYTES, batch.other(from + i));
    }
    source.putOthers(row, source.count, to, at + (row + added) * Long.BYTES);
  }

  private void writeSequences(ByteBuffer to, int at) {
    int row = 0;
    for (int i = 0; i < added; i++) {
      source.putSequences(row, rows[i], to, at + (row + i) * Integer.BYTES);
      row = rows[i];
      to.putInt(at + (row + i) * Integer.BYTES, batch.sequence(from + i));
    }
    source.putSequences(row, source.count, to, at + (row + added) * Integer.BYTES);
  }

  private void writeStamps(ByteBuffer to, int at) {
    int each = source.hasStampPositions() ? 1 : 0; // else one stamp is that of all
    int i = 0;
    for (int row = 0; row < source.count; row++) {
      while (i < added && rows[i] == row) {
        i++;
      }
      to.putLong(at + (row + i) * Long.BYTES, source.stampAt(row * each));
    }
    for (i = 0; i < added; i++) {
      to.putLong(at + (rows[i] + i) * Long.BYTES, batch.stamp(from + i));
    }
  }

  private void writeOps(ByteBuffer to, int at) {
    int i = 0;
    for (int row = 0; row < source.count; row++) {
      while (i < added && rows[i] == row) {
        i++;
      }
      to.put(at + row + i, (byte) source.op(row));
    }
    for (i = 0; i < added; i++) {
      to.put(at + rows[i] + i, (byte) op(i));
      if (over[i]) {
        to.put(at + rows[i] + i + 1, (byte) (source.op(rows[i]) | Op.OLDER));
      }
    }
  }

  /** Every entry has a stamp, so these are its numbers. */
  private static void writePositions(int count, ByteBuffer to, int at) {
    for (int i = 0; i < count; i++) {
      to.putShort(at + i * Short.BYTES, (short) i);
    }
  }

  private void writeValues(ValueBlock values, int valueBytes, ByteBuffer to, int at) {
    ValueBlock.Filler filler = new ValueBlock.Filler(to, at, source.count + added, valueBytes);
    int row = 0;
    for (int i = 0; i < added; i++) {
      if (row < rows[i]) {
        filler.copy(values, row, rows[i]);
      }
      row = rows[i];
      filler.add(batch, from + i, from + i + 1);
    }
    if (row < source.count) {
      filler.copy(values, row, source.count);
    }
    filler.finish();
  }
}
