package io.bg3.gremlin.process.traversal.strategy.optimization;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.SortOrder;
import io.bg3.gremlin.structure.Bg3Graph;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.tinkerpop.gremlin.process.traversal.Operator;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.event.ConsoleMutationListener;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.EventStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.SubgraphStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReadOnlyStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.VerificationException;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.reference.ReferenceVertex;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where edges are dropped by one step, and that it drops what TinkerPop's two steps drop. */
class Bg3DropStepStrategyTest {
  private static final String DROPS = "Bg3DropStep(";

  private final Bg3Graph graph = Bg3Graph.open();
  private final GraphTraversalSource g = graph.traversal();

  /** Parallel edges, loops, and edges with the ids that the user gave, by labels of each form. */
  @BeforeEach
  void fill() {
    graph.graphStore().declareEdgeLabel("counted", EdgeLabelForm.plain().asCounted());
    graph
        .graphStore()
        .declareEdgeLabel("ordered", EdgeLabelForm.plain().orderedBy("at", SortOrder.DESCENDING));
    for (int i = 1; i <= 4; i++) {
      g.addV("v").property(T.id, i).iterate();
    }
    for (String label : List.of("plain", "counted", "ordered")) {
      for (int i = 0; i < 12; i++) {
        g.V(1 + i % 2)
            .addE(label)
            .to(__.V(1 + i % 4))
            .property(T.id, label + i)
            .property("at", (long) i)
            .iterate();
      }
    }
    g.V(3).addE("plain").to(__.V(3)).iterate();
    graph.tx().commit();
  }

  @AfterEach
  void close() {
    graph.tx().rollback();
    graph.close();
  }

  private static boolean isReplaced(Traversal<?, ?> traversal) {
    return traversal.explain().toString().contains(DROPS);
  }

  /** The edges that are left, in a transaction that is rolled back. */
  private List<Object> left(
      GraphTraversalSource from, Function<GraphTraversalSource, GraphTraversal<?, ?>> drop) {
    drop.apply(from).iterate();
    List<Object> left = new ArrayList<>(g.E().order().by(T.id).id().toList());
    left.add(g.V().outE("counted").count().next());
    left.add(g.E().count().next());
    graph.tx().rollback();
    return left;
  }

  @Test
  void edgesInFrontOfDropAreDroppedByOneStep() {
    assertTrue(isReplaced(g.V(1).outE("plain").drop()));
    assertTrue(isReplaced(g.V().inE().drop()));
    assertTrue(isReplaced(g.V().local(__.bothE("plain").drop())));
    assertTrue(
        g.V(1).outE("plain").drop().explain().toString().contains("Bg3DropStep(OUT,[plain],edge)"));
  }

  @Test
  @SuppressWarnings("unchecked") // an array of classes
  void otherDropsStayAsTheyAre() {
    assertFalse(isReplaced(g.V(1).drop()));
    assertFalse(isReplaced(g.V(1).out().drop()));
    assertFalse(isReplaced(g.V(1).outE().has("at", 3L).drop()));
    assertFalse(isReplaced(g.V(1).outE().limit(1).drop()));
    assertFalse(isReplaced(g.V(1).outE().properties().drop()));
    assertFalse(isReplaced(g.V(1).outE().as("e").drop()));
    assertFalse(isReplaced(g.E().drop()));
    assertTrue(isReplaced(g.withSack(1, Operator.sum).V(1).outE().drop()));
    assertFalse(isReplaced(g.withSack(1, n -> n + 1).V(1).outE().drop()));
    assertFalse(isReplaced(g.withoutStrategies(Bg3DropStepStrategy.class).V(1).outE().drop()));
    GraphTraversalSource sub =
        g.withStrategies(SubgraphStrategy.build().edges(__.has("at", 1L)).create());
    assertFalse(isReplaced(sub.V(1).outE("plain").drop()));
    GraphTraversalSource heard =
        g.withStrategies(
            EventStrategy.build().addListener(new ConsoleMutationListener(graph)).create());
    assertFalse(isReplaced(heard.V(1).outE("plain").drop()));
  }

  private static boolean takesSeveral(Traversal<?, ?> traversal) {
    return traversal.explain().toString().contains("Bg3DropVerticesStep");
  }

