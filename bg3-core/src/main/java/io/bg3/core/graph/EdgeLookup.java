package io.bg3.core.graph;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.IndexKey;
import io.bg3.core.transaction.ByteCursor;
import io.bg3.core.transaction.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The edges that indexes name for some conditions, each once, in the order of the entries: by the
 * values, and with one value by source, label, target and sequence. An edge has one value of each
 * property, so it has one entry in an index. Among the edges may be some that meet no condition:
 * the caller tests them. An edge to which the transaction gives a value while the look-up is open
 * is not shown, and one that it removes is skipped.
 *
 * <p>Threads: those that may use the transaction.
 */
public final class EdgeLookup implements AutoCloseable {
  private final Object lock;
  private final Transaction transaction;
  private final Edges edges;
  private final List<IndexKey.Range> ranges;
  private final List<String> indexes;
  private final Predicate<EdgeId> wanted;
  private final int[] labels;
  private final long opened;
  private final NextNamed ahead;
  private int range;
  private ByteCursor cursor; // null before a range is opened
  private EdgeId edge;
  private EdgeRecord record;
  private long passed;

  /**
   * A look-up by a plan.
   *
   * @param indexes their names
   * @param wanted which edges are looked up; the others are passed over
   * @param labels codes of which the label of an edge is one; none for all
   */
  EdgeLookup(
      Object lock,
      Transaction transaction,
      Edges edges,
      IndexPlan plan,
      List<String> indexes,
      Predicate<EdgeId> wanted,
      int... labels) {
    this.lock = lock;
    this.transaction = transaction;
    this.edges = edges;
    this.ranges = plan.ranges();
    this.indexes = indexes;
    this.wanted = wanted;
    this.labels = labels;
    this.opened = transaction.writtenBy();
    this.ahead = new NextNamed(transaction);
  }

  /**
   * Goes to the next edge; false if there is none.
   *
   * @throws IllegalStateException if the transaction has ended
   */
  public boolean next() {
    synchronized (lock) {
      while (nextEntry()) {
        edge = edgeOf(cursor.key());
        if (isWanted(edge)) {
          passed++;
          announce(ahead.wanted());
          record = edges.record(edge); // null if this transaction has removed it meanwhile
          if (record != null) {
            return true;
          }
        }
      }
      return false;
    }
  }

  private boolean nextEntry() {
    while (range < ranges.size()) {
      if (cursor == null) {
        IndexKey.Range next = ranges.get(range);
        cursor =
            transaction.scan(
                TreeIds.INDEX_ENTRIES, next.low(), next.high(), ScanOrder.FORWARD, opened);
      }
      if (cursor.next()) {
        return true;
      }
      cursor.close();
      cursor = null;
      range++;
    }
    return false;
  }

  private static EdgeId edgeOf(byte[] key) {
    return GraphKeys.edgeOf(IndexKey.elementOf(key, GraphKeys.EDGE_BYTES));
  }

  /** Has this edge and the next ones of the range loaded together, as far as the cursor knows. */
  private void announce(int most) {
    if (most == 0) {
      return;
    }
    List<EdgeId> named = new ArrayList<>(most);
    named.add(edge);
    int known = cursor.upcoming();
    for (int behind = 1; behind <= known && named.size() < most; behind++) {
      EdgeId next = edgeOf(cursor.upcoming(behind));
      if (isWanted(next)) {
        named.add(next);
      }
    }
    transaction.prefetchEdges(named.size(), i -> Edges.underSource(named.get(i)));
    ahead.announced(named.size());
  }

  private boolean isWanted(EdgeId edge) {
    return isLabelled(edge) && wanted.test(edge);
  }

  private boolean isLabelled(EdgeId edge) {
    for (int label : labels) {
      if (label == edge.label()) {
        return true;
      }
    }
    return labels.length == 0;
  }

  /** The edge, seen from its source. */
  public EdgeId edge() {
    return edge;
  }

  /** Its id and properties. */
  public EdgeRecord record() {
    return record;
  }

  /** How many edges were read so far. */
  public long passed() {
    return passed;
  }

  /** The names of the indexes that it reads, for people. */
  public List<String> indexes() {
    return indexes;
  }

  /** Lets go of the look-up. Entries that it has not reached count as not read. */
  @Override
  public void close() {
    synchronized (lock) {
      range = ranges.size();
      if (cursor != null) {
        cursor.close();
        cursor = null;
      }
    }
  }
}
