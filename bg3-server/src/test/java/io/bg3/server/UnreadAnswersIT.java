package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.guard.Messages;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Has clients ask for large answers that they never read. Each of them has time to read, and all of
 * them together leave more unread than the server keeps.
 */
class UnreadAnswersIT {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final int CLIENTS = 14;
  private static final int CLOSED = 4;
  private static final int LEAST = 2_000; // bytes, more than an error has

  private final List<Socket> sockets = new ArrayList<>();
  private ServedFixture served;
  private int figures;
  private int http;

  @BeforeEach
  void start() throws Exception {
    figures = ServedFixture.freePort();
    http = ServedFixture.freePort();
    served =
        new ServedFixture(
            Bg3Graph.open(),
            Map.of(
                "server.metrics.prometheus.port", Integer.toString(figures),
                "server.http.port", Integer.toString(http),
                "server.long.queries", "32",
                "server.unread.bytes", "8000000",
                "server.connection.unread", "600000",
                "server.shutdown.grace", "0",
                "server.evaluation.timeout", "600000"));
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    served.close();
  }

  @Test
  void clientsThatDoNotReadByWebSocketAreClosed() throws Exception {
    for (int i = 0; i < CLIENTS; i++) {
      Socket socket = socket(served.port());
      send(
          socket,
          String.join(
                  "\r\n",
                  "GET /gremlin HTTP/1.1",
                  "Host: 127.0.0.1",
                  "Upgrade: websocket",
                  "Connection: Upgrade",
                  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                  "Sec-WebSocket-Version: 13",
                  "",
                  "")
              .getBytes(StandardCharsets.US_ASCII));
      StringBuilder answer = new StringBuilder();
      while (answer.indexOf("\r\n\r\n") < 0) {
        int next = socket.getInputStream().read();
        if (next < 0) {
          throw new IOException("closed before the upgrade: " + answer);
        }
        answer.append((char) next);
      }
      send(socket, frame(Messages.binary(Messages.request(large(i)))));
      awaitAnswer(socket);
    }
    awaitClosed();
    try (Wire honest = new Wire(served.port())) {
      assertEquals("200 ", honest.send(Messages.binary(Messages.request("g.inject(1)"))).verdict());
    }
  }

  @Test
  void clientsThatDoNotReadByHttpAreClosed() throws Exception {
    for (int i = 0; i < CLIENTS; i++) {
      byte[] body = body(large(i));
      Socket socket = socket(http);
      send(
          socket,
          String.join(
                  "\r\n",
                  "POST /gremlin HTTP/1.1",
                  "Host: 127.0.0.1",
                  "Content-Type: application/json",
                  "Content-Length: " + body.length,
                  "",
                  "")
              .getBytes(StandardCharsets.US_ASCII));
      send(socket, body);
      awaitAnswer(socket);
    }
    awaitClosed();
    assertEquals(200, post("g.inject(1)").statusCode());
  }

  /** The client asks for all results in one message, which would have 18 million characters. */
  @Test
  void aLargeMessageIsDivided() throws Exception {
    RequestMessage request =
        RequestMessage.from(Messages.request(results(300, 60_000)))
            .addArg(Tokens.ARGS_BATCH_SIZE, 1_024)
            .create();
    try (Wire wire = new Wire(served.port())) {
      wire.send(Messages.binary(request));
      int results = 0;
      int messages = 0;
      boolean isLast = false;
      while (!isLast) {
        ResponseMessage answer = wire.answer();
        isLast = answer.getStatus().getCode() == ResponseStatusCode.SUCCESS;
        assertTrue(isLast || answer.getStatus().getCode() == ResponseStatusCode.PARTIAL_CONTENT);
        results += ((List<?>) answer.getResult().getData()).size();
        messages++;
      }
      assertEquals(300, results);
      assertEquals(5, messages, "4 Mi characters each");
    }
    HttpResponse<String> answer = post(results(100, 60_000));
    assertEquals(200, answer.statusCode());
    assertEquals(100, answer.body().split("x{60000}", -1).length - 1);
    assertTrue(
        answer
            .body()
            .endsWith("\"code\":200,\"attributes\":{\"@type\":\"g:Map\",\"@value\":[]}}}\n"));
  }

  /** Frames of a size of its own, so that each client leaves another part of one unread. */
  private static String large(int client) {
    return results(1_000, 40_000 + 1_500 * client);
  }

  private static String results(int count, int characters) {
    return "g.inject('"
        + "x".repeat(characters)
        + "').repeat(__.identity()).emit().times("
        + count
        + ")";
  }

  /** Waits until an answer has begun, of which nothing is read. */
  private static void awaitAnswer(Socket socket) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
    while (socket.getInputStream().available() < LEAST) {
      assertTrue(System.nanoTime() < end, "no answer comes");
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  /** Without a bound all of them wait for their readers. */
  private void awaitClosed() throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
    while (running() > CLIENTS - CLOSED) {
      assertTrue(System.nanoTime() < end, "no client is closed");
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private Socket socket(int port) throws IOException {
    Socket socket = new Socket();
    sockets.add(socket);
    socket.setReceiveBufferSize(8_192);
    socket.setSoTimeout(300_000);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    return socket;
  }

  private static void send(Socket socket, byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  /** A binary frame, masked with zeros; the shortest form of the length is the only valid one. */
  private static byte[] frame(byte[] payload) {
    ByteBuffer frame = ByteBuffer.allocate(14 + payload.length).put((byte) 0x82);
    if (payload.length < 1 << 16) {
      frame.put((byte) 0xFE).putShort((short) payload.length);
    } else {
      frame.put((byte) 0xFF).putLong(payload.length);
    }
    frame.putInt(0).put(payload);
    return Arrays.copyOf(frame.array(), frame.position());
  }

  private static byte[] body(String query) {
    return ("{\"gremlin\":\"" + query + "\"}").getBytes(StandardCharsets.UTF_8);
  }

  private HttpResponse<String> post(String query) throws Exception {
    return HTTP.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + http + "/gremlin"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(body(query)))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private double running() throws Exception {
    String page =
        HTTP.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + figures + "/metrics"))
                    .build(),
                HttpResponse.BodyHandlers.ofString())
            .body();
    return page.lines()
        .filter(line -> line.startsWith("bg3_server_queries_running "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }
}
