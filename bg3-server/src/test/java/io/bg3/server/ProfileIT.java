package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.process.traversal.step.util.Bg3ProfileStep;
import io.bg3.gremlin.process.traversal.step.util.ReadMetrics;
import io.bg3.gremlin.services.Bg3Services;
import io.bg3.gremlin.structure.Bg3Graph;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.driver.Result;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.process.traversal.util.Metrics;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalMetrics;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.util.ser.Serializers;
import org.apache.tinkerpop.shaded.jackson.databind.JsonNode;
import org.apache.tinkerpop.shaded.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Compares the reads of a query that a client sees in a profile, and an operator in the log of slow
 * queries: one server in this process. Takes about 3 s. It has no longer form.
 */
class ProfileIT {
  private static final int DEGREE = 200;
  private static final long HUB = 1;

  @TempDir private static Path directory;
  private static WaitingService waiting;
  private static Path slow;
  private static ServedFixture server;

  @BeforeAll
  static void start() throws Exception {
    Bg3Graph graph = Bg3Graph.open();
    Bg3Services.register(graph);
    waiting = new WaitingService("waiting", false);
    graph.getServiceRegistry().registerService(waiting);
    Vertex hub = graph.addVertex(T.id, HUB, "name", "hub");
    for (long i = 1; i <= DEGREE; i++) {
      hub.addEdge("knows", graph.addVertex(T.id, HUB + i, "name", "n" + i));
    }
    graph.tx().commit();
    slow = directory.resolve("slow.log");
    server =
        new ServedFixture(
            graph, Map.of("server.slow.file", slow.toString(), "server.slow.threshold", "1"));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void requireCounts(TraversalMetrics profile) {
    Metrics start = profile.getMetrics().iterator().next();
    assertEquals("all vertices", start.getAnnotation(ReadMetrics.SCAN), profile::toString);
    assertEquals(DEGREE + 1, number(start, Bg3ProfileStep.ENTRIES), profile::toString);
    assertTrue(number(start, Bg3ProfileStep.PAGES) > 0, profile::toString);
    Metrics hop = profile.getMetrics().stream().skip(1).findFirst().orElseThrow();
    assertEquals(DEGREE, number(hop, Bg3ProfileStep.ENTRIES), profile::toString);
    assertEquals(0, number(hop, Bg3ProfileStep.DEVICE_READS), profile::toString);
  }

  private static long number(Metrics step, String annotation) {
    return ((Number) step.getAnnotation(annotation)).longValue();
  }

  @ParameterizedTest
  @EnumSource(names = {"GRAPHBINARY_V1", "GRAPHSON_V3"})
  void aProfileComesToTheClientWithItsCounts(Serializers serializer) throws Exception {
    Cluster cluster = ServedFixture.client(server.port(), serializer);
    try {
      requireCounts(
          ServedFixture.source(cluster).V().has("name", "hub").out("knows").profile().next());
      Result text =
          cluster.connect().submit("g.V().has('name','hub').out('knows').profile()").one();
      requireCounts((TraversalMetrics) text.getObject());
    } finally {
      cluster.close();
    }
  }

  private static JsonNode slowLine(String text) throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (System.nanoTime() < end) { // it is written behind the answer
      for (String line : Files.exists(slow) ? Files.readAllLines(slow) : List.<String>of()) {
        if (line.contains(text)) {
          return new ObjectMapper().readTree(line);
        }
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
    throw new AssertionError(text + " is not in the log");
  }

  private static void requireCounts(JsonNode line) {
    assertEquals(1, line.get("fullScans").asLong(), line::toString);
    assertEquals(2 * DEGREE + 1, line.get("entriesScanned").asLong(), line::toString);
    assertTrue(line.get("pagesVisited").asLong() >= 2, line::toString);
    assertEquals(0, line.get("deviceReads").asLong(), line::toString);
    assertEquals(0, line.get("deviceBytes").asLong(), line::toString);
    assertTrue(line.get("keysLookedUp").asLong() >= 0, line::toString);
    assertTrue(line.get("plan").asText().contains("scan=all vertices"), line::toString);
  }

  /** A request that waits in the middle, so that it is slow. */
  private static void awaited(CompletableFuture<?> query) throws Exception {
    waiting.awaitCall();
    TimeUnit.MILLISECONDS.sleep(5);
    waiting.letGo(1);
    query.get();
  }

  @Test
  void aSlowQueryIsALineWithWhatItHasRead() throws Exception {
    awaited(
        ServedFixture.begin(
            () ->
                server
                    .g()
                    .V()
                    .has("name", "hub")
                    .out("knows")
                    .count()
                    .map(__.call("waiting"))
                    .toList()));
    requireCounts(slowLine("g.V().has(String, String).out(String).count()"));
    awaited(
        server
            .cluster()
            .connect()
            .submit("g.V().has('name','hub').out('knows').count().map(__.call('waiting'))")
            .all());
    requireCounts(slowLine("g.V().has('name','hub')"));
  }
}
