package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.structure.Bg3Graph;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Sends what the official drivers send, byte for byte as it was recorded from them, and expects
 * each request to be served.
 */
class DriverRequestsIT {
  private static final String RECORDED = "driver-requests.txt";
  private static final Pattern ESCAPE = Pattern.compile("\\\\x([0-9a-f]{2})");

  private static ServedFixture served;

  /** A recorded message, with its escapes, and the driver that sent it. */
  private record Recorded(String driver, String message) {
    byte[] bytes() {
      return ESCAPE
          .matcher(message)
          .replaceAll(escape -> Matcher.quoteReplacement(character(escape.group(1))))
          .getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String character(String hex) {
      return String.valueOf((char) Integer.parseInt(hex, 16));
    }
  }

  @BeforeAll
  static void start() throws Exception {
    served = new ServedFixture(Bg3Graph.open(), Map.of());
  }

  @AfterAll
  static void stop() {
    served.close();
  }

  static Stream<Recorded> requests() {
    try (InputStream file = DriverRequestsIT.class.getResourceAsStream(RECORDED)) {
      String[] driver = {""};
      List<String> lines = new String(file.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      return lines.stream()
          .peek(line -> driver[0] = line.startsWith("# ") ? line.substring(2) : driver[0])
          .filter(line -> line.startsWith("b "))
          .map(line -> new Recorded(driver[0], line.substring(2)))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void eachDriverIsAmongThem() {
    List<String> drivers = requests().map(Recorded::driver).distinct().toList();
    assertEquals(4, drivers.size(), drivers.toString());
    for (String name : List.of("python", "javascript", "go", "java")) {
      assertTrue(drivers.stream().anyMatch(driver -> driver.startsWith(name + " ")), name);
    }
  }

  @ParameterizedTest
  @MethodSource("requests")
  void aRecordedRequestIsServed(Recorded request) throws Exception {
    try (Wire wire = new Wire(served.port())) {
      ResponseMessage answer = wire.send(request.bytes()).answer();
      assertEquals(
          ResponseStatusCode.SUCCESS,
          answer.getStatus().getCode(),
          answer.getStatus().getMessage());
      Object result = ((List<?>) answer.getResult().getData()).get(0);
      Object value = result instanceof Traverser<?> traverser ? traverser.get() : result;
      assertEquals(7L, ((Number) value).longValue());
    }
  }
}
