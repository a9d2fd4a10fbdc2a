package io.bg3.core.page;

import io.bg3.core.block.Columns;
import io.bg3.core.block.PageFrame;
import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.EdgeKey;
import java.nio.ByteBuffer;

/** Writes blocks of edge leaves, see {@link EdgeLeaf}. */
final class EdgeLeafWriter extends LeafWriter {
  private final EdgeEntries edges;
  private final int runs;
  private final boolean sequences;
  private final int sortKeys;

  EdgeLeafWriter(PageFrame frame, EdgeEntries edges, int from, int to) {
    super(frame, edges, from, to);
    this.edges = edges;
    int distinct = 0;
    boolean any = false;
    int indexed = 0;
    for (int i = from; i < to; i++) {
      if (startsRun(i)) {
        distinct++;
      }
      any |= edges.sequence(i) != 0;
      indexed += EdgeKey.isIndex(edges.tagLabel(i)) ? 1 : 0;
    }
    runs = distinct;
    sequences = any;
    sortKeys = indexed;
  }

  @Override
  int kind() {
    return PageHeader.EDGE_LEAF;
  }

  @Override
  int keyFlags() {
    return (sequences ? PageHeader.FLAG_SEQUENCES : 0)
        | (sortKeys > 0 ? PageHeader.FLAG_SORT_KEYS : 0);
  }

  @Override
  int firstKeyColumns() {
    return runs * EdgeLeaf.RUN + (count + sortKeys) * Long.BYTES;
  }

  @Override
  int secondKeyColumns() {
    return (sequences ? count * Integer.BYTES : 0) + (sortKeys > 0 ? runs * Integer.BYTES : 0);
  }

  @Override
  void addFirstKeyColumns(Columns to) {
    to.runs(runs).longs(count).longs(sortKeys);
  }

  @Override
  void addSecondKeyColumns(Columns to) {
    to.ints(sequences ? count : 0).ints(sortKeys > 0 ? runs : 0);
  }

  @Override
  void writeKeys(ByteBuffer to, int at) {
    to.putInt(at + PageHeader.RUNS, runs);
    int runAt = at + columns();
    long filter = 0;
    for (int i = from; i < from + count; i++) {
      if (startsRun(i)) {
        to.putLong(runAt, edges.owner(i));
        to.putInt(runAt + EdgeLeaf.RUN_TAG_LABEL, edges.tagLabel(i));
        to.putInt(runAt + EdgeLeaf.RUN_START, i - from);
        filter |= PageHeader.ownerBit(edges.owner(i));
        runAt += EdgeLeaf.RUN;
      }
    }
    to.putLong(at + PageHeader.OWNERS, filter);
    to.asLongBuffer().put(runAt >> 3, edges.othersForWriting(), from, count);
    if (sequences) {
      to.asIntBuffer().put((at + secondColumns()) >> 2, edges.sequencesForWriting(), from, count);
    }
    if (sortKeys > 0) {
      writeSortKeys(to, at, runAt + count * Long.BYTES);
    }
  }

  private void writeSortKeys(ByteBuffer to, int at, int first) {
    to.putInt(at + PageHeader.SORT_KEYS, sortKeys);
    int startAt = at + secondColumns() + (sequences ? count * Integer.BYTES : 0);
    int next = 0;
    for (int i = from; i < from + count; i++) {
      if (startsRun(i)) {
        to.putInt(startAt, next);
        startAt += Integer.BYTES;
      }
      if (EdgeKey.isIndex(edges.tagLabel(i))) {
        to.putLong(first + next * Long.BYTES, edges.sortKey(i));
        next++;
      }
    }
  }

  private boolean startsRun(int i) {
    return i == from
        || edges.owner(i) != edges.owner(i - 1)
        || edges.tagLabel(i) != edges.tagLabel(i - 1);
  }
}
