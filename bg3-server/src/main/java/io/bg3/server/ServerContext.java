package io.bg3.server;

import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.access.Access;
import io.bg3.server.access.AccessContext;
import io.bg3.server.access.AccountConnectionUsers;
import io.bg3.server.access.Readiness;
import io.bg3.server.answer.Admission;
import io.bg3.server.connection.ConnectionLimits;
import io.bg3.server.connection.ReceiveBuffers;
import io.bg3.server.connection.SendBuffers;
import io.bg3.server.dispatch.Budget;
import io.bg3.server.dispatch.Scheduler;
import io.bg3.server.guard.Limits;
import io.bg3.server.guard.TextParser;
import io.bg3.server.guard.ValueLimit;
import io.bg3.server.log.ClientLog;
import io.bg3.server.metrics.ServerMeters;
import io.bg3.server.request.ConnectionUsers;
import io.bg3.server.request.EvaluatedRequests;
import io.bg3.server.request.GuardContext;
import io.bg3.server.request.HeapWatch;
import io.bg3.server.request.RunningQueries;
import io.bg3.server.request.SessionRequests;
import io.bg3.server.request.Sessions;
import io.bg3.server.request.ShareLimits;
import io.bg3.server.request.WatchedQueries;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalSource;
import org.apache.tinkerpop.gremlin.server.Settings;
import org.apache.tinkerpop.gremlin.structure.Graph;

/**
 * Gremlin Server's settings with the open graphs and the guard's limits beside them, because a
 * graph manager is made by reflection from nothing but its settings.
 */
final class ServerContext extends Settings implements GuardContext, AccessContext {
  private final NamedGraphs named;
  private final TextParser textParser;
  private final Limits limits;
  private final ConnectionLimits connectionLimits;
  private final Scheduler scheduler;
  private final SessionRequests sessionRequests;
  private final Budget budget;
  private final long quickNanos;
  private final SendBuffers sendBuffers;
  private final AccessSetup doors;
  private final HeapWatch heap;
  private final Admission intake;
  private final Sessions sessions;

  ServerContext(
      Map<String, Graph> graphs,
      ServerSettings settings,
      Scheduler scheduler,
      AccessSetup doors,
      HeapWatch heap,
      Admission intake,
      Sessions sessions) {
    this.intake = intake;
    this.sessions = sessions;
    this.textParser = new TextParser(settings.textCache());
    this.limits = settings.limits();
    this.connectionLimits = settings.connectionLimits();
    this.scheduler = scheduler;
    this.sessionRequests = new SessionRequests(scheduler, doors.evaluated());
    this.quickNanos = settings.quickNanos();
    this.budget = new Budget(settings.decodedBytes());
    this.sendBuffers = new SendBuffers(settings.unreadBytes(), doors.clientLog());
    this.doors = doors;
    this.heap = heap;
    this.named = new NamedGraphs(graphs, this::source, scheduler);
  }

  /** The source of a graph for the queries of clients. */
  private TraversalSource source(Graph graph) {
    return graph.traversal().withStrategies(new ValueLimit(limits), new WatchedQueries(heap));
  }

  HeapWatch heap() {
    return heap;
  }

  /** The requests that run or wait. */
  RunningQueries queries() {
    return new RunningQueries(scheduler, sessionRequests);
  }

  @Override
  public EvaluatedRequests evaluated() {
    return doors.evaluated();
  }

  @Override
  public Admission intake() {
    return intake;
  }

  @Override
  public Sessions sessions() {
    return sessions;
  }

  @Override
  public ConnectionLimits connectionLimits() {
    return connectionLimits;
  }

  @Override
  public SendBuffers sendBuffers() {
    return sendBuffers;
  }

  @Override
  public Scheduler scheduler() {
    return scheduler;
  }

  @Override
  public SessionRequests sessionRequests() {
    return sessionRequests;
  }

  @Override
  public long quickNanos() {
    return quickNanos;
  }

  @Override
  public Budget budget() {
    return budget;
  }

  @Override
  public TextParser textParser() {
    return textParser;
  }

  @Override
  public Limits limits() {
    return limits;
  }

  @Override
  public ConnectionUsers callers() {
    return new AccountConnectionUsers(doors.access(), doors.meters(), "websocket");
  }

  @Override
  public boolean offers(String graph, String service) {
    Optional<NamedGraph> found = named.find(graph);
    try {
      found.ifPresent(one -> one.graph().getServiceRegistry().checkRegisteredService(service));
      return found.isPresent();
    } catch (IllegalArgumentException | UnsupportedOperationException e) {
      return false; // an unknown name, or a graph without services
    }
  }

  @Override
  public boolean onlyReads(String graph, String service) {
    return graph(graph)
        .filter(one -> one instanceof Bg3Graph own && own.onlyReads(service))
        .isPresent();
  }

  @Override
  public Optional<Graph> graph(String name) {
    return named.find(name).map(NamedGraph::graph);
  }

  @Override
  public boolean commitsInLoops(String name) {
    return named.find(name).map(NamedGraph::commitsInLoops).orElse(false);
  }

  @Override
  public List<String> graphNames() {
    return named.names();
  }

  @Override
  public Access access() {
    return doors.access();
  }

  @Override
  public ShareLimits shares() {
    return doors.shares();
  }

  @Override
  public ReceiveBuffers receiveBuffers() {
    return doors.receiveBuffers();
  }

  @Override
  public long loginMillis() {
    return doors.loginMillis();
  }

  @Override
  public ClientLog clientLog() {
    return doors.clientLog();
  }

  @Override
  public Readiness readiness() {
    return doors.readiness();
  }

  @Override
  public ServerMeters meters() {
    return doors.meters();
  }

  NamedGraphs graphs() {
    return named;
  }
}
