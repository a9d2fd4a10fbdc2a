package io.bg3.core.graph;

import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.limit.Limit;
import io.bg3.core.transaction.Transaction;

/**
 * The removal of all edges of one vertex but loose ones, in steps. Between two steps it can be told
 * to give up, and it refuses what no commit could hold: a vertex may have more edges than there is
 * memory for their removals. Used by one thread.
 */
final class EdgeRemoval {
  /** So many edges are read in one step. */
  static final int STEP = 1024;

  private final Transaction transaction;
  private final Edges edges;
  private final long vertex;
  private final EdgeRanges ranges;
  private final long most;
  private final Runnable pause;

  /**
   * A removal of the edges in these ranges, which hold the entries out of the vertex and into it.
   *
   * @param most entries that the transaction may write
   * @param pause called before each step; what it throws ends the removal
   */
  EdgeRemoval(
      Transaction transaction,
      Edges edges,
      long vertex,
      EdgeRanges ranges,
      long most,
      Runnable pause) {
    this.transaction = transaction;
    this.edges = edges;
    this.vertex = vertex;
    this.ranges = ranges;
    this.most = most;
    this.pause = pause;
  }

  /**
   * Counts the edges, and changes nothing.
   *
   * @throws io.bg3.core.limit.LimitExceededException if their removal alone writes too much
   */
  void requireRoom() {
    long least = 0;
    try (EdgeScan scan = scan(false)) {
      for (int read = 0; scan.next(); read++) {
        if (read % STEP == 0) {
          pause.run();
          requireAtMost(least);
        }
        // The scan shows both entries of a loop. An ordered edge may be hidden, with one entry.
        boolean isOne =
            scan.other() == vertex || (scan.isOut() && edges.orderedLabel(scan.label()) != null);
        least += isOne ? 1 : 2;
      }
    }
    requireAtMost(least);
  }

  /**
   * Removes the edges. An exception leaves some of them removed.
   *
   * @throws io.bg3.core.limit.LimitExceededException if the transaction writes too much
   */
  void run() {
    try (EdgeScan scan = scan(true)) {
      for (int read = 0; scan.next(); read++) {
        if (read % STEP == 0) {
          pause.run();
          requireAtMost(transaction.writeCount());
        }
        // A loop has both its entries here and went with the first.
        if (scan.isOut() || scan.other() != vertex) {
          edges.removeEither(scan);
        }
      }
    }
  }

  private EdgeScan scan(boolean values) {
    return new EdgeScan(
        transaction,
        ranges.count(),
        i -> transaction.edges(vertex, ranges.low(i), ranges.high(i), values, ScanOrder.FORWARD));
  }

  private void requireAtMost(long writes) {
    if (writes > most) {
      throw Limit.COMMIT_ENTRIES.exceeded(writes, "the edges of vertex " + vertex);
    }
  }
}
