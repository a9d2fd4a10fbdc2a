package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.services.Bg3Services;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.access.Role;
import io.bg3.server.access.TestUsers;
import io.bg3.server.access.UsersFile;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.driver.Result;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.shaded.jackson.databind.JsonNode;
import org.apache.tinkerpop.shaded.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The queries of a server as an administrator, their own user and another user see and end them.
 *
 * <p>One server with users and HTTP for all tests, in this process: a service of the test holds the
 * queries that are looked at. Takes about 5 s. It has no longer form.
 */
class QueriesIT {
  private static final String ENDED = "the query was ended by its user or an administrator";

  @TempDir private static Path directory;
  private static WaitingService waiting;
  private static Path audit;
  private static Path slow;
  private static int httpPort;
  private static ServedFixture server; // its own client has no user
  private static Cluster root;
  private static Cluster ada;
  private static Cluster eve;
  private static Cluster bob;

  @BeforeAll
  static void start() throws Exception {
    UsersFile users = TestUsers.write(directory.resolve("users"));
    users.put(TestUsers.user("root", Role.ADMIN));
    users.put(TestUsers.user("eve", Role.WRITER));
    audit = directory.resolve("audit.log");
    slow = directory.resolve("slow.log");
    httpPort = ServedFixture.freePort();
    Bg3Graph graph = Bg3Graph.open();
    Bg3Services.register(graph);
    waiting = new WaitingService("waiting", false);
    graph.getServiceRegistry().registerService(waiting);
    server =
        new ServedFixture(
            graph,
            Map.of(
                "server.http.port", Integer.toString(httpPort),
                "server.users", users.path().toString(),
                "server.audit.file", audit.toString(),
                "server.slow.file", slow.toString(),
                "server.slow.threshold", "1"));
    root = cluster("root");
    ada = cluster("ada");
    eve = cluster("eve");
    bob = cluster("bob");
  }

  private static Cluster cluster(String user) {
    return Cluster.build("127.0.0.1")
        .port(server.port())
        .credentials(user, user + "-secret")
        .minConnectionPoolSize(1)
        .maxConnectionPoolSize(1)
        .maxWaitForConnection(ServedFixture.CONNECT_MILLIS)
        .connectionSetupTimeoutMillis(ServedFixture.CONNECT_MILLIS)
        .create();
  }

  @AfterAll
  static void stop() {
    List.of(root, ada, eve, bob).forEach(Cluster::close);
    server.close();
  }

  @AfterEach
  void nothingWaits() {
    assertEquals(0, waiting.calls());
  }

  private static List<Map<?, ?>> seenBy(Cluster user) {
    return ServedFixture.source(user).<Map<?, ?>>call("bg3.queries").toList();
  }

  /** The row of a query that waits in the service; null if the user does not see it. */
  private static Map<?, ?> held(Cluster user) {
    List<Map<?, ?>> rows =
        seenBy(user).stream()
            .filter(row -> row.get("query").toString().startsWith("g.inject"))
            .toList();
    assertTrue(rows.size() <= 1, rows::toString);
    return rows.isEmpty() ? null : rows.get(0);
  }

  /** Has another thread wait for all results of a query. */
  private static CompletableFuture<List<Object>> begin(Traversal<?, Object> query) {
    return ServedFixture.begin(query::toList);
  }

  private static boolean kill(Cluster user, Object id) {
    return ServedFixture.source(user).<Boolean>call("bg3.queries.kill", Map.of("id", id)).next();
  }

  private static String failure(CompletableFuture<?> query) throws InterruptedException {
    try {
      query.get();
      throw new AssertionError("the query was not ended");
    } catch (ExecutionException e) {
      return String.valueOf(e.getCause());
    }
  }

  @Test
  void anAdministratorSeesAndEndsTheBytecodeOfAnother() throws Exception {
    CompletableFuture<List<Object>> query =
        begin(
            ServedFixture.source(ada)
                .<Object>inject("my secret", 2)
                .where(__.call("waiting"))
                .<Object>map(__.identity()));
    waiting.awaitCall();

    Map<?, ?> row = held(root);
    assertEquals(
        "g.inject(String, Integer).where(__.call(String)).map(__.identity())", row.get("query"));
    assertEquals("running", row.get("state"));
    assertEquals("ada", row.get("user"));
    assertTrue(row.get("address").toString().startsWith("127.0.0.1:"), row::toString);
    assertTrue((Long) row.get("ageMillis") >= 0, row::toString);
    assertTrue((Long) row.get("allocatedBytes") > 0, row::toString);
    assertEquals(row.get("id"), held(ada).get("id"), "it sees its own");
    assertNull(held(eve), "another user does not see it");
    assertFalse(kill(eve, row.get("id")), "and does not end it");
    assertEquals("running", held(root).get("state"));

    assertTrue(kill(root, row.get("id")));
    String failure = failure(query);
    assertTrue(failure.contains(ENDED), failure);
    assertFalse(kill(root, row.get("id")), "it has ended");
    String log = Files.readString(audit);
    String of = " query=" + row.get("id") + " outcome=";
    assertTrue(
        log.matches("(?s).*kill user=\"root\" from=\\S+" + of + "ended of=\"ada\"\n.*"), log);
    assertTrue(log.matches("(?s).*kill user=\"eve\" from=\\S+" + of + "none\n.*"), log);
  }

