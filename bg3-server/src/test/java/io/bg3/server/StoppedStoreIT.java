package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Has a server's files reach the largest size that the operating system lets them have.
 *
 * <p>Takes about 6 s: it proves that a full disk stops writes and nothing else. It has no longer
 * form.
 */
class StoppedStoreIT {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @Test
  void aStoreThatHasStoppedWritingIsNotReady(@TempDir Path directory) throws Exception {
    int port = ServedFixture.freePort();
    int http = ServedFixture.freePort();
    Path config = directory.resolve("bg3.properties");
    Files.writeString(
        config,
        String.join(
            "\n",
            "server.port=" + port,
            "server.http.port=" + http,
            "server.evaluation.timeout=600000",
            "bg3.log.limit=8m",
            ""));
    try (Launched server =
        Launched.limited(
                3_000,
                "server",
                "--data",
                directory.resolve("d").toString(),
                "--config",
                config.toString())
            .awaitListening()) {
      assertEquals(200, get(http, "/health"));
      Random random = new Random(1);
      int status = 200;
      for (int i = 0; i < 2_000 && status == 200; i++) {
        status = commit(http, text(random));
      }
      assertTrue(status != 200, "the files have no end");
      assertEquals(503, get(http, "/health"), () -> "a commit failed: " + server.output());
      assertTrue(server.isAlive(), server.output());
    }
  }

  /** A text that no compression makes much shorter. */
  private static String text(Random random) {
    byte[] bytes = new byte[15_000];
    random.nextBytes(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static int commit(int port, String value) throws Exception {
    return HTTP.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/gremlin"))
                .header("Content-Type", "application/json")
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        "{\"gremlin\":\"g.addV('v').property('k','" + value + "').count()\"}"))
                .build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  private static int get(int port, String path) throws Exception {
    return HTTP.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }
}
