package io.bg3.core.graph;

/** Shorthands of the tests of labels that become counted. */
final class Counters {
  private Counters() {}

  /** Has a label become counted, and waits until its counters are ready. */
  static EdgeLabel build(GraphStore graph, String label) throws InterruptedException {
    EdgeLabel declared = graph.declaredEdgeLabel(label);
    EdgeLabelForm form = declared == null ? EdgeLabelForm.plain() : declared.form();
    EdgeLabel counted = graph.declareEdgeLabel(label, form.asCounted());
    await(graph, label);
    return counted;
  }

  /** Waits until the counters of a label are ready; throws if the work stops. */
  static void await(GraphStore graph, String label) throws InterruptedException {
    CounterStatus status = graph.counters(graph.declaredEdgeLabel(label));
    while (status.state() == CounterState.BUILDING) {
      if (status.problem() != null) {
        throw new AssertionError(status.toString());
      }
      Thread.sleep(1);
      status = graph.counters(graph.declaredEdgeLabel(label));
    }
  }

  /** The number of edges out of a vertex, in a transaction. */
  static long count(GraphTransaction in, long vertex, String label) {
    return in.countEdges(vertex, EdgeDirection.OUT, false, () -> {}, label);
  }

  /** The number of edges out of a vertex now. */
  static long count(GraphStore graph, long vertex, String label) {
    try (GraphTransaction in = graph.beginReadOnly()) {
      return count(in, vertex, label);
    }
  }
}
