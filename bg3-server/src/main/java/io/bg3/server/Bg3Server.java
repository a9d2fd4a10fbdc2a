package io.bg3.server;

import io.bg3.server.access.AttendedWebSocketChannelizer;
import io.bg3.server.guard.Guard;
import io.bg3.server.guard.GuardedTypes;
import io.bg3.server.guard.HeapWatch;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.EventExecutorGroup;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.commons.lang3.concurrent.BasicThreadFactory;
import org.apache.tinkerpop.gremlin.server.GremlinServer;
import org.apache.tinkerpop.gremlin.server.Settings;
import org.apache.tinkerpop.gremlin.server.op.OpLoader;
import org.apache.tinkerpop.gremlin.server.op.session.SessionOpProcessor;
import org.apache.tinkerpop.gremlin.server.util.ServerGremlinExecutor;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.util.ser.GraphBinaryMessageSerializerV1;
import org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV2;
import org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV3;

/**
 * A running Gremlin Server for one graph.
 *
 * <p>It owns the graph from a successful {@link #start} on and closes it in {@link #close}, after
 * the last query. A virtual machine that is asked to stop (SIGTERM, SIGINT) closes the server
 * first.
 *
 * <p>Threads: {@link #close} may be called from any thread, more than once.
 */
public final class Bg3Server implements AutoCloseable {
  private final GremlinServer server;
  private final ThreadPoolExecutor queries;
  private final EventExecutorGroup judges;
  private final ServerSettings settings;
  private final Doors doors;
  private final HeapWatch heap;
  private SideListeners beside;

  private Bg3Server(
      GremlinServer server,
      ThreadPoolExecutor queries,
      EventExecutorGroup judges,
      ServerSettings settings,
      Doors doors,
      HeapWatch heap) {
    this.server = server;
    this.queries = queries;
    this.judges = judges;
    this.settings = settings;
    this.doors = doors;
    this.heap = heap;
  }

  /**
   * Starts to serve the graph as {@code g}, with doors of its own.
   *
   * @throws IOException if what the settings name cannot be read, or an address cannot be bound;
   *     the graph is closed then
   */
  public static Bg3Server start(ServerSettings settings, Graph graph) throws IOException {
    Doors doors;
    try {
      doors = Doors.open(settings);
    } catch (IOException | RuntimeException e) {
      closeAfter(e, graph);
      throw e;
    }
    return start(settings, doors, graph);
  }

  private static void closeAfter(Exception failure, Graph graph) {
    try {
      graph.close();
    } catch (Exception e) {
      failure.addSuppressed(e);
    }
  }

