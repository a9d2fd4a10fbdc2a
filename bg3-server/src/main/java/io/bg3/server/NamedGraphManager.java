package io.bg3.server;

import io.bg3.Setting;
import io.bg3.core.commit.CommitListener;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.gremlin.structure.CommitGuard;
import io.bg3.server.answer.Admission;
import io.bg3.server.dispatch.RunningRequest;
import io.bg3.server.dispatch.Scheduler;
import io.bg3.server.metrics.ServerMeters;
import io.bg3.server.request.GraphName;
import io.bg3.server.request.SessionRequests;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import javax.script.Bindings;
import javax.script.SimpleBindings;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.server.GraphManager;
import org.apache.tinkerpop.gremlin.server.Settings;
import org.apache.tinkerpop.gremlin.server.op.session.SessionOpProcessor;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/**
 * Gremlin Server's view of the graphs of a server. They were opened by the code that started the
 * server, so a store that does not open ends the start with its own error, and no script is needed
 * to name the sources.
 *
 * <p>TinkerPop's processors tell it when a query begins, commits and ends. It counts that, and
 * decides between the commit and an order to end ({@link RunningRequest#commits}): a query that was
 * told to end does not commit.
 *
 * <ul>
 *   <li>G1: a query reaches the graph that its alias {@code g} names, and no other. A text sees no
 *       variable of the server but {@code g}.
 *   <li>G2: a commit for a query commits the graph of that query alone. The thread that begins a
 *       query rolls back what an earlier one has left open in another graph.
 * </ul>
 */
public final class NamedGraphManager implements GraphManager {
  /**
   * The beginning of the name of a graph, where Gremlin Server tells graphs from sources: no alias
   * of a client names a graph.
   */
  private static final String GRAPH = "graph:";

  /** The durability of commits that wait for the disk. */
  private static final String SYNC = "sync";

  private final NamedGraphs graphs;
  private final ServerMeters meters;
  private final Admission intake;
  private final SessionRequests sessions;

  /** The graph of the query that a thread runs or has run last; a thread has one server. */
  private static final ThreadLocal<NamedGraph> CURRENT = new ThreadLocal<>();

  /** Called by Gremlin Server; the settings are a {@link ServerContext}. */
  public NamedGraphManager(Settings settings) {
    ServerContext served = (ServerContext) settings;
    graphs = served.graphs();
    meters = served.meters();
    intake = served.intake();
    sessions = served.sessionRequests();
  }

  /**
   * Has every commit to a graph decided between it and an order to end, and has other requests
   * begin while it waits for the disk.
   */
  static void guardCommits(Graph graph, Scheduler scheduler) {
    if (graph instanceof Bg3Graph own) {
      own.guardCommits(new DecidedCommits(scheduler, isSynced(own)));
    }
  }

  /** Whether commits to a graph wait for the disk. */
  static boolean isSynced(Bg3Graph graph) {
    Configuration settings = graph.configuration();
    return !settings.getString(Setting.DIRECTORY.key(), "").isEmpty()
        && settings.getString(Setting.DURABILITY.key(), SYNC).equals(SYNC);
  }

  /**
   * For every commit, the order to end comes before it or behind it.
   *
   * @param isSynced whether commits wait for the disk
   */
  private record DecidedCommits(Scheduler scheduler, boolean isSynced) implements CommitGuard {
    @Override
    public Optional<CommitListener> beforeWait() {
      Optional<RunningRequest> running = isSynced ? RunningRequest.current() : Optional.empty();
      Optional<CommitListener> listener = running.flatMap(RunningRequest::commitsWithoutWaiting);
      if (listener.isEmpty()) {
        running.ifPresent(scheduler::waitsForDisk);
      }
      return listener;
    }

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

    @Override
    public void afterNothing() {
      RunningRequest.current().ifPresent(RunningRequest::endsWithoutCommit);
    }
  }

  /**
   * Called by the thread that runs a query, before it does. A query in a text that was interrupted
   * leaves its transaction open; what another query finds open is rolled back, or its commit would
   * take that along.
   *
   * @throws io.bg3.server.answer.ServerStoppingException if the server has ended its work
   * @throws IllegalStateException if the graph was dropped meanwhile
   */
  @Override
  public void beforeQueryStart(RequestMessage message) {
    meters.began();
    sessions.began(message);
    intake.requireRunning();
    NamedGraph last = CURRENT.get();
    NamedGraph named = graphs.find(GraphName.of(message)).orElse(null);
    if (last != null && !last.equals(named)) {
      CURRENT.remove();
      if (graphs.isServed(last)) { // the end of a dropped one has ended its transactions
        last.rollBack(); // G2
      }
    }
    if (named == null) {
      throw new IllegalStateException("the graph was dropped: graph=" + GraphName.of(message));
    }
    CURRENT.set(named);
    rollBackOutsideOfSessions(message);
  }

