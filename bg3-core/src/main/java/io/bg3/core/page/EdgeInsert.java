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
 * Writes the delta that a page has when a commit has brought it one new key, as most commits do:
 * the columns are those of the delta before, each with one row more. Nothing is taken apart, and
 * nothing about the old entries is found out again.
 *
 * <p>The result is the same, byte for byte, as that of {@link EdgeSplice}. Where columns would have
 * to come or go, it is left to that.
 */
final class EdgeInsert {
  /** Largest sum of values whose ends have two bytes. */
  private static final int MOST_VALUE_BYTES = 0xFFFF;

  /** Entries whose numbers have two bytes, as {@link LeafBlock#positionWidth} has it. */
  private static final int MOST_ENTRIES = 1 << Short.SIZE;

  /** The addend for the second half of a row of a run, so that the run begins one entry later. */
  private static final long LATER = 1L << Integer.SIZE;

  private static final int RUN_REST = EdgeLeaf.RUN_TAG_LABEL;

  private EdgeInsert() {}

  /**
   * The delta that follows from adding an entry to a page.
   *
   * @param source the delta it has; older than the entry
   * @return its address; 0 if it has to be made in another way, for instance because the delta has
   *     the key already
   */
  static long delta(BlockMemory memory, EdgeLeaf source, EdgeEntries batch, int i) {
    int op = (batch.op(i) & Op.MEANING) | Op.UNSTORED;
    if (!hasSameColumns(source, batch, i, op)) {
      return 0;
    }
    ValueBlock values = source.values(memory);
    int valueBytes = batch.valueLength(i);
    if (values != null) {
      valueBytes += values.end(source.count - 1);
      if (valueBytes > MOST_VALUE_BYTES || values.width() != Short.BYTES) {
        return 0;
      }
    }
    long owner = batch.owner(i);
    int run = source.findRun(owner, batch.tagLabel(i));
    int at = source.start(run);
    boolean newRun = !source.isRun(run, owner, batch.tagLabel(i));
    if (!newRun) {
      int end = source.start(run + 1);
      at = source.findOther(at, end, batch.other(i), batch.sequence(i), false);
      if (at < end
          && source.other(at) == batch.other(i)
          && source.sequence(at) == batch.sequence(i)) {
        return 0;
      }
    }
    return write(memory, source, values, valueBytes, batch, i, op, run, newRun, at);
  }

  /** Whether the columns of the result are those of the source, and all have a row an entry. */
  private static boolean hasSameColumns(EdgeLeaf source, EdgeEntries batch, int i, int op) {
    return source.count > 0
        && source.count < MOST_ENTRIES
        && !EdgeKey.isIndex(batch.tagLabel(i))
        && !source.has(PageHeader.FLAG_SORT_KEYS)
        && (batch.sequence(i) == 0 || source.has(PageHeader.FLAG_SEQUENCES))
        && (batch.valueLength(i) == 0 || source.has(PageHeader.FLAG_VALUES))
        && (op == source.opsUnion || source.has(PageHeader.FLAG_OPS))
        && (source.stampCount() == source.count || source.has(PageHeader.FLAG_ONE_STAMP));
  }

