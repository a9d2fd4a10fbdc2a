package io.bg3.gremlin.structure;

import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.V;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.inV;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.outV;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.GraphCheck;
import io.bg3.core.graph.SortOrder;
import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3MergeEdgeStepStrategy;
import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3MergeVertexStepStrategy;
import io.bg3.testing.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.tinkerpop.gremlin.process.traversal.Merge;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.T;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Merging vertices by id and edges by their ends. The conflicts of a merge show what it has read: a
 * look-up conflicts only with a transaction that adds the same thing, a scan with every one.
 */
class MergeTest {
  private Bg3Graph graph;
  private GraphTraversalSource g;

  @BeforeEach
  void open() {
    graph = Bg3Graph.open();
    g = graph.traversal();
    g.addV("hub").property(T.id, 0).iterate();
    for (int i = 1; i <= 200; i++) {
      g.addV("spoke").property(T.id, i).iterate();
    }
    for (int i = 1; i <= 100; i++) {
      graph.vertices(0).next().addEdge("to", graph.vertices(i).next());
    }
    graph.tx().commit();
  }

  @AfterEach
  void close() {
    graph.tx().rollback();
    assertEquals(List.of(), new GraphCheck(graph.store().graph(), n -> {}).run());
    graph.close();
  }

  private static Map<Object, Object> edge(Object source, String label, Object target) {
    return Map.of(Direction.OUT, source, Direction.IN, target, T.label, label);
  }

  @SuppressWarnings("unchecked") // it takes an array of a generic class
  private GraphTraversalSource scanning() {
    return g.withoutStrategies(Bg3MergeEdgeStepStrategy.class);
  }

  private void inThread(Runnable work) throws InterruptedException {
    List<Throwable> failures = new ArrayList<>();
    Thread thread =
        new Thread(
            () -> {
              work.run();
              graph.tx().commit();
            });
    thread.setUncaughtExceptionHandler((t, e) -> failures.add(e));
    thread.start();
    thread.join();
    assertEquals(List.of(), failures);
  }

  /** Ids that users gave, sort keys and properties of edges whose records are not read at once. */
  @Test
  void parallelEdgesOfAnOrderedLabelAreAllFound() {
    graph
        .graphStore()
        .declareEdgeLabel("likes", EdgeLabelForm.plain().orderedBy("time", SortOrder.DESCENDING));
    g.V(0).addE("likes").to(V(1)).property("time", 5L).property(T.id, "first").iterate();
    g.V(0).addE("likes").to(V(1)).property("time", 7L).property("n", 2).iterate();
    g.V(0).addE("likes").to(V(2)).property("time", 6L).iterate();
    graph.tx().commit();
    Object second = g.V(0).outE("likes").has("n", 2).id().next();
    for (GraphTraversalSource source : List.of(g, scanning())) {
      Map<Object, Object> likes = edge(0, "likes", 1);
      assertEquals(Set.of("first", second), source.mergeE(likes).id().toSet());
      assertEquals(Set.of(5L, 7L), source.mergeE(likes).values("time").toSet());
      assertEquals(List.of("likes", "likes"), source.mergeE(likes).label().toList());
      Map<Object, Object> newest = new HashMap<>(likes);
      newest.put("time", 7L);
      assertEquals(List.of(second), source.mergeE(newest).id().toList());
      assertEquals(
          List.of(9L, 9L),
          source.mergeE(likes).option(Merge.onMatch, Map.of("time", 9L)).values("time").toList());
      assertEquals(2, source.mergeE(likes).has("time", 9L).id().toSet().size());
      assertEquals(List.of(), source.mergeE(likes).drop().id().toList());
      assertEquals(List.of(6L), source.V(0).outE("likes").values("time").toList());
      graph.tx().rollback();
    }
  }

  @Test
  void looseEdgesWithoutTheirEndsAreNotFound() {
    graph.graphStore().declareEdgeLabel("sees", EdgeLabelForm.plain().asLoose());
    g.V(0).addE("sees").to(V(1)).iterate();
    g.V(0).addE("sees").to(V(2)).iterate();
    g.V(1).drop().iterate();
    graph.tx().commit();
    for (GraphTraversalSource source : List.of(g, scanning())) {
      assertEquals(List.of("sees"), source.mergeE(edge(0, "sees", 2)).label().toList());
      assertThrows(RuntimeException.class, () -> source.mergeE(edge(0, "sees", 1)).iterate());
      graph.tx().rollback();
    }
  }

  @Test
  void explainShowsTheStep() {
    assertTrue(
        g.mergeE(edge(0, "to", 1)).explain().toString().contains("Bg3MergeEdgeStep"),
        () -> g.mergeE(edge(0, "to", 1)).explain().toString());
    assertTrue(g.mergeE(edge(0, "to", 1)).profile().next().toString().contains("Bg3MergeEdgeStep"));
    graph.tx().rollback();
    assertFalse(
        scanning().mergeE(edge(0, "to", 1)).explain().toString().contains("Bg3MergeEdgeStep"));
  }

