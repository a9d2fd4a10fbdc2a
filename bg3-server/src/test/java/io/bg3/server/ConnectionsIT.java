package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.guard.Messages;
import io.bg3.testing.Seeds;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.zip.Deflater;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Misuses connections, below the level of messages. After each test the server is Unharmed. A
 * second server closes connections soon; what waits for that asks it and nothing else does.
 */
class ConnectionsIT {
  private static final int CONNECTIONS = 40;
  private static final int PATIENCE_MILLIS = 300_000;

  @TempDir private static Path directory;

  private static ServedFixture served;
  private static ServedFixture hasty; // closes what is silent or idle soon
  private static Unharmed unharmed;

  @BeforeAll
  static void start() throws Exception {
    served =
        new ServedFixture(
            Bg3Graph.open(),
            Map.of(
                "server.connections", Integer.toString(CONNECTIONS),
                "server.strict.transactions", "1",
                "server.connection.unread", "1000",
                "server.connection.idle", "600000"));
    hasty =
        new ServedFixture(
            Bg3Graph.open(),
            Map.of("server.handshake.timeout", "1000", "server.connection.idle", "1000"));
    unharmed = new Unharmed(directory, served.g());
  }

  @AfterEach
  void theServerIsUnharmed() throws Exception {
    unharmed.check();
  }

  @AfterAll
  static void stop() {
    hasty.close();
    served.close();
  }

  @Test
  void whoConnectsAndSaysNothingIsCutOff() throws Exception {
    try (Socket socket = socket(hasty)) {
      assertEquals("", rest(socket));
    }
  }

  @Test
  void whoSpellsItsRequestOutIsCutOff() throws Exception {
    try (Socket socket = socket(hasty)) {
      String filling = "X-Filling: " + "x".repeat(4_000) + "\r\n"; // takes minutes to spell
      byte[] request = handshake(filling).getBytes(StandardCharsets.US_ASCII);
      int sent = 0;
      try {
        for (; sent < request.length; sent++) {
          socket.getOutputStream().write(request[sent]);
          Thread.sleep(50);
        }
      } catch (IOException cutOff) {
        assertTrue(sent > 0);
      }
      assertTrue(sent < request.length, "the whole request was taken");
    }
  }

  @Test
  void anIdleConnectionIsClosed() throws Exception {
    for (int attempt = 1; ; attempt++) {
      try (Wire wire = new Wire(hasty.port())) {
        wire.awaitClosed();
        return;
      } catch (CompletionException beforeTheUpgrade) { // the machine has paused
        if (attempt == 20) {
          throw beforeTheUpgrade;
        }
      }
    }
  }

