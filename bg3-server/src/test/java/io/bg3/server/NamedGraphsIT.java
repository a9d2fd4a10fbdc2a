package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.services.Bg3Services;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.guard.Messages;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.GraphOp;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several graphs on one server: each kind of request reaches the graph of its alias alone. */
class NamedGraphsIT {
  private static final String ENDLESS = ".repeat(__.identity()).until(__.is(-1))";
  private static final int LINKS_OF_PEOPLE = 3;
  private static final int ROUNDS = 40;

  private final Map<String, Bg3Graph> graphs = new TreeMap<>();
  private int httpPort;
  private ServedFixture served;

  @BeforeEach
  void start() throws Exception {
    for (String name : List.of("g", "people", "orders")) {
      Bg3Graph graph = Bg3Graph.open();
      Bg3Services.register(graph);
      graphs.put(name, graph);
    }
    httpPort = ServedFixture.freePort();
    served =
        new ServedFixture(
            Map.<String, Graph>copyOf(graphs),
            Map.of("server.http.port", Integer.toString(httpPort), "server.threads", "1"));
  }

  @AfterEach
  void stop() {
    served.close();
  }

  private GraphTraversalSource source(String graph) {
    return ServedFixture.source(served.cluster(), graph);
  }

  /** How many vertices each graph has, read beside the server: those of g, orders, people. */
  private List<Long> counts(String label) {
    return graphs.values().stream()
        .map(
            graph -> {
              long count = graph.traversal().V().hasLabel(label).count().next();
              graph.tx().rollback();
              return count;
            })
        .toList();
  }

  @Test
  void bytecodeReachesTheGraphOfItsAlias() {
    source("people").addV("person").iterate();
    source("g").addV("person").addV("person").iterate();
    assertEquals(List.of(2L, 0L, 1L), counts("person"));
    assertEquals(1, source("people").V().hasLabel("person").count().next());
    assertEquals(0, source("orders").V().hasLabel("person").count().next());
  }

  @Test
  void textsReachTheGraphOfTheirAlias() {
    served.cluster().connect().alias("people").submit("g.addV('text')").all().join();
    served.cluster().connect().submit("g.addV('text').addV('text')").all().join();
    assertEquals(List.of(2L, 0L, 1L), counts("text"));
  }

  @Test
  void transactionsReachTheGraphOfTheirAlias() {
    Transaction people = source("people").tx();
    Transaction orders = source("orders").tx();
    GraphTraversalSource inPeople = people.begin();
    GraphTraversalSource inOrders = orders.begin();
    inPeople.addV("moved").iterate();
    inOrders.addV("moved").iterate();
    inPeople.addV("moved").iterate();
    assertEquals(2, inPeople.V().hasLabel("moved").count().next());
    people.commit();
    orders.rollback();
    assertEquals(List.of(0L, 0L, 2L), counts("moved"));
  }

