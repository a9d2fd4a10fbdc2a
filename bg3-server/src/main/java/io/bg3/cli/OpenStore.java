package io.bg3.cli;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.configuration2.MapConfiguration;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.util.GraphFactory;

/** A store that a command has opened for itself. */
final class OpenStore implements AutoCloseable {
  private final Graph graph;

  private OpenStore(Graph graph) {
    this.graph = graph;
  }

  static List<String> keys() {
    return List.of("bg3.directory", "bg3.durability");
  }

  static OpenStore open(Map<String, String> settings) {
    MapConfiguration configuration = new MapConfiguration(new HashMap<>(settings));
    configuration.setProperty(Graph.GRAPH, "io.bg3.gremlin.structure.Bg3Graph");
    return new OpenStore(GraphFactory.open(configuration));
  }

  Graph graph() {
    return graph;
  }

  @Override
  public void close() throws IOException {
    try {
      graph.close();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("cannot close the store", e);
    }
  }
}