  @Test
  void aTextIsShownEscapedAndBoundedAndItsUserEndsIt() throws Exception {
    String hostile = "g.inject('a\\nb\u0001\u202e\n" + "x".repeat(5_000) + "').call('waiting')";
    CompletableFuture<List<Result>> query = ada.connect().submit(hostile).all();
    waiting.awaitCall();
    Map<?, ?> row = held(root);
    String text = row.get("query").toString();
    assertTrue(text.startsWith("g.inject('a\\nb\\u0001\\u202e\\u000axxx"), text);
    assertTrue(text.length() < 1_100, "length " + text.length());
    assertTrue(kill(ada, row.get("id")));
    String failure = failure(query);
    assertTrue(failure.contains(ENDED), failure);
  }

  @Test
  void aStatementOfATransactionEndsWithItsTransaction() throws Exception {
    GraphTraversalSource g = ServedFixture.source(ada);
    Transaction tx = g.tx();
    GraphTraversalSource inside = tx.begin();
    inside.addV("half").iterate();
    CompletableFuture<List<Object>> query = begin(inside.inject(1).<Object>call("waiting"));
    waiting.awaitCall();
    CompletableFuture<List<Object>> behind = begin(inside.<Object>inject(2));
    Map<?, ?> row =
        seenBy(root).stream()
            .filter(one -> one.get("query").equals("g.inject(Integer).call(String)"))
            .findAny()
            .orElseThrow();
    assertTrue((Long) row.get("snapshotMillis") >= 0, row::toString);
    assertTrue(kill(root, row.get("id")));
    assertTrue(failure(query).contains(ENDED));
    failure(behind);
    assertThrows(RuntimeException.class, tx::commit);
    assertEquals(0L, g.V().hasLabel("half").count().next());
  }

  @Test
  void aCommitThatWaitsBehindAStatementIsNotEnded() throws Exception {
    GraphTraversalSource g = ServedFixture.source(ada);
    Transaction tx = g.tx();
    GraphTraversalSource inside = tx.begin();
    inside.addV("whole").iterate();
    CompletableFuture<List<Object>> query = begin(inside.inject(1).<Object>call("waiting"));
    waiting.awaitCall();
    CompletableFuture<Void> commit = CompletableFuture.runAsync(tx::commit);
    Map<?, ?> row = null;
    while (row == null) {
      TimeUnit.MILLISECONDS.sleep(20);
      row =
          seenBy(root).stream()
              .filter(one -> one.get("query").equals("g.tx(String)"))
              .filter(one -> one.get("state").equals("queued"))
              .findAny()
              .orElse(null);
    }
    assertFalse(kill(root, row.get("id")));
    waiting.letGo(1);
    query.get();
    commit.get();
    assertEquals(1L, g.V().hasLabel("whole").count().next());
  }

  @Test
  void httpListsAndEndsByTheSameRules() throws Exception {
    CompletableFuture<List<Result>> query =
        ada.connect().submit("g.inject(7).call('waiting')").all();
    waiting.awaitCall();
    Object id = held(root).get("id");
    assertTrue(get("root", "g.call('bg3.queries')").body().contains("g.inject(7)"));
    assertFalse(get("eve", "g.call('bg3.queries')").body().contains("g.inject(7)"));
    String kill = "g.call('bg3.queries.kill', [id:" + id + "L])";
    assertEquals(403, get("root", kill).statusCode(), "a GET ends nothing");
    assertEquals(403, post("bob", kill).statusCode(), "a reader ends nothing");
    assertTrue(post("eve", kill).body().contains("false"));
    assertTrue(post("root", kill).body().contains("true"));
    assertTrue(failure(query).contains(ENDED));
    assertEquals(200, get("bob", "g.call('bg3.queries')").statusCode(), "a reader sees its own");
  }

