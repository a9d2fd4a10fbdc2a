package io.bg3.server.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.services.Bg3Services;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.AccessSetup;
import io.bg3.server.Bg3Server;
import io.bg3.server.ServedFixture;
import io.bg3.server.ServerSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.commons.lang3.exception.ExceptionUtils;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users with different roles on the graphs of one server. */
class GraphRolesIT {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);

  @TempDir private static Path directory;

  private static UsersFile users;
  private static Path audit;
  private static Bg3Server server;
  private static int port;

  @BeforeAll
  static void start() throws Exception {
    users = TestUsers.write(directory.resolve("users")); // ada: writer, bob: reader
    users.put(on("some", Role.NONE, "people=reader,orders=writer"));
    users.put(on("most", Role.WRITER, "people=reader,orders=none"));
    users.put(on("nobody", Role.NONE, ""));
    users.put(on("root", Role.ADMIN, "orders=none"));
    port = ServedFixture.freePort();
    audit = directory.resolve("audit.log");
    Map<String, Graph> graphs = new TreeMap<>();
    for (String name : List.of("g", "people", "orders")) {
      Bg3Graph graph = Bg3Graph.open();
      Bg3Services.register(graph);
      graph.traversal().addV("kept").iterate();
      graph.tx().commit();
      graphs.put(name, graph);
    }
    ServerSettings settings =
        ServerSettings.of(
            Map.of(
                "server.port", Integer.toString(port),
                "server.handshake.timeout", "120000",
                "server.evaluation.timeout", "300000",
                "server.audit.file", audit.toString(),
                "server.users", users.path().toString()));
    server = Bg3Server.start(settings, AccessSetup.open(settings), graphs);
  }

  private static User on(String name, Role role, String graphs) {
    return TestUsers.user(name, role).onGraphs(GraphRoles.of(graphs));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private interface Query {
    void on(Cluster cluster) throws Exception;
  }

  private static void as(String name, Query query) throws Exception {
    Cluster cluster =
        Cluster.build("127.0.0.1")
            .port(port)
            .credentials(name, name + "-secret")
            .minConnectionPoolSize(1)
            .maxConnectionPoolSize(1)
            .maxWaitForConnection(ServedFixture.CONNECT_MILLIS)
            .connectionSetupTimeoutMillis(ServedFixture.CONNECT_MILLIS)
            .create();
    try {
      query.on(cluster);
    } finally {
      cluster.close();
    }
  }

  private static void reads(Cluster cluster, String graph) {
    GraphTraversalSource g = ServedFixture.source(cluster, graph);
    assertEquals(1, g.V().hasLabel("kept").count().next());
    assertEquals(1L, text(cluster, graph, "g.V().hasLabel('kept').count()"));
    Transaction tx = g.tx();
    assertEquals(1, ((GraphTraversalSource) tx.begin()).V().hasLabel("kept").count().next());
    tx.rollback();
  }

  private static Object text(Cluster cluster, String graph, String text) {
    return cluster.connect().alias(graph).submit(text).all().join().get(0).getObject();
  }

  private static void writes(Cluster cluster, String graph) {
    ServedFixture.source(cluster, graph).addV("written").iterate();
    assertEquals("written", text(cluster, graph, "g.addV('written').label()"));
  }

  private static void doesNotWrite(Cluster cluster, String graph) {
    String refusal = "this request may only read: step=addV";
    GraphTraversalSource g = ServedFixture.source(cluster, graph);
    assertFails(refusal, () -> g.addV("forbidden").iterate());
    assertFails(refusal, () -> text(cluster, graph, "g.addV('forbidden').label()"));
    GraphTraversalSource inside = g.tx().begin();
    assertFails(refusal, () -> inside.addV("forbidden").iterate());
  }

  /** A user is told as little of a graph on which it has no role as of one that does not exist. */
  private static void doesNotSee(Cluster cluster, String graph, String known) {
    String refusal =
        "there is no such graph, or you have no role on it: graph=" + graph + ", known=" + known;
    GraphTraversalSource g = ServedFixture.source(cluster, graph);
    assertFails(refusal, () -> g.V().iterate());
    assertFails(refusal, () -> text(cluster, graph, "g.V()"));
    assertFails(refusal, () -> text(cluster, graph, "g.addV('forbidden')"));
    assertFails(refusal, () -> text(cluster, graph, "not Gremlin"));
    assertFails(refusal, () -> g.call("bg3.queries").iterate());
    GraphTraversalSource inside = g.tx().begin();
    assertFails(refusal, () -> inside.V().iterate());
    assertFails(refusal, () -> inside.call("none").iterate());
  }

  private static void assertFails(String part, Runnable query) {
    String message =
        ExceptionUtils.getRootCauseMessage(assertThrows(RuntimeException.class, query::run));
    assertTrue(message.contains(part), message);
  }

  @Test
  void aRoleOnAllGraphsIsOnEach() throws Exception {
    as(
        "ada",
        ada -> {
          for (String graph : List.of("g", "people", "orders")) {
            reads(ada, graph);
            writes(ada, graph);
          }
          doesNotSee(ada, "none", "[g, orders, people]");
        });
    as(
        "bob",
        bob -> {
          for (String graph : List.of("g", "people", "orders")) {
            reads(bob, graph);
            doesNotWrite(bob, graph);
          }
        });
  }

  @Test
  void aUserHasEachRoleOnItsGraphs() throws Exception {
    as(
        "some",
        some -> {
          reads(some, "people");
          doesNotWrite(some, "people");
          reads(some, "orders");
          writes(some, "orders");
          doesNotSee(some, "g", "[orders, people]");
          doesNotSee(some, "none", "[orders, people]");
        });
    as(
        "most",
        most -> {
          reads(most, "g");
          writes(most, "g");
          doesNotWrite(most, "people");
          doesNotSee(most, "orders", "[g, people]");
        });
    as("nobody", nobody -> doesNotSee(nobody, "g", "[]"));
    as("root", root -> doesNotSee(root, "orders", "[g, people]"));
    String log = Files.readString(audit);
    assertTrue(log.contains("request user=\"some\" role=reader graph=people from="), log);
    assertTrue(log.contains("request user=\"some\" role=none graph=g from="), log);
    assertTrue(log.contains("request user=\"some\" role=writer graph=orders from="), log);
    assertFalse(log.contains("secret"), "no password is written down");
  }

  @Test
  void aRoleThatIsTakenAwayHoldsForTheNextRequest() throws Exception {
    users.put(on("changed", Role.NONE, "people=writer"));
    awaitLogin("changed");
    as(
        "changed",
        changed -> {
          Transaction tx = ServedFixture.source(changed, "people").tx();
          GraphTraversalSource inside = tx.begin();
          inside.addV("forbidden").iterate();
          users.put(users.find("changed").orElseThrow().onGraphs(GraphRoles.NONE));
          awaitUnseen(changed);
          assertFails("there is no such graph", tx::commit);
        });
    as(
        "ada",
        ada -> {
          GraphTraversalSource people = ServedFixture.source(ada, "people");
          assertEquals(0, people.V().hasLabel("forbidden").count().next());
        });
  }

  /**
   * Waits until the server has read the file of users again and lets a new one in. Each login has a
   * client of its own: a client with one connection, whose login was refused, may wait for minutes
   * for that connection.
   */
  private static void awaitLogin(String name) throws Exception {
    long end = System.nanoTime() + PATIENCE_NANOS;
    boolean isIn = false;
    while (!isIn && System.nanoTime() < end) {
      try {
        as(name, user -> ServedFixture.source(user, "people").V().limit(1).iterate());
        isIn = true;
      } catch (CompletionException e) {
        Thread.sleep(50);
      }
    }
    assertTrue(isIn, "the server does not let a new user in: name=" + name);
  }

  /** Waits until a user who is logged in does not see a graph any more. */
  private static void awaitUnseen(Cluster cluster) throws InterruptedException {
    GraphTraversalSource people = ServedFixture.source(cluster, "people");
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (System.nanoTime() < end) {
      try {
        people.V().limit(1).iterate();
      } catch (CompletionException e) {
        return;
      }
      Thread.sleep(50);
    }
    throw new AssertionError("the role does not change");
  }
}
