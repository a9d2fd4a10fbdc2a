package io.bg3.bench.snb;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/**
 * Adds elements through the structure API, 1,000 a commit, and counts them.
 *
 * <p>Threads: belongs to one.
 */
final class SnbWriter {
  private static final int BATCH = 1_000;

  private final Graph graph;
  private final Map<SnbSizes.Kind, List<Vertex>> vertices = new EnumMap<>(SnbSizes.Kind.class);
  private long elements;
  private long edges;

  SnbWriter(Graph graph) {
    this.graph = graph;
    for (SnbSizes.Kind kind : SnbSizes.Kind.values()) {
      vertices.put(kind, new ArrayList<>());
    }
  }

  /** Adds the next vertex of a kind. */
  Vertex add(SnbSizes.Kind kind, String label, Object... properties) {
    List<Vertex> all = vertices.get(kind);
    Object[] keyValues = new Object[properties.length + 4];
    keyValues[0] = T.id;
    keyValues[1] = kind.id(all.size());
    keyValues[2] = T.label;
    keyValues[3] = label;
    System.arraycopy(properties, 0, keyValues, 4, properties.length);
    Vertex added = graph.addVertex(keyValues);
    all.add(added);
    count();
    return added;
  }

  /** Adds an edge. */
  void edge(Vertex from, String label, Vertex to, Object... properties) {
    Edge unused = from.addEdge(label, to, properties);
    edges++;
    count();
  }

  /** The {@code number}th vertex of a kind. */
  Vertex vertex(SnbSizes.Kind kind, int number) {
    return vertices.get(kind).get(number);
  }

  /** How many vertices of a kind there are. */
  int count(SnbSizes.Kind kind) {
    return vertices.get(kind).size();
  }

  /** How many edges were added. */
  long edges() {
    return edges;
  }

  private void count() {
    if (++elements % BATCH == 0) {
      commit();
    }
  }

  /** Commits where the system has transactions. */
  void commit() {
    if (graph.features().graph().supportsTransactions()) {
      graph.tx().commit();
    }
  }
}
