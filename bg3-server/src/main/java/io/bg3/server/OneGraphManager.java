package io.bg3.server;

import io.bg3.server.guard.RowLimit;
import org.apache.tinkerpop.gremlin.server.Settings;
import org.apache.tinkerpop.gremlin.server.util.DefaultGraphManager;

/**
 * The graphs of a server: one, opened by whoever started the server, as {@code graph} with its
 * source {@code g}. So a store that does not open ends the start with its own error, and no script
 * is needed to name the source.
 */
public final class OneGraphManager extends DefaultGraphManager {
  static final String GRAPH = "graph";
  static final String SOURCE = "g";

  /** Called by Gremlin Server; the settings are a {@link ServedGraph}. */
  public OneGraphManager(Settings settings) {
    super(settings);
    ServedGraph served = (ServedGraph) settings;
    putGraph(GRAPH, served.graph());
    putTraversalSource(
        SOURCE, served.graph().traversal().withStrategies(new RowLimit(served.limits())));
  }
}
