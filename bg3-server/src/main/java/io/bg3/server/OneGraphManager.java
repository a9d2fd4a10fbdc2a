package io.bg3.server;

import io.bg3.server.guard.Intake;
import io.bg3.server.guard.ValueLimit;
import io.bg3.server.guard.WatchedQueries;
import io.bg3.server.metrics.ServerMeters;
import org.apache.tinkerpop.gremlin.server.Settings;
import org.apache.tinkerpop.gremlin.server.op.session.SessionOpProcessor;
import org.apache.tinkerpop.gremlin.server.util.DefaultGraphManager;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/**
 * The graphs of a server: one, opened by whoever started the server, as {@code graph} with its
 * source {@code g}. So a store that does not open ends the start with its own error, and no script
 * is needed to name the source. It is also told when a query begins and ends, and counts that.
 */
public final class OneGraphManager extends DefaultGraphManager {
  static final String GRAPH = "graph";
  static final String SOURCE = "g";

  private final ServerMeters meters;
  private final Intake intake;
  private final Graph graph;

  /** Called by Gremlin Server; the settings are a {@link ServedGraph}. */
  public OneGraphManager(Settings settings) {
    super(settings);
    ServedGraph served = (ServedGraph) settings;
    putGraph(GRAPH, served.graph());
    putTraversalSource(
        SOURCE,
        served
            .graph()
            .traversal()
            .withStrategies(new ValueLimit(served.limits()), new WatchedQueries(served.heap())));
    meters = served.meters();
    intake = served.intake();
    graph = served.graph();
  }

  /**
   * Called by the thread that runs a query, before it does. A query in a text that was interrupted
   * leaves its transaction open; what another query finds open is rolled back, or its commit would
   * take that along.
   *
   * @throws io.bg3.server.guard.ServerStoppingException if the server has ended its work
   */
  @Override
  public void beforeQueryStart(RequestMessage message) {
    meters.began();
    intake.requireRunning();
    rollBackOutsideOfSessions(message);
  }

  private void rollBackOutsideOfSessions(RequestMessage message) {
    if (!SessionOpProcessor.OP_PROCESSOR_NAME.equals(message.getProcessor())
        && graph.tx().isOpen()) {
      graph.tx().rollback();
    }
  }

  @Override
  public void onQuerySuccess(RequestMessage message) {
    meters.ended(true);
  }

  @Override
  public void onQueryError(RequestMessage message, Throwable error) {
    meters.ended(false);
    rollBackOutsideOfSessions(message); // now, and not when the thread runs another
  }
}
