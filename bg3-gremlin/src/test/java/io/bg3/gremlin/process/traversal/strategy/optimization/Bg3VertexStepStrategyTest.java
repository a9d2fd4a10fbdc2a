package io.bg3.gremlin.process.traversal.strategy.optimization;

import static io.bg3.gremlin.process.traversal.strategy.optimization.CompiledSteps.compiled;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.both;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.bothE;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.constant;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.fail;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.hasId;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.id;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.identity;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.in;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.inV;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.local;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.loops;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.out;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.outE;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.repeat;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.union;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.process.traversal.step.util.ReadMetrics;
import io.bg3.gremlin.structure.Bg3ConflictException;
import io.bg3.gremlin.structure.Bg3Graph;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.tinkerpop.gremlin.process.traversal.Operator;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Scope;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.FailStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.WithOptions;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.SubgraphStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.EdgeLabelVerificationStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReadOnlyStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.VerificationException;
import org.apache.tinkerpop.gremlin.process.traversal.util.Metrics;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalMetrics;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Which hops are replaced, and that nobody notices: what a traversal reads ahead is bounded, and
 * its answers are those without the strategy while the transaction changes, ends or conflicts.
 *
 * <p>The graph is a ring of {@value #VERTICES} vertices, of which each knows the next {@value
 * #DEGREE}.
 */
class Bg3VertexStepStrategyTest {
  private static final int VERTICES = 300;
  private static final int DEGREE = 3;

  private Bg3Graph graph;
  private GraphTraversalSource g;
  private GraphTraversalSource plain;

  @BeforeEach
  @SuppressWarnings("unchecked") // an array of classes
  void open() {
    graph = Bg3Graph.open();
    g = graph.traversal();
    plain = g.withoutStrategies(Bg3VertexStepStrategy.class);
    List<Vertex> ring = new ArrayList<>();
    for (long id = 0; id < VERTICES; id++) {
      ring.add(graph.addVertex(T.id, id));
    }
    for (int i = 0; i < VERTICES; i++) {
      for (int k = 1; k <= DEGREE; k++) {
        ring.get(i).addEdge("knows", ring.get((i + k) % VERTICES));
      }
    }
    graph.tx().commit();
  }

  @AfterEach
  void close() {
    graph.tx().rollback();
    graph.close();
  }

  private static void assertReplaced(String expected, Traversal<?, ?> traversal) {
    String steps = compiled(traversal);
    assertTrue(steps.contains("Bg3VertexStep(" + expected + ")"), steps);
  }

  private static void assertKept(Traversal<?, ?> traversal) {
    String steps = compiled(traversal);
    assertFalse(steps.contains("Bg3VertexStep("), steps);
    assertTrue(steps.contains("VertexStep("), steps);
  }

  @Test
  void hopsWithLabelsAreReplaced() {
    assertTrue(g.V(1).out("knows").explain().toString().contains("Bg3VertexStep(OUT,[knows]"));
    assertReplaced("OUT,[knows],vertex", g.V().out("knows"));
    assertReplaced("IN,[knows, likes],vertex", g.V().in("knows", "likes"));
    assertReplaced("OUT,vertex", g.V().out());
    assertReplaced("BOTH,vertex", g.V().where(both().hasId(7)));
    assertReplaced("BOTH,[knows],vertex,read", g.V().both("knows").values("name"));
    assertReplaced("OUT,[knows],vertex", g.V().outE("knows").inV());
    assertReplaced("OUT,[knows],vertex", g.V().where(out("knows")));
    assertReplaced("OUT,[knows],vertex", g.V().repeat(out("knows")).times(2));
    assertReplaced("OUT,[knows],vertex", g.V().as("a").out("knows").as("b").select("a", "b"));
    assertReplaced(
        "OUT,[knows],vertex", g.withSack(0).V().out("knows").sack(Operator.sum).by(constant(1)));
    assertReplaced("OUT,[knows],vertex", g.V().aggregate("x").out("knows").where(P.without("x")));
    assertReplaced(
        "OUT,[knows],vertex", g.withStrategies(ReadOnlyStrategy.instance()).V().out("knows"));
    assertReplaced(
        "OUT,[knows],vertex",
        g.withStrategies(SubgraphStrategy.build().vertices(hasId(P.lt(9))).create())
            .V()
            .out("knows"));
  }

  @Test
  void neighboursThatAreReadAreAnnounced() {
    String read = "OUT,[knows],vertex,read";
    assertReplaced(read, g.V().out("knows").values("name"));
    assertReplaced(read, g.V().out("knows").label());
    assertReplaced(read, g.V().out("knows").valueMap("name"));
    assertReplaced(read, g.V().out("knows").elementMap());
    assertReplaced(read, g.V().out("knows").order().by("name").limit(3));
    assertReplaced(read, g.V().out("knows").project("a", "b").by(T.id).by("name"));
    assertReplaced(read, g.V().out("knows").groupCount().by(T.label));
    assertReplaced(read, g.V().map(out("knows").label().count()));
    assertReplaced(read, g.V().project("a").by(out("knows").values("name").fold()));
    assertReplaced("OUT,[knows],vertex", g.V().map(out("knows").values("name")));
    assertReplaced("OUT,[knows],vertex", g.V().out("knows").id());
    assertReplaced("OUT,[knows],vertex", g.V().out("knows").hasId(3));
    assertReplaced("OUT,[knows],vertex", g.V().out("knows").values("name").limit(1));
    assertReplaced("OUT,[knows],vertex", g.V().where(out("knows").has("name")));
  }

  @Test
  void edgesOfSeveralVerticesAreAnnounced() {
    assertEdges("OUT,[knows],edge", g.V().outE("knows").values("since"));
    assertEdges("BOTH,edge", g.V().bothE().id());
    assertEdges("IN,[knows],edge", g.V().inE("knows").limit(4).fold());
    assertEdges("OUT,[knows],edge,since.gt(1)", g.V().outE("knows").has("since", P.gt(1)).id());
    assertKept(g.V().filter(each -> true).outE("knows").id());
    assertKept(g.V().outE("knows").sideEffect(each -> {}).id());
    assertKept(g.V().repeat(outE("knows").as("e").inV()).until(hasId(7)));
    assertKept(g.V().repeat(identity()).emit(hasId(7)).outE("knows").id());
    assertEquals(
        plain.V(7, 8, 9, 7).outE("knows").inV().path().toList(),
        g.V(7, 8, 9, 7).outE("knows").inV().path().toList());
    assertEquals(
        plain.V().both("knows").outE("knows").id().toList(),
        g.V().both("knows").outE("knows").id().toList());
  }

  @Test
  void verticesAtTheEndsOfEdgesAreAnnounced() {
    assertEnds("IN,read", g.V().outE("knows").has("since").inV().values("name"));
    assertEnds("BOTH,read", g.V().outE("knows").has("since").bothV().hasLabel("x").id());
    assertEnds("OUT,read", g.V().inE("knows").as("e").outV().elementMap().select("e"));
    assertNoEnds(g.V().outE("knows").has("since").inV().id());
    assertNoEnds(g.V().outE("knows").has("since").inV().values("name").limit(3));
    assertNoEnds(g.V().outE("knows").as("e").inV().values("name").sideEffect(each -> {}));
    assertNoEnds(g.V().repeat(outE("knows").as("e").inV().has("name")).until(hasId(7)));
    assertEquals(
        plain.V(7, 8, 9, 7).outE("knows").as("e").inV().label().path().toList(),
        g.V(7, 8, 9, 7).outE("knows").as("e").inV().label().path().toList());
  }

  private static void assertEnds(String expected, Traversal<?, ?> traversal) {
    String steps = compiled(traversal);
    assertTrue(steps.contains("Bg3EdgeVertexStep(" + expected + ")"), steps);
  }

  private static void assertNoEnds(Traversal<?, ?> traversal) {
    String steps = compiled(traversal);
    assertFalse(steps.contains("Bg3EdgeVertexStep("), steps);
    assertTrue(steps.contains("EdgeVertexStep("), steps);
  }

  private static void assertEdges(String expected, Traversal<?, ?> traversal) {
    String steps = compiled(traversal);
    assertTrue(steps.contains("Bg3EdgeStep(" + expected + ")"), steps);
  }

  @Test
  void conditionsOnNeighboursAreTestedOnTheirRecords() {
    String read = "OUT,[knows],vertex,read";
    assertReplaced(read + ",name.eq(x)", g.V(1).out("knows").has("name", "x").id());
    String count = "OUT,[knows],vertex,count,~label.eq(x)";
    assertReplaced(count, g.V(1).out("knows").hasLabel("x").count());
    assertReplaced(count, g.V().map(out("knows").hasLabel("x").count()));
    assertReplaced(read + ",~label.eq(x)", g.V().map(out("knows").hasLabel("x").fold()));
    assertReplaced(
        read + ",~label.eq(x)", g.withBulk(false).V(1).out("knows").hasLabel("x").count());
    assertReplaced(
        read + ",~label.eq(x),n.gt(1)", g.V(1).out("knows").hasLabel("x").has("n", P.gt(1)).id());
    assertReplaced(
        "OUT,[knows],vertex,dedup,read,n.gt(1)", g.V(1).out("knows").has("n", P.gt(1)).dedup());
    assertReplaced(
        "OUT,[knows],vertex,dedup,count,n.gt(1)",
        g.V(1).out("knows").has("n", P.gt(1)).dedup().count());
    assertReplaced(read, g.V(1).out("knows").has("name", "x").as("a").select("a"));
    assertReplaced(read, g.V(1).out("knows").hasKey("x").id());
    assertReplaced(read, g.V().out("knows").barrier().has("name", "x").id());
    assertReplaced(read, g.V(1).out("knows").has("name", "x").hasId(7).id());
    assertReplaced(read, g.V(1).out("knows").has("name", TextP.regex("x")).id());
    assertReplaced("OUT,[knows],vertex", g.V().out("knows").has("name", "x").limit(1));
    assertReplaced(
        read, g.withSack(1, (Integer n) -> n).V(1).out("knows").has("name", "x").values("name"));
    String edges = compiled(g.V(1).outE("knows", "likes").has("since", 1));
    assertTrue(edges.contains("since.eq(1)"), edges);
  }

  @Test
  void countsAreMadeWithoutVertices() {
    assertReplaced("OUT,[knows],vertex,count", g.V().out("knows").count());
    assertReplaced("OUT,[knows],vertex,count", g.V().map(out("knows").count()));
    assertReplaced("OUT,[knows],edge,count", g.V().outE("knows").count());
    assertReplaced("BOTH,[knows, likes],edge,count", g.V().map(bothE("knows", "likes").count()));
    assertReplaced("IN,[a, b, c, d, e],vertex,count", g.V().in("a", "b", "c", "d", "e").count());
    assertReplaced("OUT,[knows],vertex,dedup,count", g.V().out("knows").dedup().count());
    assertReplaced("BOTH,vertex,dedup,count", g.V().both().barrier().dedup().count());
    assertReplaced("OUT,[knows],vertex,dedup,count", g.V().map(out("knows").dedup().count()));
    assertReplaced("OUT,[knows],vertex,read", g.V().out("knows").dedup().by(T.label).count());
    assertReplaced("OUT,[knows],vertex", g.V().out("knows").as("a").dedup("a").count());
    assertReplaced("OUT,[knows],vertex,dedup", g.V().out("knows").dedup().limit(4).count());
    assertReplaced("OUT,[knows],vertex", g.withBulk(false).V().out("knows").count());
    assertReplaced("OUT,[knows],edge,count", g.V().property("n", outE("knows").count()));
    assertReplaced("OUT,[knows],edge,count", g.V().filter(each -> true).outE("knows").count());
    assertReplaced(
        "OUT,[knows],edge,count",
        g.V().repeat(out().order().by(outE("knows").count())).until(hasId(7)));
    assertReplaced("OUT,edge,count", g.V().outE().count());
    assertReplaced("BOTH,vertex,count", g.V().both().count());
    assertReplaced("OUT,[knows],vertex,limit 4,count", g.V().out("knows").limit(4).count());
    assertReplaced("BOTH,edge,limit 4,count", g.V().bothE().limit(4).count());
    assertReplaced("OUT,[knows],vertex,count at most 4", g.V().map(out("knows").limit(4).count()));
    assertReplaced("BOTH,edge,count at most 9", g.V().bothE().range(2, 9).count());
    assertReplaced("OUT,[knows],vertex,count", g.V().out("knows").skip(4).count());
    assertReplaced("OUT,[knows],vertex", g.V().out("knows").limit(0).count());
    assertReplaced("OUT,[knows],vertex", g.V().out("knows").limit(4).dedup().count());
    assertEdges("OUT,[knows],edge", g.V().outE("knows").limit(4).fold());
    assertEdges("OUT,[knows],edge", g.V().outE("knows").has("since").count());
    assertEdges("OUT,[knows],edge", g.V().outE("knows").dedup().count());
    assertEdges("OUT,[knows],edge", g.withBulk(false).V().outE("knows").count());
    assertEquals(9L, g.V(1).out("knows").out("knows").count().next());
    assertEquals(3L, g.V(1, 1).out("knows").barrier().dedup().count().next());
    assertEquals(6L, g.V(1, 1).barrier().out("knows").count().next());
    assertEquals(3L, g.withBulk(false).V(1, 1).barrier().out("knows").count().next());
    assertEquals(0L, g.V(1, 2).out("none", "nobody").count().next());
    assertEquals(List.of(3L, 3L), g.V(1, 2).map(out("knows").count()).toList());
  }

  /** A range of no results runs the steps in front of the hop once. */
  @Test
  void aRangeOfNoResultsStillAsksForOne() {
    for (GraphTraversalSource source : List.of(g, plain)) {
      long before = source.V().count().next();
      assertEquals(0L, source.addV("none").out("knows").limit(0).count().next());
      assertEquals(before + 1, source.V().count().next());
      assertEquals(0L, source.V(1, 2, 3).property("zero", 1).out().range(0, 0).count().next());
      assertEquals(1L, source.V(1, 2, 3).has("zero").count().next());
      assertEquals(0L, source.V(4).map(__.addV("none").out().limit(0).count()).next());
      assertEquals(before + 2, source.V().count().next());
      GraphTraversal<?, ?> failing = source.V(1).fail("asked").out().limit(0).count();
      assertThrows(FailStep.FailException.class, failing::next);
      graph.tx().rollback();
    }
  }

  /** A {@code dedup()} takes labels that nobody reads out of the paths, so traversers merge. */
  @Test
  void aDedupThatDropsLabelsStays() {
    assertReplaced("OUT,[knows],vertex", g.V().as("a").out("knows").dedup().out().barrier());
    assertReplaced(
        "OUT,[knows],vertex", g.V().local(out().as("a")).out("knows").dedup().out().barrier());
    for (GraphTraversalSource source : List.of(g, plain)) {
      GraphTraversal<Vertex, Vertex> ends = source.V(1, 2).as("a").out().dedup().out().barrier();
      Traversal.Admin<Vertex, Vertex> compiled = ends.asAdmin();
      compiled.applyStrategies();
      int traversers = 0;
      while (compiled.hasNext()) {
        assertEquals(List.of(), compiled.nextTraverser().path().objects());
        traversers++;
      }
      assertEquals(6, traversers);
    }
  }

  @Test
  void differentNeighboursAreGivenOnce() {
    assertReplaced("OUT,[knows],vertex,dedup", g.V().out("knows").dedup());
    assertReplaced("OUT,[knows],vertex,dedup", g.V().out("knows").barrier().dedup().id());
    assertReplaced("OUT,[knows],vertex,dedup", g.V().as("a").out("knows").dedup().path());
    assertReplaced("OUT,[knows],vertex", g.V().out("knows").as("a").dedup().path()); // it moves on
    assertReplaced("OUT,[knows],vertex,dedup", g.V().repeat(out("knows")).times(2).dedup().id());
    assertReplaced("OUT,[knows],vertex,dedup,read", g.V().out("knows").dedup().values("name"));
    assertReplaced("OUT,[knows],vertex", g.V().out("knows").dedup().as("a").out());
    assertReplaced("OUT,[knows],vertex", g.V().out("knows").barrier().as("a").dedup());
    assertReplaced("OUT,[knows],vertex", g.V().out("knows").as("a").out().dedup("a"));
    assertReplaced("OUT,[knows],vertex", g.V().repeat(out("knows").dedup()).emit().times(2));
    assertReplaced("OUT,[knows],vertex", g.V().local(out("knows").dedup()));
    assertReplaced("OUT,[knows],vertex", g.withBulk(false).V().out("knows").dedup());
    assertReplaced("OUT,[knows],vertex", g.withSack(1L, Operator.sum).V().out("knows").dedup());
    assertKept(g.V().filter(each -> true).out("knows").dedup());
    assertEdges("OUT,[knows],edge", g.V().outE("knows").dedup());
    for (GraphTraversalSource source : List.of(g, plain)) {
      assertEquals(List.of(2L, 3L, 4L, 5L, 6L), source.V(1, 2, 3).out().dedup().id().toList());
      assertEquals(List.of(4L, 5L), source.V(1, 2, 1).out().dedup().id().skip(2).toList());
      assertEquals(
          List.of(3L, 4L, 5L, 6L, 7L),
          source.V(1).out().barrier().out().barrier().dedup().id().toList());
      assertEquals(
          "[path[1, 2, 3], path[1, 2, 4], path[1, 2, 5], path[1, 3, 6], path[1, 4, 7]]",
          source.V(1).out().out().dedup().path().by(T.id).toList().toString());
      assertEquals(5L, source.V(1).barrier().out().out().dedup().barrier().count().next());
      assertEquals(
          List.of(1L, 1L, 1L), source.withSack(1L).V(1, 1).barrier().out().dedup().sack().toList());
    }
  }

  @Test
  void countedLoopsOfHopsAreJoined() {
    assertJoined("OUT,count,OUT,vertex,count", g.V().repeat(out()).emit().times(2).count());
    assertJoined(
        "OUT,IN,[knows],count,OUT,IN,[knows],vertex,count",
        g.V().repeat(out().in("knows")).emit().times(2).count());
    assertJoined(
        "count,OUT,count,OUT,vertex,dedup,count",
        g.V().emit().repeat(out()).times(2).dedup().count());
    assertJoined(
        "IN,count,OUT,count,OUT,vertex,count", g.V().in().emit().repeat(out()).times(2).count());
    assertJoined("OUT,OUT,OUT,vertex,count", g.V().times(3).repeat(out()).count());
    assertJoined(
        "count,OUT,vertex,count",
        g.V().map(__.<Vertex>start().emit().repeat(out()).times(1).count()));
    assertNotJoined(g.V().repeat(out()).emit(hasId(3)).times(2).count());
    assertNotJoined(g.V().repeat(out()).emit().until(hasId(3)).count());
    assertNotJoined(g.V().until(loops().is(2)).repeat(out()).emit().count());
    assertNotJoined(g.V().times(2).repeat(out()).emit().count());
    assertNotJoined(g.V().repeat(out()).emit().times(5).count());
    assertNotJoined(g.V().repeat(out().simplePath()).emit().times(2).count());
    assertNotJoined(g.V().repeat(out().as("a")).emit().times(2).count());
    assertNotJoined(g.V().repeat(out()).emit().times(2).limit(3).count());
    assertNotJoined(g.V().repeat(out()).emit().times(2));
    assertNotJoined(g.V().filter(each -> true).repeat(out()).emit().times(2).count());
    assertNotJoined(g.V().repeat(outE().inV().dedup()).emit().times(2).count());
    assertNotJoined(g.withBulk(false).V().repeat(out()).emit().times(2).count());
    assertNotJoined(g.withSack(1L, a -> a).V().repeat(out()).emit().times(2).count());
    for (GraphTraversalSource source : List.of(g, plain)) {
      assertEquals(12L, source.V(1).repeat(out()).emit().times(2).count().next());
      assertEquals(13L, source.V(1).emit().repeat(out()).times(2).count().next());
      assertEquals(6L, source.V(1).repeat(out()).emit().times(2).dedup().count().next());
      assertEquals(7L, source.V(1).emit().repeat(out()).times(2).dedup().count().next());
      assertEquals(39L, source.V(1).out().emit().repeat(out()).times(2).count().next());
      assertEquals(27L, source.V(1).times(3).repeat(out()).count().next());
      assertEquals(1L, source.V(1).times(0).repeat(out()).count().next());
      assertEquals(3L, source.V(1).repeat(out()).times(0).count().next());
      assertEquals(4L, source.V(1).emit().repeat(out()).times(0).count().next());
      assertEquals(21L, source.V(1).times(2).repeat(out()).emit().count().next());
      assertEquals(List.of(12L, 12L), source.V(1, 2).map(emitted()).toList());
    }
  }

  private static Traversal<Vertex, Long> emitted() {
    return __.<Vertex>start().repeat(out()).emit().times(2).count();
  }

  @Test
  @SuppressWarnings("unchecked") // union takes an array of a generic class
  void differentNeighboursAreCountedOnce() {
    for (GraphTraversalSource source : List.of(g, plain)) {
      assertEquals(5L, source.V(1, 2, 3).out("knows").dedup().count().next());
      assertEquals(3L, source.V(1, 1).barrier().out("knows").dedup().count().next());
      assertEquals(8L, source.V(1, 2, 1).both().dedup().count().next());
      assertEquals(7L, source.V(0).out().out().out().dedup().count().next());
      assertEquals(0L, source.V(1).out("none").dedup().count().next());
      assertEquals(
          List.of(3L, 3L, 3L), source.V(1, 2, 1).map(out("knows").dedup().count()).toList());
      assertEquals(
          List.of(3L, 3L, 3L), source.V(1, 2, 1).local(out("knows").dedup().count()).toList());
      assertEquals(
          List.of(4L, 4L),
          source.V(1, 2).union(out().dedup().count(), out("knows").dedup().count()).toList());
      assertEquals((long) VERTICES, source.V().out().dedup().count().next());
      graph.vertices(1L).next().addEdge("own", graph.vertices(200L).next());
      assertEquals(4L, source.V(1, 1).out().dedup().count().next());
      graph.tx().rollback();
    }
  }

  private static void assertJoined(String expected, Traversal<?, ?> traversal) {
    String steps = compiled(traversal);
    assertTrue(steps.contains("Bg3PathCountStep(" + expected + ")"), steps);
    assertFalse(steps.contains("VertexStep("), steps);
    assertFalse(steps.contains("NoOpBarrierStep("), steps);
  }

  private static void assertNotJoined(Traversal<?, ?> traversal) {
    String steps = compiled(traversal);
    assertFalse(steps.contains("Bg3PathCountStep("), steps);
  }

  @Test
  void hopsInFrontOfACountAreJoined() {
    assertTrue(
        g.V(1)
            .out("knows")
            .out()
            .count()
            .explain()
            .toString()
            .contains("Bg3PathCountStep(OUT,[knows],OUT"));
    assertJoined("OUT,[knows],IN,[likes],vertex,count", g.V(1).out("knows").in("likes").count());
    assertJoined("OUT,[knows],OUT,BOTH,edge,count", g.V().out("knows").out().bothE().count());
    assertJoined("OUT,OUT,vertex,dedup,count", g.V(1).out().out().dedup().count());
    assertJoined("OUT,OUT,OUT,vertex,count", g.V().repeat(out()).times(3).count());
    assertJoined("IN,OUT,vertex,count", g.V().map(__.in().barrier().out().count()));
    String labelled = compiled(g.V().out().as("a").out().out().count());
    assertTrue(labelled.contains("@[a], Bg3PathCountStep(OUT,OUT,vertex,count)"), labelled);
    assertNotJoined(g.V().out().limit(3).out().count());
    assertNotJoined(g.V().out().out().limit(3).count());
    assertNotJoined(g.V().out().out());
    assertNotJoined(g.V().out("a", "b", "c", "d", "e").out().count());
    assertNotJoined(g.V().filter(each -> true).out().out().count());
    assertNotJoined(g.withBulk(false).V().out().out().count());
    assertNotJoined(g.withSack(1L, a -> a).V().out().out().count());
    assertNotJoined(plain.V().out().out().count());
    assertThrows(
        VerificationException.class,
        () ->
            g.withStrategies(EdgeLabelVerificationStrategy.build().throwException(true).create())
                .V()
                .out("knows")
                .out()
                .out("knows")
                .count()
                .next());
  }

  @Test
  void joinedHopsCountWhatHopsCount() {
    for (GraphTraversalSource source : List.of(g, plain)) {
      assertEquals(27L, source.V(0).out().out().out("knows").count().next());
      assertEquals(7L, source.V(0).out().out().out().dedup().count().next());
      assertEquals(18L, source.V(1, 1).barrier().out().out().count().next());
      assertEquals(List.of(9L, 9L), source.V(1, 2).map(out().in().count()).toList());
      assertEquals(54L, source.V(1).out().out().bothE().count().next());
      assertEquals(0L, source.V(1).out("none").out().count().next());
      graph.vertices(1L).next().addEdge("own", graph.vertices(200L).next());
      assertEquals(12L, source.V(1).out().out().count().next());
      graph.tx().rollback();
    }
  }

  @Test
  @SuppressWarnings("unchecked") // union takes an array of a generic class
  void hopsWhoseReadingAheadIsNoticedAreKept() {
    assertKept(g.V().out("a", "b", "c", "d", "e"));
    assertKept(g.V().outE("a", "b", "c", "d", "e"));
    assertKept(g.V().out("knows").property("seen", 1));
    assertKept(g.V().out("knows").drop());
    assertKept(g.V().out("knows").addE("likes").to(identity()));
    assertKept(g.V().repeat(identity().barrier().out("knows")).until(hasId(7)));
    assertKept(g.V().repeat(union(out("knows"), in("likes"))).emit().times(2));
    assertKept(g.V().repeat(out("knows").property("seen", 1)).until(hasId(7)));
    assertKept(g.V().repeat(identity()).emit(hasId(7)).out("knows"));
    assertKept(g.V().local(repeat(identity()).emit(hasId(7))).out("knows"));
    assertKept(g.withSack(1).V().sack(Operator.addAll).out("knows"));
    assertKept(g.V().repeat(local(out("knows").limit(1))).until(hasId(7)));
    assertKept(g.V().filter(each -> true).out("knows"));
    assertKept(g.V().sideEffect(constant(1)).out("knows"));
    assertKept(g.V().groupCount("x").out("knows"));
    assertKept(g.V().local(identity().aggregate("x")).out("knows").where(P.without("x")));
    assertKept(g.withSack(0).V().out("knows").sack((Integer sum, Vertex each) -> sum + 1));
    assertKept(g.V().out("knows").with(WithOptions.tokens));
  }

  @Test
  @SuppressWarnings("unchecked") // union takes an array of a generic class
  void hopsInLoopsAreReplaced() {
    String hop = "OUT,[knows],vertex";
    assertReplaced(hop, g.V().repeat(out("knows")).until(hasId(7)));
    assertReplaced(hop, g.withBulk(false).V().repeat(out("knows")).until(hasId(7)));
    assertReplaced(hop, g.V().until(hasId(7)).repeat(out("knows").simplePath()));
    assertReplaced(hop, g.V().repeat(out("knows").dedup()).emit());
    assertReplaced(hop, g.V().emit().repeat(out("knows")).times(3));
    assertReplaced(hop, g.V().repeat(repeat(out("knows")).until(hasId(3))).emit().times(2));
    assertReplaced(hop, g.V().repeat(out("knows").in("likes").limit(3)).emit().times(2));
  }

  @Test
  void loopsGiveWhatTheyGiveWithoutTheStrategy() {
    List<GraphTraversal<?, ?>> grouped = inLoops(g);
    List<GraphTraversal<?, ?>> single = inLoops(plain);
    for (int i = 0; i < grouped.size(); i++) {
      String text = grouped.get(i).toString();
      assertEquals(single.get(i).toList(), grouped.get(i).toList(), text); // in order
    }
  }

  @SuppressWarnings("unchecked") // union takes an array of a generic class
  private static List<GraphTraversal<?, ?>> inLoops(GraphTraversalSource g) {
    return List.of(
        g.V().repeat(out("knows")).until(loops().is(4)).id(),
        g.V(1).repeat(both()).until(loops().is(3)).path().by(T.id),
        g.V(1, 2).repeat(both().simplePath()).until(hasId(P.gt(9L)).or().loops().is(4)).id(),
        g.V(1, 2).repeat(out().as("x")).emit(loops().is(2)).until(loops().is(3)).path().by(T.id),
        g.V(1).emit().repeat(both()).until(loops().is(3)).id(),
        g.V(1).until(loops().is(3)).repeat(out("knows").in("knows")).id(),
        g.V(1, 2, 3).repeat(out("knows").dedup()).emit().times(4).path().by(T.id),
        g.withSack(1L)
            .V(1, 2)
            .repeat(out("knows").sack(Operator.sum).by(T.id))
            .emit()
            .times(3)
            .sack(),
        g.V(1).repeat(repeat(out()).until(loops().is(2))).emit().times(2).id(),
        g.V(1).repeat("a", out().repeat("b", in()).times(2)).until(loops("a").is(2)).id(),
        g.V(1).repeat(union(out("knows"), in("knows"))).emit().times(3).id(),
        g.V(1).repeat(both().barrier()).emit(out("knows").hasId(P.gt(3L))).times(3).id(),
        g.V(1).repeat(both()).emit().times(3).groupCount().by(T.id),
        g.V(1, 2).repeat(both().limit(40)).emit().times(5).id(),
        g.V(1).repeat(both()).until(loops().is(4)).limit(70).id(),
        g.V(1).repeat(out().dedup().by(T.label)).emit().times(3).id(),
        g.V(1, 2).repeat(both().order().by(T.id)).until(loops().is(3)).limit(20).id(),
        g.withBulk(false).V(1).repeat(both()).until(loops().is(3)).count());
  }

  @Test
  void pathsSacksAndLoopsAreThoseOfEachTraverser() {
    List<GraphTraversal<?, ?>> grouped = traversals(g);
    List<GraphTraversal<?, ?>> single = traversals(plain);
    for (int i = 0; i < grouped.size(); i++) {
      String asked = grouped.get(i).toString();
      assertEquals(single.get(i).toList(), grouped.get(i).toList(), asked); // in order
    }
  }

  @SuppressWarnings("unchecked") // union takes an array of a generic class
  private static List<GraphTraversal<?, ?>> traversals(GraphTraversalSource g) {
    return List.of(
        g.V(1, 2, 3, 4).out("knows").id(),
        g.V(1, 2, 3, 4, 999).both("knows").out("knows").path().by(T.id),
        g.V(1, 2, 3).as("a").out("knows").as("b").in("knows").select("a", "b").by(T.id),
        g.withSack(1).V(1, 2, 3, 4, 5).out("knows").sack(Operator.sum).by(T.id).out("knows").sack(),
        g.V().repeat(out("knows")).times(2).id(),
        g.V(1, 2, 3).repeat(out("knows").simplePath()).emit().times(2).path().by(T.id),
        g.V(5, 6, 7).repeat(out("knows")).until(loops().is(3)).id(),
        g.V().both("knows").limit(Scope.global, 70).id(),
        g.V(1, 2, 3, 4).barrier().out("knows").barrier(2).in("knows").id(),
        g.V(1, 2).union(out("knows"), out("knows").out("knows")).id(),
        g.V(1, 2, 3, 4).out().in().path().by(T.id),
        g.V().both().limit(70).id(),
        g.V().repeat(both()).times(2).id());
  }

  @Test
  void aLimitBoundsWhatIsReadAhead() {
    for (int wanted : new int[] {1, 10, 100}) {
      TraversalMetrics profile = g.V().out("knows").limit(wanted).profile().next();
      int used = (wanted + DEGREE - 1) / DEGREE;
      Metrics start = profile.getMetrics(0);
      long read = (long) start.getAnnotation(ReadMetrics.ANNOTATION);
      assertTrue(read >= used && read <= 2 * used + 1, () -> "limit=" + wanted + ": " + profile);
    }
  }

  @Test
  void profileCountsTheResults() {
    TraversalMetrics hop = g.V(1, 2, 3).out("knows").id().profile().next();
    assertEquals("Bg3VertexStep(OUT,[knows],vertex)", hop.getMetrics(1).getName());
    assertEquals(9L, hop.getMetrics(1).getCount(TraversalMetrics.ELEMENT_COUNT_ID));
    TraversalMetrics count = g.V(1, 2, 3).out("knows").count().profile().next();
    assertEquals("Bg3VertexStep(OUT,[knows],vertex,count)", count.getMetrics(1).getName());
    assertEquals(9L, count.getMetrics(1).getCount(TraversalMetrics.ELEMENT_COUNT_ID));
  }

  /** An error behind the traversers that were used is thrown behind their results. */
  @Test
  void anErrorComesBehindTheResultsBeforeIt() {
    for (GraphTraversalSource source : List.of(g, plain)) {
      GraphTraversal<Vertex, Object> traversal =
          source.V(1, 2, 3, 4).choose(hasId(3), fail("three"), identity()).out("knows").id();
      List<Object> found = new ArrayList<>();
      RuntimeException thrown =
          assertThrows(RuntimeException.class, () -> traversal.forEachRemaining(found::add));
      assertTrue(String.valueOf(thrown.getMessage()).contains("three"), thrown::toString);
      assertEquals(List.of(2L, 3L, 4L, 3L, 4L, 5L), found);
    }
  }

  @Test
  void whatTheTransactionChangesMeanwhileIsSeen() {
    assertChangesAreSeen("knows");
    assertChangesAreSeen();
  }

  private void assertChangesAreSeen(String... labels) {
    for (GraphTraversalSource source : List.of(g, plain)) {
      GraphTraversal<Vertex, Object> traversal = source.V(1, 2, 3, 4).out(labels).id();
      assertEquals(List.of(2L, 3L, 4L, 3L), traversal.next(4)); // 2 and 3 are a group
      edge(2, 4).remove();
      graph.vertices(5L).next().remove();
      graph.vertices(3L).next().addEdge("knows", graph.vertices(9L).next());
      graph.vertices(2L).next().addEdge("added", graph.vertices(9L).next());
      // 2 has lost 4 and 5, which the step has begun with; then come 3 and 4 as they are now
      assertEquals(List.of(4L, 5L, 4L, 6L, 9L, 6L, 7L), traversal.toList());
      graph.tx().rollback();
    }
  }

  @Test
  void anEdgeThatIsRemovedMeanwhileIsGivenBesidesAnotherToTheSameVertex() {
    plain.addV("end").property(T.id, 1_000L).as("end").V(1).addE("knows").to("end").iterate();
    plain.V(1_000).addE("knows").to(plain.V(2).next()).iterate();
    plain.V(2).addE("knows").to(plain.V(1_000).next()).iterate();
    graph.tx().commit();
    assertBothEdgesAreGiven("knows");
    assertBothEdgesAreGiven();
  }

  private void assertBothEdgesAreGiven(String... labels) {
    for (GraphTraversalSource source : List.of(g, plain)) {
      GraphTraversal<Vertex, Object> traversal = source.V(1, 1_000, 7).both(labels).id();
      List<Object> found = new ArrayList<>(traversal.next(8)); // the seven of 1, and one of 1000
      assertEquals(2L, found.get(7));
      edge(2, 1_000).remove();
      assertEquals(1L, traversal.next());
      assertEquals(2L, traversal.next());
      assertEquals(6L, traversal.toList().size());
      graph.tx().rollback();
    }
  }

  @Test
  @SuppressWarnings("unchecked") // union takes an array of a generic class
  void anObjectThatIsNoVertexIsRefusedInItsTurn() {
    for (GraphTraversalSource source : List.of(g, plain)) {
      GraphTraversal<Vertex, Vertex> traversal =
          source.V(1).union(identity(), identity(), anId()).out("knows");
      assertEquals(6, traversal.next(6).size());
      assertThrows(ClassCastException.class, traversal::next);
    }
  }

  /** A traversal whose type is wrong. */
  @SuppressWarnings("unchecked")
  private static Traversal<Vertex, Vertex> anId() {
    return (Traversal<Vertex, Vertex>) (Traversal<?, ?>) id();
  }

  private Edge edge(long source, long target) {
    return plain.V(source).outE("knows").where(inV().hasId(target)).next();
  }

  @Test
  void aTransactionThatEndedIsToldToTheTraversal() {
    for (GraphTraversalSource source : List.of(g, plain)) {
      GraphTraversal<Vertex, Vertex> traversal = source.V(1, 2, 3, 4, 5, 6).out("knows");
      traversal.next(4);
      graph.tx().rollback();
      assertThrows(IllegalStateException.class, () -> traversal.next(2));
      graph.tx().rollback();
      GraphTraversal<Vertex, Vertex> between = source.V(1, 2, 3, 4, 5, 6).out("knows");
      between.next(6); // all of 1 and 2
      graph.tx().rollback();
      assertThrows(IllegalStateException.class, between::next);
      graph.tx().rollback();
    }
  }

  @Test
  void neighboursOfAGroupAreValidated() throws Exception {
    assertConflict("knows", g.V(1, 2, 3, 4, 5).out("knows"));
    assertConflict("new", g.V(1, 2, 3, 4, 5).out("new"));
    assertConflict("newer", g.V(1, 2, 3, 4, 5).both("newer", "knows"));
    assertConflict("knows", g.V(1, 2, 3, 4, 5).out());
    assertConflict("first", g.V(1, 2, 3, 4, 5).both());
    assertConflict("second", g.V(1, 2, 3, 4, 5).out());
  }

  private void assertConflict(String label, GraphTraversal<?, Vertex> traversal) throws Exception {
    traversal.iterate();
    graph.addVertex();
    CompletableFuture.runAsync(
            () -> {
              g.V(4).as("a").V(100).addE(label).from("a").iterate();
              graph.tx().commit();
            })
        .get();
    assertThrows(Bg3ConflictException.class, () -> graph.tx().commit());
  }

  /** Groups look up each label there is, up to four; with more each vertex is scanned. */
  @Test
  void hopsWithoutLabelsFollowEveryLabel() {
    for (int labels = 2; labels <= 7; labels++) {
      for (long id = 0; id < 40; id++) {
        Vertex source = graph.vertices(id).next();
        source.addEdge("label" + labels, graph.vertices(id * 7 % VERTICES).next());
        source.addEdge("label" + labels, source);
      }
      assertSameHops(); // before the commit and after it
      graph.tx().commit();
      assertSameHops();
    }
  }

  private void assertSameHops() {
    assertEquals(plain.V().out().id().toList(), g.V().out().id().toList());
    assertEquals(plain.V().in().id().toList(), g.V().in().id().toList());
    assertEquals(plain.V().both().id().toList(), g.V().both().id().toList());
    assertEquals(plain.V().both().both().count().next(), g.V().both().both().count().next());
  }

  @Test
  void anInterruptEndsTheTraversal() {
    for (GraphTraversal<?, ?> traversal :
        List.of(
            g.V().out("knows"),
            g.V().out("knows").out("knows").count(),
            g.V().repeat(out("knows")).emit().times(9).count(),
            g.V().out("knows").dedup(),
            g.V(1).outE().count())) {
      Thread.currentThread().interrupt();
      assertThrows(TraversalInterruptedException.class, traversal::hasNext);
      assertFalse(Thread.interrupted());
    }
  }
}
