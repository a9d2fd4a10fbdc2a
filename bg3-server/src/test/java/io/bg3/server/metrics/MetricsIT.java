package io.bg3.server.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.ServedFixture;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.junit.jupiter.api.Test;

/** Reads the figures as Prometheus and a JMX client do, around queries that move them. */
class MetricsIT {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @Test
  void queriesMoveTheFigures() throws Exception {
    int port = ServedFixture.freePort();
    try (ServedFixture served =
        new ServedFixture(
            Bg3Graph.open(),
            Map.of(
                "server.metrics.prometheus.port",
                Integer.toString(port),
                "server.metrics.jmx",
                "true"))) {
      GraphTraversalSource g = served.g();
      for (int i = 0; i < 5; i++) {
        g.addV("measured").iterate();
      }
      assertThrows(Exception.class, () -> g.inject(1).fail("on purpose").iterate());
      assertThrows(Exception.class, () -> g.io("nowhere").read().iterate());
      Transaction tx = g.tx();
      GraphTraversalSource inside = tx.begin();
      inside.V().count().next();
      String figures = scrape(port);
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
      while (!isComplete(figures) && System.nanoTime() < end) {
        Thread.sleep(50); // the store is asked ten times a second at most
        figures = scrape(port);
      }
      tx.rollback();

      assertEquals(5, figure(figures, "bg3_store_commits_total{graph=\"g\"}"), figures);
      assertEquals(0, figure(figures, "bg3_store_conflicts_total{graph=\"g\"}"), figures);
      assertEquals(1, figure(figures, "bg3_store_transactions_open{graph=\"g\"}"), figures);
      assertEquals(1, figure(figures, "bg3_server_sessions"), figures);
      assertTrue(figure(figures, "bg3_server_connections") >= 2, figures);
      assertEquals(0, figure(figures, "bg3_server_queue"), figures);
      assertTrue(figure(figures, "bg3_store_memory_budget_bytes{graph=\"g\"}") > 1 << 20, figures);
      assertTrue(figure(figures, "bg3_store_memory_used_bytes{graph=\"g\"}") > 0, figures);
      assertTrue(figure(figures, "bg3_store_memory_held_bytes{graph=\"g\"}") > 0, figures);
      assertTrue(figure(figures, "bg3_store_log_bytes{graph=\"g\"}") > 0, figures);
      assertEquals(0, figure(figures, "bg3_store_checkpoints_total{graph=\"g\"}"), figures);
      assertEquals(0, figure(figures, "bg3_store_extents{graph=\"g\",stream=\"base\"}"), figures);
      assertTrue(figure(figures, "bg3_server_requests_total{via=\"websocket\"}") >= 8, figures);
      assertEquals(1, figure(figures, "bg3_server_refused_total{status=\"forbidden\"}"));
      assertEquals(
          1, figure(figures, "bg3_server_errors_total{status=\"server_error_fail_step\"}"));
      assertEquals(5, figure(figures, "bg3_server_queries_seconds_count{outcome=\"success\"}"));
      assertEquals(1, figure(figures, "bg3_server_queries_seconds_count{outcome=\"error\"}"));
      assertTrue(figures.contains("jvm_memory_used_bytes"), figures);

      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      ObjectName used =
          server
              .queryNames(new ObjectName("bg3:name=bg3StoreMemoryUsed.*,*"), null)
              .iterator()
              .next();
      assertTrue(((Number) server.getAttribute(used, "Value")).doubleValue() > 0);
    }
    assertEquals(Set.of(), beans(), "nothing is left when the server is closed");
  }

  /** Whether the last requests count already: they do a moment after their answers. */
  private static boolean isComplete(String figures) {
    return figures.contains("queries_seconds_count{outcome=\"error\"}")
        && figure(figures, "bg3_server_queries_seconds_count{outcome=\"success\"}") == 5
        && figure(figures, "bg3_server_queries_seconds_count{outcome=\"error\"}") == 1
        && figure(figures, "bg3_store_transactions_open{graph=\"g\"}") == 1
        && figure(figures, "bg3_store_commits_total{graph=\"g\"}") == 5;
  }

  @Test
  void onlyThePageIsServedAndNoOtherSite() throws Exception {
    int port = ServedFixture.freePort();
    try (ServedFixture served =
        new ServedFixture(
            Bg3Graph.open(), Map.of("server.metrics.prometheus.port", Integer.toString(port)))) {
      assertEquals(404, get(port, "/").statusCode());
      assertEquals(200, get(port, "/metrics").statusCode());
      HttpRequest foreign =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
              .header("Origin", "http://evil.example")
              .build();
      assertEquals(403, CLIENT.send(foreign, HttpResponse.BodyHandlers.ofString()).statusCode());
      assertEquals(1L, served.g().inject(1).count().next());
      assertEquals(Set.of(), beans(), "nobody asked for JMX");
    }
  }

  @Test
  void nothingIsShownUnlessAskedFor() {
    MetricsExport export = new MetricsExport(new MetricsSettings(false, "127.0.0.1", 0));
    assertFalse(export.isShown());
    assertThrows(IllegalStateException.class, export::scrape);
    export.close();
  }

  private static Set<String> beans() throws Exception {
    return ManagementFactory.getPlatformMBeanServer()
        .queryNames(new ObjectName("bg3:*"), null)
        .stream()
        .map(name -> name.getKeyProperty("name"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String scrape(int port) throws Exception {
    HttpResponse<String> answer = get(port, "/metrics");
    assertEquals(200, answer.statusCode());
    assertEquals(
        List.of("text/plain; version=0.0.4; charset=utf-8"),
        answer.headers().allValues("content-type"));
    return answer.body();
  }

  private static HttpResponse<String> get(int port, String path) throws Exception {
    return CLIENT.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static double figure(String figures, String name) {
    return figures
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " is not in\n" + figures));
  }
}
