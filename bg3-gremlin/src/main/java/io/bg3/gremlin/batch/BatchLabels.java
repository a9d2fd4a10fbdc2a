package io.bg3.gremlin.batch;

import io.bg3.core.graph.EdgeLabel;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.record.VertexRecord;

/** The labels that operations on links and nodes look up. */
public final class BatchLabels {
  private BatchLabels() {}

  /** The record of a vertex; null if it does not exist or does not have the label. */
  public static VertexRecord vertex(
      GraphStore store, GraphTransaction transaction, String label, long id) {
    VertexRecord vertex = transaction.vertex(id);
    return vertex != null && vertex.hasLabel(store.findVertexLabel(label)) ? vertex : null;
  }

  /**
   * A declared label.
   *
   * @throws IllegalArgumentException if it is not declared
   */
  public static EdgeLabel declared(GraphStore store, String name) {
    EdgeLabel label = store.declaredEdgeLabel(name);
    if (label == null) {
      throw new IllegalArgumentException(
          "the label is not declared, call bg3.links.declare first: label=" + name);
    }
    return label;
  }

  /** Those under whose locks a link is changed. */
  public static long[] owners(EdgeLabel label, long source, long target) {
    return label.form().loose() ? new long[] {source} : new long[] {source, target};
  }
}
