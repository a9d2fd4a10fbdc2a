package io.bg3.gremlin.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bg3.core.graph.EdgeLabel;
import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.LinkBatch;
import io.bg3.core.graph.SortOrder;
import io.bg3.core.record.PropertyBytes;
import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3VertexStepStrategy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.T;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The edges and neighbours of a vertex are counted alike with {@link Bg3VertexStepStrategy} and
 * without it, by labels of every form: plain, counted, ordered, loose, and loose ones whose targets
 * are missing or whose edges are hidden.
 */
class EdgeCountTest {
  private static final String[] LABELS = {"plain", "counted", "firm", "link", "nothing"};
  private static final int HUB = 3_000; // edges: more than a group holds, and than one chunk

  private final Bg3Graph graph = Bg3Graph.open();
  private final GraphTraversalSource g = graph.traversal();

  @SuppressWarnings("unchecked") // an array of classes
  private final GraphTraversalSource plain = g.withoutStrategies(Bg3VertexStepStrategy.class);

  private EdgeLabel link;

  @BeforeEach
  void load() {
    GraphStore store = graph.graphStore();
    EdgeLabelForm byTime = EdgeLabelForm.plain().orderedBy("time", SortOrder.DESCENDING);
    store.declareEdgeLabel("counted", EdgeLabelForm.plain().asCounted());
    store.declareEdgeLabel("firm", byTime.asCounted());
    link = store.declareEdgeLabel("link", byTime.asLoose().asCounted());
    for (long id = 1; id <= 9; id++) {
      g.addV("node").property(T.id, id).iterate();
    }
    for (long id = 1; id <= 9; id++) {
      for (long other = id; other <= 9; other += 2) { // the first is a loop
        for (String label : List.of("plain", "counted")) {
          g.V(id).addE(label).to(__.V(other)).iterate();
        }
        g.V(id).addE("firm").to(__.V(other)).property("time", other).iterate();
      }
    }
    g.V(1).addE("plain").to(__.V(2)).addE("plain").from(__.V(1)).to(__.V(2)).iterate();
    g.tx().commit();
    LinkBatch links = new LinkBatch();
    for (long target = 2; target <= 20; target++) { // those above 9 do not exist
      links.add(link, 1, target, target, target % 3 != 0, new PropertyBytes());
    }
    links.add(link, 99, 1, 1, true, new PropertyBytes()); // nor does its source
    store.putLinks(links);
  }

  @AfterEach
  void close() {
    g.tx().rollback();
    graph.close();
  }

  private static List<Function<GraphTraversalSource, Traversal<?, ?>>> counts(String... labels) {
    return List.of(
        g -> g.V(1, 2).outE(labels).count(),
        g -> g.V().inE(labels).count(),
        g -> g.V().bothE(labels).count(),
        g -> g.V().out(labels).count(),
        g -> g.V(1, 1, 2).in(labels).count(),
        g -> g.V(1).both(labels).count(),
        g -> g.V(1, 1, 3).barrier().outE(labels).count(),
        g -> g.V().map(__.outE(labels).count()),
        g -> g.V().map(__.both(labels).count()),
        g -> g.V().project("out", "in").by(__.outE(labels).count()).by(__.in(labels).count()),
        g -> g.V().both("plain").bothE(labels).count(),
        g -> g.V(1).sideEffect(__.constant(1)).out(labels).count());
  }

  private void assertSame(String state) {
    for (String one : LABELS) {
      for (String[] labels : new String[][] {{}, {one}, {one, "plain"}, {one, one}, LABELS}) {
        for (Function<GraphTraversalSource, Traversal<?, ?>> count : counts(labels)) {
          assertEquals(
              count.apply(plain).toList(),
              count.apply(g).toList(),
              () -> state + ": " + count.apply(g));
        }
      }
    }
  }

  @Test
  void labelsOfEveryFormAreCountedAlike() {
    assertSame("committed");
    assertEquals(13L, g.V(1).outE("link").count().next());
    assertEquals(5L, g.V(1).out("link").count().next());
    assertEquals(0L, g.V(1).inE("link").count().next());
  }

  @Test
  void ownChangesAreCountedAlike() {
    g.V(1).addE("counted").to(__.V(9)).iterate();
    g.V(1).outE("plain").limit(2).drop().iterate();
    g.V(2).outE("firm").drop().iterate();
    g.V(1).addE("link").to(__.V(3)).property("time", 7L).iterate();
    g.V(5).drop().iterate(); // its loose edges stay
    assertSame("changed");
  }

  @Test
  void aVertexWithManyEdgesIsCountedAlike() {
    g.addV("hub").property(T.id, 50L).iterate();
    for (int i = 0; i < HUB; i++) {
      g.V(50).addE("plain").to(__.V(1 + i % 9)).iterate();
    }
    for (String state : List.of("uncommitted", "committed")) {
      assertEquals((long) HUB, g.V(50).outE("plain").count().next(), state);
      for (GraphTraversalSource source : List.of(g, plain)) {
        assertEquals(2L * HUB, source.V(50, 50).barrier().outE("plain").count().next(), state);
        assertEquals(HUB + 11L, source.V(1, 50, 2).outE("plain").count().next(), state);
        assertEquals(HUB + 11L, source.V(1, 50, 2).out("plain", "nothing").count().next(), state);
      }
      assertEquals((long) HUB, g.V(50).bothE().count().next(), state);
      assertEquals((long) HUB, g.V(50).out().count().next(), state);
      g.tx().commit();
    }
  }

  /** Counting is a read: with a counter and without one, a new edge conflicts. */
  @Test
  void aNewEdgeConflictsWithACount() throws Exception {
    for (String label : List.of("plain", "counted", "firm", "nothing")) {
      g.V(1).outE(label).count().iterate();
      g.addV().iterate();
      CompletableFuture.runAsync(
              () -> {
                g.V(1).addE(label).to(__.V(8)).property("time", 8L).iterate();
                g.tx().commit();
              })
          .get();
      assertThrows(Bg3ConflictException.class, () -> g.tx().commit(), label);
    }
  }
}
