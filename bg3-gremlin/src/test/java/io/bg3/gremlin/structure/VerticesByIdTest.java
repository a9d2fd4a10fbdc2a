package io.bg3.gremlin.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bg3.core.tree.ReadCounts;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.T;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code V(ids)}: vertices whose records are read with them, and those whose are not. */
class VerticesByIdTest {
  private static final int VERTICES = VerticesById.MOST_READ + 100;

  private final Bg3Graph graph = Bg3Graph.open();
  private final GraphTraversalSource g = graph.traversal();

  @BeforeEach
  void load() {
    for (int i = 1; i <= VERTICES; i++) {
      graph.addVertex(T.id, i, T.label, i % 2 == 0 ? "even" : "odd", "name", "n" + i);
    }
    graph.addVertex(T.id, "text", T.label, "even", "name", "t");
    graph.tx().commit();
  }

  @AfterEach
  void close() {
    graph.close();
  }

  private static Object[] ids(int count) {
    return LongStream.rangeClosed(1, count).boxed().toArray();
  }

  /** In a transaction of its own, which knows of no vertex yet. */
  private long lookUps(GraphTraversal<?, ?> asked) {
    graph.tx().rollback();
    ReadCounts before = ReadCounts.ofThread();
    asked.iterate();
    return ReadCounts.ofThread().since(before).lookUps();
  }

  @Test
  void aVertexWhosePropertyIsReadTakesOneLookUp() {
    for (int count : new int[] {1, 2, 64, 65, 1_000}) {
      assertEquals(count, lookUps(g.V(ids(count)).values("name")), "values of " + count);
      assertEquals(count, lookUps(g.V(ids(count)).has("name", "n1")), "has of " + count);
      assertEquals(count, lookUps(g.V(ids(count)).hasLabel("odd").count()), "label of " + count);
      assertEquals(count, lookUps(g.V(ids(count))), "nothing read of " + count);
    }
    assertEquals(1, lookUps(g.V(7).values("name").limit(1)), "one vertex, with a limit");
    assertEquals(2, lookUps(g.inject(0).map(__.V(7, 8).values("name").fold())), "a child");
  }

  @Test
  void theVerticesAreThoseThatTheirIdsName() {
    Object[] asked = {3L, -5L, 1, "text", "none", 3L, 1L << 40, graph.vertices(2).next()};
    assertEquals(List.of("n3", "n1", "t", "n3", "n2"), g.V(asked).values("name").toList());
    assertEquals(List.of("even", "even"), g.V(asked).hasLabel("even").label().toList());
    Object[] many = ids(VERTICES);
    List<String> names = IntStream.rangeClosed(1, VERTICES).mapToObj(i -> "n" + i).toList();
    assertEquals(names, g.V(many).values("name").toList());
    assertEquals(names.subList(0, 4_000), g.V(ids(4_000)).values("name").toList());
    assertEquals(List.of(), g.V(-1, -2).values("name").toList());
  }

  @Test
  void whatTheTransactionHasChangedIsSeen() {
    g.V(1).property("name", "new").iterate();
    g.V(2).drop().iterate();
    graph.addVertex(T.id, -9L, "name", "added");
    assertEquals(List.of("new", "n3", "added"), g.V(1L, 2L, 3L, -9L).values("name").toList());
    GraphTraversal<?, Object> open = g.V(3L, 5L, 7L).values("name");
    assertEquals("n3", open.next());
    g.V(5L).property("name", "later").iterate();
    g.V(7L).drop().iterate();
    assertEquals(List.of("later"), open.toList());
  }

  @Test
  void aRecordThatIsNotReadDoesNotConflict() {
    commitBesides(traversal -> traversal.V(1L, 2L).out("knows").iterate());
    assertThrows(
        Bg3ConflictException.class,
        () -> commitBesides(traversal -> traversal.V(1L, 2L).values("name").iterate()));
  }

  /** Commits what has asked and written, while another transaction changes the first vertex. */
  private void commitBesides(Consumer<GraphTraversalSource> asks) {
    asks.accept(g);
    g.V(9).property("name", "written").iterate();
    CompletableFuture.runAsync(
            () -> {
              graph.traversal().V(1).property("name", "other").iterate();
              graph.tx().commit();
            })
        .join();
    graph.tx().commit();
  }
}
