package io.bg3.core.graph;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.record.VertexRecord;
import io.bg3.core.transaction.ByteCursor;
import io.bg3.core.transaction.Dictionary;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.transaction.TransactionManager;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The totals of the vertices by label, in a store that may be older than their meaning.
 *
 * <p>A vertex counts for its first label, so the totals by label add up to the total of all
 * vertices. They used to count a vertex for each of its labels. Nothing in a store says which of
 * the two its totals mean, but the sum does: it exceeds the total of all vertices if and only if
 * the totals have the older meaning and a vertex has several labels. If no vertex has, the two
 * meanings do not differ. Commits keep the difference, so it does not vanish before the vertices
 * are counted anew.
 *
 * <p>Used by one thread, before the store has other transactions.
 */
final class LabelTotals {
  private static final Logger LOG = LoggerFactory.getLogger(LabelTotals.class);

  private final TransactionManager transactions;

  LabelTotals(TransactionManager transactions) {
    this.transactions = transactions;
  }

  /**
   * Whether the totals by label are those of first labels. A store without labels of vertices has
   * no such totals, whatever its keys and totals mean to an application that uses transactions
   * directly.
   */
  boolean areOfFirstLabels() {
    try (Transaction snapshot = transactions.begin(Isolation.SNAPSHOT, true)) {
      long sum = 0;
      int labels = labels();
      for (int code = 1; code <= labels; code++) {
        sum += snapshot.total(EdgeTags.verticesWith(code));
      }
      return labels == 0 || sum == snapshot.total(EdgeTags.ALL_VERTICES);
    }
  }

  /** The largest code of a label of vertices; 0 if there is none. */
  private int labels() {
    return transactions.dictionary().count(Dictionary.Kind.VERTEX_LABEL);
  }

  /**
   * Reads all vertices and commits the totals by first label.
   *
   * @return false if that fails, as where a vertex cannot be read; nothing has changed then
   */
  boolean tryCountAnew() {
    try {
      countAnew();
      return true;
    } catch (RuntimeException e) { // the store opens, so that what can be read can be saved
      LOG.warn(
          "the vertices could not be counted by their first labels, so each count reads all of"
              + " them, and the next opening tries again; run bin/bg3 check",
          e);
      return false;
    }
  }

  private void countAnew() {
    long begin = System.nanoTime();
    Map<Integer, Long> missing;
    try (Transaction snapshot = transactions.begin(Isolation.SNAPSHOT, true)) {
      missing = count(snapshot);
      for (int code = 1; code <= labels(); code++) {
        missing.merge(code, -snapshot.total(EdgeTags.verticesWith(code)), Long::sum);
      }
    }
    transactions.retry(
        Isolation.SNAPSHOT,
        transaction -> {
          missing.forEach((code, more) -> transaction.addTotal(EdgeTags.verticesWith(code), more));
          return null;
        });
    LOG.info(
        "counted the vertices by their first labels, as earlier versions did not: millis={}",
        (System.nanoTime() - begin) / 1_000_000);
  }

  /** The vertices as a transaction sees them, by the codes of their first labels. */
  static Map<Integer, Long> count(Transaction transaction) {
    Map<Integer, Long> counted = new HashMap<>();
    try (ByteCursor cursor = transaction.scan(TreeIds.VERTICES, null, null, ScanOrder.FORWARD)) {
      while (cursor.next()) {
        counted.merge(VertexRecord.firstLabel(cursor.value()), 1L, Long::sum);
      }
    }
    return counted;
  }
}
