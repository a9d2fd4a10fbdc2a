package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.services.Bg3Services;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.guard.Messages;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Keeps a server busy in every way that a client can, and expects that another client is served
 * while nothing of the first has ended.
 */
class DispatchIT {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final String ENDLESS = "g.inject(1).repeat(__.identity()).until(__.is(-1))";

  private final WaitingService waiting = new WaitingService("test.wait", false);
  private final WaitingService stubborn = new WaitingService("test.stubborn", true);
  private final List<Wire> wires = new ArrayList<>();
  private ServedFixture served;
  private Bg3Graph graph;
  private int figures;

  private void serve(Map<String, String> settings) throws IOException {
    graph = Bg3Graph.open();
    Bg3Services.register(graph);
    graph.getServiceRegistry().registerService(waiting);
    graph.getServiceRegistry().registerService(stubborn);
    figures = ServedFixture.freePort();
    Map<String, String> all = new TreeMap<>(settings);
    all.put("server.metrics.prometheus.port", Integer.toString(figures));
    all.putIfAbsent("server.threads", "2");
    all.putIfAbsent("server.shutdown.grace", "0");
    all.putIfAbsent("server.evaluation.timeout", "600000");
    served = new ServedFixture(graph, all);
  }

  @AfterEach
  void stop() {
    waiting.letGo(1_000_000);
    stubborn.letGo(1_000_000);
    wires.forEach(Wire::close);
    if (served != null) {
      served.close();
    }
  }

  private Wire wire() {
    Wire wire = new Wire(served.port());
    wires.add(wire);
    return wire;
  }

  private static byte[] call(WaitingService service) {
    return Messages.binary(Messages.request("g.inject(1).call('" + service.getName() + "')"));
  }

  private static byte[] quick() {
    return Messages.binary(Messages.request("g.inject(1)"));
  }

  /**
   * The verdict on a quick query beside many others. One whose thread the machine has stopped for
   * long is refused, since others wait for its place, and is asked again.
   */
  private static String quickVerdict(Wire wire) throws InterruptedException {
    String verdict = wire.send(quick()).verdict();
    for (int i = 0; i < 20 && verdict.startsWith("429 the query takes long"); i++) {
      verdict = wire.send(quick()).verdict();
    }
    return verdict;
  }

  /** Endless queries, each by a connection of its own or all by one, and an honest client. */
  @Test
  void endlessQueriesDoNotHoldUpShortOnes() throws Exception {
    serve(Map.of("server.long.queries", "4", "server.evaluation.timeout", "600000"));
    Wire greedy = wire();
    for (int i = 0; i < 32; i++) {
      wire().send(call(waiting));
      greedy.send(call(waiting));
    }
    waiting.awaitCall();
    Wire honest = wire();
    for (int i = 0; i < 20; i++) {
      assertEquals("200 ", quickVerdict(honest));
    }
    assertEquals(1L, served.g().inject(1).count().next(), "nothing of the others has ended");
  }

  /** The answer may reach the client before the worker has left the request. */
  @Test
  void aClientThatHasItsAnswerMayUseAnotherFormat() throws Exception {
    serve(Map.of());
    Wire wire = wire();
    for (int i = 0; i < 300; i++) {
      assertEquals("200 ", wire.send(quick()).verdict(), "round " + i);
      assertEquals("200 ", wire.send(quickText()).verdict(), "round " + i);
    }
  }

  @Test
  void aClientThatDoesNotWaitUsesOneFormat() throws Exception {
    serve(Map.of());
    Wire wire = wire().send(call(waiting));
    waiting.awaitCall();
    assertEquals(
        "498 a connection has one format at a time: wait for the answers before another is used",
        wire.send(quickText()).verdict());
    waiting.letGo(1);
    assertEquals("200 ", wire.verdict());
    assertEquals("200 ", wire.send(quickText()).verdict());
  }

  private static String quickText() {
    return new String(Messages.json(Messages.request("g.inject(1)")), StandardCharsets.UTF_8);
  }

