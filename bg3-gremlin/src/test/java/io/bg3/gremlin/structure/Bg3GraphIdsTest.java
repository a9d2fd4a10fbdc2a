package io.bg3.gremlin.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.record.VertexId;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.util.detached.DetachedFactory;
import org.apache.tinkerpop.gremlin.structure.util.reference.ReferenceFactory;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ids that users give and ids that the store gives, before and after a restart. */
class Bg3GraphIdsTest {
  private static final UUID UUID_ID = UUID.fromString("0f3a5e10-1111-2222-3333-444455556666");

  @TempDir Path directory;

  private Bg3Graph open() {
    return new StoreDirectory(directory).open();
  }

  @Test
  void anIdGivenToAVertexPropertyIsKeptInItsClass() {
    try (Bg3Graph graph = open()) {
      Vertex vertex = graph.addVertex(T.id, 1);
      vertex.property(VertexProperty.Cardinality.list, "name", "a", T.id, 17);
      vertex.property(VertexProperty.Cardinality.list, "name", "b", T.id, UUID_ID);
      vertex.property(VertexProperty.Cardinality.list, "name", "c", T.id, "n3", "since", 2020);
      vertex.property(VertexProperty.Cardinality.list, "name", "d");
      graph.tx().commit();
    }
    try (Bg3Graph graph = open()) {
      Vertex vertex = graph.vertices(1).next();
      List<Object> ids = new ArrayList<>();
      vertex.properties("name").forEachRemaining(property -> ids.add(property.id()));
      assertEquals(List.of(17, UUID_ID, "n3", "1~4"), ids);
      assertEquals(2020, graph.traversal().V(1).properties().hasId("n3").values("since").next());
      vertex.property(VertexProperty.Cardinality.single, "name", "e", T.id, 17);
      assertEquals(17, vertex.property("name").id());
    }
  }

  @Test
  void twoPropertiesOfAVertexCannotHaveOneId() {
    try (Bg3Graph graph = open()) {
      Vertex vertex = graph.addVertex(T.id, 1);
      vertex.property(VertexProperty.Cardinality.set, "name", "a", T.id, 17);
      vertex.property(VertexProperty.Cardinality.set, "name", "a", T.id, 17L);
      for (VertexProperty.Cardinality cardinality : VertexProperty.Cardinality.values()) {
        assertThrows(
            IllegalArgumentException.class, () -> vertex.property(cardinality, "k", 1, T.id, "17"));
      }
      assertThrows(
          IllegalArgumentException.class,
          () -> vertex.property(VertexProperty.Cardinality.list, "name", "b", T.id, 17L));
      assertThrows(
          IllegalArgumentException.class,
          () -> vertex.property(VertexProperty.Cardinality.set, "name", "b", T.id, 17L));
      assertEquals(1, IteratorUtils.count(vertex.properties()));
      for (Object id : List.of(1.5, "1~4", "x3~1", "", List.of())) {
        assertThrows(
            UnsupportedOperationException.class,
            () -> vertex.property(VertexProperty.Cardinality.single, "k", 1, T.id, id));
      }
    }
  }

  @Test
  void oneVertexIsFoundByEveryFormOfItsId() {
    try (Bg3Graph graph = open()) {
      graph.addVertex(T.id, 1);
      graph.addVertex(T.id, UUID_ID.toString());
      graph.addVertex(T.id, "airport/SZG");
      graph.tx().commit();
    }
    try (Bg3Graph graph = open()) {
      for (Object form : List.of(1, 1L, (short) 1, 1.0f, 1.0, "1", BigInteger.ONE)) {
        assertEquals(1L, graph.vertices(form).next().id());
      }
      for (Object form :
          List.of(UUID_ID, UUID_ID.toString(), "0F3A5E10-1111-2222-3333-444455556666")) {
        assertEquals(UUID_ID, graph.vertices(form).next().id());
      }
      Vertex airport = graph.vertices("airport/SZG").next();
      assertEquals("airport/SZG", airport.id());
      assertEquals(airport, graph.vertices(airport).next());
      assertEquals(airport, graph.vertices(DetachedFactory.detach(airport, true)).next());
      assertEquals(airport, graph.vertices(ReferenceFactory.detach(airport)).next());
      assertEquals(2, IteratorUtils.count(graph.vertices(1, "1", null, "none", 1.5)));
    }
  }

