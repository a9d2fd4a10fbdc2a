package io.bg3.gremlin.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.graph.Cardinality;
import io.bg3.core.graph.GraphTransaction;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.tinkerpop.gremlin.process.traversal.Merge;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Transactions that refuse changes ({@link Bg3Graph#openReadOnly}): the same answers, and how they
 * end.
 */
class ReadOnlyTransactionTest {
  private static final int VERTICES = 300;

  private final Bg3Graph graph = Bg3Graph.open();
  private final GraphTraversalSource g = graph.traversal();

  @BeforeEach
  void load() {
    graph.graphStore().createIndex("person", "age");
    for (int i = 0; i < VERTICES; i++) {
      graph.addVertex(T.id, i + 1, T.label, "person", "name", "n" + i, "age", i % 50);
    }
    for (int i = 0; i < VERTICES; i++) {
      Vertex from = g.V(i + 1).next();
      from.addEdge("knows", g.V((i + 7) % VERTICES + 1).next(), "at", (long) i);
      from.addEdge("likes", g.V(1).next());
    }
    graph.tx().commit();
  }

  @AfterEach
  void close() {
    graph.tx().rollback();
    graph.close();
  }

  /** In any order: an index may not be ready yet. */
  private static String answers(Traversal<?, ?> query) {
    return query.toList().stream().map(String::valueOf).sorted().toList().toString();
  }

  private String readOnly(Supplier<Traversal<?, ?>> query) {
    graph.openReadOnly();
    String answer = answers(query.get());
    assertTrue(isReadOnly(), "the query has gone on in the transaction");
    graph.tx().rollback();
    return answer;
  }

  /** Adds a vertex where that is possible. */
  private boolean isReadOnly() {
    try {
      graph.addVertex();
      return false;
    } catch (IllegalStateException e) {
      return e.getMessage().contains("read-only");
    }
  }

  @Test
  void answersAreThoseOfOtherTransactions() {
    List<Function<GraphTraversalSource, Traversal<?, ?>>> queries =
        List.of(
            from -> from.V(1, 2, 3).values("name"),
            from -> from.V().has("person", "age", P.between(3, 9)).id(),
            from -> from.V().has("person", "none", 1).count(),
            from -> from.V().hasLabel("nobody").out("nothing").count(),
            from -> from.V().out("knows").values("age").sum(),
            from -> from.V(1).in("likes").limit(5).id(),
            from -> from.V(1).inE().order().by("at", Order.desc).limit(3).values("at"),
            from -> from.V().repeat(__.out("knows")).times(3).dedup().count(),
            from -> from.V().out().out().count(),
            from -> from.E().hasLabel("knows").inV().dedup().count(),
            from -> from.V().count(),
            from -> from.E().groupCount().by(T.label),
            from -> from.V(1).as("a").out().where(__.out("likes").as("a")).count(),
            from -> from.V().where(__.in("likes")).id(),
            from -> from.V().has("name", "n9").outE("knows").elementMap());
    for (Function<GraphTraversalSource, Traversal<?, ?>> query : queries) {
      String expected = answers(query.apply(g));
      graph.tx().rollback();
      assertEquals(expected, readOnly(() -> query.apply(g)));
    }
  }

  @Test
  void theNextTransactionIsAsOthers() {
    graph.openReadOnly();
    assertEquals(VERTICES, g.V().count().next().intValue());
    graph.tx().commit();
    assertFalse(graph.tx().isOpen());
    g.V(1).property("name", "x").iterate();
    graph.tx().commit();
    assertEquals("x", g.V(1).values("name").next());
  }

  @Test
  void aChangeIsRefused() {
    List<Supplier<Traversal<?, ?>>> changes =
        List.of(
            () -> g.addV("person"),
            () -> g.V(1).property("name", "x"),
            () -> g.V(1).properties("name").drop(),
            () -> g.V(1).drop(),
            () -> g.V(1).outE().drop(),
            () -> g.E().limit(1).property("at", 7L),
            () -> g.V(1).addE("knows").to(__.V(2)),
            () -> g.mergeV(Map.of(T.id, 1_000_000)),
            () -> g.mergeV(Map.of(T.id, 1)).option(Merge.onMatch, Map.of("name", "x")),
            () -> g.mergeE(Map.of(T.label, "new", Direction.OUT, 1, Direction.IN, 2)));
    graph.openReadOnly();
    for (Supplier<Traversal<?, ?>> change : changes) {
      Throwable refused = assertThrows(IllegalStateException.class, () -> change.get().iterate());
      assertTrue(refused.getMessage().contains("read-only"), refused::getMessage);
      assertEquals(VERTICES, g.V().count().next().intValue(), "the transaction goes on");
    }
    graph.tx().commit();
    assertEquals(VERTICES, g.V().count().next().intValue());
    assertEquals("n0", g.V(1).values("name").next());
    assertEquals(0, g.E().hasLabel("new").count().next());
  }

  @Test
  void anOpenTransactionStays() {
    g.addV().iterate();
    assertThrows(IllegalStateException.class, graph::openReadOnly);
    graph.tx().commit();
    graph.openReadOnly();
    assertThrows(IllegalStateException.class, graph::openReadOnly);
    assertEquals(VERTICES + 1, g.V().count().next().intValue());
    Bg3Graph threaded = graph.tx().createThreadedTx();
    assertThrows(IllegalStateException.class, threaded::openReadOnly);
    threaded.tx().rollback();
  }

  @Test
  void aClosedGraphOpensNone() {
    graph.close();
    assertThrows(IllegalStateException.class, graph::openReadOnly);
  }

  private static int changed(GraphTransaction in, String name) {
    return in.setProperty(in.findVertex(1), Cardinality.SINGLE, "name", "behind " + name, null);
  }

  @Test
  void itBeginsAtTheNewestCommitAndStaysThere() {
    for (int i = 0; i < 100; i++) {
      String name = "new" + i;
      g.V(1).property("name", name).iterate();
      graph.tx().commit();
      graph.openReadOnly();
      assertEquals(name, g.V(1).values("name").next());
      graph.graphStore().retry(in -> changed(in, name));
      assertEquals(name, g.V(1).values("name").next());
      graph.tx().rollback();
    }
  }
}