  private String http(String path, String body) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + httpPort + path);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .header("Accept", "application/vnd.gremlin-v3.0+json;types=false");
    if (body != null) {
      request
          .header("Content-Type", "application/json")
          .POST(HttpRequest.BodyPublishers.ofString(body));
    }
    return HttpClient.newHttpClient()
        .send(request.build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }

  @Test
  void httpReachesTheGraphOfItsAlias() throws Exception {
    String add = "{\"gremlin\":\"g.addV('http').label()\"";
    assertData("[\"http\"]", http("/gremlin", add + ",\"aliases\":{\"g\":\"people\"}}"));
    assertData("[\"http\"]", http("/gremlin", add + "}"));
    assertEquals(List.of(1L, 0L, 1L), counts("http"));
    String query = URLEncoder.encode("g.V().hasLabel('http').count()", StandardCharsets.UTF_8);
    assertData("[1]", http("/gremlin?aliases.g=people&gremlin=" + query, null));
    assertData("[0]", http("/gremlin?aliases.g=orders&gremlin=" + query, null));
    assertUnknown(http("/gremlin?aliases.g=none&gremlin=" + query, null));
    for (String wrong : List.of("1", "[]", "{\"h\":\"people\"}", "{\"g\":1}", "\"people\"")) {
      String answer = http("/gremlin", add + ",\"aliases\":" + wrong + "}");
      assertTrue(answer.contains("the value of \\\"aliases\\\" is not"), answer);
    }
  }

  private static void assertData(String data, String answer) {
    assertTrue(answer.contains("\"data\":" + data), answer);
  }

  private static void assertUnknown(String answer) {
    String expected =
        "there is no such graph, or you have no role on it: graph=none, known=[g, orders, people]";
    assertTrue(answer.contains(expected), answer);
  }

  /** Batches that are answered at once, and those that go the way of all requests. */
  @Test
  void batchesReachTheGraphOfTheirAlias() throws Exception {
    Map<Object, Object> form = Map.of("label", "7", "sortKey", "time", "loose", true);
    for (String graph : graphs.keySet()) {
      source(graph).call("bg3.links.declare", form).iterate();
    }
    for (long i = 0; i < LINKS_OF_PEOPLE; i++) {
      List<Object> link = List.of("7", 1L, i + 2, i, true, Map.of());
      source("people").call("bg3.links.addAll", Map.of("links", List.of(link))).iterate();
    }
    List<CompletableFuture<Void>> all =
        IntStream.range(0, 64)
            .mapToObj(
                i ->
                    CompletableFuture.runAsync(
                        () -> {
                          String graph = i % 2 == 0 ? "people" : "orders";
                          String service = i % 3 == 0 ? "bg3.batch" : "bg3.batch.read";
                          assertEquals(
                              i % 2 == 0 ? LINKS_OF_PEOPLE : 0, links(source(graph), service));
                        }))
            .toList();
    CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new)).get(300, TimeUnit.SECONDS);
    CompletionException unknown =
        assertThrows(CompletionException.class, () -> links(source("none"), "bg3.batch.read"));
    assertUnknown(unknown.getMessage());
  }

  /** How many links of vertex 1 a batch lists. */
  private static int links(GraphTraversalSource g, String service) {
    ByteBuffer bytes = ByteBuffer.allocate(8 + 36);
    bytes.put((byte) 1).putShort((short) 1).putShort((short) 1).put((byte) '7');
    bytes.putShort((short) 1).put((byte) 4).putShort((short) 0).putLong(1);
    bytes.putLong(Long.MIN_VALUE).putLong(Long.MAX_VALUE).put((byte) 1);
    bytes.putInt(0).putInt(100);
    Map<Object, Object> batch = Map.of("operations", bytes.flip());
    ByteBuffer answer = (ByteBuffer) g.call(service, batch).next();
    return answer.getInt(1 + 2 + 1 + 4);
  }

  @Test
  void anUnknownAliasIsAnErrorThatNamesTheOthers() throws Exception {
    try (Wire wire = new Wire(served.port())) {
      for (String session : new String[] {null, UUID.randomUUID().toString()}) {
        for (Object query : List.of("g.V()", "not Gremlin", v())) {
          assertUnknown(verdict(wire, request(session, query, Map.of("g", "none"))));
        }
      }
      String forged = verdict(wire, request(null, "g.V()", Map.of("g", "a\nb")));
      assertTrue(forged.contains("graph=(not printable), known="), forged);
    }
  }

  @Test
  void aRequestHasOneAlias() throws Exception {
    try (Wire wire = new Wire(served.port())) {
      for (String session : new String[] {null, UUID.randomUUID().toString()}) {
        for (Object query : List.of("g.V().count()", v())) {
          for (Map<String, String> aliases :
              List.of(
                  Map.of("g", "people", "h", "orders"),
                  Map.of("g", "people", "people", "g"),
                  Map.of("h", "people"))) {
            String answer = verdict(wire, request(session, query, aliases));
            assertTrue(answer.startsWith("499 ") && answer.contains("one graph"), answer);
          }
        }
      }
    }
  }

  /** Otherwise a text could have another graph in hand, by its name as a variable. */
  @Test
  void noTextSeesAnotherGraphAsAVariable() throws Exception {
    try (Wire wire = new Wire(served.port())) {
      String session = UUID.randomUUID().toString();
      for (String query : List.of("g.V(nothing)", "g.inject(nothing)")) {
        String unknown = verdict(wire, request(null, query, Map.of("g", "people")));
        for (String name : List.of("orders", "people")) {
          for (String in : new String[] {null, session}) {
            String text = query.replace("nothing", name);
            String answer = verdict(wire, request(in, text, Map.of("g", "people")));
            assertEquals(unknown.replace("nothing", name), answer);
          }
        }
      }
    }
  }

  @Test
  void aSessionKeepsToItsGraph() throws Exception {
    try (Wire wire = new Wire(served.port())) {
      String session = UUID.randomUUID().toString();
      ok(wire, request(session, "g.addV('kept')", Map.of("g", "people")));
      for (Object query : List.of("g.addV('kept')", v(), GraphOp.TX_COMMIT.getBytecode())) {
        String answer = verdict(wire, request(session, query, Map.of("g", "orders")));
        assertTrue(answer.contains("a session keeps to the graph that it has begun with"), answer);
      }
      ok(wire, request(session, "g.addV('kept')", Map.of())); // that of the session
      ok(wire, request(session, GraphOp.TX_COMMIT.getBytecode(), Map.of("g", "people")));
      assertEquals(List.of(0L, 0L, 2L), counts("kept"));
      String other = UUID.randomUUID().toString();
      ok(wire, request(other, "g.addV('kept')", Map.of())); // the default graph
      ok(wire, request(other, "g.tx().commit()", Map.of()));
      assertEquals(List.of(1L, 0L, 2L), counts("kept"));
    }
  }

  /**
   * A thread takes a text that is interrupted, and then texts for other graphs. The interrupted one
   * takes less than 50 ms, behind which another thread would take the next text.
   */
  @Test
  void aCommitTakesNothingOfAnotherGraphAlong() throws Exception {
    try (Wire wire = new Wire(served.port())) {
      for (int i = 1; i <= ROUNDS; i++) {
        RequestMessage left =
            RequestMessage.from(
                    request(null, "g.addV('left').constant(1)" + ENDLESS, Map.of("g", "people")))
                .addArg(Tokens.ARGS_EVAL_TIMEOUT, (long) i)
                .create();
        assertTrue(verdict(wire, left).startsWith("598 "));
        ok(wire, request(null, "g.addV('right')", Map.of("g", "orders")));
        ok(wire, request(null, "g.addV('right')", Map.of()));
      }
    }
    assertEquals(List.of(0L, 0L, 0L), counts("left"));
    assertEquals(List.of((long) ROUNDS, (long) ROUNDS, 0L), counts("right"));
  }

  @Test
  void queriesShowTheirGraph() throws Exception {
    String text = "g.inject(1)" + ENDLESS;
    try (Wire wire = new Wire(served.port())) {
      wire.send(Messages.binary(request(null, text, Map.of("g", "people"))));
      List<Map<?, ?>> rows = new ArrayList<>();
      while (rows.stream().noneMatch(row -> row.get("query").equals(text))) {
        rows.clear();
        source("orders").call("bg3.queries").toList().forEach(row -> rows.add((Map<?, ?>) row));
      }
      for (Map<?, ?> row : rows) {
        assertEquals(row.get("query").equals(text) ? "people" : "orders", row.get("graph"));
        Map<Object, Object> id = Map.of("id", row.get("id"));
        if (row.get("query").equals(text)) {
          assertEquals(true, source("orders").call("bg3.queries.kill", id).next());
        }
      }
      assertTrue(wire.verdict().contains("the query was ended by its user"));
    }
  }

  private static Bytecode v() {
    Bytecode query = new Bytecode();
    query.addStep("V");
    return query;
  }

  /** A request in a session, or outside of one if that is null. */
  private static RequestMessage request(String session, Object query, Map<String, String> aliases) {
    boolean isText = query instanceof String;
    RequestMessage.Builder request =
        RequestMessage.build(isText ? Tokens.OPS_EVAL : Tokens.OPS_BYTECODE)
            .addArg(Tokens.ARGS_GREMLIN, query);
    if (!aliases.isEmpty()) {
      request.addArg(Tokens.ARGS_ALIASES, aliases);
    }
    if (session != null) {
      request.processor("session").addArg(Tokens.ARGS_SESSION, session);
    } else if (!isText) {
      request.processor("traversal");
    }
    return request.create();
  }

  private static String verdict(Wire wire, RequestMessage request) throws Exception {
    return wire.send(Messages.binary(request)).verdict();
  }

  private static void ok(Wire wire, RequestMessage request) throws Exception {
    String answer = verdict(wire, request);
    assertTrue(answer.startsWith("20"), answer);
  }
}
