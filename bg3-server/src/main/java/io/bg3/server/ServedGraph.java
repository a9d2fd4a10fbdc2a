package io.bg3.server;

import io.bg3.server.guard.Guarded;
import io.bg3.server.guard.Limits;
import io.netty.util.concurrent.EventExecutorGroup;
import org.apache.tinkerpop.gremlin.server.Settings;
import org.apache.tinkerpop.gremlin.structure.Graph;

/**
 * Gremlin Server's settings with the open graph and the guard's limits beside them, because a graph
 * manager is made by reflection from nothing but its settings.
 */
final class ServedGraph extends Settings implements Guarded {
  private final Graph graph;
  private final Limits limits;
  private final EventExecutorGroup judges;

  ServedGraph(Graph graph, Limits limits, EventExecutorGroup judges) {
    this.graph = graph;
    this.limits = limits;
    this.judges = judges;
  }

  @Override
  public EventExecutorGroup judges() {
    return judges;
  }

  @Override
  public Limits limits() {
    return limits;
  }

  @Override
  public boolean offers(String service) {
    try {
      graph.getServiceRegistry().checkRegisteredService(service);
      return true;
    } catch (UnsupportedOperationException e) {
      return false;
    }
  }

  Graph graph() {
    return graph;
  }
}
