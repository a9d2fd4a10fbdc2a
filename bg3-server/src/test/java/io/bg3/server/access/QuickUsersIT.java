package io.bg3.server.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.AccessSetup;
import io.bg3.server.Bg3Server;
import io.bg3.server.ServedFixture;
import io.bg3.server.ServerSettings;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.T;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Short requests of users, which event loops run although the audit log has a line for each. */
class QuickUsersIT {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final int REQUESTS = 500;

  @TempDir private Path directory;

  private UsersFile users;
  private Path audit;
  private Bg3Server server;
  private int port;
  private int figures;

  @BeforeEach
  void start() throws Exception {
    users = TestUsers.write(directory.resolve("users")); // ada: writer, bob: reader
    audit = directory.resolve("audit.log");
    port = ServedFixture.freePort();
    figures = ServedFixture.freePort();
    Bg3Graph graph = Bg3Graph.open();
    for (long i = 0; i < REQUESTS; i++) {
      graph.addVertex(T.id, i, "age", i);
    }
    graph.tx().commit();
    ServerSettings settings =
        ServerSettings.of(
            Map.of(
                "server.port",
                Integer.toString(port),
                "server.handshake.timeout",
                "120000",
                "server.evaluation.timeout",
                "300000",
                "server.heap.limit",
                "95", // the heap is that of all tests
                "server.quick.reads",
                "100000", // whatever the compilers have done
                "server.metrics.prometheus.port",
                Integer.toString(figures),
                "server.audit.file",
                audit.toString(),
                "server.users",
                users.path().toString()));
    server = Bg3Server.start(settings, AccessSetup.open(settings), Map.of("g", graph));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Cluster client(String name) {
    return Cluster.build("127.0.0.1")
        .port(port)
        .credentials(name, name + "-secret")
        .minConnectionPoolSize(1)
        .maxConnectionPoolSize(1)
        .maxWaitForConnection(ServedFixture.CONNECT_MILLIS)
        .connectionSetupTimeoutMillis(ServedFixture.CONNECT_MILLIS)
        .create();
  }

  private double quick() throws Exception {
    HttpRequest ask =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + figures + "/metrics")).build();
    String name = "bg3_server_queries_quick_total ";
    return HTTP.send(ask, HttpResponse.BodyHandlers.ofString())
        .body()
        .lines()
        .filter(line -> line.startsWith(name))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length())))
        .sum();
  }

  private void warm(GraphTraversalSource g) throws Exception {
    double before = quick();
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
    while (quick() - before < 20) {
      assertTrue(System.nanoTime() < end, "event loops run no such query");
      for (int i = 0; i < 20; i++) {
        assertEquals(0L, g.V(0L).values("age").next());
      }
    }
  }

  private long lines(String part) throws Exception {
    try (var lines = Files.lines(audit)) {
      return lines.filter(line -> line.contains(part)).count();
    }
  }

  @Test
  void eachRequestHasOneLineAndTheStoppedServerHasWrittenAll() throws Exception {
    Cluster cluster = client("bob");
    double before;
    try {
      GraphTraversalSource g = ServedFixture.source(cluster);
      warm(g);
      before = quick();
      for (long i = 1; i < REQUESTS; i++) {
        assertEquals(i, g.V(i).values("age").next());
      }
      assertTrue(quick() - before > REQUESTS / 2, "quick=" + (quick() - before));
    } finally {
      cluster.close();
      server.close();
    }
    for (long i = 1; i < REQUESTS; i++) {
      String query = "query=\"[[], [V(" + i + "), values(age)]]\"";
      assertEquals(1, lines(query), query);
    }
    assertTrue(lines("request user=\"bob\" role=reader graph=g ") >= REQUESTS);
  }

  @Test
  void aWriteIsInTheLogWhenItsAnswerIsThere() throws Exception {
    Cluster cluster = client("ada");
    try {
      GraphTraversalSource g = ServedFixture.source(cluster);
      warm(g);
      double before = quick();
      for (long i = 1; i < 100; i++) {
        g.V(i).property("age", -i).iterate();
        assertEquals(1, lines("[V(" + i + "), property(age, -" + i + ")"), "i=" + i);
      }
      assertEquals(before, quick(), "an event loop has run a write");
      for (long i = 1; i < 100; i++) {
        assertEquals(-i, g.V(i).values("age").next());
      }
    } finally {
      cluster.close();
    }
  }

  @Test
  void aRemovedUserIsOutAtOnce() throws Exception {
    Cluster cluster = client("bob");
    try {
      GraphTraversalSource g = ServedFixture.source(cluster);
      warm(g);
      users.remove("bob");
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
      assertThrows(
          RuntimeException.class,
          () -> {
            while (System.nanoTime() < end) {
              assertEquals(1L, g.V(1L).values("age").next());
            }
          });
    } finally {
      cluster.close();
    }
  }
}
