package io.bg3.gremlin.structure;

import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.record.PropertyCursor;
import io.bg3.core.record.PropertyRecord;
import io.bg3.core.record.VertexRecord;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/**
 * Conditions on label and properties that a vertex has to meet, tested on its record: what {@link
 * HasContainer#testAll} says of the vertex, without the vertex. Belongs to one thread.
 */
final class RecordConditions {
  /** A condition with what is remembered of it. */
  private static final class Tested {
    final String key;
    final P<Object> predicate;
    final boolean isLabel;
    int code; // of the key, 0 while it is not known
    int label; // the code of a label that was tested, 0 if none was
    boolean passes; // whether that label passes

    @SuppressWarnings("unchecked") // a predicate tests what it is given
    Tested(HasContainer condition) {
      key = condition.getKey();
      predicate = (P<Object>) condition.getPredicate();
      isLabel = T.label.getAccessor().equals(key);
    }
  }

  private final Bg3Graph graph;
  private final List<HasContainer> containers;
  private final Tested[] conditions;

  /**
   * @param conditions on labels and properties; each says the same of a label whenever it is asked
   */
  RecordConditions(Bg3Graph graph, List<HasContainer> conditions) {
    this.graph = graph;
    this.containers = conditions;
    this.conditions = conditions.stream().map(Tested::new).toArray(Tested[]::new);
  }

  /** Whether a vertex, which may be of another graph, meets all conditions. */
  boolean test(Vertex vertex) {
    return HasContainer.testAll(vertex, containers);
  }

  /** Whether the vertex with this record, which the transaction has read, meets all conditions. */
  boolean test(GraphTransaction in, long vertex, VertexRecord record) {
    for (Tested condition : conditions) {
      boolean passes =
          condition.isLabel
              ? passes(condition, record.label(0))
              : hasValue(condition, in, vertex, record);
      if (!passes) {
        return false;
      }
    }
    return true;
  }

  private boolean passes(Tested condition, int label) {
    if (condition.label != label) {
      String text = graph.store().graph().vertexLabel(label);
      condition.passes = condition.predicate.test(text);
      condition.label = label;
    }
    return condition.passes;
  }

  private static boolean hasValue(
      Tested condition, GraphTransaction in, long vertex, VertexRecord record) {
    if (condition.code == 0) {
      condition.code = in.findKey(condition.key); // stays what it is once there is one
    }
    PropertyCursor at = record.cursor();
    if (at == null) {
      return hasValue(condition, in, vertex, record.withKey(condition.code));
    }
    boolean found = false;
    while (at.next()) { // to the end, to see that the record is whole
      found =
          found || (at.key() == condition.code && condition.predicate.test(in.value(vertex, at)));
    }
    return found;
  }

  private static boolean hasValue(
      Tested condition, GraphTransaction in, long vertex, List<PropertyRecord> values) {
    for (PropertyRecord each : values) {
      if (condition.predicate.test(in.value(vertex, each))) {
        return true;
      }
    }
    return false;
  }
}
