package io.bg3.server.http;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.ServedFixture;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Asks a server that listens on all addresses, without users, by names that lead to it.
 *
 * <p>It proves that web pages cannot reach the server by a name of their own.
 */
class HostNamesIT {
  private static final String WEB_SOCKET =
      String.join(
          "\r\n",
          "Upgrade: websocket",
          "Connection: Upgrade",
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
          "Sec-WebSocket-Version: 13",
          "");

  @Test
  void aNameThatAPageCanHaveIsRefused() throws Exception {
    int http = ServedFixture.freePort();
    try (ServedFixture served =
        new ServedFixture(
            Bg3Graph.open(),
            Map.of(
                "server.host", "0.0.0.0",
                "server.hosts", "db.example, other.example",
                "server.http.port", Integer.toString(http)))) {
      assertAnswered("HTTP/1.1 403 ", served.port(), "page.example", WEB_SOCKET);
      assertAnswered("HTTP/1.1 403 ", http, "page.example", "");
      for (String name : new String[] {"127.0.0.1", "localhost", "bg3", "Other.example"}) {
        assertAnswered("HTTP/1.1 101 ", served.port(), name, WEB_SOCKET);
        assertAnswered("HTTP/1.1 200 ", http, name, "Connection: close\r\n");
      }
    }
  }

  private static void assertAnswered(String status, int port, String name, String headers)
      throws Exception {
    String answer =
        Raw.head(
            port,
            "GET "
                + (headers.equals(WEB_SOCKET) ? "/gremlin" : "/gremlin?gremlin=g.inject(1)")
                + " HTTP/1.1\r\nHost: "
                + name
                + ":"
                + port
                + "\r\n"
                + headers
                + "\r\n");
    assertTrue(answer.startsWith(status), name + ": " + answer);
  }
}