  private static long write(
      BlockMemory memory,
      EdgeLeaf source,
      ValueBlock values,
      int valueBytes,
      EdgeEntries batch,
      int i,
      int op,
      int run,
      boolean newRun,
      int row) {
    int rows = source.count;
    int count = rows + 1;
    int runs = source.runs + (newRun ? 1 : 0);
    boolean sequences = source.has(PageHeader.FLAG_SEQUENCES);
    boolean ops = source.has(PageHeader.FLAG_OPS);
    int columnsAt = Bytes.align8(source.fencesEnd());
    int othersAt = columnsAt + runs * EdgeLeaf.RUN;
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
    to.put(at + PageHeader.FLAGS, (byte) (source.flags & ~PageHeader.FLAG_ONE_STAMP));
    to.put(at + PageHeader.OP, (byte) (source.opsUnion | op));
    to.putInt(at + PageHeader.LENGTH, length);
    to.putInt(at + PageHeader.COUNT, count);
    to.putInt(at + PageHeader.STAMP_COUNT, count);
    to.putInt(at + PageHeader.RUNS, runs);
    to.putLong(at + PageHeader.NEWEST_STAMP, batch.stamp(i));
    to.putLong(at + PageHeader.OWNERS, source.owners() | PageHeader.ownerBit(batch.owner(i)));

    writeRuns(source, batch, i, run, newRun, row, to, at + columnsAt);
    source.putOthers(0, row, to, at + othersAt);
    to.putLong(at + othersAt + row * Long.BYTES, batch.other(i));
    source.putOthers(row, rows, to, at + othersAt + (row + 1) * Long.BYTES);
    writeStamps(source, row, batch.stamp(i), to, at + stampsAt);
    if (sequences) {
      source.putSequences(0, row, to, at + sequencesAt);
      to.putInt(at + sequencesAt + row * Integer.BYTES, batch.sequence(i));
      source.putSequences(row, rows, to, at + sequencesAt + (row + 1) * Integer.BYTES);
    }
    writePositions(count, to, at + positionsAt);
    if (ops) {
      writeOps(source, row, op, to, at + opsAt);
    }
    Bytes.zero(to, at + end, at + columns);
    if (values != null) {
      writeValues(values, rows, valueBytes, batch, i, row, to, at + columns);
    }
    return delta;
  }

  private static void writeRuns(
      EdgeLeaf source,
      EdgeEntries batch,
      int i,
      int run,
      boolean newRun,
      int row,
      ByteBuffer to,
      int at) {
    ByteBuffer from = source.slab;
    int fromAt = source.runsAt;
    int kept = newRun ? run : run + 1;
    Bytes.copyLongs(from, fromAt, to, at, 2 * kept);
    int next = at + kept * EdgeLeaf.RUN;
    if (newRun) {
      to.putLong(next, batch.owner(i));
      to.putInt(next + EdgeLeaf.RUN_TAG_LABEL, batch.tagLabel(i));
      to.putInt(next + EdgeLeaf.RUN_START, row);
      next += EdgeLeaf.RUN;
    }
    int end = fromAt + source.runs * EdgeLeaf.RUN;
    for (int each = fromAt + kept * EdgeLeaf.RUN; each < end; each += EdgeLeaf.RUN) {
      to.putLong(next, from.getLong(each));
      to.putLong(next + RUN_REST, from.getLong(each + RUN_REST) + LATER);
      next += EdgeLeaf.RUN;
    }
  }

  private static void writeStamps(EdgeLeaf source, int row, long stamp, ByteBuffer to, int at) {
    int each = source.hasStampPositions() ? 1 : 0; // else one stamp is that of all
    int next = at;
    for (int i = 0; i < source.count; i++) {
      next += i == row ? Long.BYTES : 0;
      to.putLong(next, source.stampAt(i * each));
      next += Long.BYTES;
    }
    to.putLong(at + row * Long.BYTES, stamp);
  }

  private static void writeOps(EdgeLeaf source, int row, int op, ByteBuffer to, int at) {
    for (int i = 0; i < source.count; i++) {
      to.put(at + (i < row ? i : i + 1), (byte) source.op(i));
    }
    to.put(at + row, (byte) op);
  }

  /** Every entry has a stamp, so these are its numbers. */
  private static void writePositions(int count, ByteBuffer to, int at) {
    for (int i = 0; i < count; i++) {
      to.putShort(at + i * Short.BYTES, (short) i);
    }
  }

  private static void writeValues(
      ValueBlock values,
      int rows,
      int valueBytes,
      EdgeEntries batch,
      int i,
      int row,
      ByteBuffer to,
      int at) {
    ValueBlock.Filler filler = new ValueBlock.Filler(to, at, rows + 1, valueBytes);
    if (row > 0) {
      filler.copy(values, 0, row);
    }
    filler.add(batch, i, i + 1);
    if (row < rows) {
      filler.copy(values, row, rows);
    }
    filler.finish();
  }
}
