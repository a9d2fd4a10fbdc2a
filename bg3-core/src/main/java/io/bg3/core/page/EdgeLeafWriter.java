package io.bg3.core.page;

import java.nio.ByteBuffer;

/** Writes blocks of edge leaves, see {@link EdgeLeaf}. */
final class EdgeLeafWriter extends LeafWriter {
  private final EdgeEntries edges;
  private final int runs;
  private final boolean sequences;

  EdgeLeafWriter(PageFrame frame, EdgeEntries edges, int from, int to) {
    super(frame, edges, from, to);
    this.edges = edges;
    int distinct = 0;
    boolean any = false;
    for (int i = from; i < to; i++) {
      if (startsRun(i)) {
        distinct++;
      }
      any |= edges.sequence(i) != 0;
    }
    runs = distinct;
    sequences = any;
  }

  @Override
  int kind() {
    return PageHeader.EDGE_LEAF;
  }

  @Override
  int keyFlags() {
    return sequences ? PageHeader.FLAG_SEQUENCES : 0;
  }

  @Override
  int firstKeyColumns() {
    return runs * EdgeLeaf.RUN + count * Long.BYTES;
  }

  @Override
  int secondKeyColumns() {
    return sequences ? count * Integer.BYTES : 0;
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
  }

  private boolean startsRun(int i) {
    return i == from
        || edges.owner(i) != edges.owner(i - 1)
        || edges.tagLabel(i) != edges.tagLabel(i - 1);
  }
}
