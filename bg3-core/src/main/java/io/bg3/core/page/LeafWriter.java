package io.bg3.core.page;

import io.bg3.core.block.Columns;
import io.bg3.core.block.FrameCodec;
import io.bg3.core.block.PageFrame;
import io.bg3.core.block.PageHeader;
import io.bg3.core.block.ValueBlock;
import io.bg3.core.entry.Bytes;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Op;
import java.nio.ByteBuffer;

/**
 * Lays out sorted entries as a block of a leaf and writes it, to memory or to an image. Made for
 * one block: the constructor looks at the entries once, so that the lengths are known before memory
 * is asked for.
 */
abstract class LeafWriter {
  final Entries entries;
  final int from;
  final int count;
  final PageFrame frame;

  private final byte[] ops;
  private final boolean uniformOps;
  private final int opsUnion;
  private final boolean uniformStamps;
  private final int stampCount;
  private final long newest;
  private final int valueBytes;

  LeafWriter(PageFrame frame, Entries entries, int from, int to) {
    this.frame = frame;
    this.entries = entries;
    this.from = from;
    this.count = to - from;
    requireCount(count);
    ops = new byte[count];
    int union = 0;
    int common = count == 0 ? 0 : -1;
    int stamps = 0;
    long largest = 0;
    boolean oneStamp = true;
    int bytes = 0;
    for (int i = 0; i < count; i++) {
      int op = entries.op(from + i) & ~Op.OLDER;
      if (i > 0) {
        int order = entries.compareKeys(from + i - 1, entries, from + i);
        assert order <= 0 : "L6: keys not ascending: index=" + i + ", frame=" + frame;
        if (order == 0) {
          assert entries.stamp(from + i - 1) > entries.stamp(from + i)
              : "L6: versions not newest first: index=" + i;
          op |= Op.OLDER;
        }
      }
      ops[i] = (byte) op;
      union |= op;
      common = i == 0 || common == op ? op : -1;
      long stamp = entries.stamp(from + i);
      if (stamp != 0) {
        stamps++;
        largest = Math.max(largest, stamp);
      }
      oneStamp &= stamp == entries.stamp(from);
      bytes = Math.addExact(bytes, entries.valueLength(from + i));
    }
    opsUnion = union;
    uniformOps = common != -1;
    uniformStamps = oneStamp && stamps > 0;
    stampCount = uniformStamps ? 1 : stamps;
    newest = largest;
    valueBytes = bytes;
  }

  /**
   * @throws IllegalArgumentException if a page cannot have so many entries
   */
  static void requireCount(int count) {
    if (count > LeafBlock.MAX_COUNT) {
      throw new IllegalArgumentException("too many entries for a page: count=" + count);
    }
  }

  /** The largest stamp of the entries. */
  final long newest() {
    return newest;
  }

  /** Bytes of header and columns. */
  final int length() {
    return Bytes.align8(opsEnd() + tailLength());
  }

  /** Bytes of the values, 0 if no entry has one. */
  final int valuesLength() {
    return valueBytes == 0 ? 0 : ValueBlock.length(count, valueBytes);
  }

  /**
   * Writes header and columns.
   *
   * @param flags of the header besides those that follow from the entries
   * @param newestOfPage at least {@link #newest}
   */
  final void write(ByteBuffer to, int at, int flags, long newestOfPage, long cut) {
    int length = length();
    Bytes.zero(to, at, at + PageHeader.FENCES);
    to.put(at + PageHeader.KIND, (byte) kind());
    to.put(at + PageHeader.FLAGS, (byte) (flags | flags()));
    to.put(at + PageHeader.OP, (byte) opsUnion);
    to.putInt(at + PageHeader.LENGTH, length);
    to.putInt(at + PageHeader.COUNT, count);
    to.putInt(at + PageHeader.STAMP_COUNT, stampCount);
    to.putLong(at + PageHeader.NEWEST_STAMP, newestOfPage);
    to.putLong(at + PageHeader.CUT, cut);
    int keysAt = FrameCodec.write(frame, to, at);
    assert keysAt == at + fencesEnd() : "keysAt=" + keysAt + ", at=" + at;
    Bytes.zero(to, keysAt, at + columns());
    writeKeys(to, at);
    writeStamps(to, at);
    if (!uniformOps) {
      to.put(at + opsEnd() - count, ops, 0, count);
    }
    Bytes.zero(to, at + opsEnd() + tailLength(), at + length);
  }

