package io.bg3.gremlin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.IndexedKeys;
import io.bg3.core.graph.Indexes;
import io.bg3.core.graph.SortOrder;
import io.bg3.core.tree.ReadCounts;
import io.bg3.gremlin.process.traversal.step.util.Bg3ProfileStep;
import io.bg3.gremlin.process.traversal.step.util.ReadMetrics;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.testing.Seeds;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.commons.configuration2.Configuration;
import org.apache.commons.configuration2.MapConfiguration;
import org.apache.tinkerpop.gremlin.LoadGraphWith.GraphData;
import org.apache.tinkerpop.gremlin.features.TestFiles;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.process.traversal.util.Metrics;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalMetrics;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code profile()} shows what each step has read: counts of a graph of which they are known, and
 * sums that are what the thread has read. The graph is a hub with {@value #DEGREE} neighbours.
 */
class ProfiledReadsTest {
  private static final int DEGREE = 700;
  private static final int VERTICES = DEGREE + 1;
  private static final long HUB = 1;
  private static final int DRAWN = 1_000;

  /** The hub has no tree of its own, which would count its edges without reading them. */
  private final Bg3Graph graph =
      Bg3Graph.open(new MapConfiguration(Map.of("bg3.forest.split-out", "0")));

  private final GraphTraversalSource g = graph.traversal();

  @TempDir private Path directory;

  @BeforeEach
  void load() {
    graph
        .graphStore()
        .declareEdgeLabel("rates", EdgeLabelForm.plain().orderedBy("at", SortOrder.DESCENDING));
    fill(graph);
  }

  @AfterEach
  void close() {
    graph.tx().rollback();
    graph.close();
  }

  private static void fill(Bg3Graph graph) {
    Vertex hub = graph.addVertex(T.id, HUB, T.label, "hub", "name", "hub");
    for (long i = 2; i <= VERTICES; i++) {
      Vertex leaf = graph.addVertex(T.id, i, T.label, "leaf", "name", "n" + i, "n", i);
      hub.addEdge("knows", leaf, "weight", i);
      hub.addEdge("rates", leaf, "at", i);
      if (i % 7 == 0) {
        leaf.addEdge("knows", hub, "weight", i);
      }
    }
    graph.tx().commit();
  }

  private static TraversalMetrics profiled(GraphTraversal<?, ?> asked) {
    return asked.profile().next();
  }

  private static long count(Metrics step, String name) {
    Object value = step.getAnnotation(name);
    return value == null ? 0 : (Long) value;
  }

  private static long entries(Metrics step) {
    return count(step, Bg3ProfileStep.ENTRIES);
  }

  private static long pages(Metrics step) {
    return count(step, Bg3ProfileStep.PAGES);
  }

  private static ReadCounts counts(Metrics step) {
    return new ReadCounts(
        count(step, Bg3ProfileStep.PAGES),
        count(step, Bg3ProfileStep.ENTRIES),
        count(step, Bg3ProfileStep.LOOK_UPS),
        count(step, Bg3ProfileStep.FULL_SCANS),
        count(step, Bg3ProfileStep.DEVICE_READS),
        count(step, Bg3ProfileStep.DEVICE_BYTES));
  }

  private static ReadCounts sum(Collection<? extends Metrics> steps) {
    return steps.stream().map(ProfiledReadsTest::counts).reduce(ReadCounts.NONE, ReadCounts::plus);
  }

  @Test
  void aConditionWithoutAnIndexShowsThatItReadsEveryVertex() {
    for (GraphTraversal<?, ?> asked :
        List.of(g.V().has("name", "n7"), g.V().has("leaf", "name", "n7"), g.V().hasLabel("hub"))) {
      Metrics start = profiled(asked).getMetrics(0);
      assertEquals(VERTICES, entries(start), start::toString);
      assertEquals(1L, start.getAnnotation(Bg3ProfileStep.FULL_SCANS));
      assertEquals("all vertices", start.getAnnotation(ReadMetrics.SCAN));
      assertNull(start.getAnnotation(ReadMetrics.INDEX));
      assertTrue(pages(start) > 1, start::toString);
    }
    Metrics edges = profiled(g.E().has("weight", 7L)).getMetrics(0);
    assertEquals("all edges", edges.getAnnotation(ReadMetrics.SCAN));
    assertEquals(1L, edges.getAnnotation(Bg3ProfileStep.FULL_SCANS));
    assertTrue(entries(edges) >= 2L * DEGREE, edges::toString);
  }

  @Test
  void aConditionWithAnIndexShowsItAndReadsOneEntry() throws InterruptedException {
    graph.graphStore().createIndex("leaf", "name");
    Indexes.await(graph.graphStore());
    GraphTraversal<?, ?> asked = g.V().has("leaf", "name", "n7");
    Metrics start = profiled(asked).getMetrics(0);
    assertEquals("leaf.name", start.getAnnotation(ReadMetrics.INDEX));
    assertNull(start.getAnnotation(ReadMetrics.SCAN));
    assertNull(start.getAnnotation(Bg3ProfileStep.FULL_SCANS));
    assertEquals(1, entries(start), start::toString);
    assertEquals(1, count(start, ReadMetrics.ANNOTATION));
    Metrics none = profiled(g.V().has("leaf", "name", "none")).getMetrics(0);
    assertEquals(0, entries(none), none::toString);
  }

  @Test
  void aHopReadsAsManyEntriesAsTheVertexHasEdges() {
    for (GraphTraversal<?, ?> asked :
        List.of(
            g.V(HUB).out("knows"),
            g.V(HUB).outE("knows"),
            g.V(HUB).out("knows").count(),
            g.V(HUB).outE("knows").count(),
            g.V(HUB).out("knows").dedup().count())) {
      Metrics hop = profiled(asked).getMetrics(1);
      assertEquals(DEGREE, entries(hop), hop::toString);
    }
    Metrics both = profiled(g.V(HUB).both("knows")).getMetrics(1);
    assertEquals(DEGREE + DEGREE / 7, entries(both), both::toString);
    Metrics announced = profiled(g.V(2L, HUB).out("knows").values("name")).getMetrics(1);
    assertTrue(
        entries(announced) >= DEGREE && entries(announced) < 2 * DEGREE,
        () -> "the beginning of a long list is read ahead: " + announced);
  }

  @Test
  void neighboursOfManyVerticesAreCountedOnce() {
    TraversalMetrics twoHops = profiled(g.V(HUB).out("knows").out("knows"));
    assertEquals(DEGREE, entries(twoHops.getMetrics(1)), twoHops::toString);
    assertEquals(DEGREE / 7, entries(twoHops.getMetrics(2)), twoHops::toString);
  }

  @Test
  void stepsOfTinkerPopShowWhatTheyReadToo() {
    TraversalMetrics profile = profiled(g.V(HUB).out("knows").values("name"));
    Metrics values = profile.getMetrics(2);
    assertEquals(DEGREE, count(values, Bg3ProfileStep.LOOK_UPS), profile::toString);
    assertEquals(0, entries(values), profile::toString);
  }

  @Test
  void theFirstEdgesInTheOrderOfALabelAreAllThatIsRead() {
    Metrics first =
        profiled(g.V(HUB).outE("rates").order().by("at", Order.desc).limit(3)).getMetrics(1);
    assertTrue(first.getName().startsWith("Bg3EdgeStep"), first::getName);
    assertTrue(entries(first) >= 3 && entries(first) < 60, first::toString);
  }

  @Test
  void aNeighbourFilterLooksUpItsEdge() {
    Metrics filter =
        profiled(g.V().hasLabel("leaf").where(__.in("knows").hasId(HUB))).getMetrics(1);
    assertTrue(filter.getName().startsWith("Bg3NeighbourFilterStep"), filter::getName);
    assertEquals(DEGREE, filter.getCount(TraversalMetrics.ELEMENT_COUNT_ID));
    assertEquals(DEGREE, entries(filter), filter::toString);
  }

  @Test
  void totalsReadNothing() {
    for (GraphTraversal<?, ?> asked :
        List.of(g.V().count(), g.E().count(), g.V().groupCount().by(T.label))) {
      Metrics total = profiled(asked).getMetrics(0);
      assertEquals(ReadCounts.NONE, counts(total), total::toString);
      assertEquals(0L, total.getAnnotation(ReadMetrics.ANNOTATION));
    }
  }

  @Test
  void aMergeShowsItsEntries() {
    Map<Object, Object> edge = new HashMap<>();
    edge.put(T.label, "knows");
    edge.put(Direction.OUT, HUB);
    edge.put(Direction.IN, 9L);
    Metrics merge = profiled(g.mergeE(edge)).getMetrics(0);
    assertTrue(merge.getName().startsWith("Bg3MergeEdgeStep"), merge::getName);
    assertEquals(1, entries(merge), merge::toString);
  }

  @Test
  @SuppressWarnings("unchecked") // inject takes an array of a generic class
  void aMergeOfAVertexShowsItsIndexOrThatItReadsEveryVertex() throws InterruptedException {
    Map<Object, Object> leaf = Map.of(T.label, "leaf", "name", "n7");
    Metrics scan = profiled(g.mergeV(leaf)).getMetrics(0);
    assertTrue(scan.getName().startsWith("Bg3MergeVertexStep"), scan::getName);
    assertEquals("all vertices", scan.getAnnotation(ReadMetrics.SCAN));
    assertEquals((long) VERTICES, scan.getAnnotation(ReadMetrics.ANNOTATION));
    assertFalse(g.mergeV(leaf).explain().toString().contains("index="));
    graph.graphStore().createIndex("leaf", "name");
    graph.graphStore().createIndex(null, "n");
    Indexes.await(graph.graphStore());
    graph.tx().rollback();
    Metrics one = profiled(g.mergeV(leaf)).getMetrics(0);
    assertEquals("leaf.name", one.getAnnotation(ReadMetrics.INDEX));
    assertNull(one.getAnnotation(ReadMetrics.SCAN));
    assertNull(one.getAnnotation(Bg3ProfileStep.FULL_SCANS));
    assertEquals(1, entries(one), one::toString);
    assertEquals(1L, one.getAnnotation(ReadMetrics.ANNOTATION));
    assertTrue(g.mergeV(leaf).explain().toString().contains("index=leaf.name"));
    Metrics several =
        profiled(g.inject(leaf, Map.of("n", 9L), Map.of("name", "n8", T.label, "leaf")).mergeV())
            .getMetrics(1);
    assertEquals("leaf.name,*.n", several.getAnnotation(ReadMetrics.INDEX), several::toString);
    assertEquals(3L, several.getAnnotation(ReadMetrics.ANNOTATION));
    Metrics byId = profiled(g.mergeV(Map.of(T.id, HUB))).getMetrics(0);
    assertNull(byId.getAnnotation(ReadMetrics.INDEX), byId::toString);
    assertEquals(0L, count(byId, Bg3ProfileStep.FULL_SCANS));
  }

  @Test
  void aMergeOfAnEdgeWithoutEndsShowsItsIndexOrThatItReadsEveryEdge() throws InterruptedException {
    Map<Object, Object> edge = Map.of(T.label, "knows", "weight", 7L);
    Metrics scan = profiled(g.mergeE(edge)).getMetrics(0);
    assertEquals("all edges", scan.getAnnotation(ReadMetrics.SCAN));
    graph.graphStore().createIndex(IndexedKeys.ofEdges("knows", "weight"), false);
    Indexes.await(graph.graphStore());
    graph.tx().rollback();
    Metrics found = profiled(g.mergeE(edge)).getMetrics(0);
    assertEquals("edge:knows.weight", found.getAnnotation(ReadMetrics.INDEX));
    assertEquals(2, entries(found), found::toString);
    assertTrue(g.mergeE(edge).explain().toString().contains("index=edge:knows.weight"));
  }

  @Test
  void aStepHasWhatItsNestedTraversalsRead() {
    Metrics where = profiled(g.V(HUB).where(__.out("knows").values("n").is(9L))).getMetrics(1);
    Metrics hop = where.getNested().iterator().next();
    assertTrue(hop.getName().startsWith("Bg3VertexStep"), hop::getName);
    assertTrue(entries(hop) > 0, hop::toString);
    assertTrue(pages(where) >= pages(hop), where::toString);
    assertEquals(counts(where), sum(where.getNested()), where::toString);
  }

  @Test
  void aTraversalThatIsNotProfiledIsAsItWas() {
    GraphTraversal<?, ?> plain = g.V(HUB).out("knows").where(__.out());
    plain.iterate();
    assertFalse(plain.toString().contains("Profile"), plain::toString);
    GraphTraversal<?, ?> profiled = g.V(HUB).out("knows").where(__.out()).profile();
    profiled.iterate();
    assertTrue(profiled.toString().contains("Bg3ProfileStep"), profiled::toString);
  }

  /** Whatever the steps are: together they have what the thread has read, and no step has more. */
  @Test
  void theStepsOfDrawnTraversalsHaveWhatTheThreadHasRead() throws InterruptedException {
    try (Bg3Graph modern = modern()) {
      GraphTraversalSource from = modern.traversal();
      long seed = Seeds.one();
      long shown = 0;
      for (int i = 0; i < DRAWN; i++) {
        long drawn = seed + i;
        Object before = result(() -> RandomTraversal.of(drawn, from).count());
        GraphTraversal<?, ?> asked = RandomTraversal.of(drawn, from);
        ReadCounts begun = ReadCounts.ofThread();
        try {
          TraversalMetrics profile = profiled(asked);
          ReadCounts all = ReadCounts.ofThread().since(begun);
          assertEquals(all, sum(profile.getMetrics()), () -> "seed=" + drawn + ": " + profile);
          shown += all.pages();
        } catch (RuntimeException e) {
          assertEquals(e.getClass(), before, () -> "seed=" + drawn);
        }
      }
      assertTrue(shown > DRAWN, "pages: " + shown);
      modern.tx().rollback();
    }
  }

  private static Object result(Supplier<Traversal<?, ?>> asked) {
    try {
      return asked.get().toList();
    } catch (RuntimeException e) {
      return e.getClass();
    }
  }

  private static Bg3Graph modern() throws InterruptedException {
    Configuration integers = new BaseConfiguration();
    integers.setProperty("bg3.graph.ids", "integer");
    Bg3Graph modern = Bg3Graph.open(integers);
    modern.graphStore().createIndex(null, "name");
    modern.traversal().io(TestFiles.getInputLocation(GraphData.MODERN, false)).read().iterate();
    modern.tx().commit();
    Indexes.await(modern.graphStore());
    return modern;
  }

  /** The answers beside a profile are those without one. */
  @Test
  @SuppressWarnings("unchecked") // union takes an array of a generic class
  void aProfileChangesNoAnswer() {
    List<Function<GraphTraversalSource, GraphTraversal<?, ?>>> questions =
        List.of(
            from -> from.V().has("name", "n7").out("knows").values("name"),
            from -> from.V(HUB).out("knows").has("n", P.lt(99)).order().by("name").values("n"),
            from -> from.V(HUB).repeat(__.both("knows").simplePath()).times(2).path().by(T.id),
            from -> from.V(HUB).out("knows").where(__.out("knows")).id().limit(30),
            from -> from.V(HUB).match(__.as("a").out("knows").as("b")).select("b").values("n"),
            from -> from.V().group().by(T.label).by(__.outE().count()),
            from -> from.V().hasLabel("leaf").union(__.in("knows"), __.out("rates")).count());
    for (Function<GraphTraversalSource, GraphTraversal<?, ?>> question : questions) {
      List<?> expected = question.apply(g).toList();
      GraphTraversal<?, ?> beside = question.apply(g).aggregate("answers").profile("profile");
      List<?> found = IteratorUtils.list(((Collection<?>) beside.cap("answers").next()).iterator());
      assertEquals(expected, found);
    }
  }

  @Test
  void aColdStoreReadsTheDeviceAndAWarmOneDoesNot() {
    String store = directory.resolve("store").toString();
    try (Bg3Graph filled = Bg3Graph.open(store)) {
      fill(filled);
    }
    try (Bg3Graph cold = Bg3Graph.open(store)) {
      GraphTraversalSource from = cold.traversal();
      ReadCounts begun = ReadCounts.ofThread();
      TraversalMetrics first = profiled(from.V(HUB).out("knows").values("name"));
      ReadCounts read = ReadCounts.ofThread().since(begun);
      assertTrue(read.deviceReads() > 0, first::toString);
      assertTrue(read.deviceBytes() > 100 * read.deviceReads(), first::toString);
      assertEquals(read, sum(first.getMetrics()), first::toString);
      TraversalMetrics again = profiled(from.V(HUB).out("knows").values("name"));
      assertEquals(0, sum(again.getMetrics()).deviceReads(), again::toString);
      assertEquals(0L, again.getMetrics(1).getAnnotation(Bg3ProfileStep.DEVICE_READS));
      cold.tx().rollback();
    }
  }
}
