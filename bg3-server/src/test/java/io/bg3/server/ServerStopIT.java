package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.guard.Messages;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Stops a server step by step: a query that waits for the test runs, others wait behind it,
 * sessions are open. The answers to each client agree with the store afterwards.
 *
 * <p>Takes about 8 s: it covers each state in which a stop can meet a request. It has no longer
 * form.
 */
class ServerStopIT {
  private static final int ATTEMPTS = 3;
  private static final String WAITING = "g.addV('ran').call('test.wait')";

  @TempDir private Path directory;
  private Path store;
  private WaitingService waiting;
  private int http;
  private ServedFixture served;
  private Thread stop;

  @AfterEach
  void stopped() throws InterruptedException {
    waiting.letGo(10);
    if (stop.getState() == Thread.State.NEW) { // the test failed before it stopped the server
      stop.start();
    }
    stop.join(TimeUnit.SECONDS.toMillis(700));
    assertFalse(stop.isAlive());
  }

  private void serve(String grace, String longQueries) throws Exception {
    store = Files.createTempDirectory(directory, "store");
    waiting = new WaitingService("test.wait", false);
    Bg3Graph graph = Bg3Graph.open(store.toString());
    graph.getServiceRegistry().registerService(waiting);
    http = ServedFixture.freePort();
    served =
        new ServedFixture(
            graph,
            Map.of(
                "server.shutdown.grace",
                grace,
                "server.threads",
                "1",
                "server.long.queries",
                longQueries,
                "server.evaluation.timeout",
                "600000",
                "server.http.port",
                Integer.toString(http)));
    stop = new Thread(served::stop);
  }

  @Test
  void whatWasTakenIsFinishedWithinTheGrace() throws Exception {
    serve("600000", "1");
    try (Wire runs = new Wire(served.port());
        Wire waits = new Wire(served.port());
        Wire session = new Wire(served.port());
        Wire late = new Wire(served.port())) {
      assertEquals("200 ", late.send(Messages.text(null, "g.inject(1)")).verdict());
      runs.send(Messages.text(null, WAITING));
      waiting.awaitCall();
      waits.send(Messages.text(null, "g.addV('waited')"));
      assertEquals("200 ", session.send(Messages.text("s", "g.addV('half')")).verdict());
      stop.start();
      String verdict = "200 ";
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
      for (int i = 0; verdict.equals("200 ") && System.nanoTime() < end; i++) { // until it begins
        TimeUnit.MILLISECONDS.sleep(10);
        verdict = late.send(Messages.text("late " + i, "g.inject(1)")).verdict();
        if (verdict.equals("200 ")) {
          assertEquals("204 ", late.send(Messages.commit("late " + i)).verdict());
        }
      }
      String stopping =
          "596 the server is stopping, and the request was not run; repeat it when the server is"
              + " back";
      assertEquals(stopping, verdict);
      assertEquals(stopping, late.send(Messages.text(null, "g.addV('late')")).verdict());
      assertEquals("200 ", session.send(Messages.text("s", "g.addV('half')")).verdict());
      assertEquals("204 ", session.send(Messages.commit("s")).verdict());
      assertEquals(stopping, session.send(Messages.text("s", "g.addV('late')")).verdict());
      waiting.letGo(1);
      assertEquals("200 ", runs.verdict());
      assertEquals("200 ", waits.verdict());
      stop.join(TimeUnit.SECONDS.toMillis(300));
      assertFalse(stop.isAlive(), "nothing was left, and still it waits for the grace");
    }
    assertEquals(Map.of("ran", 1L, "waited", 1L, "half", 2L), left());
  }

