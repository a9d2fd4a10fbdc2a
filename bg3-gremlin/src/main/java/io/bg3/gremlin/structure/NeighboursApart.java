package io.bg3.gremlin.structure;

import io.bg3.core.graph.EdgeDirection;
import io.bg3.core.graph.EdgeScan;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.gremlin.process.traversal.step.util.SeenVertices;
import java.util.Iterator;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;

/**
 * The neighbours of vertices that are asked one by one: as {@link Vertex#vertices} gives them, by a
 * scan or a counter for each vertex; if there are conditions, those neighbours that meet them. A
 * vertex may belong to another graph. Belongs to one thread.
 */
final class NeighboursApart {
  private final Bg3Graph graph;
  private final Direction direction;
  private final EdgeDirection way;
  private final RecordConditions conditions; // null if there are none
  private final String[] labels;

  /**
   * The neighbours by edges with these labels; none for all labels.
   *
   * @param conditions on the neighbours; null if there are none
   * @param labels not changed by anybody
   */
  NeighboursApart(
      Bg3Graph graph, Direction direction, RecordConditions conditions, String... labels) {
    this.graph = graph;
    this.direction = direction;
    this.way = Bg3Vertex.directionOf(direction);
    this.conditions = conditions;
    this.labels = labels;
  }

  /** The neighbours of a vertex. */
  Iterator<Vertex> neighbours(Vertex vertex) {
    Iterator<Vertex> all = vertex.vertices(direction, labels);
    return conditions == null ? all : IteratorUtils.filter(all, conditions::test);
  }

  /** Those of them that were not seen before; each is as it is given. */
  Iterator<Vertex> newNeighbours(Vertex vertex, SeenVertices seen) {
    return IteratorUtils.filter(neighbours(vertex), each -> VerticesById.addTo(seen, graph, each));
  }

  /**
   * The number of neighbours of a vertex.
   *
   * @param ends whether only those count that exist
   * @param wanted where there are more, this number or a larger one may be returned
   */
  long count(Vertex vertex, boolean ends, long wanted) {
    if (conditions != null || !(vertex instanceof Bg3Vertex own) || own.graph() != graph) {
      return IteratorUtils.count(ends ? neighbours(vertex) : vertex.edges(direction, labels));
    }
    GraphTransaction in = graph.transaction().graph();
    return wanted == Long.MAX_VALUE
        ? in.countEdges(own.vertex(), way, ends, Interrupts::check, labels)
        : countFirst(in, own.vertex(), ends, wanted);
  }

  /** Counts neighbours one by one, for a caller who wants a few. */
  private long countFirst(GraphTransaction in, long vertex, boolean ends, long wanted) {
    long found = 0;
    try (EdgeScan scan = in.edges(vertex, way, false, labels)) {
      while (found < wanted && scan.next()) {
        Interrupts.check();
        found += !ends || !scan.isLoose() || in.vertexExists(scan.other()) ? 1 : 0;
      }
    }
    return found;
  }

  /** The number of neighbours of a vertex that were not seen before; they are then. */
  long countNew(Vertex vertex, SeenVertices seen) {
    return conditions == null && vertex instanceof Bg3Vertex own && own.graph() == graph
        ? countNew(own, seen)
        : countNewAmong(neighbours(vertex), seen);
  }

  private long countNew(Bg3Vertex vertex, SeenVertices seen) {
    GraphTransaction in = graph.transaction().graph();
    long found = 0;
    try (EdgeScan scan = in.edges(vertex.vertex(), way, false, labels)) {
      while (scan.next()) {
        Interrupts.check();
        boolean exists = !scan.isLoose() || in.vertexExists(scan.other());
        found += exists && seen.add(scan.other()) ? 1 : 0;
      }
    }
    return found;
  }

  /** Of vertices that may be of another graph and have ids that vertices of this one have. */
  private long countNewAmong(Iterator<Vertex> others, SeenVertices seen) {
    long found = 0;
    while (others.hasNext()) {
      found += VerticesById.addTo(seen, graph, others.next()) ? 1 : 0;
    }
    return found;
  }
}