  @Test
  void aWrongIdIsRefused() {
    for (Object wrong : List.of("1", 1.5, true, List.of(1))) {
      assertThrows(RuntimeException.class, () -> kill(root, wrong));
    }
    assertFalse(kill(root, Long.MAX_VALUE));
    assertFalse(kill(root, -1));
  }

  /** The line of the slow-query log about a request of a user that is the first to hold a text. */
  private static JsonNode slowLine(String text) throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (System.nanoTime() < end) { // it is written behind the answer
      for (String line : Files.readAllLines(slow)) {
        if (line.contains(text)) {
          assertTrue(line.length() < 10_000, "length " + line.length());
          return new ObjectMapper().readTree(line);
        }
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
    throw new AssertionError(text + " is not in " + Files.readString(slow));
  }

  @Test
  void aSlowQueryIsALineWithItsPlanAndWithoutItsValues() throws Exception {
    GraphTraversalSource g = ServedFixture.source(ada);
    CompletableFuture<List<Object>> query =
        begin(
            g.V()
                .has("secretKey", P.gt("secretValue"))
                .out("secretLabel")
                .fold()
                .<Object>map(__.call("waiting")));
    waiting.awaitCall();
    TimeUnit.MILLISECONDS.sleep(5);
    waiting.letGo(1);
    query.get();
    JsonNode line = slowLine("secretKey");
    assertEquals("ada", line.get("user").asText());
    assertEquals("success", line.get("outcome").asText());
    assertTrue(line.get("millis").asLong() >= 5, line::toString);
    assertEquals(1, line.get("results").asLong());
    assertEquals(0, line.get("conflicts").asLong());
    assertTrue(line.get("allocatedBytes").asLong() > 0, line::toString);
    assertEquals(1, line.get("fullScans").asLong(), line::toString);
    assertTrue(Instant.parse(line.get("time").asText()).isBefore(Instant.now()), line::toString);
    assertEquals(
        "g.V().has(String, gt(String)).out(String).fold().map(__.call(String))",
        line.get("query").asText());
    String plan = line.get("plan").asText();
    assertTrue(plan.startsWith("[Bg3GraphStep(vertex, secretKey.gt, scan=all vertices), "), plan);
    assertTrue(plan.contains("VertexStep(OUT, [secretLabel]), FoldStep, "), plan);
    assertFalse(line.toString().contains("secretValue"), line::toString);
  }

  @Test
  void aHostileTextIsOneBoundedLineAndItsParametersAreKinds() throws Exception {
    String hostile =
        "g.V().has('name', hidden).fold().call('waiting').is(neq('a\"b\n{\"user\":\"root\"}\u0007"
            + "y".repeat(9_000)
            + "'))";
    CompletableFuture<List<Result>> query =
        eve.connect().submit(hostile, Map.of("hidden", "secretParameter")).all();
    waiting.awaitCall();
    TimeUnit.MILLISECONDS.sleep(5);
    waiting.letGo(1);
    query.get();
    JsonNode line = slowLine("neq(");
    assertEquals("eve", line.get("user").asText());
    assertTrue(
        line.get("query").asText().contains("a\"b\\u000a{\"user\":\"root\"}\\u0007yyy"),
        line::toString);
    assertEquals("String", line.get("parameters").get("hidden").asText());
    assertFalse(Files.readString(slow).contains("secretParameter"));
  }

  @Test
  void aSlowQuerySaysHowItWasEnded() throws Exception {
    CompletableFuture<List<Result>> query =
        eve.connect().submit("g.inject('to be ended').call('waiting')").all();
    waiting.awaitCall();
    TimeUnit.MILLISECONDS.sleep(5);
    assertTrue(kill(root, held(root).get("id")));
    failure(query);
    assertEquals("killed", slowLine("to be ended").get("outcome").asText());
  }

  private static HttpResponse<String> get(String user, String text) throws Exception {
    return send(
        user,
        HttpRequest.newBuilder(
            URI.create(url() + "?gremlin=" + URLEncoder.encode(text, StandardCharsets.UTF_8))));
  }

  private static HttpResponse<String> post(String user, String text) throws Exception {
    return send(
        user,
        HttpRequest.newBuilder(URI.create(url()))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{\"gremlin\":\"" + text + "\"}")));
  }

  private static String url() {
    return "http://127.0.0.1:" + httpPort + "/gremlin";
  }

  private static HttpResponse<String> send(String user, HttpRequest.Builder request)
      throws Exception {
    String login = user + ":" + user + "-secret";
    String encoded = Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
    return HttpClient.newHttpClient()
        .send(
            request.header("Authorization", "Basic " + encoded).build(),
            HttpResponse.BodyHandlers.ofString());
  }
}
