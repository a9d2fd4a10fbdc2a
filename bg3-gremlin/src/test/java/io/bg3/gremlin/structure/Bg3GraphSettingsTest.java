package io.bg3.gremlin.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.util.GraphFactory;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How graphs are opened, and what a wrong configuration is told. */
class Bg3GraphSettingsTest {
  @TempDir Path directory;

  @Test
  void anUnknownKeyIsToldTheNearest() {
    Configuration configuration = new StoreDirectory(directory).configuration();
    configuration.setProperty("bg3.durabilty", "sync");
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Bg3Graph.open(configuration));
    assertTrue(e.getMessage().contains("bg3.durabilty"), e.getMessage());
    assertTrue(e.getMessage().contains("bg3.durability"), e.getMessage());
  }

  @Test
  void aWrongValueIsToldTheAllowedOnes() {
    Configuration configuration = new StoreDirectory(directory).configuration();
    configuration.setProperty("bg3.graph.cardinality", "many");
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Bg3Graph.open(configuration));
    assertEquals(
        "invalid setting: key=bg3.graph.cardinality, value=many, allowed=single | list | set",
        e.getMessage());
  }

  @Test
  void graphsOfOneDirectoryShareItsStore() {
    StoreDirectory store = new StoreDirectory(directory);
    try (Bg3Graph one = store.open()) {
      try (Bg3Graph other = store.open()) {
        one.addVertex();
        assertFalse(other.vertices().hasNext());
        one.tx().commit();
        other.tx().rollback();
        assertTrue(other.vertices().hasNext());
      }
      assertEquals(1, IteratorUtils.count(one.vertices()));
      Configuration configuration = store.configuration();
      configuration.setProperty("bg3.durability", "sync");
      assertThrows(IllegalStateException.class, () -> Bg3Graph.open(configuration));
    }
  }

  @Test
  void aGraphWithoutADirectoryIsInMemory() {
    try (Bg3Graph graph = Bg3Graph.open();
        Bg3Graph other = Bg3Graph.open()) {
      graph.addVertex();
      graph.tx().commit();
      assertFalse(graph.features().graph().supportsPersistence());
      assertFalse(other.vertices().hasNext());
    }
  }

  @Test
  void graphFactoryOpensWhatTheConfigurationNames() throws Exception {
    Configuration configuration = new StoreDirectory(directory).configuration();
    configuration.setProperty(Graph.GRAPH, Bg3Graph.class.getName());
    Graph graph = GraphFactory.open(configuration);
    assertTrue(graph.features().graph().supportsPersistence());
    assertEquals("bg3graph[" + directory.toAbsolutePath() + "]", graph.toString());
    graph.close();
  }
}
