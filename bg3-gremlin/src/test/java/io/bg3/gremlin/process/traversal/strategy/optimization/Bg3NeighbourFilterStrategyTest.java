package io.bg3.gremlin.process.traversal.strategy.optimization;

import static io.bg3.gremlin.process.traversal.strategy.optimization.CompiledSteps.compiled;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.both;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.in;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.out;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.outE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.SortOrder;
import io.bg3.gremlin.structure.Bg3ConflictException;
import io.bg3.gremlin.structure.Bg3Graph;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.SubgraphStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReadOnlyStrategy;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which filters become look-ups, and that they let the same vertices pass. */
class Bg3NeighbourFilterStrategyTest {
  private static final int VERTICES = 12;

  private Bg3Graph graph;
  private GraphTraversalSource g;
  private GraphTraversalSource plain;

  @BeforeEach
  @SuppressWarnings("unchecked") // an array of classes
  void open() {
    graph = Bg3Graph.open();
    graph.graphStore().declareEdgeLabel("loose", EdgeLabelForm.plain().asLoose());
    graph
        .graphStore()
        .declareEdgeLabel("sorted", EdgeLabelForm.plain().orderedBy("at", SortOrder.DESCENDING));
    g = graph.traversal();
    plain = g.withoutStrategies(Bg3NeighbourFilterStrategy.class);
    List<Vertex> vertices = new ArrayList<>();
    for (long id = 0; id < VERTICES; id++) {
      vertices.add(
          graph.addVertex(T.id, id, T.label, id % 3 == 0 ? "third" : "other", "n", id % 4));
    }
    vertices.add(graph.addVertex(T.id, "text"));
    for (int i = 0; i < VERTICES; i++) {
      for (int k = 1; k < 4; k++) {
        Vertex target = vertices.get((i * k + 1) % vertices.size());
        vertices.get(i).addEdge("knows", target);
        vertices.get(i).addEdge("loose", target);
        vertices.get(i).addEdge("sorted", target, "at", (long) k);
      }
    }
    graph.tx().commit();
  }

  @AfterEach
  void close() {
    graph.tx().rollback();
    graph.close();
  }

  private static void assertReplaced(Traversal<?, ?> traversal) {
    String steps = compiled(traversal);
    assertTrue(steps.contains("Bg3NeighbourFilterStep("), steps);
  }

  private static void assertKept(Traversal<?, ?> traversal) {
    String steps = compiled(traversal);
    assertFalse(steps.contains("Bg3NeighbourFilterStep("), steps);
  }

  @Test
  void filtersByIdsOfNeighboursAreReplaced() {
    assertTrue(
        g.V(1)
            .where(out("knows").hasId(3))
            .explain()
            .toString()
            .contains("Bg3NeighbourFilterStep(OUT,[knows],~id.eq(3))"));
    assertReplaced(g.V().filter(in("knows").hasId(3L, 4L)));
    assertReplaced(g.V().repeat(out().where(both("knows", "loose").hasId(1, 2))).times(2));
    assertReplaced(g.V().where(out("knows").has(T.id, 3)));
    assertReplaced(g.V().as("a").where(out("knows").hasId(3)).select("a"));
    assertReplaced(g.withStrategies(ReadOnlyStrategy.instance()).V().where(out("k").hasId(3)));
    assertReplaced(g.V().where(out("knows").hasId(P.gt(3))));
    assertReplaced(g.V().where(out("knows").hasId(3).hasLabel("x")));
    assertReplaced(g.V().where(out("knows").has("name", P.neq("x").or(P.lt("a")))));
    assertReplaced(g.V().where(out("knows").hasLabel(TextP.containing("x"))));
    assertReplaced(
        g.V().where(out("knows").hasId(P.within(LongStream.range(0, 99).boxed().toList()))));
    assertReplaced(g.V().where(out("knows").hasId(1e300)));
    assertKept(g.V().where(out().hasId(3)));
    assertKept(g.V().where(out("knows").has("name", new P<>((value, sought) -> true, "x"))));
    assertKept(g.V().where(out("knows").out("knows").hasId(3)));
    assertKept(g.V().where(outE("knows").hasId(3)));
    assertKept(g.V().where(out("knows").as("a").hasId(3)));
    assertKept(
        g.withStrategies(SubgraphStrategy.build().vertices(out("knows")).create())
            .V()
            .where(out("knows").hasId(3)));
  }