  /**
   * Starts to serve the graph as {@code g}; returns when the ports are open.
   *
   * @param doors of these settings; closed with the server
   * @throws ListenException if the address cannot be bound; the graph is closed then
   * @throws IllegalStateException if the self-test finds that Groovy can be reached; the graph is
   *     closed then
   */
  public static Bg3Server start(ServerSettings settings, Doors doors, Graph graph)
      throws ListenException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(new LangOnlyClassLoader(before)); // S1: threads inherit it
    try {
      OpLoader.reset();
      ThreadPoolExecutor queries = queries(settings);
      EventExecutorGroup judges =
          new DefaultEventExecutorGroup(
              settings.threads(),
              new BasicThreadFactory.Builder().namingPattern("bg3-judge-%d").build());
      HeapWatch heap = new HeapWatch(settings.heapPercent());
      GremlinServer gremlin =
          new GremlinServer(gremlinSettings(settings, doors, graph, judges, heap), queries);
      Bg3Server server = new Bg3Server(gremlin, queries, judges, settings, doors, heap);
      try {
        server.open(graph);
      } catch (ListenException | RuntimeException | Error e) {
        server.close();
        throw e;
      }
      Runtime.getRuntime().addShutdownHook(new Thread(server::close, "bg3-shutdown"));
      return server;
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private void open(Graph graph) throws ListenException {
    GroovyProbe.check(
        server.getServerGremlinExecutor().getGremlinExecutor().getScriptEngineManager(),
        graph.traversal());
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
    SideListeners.watch(doors.export(), doors, graph, queries, executor);
    doors.readiness().set(true);
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
   * Stops listening, gives running queries their grace, rolls back what is open, and closes the
   * graph; returns when all of that is done.
   */
  @Override
  public void close() {
    doors.readiness().set(false);
    if (beside != null) {
      beside.stopListening();
    }
    CompletableFuture<Void> stopped = server.stop();
    boolean interrupted = false;
    try {
      if (!queries.awaitTermination(settings.grace(), TimeUnit.MILLISECONDS)) {
        queries.shutdownNow();
      }
    } catch (InterruptedException e) {
      queries.shutdownNow();
      interrupted = true;
    }
    if (beside != null) {
      beside.close();
    }
    heap.close();
    doors.closeFigures(); // they are the graph's
    stopped.join(); // S4
    judges.shutdownGracefully(0, settings.grace(), TimeUnit.MILLISECONDS).syncUninterruptibly();
    doors.close(); // what was judged last is in the audit log
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static ThreadPoolExecutor queries(ServerSettings settings) {
    return new ThreadPoolExecutor(
        settings.threads(),
        settings.threads(),
        0,
        TimeUnit.MILLISECONDS,
        new ArrayBlockingQueue<>(settings.queue()),
        new BasicThreadFactory.Builder().namingPattern("bg3-query-%d").build());
  }

  private static Settings gremlinSettings(
      ServerSettings from, Doors doors, Graph graph, EventExecutorGroup judges, HeapWatch heap) {
    ServedGraph to = new ServedGraph(graph, from.limits(), judges, doors, heap);
    to.host = from.host();
    to.port = from.port();
    to.gremlinPool = from.threads();
    to.threadPoolWorker = from.threads(); // they answer batches of reads
    to.maxWorkQueueSize = from.queue();
    to.evaluationTimeout = from.evaluationTimeout();
    to.maxContentLength = from.contentLimit();
    to.maxHeaderSize = from.header();
    to.strictTransactionManagement = from.strictTransactions();
    to.idleConnectionTimeout = from.idle();
    to.resultIterationBatchSize = from.batch();
    to.channelizer = AttendedWebSocketChannelizer.class.getName();
    to.graphManager = OneGraphManager.class.getName();
    to.graphs = new HashMap<>();
    to.scriptEngines = new HashMap<>(Map.of("gremlin-lang", new Settings.ScriptEngineSettings()));
    to.authorization.authorizer = Guard.class.getName();
    to.authorization.config = Map.of(Guard.SETTINGS, to);
    doors.tls().ifPresent(tls -> to.ssl = ssl(tls));
    to.processors = List.of(sessions(from));
    String types = GuardedTypes.class.getName();
    to.serializers =
        List.of(
            serializer(GraphBinaryMessageSerializerV1.class, Map.of("builder", types)),
            serializer(
                GraphBinaryMessageSerializerV1.class,
                Map.of("builder", types, "serializeResultToString", true)),
            serializer(GraphSONMessageSerializerV3.class, Map.of()),
            serializer(GraphSONMessageSerializerV2.class, Map.of()));
    return to;
  }

  private static Settings.SslSettings ssl(SslContext tls) {
    Settings.SslSettings ssl = new Settings.SslSettings();
    ssl.enabled = true;
    ssl.overrideSslContext(tls);
    return ssl;
  }

  private static Settings.ProcessorSettings sessions(ServerSettings from) {
    Settings.ProcessorSettings sessions = new Settings.ProcessorSettings();
    sessions.className = SessionOpProcessor.class.getCanonicalName();
    sessions.config =
        new HashMap<>(
            Map.of(
                SessionOpProcessor.CONFIG_SESSION_TIMEOUT,
                from.sessionTimeout(),
                SessionOpProcessor.CONFIG_PER_GRAPH_CLOSE_TIMEOUT,
                from.grace()));
    return sessions;
  }

  private static Settings.SerializerSettings serializer(Class<?> type, Map<String, Object> config) {
    Settings.SerializerSettings serializer = new Settings.SerializerSettings();
    serializer.className = type.getName();
    serializer.config = config;
    return serializer;
  }
}