  @Test
  void anIdIsGivenOnce() {
    try (Bg3Graph graph = open()) {
      for (Object id : List.of(7, "seven", UUID_ID)) {
        graph.addVertex(T.id, id);
        assertThrows(IllegalArgumentException.class, () -> graph.addVertex(T.id, id.toString()));
      }
      Vertex v = graph.vertices(7).next();
      v.addEdge("self", v, T.id, 7);
      assertThrows(IllegalArgumentException.class, () -> v.addEdge("self", v, T.id, "7"));
      graph.vertices("seven").next().remove();
      graph.addVertex(T.id, "seven");
      graph.tx().commit();
      assertEquals(3, IteratorUtils.count(graph.vertices()));
    }
  }

  @Test
  void idsThatTheStoreKeepsForItselfAreRefused() {
    try (Bg3Graph graph = open()) {
      assertFalse(graph.features().vertex().willAllowId(VertexId.RESERVED_END - 1));
      assertThrows(
          UnsupportedOperationException.class,
          () -> graph.addVertex(T.id, VertexId.RESERVED_END - 1));
      Vertex v = graph.addVertex();
      Edge e = v.addEdge("self", v);
      assertFalse(graph.features().edge().willAllowId(e.id()));
      assertThrows(UnsupportedOperationException.class, () -> v.addEdge("self", v, T.id, "1~1~2"));
    }
  }

  @Test
  void allocatedIdsSkipThoseThatUsersGave() {
    try (Bg3Graph graph = open()) {
      long first = (Long) graph.addVertex().id();
      for (long id = first + 1; id <= first + 1000; id++) {
        graph.addVertex(T.id, id);
      }
      graph.tx().commit();
      long next = (Long) graph.addVertex().id();
      assertTrue(next > first + 1000, "next=" + next);
      assertEquals(next + 1, graph.addVertex().id());
    }
  }

  @Test
  void anEdgeIdIsAPlainStringThatLivesOverRestarts() {
    Object id;
    try (Bg3Graph graph = open()) {
      Vertex a = graph.addVertex(T.id, 1);
      Vertex b = graph.addVertex(T.id, "b");
      id = a.addEdge("knows", b, "since", 2009).id();
      assertNotEquals(id, a.addEdge("knows", b).id());
      graph.tx().commit();
    }
    try (Bg3Graph graph = open()) {
      Edge edge = graph.edges(id).next();
      assertTrue(id instanceof String text && text.matches("1~\\d+~x\\d+"), id.toString());
      assertEquals(2009, (int) edge.value("since"));
      assertEquals(1L, edge.outVertex().id());
      assertEquals("b", edge.inVertex().id());
      assertEquals(2, IteratorUtils.count(graph.edges()));
      assertFalse(graph.edges("1~99~1").hasNext());
    }
  }

  @Test
  void anEdgeKeepsTheIdThatTheUserGave() {
    List<Object> ids = List.of(7, 8L, "nine", UUID_ID);
    try (Bg3Graph graph = open()) {
      Vertex a = graph.addVertex(T.id, 1);
      Vertex b = graph.addVertex(T.id, 2);
      ids.forEach(id -> a.addEdge("knows", b, T.id, id));
      graph.tx().commit();
    }
    try (Bg3Graph graph = open()) {
      for (Object id : ids) {
        assertEquals(id, graph.edges(id).next().id());
        assertEquals(id, graph.edges(id.toString()).next().id());
      }
      Vertex b = graph.vertices(2).next();
      assertEquals(ids, IteratorUtils.list(IteratorUtils.map(b.edges(Direction.IN), Edge::id)));
      graph.edges(7).next().remove();
      graph.tx().commit();
      assertFalse(graph.edges("7").hasNext());
    }
  }

  @Test
  void idsCanBeShownAsIntegersOrStrings() {
    Configuration configuration = new StoreDirectory(directory).configuration();
    configuration.setProperty("bg3.graph.ids", "integer");
    try (Bg3Graph graph = Bg3Graph.open(configuration)) {
      assertEquals(1, graph.addVertex(T.id, 1L).id());
      assertEquals(1L << 40, graph.addVertex(T.id, 1L << 40).id());
      graph.tx().commit();
    }
    configuration.setProperty("bg3.graph.ids", "string");
    try (Bg3Graph graph = Bg3Graph.open(configuration)) {
      assertEquals("1", graph.vertices(1).next().id());
      assertTrue(graph.features().vertex().supportsStringIds());
    }
  }
}