  /** The server does not deny a commit in the middle of a text whose time is over. */
  @Test
  void aCommitInTheMiddleOfATextIsNotDenied() throws Exception {
    serve(Map.of("server.evaluation.timeout", "1500"));
    assertEquals(
        "598 the request was ended, and some or all of it may be done: look before you repeat it;"
            + " reason=time, evaluationTimeout=1500 ms",
        endless("g.addV('kept').iterate();g.tx().commit();"));
    assertEquals(1L, count("kept"));
    assertEquals(
        "598 the query did not end within its time, and nothing of its transaction is committed:"
            + " evaluationTimeout=1500 ms; a request may ask for as much as"
            + " server.evaluation.timeout, or its user's limit",
        text("g.addV('dropped').iterate();" + ENDLESS));
    assertEquals(0L, count("dropped"));
  }

  /**
   * The verdict on a text that begins so and does not end. It is asked again if its time was over
   * before it had written; then nothing of it is there.
   */
  private String endless(String beginning) throws Exception {
    String verdict = text(beginning + ENDLESS);
    for (int i = 0; i < 20 && verdict.startsWith("598 the query did not end within"); i++) {
      verdict = text(beginning + ENDLESS);
    }
    return verdict;
  }

  /** So many vertices are in the store, which is asked directly: the server gives little time. */
  private long count(String label) {
    try {
      return graph.traversal().V().hasLabel(label).count().next();
    } finally {
      graph.tx().rollback();
    }
  }

  /** A service commits by itself, so its query is not told that nothing is committed. */
  @Test
  void whatAServiceHasWrittenIsNotDenied() throws Exception {
    serve(Map.of("server.evaluation.timeout", "1500"));
    String add = "g.call('bg3.nodes.add', [nodes: [['page', [size: 1]]]]).iterate();";
    assertEquals(
        "598 the request was ended, and some or all of it may be done: look before you repeat it;"
            + " reason=time, evaluationTimeout=1500 ms",
        endless(add));
    assertEquals(1L, count("page"));
  }

  /** The client has not waited for the answer, and its commit would commit the rest. */
  @Test
  void aCommitBehindAStatementThatTheSessionRefusesIsRefused() throws Exception {
    serve(Map.of("server.session.queue", "2"));
    Wire wire = wire().send(inSession("g.inject(1).call('test.wait')"));
    waiting.awaitCall();
    wire.send(inSession("g.addV('half')")).send(inSession("g.addV('half')"));
    assertEquals("429 too many requests wait in the session: limit=2", wire.verdict());
    waiting.letGo(1);
    assertEquals("200 ", wire.verdict());
    assertEquals("200 ", wire.verdict());
    assertTrue(
        wire.send(inSession("g.tx().commit()"))
            .verdict()
            .startsWith("500 session has ended, and nothing of its transaction is committed"));
    assertEquals(0L, served.g().V().hasLabel("half").count().next());
    assertEquals("200 ", wire.send(inSession("g.addV('whole')")).verdict());
    assertTrue(wire.send(inSession("g.tx().commit()")).verdict().startsWith("20"));
    assertEquals(1L, served.g().V().hasLabel("whole").count().next());
  }

  private String text(String query) throws Exception {
    return wire().send(Messages.binary(Messages.request(query))).verdict();
  }

