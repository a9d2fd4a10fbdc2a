package io.bg3.server;

import io.bg3.server.guard.Guarded;
import io.bg3.server.guard.Limits;
import org.apache.tinkerpop.gremlin.server.Settings;
import org.apache.tinkerpop.gremlin.structure.Graph;

/**
 * Gremlin Server's settings with the open graph and the guard's limits beside them, because a graph manager is made by
 * reflection from nothing but its settings.
 */
final class ServedGraph extends Settings implements Guarded {
  private final Graph graph;
  private final Limits limits;

  ServedGraph(Graph graph, Limits limits) {
    this.graph = graph;
    this.limits = limits;
  }

  @Override
  public Limits limits() {
    return limits;
  }

  Graph graph() {
    return graph;
  }
}
