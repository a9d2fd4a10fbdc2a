package io.bg3.gremlin.structure;

import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.bothE;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.outE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.IndexedKeys;
import io.bg3.core.graph.Indexes;
import io.bg3.core.graph.SortOrder;
import io.bg3.gremlin.process.traversal.step.util.Bg3ProfileStep;
import io.bg3.gremlin.process.traversal.step.util.ReadMetrics;
import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3EdgeStepStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.process.traversal.util.Metrics;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Edges of vertices that an index finds: a hub with {@value #DEGREE} edges of each of several
 * labels out of it and into it, itself among its neighbours, with values of several classes. An
 * index has few entries for one value, and hundreds for another one. Answers are those of reading
 * all edges of the vertex.
 */
class IncidentEdgesTest {
  private static final int DEGREE = 300;
  private static final long HUB = 1;
  private static final int NEIGHBOURS = 20;
  private static final List<String> LABELS = List.of("plain", "loose", "counted", "ordered");

  private final Bg3Graph graph = Bg3Graph.open();
  private final GraphTraversalSource g = graph.traversal();

  @SuppressWarnings("unchecked") // it takes an array of a generic class
  private final GraphTraversalSource plain = g.withoutStrategies(Bg3EdgeStepStrategy.class);

  @BeforeEach
  void load() throws InterruptedException {
    GraphStore store = graph.graphStore();
    EdgeLabelForm form = EdgeLabelForm.plain();
    store.declareEdgeLabel("loose", form.asLoose());
    store.declareEdgeLabel("counted", form.asCounted());
    store.declareEdgeLabel("ordered", form.orderedBy("at", SortOrder.DESCENDING));
    List<Vertex> vertices = new ArrayList<>();
    for (long id = HUB; id <= NEIGHBOURS; id++) {
      vertices.add(graph.addVertex(T.id, id));
    }
    for (int i = 0; i < DEGREE; i++) {
      for (String label : LABELS) {
        add(vertices.get(0), label, vertices.get(i % NEIGHBOURS), i);
        add(vertices.get(i * 7 % NEIGHBOURS), label, vertices.get(0), i);
      }
    }
    graph.tx().commit();
    store.createIndex(IndexedKeys.ofEdges(null, "n"), false);
    store.createIndex(IndexedKeys.ofEdges("plain", "name", "n"), false);
    store.createIndex(IndexedKeys.ofEdges("ordered", "name"), false);
    Indexes.await(store);
  }

  private static void add(Vertex source, String label, Vertex target, int i) {
    Object n = i % 3 == 0 ? (Object) i : i % 3 == 1 ? (Object) (long) i : (Object) (i + 0.0);
    source.addEdge(label, target, "n", n, "name", "e" + i % 30, "at", (long) i);
  }

  @AfterEach
  void close() {
    graph.tx().rollback();
    graph.close();
  }

  private static Metrics hop(GraphTraversal<?, ?> asked) {
    return asked.profile().next().getMetrics(1);
  }

  private static long entries(Metrics step) {
    Object entries = step.getAnnotation(Bg3ProfileStep.ENTRIES);
    return entries == null ? 0 : (Long) entries;
  }

  @Test
  void explainAndProfileNameTheIndex() {
    for (GraphTraversal<?, ?> asked :
        List.of(
            g.V(HUB).outE("plain").has("n", 7),
            g.V(HUB).inE("plain").has("n", 7),
            g.V(HUB).bothE().has("n", 7),
            g.V(HUB).outE("plain", "ordered").has("n", P.within(7, 8)))) {
      String explained = asked.asAdmin().clone().explain().toString();
      assertTrue(explained.contains("index=edge:*.n"), explained);
      Metrics hop = hop(asked);
      assertTrue(hop.getName().startsWith("Bg3EdgeStep("), hop::getName);
      assertEquals("edge:*.n", hop.getAnnotation(ReadMetrics.INDEX), hop::toString);
      assertNull(hop.getAnnotation(ReadMetrics.ANNOTATION), hop::toString);
    }
    String without = plain.V(HUB).inE("plain").has("n", 7).explain().toString();
    assertFalse(without.contains(",edge,"), without);
  }

  @Test
  void aHubIsNotReadForOneOfItsEdges() {
    Vertex hub = graph.vertices(HUB).next();
    for (int i = 0; i < 10 * DEGREE; i++) {
      add(hub, "many", hub, i);
    }
    graph.tx().commit();
    Metrics out = hop(g.V(HUB).outE("many").has("n", 1007));
    assertTrue(entries(out) < 2 * DEGREE, out::toString);
    Metrics in = hop(g.V(HUB).inE("many").has("n", 1007));
    assertTrue(entries(in) < 4 * DEGREE, in::toString);
    Metrics all = hop(plain.V(HUB).outE("many").has("n", 1007));
    assertTrue(entries(all) >= 10 * DEGREE, all::toString);
  }

  @Test
  void anIndexOfSeveralKeysFindsEdges() {
    Metrics both = hop(g.V(HUB).outE("plain").has("name", "e7").has("n", 37));
    assertEquals("edge:plain.name+n", both.getAnnotation(ReadMetrics.INDEX), both::toString);
  }

  @Test
  void whatManyEdgesMeetIsReadFromTheVertex() {
    Metrics range = hop(g.V(HUB).inE("plain").has("n", P.gt(2)));
    assertNull(range.getAnnotation(ReadMetrics.INDEX), range::toString);
    Metrics leaf = hop(g.V(2L).outE("plain").has("n", 7));
    assertNull(leaf.getAnnotation(ReadMetrics.INDEX), leaf::toString);
    assertTrue(entries(leaf) <= DEGREE / NEIGHBOURS + 20, leaf::toString);
  }

  @Test
  void aRangeByTheOrderOfTheLabelIsReadFromTheVertex() {
    Metrics sorted = hop(g.V(HUB).outE("ordered").has("at", P.gt(295)).has("name", "e7"));
    assertNull(sorted.getAnnotation(ReadMetrics.INDEX), sorted::toString);
    Metrics indexed = hop(g.V(HUB).outE("ordered").has("name", "e7"));
    assertEquals("edge:ordered.name", indexed.getAnnotation(ReadMetrics.INDEX));
  }

  @SuppressWarnings("unchecked") // within takes an array of a generic class
  private static List<P<?>> predicates() {
    return List.of(
        P.eq(7),
        P.eq(7L),
        P.eq(8.0),
        P.eq("7"),
        P.eq(-1),
        P.within(3, 4L, 5.0, 1000),
        P.between(10, 13),
        P.gt(296),
        P.lte(2),
        P.gt(100).and(P.lt(104)),
        P.eq(3).or(P.eq(299)),
        P.neq(5));
  }

  private void assertSameAnswers() {
    List<String[]> labels = new ArrayList<>();
    LABELS.forEach(label -> labels.add(new String[] {label}));
    labels.add(new String[0]);
    labels.add(new String[] {"plain", "loose"});
    labels.add(new String[] {"ordered", "none"});
    for (String[] some : labels) {
      for (P<?> n : predicates()) {
        assertSame(from -> from.V(HUB).outE(some).has("n", n));
        assertSame(from -> from.V(HUB, 2L, HUB).inE(some).has("n", n));
        assertSame(from -> from.V(2L, HUB).bothE(some).has("n", n).has("name", "e7"));
        assertSame(from -> from.V(HUB).bothE(some).has("n", n).otherV().path().by(T.id).by("n"));
      }
      assertSame(from -> from.V().outE(some).has("name", "e7").has("n", 37));
      assertSame(from -> from.V(HUB).outE(some).has("name", TextP.startingWith("e29")).count());
      assertSame(
          from ->
              from.V(HUB)
                  .outE(some)
                  .has("n", 7)
                  .order()
                  .by("at", Order.desc)
                  .limit(2)
                  .values("at"));
    }
    assertSame(from -> from.V(HUB).repeat(outE("plain").has("n", 20).inV()).times(3).id());
    assertSame(from -> from.V().where(bothE("counted").has("n", 31)).id());
  }

  private void assertSame(Function<GraphTraversalSource, Traversal<?, ?>> asked) {
    Traversal<?, ?> traversal = asked.apply(g);
    String text = traversal.toString();
    assertEquals(sorted(asked.apply(plain)), sorted(traversal), text);
  }

  private static List<String> sorted(Traversal<?, ?> traversal) {
    List<String> answers = new ArrayList<>();
    traversal.forEachRemaining(answer -> answers.add(answer.toString()));
    answers.sort(null);
    return answers;
  }

  @Test
  void answersAreThoseOfReadingAllEdges() {
    assertSameAnswers();
  }

  @Test
  void theEdgesOfALabelThatIsNamedTwiceComeTwice() {
    for (String label : LABELS) {
      long once = g.V(HUB).bothE(label).has("n", 7).count().next();
      assertEquals(2 * once, g.V(HUB).bothE(label, label).has("n", 7).count().next(), label);
      assertEquals(2, g.V(HUB).outE("plain", "plain").has("n", 7).toList().size());
    }
  }

  @Test
  void answersAreTheSameWithChangesThatAreNotCommitted() {
    Vertex hub = graph.vertices(HUB).next();
    for (String label : LABELS) {
      plain.V(HUB).outE(label).has("n", 20).drop().iterate();
      plain.V(HUB).bothE(label).has("n", 3).property("n", 7).iterate();
      plain.V(HUB).inE(label).has("n", 31).property("n", "7").iterate();
      for (int i = 0; i < 10; i++) {
        add(hub, label, hub, i);
        add(graph.addVertex(T.id, 1000L + i + 10L * LABELS.indexOf(label)), label, hub, i);
      }
    }
    plain.V(5L).drop().iterate();
    assertSameAnswers();
  }

  @Test
  void anEdgeThatGetsAnotherSoughtValueComesOnce() {
    P<Integer> sought = P.within(3, 4);
    long edges = plain.V(HUB).outE("plain").has("n", sought).count().next();
    Traversal<?, ?> lookUp = __.V(HUB).outE("plain").has("n", 5); // writes the entries that are due
    assertEquals(
        edges,
        g.V(HUB).outE("plain").has("n", sought).property("n", 4).sideEffect(lookUp).count().next());
  }

  @Test
  void aLabelThatIsNotThereIsMissedAtItsVertexAlone() throws Exception {
    assertFalse(g.V(HUB).outE("unknown").has("n", 1).hasNext());
    graph.addVertex();
    CompletableFuture.runAsync(
            () -> {
              Vertex other = graph.addVertex();
              other.addEdge("unknown", other, "n", 1);
              graph.tx().commit();
            })
        .get();
    graph.tx().commit();
  }

  @Test
  void aDroppedIndexIsNotUsedAnyMore() {
    Traversal<?, ?> asked = g.V(HUB, HUB).outE("plain").has("n", 7);
    asked.next();
    graph.graphStore().dropIndex(IndexedKeys.ofEdges(null, "n"));
    assertEquals(1, asked.toList().size());
    assertNull(hop(g.V(HUB).outE("plain").has("n", 7)).getAnnotation(ReadMetrics.INDEX));
  }

  /** A transaction that has looked for a value conflicts with who adds it, and with no other. */
  @Test
  void whatIsNotThereCountsAsRead() throws Exception {
    for (boolean isWanted : new boolean[] {false, true}) {
      assertFalse(g.V(HUB).outE("plain").has("n", 5000).hasNext());
      graph.addVertex();
      CompletableFuture.runAsync(
              () -> {
                Vertex hub = graph.vertices(HUB).next();
                hub.addEdge("plain", hub, "n", isWanted ? 5000 : 6000);
                graph.tx().commit();
              })
          .get();
      if (isWanted) {
        assertThrows(Bg3ConflictException.class, () -> graph.tx().commit());
      } else {
        graph.tx().commit();
      }
    }
  }

  @Test
  void theStepIsTakenOnlyWhereAnIndexMayAnswer() {
    Map<Boolean, List<GraphTraversal<?, ?>>> asked =
        Map.of(
            true,
            List.of(g.V().inE("plain").has("any", 1), g.V().bothE().has("any", P.gt(1))),
            false,
            List.of(
                g.V().inE("plain").hasLabel(P.neq("a")),
                g.V().bothE().has("n", P.neq(7)),
                g.V().inE().has("n"),
                g.V().inE().limit(2).has("n", 7)));
    asked.forEach(
        (isTaken, traversals) ->
            traversals.forEach(
                traversal -> {
                  String steps = traversal.explain().toString();
                  assertEquals(isTaken, steps.contains(",edge,"), steps);
                }));
  }
}
