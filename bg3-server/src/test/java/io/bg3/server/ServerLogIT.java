package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.server.access.Keystores;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Does what strangers do to the server that is shipped, and reads its standard error: lines with a
 * time, few of each kind, and nothing of what was sent as bytes.
 *
 * <p>Takes about 15 s, because limits of lines hold for ten seconds: it proves that strangers
 * cannot fill the log. It has no longer form.
 */
class ServerLogIT {
  private static final String SECRET = "hunter2-" + UUID.randomUUID();
  private static final int SHORT_MILLIS = 2_000; // the server need not close it
  private static final int LONG_MILLIS = 120_000;
  private static final String LINE = "\\d{4}-\\d\\d-\\d\\dT[0-9:.]+\\S+ (WARN|ERROR) .*";
  private static final String SAID =
      "data in .*|listening on .*|queries by HTTP at .*|stopped, store closed";

  @Test
  void noClientWritesAStackTraceOrFloodsTheLog(@TempDir Path directory) throws Exception {
    int port = ServedFixture.freePort();
    int http = ServedFixture.freePort();
    Path config = directory.resolve("bg3.properties");
    Files.writeString(
        config,
        String.join(
            "\n",
            "server.port=" + port,
            "server.handshake.timeout=120000",
            "server.http.port=" + http,
            "server.content.limit=65536",
            "server.evaluation.timeout=3000",
            ""));
    try (Launched server =
        Launched.bg3("server", "--data", directory.resolve("d").toString(), "--config", "" + config)
            .awaitListening()) {
      long begin = System.nanoTime();
      garbage(port);
      garbage(http);
      brokenWebSockets(port);
      failingQueries(port, http);
      server.terminate();
      server.awaitExit();
      List<String> lines = lines(server);
      long windows = 2 + (System.nanoTime() - begin) / 10_000_000_000L;
      for (String kind : List.of("query failed", "request refused", "query timed out")) {
        long count = count(lines, " " + kind + ": from=");
        assertTrue(count >= 1, server.output());
        assertTrue(count <= 5 * windows, server.output());
      }
      assertFalse(server.output().contains(SECRET), server.output());
    }
  }

  @Test
  void aPasswordSentInPlainToTheTlsPortIsNotLogged(@TempDir Path directory) throws Exception {
    int port = ServedFixture.freePort();
    int http = ServedFixture.freePort();
    Path keystore = directory.resolve("server.p12");
    Keystores.make(keystore);
    Path config = directory.resolve("bg3.properties");
    Files.writeString(
        config,
        String.join(
            "\n",
            "server.port=" + port,
            "server.handshake.timeout=120000",
            "server.http.port=" + http,
            "server.tls.keystore=" + keystore,
            "server.tls.password=" + Keystores.PASSWORD,
            ""));
    try (Launched server =
        Launched.bg3("server", "--data", directory.resolve("d").toString(), "--config", "" + config)
            .awaitListening()) {
      for (int door : new int[] {port, http}) {
        for (int i = 0; i < 20; i++) {
          exchange(
              door,
              ("GET /gremlin HTTP/1.1\r\nHost: x\r\nAuthorization: " + SECRET + "\r\n\r\n")
                  .getBytes(StandardCharsets.UTF_8),
              LONG_MILLIS);
        }
        exchange(
            door, HexFormat.of().parseHex("1603010005010000010100"), LONG_MILLIS); // a torn hello
      }
      server.terminate();
      server.awaitExit();
      List<String> lines = lines(server);
      long written = count(lines, " connection is not TLS: from=");
      assertTrue(written >= 5, server.output());
      assertEquals(40, written + leftOut(server.output()), server.output());
      String hex = HexFormat.of().formatHex(SECRET.getBytes(StandardCharsets.UTF_8));
      assertFalse(server.output().contains(SECRET), server.output());
      assertFalse(server.output().contains(hex.substring(0, 16)), server.output());
    }
  }

  private static void garbage(int port) throws IOException {
    Random random = new Random(7);
    for (int i = 0; i < 30; i++) {
      byte[] bytes = new byte[1 + random.nextInt(2_000)];
      random.nextBytes(bytes);
      exchange(port, bytes, SHORT_MILLIS);
    }
    exchange(
        port,
        ("GET /gremlin HTTP/1.1\r\n" + "X: " + SECRET.repeat(2_000))
            .getBytes(StandardCharsets.UTF_8),
        SHORT_MILLIS);
    exchange(
        port,
        ("GET /gremlin HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade"
                + "\r\nSec-WebSocket-Version: 99\r\n\r\n")
            .getBytes(StandardCharsets.UTF_8),
        SHORT_MILLIS);
  }

  private static void brokenWebSockets(int port) throws Exception {
    try (Wire wire = new Wire(port)) {
      wire.sendUnwelcome(new byte[80_000], true).awaitClosed();
    }
    try (Wire wire = new Wire(port)) {
      assertTrue(wire.send(new byte[] {1, 2, 3}).verdict().startsWith("498 "));
      assertTrue(wire.send("no JSON " + SECRET).verdict().startsWith("498 "));
      assertTrue(wire.send("{\"op\":\"eval\",\"args\":null}").verdict().matches("49[89] .*"));
      assertTrue(wire.send("{\"requestId\":null}").verdict().startsWith("498 "));
    }
    new Wire(port).sendPart(new byte[10], false).close();
  }

  private static void failingQueries(int port, int http) throws Exception {
    for (int i = 0; i < 30; i++) {
      post(http, "g.inject('" + SECRET + "').math('_')");
      post(http, "g.V(\\n\\\"" + "x".repeat(1_000));
      post(http, "g.io('x').read()");
    }
    for (int i = 0; i < 3; i++) {
      post(http, "g.inject('" + SECRET + "').repeat(identity()).until(is('x'))");
    }
    try (Wire wire = new Wire(port)) {
      wire.send(
              "{\"requestId\":\""
                  + UUID.randomUUID()
                  + "\",\"op\":\"eval\",\"processor\":\"none\",\"args\":{\"gremlin\":\"g.V()\"}}")
          .verdict();
    }
  }

  private static void post(int port, String query) throws Exception {
    HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/gremlin"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"gremlin\":\"" + query + "\"}"))
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }

  /** Sends bytes, and waits until the server has closed the connection or the time is over. */
  private static void exchange(int port, byte[] bytes, int millis) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(millis);
      socket.getOutputStream().write(bytes);
      socket.shutdownOutput();
      socket.getInputStream().readAllBytes();
    } catch (IOException e) {
      assertTrue(e.getMessage().matches(".*(reset|timed out|Broken pipe).*"), e.toString());
    }
  }

  /** The lines of a log; every line that a server writes is one, or says what it does. */
  private static List<String> lines(Launched server) {
    List<String> lines = server.output().lines().filter(line -> !line.matches(SAID)).toList();
    for (String line : lines) {
      assertTrue(line.matches(LINE), "not a line of a log: " + line + "\nin\n" + server.output());
      assertTrue(line.length() < 700, line);
    }
    return lines;
  }

  private static long leftOut(String output) {
    return Pattern.compile("left out: count=(\\d+), kind=\"connection is not TLS\"")
        .matcher(output)
        .results()
        .mapToLong(result -> Long.parseLong(result.group(1)))
        .sum();
  }

  private static long count(List<String> lines, String part) {
    return lines.stream().filter(line -> line.contains(part)).count();
  }
}
