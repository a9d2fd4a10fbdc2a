package io.bg3.core.graph;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.transaction.Dictionary;
import io.bg3.core.transaction.Transaction;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntToLongFunction;

/**
 * The numbers of vertices and edges as one transaction sees them. They are read from totals, and
 * nothing is scanned, but for two cases. Edges of labels with a time to live are in no total: the
 * trees of their families are scanned, and those of labels without a family only if one of these
 * labels has none. The totals of an older store may not be those of first labels ({@link
 * LabelTotals}).
 *
 * <p>The caller excludes other calls of the transaction.
 */
final class GraphTotals {
  private final GraphTransaction graph;
  private final GraphStore store;
  private final Transaction transaction;
  private final LabelCodes codes;

  GraphTotals(GraphTransaction graph, GraphStore store, Transaction transaction, LabelCodes codes) {
    this.graph = graph;
    this.store = store;
    this.transaction = transaction;
    this.codes = codes;
  }

  long vertices() {
    return transaction.total(EdgeTags.ALL_VERTICES);
  }

  /** The number of vertices whose first label this is. */
  long vertices(String label) {
    int code = codes.ofVertices(label);
    if (code == 0) {
      return 0;
    }
    return store.countsFirstLabels()
        ? transaction.total(EdgeTags.verticesWith(code))
        : LabelTotals.count(transaction).getOrDefault(code, 0L);
  }

  long edges() {
    long expiring = 0;
    for (long count : expiring(expiringFamilies()).values()) {
      expiring += count;
    }
    return transaction.total(EdgeTags.ALL_EDGES) + expiring;
  }

  /** The families of the labels that have a time to live. */
  private BitSet expiringFamilies() {
    BitSet families = new BitSet();
    for (EdgeLabel label : store.labels().declared()) {
      if (label.hasTtl()) {
        families.set(EdgeKey.family(label.code()));
      }
    }
    return families;
  }

  /** The numbers of edges of some families, by the codes of labels that have a time to live. */
  private Map<Integer, Long> expiring(BitSet families) {
    Map<Integer, Long> counts = new HashMap<>();
    if (!families.isEmpty()) {
      try (EdgeScan scan = graph.edgesOf(families)) {
        while (scan.next()) {
          if (EdgeKey.hasTtl(scan.label())) {
            counts.merge(scan.label(), 1L, Long::sum);
          }
        }
      }
    }
    return counts;
  }

  long edges(String label) {
    int code = codes.ofEdges(label);
    if (code == 0) {
      return 0;
    }
    if (!EdgeKey.hasTtl(code)) {
      return transaction.total(EdgeTags.edgesWith(code));
    }
    BitSet family = new BitSet();
    family.set(EdgeKey.family(code));
    return expiring(family).getOrDefault(code, 0L);
  }

  /** The number of vertices by their first labels, without labels that have none. */
  Map<String, Long> verticesByLabel() {
    Map<Integer, Long> counted = store.countsFirstLabels() ? null : LabelTotals.count(transaction);
    return byLabel(
        Dictionary.Kind.VERTEX_LABEL,
        EdgeTags.ALL_VERTICES,
        code ->
            counted == null
                ? transaction.total(EdgeTags.verticesWith(code))
                : counted.getOrDefault(code, 0L));
  }

  /** The number of edges by label, without labels that none has. */
  Map<String, Long> edgesByLabel() {
    Map<Integer, Long> expiring = expiring(expiringFamilies());
    return byLabel(
        Dictionary.Kind.EDGE_LABEL,
        EdgeTags.ALL_EDGES,
        code ->
            EdgeKey.hasTtl(code)
                ? expiring.getOrDefault(code, 0L)
                : transaction.total(EdgeTags.edgesWith(code)));
  }

  private Map<String, Long> byLabel(Dictionary.Kind kind, int all, IntToLongFunction total) {
    transaction.total(all); // a label that is new later changes it
    Map<String, Long> counts = new HashMap<>();
    int labels = store.dictionary().count(kind);
    for (int number = 1; number <= labels; number++) {
      int code = store.dictionary().ofNumber(kind, number);
      long count = total.applyAsLong(code);
      if (count > 0) {
        counts.put(graph.text(kind, code), count);
      }
    }
    return counts;
  }
}
