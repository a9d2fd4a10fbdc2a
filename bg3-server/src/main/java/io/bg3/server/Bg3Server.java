package io.bg3.server;

import io.bg3.server.guard.BoundedWebSocketChannelizer;
import io.bg3.server.guard.Guard;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.EventExecutorGroup;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  private Bg3Server(
      GremlinServer server,
      ThreadPoolExecutor queries,
      EventExecutorGroup judges,
      ServerSettings settings) {
    this.server = server;
    this.queries = queries;
    this.judges = judges;
    this.settings = settings;
  }

  /**
   * Starts to serve the graph as {@code g}; returns when the port is open.
   *
   * @throws ListenException if the address cannot be bound; the graph is closed then
   * @throws IllegalStateException if the self-test finds that Groovy can be reached; the graph is
   *     closed then
   */
  public static Bg3Server start(ServerSettings settings, Graph graph) throws ListenException {
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
      GremlinServer gremlin = new GremlinServer(gremlinSettings(settings, graph, judges), queries);
      Bg3Server server = new Bg3Server(gremlin, queries, judges, settings);
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
  }

  /** The address clients connect to. */
  public String url() {
    String host = settings.host().contains(":") ? "[" + settings.host() + "]" : settings.host();
    return "ws://" + host + ":" + settings.port() + "/gremlin";
  }

  /**
   * Stops listening, gives running queries their grace, rolls back what is open, and closes the
   * graph; returns when all of that is done.
   */
  @Override
  public void close() {
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
    stopped.join(); // S4
    judges.shutdownGracefully(0, settings.grace(), TimeUnit.MILLISECONDS).syncUninterruptibly();
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
      ServerSettings from, Graph graph, EventExecutorGroup judges) {
    ServedGraph to = new ServedGraph(graph, from.limits(), judges);
    to.host = from.host();
    to.port = from.port();
    to.gremlinPool = from.threads();
    to.maxWorkQueueSize = from.queue();
    to.evaluationTimeout = from.evaluationTimeout();
    to.maxContentLength = from.contentLimit();
    to.maxHeaderSize = from.header();
    to.idleConnectionTimeout = from.idle();
    to.resultIterationBatchSize = from.batch();
    to.channelizer = BoundedWebSocketChannelizer.class.getName();
    to.graphManager = OneGraphManager.class.getName();
    to.graphs = new HashMap<>();
    to.scriptEngines = new HashMap<>(Map.of("gremlin-lang", new Settings.ScriptEngineSettings()));
    to.authorization.authorizer = Guard.class.getName();
    to.authorization.config = Map.of(Guard.SETTINGS, to);
    to.processors = List.of(sessions(from));
    to.serializers =
        List.of(
            serializer(GraphBinaryMessageSerializerV1.class, Map.of()),
            serializer(
                GraphBinaryMessageSerializerV1.class, Map.of("serializeResultToString", true)),
            serializer(GraphSONMessageSerializerV3.class, Map.of()),
            serializer(GraphSONMessageSerializerV2.class, Map.of()));
    return to;
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