  /** Writes the values, where there are some. */
  final void writeValues(ByteBuffer to, int at) {
    ValueBlock.write(entries, from, from + count, valueBytes, to, at);
  }

  /** The columns that {@link #write} writes. */
  final Columns layout() {
    Columns columns = new Columns().sparse(columns());
    addFirstKeyColumns(columns);
    columns.stamps(stampCount);
    addSecondKeyColumns(columns);
    if (!uniformStamps) {
      columns.indexes(stampCount, LeafBlock.positionWidth(count));
    }
    addThirdKeyColumns(columns);
    return columns.bytes(uniformOps ? 0 : count).rest(length());
  }

  /** The columns that {@link #writeValues} writes. */
  final Columns valuesLayout() {
    return ValueBlock.columns(count, valueBytes);
  }

  abstract int kind();

  abstract int keyFlags();

  /** Describes what {@link #firstKeyColumns} counts. */
  abstract void addFirstKeyColumns(Columns to);

  /** Describes what {@link #secondKeyColumns} counts. */
  abstract void addSecondKeyColumns(Columns to);

  /** Describes what {@link #thirdKeyColumns} counts. */
  void addThirdKeyColumns(Columns to) {}

  /** Bytes of the columns of 8 bytes that stand before the stamps. */
  abstract int firstKeyColumns();

  /** Bytes of the columns between the stamps and their positions. */
  abstract int secondKeyColumns();

  /** Bytes of the columns between the stamps' positions and the ops. */
  int thirdKeyColumns() {
    return 0;
  }

  /** Bytes behind the ops. */
  int tailLength() {
    return 0;
  }

  /** Bytes behind the fences that belong to the header. */
  int prefixLength() {
    return 0;
  }

  abstract void writeKeys(ByteBuffer to, int at);

  /** Offset of the first byte behind the fences. */
  final int fencesEnd() {
    return PageHeader.FENCES + FrameCodec.length(frame);
  }

  /** Offset of the first column. */
  final int columns() {
    return Bytes.align8(fencesEnd() + prefixLength());
  }

  final int stamps() {
    return columns() + firstKeyColumns();
  }

  final int secondColumns() {
    return stamps() + stampCount * Long.BYTES;
  }

  final int thirdColumns() {
    return secondColumns()
        + secondKeyColumns()
        + (uniformStamps ? 0 : stampCount * LeafBlock.positionWidth(count));
  }

  /** Offset of the first byte behind the ops. */
  final int opsEnd() {
    return thirdColumns() + thirdKeyColumns() + (uniformOps ? 0 : count);
  }

  private int flags() {
    return keyFlags()
        | (uniformOps ? 0 : PageHeader.FLAG_OPS)
        | (uniformStamps ? PageHeader.FLAG_ONE_STAMP : 0)
        | (valueBytes > 0 ? PageHeader.FLAG_VALUES : 0);
  }

  private void writeStamps(ByteBuffer to, int at) {
    int stampAt = at + stamps();
    if (uniformStamps) {
      to.putLong(stampAt, newest);
      return;
    }
    if (stampCount == 0) {
      return;
    }
    int width = LeafBlock.positionWidth(count);
    int positionAt = at + secondColumns() + secondKeyColumns();
    for (int i = 0; i < count; i++) {
      long stamp = entries.stamp(from + i);
      if (stamp != 0) {
        to.putLong(stampAt, stamp);
        if (width == Short.BYTES) {
          to.putShort(positionAt, (short) i);
        } else {
          to.putInt(positionAt, i);
        }
        stampAt += Long.BYTES;
        positionAt += width;
      }
    }
  }
}
