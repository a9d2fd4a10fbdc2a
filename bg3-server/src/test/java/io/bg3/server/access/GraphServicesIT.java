package io.bg3.server.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Setting;
import io.bg3.gremlin.services.Bg3Services;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.AccessSetup;
import io.bg3.server.Bg3Server;
import io.bg3.server.MemoryShares;
import io.bg3.server.OnlineGraphs;
import io.bg3.server.ServedFixture;
import io.bg3.server.ServerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.commons.lang3.exception.ExceptionUtils;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.driver.ResultSet;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Administrators create and drop graphs while other clients ask. */
class GraphServicesIT {
  private static final long TOTAL = 64L << 20;
  private static final String ENDLESS = "g.inject(1).repeat(__.identity()).until(__.is(-1))";

  @TempDir private Path directory;

  private Bg3Server server;
  private int port;
  private Cluster root;
  private Cluster ada;

  private static Graph store(Path directory, long budget) {
    BaseConfiguration configuration = new BaseConfiguration();
    configuration.setProperty(Setting.DIRECTORY.key(), directory.toString());
    configuration.setProperty(Setting.MEMORY_BUDGET.key(), Long.toString(budget));
    Bg3Graph graph = Bg3Graph.open(configuration);
    Bg3Services.register(graph);
    return graph;
  }

  @BeforeEach
  void start() throws IOException {
    UsersFile users = TestUsers.write(directory.resolve("users"));
    users.put(TestUsers.user("root", Role.ADMIN));
    port = ServedFixture.freePort();
    ServerSettings settings =
        ServerSettings.of(
            Map.of(
                "server.port",
                Integer.toString(port),
                "server.handshake.timeout",
                "120000",
                "server.evaluation.timeout",
                "300000",
                "server.users",
                users.path().toString()));
    OnlineGraphs online = OnlineGraphs.read(directory.resolve("data.graphs"), false);
    MemoryShares memory = MemoryShares.of(TOTAL, 50, Map.of("g", 2), online.shares());
    Map<String, Graph> graphs = new TreeMap<>();
    graphs.put("g", store(directory.resolve("data"), memory.bytes("g")));
    online.open(memory, GraphServicesIT::store, graphs::put);
    server = Bg3Server.start(settings, AccessSetup.open(settings), graphs, Optional.of(online));
    root = cluster("root");
    ada = cluster("ada");
  }

  @AfterEach
  void stop() {
    root.close();
    ada.close();
    server.close();
  }

  private Cluster cluster(String name) {
    return Cluster.build("127.0.0.1")
        .port(port)
        .credentials(name, name + "-secret")
        .minConnectionPoolSize(1)
        .maxConnectionPoolSize(1)
        .maxWaitForConnection(ServedFixture.CONNECT_MILLIS)
        .connectionSetupTimeoutMillis(ServedFixture.CONNECT_MILLIS)
        .create();
  }

  private static Object call(Cluster as, String service, Map<Object, Object> parameters) {
    return ServedFixture.source(as).call("bg3.graphs." + service, parameters).next();
  }

  private static void assertFails(String part, Runnable query) {
    String message =
        ExceptionUtils.getRootCauseMessage(assertThrows(RuntimeException.class, query::run));
    assertTrue(message.contains(part), message);
  }

  private static List<?> names(Cluster as) {
    return ServedFixture.source(as).call("bg3.graphs.list").toList().stream()
        .map(row -> ((Map<?, ?>) row).get("name") + " " + ((Map<?, ?>) row).get("origin"))
        .toList();
  }

