package io.bg3.gremlin.services;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.graph.Schemas;
import io.bg3.gremlin.process.traversal.step.util.Bg3ProfileStep;
import io.bg3.gremlin.structure.Bg3Graph;
import java.util.List;
import java.util.Map;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReadOnlyStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.VerificationException;
import org.apache.tinkerpop.gremlin.process.traversal.util.Metrics;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The services for schemas, and traversals that a schema refuses. */
class SchemaServicesTest {
  private static final Map<String, Object> PERSON =
      Map.of(
          "label",
          "person",
          "keys",
          Map.of(
              "name",
              Map.of("type", "string", "cardinality", "single", "required", true),
              "age",
              "integer"),
          "closed",
          true);

  private Bg3Graph graph;
  private GraphTraversalSource g;

  @BeforeEach
  void open() {
    graph = Bg3Graph.open(new BaseConfiguration());
    Bg3Services.register(graph);
    g = graph.traversal();
  }

  @AfterEach
  void close() {
    graph.close();
  }

  @Test
  void aSchemaIsDefinedListedAndDropped() throws Exception {
    Object defined = g.call("bg3.schema.define", PERSON).next();
    assertTrue(defined.toString().contains("label=person"), defined.toString());
    Schemas.await(graph.graphStore());
    Map<String, Object> row = g.<Map<String, Object>>call("bg3.schema.list").next();
    assertEquals("vertex", row.get("kind"));
    assertEquals("enforced", row.get("state"));
    assertEquals(true, row.get("closed"));
    Map<String, Object> keys =
        Map.of(
            "name",
            Map.of("type", "string", "cardinality", "single", "required", true),
            "age",
            Map.of("type", "integer", "required", false));
    assertEquals(keys, row.get("keys"));
    assertEquals(true, g.call("bg3.schema.drop", Map.of("label", "person")).next());
    assertEquals(false, g.call("bg3.schema.drop", Map.of("label", "person")).next());
    assertEquals(List.of(), g.call("bg3.schema.list").toList());
  }

  @Test
  void traversalsThatBreakARuleFailAtTheirCommit() throws Exception {
    g.call("bg3.schema.define", PERSON).iterate();
    Schemas.await(graph.graphStore());
    g.mergeV(Map.of(T.label, "person", "name", "Ada")).property("age", 36).iterate();
    g.tx().commit();
    g.addV("person").property("name", "Bo").property("age", "old").iterate();
    assertRefused("rule=type integer, found=String old");
    g.addV("person").property("name", "Bo").property("city", "Vienna").iterate();
    assertRefused("key=city, rule=closed");
    g.V().hasLabel("person").properties("name").drop().iterate();
    assertRefused("key=name, rule=required");
    g.V().hasLabel("person").property(VertexProperty.Cardinality.list, "name", "Eve").iterate();
    assertRefused("rule=cardinality single, found=2 values");
    assertEquals(1L, g.V().count().next());
  }

  private void assertRefused(String what) {
    Exception e = assertThrows(Exception.class, () -> g.tx().commit());
    assertTrue(e.getMessage().contains(what), e.getMessage());
    g.tx().rollback();
  }

  @Test
  void anEdgeLabelIsDeclaredAndHasRules() throws Exception {
    Map<String, Object> rated =
        Map.of(
            "kind",
            "edge",
            "label",
            "rated",
            "sortKey",
            "at",
            "counted",
            true,
            "single",
            true,
            "keys",
            Map.of("stars", Map.of("type", "integer", "required", true)));
    g.call("bg3.schema.define", rated).iterate();
    g.call("bg3.schema.define", Map.of("kind", "edge", "label", "seen", "ttl", 60_000)).iterate();
    Schemas.await(graph.graphStore());
    List<Map<String, Object>> rows = g.<Map<String, Object>>call("bg3.schema.list").toList();
    assertEquals("at", rows.get(0).get("sortKey"));
    assertEquals(true, rows.get(0).get("counted"));
    assertEquals("enforced", rows.get(0).get("state"));
    assertEquals(60_000L, rows.get(1).get("ttl"));
    assertEquals(null, rows.get(1).get("state"));
    g.addV("v").as("v").addE("rated").to("v").property("at", 1L).iterate();
    assertRefused("label=rated, key=stars, rule=required");
    g.addV("v").as("v").addE("rated").to("v").property("at", 1L).property("stars", 5).iterate();
    g.tx().commit();
    g.V().as("v").addE("rated").to("v").property("at", 2L).property("stars", 4).iterate();
    assertRefused("label=rated, rule=single");
    assertEquals(true, rows.get(0).get("single"));
    assertEquals(1L, g.E().count().next());
  }

