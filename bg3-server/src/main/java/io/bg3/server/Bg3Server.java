package io.bg3.server;

import io.bg3.gremlin.services.Bg3Services;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.answer.Admission;
import io.bg3.server.dispatch.QueryExecutor;
import io.bg3.server.dispatch.Scheduler;
import io.bg3.server.metrics.StoreMeters;
import io.bg3.server.query.Callers;
import io.bg3.server.query.QueryServices;
import io.bg3.server.query.TlsService;
import io.bg3.server.request.GraphName;
import io.bg3.server.request.HeapWatch;
import io.bg3.server.request.Sessions;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.server.op.OpLoader;
import org.apache.tinkerpop.gremlin.server.util.ServerGremlinExecutor;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running Gremlin Server for one graph or several.
 *
 * <p>It owns the graphs from a successful {@link #start} on and closes them in {@link #close},
 * after the last query. A virtual machine that is asked to stop (SIGTERM, SIGINT) closes the server
 * first.
 *
 * <p>Stopping goes by steps, so that no request is answered with success that was not done:
 *
 * <ol>
 *   <li>No connection and no request is taken any more ({@link Admission}), and no session begins.
 *   <li>Requests that were taken run, and sessions may end the transactions that they have open,
 *       for the grace at most.
 *   <li>What runs then is interrupted; what has not begun is answered with an error, and so is what
 *       waits in a session. Threads get a moment to answer and to roll back.
 *   <li>Connections are closed behind the answers that were written to them.
 *   <li>The graphs are closed, which waits for commits that are under way and ends the transactions
 *       of threads that have not noticed the interrupt: their commits fail.
 *   <li>Gremlin Server closes the rest.
 * </ol>
 *
 * <p>Threads: {@link #close} may be called from any thread, more than once; the others wait for the
 * first.
 */
public final class Bg3Server implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Bg3Server.class);

  /** How long interrupted queries, and answers on their way, are waited for. */
  private static final long MOMENT_MILLIS = 1_000;

  /** A graph that offers this one gets the services of the server besides. */
  private static final String SERVICE = "bg3.index.list";

  private final DrainingServer server;
  private final Scheduler scheduler;
  private final ServerSettings settings;
  private final AccessSetup doors;
  private final ServerContext served;
  private final Callers callers;
  private final HeapWatch heap;
  private final Admission intake;
  private final Sessions sessions;
  private final Optional<GraphAdministration> administration;
  private SideListeners beside;
  private boolean finished; // guarded by this
  private volatile Exception failure; // of closing a graph

  private Bg3Server(
      DrainingServer server,
      Scheduler scheduler,
      ServerSettings settings,
      ServerContext served,
      AccessSetup doors,
      Optional<OnlineGraphs> online) {
    this.server = server;
    this.scheduler = scheduler;
    this.settings = settings;
    this.doors = doors;
    this.served = served;
    this.heap = served.heap();
    this.intake = served.intake();
    this.sessions = served.sessions();
    this.callers = new Callers(served.callers());
    this.administration =
        online.map(
            some -> new GraphAdministration(served.graphs(), some, callers, new ServedByThis()));
  }

  /**
   * Starts to serve the graph as {@code g}, with doors of its own.
   *
   * @throws IOException if what the settings name cannot be read, or an address cannot be bound;
   *     the graph is closed then
   */
  public static Bg3Server start(ServerSettings settings, Graph graph) throws IOException {
    AccessSetup doors;
    try {
      doors = AccessSetup.open(settings);
    } catch (IOException | RuntimeException e) {
      closeAfter(e, graph);
      throw e;
    }
    return start(settings, doors, Map.of(GraphName.DEFAULT, graph));
  }

  private static void closeAfter(Throwable failure, Graph graph) {
    try {
      graph.close();
    } catch (Exception e) {
      failure.addSuppressed(e);
    }
  }

  /**
   * Starts to serve graphs, each as the traversal source of its name; returns when the ports are
   * open.
   *
   * @param doors of these settings; closed with the server
   * @param graphs by name, among them the default graph {@link GraphName#DEFAULT}
   * @throws ListenException if the address cannot be bound; the graphs are closed then
   * @throws IllegalStateException if the self-test finds that Groovy can be reached; the graphs are
   *     closed then
   */
  public static Bg3Server start(
      ServerSettings settings, AccessSetup doors, Map<String, Graph> graphs)
      throws ListenException {
    return start(settings, doors, graphs, Optional.empty());
  }

  /**
   * As {@link #start(ServerSettings, AccessSetup, Map)}, with services by which administrators
   * create and drop graphs.
   *
   * @param online those graphs, which are among the others; empty for a server without the services
   */
  public static Bg3Server start(
      ServerSettings settings,
      AccessSetup doors,
      Map<String, Graph> graphs,
      Optional<OnlineGraphs> online)
      throws ListenException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(new LangOnlyClassLoader(before)); // S1: threads inherit it
    try {
      OpLoader.reset();
      Scheduler scheduler = new Scheduler(settings.scheduling());
      ServerContext served =
          new ServerContext(
              graphs,
              settings,
              scheduler,
              doors,
              new HeapWatch(settings.heapPercent()),
              new Admission(),
              new Sessions(settings.limits(), settings.access().shares()));
      DrainingServer gremlin;
      try {
        gremlin =
            new DrainingServer(
                GremlinSettings.of(settings, doors, served),
                new QueryExecutor(scheduler),
                served.intake());
      } catch (RuntimeException | Error e) { // the virtual machine is stopping, for instance
        served.heap().close();
        scheduler.close();
        doors.close();
        graphs.values().forEach(graph -> closeAfter(e, graph));
        throw e;
      }
      Bg3Server server = new Bg3Server(gremlin, scheduler, settings, served, doors, online);
      gremlin.finishFirst(server::finish);
      try {
        server.open();
      } catch (ListenException | RuntimeException | Error e) {
        server.closeAfter(e);
        throw e;
      }
      server.closeWithVirtualMachine();
      return server;
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** Gremlin Server's own hook stops it, but closes nothing that is not Gremlin Server's. */
  private void closeWithVirtualMachine() {
    try {
      Runtime.getRuntime().addShutdownHook(new Thread(this::closeAtEnd, "bg3-shutdown"));
    } catch (IllegalStateException stopping) {
      LOG.debug("the virtual machine is stopping already");
    }
  }

  private void closeAtEnd() {
    try {
      close();
    } catch (IllegalStateException e) {
      LOG.debug("was not closed", e); // the reason is in the log
    }
  }

  private void closeAfter(Throwable failure) {
    try {
      close();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  private void open() throws ListenException {
    served.graphs().all().forEach(named -> offerServices(named.graph()));
    GroovyProbe.check(
        server.getServerGremlinExecutor().getGremlinExecutor().getScriptEngineManager(),
        served.graphs().standard().graph().traversal());
    try {
      server.start().join();
    } catch (CompletionException e) {
      throw new ListenException(
          "cannot listen: host=" + settings.host() + ", port=" + settings.port(), e.getCause());
    } catch (Exception e) {
      throw new IllegalStateException("Gremlin Server did not start", e);
    }
    ServerGremlinExecutor executor = server.getServerGremlinExecutor();
    beside = SideListeners.open(settings, doors, executor);
    SideListeners.watch(doors, served, executor);
    doors
        .readiness()
        .open(
            intake::isOpen,
            scheduler::isHealthy,
            () -> served.graphs().all().stream().allMatch(NamedGraph::isWriting));
  }

  private void offerServices(Graph graph) {
    if (graph instanceof Bg3Graph own && Bg3Services.isOffered(own, SERVICE)) {
      QueryServices.register(
          own,
          served.graphs()::transactionMillis,
          served.queries(),
          callers,
          doors.access(),
          doors.clientLog());
      TlsService.register(own, callers, doors.tls());
      administration.ifPresent(services -> services.register(own));
    }
  }

  /** Serves a graph that is created, and no more one that is dropped. */
  private final class ServedByThis implements GraphAdministration.Host {
    @Override
    public void offerServices(Graph graph) {
      Bg3Server.this.offerServices(graph);
    }

    @Override
    public void serve(String name, Graph graph) {
      served.graphs().add(name, graph);
      SideListeners.watch(doors.export(), served.graphs().find(name).orElseThrow());
    }

    @Override
    public void hide(String name) {
      served.graphs().remove(name);
      if (doors.export().isShown()) {
        StoreMeters.remove(doors.export().registry(), name);
      }
    }

    @Override
    public boolean end(String name) {
      return served.queries().endAll(name, sessions);
    }
  }

  /** The address clients connect to. */
  public String url() {
    return url("ws", settings.port());
  }

  /** Where queries by HTTP go; empty if they are not asked for. */
  public Optional<String> httpUrl() {
    return Optional.of(settings.httpPort())
        .filter(port -> port != 0)
        .map(port -> url("http", port));
  }

  private String url(String scheme, int port) {
    String host = settings.host().contains(":") ? "[" + settings.host() + "]" : settings.host();
    return scheme + (doors.tls().isPresent() ? "s" : "") + "://" + host + ":" + port + "/gremlin";
  }

  /**
   * Takes no more requests, lets those that were taken finish within the grace, ends what is left
   * with an error, and closes the graphs; returns when all of that is done.
   *
   * @throws IllegalStateException if the graph could not be closed, with the cause; everything else
   *     is closed then
   */
  @Override
  public void close() {
    server.stop().join(); // S4
    sessions.closeTimer();
    scheduler.close();
    doors.close(); // what was validated last is in the audit log
    Exception problem = failure;
    if (problem != null) {
      throw new IllegalStateException("cannot close the graph: " + problem.getMessage(), problem);
    }
  }

  /**
   * Finishes requests and closes the graphs before Gremlin Server stops. Does nothing the second
   * time.
   */
  private synchronized void finish() {
    if (finished) {
      return;
    }
    finished = true;
    try {
      finishWork();
    } finally {
      closeAdministration();
      served.graphs().all().forEach(this::closeGraph);
    }
  }

  /** No graph comes or goes any more. */
  private void closeAdministration() {
    boolean interrupted = Thread.interrupted();
    try {
      if (administration.isPresent()) {
        administration.get().close();
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void finishWork() {
    intake.close();
    scheduler.finish();
    sessions.close();
    if (beside != null) {
      beside.stopListening();
    }
    boolean interrupted = Thread.interrupted();
    try {
      finishRequests();
      closeConnections();
    } catch (InterruptedException e) {
      interrupted = true;
      endRequests();
    }
    if (beside != null) {
      beside.close();
    }
    heap.close();
    doors.closeFigures(); // they are the graph's
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeGraph(NamedGraph named) {
    try {
      named.graph().close();
    } catch (Exception e) {
      failure = e;
      LOG.error("cannot close the graph: graph={}, {}", named.name(), e.toString());
    }
  }

  private void finishRequests() throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.grace());
    boolean done = scheduler.awaitQuiet(deadline);
    awaitLoops(deadline);
    done &= scheduler.awaitQuiet(deadline);
    sessions.awaitDone(deadline);
    endRequests();
    long moment = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MOMENT_MILLIS);
    sessions.awaitEnded(moment);
    if (!done && !scheduler.awaitQuiet(moment)) {
      LOG.warn("queries do not end: count={}", scheduler.figures().running());
    }
  }

  /**
   * Waits until each event loop has come to the end of the requests that it runs: one may have
   * begun when the server stopped taking requests, and then counts as running from its commit on,
   * to its answer.
   */
  private void awaitLoops(long deadline) throws InterruptedException {
    Set<EventLoop> loops = new HashSet<>();
    server.getServerGremlinExecutor().getChannels().forEach(one -> loops.add(one.eventLoop()));
    for (EventLoop loop : loops) {
      boolean unused =
          loop.submit(() -> {}).await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
    }
  }

  /** Interrupts what runs and refuses what has not begun. */
  private void endRequests() {
    intake.end();
    scheduler.announceEnd(); // so that what a session interrupts says why
    sessions.endAll();
    scheduler.end();
  }

  private void closeConnections() throws InterruptedException {
    ServerGremlinExecutor executor = server.getServerGremlinExecutor();
    executor.getChannels().forEach(Admission::closeAfterAnswers);
    executor.getChannels().newCloseFuture().await(MOMENT_MILLIS);
  }
}
