package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.structure.Bg3Graph;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Short reads, which event loops run as soon as their like has been short for a while, and requests
 * that only look like them: a client cannot tell the difference by an answer or a metric.
 */
class QuickReadsIT {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final int FEW = 3;
  private static final int MANY = 5_000;
  private static final int WARM = 20;

  private ServedFixture served;
  private int figures;

  /** Vertex 1 has a few neighbours, vertex 2 many; each has the number of its neighbours. */
  @BeforeEach
  void start() throws Exception {
    Bg3Graph graph = Bg3Graph.open();
    Vertex few = graph.addVertex(T.id, 1L, "count", FEW);
    Vertex many = graph.addVertex(T.id, 2L, "count", MANY);
    for (int i = 0; i < MANY; i++) {
      Vertex to = graph.addVertex(T.id, 10L + i, "age", i, "name", "n" + i);
      many.addEdge("knows", to);
      if (i < FEW) {
        few.addEdge("knows", to);
      }
    }
    graph.tx().commit();
    figures = ServedFixture.freePort();
    served =
        new ServedFixture(
            graph,
            Map.of(
                "server.metrics.prometheus.port",
                Integer.toString(figures),
                "server.quick.reads",
                "100000")); // whatever the compilers of the virtual machine have done
  }

  @AfterEach
  void stop() {
    served.close();
  }

  private double figure(String name) throws Exception {
    HttpRequest ask =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + figures + "/metrics")).build();
    String page = HTTP.send(ask, HttpResponse.BodyHandlers.ofString()).body();
    return page.lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length())))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " is not in\n" + page));
  }

  private double quick() throws Exception {
    return figure("bg3_server_queries_quick_total");
  }

  /** Asks until event loops run a query of this kind about vertex 1. */
  private void warm(GraphTraversalSource g, long count) throws Exception {
    double before = quick();
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
    while (quick() - before < WARM) {
      assertTrue(System.nanoTime() < end, "event loops run no such query");
      for (int i = 0; i < WARM; i++) {
        assertEquals(count, distinct(g, 1));
      }
    }
  }

  private static long distinct(GraphTraversalSource g, long id) {
    return g.V(id).out("knows").values("age").dedup().count().next();
  }

  @Test
  void shortReadsAreRunByEventLoopsAndCountedOnce() throws Exception {
    GraphTraversalSource g = served.g();
    warm(g, FEW);
    String requests = "bg3_server_requests_total{via=\"websocket\"}";
    String queries = "bg3_server_queries_seconds_count{outcome=\"success\"}";
    double requestsBefore = figure(requests);
    double queriesBefore = figure(queries);
    for (int i = 0; i < 100; i++) {
      assertEquals(FEW, distinct(g, 1));
    }
    assertEquals(100, figure(requests) - requestsBefore);
    assertEquals(100, figure(queries) - queriesBefore);
  }

  @Test
  void oneThatTurnsOutToBeLongIsRunByAWorker() throws Exception {
    GraphTraversalSource g = served.g();
    warm(g, FEW);
    double failures = figure("bg3_server_queries_seconds_count{outcome=\"error\"}");
    for (int i = 0; i < 20; i++) {
      assertEquals(MANY, distinct(g, 2));
      assertEquals(FEW, distinct(g, 1));
    }
    assertEquals(failures, figure("bg3_server_queries_seconds_count{outcome=\"error\"}"));
    warm(g, FEW);
  }

  /** It is not one message, so no event loop answers it. */
  @Test
  void oneWithManyResultsIsRunByAWorker() throws Exception {
    GraphTraversalSource g = served.g();
    double before = quick();
    for (int i = 0; i < WARM && quick() == before; i++) {
      assertEquals(FEW, g.V(1L).out("knows").values("name").toList().size());
    }
    List<Object> names = g.V(2L).out("knows").values("name").toList();
    assertEquals(MANY, names.stream().distinct().count());
  }

  @Test
  void oneWithALargeAnswerIsRunByAWorker() throws Exception {
    GraphTraversalSource g = served.g();
    String large = "x".repeat(100_000);
    g.V(10L).property("name", large).iterate();
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
    for (double before = quick(); quick() == before; ) {
      assertTrue(System.nanoTime() < end, "event loops run no such query");
      assertEquals("n1", g.V(11L).values("name").next());
    }
    double before = quick();
    for (int i = 0; i < WARM; i++) {
      assertEquals(large, g.V(10L).values("name").next());
    }
    assertEquals(before, quick());
  }

  @Test
  void anErrorIsTheSame() throws Exception {
    GraphTraversalSource g = served.g();
    g.V(10L).property("age", "none").iterate();
    String first =
        assertThrows(CompletionException.class, () -> g.V(10L).values("age").sum().next())
            .getMessage();
    double before = quick();
    for (int i = 0; i < WARM && quick() == before; i++) {
      assertEquals(1, g.V(11L).values("age").sum().next());
    }
    for (int i = 0; i < 10; i++) {
      String later =
          assertThrows(CompletionException.class, () -> g.V(10L).values("age").sum().next())
              .getMessage();
      assertEquals(first, later);
      assertEquals(1, g.V(11L).values("age").sum().next());
    }
  }

  @Test
  void aReadFindsWhatItsConnectionHasWritten() throws Exception {
    GraphTraversalSource g = served.g();
    warm(g, FEW);
    for (int i = 0; i < 50; i++) {
      g.V(1L).property("count", i).iterate();
      assertEquals(i, g.V(1L).values("count").next());
    }
  }

  @Test
  void manyAtOnceOnOneConnectionGetTheirOwn() throws Exception {
    GraphTraversalSource g = served.g();
    warm(g, FEW);
    List<CompletableFuture<Object>> asked = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      long id = 10L + i;
      asked.add(g.V(id).values("age").promise(each -> each.next()).thenApply(age -> age));
    }
    assertEquals(
        IntStream.range(0, 200).boxed().toList(),
        asked.stream().map(each -> each.orTimeout(5, TimeUnit.MINUTES).join()).toList());
  }
}