  @Test
  void anEdgeLabelInUseBecomesCounted() throws Exception {
    g.addV("v").property(T.id, 1L).iterate();
    for (int i = 0; i < 50; i++) {
      g.V(1L).as("v").addE("knows").to("v").iterate();
      g.V(1L).as("v").addE("met").to("v").iterate();
    }
    g.tx().commit();
    assertEquals(50, entriesOfCount("knows"));
    assertEquals(
        true, g.call("bg3.links.declare", Map.of("label", "knows", "counted", true)).next());
    Map<String, Object> met = Map.of("kind", "edge", "label", "met", "counted", true);
    Map<String, Object> row = g.<Map<String, Object>>call("bg3.schema.define", met).next();
    assertEquals(true, row.get("counted"));
    for (String label : List.of("knows", "met")) {
      while (!"ready".equals(listed(label).get("counters"))) {
        assertEquals(null, listed(label).get("countersProblem"));
        Thread.sleep(1);
      }
      g.tx().rollback(); // its snapshot is from before
      assertEquals(0, entriesOfCount(label));
      g.V(1L).outE(label).limit(3).drop().iterate();
      assertEquals(47L, g.V(1L).outE(label).count().next());
      assertEquals(47, g.V(1L).outE(label).toList().size());
      g.tx().commit();
      assertEquals(47L, g.V(1L).outE(label).count().next());
      assertEquals(47L, g.call("bg3.links.count", Map.of("label", label, "source", 1L)).next());
    }
    String refused = refusal(Map.of("label", "knows", "kind", "edge", "loose", true));
    assertTrue(
        refused.startsWith("the edge label has another declaration, which cannot change"), refused);
  }

  @Test
  void anEdgeLabelInUseBecomesOrdered() throws Exception {
    g.addV("v").property(T.id, 1L).iterate();
    for (long i = 0; i < 300; i++) {
      g.V(1L).as("v").addE("knows").to("v").property("time", i * 7 % 100).iterate();
    }
    Object lacks = g.V(1L).as("v").addE("met").to("v").next().id();
    g.tx().commit();
    List<List<Object>> before = firstOf("knows");
    long sorting = entriesOfFirst();
    assertTrue(sorting >= 300, "entries=" + sorting);
    Map<String, Object> declared = Map.of("label", "knows", "sortKey", "time");
    assertEquals(true, g.call("bg3.links.declare", declared).next());
    assertEquals(before, firstOf("knows"));
    Map<String, Object> met = Map.of("kind", "edge", "label", "met", "sortKey", "time");
    g.call("bg3.schema.define", met).iterate();
    while (!"failed".equals(listed("met").get("order"))) {
      Thread.sleep(1);
    }
    String problem = (String) listed("met").get("orderProblem");
    assertTrue(problem.contains("edge=" + lacks + ", property=time, found=none"), problem);
    assertEquals(null, listed("met").get("sortKey"));
    while (!"ready".equals(listed("knows").get("order"))) {
      assertEquals(null, listed("knows").get("orderProblem"));
      Thread.sleep(1);
    }
    assertEquals("time", listed("knows").get("sortKey"));
    assertEquals(before, firstOf("knows")); // at a snapshot from before
    g.tx().rollback();
    assertEquals(before, firstOf("knows"));
    long reading = entriesOfFirst();
    assertTrue(reading < 100, "entries=" + reading);
    g.V(1L).outE("knows").has("time", 99L).property("time", 98L).iterate();
    assertEquals(0, g.V(1L).outE("knows").has("time", P.gt(98)).toList().size());
    assertEquals(6, g.V(1L).outE("knows").has("time", P.gte(98)).toList().size());
    g.V(1L).as("v").addE("knows").to("v").iterate();
    assertRefused("label=knows");
  }

  /** Edges need the sort key at the commit and not before, and every query has to show them. */
  @Test
  void anEdgeThatLacksItsSortKeyYetIsShown() throws Exception {
    g.addV("v").property(T.id, 1L).iterate();
    g.V(1L).as("v").addE("knows").to("v").property("time", 3L).iterate();
    g.tx().commit();
    g.call("bg3.links.declare", Map.of("label", "knows", "sortKey", "time")).iterate();
    while (!"ready".equals(listed("knows").get("order"))) {
      Thread.sleep(1);
    }
    g.tx().rollback();
    Object added = g.V(1L).as("v").addE("knows").to("v").property("w", 1).next().id();
    assertEquals(List.of(added), g.V(1L).outE("knows").has("w", 1).id().toList());
    assertEquals(2L, g.V(1L).outE("knows").count().next());
    g.V(1L).outE("knows").has("w", 1).property("time", 7).iterate(); // no long
    assertEquals(List.of(added), g.V(1L).outE("knows").has("time", P.gt(5)).id().toList());
    assertEquals(
        List.of(added),
        g.V(1L).outE("knows").order().by("time", Order.desc).limit(1).id().toList());
    g.V(1L).outE("knows").has("w", 1).property("time", 7L).iterate();
    g.tx().commit();
    List<Object> ofBoth = List.of(7L, 3L);
    assertEquals(
        ofBoth,
        g.V(1L).outE("knows").order().by("time", Order.desc).limit(5).values("time").toList());
  }

