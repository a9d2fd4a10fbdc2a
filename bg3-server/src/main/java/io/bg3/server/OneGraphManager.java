package io.bg3.server;

import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.gremlin.structure.CommitGuard;
import io.bg3.server.answer.Admission;
import io.bg3.server.dispatch.RunningRequest;
import io.bg3.server.guard.ValueLimit;
import io.bg3.server.metrics.ServerMeters;
import io.bg3.server.request.SessionRequests;
import io.bg3.server.request.WatchedQueries;
import java.util.Set;
import java.util.function.Function;
import javax.script.Bindings;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.server.GraphManager;
import org.apache.tinkerpop.gremlin.server.Settings;
import org.apache.tinkerpop.gremlin.server.op.session.SessionOpProcessor;
import org.apache.tinkerpop.gremlin.server.util.DefaultGraphManager;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/**
 * The graphs of a server: one, opened by the code that started the server, as {@code graph} with
 * its source {@code g}. So a store that does not open ends the start with its own error, and no
 * script is needed to name the source.
 *
 * <p>TinkerPop's processors tell it when a query begins, commits and ends. It counts that, and
 * decides between the commit and an order to end ({@link RunningRequest#commits}): a query that was
 * told to end does not commit.
 */
public final class OneGraphManager implements GraphManager {
  static final String GRAPH = "graph";
  static final String SOURCE = "g";

  private final GraphManager graphs;
  private final ServerMeters meters;
  private final Admission intake;
  private final SessionRequests sessions;
  private final Graph graph;

  /** Called by Gremlin Server; the settings are a {@link ServedGraph}. */
  public OneGraphManager(Settings settings) {
    graphs = new DefaultGraphManager(settings);
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
    sessions = served.sessionRequests();
    graph = served.graph();
    if (graph instanceof Bg3Graph own) {
      own.guardCommits(new DecidedCommits());
    }
  }

  /** For every commit, the order to end comes before it or behind it. */
  private static final class DecidedCommits implements CommitGuard {
    @Override
    public void beforeCommit() {
      if (!RunningRequest.current().map(RunningRequest::beginsCommit).orElse(true)) {
        throw new TraversalInterruptedException();
      }
    }

    @Override
    public void beforeServiceWrites() {
      if (!RunningRequest.current().map(RunningRequest::writesApart).orElse(true)) {
        throw new TraversalInterruptedException();
      }
    }

    @Override
    public void afterCommit() {
      RunningRequest.current().ifPresent(RunningRequest::endsCommit);
    }
  }

  /**
   * Called by the thread that runs a query, before it does. A query in a text that was interrupted
   * leaves its transaction open; what another query finds open is rolled back, or its commit would
   * take that along.
   *
   * @throws io.bg3.server.answer.ServerStoppingException if the server has ended its work
   */
  @Override
  public void beforeQueryStart(RequestMessage message) {
    meters.began();
    sessions.began(message);
    intake.requireRunning();
    rollBackOutsideOfSessions(message);
  }

  private void rollBackOutsideOfSessions(RequestMessage message) {
    if (!SessionOpProcessor.OP_PROCESSOR_NAME.equals(message.getProcessor())
        && graph.tx().isOpen()) {
      graph.tx().rollback();
    }
  }

  /**
   * Called by the thread of a query: by a traversal before it commits, by a text afterwards.
   *
   * @throws TraversalInterruptedException if the query was told to end before
   */
  @Override
  public void onQuerySuccess(RequestMessage message) {
    decide();
    meters.ended(true);
  }

  private static void decide() {
    if (!RunningRequest.current().map(RunningRequest::commits).orElse(true)) {
      throw new TraversalInterruptedException();
    }
  }

  @Override
  public void onQueryError(RequestMessage message, Throwable error) {
    RunningRequest.current().ifPresent(running -> running.failed(error));
    meters.ended(false);
    rollBackOutsideOfSessions(message); // now, and not when the thread runs another
    sessions.ended(message, error);
  }

  /**
   * Called by the thread of a text.
   *
   * @throws TraversalInterruptedException if the query was told to end before
   */
  @Override
  public void commitAll() {
    decide();
    graphs.commitAll();
  }

  /**
   * Called by the thread of a text that names its source.
   *
   * @throws TraversalInterruptedException if the query was told to end before
   */
  @Override
  public void commit(Set<String> sources) {
    decide();
    graphs.commit(sources);
  }

  @Override
  public void rollbackAll() {
    graphs.rollbackAll();
  }

  @Override
  public void rollback(Set<String> sources) {
    graphs.rollback(sources);
  }

  @Override
  public Set<String> getGraphNames() {
    return graphs.getGraphNames();
  }

  @Override
  public Graph getGraph(String name) {
    return graphs.getGraph(name);
  }

  @Override
  public void putGraph(String name, Graph added) {
    graphs.putGraph(name, added);
  }

  @Override
  public Set<String> getTraversalSourceNames() {
    return graphs.getTraversalSourceNames();
  }

  @Override
  public TraversalSource getTraversalSource(String name) {
    return graphs.getTraversalSource(name);
  }

  @Override
  public void putTraversalSource(String name, TraversalSource source) {
    graphs.putTraversalSource(name, source);
  }

  @Override
  public TraversalSource removeTraversalSource(String name) {
    return graphs.removeTraversalSource(name);
  }

  @Override
  public Bindings getAsBindings() {
    return graphs.getAsBindings();
  }

  @Override
  public Graph openGraph(String name, Function<String, Graph> opener) {
    return graphs.openGraph(name, opener);
  }

  @Override
  public Graph removeGraph(String name) throws Exception {
    return graphs.removeGraph(name);
  }
}