  private void rollBackOutsideOfSessions(RequestMessage message) {
    if (!SessionOpProcessor.OP_PROCESSOR_NAME.equals(message.getProcessor())) {
      rollbackAll();
    }
  }

  /**
   * Called by the thread of a query: by a traversal before it commits, by a text afterwards. An
   * event loop commits here, before the query is counted: it may leave the commit to a worker. One
   * whose commit the loop does not wait for is counted when the commit is durable.
   *
   * @throws TraversalInterruptedException if the query was told to end before
   */
  @Override
  public void onQuerySuccess(RequestMessage message) {
    decide();
    Optional<RunningRequest> quick = RunningRequest.current().filter(RunningRequest::isQuick);
    if (quick.isPresent()) {
      Optional.ofNullable(CURRENT.get()).ifPresent(NamedGraph::commit); // a worker may have to
    }
    if (quick.filter(RunningRequest::isAnsweredLater).isPresent()) {
      long begun = meters.takeBegin();
      quick.get().beforeLateAnswer(failure -> meters.ended(begun, failure.isEmpty()));
    } else {
      meters.ended(true);
    }
  }

  private static void decide() {
    if (!RunningRequest.current().map(RunningRequest::commits).orElse(true)) {
      throw new TraversalInterruptedException();
    }
  }

  @Override
  public void onQueryError(RequestMessage message, Throwable error) {
    Optional<RunningRequest> running = RunningRequest.current();
    running.ifPresent(one -> one.failed(error));
    if (running.filter(one -> one.isQuick() && !one.isCommitting()).isPresent()) {
      meters.dropped(); // a worker runs the query again
    } else {
      meters.ended(false);
    }
    rollBackOutsideOfSessions(message); // now, and not when the thread runs another
    sessions.ended(message, error);
  }

  /**
   * Called by the thread of a text: commits the graph of the text (G2).
   *
   * @throws TraversalInterruptedException if the query was told to end before
   */
  @Override
  public void commitAll() {
    decide();
    Optional.ofNullable(CURRENT.get()).ifPresent(NamedGraph::commit);
  }

  /**
   * Called by the thread of a text that names its source.
   *
   * @throws TraversalInterruptedException if the query was told to end before
   */
  @Override
  public void commit(Set<String> sources) {
    commitAll(); // a request has one alias
  }

  @Override
  public void rollbackAll() {
    Optional.ofNullable(CURRENT.get()).filter(graphs::isServed).ifPresent(NamedGraph::rollBack);
  }

  @Override
  public void rollback(Set<String> sources) {
    rollbackAll();
  }

  /** The names under which Gremlin Server finds graphs whose transactions it ends. */
  @Override
  public Set<String> getGraphNames() {
    Set<String> names = new LinkedHashSet<>();
    graphs.names().forEach(name -> names.add(GRAPH + name));
    return names;
  }

  @Override
  public Graph getGraph(String name) {
    return name.startsWith(GRAPH)
        ? graphs.find(name.substring(GRAPH.length())).map(NamedGraph::graph).orElse(null)
        : null;
  }

  @Override
  public Set<String> getTraversalSourceNames() {
    return Set.copyOf(graphs.names());
  }

  @Override
  public TraversalSource getTraversalSource(String name) {
    return graphs.find(name).map(NamedGraph::source).orElse(null);
  }

  /**
   * The variables of every text: the default graph, in whose place comes that of a request (G1).
   */
  @Override
  public Bindings getAsBindings() {
    Bindings bindings = new SimpleBindings();
    bindings.put(GraphName.DEFAULT, graphs.standard().source());
    return bindings;
  }

  @Override
  public void putGraph(String name, Graph added) {
    throw new UnsupportedOperationException("the server adds its graphs: name=" + name);
  }

  /** Gremlin Server gives back the variables that it was given, at the start. */
  @Override
  public void putTraversalSource(String name, TraversalSource source) {
    if (!source.equals(getTraversalSource(name))) {
      throw new UnsupportedOperationException("the server adds its sources: name=" + name);
    }
  }

  /** Gremlin Server takes all sources away when it stops; they stay until their graphs are gone. */
  @Override
  public TraversalSource removeTraversalSource(String name) {
    return getTraversalSource(name);
  }

  @Override
  public Graph openGraph(String name, Function<String, Graph> opener) {
    throw new UnsupportedOperationException("the server opens its graphs: name=" + name);
  }

  /** Gremlin Server takes all graphs away when it has closed them. */
  @Override
  public Graph removeGraph(String name) {
    return getGraph(name);
  }
}
