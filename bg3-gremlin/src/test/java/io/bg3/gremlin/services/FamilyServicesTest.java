package io.bg3.gremlin.services;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.structure.Bg3Graph;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.T;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Families of edge labels by {@code call()}. */
class FamilyServicesTest {
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

  private String refusal(String service, Map<String, Object> parameters) {
    return assertThrows(
            IllegalArgumentException.class, () -> g.call("bg3." + service, parameters).toList())
        .getMessage();
  }

  @Test
  void aLabelOfAFamilyHasItsTimeToLive() {
    Map<String, Object> events = Map.of("name", "events", "ttl", 3_600_000L, "consolidate", 20);
    assertEquals(List.of(events), g.call("bg3.families.define", events).toList());
    g.call("bg3.families.define", Map.of("name", "apart", "compression", "zstd")).iterate();
    assertEquals(
        List.of(events, Map.of("name", "apart", "compression", "zstd")),
        g.call("bg3.families.list").toList());

    assertEquals(
        List.of(true),
        g.call("bg3.links.declare", Map.of("label", "viewed", "family", "events")).toList());
    Map<String, Object> liked =
        Map.of("kind", "edge", "label", "liked", "family", "apart", "counted", true);
    Map<?, ?> declared = (Map<?, ?>) g.call("bg3.schema.define", liked).next();
    assertEquals("apart", declared.get("family"));
    assertEquals(
        List.of("apart 0", "events 3600000"),
        g.call("bg3.schema.list").toList().stream()
            .map(each -> (Map<?, ?>) each)
            .map(each -> each.get("family") + " " + (each.get("ttl") == null ? 0 : each.get("ttl")))
            .sorted()
            .toList());

    g.addV("v").property(T.id, 1L).iterate();
    g.V(1L).as("v").addE("viewed").to("v").iterate();
    g.V(1L).as("v").addE("liked").to("v").iterate();
    g.V(1L).as("v").addE("plain").to("v").iterate();
    g.tx().commit();
    assertEquals(3L, g.V(1L).outE().count().next());
    assertEquals(1L, g.V(1L).outE("liked").count().next());
    assertEquals(3L, g.E().count().next());
    assertEquals(6L, g.V(1L).both().count().next());
  }

  @Test
  void aChangeWithoutATimeToLiveKeepsThatOfTheFamily() {
    g.call("bg3.families.define", Map.of("name", "events", "ttl", 3_600_000L)).iterate();
    assertEquals(
        Map.of("name", "events", "ttl", 3_600_000L, "pageCapacity", 4096),
        g.call("bg3.families.change", Map.of("name", "events", "pageCapacity", 4096)).next());
    assertTrue(
        refusal("families.change", Map.of("name", "events", "ttl", 0)).contains("cannot change"));
    assertTrue(refusal("families.change", Map.of("name", "none")).contains("bg3.families.define"));
  }

  @Test
  void aDeclarationThatIsRefusedNamesTheLabel() {
    g.call("bg3.families.define", Map.of("name", "events", "ttl", 5)).iterate();
    for (Map<String, Object> wrong :
        List.<Map<String, Object>>of(
            Map.of("label", "x", "ttl", 5, "counted", true),
            Map.of("label", "x", "ttl", -5),
            Map.of("label", "x", "family", "events", "counted", true),
            Map.of("label", "x", "family", "events", "ttl", 6),
            Map.of("label", "x", "family", "none"))) {
      Map<String, Object> schema = new HashMap<>(wrong);
      schema.put("kind", "edge");
      for (String message :
          List.of(refusal("links.declare", wrong), refusal("schema.define", schema))) {
        assertTrue(message.contains("label=x"), message);
        assertFalse(message.contains("ttlMillis"), message);
      }
    }
    String noOrder = refusal("links.declare", Map.of("label", "x", "ttl", 0));
    assertTrue(noOrder.contains("neither a ttl above 0"), noOrder);
    g.call("bg3.links.declare", Map.of("label", "y", "ttl", 5)).iterate();
    String notCounted = refusal("links.count", Map.of("label", "y", "source", 1L));
    assertTrue(notCounted.contains("a time to live cannot be, count its"), notCounted);
    assertTrue(notCounted.endsWith("label=y"), notCounted);
    g.call("bg3.links.declare", Map.of("label", "z", "sortKey", "time")).iterate();
    notCounted = refusal("links.count", Map.of("label", "z", "source", 1L));
    assertTrue(notCounted.contains("declare it as counted"), notCounted);
    String other = refusal("families.define", Map.of("name", "events", "ttl", 6));
    assertTrue(other.contains("defined=[events: ttl=5], wanted=[events: ttl=6]"), other);
  }

  @Test
  void whatAFamilyDoesNotDoIsRefusedWithTheReason() {
    g.call("bg3.families.define", Map.of("name", "events", "ttl", 5)).iterate();
    assertTrue(
        refusal("families.define", Map.of("name", "a", "splitOut", 7)).contains("8 to 2147483647"));
    assertTrue(
        refusal("families.change", Map.of("name", "events", "ttl", 6)).contains("cannot change"));
    assertTrue(
        refusal("links.declare", Map.of("label", "x", "family", "none"))
            .contains("define it first"));
    assertTrue(refusal("families.define", Map.of("name", "")).contains("1 to 1024 bytes"));
    assertEquals(
        Map.of("name", "events", "ttl", 5L, "pageCapacity", 4096, "splitOut", 8),
        g.call(
                "bg3.families.change",
                Map.of("name", "events", "ttl", 5, "pageCapacity", 4096, "splitOut", 8))
            .next());
  }
}
