package io.bg3.core.graph;

import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.IndexKey;
import io.bg3.core.transaction.EdgeCursor;
import io.bg3.core.transaction.Transaction;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the edges of one vertex after the other that may meet some conditions on their properties,
 * by an index of edges where that reads less than the vertex has edges.
 *
 * <pre>
 *   edges out of the vertex, and all keys   the entries with these values and this source stand
 *   of the index are sought for equality    together: they are read alone
 *   any other edges                         all entries for the conditions are read, and those of
 *                                           other vertices are passed over
 * </pre>
 *
 * <p>An index is used for a vertex that has more edges than {@value #FEW_EDGES} plus {@value
 * #EDGES_AN_ENTRY} times the entries that are to be read. The entries are counted once, up to a
 * bound. The edges of the vertex are counted up to the number that decides, or their number is
 * known, as that of a counted label or of a vertex with a tree of its own. Both counts are of what
 * is there now, which is no read, and without what the transaction has changed: they decide how the
 * edges are found, and not which.
 *
 * <p>Threads: those that may use the transaction, one at a time.
 */
public final class IncidentEdges {
  /**
   * No index is used for a vertex with up to so many edges: a look-up by an index takes as long.
   */
  private static final int FEW_EDGES = 128;

  /** An entry of an index leads to an edge that is looked up by itself. */
  private static final int EDGES_AN_ENTRY = 4;

  /** Entries are not counted beyond this number. */
  private static final int MOST_ENTRIES = 256;

  /** Entries of one source and one value for each key are not counted beyond this number. */
  private static final int MOST_NARROW = 4_096;

  /** The edges of a vertex are not counted beyond this number. */
  private static final int MOST_EDGES = 512;

  private final GraphTransaction graph;
  private final GraphStore store;
  private final Transaction transaction;
  private final Edges edges;
  private final IndexEntries entries;
  private final List<Condition> conditions;
  private final String[] labels;
  private final int[] codes;
  private IndexCatalogue indexes; // with which the plans were made
  private List<IndexPlan> plans;
  private IndexPlan narrow; // null if there is none
  private IndexPlan best; // null before it is looked for
  private int bestEntries;

  /** Finds edges in a transaction; all reads synchronize on {@code graph}. */
  IncidentEdges(
      GraphTransaction graph,
      GraphStore store,
      Transaction transaction,
      Edges edges,
      IndexEntries entries,
      List<Condition> conditions,
      String[] labels,
      int... codes) {
    this.graph = graph;
    this.store = store;
    this.transaction = transaction;
    this.edges = edges;
    this.entries = entries;
    this.conditions = conditions;
    this.labels = labels;
    this.codes = codes;
  }

  /**
   * The edges of a vertex that may meet the conditions, found by an index: all that meet all of
   * them, also by this transaction's own changes, and perhaps others. They come in the order of the
   * index. An edge into the vertex is seen from its source as well; loose edges are not seen from
   * their targets.
   *
   * @param direction out of the vertex, or into it
   * @return null if it is better to read all edges of the vertex, or no index answers; then nothing
   *     has been read
   */
  public EdgeLookup of(long vertex, EdgeDirection direction) {
    if (direction == EdgeDirection.BOTH) {
      throw new IllegalArgumentException("one direction at a time: direction=" + direction);
    }
    synchronized (graph) {
      plan();
      boolean isBetter =
          !plans.isEmpty() && hasMore(FEW_EDGES, vertex, direction) && isLess(vertex, direction);
      return isBetter ? found(vertex, direction) : null;
    }
  }

  /** Whether an index reads less than the edges of a vertex that has more than a few. */
  private boolean isLess(long vertex, EdgeDirection direction) {
    boolean isNarrow = isNarrow(direction);
    int most = isNarrow ? MOST_NARROW : MOST_ENTRIES;
    int toRead = isNarrow ? narrowed(vertex).count(store, most) : bestEntries();
    return toRead < most && hasMore(FEW_EDGES + (long) EDGES_AN_ENTRY * toRead, vertex, direction);
  }

  /** The edges as an index finds them, also where that is not better; null if there is no index. */
  EdgeLookup found(long vertex, EdgeDirection direction) {
    synchronized (graph) {
      plan();
      if (plans.isEmpty()) {
        return null;
      }
      transaction.readsIndexesAt(indexes.drops());
      entries.flush(indexes);
      IndexPlan plan = isNarrow(direction) ? narrowed(vertex) : best();
      return new EdgeLookup(
          graph,
          transaction,
          edges,
          plan,
          store.names(plan),
          edge -> isOf(edge, vertex, direction),
          codes);
    }
  }

  private boolean isNarrow(EdgeDirection direction) {
    return direction == EdgeDirection.OUT && narrow != null;
  }

  private boolean isOf(EdgeId edge, long vertex, EdgeDirection direction) {
    return direction == EdgeDirection.OUT
        ? edge.source() == vertex
        : edge.target() == vertex && !edges.isLoose(edge.label());
  }

  /** Makes the plans, unless the indexes are those for which they were made. */
  private void plan() {
    IndexCatalogue now = store.graphIndexes().current();
    if (indexes != null && now.changes() == indexes.changes()) {
      return;
    }
    plans =
        IndexPlan.of(ElementKind.EDGE, now, store.withCodes(conditions), graph.snapshot(), codes);
    narrow = plans.stream().filter(IndexPlan::seeksWholeValues).findFirst().orElse(null);
    best = null;
    indexes = now;
  }

  private IndexPlan best() {
    if (best == null) {
      best = IndexPlan.best(plans, store);
      bestEntries = best.count(store, MOST_ENTRIES);
    }
    return best;
  }

  private int bestEntries() {
    best();
    return bestEntries;
  }

  private IndexPlan narrowed(long source) {
    byte[] element = GraphKeys.vertex(source);
    List<IndexKey.Range> ranges = new ArrayList<>(narrow.ranges().size());
    for (IndexKey.Range range : narrow.ranges()) {
      ranges.add(IndexKey.beginningWith(range, element));
    }
    return new IndexPlan(narrow.indexes(), narrow.sought(), ranges);
  }

  /** Whether a vertex has more edges than some, as far as they are counted. */
  private boolean hasMore(long least, long vertex, EdgeDirection direction) {
    EdgeRanges ranges = EdgeRanges.of(store.labels(), direction, labels.length == 0, codes);
    long found = 0;
    int counted = 0;
    try (Transaction newest = store.beginCounting()) {
      for (int range = 0; range < ranges.count() && found <= least; range++) {
        long known = known(newest, vertex, ranges.low(range), ranges.high(range));
        if (known >= 0) {
          found += known;
        } else {
          int most = (int) Math.min(MOST_EDGES - counted, least + 1 - found);
          int some = count(newest, vertex, ranges.low(range), ranges.high(range), most);
          counted += some;
          found += some;
        }
      }
    }
    return found > least;
  }

  /** The number of edges in a range, if it is kept; else -1. */
  private long known(Transaction newest, long vertex, int low, int high) {
    int label = EdgeTags.label(low);
    if (low == high && EdgeTags.tag(low) != EdgeTags.IN && edges.isCounted(label)) {
      return newest.count(vertex, label);
    }
    return newest.degree(vertex, low, high);
  }

  private static int count(Transaction newest, long vertex, int low, int high, int most) {
    int count = 0;
    try (EdgeCursor cursor = newest.edges(vertex, low, high, false, ScanOrder.FORWARD, most)) {
      while (count < most && cursor.next()) {
        count++;
      }
    }
    return count;
  }
}
