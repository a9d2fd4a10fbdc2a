package io.bg3.gremlin.process.computer;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.util.TransactionException;

/**
 * Writes computed values to the graph that was computed on, in the thread of the computation, some
 * vertices a commit. A vertex that was removed meanwhile is passed over. A failure leaves the
 * values of the commits before it.
 */
final class ComputedWrites {
  /** Vertices of one commit. */
  private static final int TOGETHER = 500;

  /** Commits of the same vertices that others may make fail. */
  private static final int ATTEMPTS = 20;

  private final ComputedGraph computed;
  private final Graph original;

  ComputedWrites(ComputedGraph computed, Graph original) {
    this.computed = computed;
    this.original = original;
  }

  /** Writes all values that are not transient. */
  void write() {
    int count = computed.numbers().count();
    for (int from = 0; from < count; from += TOGETHER) {
      MapReduceJob.checkInterrupt();
      write(from, Math.min(count, from + TOGETHER));
    }
  }

  private void write(int from, int to) {
    for (int attempt = 1; ; attempt++) {
      try {
        for (int number = from; number < to; number++) {
          write(number);
        }
        original.tx().commit();
        return;
      } catch (TransactionException e) { // as when another commit has changed a vertex
        if (attempt == ATTEMPTS) {
          throw e;
        }
      } finally {
        original.tx().rollback();
      }
    }
  }

  private void write(int number) {
    ComputedVertex vertex = computed.vertex(number);
    Vertex stored = null;
    for (Map.Entry<String, Column> column : computed.columns().entrySet()) {
      Object values = column.getValue().get(number);
      if (values == null) {
        continue;
      }
      if (stored == null) {
        Iterator<Vertex> found = original.vertices(vertex.id());
        if (!found.hasNext()) {
          return;
        }
        stored = found.next();
      }
      write(stored, ComputedValues.all(vertex, column.getKey(), values));
    }
  }

  /** The first value takes the place of those that are stored, others are added to it. */
  private static void write(Vertex stored, List<VertexProperty<Object>> values) {
    VertexProperty.Cardinality cardinality = VertexProperty.Cardinality.single;
    for (VertexProperty<Object> value : values) {
      VertexProperty<Object> written = stored.property(cardinality, value.key(), value.value());
      Iterator<Property<Object>> metas = value.properties();
      metas.forEachRemaining(meta -> written.property(meta.key(), meta.value()));
      cardinality = VertexProperty.Cardinality.list;
    }
  }
}
