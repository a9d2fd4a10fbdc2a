package io.bg3.server;

import io.bg3.server.access.LoginWebSocketChannelizer;
import io.bg3.server.guard.GuardedJson;
import io.bg3.server.guard.GuardedTypes;
import io.bg3.server.request.GraphBinaryAnswers;
import io.bg3.server.request.GraphSonAnswers;
import io.bg3.server.request.Guard;
import io.netty.channel.epoll.Epoll;
import io.netty.handler.ssl.SslContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.server.Settings;
import org.apache.tinkerpop.gremlin.server.op.session.SessionOpProcessor;

/**
 * The settings of Gremlin Server that the settings of BG3's server amount to.
 *
 * <p>Threads: any; without state.
 */
final class GremlinSettings {
  /** Gremlin Server ends no session. */
  private static final long NEVER_MILLIS = TimeUnit.DAYS.toMillis(365);

  private GremlinSettings() {}

  /**
   * Fills the settings of Gremlin Server.
   *
   * @param doors say whether there is TLS
   * @param to are the settings, which Gremlin Server passes on to what it makes
   */
  static Settings of(ServerSettings from, AccessSetup doors, ServerContext to) {
    to.host = from.host();
    to.port = from.port();
    to.threadPoolWorker = from.threads(); // they answer batches of reads
    to.useEpollEventLoop = Epoll.isAvailable(); // not where its native part cannot be loaded
    to.evaluationTimeout = from.evaluationTimeout();
    to.maxContentLength = from.contentLimit();
    to.maxHeaderSize = from.header();
    to.strictTransactionManagement = from.strictTransactions();
    to.idleConnectionTimeout = from.idle();
    to.resultIterationBatchSize = from.batch();
    to.channelizer = LoginWebSocketChannelizer.class.getName();
    to.graphManager = NamedGraphManager.class.getName();
    to.graphs = new HashMap<>();
    to.scriptEngines = new HashMap<>(Map.of("gremlin-lang", new Settings.ScriptEngineSettings()));
    to.authorization.authorizer = Guard.class.getName();
    to.authorization.config = Map.of(Guard.SETTINGS, to);
    doors.tls().ifPresent(tls -> to.ssl = ssl(tls));
    to.processors = List.of(sessions(from));
    String types = GuardedTypes.class.getName();
    to.serializers =
        List.of(
            serializer(GraphBinaryAnswers.class, Map.of("builder", types)),
            serializer(
                GraphBinaryAnswers.class,
                Map.of("builder", types, "serializeResultToString", true)),
            serializer(
                GraphSonAnswers.V3.class,
                Map.of("ioRegistries", List.of(GuardedJson.class.getName()))),
            serializer(GraphSonAnswers.V2.class, Map.of()));
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
                NEVER_MILLIS, // a Lease ends it
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
