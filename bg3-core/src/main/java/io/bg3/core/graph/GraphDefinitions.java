package io.bg3.core.graph;

import io.bg3.core.transaction.TransactionManager;
import java.util.List;
import java.util.function.Supplier;

/**
 * The families, declared labels, indexes and schemas of a graph. It refuses those that exclude each
 * other: an index of edges that expire, and a schema with ends for a label whose edges need none.
 *
 * <p>Threads: any. One monitor is held while something is defined; it is the outermost of all
 * locks.
 */
final class GraphDefinitions {
  private final EdgeLabels labels;
  private final EdgeFamilies families;
  private final EdgeCounting counting;
  private final EdgeOrdering ordering;
  private final GraphIndexes indexes;
  private final GraphSchema schema;

  /**
   * The definitions of the graph that {@code transactions} keeps.
   *
   * @param begin begins a transaction that reads the graph
   */
  GraphDefinitions(TransactionManager transactions, Supplier<GraphTransaction> begin) {
    this.labels = new EdgeLabels(transactions.dictionary(), transactions.schema());
    this.families = new EdgeFamilies(transactions.dictionary().families());
    this.counting = new EdgeCounting(transactions, labels);
    this.ordering = new EdgeOrdering(transactions, labels);
    this.indexes = new GraphIndexes(transactions, labels);
    this.schema = new GraphSchema(transactions, begin);
  }

  /** As {@link GraphStore#loadDefinitions}. */
  void load() {
    counting.load();
    indexes.load();
    schema.load();
  }

  /** As {@link GraphStore#startDefinitionWork}. */
  void startWork() {
    counting.start();
    ordering.start();
    indexes.start();
    schema.start();
  }

  /** As {@link GraphStore#endDefinitionWork}. */
  void endWork() {
    try (counting;
        ordering;
        schema;
        indexes) {
      // closes all of them, whatever one throws
    }
  }

  /** The declared edge labels. */
  EdgeLabels labels() {
    return labels;
  }

  /** The property indexes. */
  GraphIndexes indexes() {
    return indexes;
  }

  /** The schemas. */
  GraphSchema schema() {
    return schema;
  }

  /** The families, in the order in which they were defined. */
  List<EdgeFamily> families() {
    return families.list();
  }

  /** How far the counters of a declared label are; null if it is not counted. */
  CounterStatus counters(EdgeLabel label) {
    return counting.status(label);
  }

  /** How far the order of a declared label is; null if it has none. */
  OrderStatus order(EdgeLabel label) {
    return ordering.status(label);
  }

  /** As {@link GraphStore#defineFamily}. */
  synchronized EdgeFamily defineFamily(EdgeFamily family) {
    return families.define(family);
  }

  /** As {@link GraphStore#changeFamily}. */
  synchronized EdgeFamily changeFamily(EdgeFamily family) {
    return families.change(family);
  }

  /** As {@link GraphStore#defineSchema}. */
  synchronized SchemaStatus defineSchema(LabelSchema of) {
    EdgeLabel declared = of.kind() == ElementKind.EDGE ? labels.find(of.label()) : null;
    if (declared != null && declared.isLoose()) {
      requireNoEnds(of);
    }
    return schema.define(of);
  }

  /**
   * Refuses a schema of a loose label that allows some ends: others come when the edge is there.
   */
  private static void requireNoEnds(LabelSchema of) {
    if (!of.ends().isAny()) {
      throw new IllegalArgumentException(
          "a loose label cannot have sources or targets in its schema, because its edges need no"
              + " vertices: label="
              + of.label()
              + ", ends="
              + of.ends());
    }
  }

  /** As {@link GraphStore#createIndex(IndexedKeys, boolean)}. */
  synchronized IndexStatus createIndex(IndexedKeys of, boolean unique) {
    requireLasting(of);
    return indexes.create(of, unique);
  }

  /** Refuses an index of edges that expire: no commit would remove their entries. */
  private void requireLasting(IndexedKeys of) {
    if (of.kind() != ElementKind.EDGE) {
      return;
    }
    for (EdgeLabel label : labels.declared()) {
      if (label.hasTtl() && (of.label() == null || of.label().equals(label.name()))) {
        throw new IllegalArgumentException(
            "edges with a time to live have no property index"
                + (of.label() == null ? "; create an index for each other label" : "")
                + ": index="
                + of
                + ", label with a time to live="
                + label.name());
      }
    }
  }

  /** As {@link GraphStore#declareEdgeLabel}. */
  EdgeLabel declareEdgeLabel(String label, EdgeLabelForm wanted) {
    EdgeLabelForm form = labels.resolved(label, wanted);
    synchronized (this) {
      if (form.ttlMillis() > 0) {
        requireNoIndexOfAllEdges(label);
      }
      LabelRules rules = schema.current().find(ElementKind.EDGE, label);
      if (form.loose() && rules != null) {
        requireNoEnds(rules.schema());
      }
      synchronized (labels.changes()) { // what becomes both begins both before either ends
        boolean isInUse = ordering.begin(label, form);
        isInUse |= counting.begin(label, form);
        return isInUse ? labels.find(label) : labels.declare(label, form);
      }
    }
  }

  private void requireNoIndexOfAllEdges(String label) {
    for (IndexStatus index : indexes.list()) {
      IndexedKeys of = index.of();
      if (of.kind() == ElementKind.EDGE
          && of.label() == null
          && index.state() != IndexState.DROPPING) {
        throw new IllegalArgumentException(
            "edges with a time to live have no property index; drop the index of all edge labels"
                + " before you declare this label: label="
                + label
                + ", index="
                + of);
      }
    }
  }
}
