package io.bg3.gremlin;

import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.both;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.has;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.in;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.inE;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.inV;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.out;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.outE;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.outV;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.unfold;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.structure.Bg3Graph;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Scope;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Asks the air-routes graph, 3,749 vertices and 57,645 edges, the same questions on BG3 and on
 * TinkerGraph. The store is closed and opened between loading and asking.
 *
 * <p>Takes about 5 s: it compares with TinkerGraph on real data. It has no longer form.
 */
class AirRoutesTest {
  @TempDir static Path directory;
  private static TinkerGraph expected;
  private static Bg3Graph graph;

  @BeforeAll
  static void load() throws Exception {
    String file =
        Path.of(System.getProperty("build.dir", "target"), "tinkerpop-data", "air-routes.kryo")
            .toString();
    Configuration ids = new BaseConfiguration();
    for (String kind : List.of("vertex", "edge", "vertexProperty")) {
      ids.setProperty("gremlin.tinkergraph." + kind + "IdManager", "LONG");
    }
    expected = TinkerGraph.open(ids);
    expected.traversal().io(file).read().iterate();
    try (Bg3Graph loading = open()) {
      loading.traversal().io(file).read().iterate();
      loading.tx().commit();
    }
    graph = open();
  }

  private static Bg3Graph open() {
    Configuration configuration = new BaseConfiguration();
    configuration.setProperty("bg3.directory", directory.toString());
    configuration.setProperty("bg3.durability", "none");
    return Bg3Graph.open(configuration);
  }

  @AfterAll
  static void close() {
    graph.close();
    expected.close();
  }

  @SuppressWarnings("unchecked") // union takes an array of a generic class
  private static Map<String, Function<GraphTraversalSource, GraphTraversal<?, ?>>> questions() {
    Map<String, Function<GraphTraversalSource, GraphTraversal<?, ?>>> q = new LinkedHashMap<>();
    q.put("vertices", g -> g.V().count());
    q.put("edges", g -> g.E().count());
    q.put("vertices by label", g -> g.V().groupCount().by(T.label));
    q.put("edges by label", g -> g.E().groupCount().by(T.label));
    q.put("ids of vertices", g -> g.V().id());
    q.put("properties of vertices", g -> g.V().order().by(T.id).limit(500).elementMap());
    q.put("one airport", g -> g.V().has("airport", "code", "SZG").valueMap());
    q.put("airports of a country", g -> g.V().has("country", "NZ").values("code"));
    q.put(
        "airports of a region",
        g -> g.V().has("airport", "region", TextP.startingWith("US-T")).values("code"));
    q.put("high airports", g -> g.V().has("elev", P.gt(10_000)).values("desc"));
    q.put("countries", g -> g.V().hasLabel("country").values("desc"));
    q.put("neighbours", g -> g.V().has("code", "AUS").out("route").values("code"));
    q.put("neighbours in any way", g -> g.V().has("code", "AUS").both().id());
    q.put("entering edges", g -> g.V().has("code", "WLG").inE("route").values("dist"));
    q.put("continent of", g -> g.V().has("code", "CPT").in("contains").values("desc"));
    q.put(
        "two hops", g -> g.V().has("code", "SZG").out("route").out("route").dedup().values("code"));
    q.put(
        "three hops", g -> g.V().has("code", "YPO").repeat(out("route")).times(3).dedup().count());
    q.put("long routes", g -> g.E().hasLabel("route").has("dist", P.gt(8500)).values("dist"));
    q.put("longest route", g -> g.E().hasLabel("route").values("dist").max());
    q.put("sum of distances", g -> g.E().hasLabel("route").values("dist").sum());
    q.put(
        "degrees",
        g ->
            g.V()
                .hasLabel("airport")
                .order()
                .by(T.id)
                .limit(300)
                .project("c", "o", "i")
                .by("code")
                .by(outE("route").count())
                .by(inE("route").count()));
    q.put(
        "busiest",
        g ->
            g.V()
                .hasLabel("airport")
                .order()
                .by(both("route").count(), Order.desc)
                .by("code")
                .limit(10)
                .values("code"));
    q.put(
        "airports by country",
        g -> g.V().hasLabel("airport").group().by("country").by(unfold().count()));
    q.put("without routes", g -> g.V().hasLabel("airport").not(both("route")).values("code"));
    q.put(
        "path",
        g ->
            g.V()
                .has("code", "SZG")
                .repeat(out("route").simplePath())
                .until(has("code", "AKL"))
                .path()
                .by("code")
                .count(Scope.local)
                .limit(1));
    q.put("by ids", g -> g.V(1, 2L, "3", 4.0).values("code"));
    q.put(
        "union",
        g ->
            g.V(1).union(out("route").count(), in("route").count(), in("contains").values("code")));
    q.put("keys", g -> g.V().properties().key().dedup());
    q.put(
        "ends of edges",
        g -> g.E().hasLabel("contains").project("o", "i").by(outV().id()).by(inV().id()));
    return q;
  }

  @TestFactory
  List<DynamicTest> answersAreThoseOfTinkerGraph() {
    List<DynamicTest> tests = new ArrayList<>();
    questions()
        .forEach(
            (name, question) ->
                tests.add(
                    DynamicTest.dynamicTest(
                        name,
                        () ->
                            assertEquals(answers(expected, question), answers(graph, question)))));
    return tests;
  }

  private static List<String> answers(
      Graph asked, Function<GraphTraversalSource, GraphTraversal<?, ?>> question) {
    List<String> answers = new ArrayList<>();
    question.apply(asked.traversal()).forEachRemaining(answer -> answers.add(text(answer)));
    answers.sort(Comparator.naturalOrder());
    return answers;
  }

  /** An answer as text, maps in the order of their keys. */
  private static String text(Object answer) {
    if (answer instanceof Map<?, ?> map) {
      Map<String, String> sorted = new TreeMap<>();
      map.forEach((key, value) -> sorted.put(text(key), text(value)));
      return sorted.toString();
    }
    return answer.getClass().getSimpleName() + " " + answer;
  }

  @Test
  void aDroppedAirportTakesItsRoutesAlong() {
    GraphTraversalSource g = graph.traversal();
    long routes = g.V().has("code", "FRA").bothE().count().next();
    long all = g.E().count().next();
    g.V().has("code", "FRA").drop().iterate();
    assertEquals(all - routes, g.E().count().next());
    assertEquals(all - routes, g.V().outE().count().next());
    assertEquals(all - routes, g.V().inE().count().next());
    assertFalse(g.V().has("code", "FRA").hasNext());
    graph.tx().rollback();
    assertTrue(g.V().has("code", "FRA").hasNext());
    graph.tx().rollback();
  }
}