  /** Gremlin Server by itself has its event loops wait until they had no work for two seconds. */
  @Test
  void aServerWithoutWorkStopsAtOnce() throws Exception {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < ATTEMPTS; i++) { // the machine may pause
      serve("600000", "1");
      try (Wire wire = new Wire(served.port())) {
        assertEquals("200 ", wire.send(Messages.text(null, "g.inject(1)")).verdict());
      }
      long begin = System.nanoTime();
      stop.start();
      stop.join();
      least = Math.min(least, System.nanoTime() - begin);
    }
    assertTrue(least < TimeUnit.SECONDS.toNanos(2), "ns=" + least);
  }

  private interface Attempt {
    void run() throws Exception;
  }

  /**
   * Stops a server, and another one if that fails: behind the end of the grace it waits for a
   * moment until answers are sent, and the machine may pause for longer.
   */
  private void stopUndisturbed(Attempt attempt) throws Exception {
    for (int i = 1; ; i++) {
      try {
        attempt.run();
        return;
      } catch (AssertionError e) {
        if (i == ATTEMPTS) {
          throw e;
        }
        stopped();
      }
    }
  }

  @Test
  void whatIsLeftAfterTheGraceIsRefused() throws Exception {
    stopUndisturbed(this::leaveRequestsToTheEndOfTheGrace);
  }

  private void leaveRequestsToTheEndOfTheGrace() throws Exception {
    serve("300", "1");
    HttpClient client = HttpClient.newHttpClient();
    URI health = URI.create("http://127.0.0.1:" + http + "/health");
    HttpRequest connects = HttpRequest.newBuilder(health).build();
    assertEquals(200, client.send(connects, BodyHandlers.discarding()).statusCode());
    Map<Object, Long> expected = new HashMap<>();
    try (Wire runs = new Wire(served.port());
        Wire begins = new Wire(served.port());
        Wire waits = new Wire(served.port());
        Wire session = new Wire(served.port())) {
      assertEquals("200 ", session.send(Messages.text("s", "g.addV('half')")).verdict());
      runs.send(Messages.text(null, WAITING));
      waiting.awaitCall();
      begins.send(Messages.text(null, WAITING)); // in the place that the first has left
      waiting.awaitCall();
      waits.send(Messages.text(null, "g.addV('waited')"));
      CompletableFuture<HttpResponse<String>> byHttp =
          client.sendAsync(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + http + "/gremlin"))
                  .header("Content-Type", "application/json")
                  .POST(BodyPublishers.ofString("{\"gremlin\":\"g.addV('waited')\"}"))
                  .build(),
              BodyHandlers.ofString());
      stop.start();
      for (Wire wire : List.of(runs, begins)) { // one loses its place to others if the stop is late
        String verdict = wire.verdict();
        assertTrue(verdict.matches("598 the server is stopping.*|429 .*"), verdict);
      }
      String verdict = waits.verdict();
      if (verdict.equals("200 ")) { // it got that place
        expected.merge("waited", 1L, Long::sum);
      } else {
        assertTrue(verdict.startsWith("596 the server is stopping"), verdict);
      }
      int status = byHttp.get(300, TimeUnit.SECONDS).statusCode();
      if (status == 200) {
        expected.merge("waited", 1L, Long::sum);
      } else {
        assertEquals(503, status);
      }
      session.awaitClosed();
    }
    stopped();
    assertEquals(expected, left());
  }

  @Test
  void requestsThatWaitInASessionAreToldThatTheServerStops() throws Exception {
    stopUndisturbed(this::leaveRequestsInASession);
  }

  private void leaveRequestsInASession() throws Exception {
    serve("300", "2"); // a connection has more than one request under way
    try (Wire session = new Wire(served.port())) {
      assertEquals("200 ", session.send(Messages.text("s", "g.addV('half')")).verdict());
      session.send(Messages.text("s", WAITING));
      waiting.awaitCall();
      session.send(Messages.text("s", "g.addV('waits')")).send(Messages.commit("s"));
      session.send(Messages.text(null, "g.inject(1)")); // is read after the others
      assertEquals("200 ", session.verdict());
      stop.start();
      List<String> verdicts = new ArrayList<>();
      for (ResponseMessage answer = session.answerIfAny();
          answer != null;
          answer = session.answerIfAny()) {
        verdicts.add(
            answer.getStatus().getCode().getValue() + " " + answer.getStatus().getMessage());
      }
      String stopping = "596 the server is stopping: the session has ended, and nothing of its";
      assertEquals(
          2,
          verdicts.stream().filter(verdict -> verdict.startsWith(stopping)).count(),
          verdicts.toString());
      assertTrue(
          verdicts.contains(
              "598 the server is stopping, and the query was ended, and nothing of its transaction"
                  + " is committed"),
          verdicts.toString());
    }
    stopped();
    assertEquals(Map.of(), left());
  }

  private Map<Object, Long> left() {
    try (Bg3Graph graph = Bg3Graph.open(store.toString())) {
      return graph.traversal().V().groupCount().by(T.label).next();
    }
  }
}
