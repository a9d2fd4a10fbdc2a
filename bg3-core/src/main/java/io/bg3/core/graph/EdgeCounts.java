package io.bg3.core.graph;

import io.bg3.core.transaction.Transaction;

/**
 * Keeps the numbers of edges: the totals, and the counters of the sources whose labels want one.
 */
final class EdgeCounts {
  private final Transaction transaction;

  EdgeCounts(Transaction transaction) {
    this.transaction = transaction;
  }

  /**
   * Counts edges that come or go.
   *
   * @param form what the label was declared as, null if it was not
   */
  void add(long source, int label, EdgeLabel form, long delta) {
    transaction.addTotal(EdgeTags.ALL_EDGES, delta);
    transaction.addTotal(EdgeTags.edgesWith(label), delta);
    if (form != null && form.isCounted()) {
      transaction.addCount(source, label, delta);
    }
  }
}