  @Test
  void theSameVerticesPass() {
    assertSame();
    plain.V(3).drop().iterate();
    plain.V(4).outE("knows").drop().iterate();
    plain.V(5).addE("knows").to(plain.V(1).next()).iterate();
    assertSame();
    graph.tx().commit();
    assertSame();
  }

  private void assertSame() {
    List<P<?>> predicates = new ArrayList<>();
    for (long id = 0; id < VERTICES; id++) {
      predicates.add(P.eq(id));
    }
    predicates.addAll(
        List.of(
            P.eq(1),
            P.eq(1.0),
            P.eq("1"),
            P.eq("text"),
            P.within(List.of(1, 2L, "text", 77)),
            P.within(1, 1),
            P.within(List.of()),
            P.within(LongStream.range(3, 99).boxed().toList()),
            P.gt(VERTICES - 2),
            P.neq(1),
            P.eq(99)));
    for (P<?> id : predicates) {
      for (String label : List.of("knows", "loose", "sorted", "none")) {
        assertEquals(
            plain.V().where(out(label).hasId(id)).id().toList(),
            g.V().where(out(label).hasId(id)).id().toList());
        assertEquals(
            plain.V().where(in(label).hasId(id)).id().toList(),
            g.V().where(in(label).hasId(id)).id().toList());
        assertEquals(
            plain.V().where(both("none", label).hasId(id)).id().toList(),
            g.V().where(both("none", label).hasId(id)).id().toList());
      }
    }
    for (int n = 0; n < 5; n++) {
      for (String label : List.of("knows", "loose", "sorted", "none")) {
        assertEquals(
            plain.V().where(out(label).has("third", "n", n)).id().toList(),
            g.V().where(out(label).has("third", "n", n)).id().toList());
        assertEquals(
            plain.V().filter(both(label).has("n", P.gt(n))).id().toList(),
            g.V().filter(both(label).has("n", P.gt(n))).id().toList());
      }
    }
  }

  @Test
  void eachNeighbourIsTestedOnceUntilSomethingChanges() {
    Traversal<?, Vertex> found = g.V().where(out("knows").has("n", 77));
    assertFalse(found.hasNext());
    g.V(2).property("n", 77).iterate();
    List<Object> expected = plain.V().where(out("knows").has("n", 77)).id().toList();
    assertFalse(expected.isEmpty());
    assertEquals(expected, g.V().where(out("knows").has("n", 77)).id().toList());
  }

  @Test
  void aVertexWithVeryManyNeighboursPasses() {
    Vertex many = graph.addVertex(T.id, 500L);
    for (int i = 0; i < 600; i++) {
      many.addEdge("knows", graph.addVertex(T.id, 1_000L + i, "n", i == 599 ? 1_000 : 0));
    }
    for (int round = 0; round < 2; round++) {
      assertEquals(List.of(500L), g.V().where(out("knows").has("n", 1_000)).id().toList());
      assertEquals(List.of(500L), g.V().where(out("knows").hasId(1_599, 7_000)).id().toList());
      assertEquals(0, g.V().where(out("knows").has("n", 1_001)).count().next());
      graph.tx().commit();
    }
  }

  @Test
  void anEdgeThatWasLookedForIsValidated() throws Exception {
    assertConflict("knows");
    assertConflict("new");
    g.V(2).where(out("knows").hasId(9)).iterate();
    graph.addVertex();
    addElsewhere("knows", 8); // another neighbour: not read
    graph.tx().commit();
  }

  private void assertConflict(String label) throws Exception {
    g.V(2).where(out(label).hasId(9)).iterate();
    graph.addVertex();
    addElsewhere(label, 9);
    assertThrows(Bg3ConflictException.class, () -> graph.tx().commit());
  }

  private void addElsewhere(String label, int target) throws Exception {
    CompletableFuture.runAsync(
            () -> {
              g.V(2).as("a").V(target).addE(label).from("a").iterate();
              graph.tx().commit();
            })
        .get();
  }
}
