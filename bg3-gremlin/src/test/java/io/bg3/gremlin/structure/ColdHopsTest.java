package io.bg3.gremlin.structure;

import static org.apache.tinkerpop.gremlin.process.traversal.Order.desc;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.SortOrder;
import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3VertexStepStrategy;
import io.bg3.testing.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hops to vertices and edges that are read, in a store that was just opened, so that no page is in
 * memory: the answers are those of steps that read one vertex after the other.
 */
class ColdHopsTest {
  private static final int VERTICES = 1_500;
  private static final int DEGREE = 12;
  private static final int HUB_DEGREE = 3 * NeighbourGroup.MOST_NEIGHBOURS;

  @TempDir private Path directory;

  private Bg3Graph open() {
    return Bg3Graph.open(directory.resolve("store").toString());
  }

  private void load(Random random) {
    try (Bg3Graph graph = open()) {
      graph
          .graphStore()
          .declareEdgeLabel("likes", EdgeLabelForm.plain().orderedBy("time", SortOrder.DESCENDING));
      List<Vertex> vertices = new ArrayList<>();
      for (long id = 1; id <= VERTICES; id++) {
        String name = "n" + id + "-".repeat(random.nextInt(200));
        vertices.add(graph.addVertex(T.id, id, "name", name, "rank", random.nextInt(100)));
      }
      for (Vertex source : vertices) {
        int degree = source == vertices.get(0) ? HUB_DEGREE : DEGREE;
        for (int i = 0; i < 3; i++) {
          Vertex target = vertices.get(random.nextInt(VERTICES));
          source.addEdge("likes", target, "time", (long) random.nextInt(1_000_000));
        }
        for (int i = 0; i < degree; i++) {
          source.addEdge(
              "knows", vertices.get(random.nextInt(VERTICES)), "since", random.nextInt(30));
        }
      }
      graph.tx().commit();
    }
  }

  private static List<GraphTraversal<?, ?>> asked(GraphTraversalSource g) {
    return List.of(
        g.V(1L).out("knows").values("name"),
        g.V(2L).out("knows").out("knows").has("rank", P.lt(30)).id(),
        g.V(3L).both("knows").both("knows").valueMap("rank"),
        g.V(4L, 5L, 1L, 6L).in("knows").project("name", "rank").by("name").by("rank"),
        g.V().out("knows").order().by("rank").by(T.id).limit(20).values("name"));
  }

  private static List<GraphTraversal<?, ?>> askedForEdges(GraphTraversalSource g) {
    return List.of(
        g.V(1L).out("knows").outE("knows").values("since"),
        g.V(2L).out("knows").bothE("knows").id(),
        g.V().inE("knows").limit(400).id(),
        g.V(3L).both("knows").outE("knows").has("since", P.lt(4)).inV().values("name"),
        g.V(8L).out("knows").outE("likes").order().by("time", desc).limit(9).values("time"),
        g.V(9L).out("knows").outE("likes").has("time", P.lt(200_000L)).values("time"),
        g.V(7L).out("knows").inE("knows").has("since", P.lt(4)).bothV().valueMap("rank"),
        g.V(4L, 5L, 1L).out("knows").outE("knows").has("since", P.gt(25)).count());
  }

  @SuppressWarnings("unchecked") // an array of classes
  private static GraphTraversalSource plain(Bg3Graph graph) {
    return graph.traversal().withoutStrategies(Bg3VertexStepStrategy.class);
  }

  @Test
  void neighboursThatAreNotInMemoryAreThoseThatAreReadOneByOne() {
    load(new Random(Seeds.one()));
    for (int i = 0; i < 5; i++) {
      List<?> expected;
      try (Bg3Graph graph = open()) {
        expected = asked(plain(graph)).get(i).toList();
        graph.tx().rollback();
      }
      try (Bg3Graph graph = open()) {
        GraphTraversal<?, ?> hop = asked(graph.traversal()).get(i);
        assertEquals(expected, hop.toList(), hop::toString);
        assertTrue(hop.toString().contains("vertex,read)"), hop::toString);
        graph.tx().rollback();
      }
    }
  }

  @Test
  void edgesThatAreNotInMemoryAreThoseThatAreReadOneByOne() {
    load(new Random(Seeds.one()));
    for (int i = 0; i < 8; i++) {
      List<?> expected;
      try (Bg3Graph graph = open()) {
        expected = askedForEdges(plain(graph)).get(i).toList();
        graph.tx().rollback();
      }
      try (Bg3Graph graph = open()) {
        GraphTraversal<?, ?> hop = askedForEdges(graph.traversal()).get(i);
        assertEquals(expected, hop.toList(), hop::toString);
        assertTrue(hop.toString().contains("Bg3EdgeStep("), hop::toString);
        graph.tx().rollback();
      }
    }
  }

  /** As for a step that takes its traversers one by one. */
  @Test
  void edgesThatAreRemovedBetweenResultsHaveNoEnds() {
    try (Bg3Graph graph = Bg3Graph.open()) {
      Vertex source = graph.addVertex(T.id, 1L);
      for (long id = 2; id <= 20; id++) {
        source.addEdge("knows", graph.addVertex(T.id, id, "name", "n" + id), "w", 1);
      }
      graph.tx().commit();
      for (boolean removesVertices : List.of(true, false)) {
        List<Object> expected = endsWhileRemoving(graph, plain(graph), removesVertices);
        assertTrue(expected.size() < 19, expected::toString);
        assertEquals(expected, endsWhileRemoving(graph, graph.traversal(), removesVertices));
      }
    }
  }

  @Test
  void noEndsAreGivenOnceTheTransactionHasEnded() {
    try (Bg3Graph graph = Bg3Graph.open()) {
      Vertex source = graph.addVertex(T.id, 1L);
      for (long id = 2; id <= 20; id++) {
        source.addEdge("knows", graph.addVertex(T.id, id, "name", "n" + id));
      }
      graph.tx().commit();
      Iterator<Object> names = graph.traversal().V(1L).outE("knows").inV().values("name");
      for (int i = 0; i < 5; i++) { // one, two, and the first ones of four
        names.next();
      }
      graph.tx().commit();
      assertThrows(
          IllegalStateException.class,
          () -> {
            while (names.hasNext()) {
              names.next();
            }
          });
    }
  }

  private static List<Object> endsWhileRemoving(
      Bg3Graph graph, GraphTraversalSource g, boolean removesVertices) {
    List<Object> found = new ArrayList<>();
    Iterator<Object> names = g.V(1L).outE("knows").has("w", 1).inV().values("name");
    while (names.hasNext()) {
      Object name = names.next();
      found.add(name);
      long other = Long.parseLong(name.toString().substring(1)) + 2;
      graph
          .vertices(other)
          .forEachRemaining(
              vertex -> {
                if (removesVertices) {
                  vertex.remove();
                } else {
                  vertex.edges(Direction.IN).forEachRemaining(Edge::remove);
                }
              });
    }
    graph.tx().rollback();
    return found;
  }
}