  /** A query that loses its place is told why. */
  @Test
  void aLongQueryThatLosesItsPlaceIsAnswered() throws Exception {
    serve(Map.of("server.long.queries", "2", "server.evaluation.timeout", "600000"));
    List<Wire> endless = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      endless.add(wire().send(call(waiting)));
    }
    String verdict = null;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
    while (verdict == null) {
      assertTrue(System.nanoTime() < end, "none was ended");
      for (Wire wire : endless) {
        if (wire.hasAnswer()) {
          verdict = wire.verdict();
        }
      }
      TimeUnit.MILLISECONDS.sleep(10);
    }
    assertEquals(
        "429 the query takes long and was ended, since all threads for such queries are taken, and"
            + " nothing of its transaction is committed; repeat it later, or raise"
            + " server.long.queries",
        verdict);
  }

  /** Both threads are lost to queries that ignore interrupts; a third client is served. */
  @Test
  void queriesThatDoNotEndAreReplaced() throws Exception {
    serve(
        Map.of(
            "server.long.queries", "1",
            "server.stuck.limit", "8"));
    assertEquals(200, health());
    loseAThread(false);
    loseAThread(false);
    loseAThread(true);
    Wire third = wire();
    for (int i = 0; i < 5; i++) {
      assertEquals("200 ", third.send(quick()).verdict());
    }
    awaitFigure("bg3_server_queries_stuck ", 3);
    awaitFigure("bg3_server_queries_stuck_found_total ", 3);
    assertEquals(200, health(), "one owner alone cannot change that");
    stubborn.letGo(3);
    awaitFigure("bg3_server_queries_stuck ", 0);
    assertEquals(200, health());
    awaitFigure("bg3_server_queries_running ", 0);
  }

  /**
   * Has the server lose a thread to a query that ignores interrupts. The query is sent again if its
   * time was over before it had begun to.
   */
  private void loseAThread(boolean inSession) throws Exception {
    for (int i = 0; i < 20; i++) {
      RequestMessage.Builder request =
          RequestMessage.build(Tokens.OPS_EVAL)
              .addArg(Tokens.ARGS_GREMLIN, "g.inject(1).call('test.stubborn')")
              .addArg(Tokens.ARGS_EVAL_TIMEOUT, 1_000L);
      if (inSession) {
        request.processor("session").addArg(Tokens.ARGS_SESSION, "session " + i);
      }
      Wire wire = wire().send(Messages.binary(request.create()));
      String verdict = wire.verdict();
      assertTrue(verdict.startsWith("598 the query did not end within its time"), verdict);
      if (stubborn.calls() > 0) {
        stubborn.awaitCall();
        wire.awaitClosed();
        return;
      }
    }
    throw new AssertionError("the service is never called in time");
  }

  private void awaitFigure(String name, double value) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
    while (figure(name) != value) {
      assertTrue(System.nanoTime() < end, () -> "it does not become " + value + ": " + name);
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /** Waiting requests count in bytes, and the client with the most is refused first. */
  @Test
  void requestsThatWaitAreBounded() throws Exception {
    serve(
        Map.of(
            "server.queue.bytes", "1000000",
            "server.long.queries", "1",
            "server.evaluation.timeout", "600000"));
    Wire busy = wire();
    for (int i = 0; i < 8; i++) {
      busy.send(call(waiting));
    }
    for (int i = 0; i < 3; i++) {
      wire().send(call(waiting));
    }
    waiting.awaitCall();
    byte[] large = Messages.binary(Messages.request("g.inject('" + "x".repeat(60_000) + "')"));
    for (int i = 0; i < 40; i++) {
      wire().send(large);
    }
    assertTrue(figure("bg3_server_queue_bytes ") <= 1_000_000);
    assertEquals("200 ", quickVerdict(wire()), "there is room for it");
  }

  /** A connection that sends faster than it is served is read from slowly, not refused. */
  @Test
  void aConnectionThatSendsManyRequestsFillsNoQueue() throws Exception {
    serve(Map.of("server.queue", "1024"));
    sendManyRequests();
  }

  /** One read of a connection brings some hundred requests: more than may wait of all. */
  @Test
  void aConnectionThatSendsManyRequestsFillsNoShortQueue() throws Exception {
    serve(Map.of("server.queue", "64"));
    sendManyRequests();
  }

  private void sendManyRequests() throws Exception {
    Wire wire = wire();
    byte[] quick = quick();
    int requests = 5_000;
    CompletableFuture<Void> sent =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; i < requests; i++) {
                wire.send(quick);
              }
            });
    for (int i = 0; i < requests; i++) {
      assertEquals("200 ", wire.verdict());
    }
    sent.join();
    awaitFigure("bg3_server_queue_bytes ", 0);
  }

  /** A message that becomes much larger when it is decoded than there is room for. */
  @Test
  void whatIsDecodedIsBounded() throws Exception {
    serve(Map.of("server.decoded.bytes", "400000", "server.evaluation.timeout", "600000"));
    Bytecode values = new Bytecode();
    values.addStep("inject", Collections.nCopies(5_000, List.of()));
    values.addStep("call", "test.wait");
    Wire first = wire().send(Messages.binary(values));
    waiting.awaitCall();
    Wire second = wire().send(Messages.binary(values));
    String verdict = second.verdict();
    assertTrue(verdict.startsWith("429 requests that are decoded take all the memory"), verdict);
    assertEquals("200 ", second.send(quick()).verdict(), "a small one needs no room");
    waiting.letGo(1);
    assertEquals("200 ", first.verdict());
    for (int i = 0; i < 100 && !verdict.startsWith("200 "); i++) { // the answer came before that
      TimeUnit.MILLISECONDS.sleep(20);
      waiting.letGo(1);
      verdict = second.send(Messages.binary(values)).verdict();
    }
    assertEquals("200 ", verdict, "what ended has given it back");
  }

  /** A body of JSON takes much memory while it is read, and its query runs for long behind that. */
  @Test
  void aBodyGivesBackWhatOnlyReadingItHasTaken() throws Exception {
    int http = ServedFixture.freePort();
    serve(
        Map.of(
            "server.http.port", Integer.toString(http),
            "server.decoded.bytes", "64000000",
            "server.evaluation.timeout", "600000"));
    String padding = ",\"x\":\"" + "x".repeat(1_000_000) + "\"}";
    var first =
        HTTP.sendAsync(
            post(http, "{\"gremlin\":\"g.inject(1).call('test.wait')\"" + padding),
            HttpResponse.BodyHandlers.ofString());
    waiting.awaitCall();
    HttpResponse<String> second =
        HTTP.send(
            post(http, "{\"gremlin\":\"g.inject(1)\"" + padding),
            HttpResponse.BodyHandlers.ofString());
    assertEquals(200, second.statusCode(), second::body);
    waiting.letGo(1);
    assertEquals(200, first.get(300, TimeUnit.SECONDS).statusCode());
  }

  private static HttpRequest post(int port, String body) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/gremlin"))
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  /** The time of a text is over while it commits: its answer is what became of the commit. */
  @Test
  void aTextWhoseCommitHasBegunIsAnsweredWithItsOutcome() throws Exception {
    SlowCommits graph = new SlowCommits();
    try (ServedFixture slow = new ServedFixture(graph.served(), Map.of());
        Wire wire = new Wire(slow.port())) {
      wire.send(Messages.binary(Messages.request("g.V().count()"))); // loads the classes
      graph.awaitCommit();
      graph.letCommit(true);
      assertEquals("200 ", wire.verdict());
      sendUntilItCommits(wire, graph, "g.addV('slow')");
      TimeUnit.MILLISECONDS.sleep(600);
      assertFalse(wire.hasAnswer(), "nothing is decided");
      graph.letCommit(true);
      assertEquals("200 ", wire.verdict());
      sendUntilItCommits(wire, graph, "g.addV('fails')");
      TimeUnit.MILLISECONDS.sleep(600);
      graph.letCommit(false);
      assertEquals("597 the disk is full", wire.verdict());
      wire.send(Messages.binary(Messages.request("g.V().count()")));
      graph.awaitCommit();
      graph.letCommit(true);
      assertEquals(List.of(1L), wire.answer().getResult().getData());
    }
  }

  /** Sends it again while its time is over before its commit begins; then nothing is committed. */
  private static void sendUntilItCommits(Wire wire, SlowCommits graph, String query)
      throws Exception {
    for (int i = 0; i < 100; i++) {
      wire.send(Messages.binary(Messages.request(timed(query))));
      while (!wire.hasAnswer()) {
        if (graph.commits(20)) {
          return;
        }
      }
      String verdict = wire.verdict();
      assertTrue(verdict.startsWith("598 the query did not end within its time"), verdict);
    }
    throw new AssertionError("no commit begins in time: " + query);
  }

  private static String timed(String query) {
    return query.replace("g.", "g.with('evaluationTimeout',300).");
  }

  private static byte[] inSession(String query) {
    return Messages.binary(
        RequestMessage.build(Tokens.OPS_EVAL)
            .processor("session")
            .addArg(Tokens.ARGS_SESSION, "one")
            .addArg(Tokens.ARGS_GREMLIN, query)
            .create());
  }

  private int health() throws Exception {
    return get("/health").statusCode();
  }

  private double figure(String name) throws Exception {
    String page = get("/metrics").body();
    return page.lines()
        .filter(line -> line.startsWith(name))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length())))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " is not in\n" + page));
  }

  private HttpResponse<String> get(String path) throws Exception {
    return HTTP.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + figures + path)).build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
