package io.bg3.gremlin.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.graph.GraphCheck;
import io.bg3.core.record.SampleValues;
import java.nio.file.Path;
import java.util.List;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Values of every class as properties, meta-properties and variables, before and after a restart.
 */
class Bg3GraphValuesTest {
  @TempDir Path directory;

  private Bg3Graph open() {
    return new StoreDirectory(directory).open();
  }

  @Test
  void everyValueComesBackAfterARestartAsItWas() {
    List<Object> values = SampleValues.all();
    try (Bg3Graph graph = open()) {
      Vertex v = graph.addVertex(T.id, 1);
      Edge e = v.addEdge("self", v, T.id, "e");
      for (int i = 0; i < values.size(); i++) {
        VertexProperty<Object> property = v.property(Cardinality.single, "k" + i, values.get(i));
        property.property("meta", values.get(i));
        e.property("k" + i, values.get(i));
        graph.variables().set("k" + i, values.get(i));
      }
      graph.tx().commit();
    }
    try (Bg3Graph graph = open()) {
      Vertex v = graph.vertices(1).next();
      Edge e = graph.edges("e").next();
      for (int i = 0; i < values.size(); i++) {
        same(values.get(i), v.value("k" + i));
        same(values.get(i), v.property("k" + i).value("meta"));
        same(values.get(i), e.value("k" + i));
        same(values.get(i), graph.variables().get("k" + i).orElseThrow());
      }
      assertEquals(values.size(), graph.variables().keys().size());
      assertEquals(List.of(), new GraphCheck(graph.store().graph(), n -> {}).run());
    }
  }

  private static void same(Object expected, Object found) {
    assertTrue(
        SampleValues.same(expected, found),
        () -> expected.getClass() + ": " + expected + " / " + found);
  }

  @Test
  void largeValuesComeAndGoWithTheirProperty() {
    String large = "x".repeat(100_000);
    try (Bg3Graph graph = open()) {
      Vertex v = graph.addVertex(T.id, 1);
      v.property(Cardinality.list, "text", large + 1, "meta", large + 2);
      v.property(Cardinality.list, "text", large + 3);
      v.property(Cardinality.single, "other", large + 4);
      graph.tx().commit();
      v.property(Cardinality.single, "other", "small");
      v.properties("text").next().remove();
      graph.tx().commit();
    }
    try (Bg3Graph graph = open()) {
      Vertex v = graph.vertices(1).next();
      assertEquals(large + 3, v.value("text"));
      assertEquals("small", v.value("other"));
      assertEquals(List.of(), new GraphCheck(graph.store().graph(), n -> {}).run());
      v.remove();
      graph.tx().commit();
      assertEquals(List.of(), new GraphCheck(graph.store().graph(), n -> {}).run());
    }
  }

  @Test
  void cardinalityDecidesWhatBecomesOfEarlierValues() {
    try (Bg3Graph graph = open()) {
      Vertex v = graph.addVertex();
      v.property(Cardinality.list, "k", 1);
      v.property(Cardinality.list, "k", 1);
      assertEquals(2, IteratorUtils.count(v.properties("k")));
      v.property(Cardinality.set, "k", 1, "meta", "kept");
      v.property(Cardinality.set, "k", 2);
      assertEquals(3, IteratorUtils.count(v.properties("k")));
      assertEquals("kept", v.properties("k").next().value("meta"));
      v.property(Cardinality.single, "k", 3);
      assertEquals(3, (int) v.value("k"));
      v.property("k", null);
      assertFalse(v.property("k").isPresent());
    }
  }

  @Test
  void refusesValuesThatItCannotKeep() {
    try (Bg3Graph graph = open()) {
      Vertex v = graph.addVertex();
      Object bad = new Object();
      assertThrows(IllegalArgumentException.class, () -> v.property("k", bad));
      assertThrows(IllegalArgumentException.class, () -> v.addEdge("l", v, "k", bad));
      assertThrows(UnsupportedOperationException.class, () -> graph.variables().set("k", bad));
    }
  }

  @Test
  void whatIsRefusedLeavesNothingBehind() {
    try (Bg3Graph graph = open()) {
      Vertex v = graph.addVertex(T.id, 1, "k", "old");
      Object bad = List.of(new Object());
      assertThrows(IllegalArgumentException.class, () -> graph.addVertex("a", 1, "k", bad));
      assertThrows(IllegalArgumentException.class, () -> graph.addVertex(T.id, "x", "k", bad));
      assertThrows(
          IllegalArgumentException.class,
          () -> v.property(Cardinality.single, "k", "new", "since", 1, "meta", bad));
      assertThrows(IllegalArgumentException.class, () -> v.addEdge("l", v, "a", 1, "k", bad));
      assertEquals(1, IteratorUtils.count(graph.vertices()));
      assertEquals(1L, graph.traversal().V().count().next());
      assertEquals("old", v.value("k"));
      assertEquals(0, IteratorUtils.count(graph.edges()));
      graph.addVertex(T.id, "x");
      graph.tx().commit();
      assertEquals(List.of(), new GraphCheck(graph.store().graph(), n -> {}).run());
    }
  }
}
