package io.bg3.core.graph;

import io.bg3.core.transaction.Transaction;
import java.util.List;

/**
 * Finds the elements of one transaction by property indexes. Before an index is read, the
 * transaction's own changes get their entries ({@link IndexEntries}).
 *
 * <p>The caller excludes other calls of the transaction.
 */
final class IndexLookUps {
  private final GraphTransaction graph;
  private final GraphStore store;
  private final Transaction transaction;
  private final LabelCodes codes;
  private final IndexEntries entries;

  IndexLookUps(
      GraphTransaction graph,
      GraphStore store,
      Transaction transaction,
      LabelCodes codes,
      IndexEntries entries) {
    this.graph = graph;
    this.store = store;
    this.transaction = transaction;
    this.codes = codes;
    this.entries = entries;
  }

  /** Does what {@link GraphTransaction#lookUp(List, String...)} says. */
  VertexLookup vertices(Vertices vertices, List<Condition> conditions, String... labels) {
    IndexCatalogue indexes = store.graphIndexes().current();
    if (indexes.maintained().isEmpty()) {
      return null;
    }
    int[] found = codes.ofVertices(labels);
    IndexPlan plan = plan(ElementKind.VERTEX, indexes, conditions, labels, found);
    return plan == null
        ? null
        : new VertexLookup(graph, transaction, vertices, plan, store.names(plan), found);
  }

  /** Does what {@link GraphTransaction#lookUpEdges} says. */
  EdgeLookup edges(Edges edges, List<Condition> conditions, String... labels) {
    IndexCatalogue indexes = store.graphIndexes().current();
    if (!indexes.hasEdges()) {
      return null;
    }
    int[] found = codes.ofEdges(labels);
    IndexPlan plan = plan(ElementKind.EDGE, indexes, conditions, labels, found);
    return plan == null
        ? null
        : new EdgeLookup(graph, transaction, edges, plan, store.names(plan), edge -> true, found);
  }

  /** The best plan, by which an index is about to be read; null if no index answers. */
  private IndexPlan plan(
      ElementKind kind,
      IndexCatalogue indexes,
      List<Condition> conditions,
      String[] labels,
      int[] found) {
    if (labels.length > 0 && found.length == 0) {
      return null;
    }
    IndexPlan plan =
        IndexPlan.best(
            IndexPlan.of(kind, indexes, store.withCodes(conditions), transaction.snapshot(), found),
            store);
    if (plan != null) {
      transaction.readsIndexesAt(indexes.drops());
      entries.flush(indexes);
    }
    return plan;
  }

  /** Does what {@link GraphTransaction#incidentEdges} says. */
  IncidentEdges incidentEdges(Edges edges, List<Condition> conditions, String... labels) {
    if (conditions.isEmpty() || !store.graphIndexes().current().hasEdges()) {
      return null;
    }
    int[] found = codes.ofAllEdges(labels);
    return found == null
        ? null
        : new IncidentEdges(
            graph, store, transaction, edges, entries, conditions, labels.clone(), found);
  }
}
