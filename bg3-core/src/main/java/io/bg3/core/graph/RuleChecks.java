package io.bg3.core.graph;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.VertexId;
import io.bg3.core.record.VertexRecord;
import io.bg3.core.transaction.Dictionary;
import io.bg3.core.transaction.Transaction;

/**
 * Looks whether the vertices and edges that one transaction has added or changed meet the schemas
 * of their labels (R42). It costs one look at a field where there is no schema.
 *
 * <p>Belongs to one transaction.
 */
final class RuleChecks {
  private final GraphStore store;
  private final Transaction transaction;
  private final Vertices vertices;
  private final Edges edges;

  RuleChecks(GraphStore store, Transaction transaction, Vertices vertices, Edges edges) {
    this.store = store;
    this.transaction = transaction;
    this.vertices = vertices;
    this.edges = edges;
  }

  /**
   * Requires that all schemas that there are now are met, of elements as the transaction leaves
   * them: before its end an element may lack what is required. If a schema comes before the commit
   * has its locks, the commit looks again.
   *
   * @throws SchemaViolationException naming the first rule that is broken
   */
  void require() {
    if (!transaction.hasWrites()) {
      return;
    }
    RuleCatalogue now = store.schema().current();
    transaction.metRulesAt(now.version());
    if (now.keeps(ElementKind.VERTEX)) {
      vertices.eachWritten((vertex, record) -> require(now, vertex, record));
    }
    if (now.keeps(ElementKind.EDGE)) {
      for (byte[] key : transaction.edgesSince(0)) {
        EdgeId edge = Edges.ofEntry(key);
        if (edge != null) {
          require(now, edge);
        }
      }
    }
  }

  private void require(RuleCatalogue now, long vertex, VertexRecord record) {
    LabelRules rules = now.kept(ElementKind.VERTEX, record.label(0));
    if (rules != null) {
      requireNone(
          rules.problem(
              () -> id(vertex),
              record,
              each -> vertices.value(vertex, each.number(), 0, each),
              this::text));
    }
  }

  private Object id(long vertex) {
    return VertexId.isReserved(vertex) ? store.externalIds().of(transaction, vertex) : vertex;
  }

  private void require(RuleCatalogue now, EdgeId edge) {
    LabelRules rules = now.kept(ElementKind.EDGE, edge.label());
    EdgeRecord record = rules == null ? null : edges.record(edge);
    if (record != null) { // else it is removed, or hidden
      requireNone(rules.problem(() -> name(edge, record), record, this::text));
      boolean hasEnds = !rules.schema().ends().isAny();
      boolean isNew = (rules.schema().single() || hasEnds) && edges.before(edge) == null;
      if (rules.schema().single() && isNew) {
        requireSingle(rules, edge, record);
      }
      if (hasEnds && (isNew || hasChangedEnd(edge))) {
        requireEnds(rules, edge, record);
      }
    }
  }

  /** Whether an end may be another vertex than before: removed, and added again under its id. */
  private boolean hasChangedEnd(EdgeId edge) {
    return vertices.written(edge.source()) != null || vertices.written(edge.target()) != null;
  }

  /**
   * Requires that an edge joins vertices that it may. A commit that adds an edge validates that its
   * ends exist, which they also do when they were removed and added again with other labels; so
   * here it validates that nobody changes them.
   */
  private void requireEnds(LabelRules rules, EdgeId edge, EdgeRecord record) {
    requireNone(rules.wrongEnd(name(edge, record), edge, this::guarded, this::vertexLabel));
  }

  private VertexRecord guarded(long vertex) {
    transaction.guard(TreeIds.VERTICES, GraphKeys.vertex(vertex));
    return vertices.record(vertex);
  }

  private String vertexLabel(int code) {
    return store.dictionary().text(Dictionary.Kind.VERTEX_LABEL, code);
  }

  /**
   * Requires that a new edge is the only one from its source to its target. Parallel edges are no
   * conflict as a rule, so the commit validates that nobody else has added one.
   */
  private void requireSingle(LabelRules rules, EdgeId edge, EdgeRecord record) {
    EdgeId other = edges.guardedOther(edge);
    if (other != null) {
      throw new SchemaViolationException(rules.twice(name(edge, record), other));
    }
  }

  /** The id by which the user knows an edge. */
  static Object name(EdgeId edge, EdgeRecord record) {
    return record.userId() == null ? edge : record.userId();
  }

  private static void requireNone(String problem) {
    if (problem != null) {
      throw new SchemaViolationException(problem);
    }
  }

  private String text(int key) {
    return store.dictionary().text(Dictionary.Kind.PROPERTY_KEY, key);
  }
}
