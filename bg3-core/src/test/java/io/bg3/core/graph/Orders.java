package io.bg3.core.graph;

import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Shorthands of the tests of labels that become ordered when they have edges. */
final class Orders {
  static final String TIME = "time";

  private Orders() {}

  /** The form that a label has, or would have, ordered by its edges' times. */
  static EdgeLabelForm ordered(GraphStore graph, String label, SortOrder order) {
    EdgeLabel declared = graph.declaredEdgeLabel(label);
    EdgeLabelForm form = declared == null ? EdgeLabelForm.plain() : declared.form();
    return form.orderedBy(TIME, order);
  }

  /** Has a label become ordered by its edges' times, and waits until its order is ready. */
  static EdgeLabel build(GraphStore graph, String label) throws InterruptedException {
    EdgeLabelForm form = ordered(graph, label, SortOrder.DESCENDING);
    EdgeLabel ordered = graph.declareEdgeLabel(label, form);
    await(graph, label);
    return ordered;
  }

  /** Waits until the order of a label is ready; throws if the work stops. */
  static void await(GraphStore graph, String label) throws InterruptedException {
    OrderStatus status = settled(graph, label);
    if (status.state() != OrderState.READY) {
      throw new AssertionError(status.toString());
    }
  }

  /** The order of a label once nobody works on it. */
  static OrderStatus settled(GraphStore graph, String label) throws InterruptedException {
    OrderStatus status = graph.order(graph.declaredEdgeLabel(label));
    int more = 100; // the problem is there a moment before the label has failed
    while (status.state() != OrderState.READY
        && status.state() != OrderState.FAILED
        && (status.problem() == null || more-- > 0)) {
      Thread.sleep(1);
      status = graph.order(graph.declaredEdgeLabel(label));
    }
    return status;
  }

  static EdgeId add(GraphStore graph, long source, String label, long target, long time) {
    return graph.retry(in -> in.addEdge(source, label, target, null, Map.of(TIME, time)));
  }

  static void setTime(GraphStore graph, EdgeId edge, long time) {
    graph.retry(
        in -> {
          in.setEdgeProperty(edge, TIME, time);
          return null;
        });
  }

  static void remove(GraphStore graph, EdgeId edge) {
    graph.retry(
        in -> {
          in.removeEdge(edge);
          return null;
        });
  }

  /** The times of all edges out of a vertex, in the order of their label. */
  static List<Long> times(GraphTransaction in, long vertex, EdgeLabel label) {
    SortOrder order = label.form().order();
    return times(
        in,
        in.sortedEdges(vertex, label, Long.MIN_VALUE, Long.MAX_VALUE, order, Integer.MAX_VALUE));
  }

  static List<Long> times(GraphTransaction in, EdgeScan edges) {
    int key = in.findKey(TIME);
    List<Long> times = new ArrayList<>();
    try (EdgeScan scan = edges) {
      while (scan.next()) {
        EdgeRecord record = scan.record();
        times.add((Long) record.value(record.property(key)));
      }
    }
    return times;
  }

  /** The times of all edges out of a vertex, in the order of their label, now. */
  static List<Long> times(GraphStore graph, long vertex, EdgeLabel label) {
    try (GraphTransaction in = graph.beginReadOnly()) {
      return times(in, vertex, label);
    }
  }
}
