package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.services.Bg3Services;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.access.Role;
import io.bg3.server.access.TestUsers;
import io.bg3.server.access.UserLimits;
import io.bg3.server.access.UsersFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Queries of users with limits of their own, beside those of a user without.
 *
 * <p>One server with users for all tests, in this process. Takes about 5 s. It has no longer form.
 */
class UserLimitsIT {
  private static final long MEMORY = 64 << 20;
  private static final long PATIENCE_SECONDS = 120;

  @TempDir private static Path directory;
  private static WaitingService waiting;
  private static UsersFile users;
  private static ServedFixture server; // its own client has no user
  private final List<Cluster> clusters = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    users = TestUsers.write(directory.resolve("users"));
    limit("slow", new UserLimits(300, UserLimits.UNSET, 0)); // a fast loop allocates as fast
    limit("one", new UserLimits(UserLimits.UNSET, 1, UserLimits.UNSET));
    limit("small", new UserLimits(UserLimits.UNSET, UserLimits.UNSET, MEMORY));
    limit("large", new UserLimits(UserLimits.UNSET, UserLimits.UNSET, 0));
    Bg3Graph graph = Bg3Graph.open();
    Bg3Services.register(graph);
    waiting = new WaitingService("waiting", false);
    graph.getServiceRegistry().registerService(waiting);
    server =
        new ServedFixture(
            graph,
            Map.of(
                "server.users", users.path().toString(),
                "server.user.memory", Long.toString(2 * MEMORY)));
  }

  private static void limit(String name, UserLimits limits) throws Exception {
    users.put(TestUsers.user(name, Role.WRITER).limited(limits));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @AfterEach
  void disconnect() {
    clusters.forEach(Cluster::close);
  }

  private Cluster cluster(String user) {
    Cluster cluster =
        Cluster.build("127.0.0.1")
            .port(server.port())
            .credentials(user, user + "-secret")
            .minConnectionPoolSize(1)
            .maxConnectionPoolSize(1)
            .maxWaitForConnection(ServedFixture.CONNECT_MILLIS)
            .connectionSetupTimeoutMillis(ServedFixture.CONNECT_MILLIS)
            .create();
    clusters.add(cluster);
    return cluster;
  }

  private static CompletableFuture<List<Object>> begin(Traversal<?, Object> query) {
    return ServedFixture.begin(query::toList);
  }

  private static String failure(Traversal<?, ?> query) {
    return String.valueOf(assertThrows(CompletionException.class, query::toList).getCause());
  }

  /** A query that has no end and keeps nothing. */
  private static Traversal<?, ?> endless(GraphTraversalSource g) {
    return g.inject(1).repeat(__.identity()).until(__.is(2));
  }

  /** A query that makes the same text again and again. */
  private static GraphTraversal<?, String> growing(Cluster user, String text) {
    return ServedFixture.source(user)
        .inject(text)
        .repeat(__.<String>concat("y").substring(0, text.length()));
  }

  @Test
  void aQueryOverTheTimeOfItsUserEndsWithTheTimeInItsError() {
    Cluster slow = cluster("slow");
    String failure = failure(endless(ServedFixture.source(slow)));
    assertTrue(failure.contains("evaluationTimeout=300 ms"), failure);
    failure = failure(endless(ServedFixture.source(slow).with("evaluationTimeout", 60_000L)));
    assertTrue(failure.contains("evaluationTimeout=300 ms"), failure);
  }

  @Test
  void aStatementOfATransactionHasTheTimeOfItsUser() {
    Cluster slow = cluster("slow");
    GraphTraversalSource g = ServedFixture.source(slow);
    Transaction tx = g.tx();
    GraphTraversalSource inside = tx.begin();
    inside.addV("half").iterate();
    String failure = failure(endless(inside));
    assertTrue(failure.contains("did not end within its time"), failure);
    assertThrows(RuntimeException.class, tx::commit);
    assertEquals(0, g.V().hasLabel("half").count().next());
  }

  @Test
  void aUserWithOneQueryAtOnceWaitsForItself() throws Exception {
    Cluster first = cluster("one");
    Cluster second = cluster("one");
    Cluster other = cluster("ada");
    CompletableFuture<List<Object>> held =
        begin(ServedFixture.source(first).inject(1).<Object>call("waiting"));
    waiting.awaitCall();
    CompletableFuture<List<Object>> next =
        begin(ServedFixture.source(second).inject(2).<Object>map(__.identity()));
    assertEquals(1, ServedFixture.source(other).inject(3).count().next());
    TimeUnit.MILLISECONDS.sleep(100); // for a wrong beginning
    assertFalse(next.isDone());
    waiting.letGo(1);
    held.get();
    assertEquals(List.of(2), next.get());
  }

  /** The query has no end, so a commit that waited for it would be refused and the work lost. */
  @Test
  void aTransactionDoesNotWaitForAQueryOfItsUser() throws Exception {
    Cluster first = cluster("one");
    Cluster second = cluster("one");
    Transaction tx = ServedFixture.source(first).tx();
    GraphTraversalSource inside = tx.begin();
    inside.addV("kept").iterate();
    CompletableFuture<List<Object>> held =
        begin(ServedFixture.source(second).inject(1).<Object>call("waiting"));
    waiting.awaitCall();
    inside.addV("kept").iterate();
    CompletableFuture<Void> commit = CompletableFuture.runAsync(tx::commit);
    commit.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    assertFalse(held.isDone());
    waiting.letGo(1);
    held.get();
    assertEquals(2, ServedFixture.source(first).V().hasLabel("kept").count().next());
  }

  @Test
  void aQueryThatAllocatesTooMuchEndsAndOthersGoOn() {
    Cluster small = cluster("small");
    Cluster standard = cluster("ada");
    Cluster large = cluster("large");
    String text = "x".repeat(100_000);
    for (Cluster user : List.of(small, standard)) {
      String failure = failure(growing(user, text).until(__.is("z")));
      assertTrue(failure.contains("server.user.memory"), failure);
    }
    for (int i = 0; i < 20; i++) { // each has the whole of it
      assertEquals(1, ServedFixture.source(small).inject(text).count().next());
    }
    assertEquals( // about 300 KB each time, so more than the server's limit for all users
        text, growing(large, text).until(__.loops().is(1_000)).next());
  }
}
