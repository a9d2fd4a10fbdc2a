package io.bg3.gremlin.structure;

import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.NeighbourBatch;
import io.bg3.core.record.VertexRecord;
import java.util.Arrays;

/**
 * The records of the vertices at the ends of some edges of a range, read in one call: the next ones
 * that are going to be asked for. Belongs to one thread.
 */
final class EndRecords {
  /** Records that are held at once. */
  static final int MOST = 64;

  private VertexRecord[] records = {};
  private int from;
  private int to;

  /**
   * The record of the vertex at the end of an edge; null if there is none.
   *
   * @param at position of the edge in the range
   * @param end of the positions that may be asked for next
   */
  VertexRecord at(GraphTransaction in, NeighbourBatch batch, int range, int at, int end) {
    if (at < from || at >= to) {
      read(in, batch, range, at, Math.min(end, at + MOST));
    }
    return records[at - from];
  }

  private void read(GraphTransaction in, NeighbourBatch batch, int range, int first, int end) {
    if (records.length < end - first) {
      records = new VertexRecord[end - first];
    } else {
      Arrays.fill(records, null);
    }
    from = first;
    to = first; // until they are read
    in.vertices(end - first, i -> batch.other(range, first + i), records);
    to = end;
  }
}
