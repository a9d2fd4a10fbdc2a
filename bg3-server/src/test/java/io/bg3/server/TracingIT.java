package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.bg3.gremlin.structure.Bg3Graph;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/**
 * A server that exports spans to a collector, as {@code server.tracing.endpoint} says. The
 * collector of the test keeps the bytes of each request, in which all texts of a span can be found.
 *
 * <p>Takes about 10 s, half of it for a collector that does not answer. It has no longer form.
 */
class TracingIT {
  private final List<String> received = Collections.synchronizedList(new ArrayList<>());

  private HttpServer collector() throws IOException {
    HttpServer collector =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.createContext(
        "/v1/traces",
        exchange -> {
          byte[] body = exchange.getRequestBody().readAllBytes();
          received.add(new String(body, StandardCharsets.ISO_8859_1));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    collector.start();
    return collector;
  }

  private static ServedFixture server(int collector) throws IOException {
    return new ServedFixture(
        Bg3Graph.open(),
        Map.of("server.tracing.endpoint", "http://127.0.0.1:" + collector + "/v1/traces"));
  }

  @Test
  void eachRequestHasASpanWithoutValues() throws Exception {
    HttpServer collector = collector();
    try {
      try (ServedFixture server = server(collector.getAddress().getPort())) {
        assertEquals(List.of("my secret", 2), server.g().<Object>inject("my secret", 2).toList());
        server.cluster().connect().submit("g.V(x)", Map.of("x", "another secret")).all().get();
        assertThrows(
            ExecutionException.class,
            () -> server.cluster().connect().submit("g.inject('a').sum()").all().get());
        assertThrows(
            CompletionException.class, () -> server.g().inject(1).fail("no secret").toList());
      } // exports what waits
      String spans = String.join("\n", received);
      for (String expected :
          List.of(
              "service.name",
              "bg3",
              "db.query.text",
              "g.inject(String, Integer)",
              "g.V(x)",
              "db.query.parameter.x",
              "g.inject('a').sum()",
              "enduser.id",
              "127.0.0.1",
              "success",
              "error.type")) {
        assertTrue(spans.contains(expected), () -> expected + " is not in " + spans);
      }
      assertFalse(spans.contains("secret"), spans);
    } finally {
      collector.stop(0);
    }
  }

  @Test
  void aServerWithoutItsCollectorAnswers() throws Exception {
    int nobody = ServedFixture.freePort();
    try (ServedFixture server = server(nobody)) {
      assertEquals(3, server.g().inject(3).next());
    }
  }

  @Test
  void aWrongAddressIsNamed() {
    for (String wrong : List.of("localhost:4318", "ftp://localhost/x", "http:///x", "http://a b")) {
      IllegalArgumentException refused =
          assertThrows(
              IllegalArgumentException.class,
              () -> ServerSettings.of(Map.of("server.tracing.endpoint", wrong)));
      assertTrue(refused.getMessage().contains("server.tracing.endpoint"), refused.getMessage());
      assertTrue(refused.getMessage().contains(wrong), refused.getMessage());
    }
  }
}