  @Test
  void connectionsAreCounted() throws Exception {
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < 3 * CONNECTIONS; i++) {
        sockets.add(socket());
      }
      int closed = 0;
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
      while (closed < 2 * CONNECTIONS && System.nanoTime() < end) {
        closed = 0;
        for (Socket socket : sockets) {
          closed += isClosed(socket) ? 1 : 0;
        }
      }
      assertTrue(closed >= 2 * CONNECTIONS, "closed=" + closed);
      try (Wire late = new Wire(served.port())) { // an idle one gives way to it
        assertTrue(late.send(query()).verdict().startsWith("200 "));
      }
      assertEquals(1L, served.g().inject(1).count().next(), "who was there before stays");
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  private static boolean isClosed(Socket socket) throws IOException {
    socket.setSoTimeout(100);
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException reset) {
      return true;
    }
  }

  @Test
  void aHeaderAndABodyThatAreTooLargeAreRefused() throws Exception {
    try (Socket socket = socket(hasty)) { // is not answered in every case
      send(socket, handshake("X-Long: " + "x".repeat(20_000) + "\r\n"));
      assertTrue(rest(socket).matches("(?s)(HTTP/1.1 4.*)?"), "no way in");
    }
    try (Socket socket = socket()) {
      send(socket, "POST /gremlin HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000\r\n\r\n");
      assertTrue(head(socket).startsWith("HTTP/1.1 413 ")); // the server keeps the connection
    }
  }

  @Test
  void whatIsNoWebSocketIsNotServed() throws Exception {
    for (String path : List.of("/gremlin", "/", "/gremlin?gremlin=g.V()", "/etc/passwd")) {
      try (Socket socket = socket()) {
        send(socket, "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
        String answer = rest(socket);
        assertTrue(answer.isEmpty() || answer.matches("(?s)HTTP/1.1 4.*"), answer);
      }
    }
  }

  @Test
  void aMessageThatIsTooLargeEndsItsConnection() throws Exception {
    try (Wire wire = new Wire(served.port())) {
      wire.sendUnwelcome(new byte[(1 << 20) + 1], false);
      wire.awaitClosed();
    }
    try (Wire wire = new Wire(served.port())) {
      for (int i = 0; i < 64 && !wire.isClosed(); i++) {
        wire.sendUnwelcome(new byte[1 << 16], false); // never the last
      }
      wire.awaitClosed();
    }
  }

  @Test
  void aMessageInPartsIsPutTogether() throws Exception {
    byte[] query = query();
    try (Wire wire = new Wire(served.port())) {
      for (int i = 0; i < query.length; i++) {
        wire.sendPart(new byte[] {query[i]}, i == query.length - 1);
      }
      assertTrue(wire.verdict().startsWith("200 "));
    }
  }

  @Test
  void whatIsCompressedIsInflatedNoFurtherThanAMessageMayBeLong() throws Exception {
    Deflater deflater = new Deflater(9, true);
    deflater.setInput(new byte[256 << 20]); // a quarter of a gigabyte in 256 kilobytes
    byte[] small = new byte[1 << 20];
    int length = deflater.deflate(small, 0, small.length, Deflater.SYNC_FLUSH);
    deflater.end();
    try (Socket socket =
        upgraded(
            "Sec-WebSocket-Extensions: permessage-deflate\r\nX-Forwarded-For: 192.0.2.1\r\n")) {
      send(socket, frame(0xC2, Arrays.copyOf(small, length - 4)));
      rest(socket); // until it is closed
    } catch (SocketException e) {
      // it was closed while the last bytes were sent
    }
  }

  @Test
  void framesOfNonsenseHarmNobody() throws Exception {
    long seed = Seeds.one();
    Random random = new Random(seed);
    for (int i = 0; i < 30; i++) {
      try (Socket socket = upgraded("")) {
        byte[] nonsense = new byte[1 + random.nextInt(2_000)];
        random.nextBytes(nonsense);
        try {
          send(socket, random.nextBoolean() ? nonsense : frame(random.nextInt(256), nonsense));
          send(socket, nonsense);
        } catch (IOException closed) {
          assertTrue(closed.getMessage() != null, "-Dbg3.seed=" + seed);
        }
      }
    }
  }

  @Test
  void withStrictTransactionsATextNamesItsSource() throws Exception {
    RequestMessage nameless = Messages.request("g.addV('strict')");
    try (Wire wire = new Wire(served.port())) {
      String verdict = wire.send(Messages.binary(nameless)).verdict();
      assertTrue(verdict.startsWith("499 ") && verdict.contains("aliases"), verdict);
      assertTrue(wire.send(named("g.addV('strict')")).verdict().startsWith("200 "));
      verdict = wire.send(named("g.addV('strict').fail()")).verdict();
      assertTrue(verdict.startsWith("595 "), verdict);
    }
    assertEquals(1L, served.g().V().hasLabel("strict").count().next());
  }

  /** Each frame of seven bytes is answered by hundreds. */
  @Test
  void aClientThatDoesNotReadIsNotReadFromAndIsClosed() throws Exception {
    byte[] frames = new byte[7 << 13];
    for (int i = 0; i < frames.length; i += 7) {
      frames[i] = (byte) 0x82;
      frames[i + 1] = (byte) 0x81; // one byte, masked with zeros
    }
    long before = PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
    try (Socket socket = upgraded("")) {
      assertThrows(
          IOException.class,
          () -> {
            for (int sent = 0; sent < 16 << 20; sent += frames.length) {
              send(socket, frames);
            }
          },
          "everything was taken");
      long grown = PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory() - before;
      assertTrue(grown < 48 << 20, "buffers have grown: bytes=" + grown);
    }
  }

  private static byte[] query() {
    return named("g.inject(1)");
  }

  private static byte[] named(String query) {
    return Messages.binary(
        RequestMessage.from(Messages.request(query))
            .addArg(Tokens.ARGS_ALIASES, Map.of("g", "g"))
            .create());
  }

  private static Socket socket() throws IOException {
    return socket(served);
  }

  private static Socket socket(ServedFixture to) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), to.port());
    socket.setSoTimeout(PATIENCE_MILLIS);
    return socket;
  }

  private static String handshake(String more) {
    return "GET /gremlin HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
        + "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        + "Sec-WebSocket-Version: 13\r\n"
        + more
        + "\r\n";
  }

  private static Socket upgraded(String more) throws IOException {
    Socket socket = socket();
    send(socket, handshake(more));
    String answer = head(socket);
    assertTrue(answer.startsWith("HTTP/1.1 101 "), answer);
    return socket;
  }

  /** The status line and the headers of an answer. */
  private static String head(Socket socket) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = socket.getInputStream().read();
      if (next < 0) {
        throw new IOException("closed before the end of an answer: " + head);
      }
      head.append((char) next);
    }
    return head.toString();
  }

  private static void send(Socket socket, String text) throws IOException {
    send(socket, text.getBytes(StandardCharsets.US_ASCII));
  }

  private static void send(Socket socket, byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  /** A whole frame, masked with zeros. */
  private static byte[] frame(int first, byte[] payload) {
    ByteBuffer frame = ByteBuffer.allocate(14 + payload.length);
    frame.put((byte) first).put((byte) 0xFF).putLong(payload.length).putInt(0).put(payload);
    return Arrays.copyOf(frame.array(), frame.position());
  }

  /** The bytes that come until the server closes; empty also when it resets. */
  private static String rest(Socket socket) throws IOException {
    ByteArrayOutputStream rest = new ByteArrayOutputStream();
    try {
      InputStream in = socket.getInputStream();
      for (int b = in.read(); b >= 0; b = in.read()) {
        rest.write(b);
      }
    } catch (java.net.SocketException reset) {
      assertTrue(reset.getMessage() != null);
    }
    return rest.toString(StandardCharsets.US_ASCII);
  }
}
