package io.bg3.bench.gremlin;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/**
 * Adds vertices and edges through the structure API, 1,000 elements a commit.
 *
 * <p>Threads: belongs to one.
 */
final class BenchLoad implements ElementSink {
  private static final int BATCH = 1_000;

  private final Graph to;
  private final VertexIds ids;
  private final Vertex[] vertices; // null where they are looked up
  private int inBatch;
  private long sourceNumber;
  private Vertex source;

  /**
   * Nothing added yet.
   *
   * @param count of the vertices, whose numbers begin with 1
   * @param takesIds as {@link BenchGraph#load} has it
   */
  BenchLoad(Graph to, int count, boolean takesIds) {
    this.to = to;
    this.ids = takesIds ? VertexIds.numbers() : VertexIds.noted(count);
    this.vertices = takesIds ? new Vertex[count + 1] : null;
  }

  /** The ids of the vertices that were added. */
  VertexIds ids() {
    return ids;
  }

  @Override
  public void vertex(int number, String label, Object... properties) {
    List<Object> values = new ArrayList<>(List.of(T.label, label));
    if (vertices != null) {
      values.addAll(List.of(T.id, (long) number));
    }
    Collections.addAll(values, properties);
    Vertex vertex = to.addVertex(values.toArray());
    if (vertices == null) {
      ids.note(number, vertex.id());
    } else {
      vertices[number] = vertex;
    }
    count();
  }

  @Override
  public void edge(long from, String label, long target, Object... properties) {
    if (vertices != null) {
      vertices[(int) from].addEdge(label, vertices[(int) target], properties);
    } else {
      if (source == null || sourceNumber != from) {
        source = found(from);
        sourceNumber = from;
      }
      source.addEdge(label, found(target), properties);
    }
    count();
  }

  private Vertex found(long number) {
    return to.vertices(ids.id(number)).next();
  }

  private void count() {
    if (++inBatch == BATCH) {
      BenchGraph.commit(to);
      inBatch = 0;
      source = null; // it belongs to the transaction that has ended
    }
  }
}
