package io.bg3.linkbench.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connection to a peer that is no server. */
@Timeout(60)
class ServerConnectionTest {
  @Test
  void whoIsNotAnsweredDoesNotWaitForEver() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        ServerConnection line = new ServerConnection(endpoint(silent))) {
      CompletableFuture<Void> request = CompletableFuture.runAsync(() -> send(line));
      while (!request.isDone()) {
        line.hangUpAfter(0);
        TimeUnit.MILLISECONDS.sleep(1);
      }
      Throwable problem = assertThrows(CompletionException.class, request::join).getCause();
      assertEquals("nothing was answered for 0 s", problem.getCause().getMessage());
    }
  }

  @Test
  void whoIsNoWebSocketIsRefused() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        ServerConnection line = new ServerConnection(endpoint(other))) {
      CompletableFuture<Void> request = CompletableFuture.runAsync(() -> send(line));
      try (var peer = other.accept()) {
        peer.getOutputStream()
            .write(
                "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
        assertThrows(CompletionException.class, request::join);
      }
    }
  }

  @Test
  void aConnectionThatIsClosedIsNotMadeAgain() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      ServerConnection line = new ServerConnection(endpoint(silent));
      line.close();
      assertThrows(IllegalStateException.class, () -> send(line));
    }
  }

  private static Endpoint endpoint(ServerSocket server) {
    return new Endpoint(
        server.getInetAddress().getHostAddress(), server.getLocalPort(), false, null, "");
  }

  private static void send(ServerConnection line) {
    try {
      line.send(ServiceClient.request("bg3.batch", Map.of("operations", ByteBuffer.allocate(0))));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
