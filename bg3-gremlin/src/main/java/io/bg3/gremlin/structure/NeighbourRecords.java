package io.bg3.gremlin.structure;

import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.NeighbourBatch;
import io.bg3.core.record.VertexRecord;

/**
 * The records of the neighbours that a batch holds. They are announced, so that the store loads
 * together what is not in memory, and read together. Belongs to one thread.
 */
final class NeighbourRecords {
  /** The most neighbours of a range that are announced at once. */
  private static final int MOST_ANNOUNCED = NeighbourGroup.MOST_NEIGHBOURS;

  private final NeighbourBatch batch;
  private final boolean areRead;
  private GraphTransaction transaction;
  private int vertices; // in the batch
  private int[] announced = {}; // by range, the position in the batch up to which
  private EndRecords[] records = {}; // by range

  /**
   * The records of a batch.
   *
   * @param areRead whether all are about to be read; else it is looked up whether those at the ends
   *     of loose edges exist, and none is read
   */
  NeighbourRecords(NeighbourBatch batch, boolean areRead) {
    this.batch = batch;
    this.areRead = areRead;
  }

  /** Forgets all, because a transaction has filled the batch with neighbours of some vertices. */
  void begin(GraphTransaction in, int vertexCount) {
    transaction = in;
    vertices = vertexCount;
    announced = new int[batch.ranges()];
    records = areRead ? new EndRecords[batch.ranges()] : records;
  }

  /**
   * Has the neighbours of a vertex of the batch loaded together with those of the next vertices, if
   * each is looked up before it is given or counted, or is read then.
   */
  void announce(int place) {
    for (int range = 0; range < announced.length; range++) {
      int start = Math.max(batch.start(range, place), announced[range]);
      if ((areRead || batch.isLoose(range)) && start < batch.end(range, place)) {
        int of = range;
        int ends = Math.min(batch.end(range, vertices - 1) - start, MOST_ANNOUNCED);
        transaction.prefetchVertices(ends, i -> batch.other(of, start + i));
        announced[range] = start + ends;
      }
    }
  }

  /**
   * The record of a neighbour that the transaction has not changed since the look-up, read together
   * with those behind it, also of the next vertices; null if there is none.
   *
   * @param at position in the range
   */
  VertexRecord at(int range, int at) {
    EndRecords read = records[range];
    if (read == null) {
      read = new EndRecords();
      records[range] = read;
    }
    return read.at(transaction, batch, range, at, batch.end(range, vertices - 1));
  }
}