  @Test
  void aMergeOfAVertexAnswersTheSameWithoutItsStep() {
    @SuppressWarnings("unchecked") // it takes an array of a generic class
    GraphTraversalSource plain = g.withoutStrategies(Bg3MergeVertexStepStrategy.class);
    Map<Object, Object> hub = Map.of(T.label, "hub");
    assertTrue(g.mergeV(hub).explain().toString().contains("Bg3MergeVertexStep"));
    assertFalse(plain.mergeV(hub).explain().toString().contains("Bg3MergeVertexStep"));
    Map<Object, Object> spoke = Map.of(T.label, "spoke", "name", "new");
    for (GraphTraversalSource source : List.of(g, plain)) {
      assertEquals(List.of(0L), source.mergeV(hub).id().toList());
      assertEquals(200, source.mergeV(Map.of(T.label, "spoke")).toList().size());
      assertEquals(
          "c", source.mergeV(spoke).option(Merge.onCreate, Map.of("a", "c")).values("a").next());
      assertEquals(
          "m", source.mergeV(spoke).option(Merge.onMatch, Map.of("a", "m")).values("a").next());
      assertEquals(202L, source.V().count().next());
      graph.tx().rollback();
    }
  }

  @Test
  void anEdgeIsFoundByItsEndsInEveryFormOfTheirIds() {
    String id = (String) g.V(0).outE("to").where(inV().hasId(7)).id().next();
    for (Object seven : List.of(7, 7L, "7", graph.vertices(7).next())) {
      assertEquals(id, g.mergeE(edge(0, "to", seven)).id().next());
      assertEquals(id, g.mergeE(edge("0", "to", seven)).id().next());
    }
    assertEquals(100, g.E().count().next());
    assertEquals(
        1, g.mergeE(edge(0, "to", 7)).option(Merge.onMatch, Map.of("n", 1)).values("n").next());
    Map<Object, Object> second = new HashMap<>(edge(0, "to", 7));
    second.put("n", 2);
    assertEquals(2, g.mergeE(second).values("n").next());
    assertEquals(id, g.mergeE(edge(0, "to", 7)).id().next());
    assertEquals(101, g.E().count().next());
    assertThrows(RuntimeException.class, () -> g.mergeE(edge(0, "to", 999)).iterate());
  }

  @Test
  void mergingAnEdgeReadsNothingElseOfTheHub() throws InterruptedException {
    g.mergeE(edge(0, "to", 150)).iterate();
    inThread(() -> g.mergeE(edge(0, "to", 151)).iterate());
    graph.tx().commit();

    GraphTraversalSource plain = scanning();
    plain.mergeE(edge(0, "to", 152)).iterate();
    inThread(() -> plain.mergeE(edge(0, "to", 153)).iterate());
    assertThrows(Bg3ConflictException.class, () -> graph.tx().commit());
  }

  @Test
  void mergingTheSameEdgeTwiceConflicts() throws InterruptedException {
    g.mergeE(edge(0, "to", 150)).iterate();
    inThread(() -> g.mergeE(edge(0, "to", 150)).iterate());
    assertThrows(Bg3ConflictException.class, () -> graph.tx().commit());
    g.mergeE(edge(0, "new", 150)).iterate();
    inThread(() -> g.mergeE(edge(0, "new", 150)).iterate());
    assertThrows(Bg3ConflictException.class, () -> graph.tx().commit());
    assertEquals(102, g.E().count().next());
  }

  @Test
  void mergingAVertexByItsIdReadsNoOther() throws InterruptedException {
    g.mergeV(Map.of(T.id, 1000, T.label, "spoke")).iterate();
    inThread(() -> g.mergeV(Map.of(T.id, 1001, T.label, "spoke")).iterate());
    graph.tx().commit();
    g.mergeV(Map.of(T.id, "one", T.label, "spoke")).iterate();
    inThread(() -> g.mergeV(Map.of(T.id, "other", T.label, "spoke")).iterate());
    graph.tx().commit();
    g.mergeV(Map.of(T.id, 1002)).iterate();
    inThread(() -> g.mergeV(Map.of(T.id, "1002")).iterate());
    assertThrows(Bg3ConflictException.class, () -> graph.tx().commit());
    assertEquals(1L, g.mergeV(Map.of(T.id, "1002")).count().next());
    assertEquals(206, g.V().count().next());
  }

  @Test
  void nothingIsMergedTwiceHoweverManyTry() throws Exception {
    long seed = Seeds.one();
    int clients = 8;
    ExecutorService pool = Executors.newFixedThreadPool(clients);
    List<Future<?>> ends = new ArrayList<>();
    for (int client = 0; client < clients; client++) {
      Random random = new Random(seed + client);
      ends.add(pool.submit(() -> mergeAtRandom(random)));
    }
    for (Future<?> end : ends) {
      end.get();
    }
    pool.shutdown();
    assertEquals(201 + 10 + 10, g.V().count().next(), "seed=" + seed);
    assertEquals(
        g.E()
            .project("o", "l", "i")
            .by(outV().id())
            .by(T.label)
            .by(inV().id())
            .dedup()
            .count()
            .next(),
        g.E().count().next(),
        "seed=" + seed);
  }

  /**
   * Merges so often that every id and pair is met; each piece of work is repeated until it commits.
   */
  private void mergeAtRandom(Random random) {
    for (int i = 0; i < 300; i++) {
      Object number = 1000 + random.nextInt(10);
      Object text = "v" + random.nextInt(10);
      String label = "l" + random.nextInt(3);
      boolean done = false;
      while (!done) {
        try {
          g.mergeV(Map.of(T.id, number)).iterate();
          g.mergeV(Map.of(T.id, text)).iterate();
          g.mergeE(edge(number, label, text)).iterate();
          g.mergeE(edge(0, label, number)).iterate();
          graph.tx().commit();
          done = true;
        } catch (Bg3ConflictException e) {
          graph.tx().rollback();
        }
      }
    }
  }
}
