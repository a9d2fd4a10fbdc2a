package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.bg3.gremlin.structure.Bg3Graph;
import java.nio.file.Path;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamedGraphTest {
  private static boolean commitsAtOnce(Graph graph) {
    return new NamedGraph("g", graph, graph.traversal()).commitsAtOnce();
  }

  @ParameterizedTest
  @CsvSource({"none, true", "async, true", "sync, false"})
  void commitsOfASyncedStoreWaitForTheDisk(
      String durability, boolean isAtOnce, @TempDir Path directory) {
    BaseConfiguration settings = new BaseConfiguration();
    settings.setProperty("bg3.directory", directory.toString());
    settings.setProperty("bg3.durability", durability);
    try (Bg3Graph graph = Bg3Graph.open(settings)) {
      assertEquals(isAtOnce, commitsAtOnce(graph));
    }
  }

  @Test
  void ofAGraphWhoseCommitsAreNotGuardedItIsNotKnown() {
    assertFalse(commitsAtOnce(TinkerGraph.open()));
  }
}