  @Test
  void aGraphIsCreatedUsedKeptAndDropped() throws Exception {
    assertEquals("x", call(root, "create", Map.of("name", "x", "share", 1)));
    GraphTraversalSource x = ServedFixture.source(ada, "x");
    x.addV("there").iterate();
    Transaction tx = x.tx();
    ((GraphTraversalSource) tx.begin()).addV("there").iterate();
    tx.commit();
    assertEquals(List.of("g configuration", "x online"), names(ada));
    assertEquals(0, ServedFixture.source(ada).V().count().next());
    stop();
    start();
    assertEquals(2, ServedFixture.source(ada, "x").V().count().next());
    assertEquals("x", call(root, "drop", Map.of("name", "x", "confirm", "x")));
    assertFails("there is no such graph", () -> ServedFixture.source(ada, "x").V().iterate());
    assertEquals(List.of("g configuration"), names(ada));
    assertFalse(Files.exists(directory.resolve("data.graphs").resolve("x")));
    assertEquals("x", call(root, "create", Map.of("name", "x")));
    assertEquals(0, ServedFixture.source(ada, "x").V().count().next());
  }

  @Test
  void onlyAdministratorsCreateAndDrop() {
    call(root, "create", Map.of("name", "x"));
    String refusal = "only users with the role admin may call this service";
    assertFails(refusal, () -> call(ada, "create", Map.of("name", "y")));
    assertFails(refusal, () -> call(ada, "drop", Map.of("name", "x", "confirm", "x")));
    assertEquals(List.of("g configuration", "x online"), names(ada));
  }

  @Test
  void aMistakeIsRefused() {
    call(root, "create", Map.of("name", "x"));
    assertFails(
        "a graph of this name exists already", () -> call(root, "create", Map.of("name", "x")));
    assertFails(
        "a graph of this name exists already", () -> call(root, "create", Map.of("name", "g")));
    assertFails("not valid: name=../y", () -> call(root, "create", Map.of("name", "../y")));
    assertFails("is missing or no text", () -> call(root, "create", Map.of("share", 1)));
    assertFails("no room", () -> call(root, "create", Map.of("name", "y", "share", 9)));
    assertFails("not a share", () -> call(root, "create", Map.of("name", "y", "share", 0)));
    assertFails("not a share", () -> call(root, "create", Map.of("name", "y", "share", "1")));
    assertFails("needs its name twice", () -> call(root, "drop", Map.of("name", "x")));
    assertFails(
        "needs its name twice", () -> call(root, "drop", Map.of("name", "x", "confirm", "g")));
    assertFails(
        "a graph of the configuration cannot be dropped",
        () -> call(root, "drop", Map.of("name", "g", "confirm", "g")));
    assertFails(
        "no graph of this name", () -> call(root, "drop", Map.of("name", "y", "confirm", "y")));
    assertFails(
        "a request to a graph cannot drop that graph",
        () ->
            ServedFixture.source(root, "x")
                .call("bg3.graphs.drop", Map.of("name", "x", "confirm", "x"))
                .iterate());
  }

  /** Queries and transactions of the graph are told; those of another graph go on. */
  @Test
  void aDropEndsTheRequestsOfTheGraphAlone() throws Exception {
    call(root, "create", Map.of("name", "x"));
    Transaction open = ServedFixture.source(ada, "x").tx();
    GraphTraversalSource inside = open.begin();
    inside.addV("lost").iterate();
    Transaction other = ServedFixture.source(ada).tx();
    GraphTraversalSource beside = other.begin();
    beside.addV("kept").iterate();
    CompletableFuture<ResultSet> endless = ada.connect().alias("x").submitAsync(ENDLESS);
    while (ServedFixture.source(root).call("bg3.queries").toList().stream()
        .noneMatch(row -> ((Map<?, ?>) row).get("query").equals(ENDLESS))) {
      Thread.sleep(20);
    }
    call(root, "drop", Map.of("name", "x", "confirm", "x"));
    assertFails(
        "the graph was dropped",
        () -> endless.join().all().orTimeout(300, TimeUnit.SECONDS).join());
    assertFails("there is no such graph", open::commit);
    other.commit();
    assertEquals(1, ServedFixture.source(ada).V().hasLabel("kept").count().next());
  }
}
