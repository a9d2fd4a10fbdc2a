package io.bg3.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.ServedFixture;
import io.bg3.server.guard.Messages;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.empty.EmptyGraph;
import org.apache.tinkerpop.gremlin.util.MessageSerializer;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.apache.tinkerpop.gremlin.util.ser.GraphBinaryMessageSerializerV1;
import org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV2;
import org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV3;
import org.apache.tinkerpop.shaded.jackson.databind.JsonNode;
import org.apache.tinkerpop.shaded.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Asks a server by plain HTTP, as curl, a browser and a page in a browser would. */
class HttpIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ByteBufAllocator ALLOCATOR = ByteBufAllocator.DEFAULT;
  private static final String PLAIN = "application/vnd.gremlin-v3.0+json;types=false";

  private static ServedFixture served;
  private static HttpClient client;
  private static int port;
  private static ServedFixture hasty; // gives queries two seconds
  private static int hastyPort;

  @BeforeAll
  static void start() throws Exception {
    port = ServedFixture.freePort();
    served =
        new ServedFixture(
            Bg3Graph.open(),
            Map.of(
                "server.http.port",
                Integer.toString(port),
                "server.evaluation.timeout",
                "60000",
                "server.content.limit",
                "65536"));
    hastyPort = ServedFixture.freePort();
    hasty =
        new ServedFixture(
            Bg3Graph.open(),
            Map.of(
                "server.http.port",
                Integer.toString(hastyPort),
                "server.evaluation.timeout",
                "2000"));
    client = HttpClient.newHttpClient();
  }

  @AfterAll
  static void stop() {
    hasty.close();
    served.close();
  }

  @Test
  void aPostedQueryIsAnsweredAndSeenByDrivers() throws Exception {
    HttpResponse<String> added = post("{\"gremlin\":\"g.addV('posted').property('n',7)\"}");
    assertEquals(200, added.statusCode(), added.body());
    assertEquals(List.of(7), served.g().V().hasLabel("posted").values("n").toList());
  }

  @Test
  void anAnswerHasTheShapeOfTinkerPops() throws Exception {
    HttpResponse<String> typed = post("{\"gremlin\":\"g.inject(1)\"}");
    JsonNode node = JSON.readTree(typed.body());
    assertEquals("g:Int32", node.at("/result/data/@value/0/@type").asText(), typed.body());
    assertEquals(200, node.at("/status/code").asInt(), typed.body());
    assertEquals(36, node.at("/requestId").asText().length(), typed.body());
    assertTrue(typed.headers().firstValue("content-type").get().contains("json"));

    HttpResponse<String> untyped =
        send(request("/gremlin", "{\"gremlin\":\"g.inject(1,'ü')\"}").header("Accept", PLAIN));
    assertEquals("[1,\"ü\"]", JSON.readTree(untyped.body()).at("/result/data").toString());
  }

  @Test
  void nothingFoundIsAnEmptyList() throws Exception {
    HttpResponse<String> none = get("g.V().hasLabel('nowhere')");
    assertEquals(200, none.statusCode());
    assertEquals("[]", JSON.readTree(none.body()).at("/result/data").toString());
  }

  @Test
  void bindingsAreValues() throws Exception {
    served.g().addV("bound").property("n", 1).addV("bound").property("n", "a").iterate();
    for (String value : List.of("1", "\"a\"")) {
      HttpResponse<String> answer =
          send(
              request(
                      "/gremlin",
                      "{\"gremlin\":\"g.V().has('bound','n',x).values('n')\",\"bindings\":{\"x\":"
                          + value
                          + "}}")
                  .header("Accept", PLAIN));
      assertEquals("[" + value + "]", JSON.readTree(answer.body()).at("/result/data").toString());
    }
  }

  @Test
  void aLargeResultComesWhole() throws Exception {
    HttpResponse<String> answer =
        send(
            request(
                    "/gremlin",
                    "{\"gremlin\":\"g.inject(0).repeat(union(identity(),identity())).times(11)\"}")
                .header("Accept", PLAIN));
    assertEquals(200, answer.statusCode());
    assertEquals("chunked", answer.headers().firstValue("transfer-encoding").orElse(""));
    assertEquals(2_048, JSON.readTree(answer.body()).at("/result/data").size());
  }

  @Test
  void aResultThatBreaksOffIsSeenToBeBroken() {
    GraphTraversal<Vertex, Vertex> many = served.g().addV("many").property("n", 0);
    for (int i = 1; i < 100; i++) {
      many = many.addV("many").property("n", i);
    }
    many.iterate();
    assertThrows(
        IOException.class,
        () ->
            post(
                "{\"gremlin\":\"g.V().hasLabel('many').order().by('n').values('n')"
                    + ".choose(is(99),fail('late'))\"}"));
  }

  @Test
  void aGetReads() throws Exception {
    served.g().addV("read").property("n", 1).iterate();
    HttpResponse<String> answer = get("g.V().hasLabel('read').values('n')");
    assertEquals(200, answer.statusCode(), answer.body());
    assertEquals("[1]", JSON.readTree(answer.body()).at("/result/data").toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "g.addV('got')",
        "g.V().drop()",
        "g.inject(1).sideEffect(addV('got'))",
        "g.inject(1) . local( __. addV ('got') )",
        "g.mergeV([(T.label):'got'])",
        "g.V().property('a',1)"
      })
  void aGetDoesNotWrite(String text) throws Exception {
    HttpResponse<String> answer = get(text);
    assertEquals(403, answer.statusCode(), answer.body());
    assertEquals(0L, served.g().V().hasLabel("got").count().next());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET  | /gremlin                 |                  |                    | 400",
        "GET  | /gremlin?gremlin=        |                  |                    | 400",
        "GET  | /                        |                  |                    | 404",
        "GET  | /favicon.ico             |                  |                    | 404",
        "GET  | /gremlin/x?gremlin=g.V() |                  |                    | 404",
        "PUT  | /gremlin                 | application/json | {\"gremlin\":\"g\"} | 405",
        "OPTIONS | /gremlin              |                  |                    | 405",
        "POST | /gremlin                 | text/plain       | {\"gremlin\":\"g\"} | 415",
        "POST | /gremlin                 |                  | {\"gremlin\":\"g\"} | 415",
        "POST | /gremlin                 | application/x-www-form-urlencoded | gremlin=g | 415",
        "POST | /gremlin                 | application/json | gremlin            | 400",
        "POST | /gremlin                 | application/json | []                 | 400",
        "POST | /gremlin                 | application/json | {}                 | 400",
        "POST | /gremlin                 | application/json | {\"gremlin\":7}     | 400",
      })
  void whatIsNoQueryIsRefused(String method, String path, String type, String body, int status)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    if (type != null) {
      request.header("Content-Type", type);
    }
    HttpResponse<String> answer = send(request);
    assertEquals(status, answer.statusCode(), answer.body());
    JsonNode node = JSON.readTree(answer.body());
    assertEquals(status, node.at("/status/code").asInt());
    assertFalse(node.at("/status/message").asText().isEmpty());
    assertFalse(answer.headers().map().containsKey("access-control-allow-origin"));
  }

  @Test
  void aPageOfAnotherSiteIsRefused() throws Exception {
    for (String[] header :
        new String[][] {{"Origin", "http://evil.example"}, {"Sec-Fetch-Site", "cross-site"}}) {
      HttpResponse<String> answer =
          send(request("/gremlin", "{\"gremlin\":\"g.V()\"}").header(header[0], header[1]));
      assertEquals(403, answer.statusCode(), answer.body());
    }
  }

  @Test
  void aNameThatAPageMadeResolveHereIsRefused() throws Exception {
    for (int door : new int[] {port, served.port()}) {
      String answer =
          Raw.exchange(
              door,
              "GET /gremlin?gremlin=g.V() HTTP/1.1\r\nHost: evil.example:"
                  + door
                  + "\r\nConnection: close\r\n\r\n");
      assertTrue(answer.startsWith("HTTP/1.1 403 "), answer);
    }
  }

  @Test
  void aPageOfAnotherSiteGetsNoWebSocket() throws Exception {
    String handshake =
        String.join(
            "\r\n",
            "GET /gremlin HTTP/1.1",
            "Host: 127.0.0.1",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Version: 13",
            "");
    String foreign = Raw.exchange(served.port(), handshake + "Origin: http://evil.example\r\n\r\n");
    assertTrue(foreign.startsWith("HTTP/1.1 403 "), foreign);
    String browser = Raw.exchange(served.port(), "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    assertTrue(browser.startsWith("HTTP/1.1 426 "), browser);
    assertTrue(browser.contains("--http-port"), browser);
  }

  @Test
  void anErrorSaysWhatAndNoStackTrace() throws Exception {
    HttpResponse<String> answer = post("{\"gremlin\":\"g.V(\"}");
    assertEquals(400, answer.statusCode());
    JsonNode node = JSON.readTree(answer.body());
    assertEquals(597, node.at("/status/code").asInt(), answer.body());
    assertFalse(answer.body().contains("\\tat "), answer.body());
  }

  @Test
  void aTextThatNamesWhatIsNotThereIsNoQuery() throws Exception {
    HttpResponse<String> answer = post("{\"gremlin\":\"g.V(x)\"}");
    assertEquals(400, answer.statusCode(), answer.body());
  }

  @Test
  void aRefusalSaysTheStatusThatItHas() throws Exception {
    HttpResponse<String> answer = post("{\"gremlin\":\"g.io('x').read()\"}");
    assertEquals(403, answer.statusCode(), answer.body());
    JsonNode status = JSON.readTree(answer.body()).at("/status");
    assertEquals(403, status.at("/code").asInt());
    assertTrue(status.at("/message").asText().contains("reason="), status.toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/vnd.graphbinary-v1.0",
        "application/vnd.gremlin-v3.0+json",
        "application/vnd.gremlin-v2.0+json"
      })
  void aDriversMessageIsServed(String type) throws Exception {
    GraphTraversalSource anonymous = EmptyGraph.instance().traversal();
    MessageSerializer<?> format = format(type);
    RequestMessage text =
        RequestMessage.build(Tokens.OPS_EVAL)
            .addArg(Tokens.ARGS_GREMLIN, "g.inject(1,2,3).limit(x)")
            .addArg(Tokens.ARGS_BINDINGS, Map.of("x", 2))
            .addArg(Tokens.ARGS_BATCH_SIZE, 1)
            .create();
    assertEquals(List.of(1, 2), data(format, message(type, text)));
    RequestMessage none =
        RequestMessage.build(Tokens.OPS_EVAL)
            .addArg(Tokens.ARGS_GREMLIN, "g.V().limit(0)")
            .create();
    assertEquals(List.of(), data(format, message(type, none)));
    if (!type.contains("v2.0")) {
      Bytecode query = anonymous.inject(7, 8).asAdmin().getBytecode();
      RequestMessage bytecode =
          RequestMessage.build(Tokens.OPS_BYTECODE)
              .processor("traversal")
              .addArg(Tokens.ARGS_GREMLIN, query)
              .addArg(Tokens.ARGS_ALIASES, Map.of("g", "g"))
              .create();
      assertEquals(2, data(format, message(type, bytecode)).size());
    }
  }

  @Test
  void anErrorOfADriversMessageNamesItsRequest() throws Exception {
    String type = "application/vnd.graphbinary-v1.0";
    for (String query : List.of("g.io('x').read()", "g.V(", "g.inject('a').math('_')")) {
      RequestMessage request =
          RequestMessage.build(Tokens.OPS_EVAL).addArg(Tokens.ARGS_GREMLIN, query).create();
      HttpResponse<byte[]> answer = message(type, request);
      assertTrue(answer.statusCode() >= 400, query);
      JsonNode body = JSON.readTree(answer.body());
      assertEquals(request.getRequestId().toString(), body.at("/requestId").asText());
      assertFalse(body.at("/message").asText().isEmpty(), body.toString());
    }
  }

  /** The first batch has 3 MiB, the second and last as much: together more than an answer has. */
  @Test
  void anAnswerThatIsTooLargeInItsLastBatchIsNotCommitted() throws Exception {
    String type = "application/vnd.graphbinary-v1.0";
    String text = "x".repeat(49_152);
    RequestMessage request =
        Messages.request(
            "g.addV('large').constant('"
                + text
                + "').repeat(union(identity(),identity())).times(7)");
    HttpResponse<byte[]> answer = message(type, request);
    assertEquals(500, answer.statusCode());
    assertTrue(
        new String(answer.body(), StandardCharsets.UTF_8)
            .contains("the answer is too large for GraphBinary by HTTP"));
    assertEquals(0L, served.g().V().hasLabel("large").count().next());
  }

  @Test
  void aSessionTakesAWebSocket() throws Exception {
    for (String processor : List.of("session", "none")) {
      RequestMessage request =
          RequestMessage.build(Tokens.OPS_EVAL)
              .processor(processor)
              .addArg(Tokens.ARGS_GREMLIN, "g.V()")
              .addArg(Tokens.ARGS_SESSION, "s")
              .create();
      HttpResponse<byte[]> answer = message("application/vnd.graphbinary-v1.0", request);
      assertEquals(400, answer.statusCode());
      JsonNode body = JSON.readTree(answer.body());
      assertEquals(request.getRequestId().toString(), body.at("/requestId").asText());
    }
  }

  @Test
  void aMessageIsJudgedBeforeItIsRead() throws Exception {
    byte[] huge = Messages.binary(Messages.request("g.V()"));
    huge[huge.length - 6] = 0x7f; // the length of the query
    HttpResponse<byte[]> answer = send("application/vnd.graphbinary-v1.0", huge);
    assertEquals(400, answer.statusCode());
    byte[] json = Messages.binary(Messages.request("g.V()"));
    assertEquals(400, send("application/vnd.gremlin-v3.0+json", json).statusCode());
    assertEquals(400, send("application/vnd.graphbinary-v1.0", new byte[] {5}).statusCode());
    assertEquals(400, send("application/vnd.graphbinary-v1.0", new byte[0]).statusCode());
  }

  @Test
  void theHealthIsToldWithoutALogin() throws Exception {
    HttpResponse<String> answer =
        send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/health")));
    assertEquals(200, answer.statusCode());
    assertEquals("{\"status\":\"ready\"}\n", answer.body());
  }

  private static HttpResponse<byte[]> message(String type, RequestMessage request)
      throws Exception {
    return send(
        type, ByteBufUtil.getBytes(format(type).serializeRequestAsBinary(request, ALLOCATOR)));
  }

  private static HttpResponse<byte[]> send(String type, byte[] body) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/gremlin"))
            .header("Content-Type", type)
            .header("Accept", type)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build(),
        HttpResponse.BodyHandlers.ofByteArray());
  }

  private static List<?> data(MessageSerializer<?> format, HttpResponse<byte[]> answer)
      throws Exception {
    assertEquals(200, answer.statusCode(), new String(answer.body(), StandardCharsets.UTF_8));
    boolean json = answer.body()[0] == '{';
    ResponseMessage response =
        json
            ? new GraphSONMessageSerializerV3()
                .deserializeResponse(new String(answer.body(), StandardCharsets.UTF_8))
            : format.deserializeResponse(Unpooled.wrappedBuffer(answer.body()));
    assertEquals(200, response.getStatus().getCode().getValue());
    return (List<?>) response.getResult().getData();
  }

  private static MessageSerializer<?> format(String type) {
    return type.contains("binary")
        ? new GraphBinaryMessageSerializerV1()
        : type.contains("v3.0")
            ? new GraphSONMessageSerializerV3()
            : new GraphSONMessageSerializerV2();
  }

  @Test
  void aFieldThatIsNullIsAbsent() throws Exception {
    HttpResponse<String> answer =
        post(
            "{\"gremlin\":\"g.inject(7)\",\"bindings\":null,\"evaluationTimeout\":null,"
                + "\"requestId\":null,\"language\":null,\"aliases\":null}");
    assertEquals(200, answer.statusCode(), answer.body());
    HttpResponse<String> missing = post("{\"gremlin\":null}");
    assertEquals(400, missing.statusCode(), missing.body());
    assertTrue(missing.body().contains("is missing"), missing.body());
  }

  @Test
  void theGuardAndTheLimitsStandBeforeIt(@TempDir Path directory) throws Exception {
    Path target = directory.resolve("out.json");
    HttpResponse<String> file = post("{\"gremlin\":\"g.io('" + target + "').write()\"}");
    assertEquals(403, file.statusCode(), file.body());
    assertTrue(Files.notExists(target));
    HttpResponse<String> late =
        send(
            request(
                hastyPort,
                "/gremlin",
                "{\"gremlin\":\"g.inject(1).repeat(identity()).until(is(-1))\","
                    + "\"evaluationTimeout\":600000}"));
    assertEquals(504, late.statusCode(), late.body());
    HttpResponse<String> large = post("{\"gremlin\":\"" + " ".repeat(70_000) + "\"}");
    assertEquals(413, large.statusCode());
    HttpResponse<String> deep =
        post("{\"gremlin\":\"g\",\"bindings\":" + "[".repeat(300) + "]".repeat(300) + "}");
    assertEquals(400, deep.statusCode(), deep.body());
  }

  @Test
  void aFailedQueryLeavesNothing() throws Exception {
    assertEquals(500, post("{\"gremlin\":\"g.addV('failed').fail('on purpose')\"}").statusCode());
    assertEquals(0L, served.g().V().hasLabel("failed").count().next());
  }

  @Test
  void requestsOfOneConnectionAreAnsweredInTurn() throws Exception {
    StringBuilder requests = new StringBuilder();
    for (int i = 0; i < 5; i++) {
      requests
          .append("GET /gremlin?gremlin=g.inject(10")
          .append(i)
          .append(") HTTP/1.1\r\nHost: 127.0.0.1\r\n")
          .append(i == 4 ? "Connection: close\r\n\r\n" : "\r\n");
    }
    String answers = Raw.exchange(port, requests.toString());
    int from = 0;
    for (int i = 0; i < 5; i++) {
      from = answers.indexOf("\"@value\":10" + i, from);
      assertTrue(from >= 0, i + " in " + answers);
    }
  }

  @Test
  void manyAskAtOnce() throws Exception {
    List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      answers.add(
          client.sendAsync(
              request("/gremlin", "{\"gremlin\":\"g.inject(" + i + ")\"}").build(),
              HttpResponse.BodyHandlers.ofString()));
    }
    for (int i = 0; i < answers.size(); i++) {
      HttpResponse<String> answer = answers.get(i).get();
      assertEquals(
          i,
          JSON.readTree(answer.body()).at("/result/data/@value/0/@value").asInt(),
          answer.body());
    }
  }

  private static HttpResponse<String> post(String body) throws Exception {
    return send(request("/gremlin", body));
  }

  private static HttpResponse<String> get(String text) throws Exception {
    String query = URLEncoder.encode(text, StandardCharsets.UTF_8);
    return send(
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/gremlin?gremlin=" + query))
            .header("Accept", PLAIN));
  }

  private static HttpRequest.Builder request(String path, String body) {
    return request(port, path, body);
  }

  private static HttpRequest.Builder request(int port, String path, String body) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }
}