  @Test
  @SuppressWarnings("unchecked") // an array of classes
  void verticesOfAStartAreTakenSeveralAtATime() {
    assertTrue(takesSeveral(g.V().drop()));
    assertTrue(takesSeveral(g.V(1, 2, 3, 4, 1, 2).drop()));
    assertTrue(takesSeveral(g.V().hasLabel("v").has("n", 1).limit(2).drop()));
    assertFalse(takesSeveral(g.V().where(__.out("plain")).drop()), "the removal of one tells");
    assertFalse(takesSeveral(g.V().out("plain").drop()));
    assertFalse(takesSeveral(g.V(1).as("v").V(2).drop()));
    assertFalse(takesSeveral(g.inject(1).sideEffect(__.V(2).drop())));
    assertFalse(takesSeveral(g.E().drop()));
    assertFalse(takesSeveral(g.V().properties().drop()));
    assertFalse(takesSeveral(g.withoutStrategies(Bg3DropStepStrategy.class).V().drop()));
    GraphTraversalSource heard =
        g.withStrategies(
            EventStrategy.build().addListener(new ConsoleMutationListener(graph)).create());
    assertFalse(takesSeveral(heard.V().drop()));
    GraphTraversalSource reading = g.withStrategies(ReadOnlyStrategy.instance());
    assertThrows(VerificationException.class, () -> reading.V().drop().iterate());
  }

  @Test
  void verticesAreDroppedWithTheirEdges() {
    g.V(1, 2, 1, 99).drop().iterate();
    assertEquals(2L, g.V().count().next());
    assertEquals(1L, g.E().count().next());
    g.V().hasLabel("v").limit(1).drop().iterate();
    assertEquals(1L, g.V().count().next());
    g.V().drop().iterate();
    graph.tx().commit();
    assertEquals(0L, g.V().count().next());
    assertEquals(0L, g.E().count().next());
  }

  @Test
  @SuppressWarnings("unchecked") // an array of classes
  void theSameEdgesAreLeft() {
    GraphTraversalSource plain =
        g.withoutStrategies(Bg3DropStepStrategy.class, Bg3SkipStrategy.class);
    List<Function<GraphTraversalSource, GraphTraversal<?, ?>>> drops =
        List.of(
            from -> from.V(1).outE().drop(),
            from -> from.V(1).outE("plain").drop(),
            from -> from.V(1).inE("ordered").drop(),
            from -> from.V(1, 2).bothE("ordered", "counted").drop(),
            from -> from.V().bothE("plain").drop(),
            from -> from.V(3).bothE().drop(),
            from -> from.V(3, 3, 3).outE("plain").drop(),
            from -> from.V(1, 2).outE("none").drop(),
            from -> from.V(1).out("plain").outE("plain").drop(),
            from -> from.V().where(__.outE("counted")).inE("counted").drop(),
            from -> from.V(1, 2).local(__.outE("plain", "counted").drop()),
            from -> from.V(2).addE("plain").to(__.V(4)).outV().outE("plain").drop(),
            from -> from.inject(new ReferenceVertex(1L)).outE().drop());
    for (int i = 0; i < drops.size(); i++) {
      int index = i;
      assertEquals(left(plain, drops.get(i)), left(g, drops.get(i)), () -> "drop " + index);
    }
  }

  @Test
  void aTraversalThatMayOnlyReadIsRefused() {
    GraphTraversalSource reading = g.withStrategies(ReadOnlyStrategy.instance());
    assertThrows(VerificationException.class, () -> reading.V(1).outE().drop().iterate());
  }

  @Test
  void anInterruptEndsIt() {
    Thread.currentThread().interrupt();
    assertThrows(TraversalInterruptedException.class, () -> g.V(1).outE().drop().iterate());
    assertFalse(Thread.interrupted());
  }

  @Test
  void elementsThatWereReadBeforeAreDroppedOnce() {
    List<Edge> edges = g.E().toList();
    List<Vertex> vertices = g.V().toList();
    g.V(1).property("n", "x".repeat(5_000)).iterate();
    vertices.get(0).property("n", "y");
    edges.forEach(Edge::remove);
    edges.forEach(Edge::remove);
    vertices.forEach(Vertex::remove);
    vertices.forEach(Vertex::remove);
    g.addV("v").property(T.id, 1).iterate();
    assertEquals(1L, g.V().count().next());
    vertices.get(0).remove(); // the one with the same id that was added since
    graph.tx().commit();
    assertEquals(0L, g.V().count().next());
    assertEquals(0L, g.E().count().next());
    assertEquals(List.of(), g.V().toList());
    edges.forEach(Edge::remove); // in another transaction
    vertices.forEach(Vertex::remove);
    graph.tx().commit();
  }
}