  /** The first of a vertex's edges by their times, in several ways. */
  private List<List<Object>> firstOf(String label) {
    return List.of(
        g.V(1L).outE(label).order().by("time", Order.desc).limit(5).id().toList(),
        g.V(1L).outE(label).order().by("time").limit(7).id().toList(),
        g.V(1L)
            .outE(label)
            .has("time", P.lt(50))
            .order()
            .by("time", Order.desc)
            .limit(4)
            .id()
            .toList(),
        g.V(1L).outE(label).order().by("time", Order.desc).id().toList(),
        g.V(1L).outE(label).id().toList());
  }

  /** How many entries a query for the first edges reads. */
  private long entriesOfFirst() {
    long entries = 0;
    for (Metrics step :
        g.V(1L)
            .outE("knows")
            .order()
            .by("time", Order.desc)
            .limit(5)
            .profile()
            .next()
            .getMetrics()) {
      Object read = step.getAnnotation(Bg3ProfileStep.ENTRIES);
      entries += read == null ? 0 : ((Number) read).longValue();
    }
    return entries;
  }

  private Map<String, Object> listed(String label) {
    return g.<Map<String, Object>>call("bg3.schema.list").toList().stream()
        .filter(row -> label.equals(row.get("label")))
        .findFirst()
        .orElseThrow();
  }

  /** How many entries a count of 50 edges has read. */
  private long entriesOfCount(String label) {
    long entries = 0;
    for (Metrics step : g.V(1L).outE(label).count().profile().next().getMetrics()) {
      Object read = step.getAnnotation(Bg3ProfileStep.ENTRIES);
      entries += read == null ? 0 : ((Number) read).longValue();
    }
    assertEquals(50L, g.V(1L).outE(label).count().next());
    return entries;
  }

  @Test
  void theEndsOfAnEdgeHaveAllowedLabels() throws Exception {
    Map<String, Object> wrote =
        Map.of(
            "kind",
            "edge",
            "label",
            "wrote",
            "sources",
            List.of("person"),
            "targets",
            List.of("book"));
    g.call("bg3.schema.define", wrote).iterate();
    Schemas.await(graph.graphStore());
    assertEquals(List.of("person"), listed("wrote").get("sources"));
    assertEquals(List.of("book"), listed("wrote").get("targets"));
    g.addV("person").as("p").addV("book").addE("wrote").from("p").iterate();
    g.tx().commit();
    g.V().hasLabel("book").as("b").V().hasLabel("person").addE("wrote").from("b").iterate();
    assertRefused("label=wrote, rule=source [person], found=book");
    assertEquals(1L, g.E().count().next());
  }

  @Test
  void wrongParametersAreNamed() {
    refuse(Map.of(), "parameter=label");
    refuse(Map.of("label", "v", "kind", "x", "closed", true), "wanted='vertex' or 'edge'");
    refuse(Map.of("label", "v"), "a schema needs a rule");
    refuse(Map.of("label", "v", "keys", Map.of("k", "int")), "type=int, known=[any, boolean");
    refuse(Map.of("label", "v", "keys", Map.of("k", Map.of("kind", "x"))), "parameter=keys");
    refuse(
        Map.of("label", "v", "keys", Map.of("k", Map.of("cardinality", "one"))),
        "cardinality 'single', 'list' or 'set'");
    refuse(Map.of("label", "v", "keys", List.of("k")), "wanted=a map");
    refuse(
        Map.of("label", "v", "sources", List.of("v")),
        "only a schema of edges has sources and targets");
    refuse(Map.of("label", "v", "keys", Map.of("k", "any"), "loose", true), "wanted='edge'");
    refuse(Map.of("label", "v", "kind", "edge", "descending", true), "parameter=sortKey");
    assertEquals(List.of(), g.call("bg3.schema.list").toList());
  }

  private void refuse(Map<String, Object> parameters, String what) {
    String message = refusal(parameters);
    assertTrue(message.contains(what), message);
  }

  private String refusal(Map<String, Object> parameters) {
    return assertThrows(
            IllegalArgumentException.class, () -> g.call("bg3.schema.define", parameters).iterate())
        .getMessage();
  }

  @Test
  void aReaderMayOnlyList() {
    GraphTraversalSource reader = g.withStrategies(ReadOnlyStrategy.instance());
    assertEquals(List.of(), reader.call("bg3.schema.list").toList());
    assertThrows(
        VerificationException.class, () -> reader.call("bg3.schema.define", PERSON).iterate());
    assertThrows(
        VerificationException.class,
        () -> reader.call("bg3.schema.drop", Map.of("label", "person")).iterate());
  }
}
