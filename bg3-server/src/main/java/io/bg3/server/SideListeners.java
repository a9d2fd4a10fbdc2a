package io.bg3.server;

import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.access.BrowserRules;
import io.bg3.server.guard.TextParser;
import io.bg3.server.http.HttpListener;
import io.bg3.server.http.MetricsChannelizer;
import io.bg3.server.http.QueryChannelizer;
import io.bg3.server.metrics.MetricsExport;
import io.bg3.server.metrics.MetricsSettings;
import io.bg3.server.metrics.ServerMeters;
import io.bg3.server.metrics.StoreMeters;
import io.bg3.server.request.OpenSessions;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.netty.channel.ChannelHandler;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.tinkerpop.gremlin.server.util.ServerGremlinExecutor;

/**
 * The sockets beside the one for drivers, on the same graph and the same threads for queries: those
 * for queries by HTTP and for figures, as far as they are asked for.
 */
final class SideListeners implements AutoCloseable {
  private final List<HttpListener> open = new ArrayList<>();

  /**
   * Listens where the settings say.
   *
   * @throws ListenException if an address cannot be bound; nothing listens then
   */
  static SideListeners open(
      ServerSettings settings, AccessSetup doors, ServerGremlinExecutor executor)
      throws ListenException {
    SideListeners listeners = new SideListeners();
    try {
      if (settings.httpPort() != 0) {
        QueryChannelizer queries = new QueryChannelizer();
        queries.init(executor);
        listeners.listen("bg3-http", settings.host(), settings.httpPort(), queries);
      }
      MetricsSettings metrics = settings.metrics();
      if (metrics.isPrometheus()) {
        BrowserRules rules = // a port that is open to others is open by any name
            new BrowserRules(metrics.host(), settings.access().hosts(), true);
        MetricsChannelizer figures =
            new MetricsChannelizer(
                rules,
                doors.readiness(),
                doors.export()::scrape,
                doors.clientLog(),
                doors.meters());
        listeners.listen("bg3-metrics", metrics.host(), metrics.port(), figures);
      }
      return listeners;
    } catch (ListenException | RuntimeException e) {
      listeners.close();
      throw e;
    }
  }

  /** Begins to count, if the metrics are published. */
  static void watch(AccessSetup doors, ServerContext served, ServerGremlinExecutor executor) {
    MetricsExport export = doors.export();
    if (export.isShown()) {
      ServerMeters meters = doors.meters();
      meters.watch(served.scheduler(), () -> executor.getChannels().size(), OpenSessions::count);
      TextParser texts = served.textParser();
      meters.watchTexts(texts::hits, texts::misses, texts::bytes);
      served.graphs().all().forEach(graph -> watch(export, graph));
      new JvmMemoryMetrics().bindTo(export.registry());
      new JvmThreadMetrics().bindTo(export.registry());
    }
  }

  /** Begins to count in a graph, if the metrics are published. */
  static void watch(MetricsExport export, NamedGraph graph) {
    if (export.isShown() && graph.graph() instanceof Bg3Graph store) {
      new StoreMeters(graph.name(), store::stats).bindTo(export.registry());
    }
  }

  private void listen(String name, String host, int port, ChannelHandler connection)
      throws ListenException {
    try {
      open.add(HttpListener.open(name, host, port, connection));
    } catch (IOException e) {
      throw new ListenException("cannot listen: host=" + host + ", port=" + port, e.getCause());
    }
  }

  void stopListening() {
    open.forEach(HttpListener::stopListening);
  }

  @Override
  public void close() {
    open.forEach(HttpListener::close);
  }
}
