package io.bg3.server;

import org.apache.tinkerpop.gremlin.server.Settings;
import org.apache.tinkerpop.gremlin.structure.Graph;

/**
 * Gremlin Server's settings with the open graph beside them, because a graph manager is made by
 * reflection from nothing but its settings.
 */
final class ServedGraph extends Settings {
  private final Graph graph;

  ServedGraph(Graph graph) {
    this.graph = graph;
  }

  Graph graph() {
    return graph;
  }
}
