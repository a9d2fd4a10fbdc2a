package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.structure.Bg3Graph;
import java.nio.file.Path;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamedGraphTest {
  private static boolean commitsInLoops(Graph graph) {
    return new NamedGraph("g", graph, graph.traversal()).commitsInLoops();
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "async", "sync"})
  void eventLoopsCommitWhateverTheDurability(String durability, @TempDir Path directory) {
    BaseConfiguration settings = new BaseConfiguration();
    settings.setProperty("bg3.directory", directory.toString());
    settings.setProperty("bg3.durability", durability);
    try (Bg3Graph graph = Bg3Graph.open(settings)) {
      assertTrue(commitsInLoops(graph));
    }
  }

  @Test
  void eventLoopsCommitToNoGraphWhoseCommitsAreNotGuarded() {
    assertFalse(commitsInLoops(TinkerGraph.open()));
  }
}
