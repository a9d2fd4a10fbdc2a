package io.bg3.core.graph;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.transaction.Transaction;
import java.util.List;

/**
 * Keeps the numbers of edges of one transaction: the totals, and the counters of the sources whose
 * labels want one. Edges that expire are in none.
 *
 * <p>A label may become counted while the transaction is open. Then what it has added to the
 * counters before its commit is not all that it has changed, and {@link #flush} counts its writes
 * anew (R44).
 */
final class EdgeCounts {
  private final Transaction transaction;
  private final EdgeLabels labels;
  private long at; // the version of the counters that it has added to

  EdgeCounts(Transaction transaction, EdgeLabels labels) {
    this.transaction = transaction;
    this.labels = labels;
    this.at = labels.counters();
  }

  /**
   * Counts edges that come or go.
   *
   * @param form what the label was declared as, null if it was not
   */
  void add(long source, int label, EdgeLabel form, long delta) {
    if (form != null && form.hasTtl()) {
      return; // no commit would say that they are gone
    }
    transaction.addTotal(EdgeTags.ALL_EDGES, delta);
    transaction.addTotal(EdgeTags.edgesWith(label), delta);
    if (form != null && form.keepsCounters()) {
      transaction.addCount(source, label, delta);
    }
  }

  /** Sees to it that all counters that there are now are added to; behind the last change. */
  void flush() {
    if (!transaction.hasEdgesSince(0)) {
      return;
    }
    long now = labels.counters();
    if (now != at) {
      countAnew();
      at = now;
    }
    transaction.countedAt(now);
  }

  /** Counts the writes of edges whose labels have become counted since it began. */
  private void countAnew() {
    List<byte[]> written = transaction.edgesSince(0);
    long delta = 0;
    for (int i = 0; i < written.size(); i++) {
      byte[] key = written.get(i);
      int tagLabel = EdgeKey.tagLabel(key);
      EdgeLabel label = labels.of(EdgeTags.label(tagLabel));
      if (label == null || label.keptSince() <= at || label.visibleEntries() != tagLabel) {
        continue;
      }
      delta += (transaction.putsEdge(key) ? 1 : 0) - (transaction.edgeBefore(key) == null ? 0 : 1);
      boolean isLast =
          i + 1 == written.size()
              || EdgeKey.tagLabel(written.get(i + 1)) != tagLabel
              || EdgeKey.owner(written.get(i + 1)) != EdgeKey.owner(key);
      if (isLast) {
        transaction.setCount(EdgeKey.owner(key), label.code(), delta);
        delta = 0;
      }
    }
  }
}
