package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.access.Role;
import io.bg3.server.access.User;
import io.bg3.server.access.UsersFile;
import io.bg3.server.guard.Messages;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Logs in while others guess, from the same address and at the same name.
 *
 * <p>Takes about 12 s, because refusals are delayed: it proves that guesses do not lock out users.
 * It has no longer form.
 */
class LoginIT {
  private static final int GUESSERS = 50; // by each way
  private static final String PASSWORD = "a right password";

  /** Of the highest cost: a comparison takes seconds. */
  private static final String SLOW_HASH =
      "$2b$16$abcdefghijklmnopqrstuuCVyqTjdqq9nBhSgNTi3XSrWXVDsqHCW";

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir private static Path directory;
  private static UsersFile users;
  private static ServedFixture served;
  private static int httpPort;
  private static long hashMillis;

  @BeforeAll
  static void start() throws Exception {
    users = new UsersFile(directory.resolve("users"));
    long begin = System.nanoTime();
    for (String name : List.of("ada", "bob", "leaver")) {
      users.put(User.of(name, Role.WRITER, PASSWORD.toCharArray()));
    }
    hashMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin) / 3 + 1;
    httpPort = ServedFixture.freePort();
    served =
        new ServedFixture(
            Bg3Graph.open(),
            Map.of(
                "server.users",
                users.path().toString(),
                "server.audit.file",
                directory.resolve("audit.log").toString(),
                "server.http.port",
                Integer.toString(httpPort)));
  }

  @AfterAll
  static void stop() {
    served.close();
  }

  @Test
  void aRightPasswordGetsInWhileAHundredClientsGuess() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger guesses = new AtomicInteger();
    List<Thread> guessers = new ArrayList<>();
    for (int i = 0; i < GUESSERS; i++) {
      guessers.add(new Thread(() -> guess(over, guesses, LoginIT::guessByWebSocket)));
      guessers.add(new Thread(() -> guess(over, guesses, LoginIT::guessByHttp)));
    }
    try {
      guessers.forEach(Thread::start);
      for (String name : List.of("ada", "bob")) { // ada's password is guessed at, bob's is not
        long begin = System.nanoTime();
        try (Wire wire = new Wire(served.port())) {
          assertEquals("200 ", logIn(wire, name, PASSWORD), name);
        }
        assertSoon(begin);
        begin = System.nanoTime();
        assertEquals(200, byHttp(name, PASSWORD), name);
        assertSoon(begin);
        TimeUnit.SECONDS.sleep(2);
      }
      assertTrue(guesses.get() > 0, "nobody has guessed");
    } finally {
      over.set(true);
      for (Thread guesser : guessers) {
        guesser.interrupt();
        guesser.join();
      }
    }
  }

  /** A minute, or more where a comparison of hashes takes so long that it cannot be had. */
  private static void assertSoon(long begin) {
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    long allowed = Math.max(60_000, 4 * GUESSERS * hashMillis);
    assertTrue(millis < allowed, "millis=" + millis + ", allowed=" + allowed);
  }

  private interface Guess {
    void at(String password) throws Exception;
  }

  private static void guess(AtomicBoolean over, AtomicInteger guesses, Guess guess) {
    while (!over.get()) {
      try {
        guess.at("guess " + guesses.incrementAndGet());
      } catch (Exception | AssertionError e) {
        if (over.get()) {
          return;
        }
      }
    }
  }

  private static void guessByWebSocket(String password) throws Exception {
    try (Wire wire = new Wire(served.port())) {
      logIn(wire, "ada", password);
      wire.awaitClosed();
    }
  }

  private static void guessByHttp(String password) throws Exception {
    byHttp("ada", password);
  }

  @Test
  void connectionsThatSendWrongPasswordsGiveWay() throws Exception {
    UsersFile slow = new UsersFile(directory.resolve("slow"));
    slow.put(new User("ada", Role.WRITER, SLOW_HASH));
    try (ServedFixture small =
        new ServedFixture(
            Bg3Graph.open(),
            Map.of(
                "server.users", slow.path().toString(),
                "server.connections", "10",
                "server.connections.share", "100"))) {
      List<Wire> guessers = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        Wire wire = new Wire(small.port());
        guessers.add(wire.send(login("ada", "guess " + i))); // each waits for a comparison
      }
      try (Wire wire = new Wire(small.port())) {
        wire.send(Messages.binary(Messages.request("g.inject(1)")));
        assertEquals(407, wire.answer().getStatus().getCode().getValue());
      }
      guessers.forEach(Wire::close);
    }
  }

  @Test
  void theConnectionOfARemovedUserEnds() throws Exception {
    try (Wire wire = new Wire(served.port())) {
      assertEquals("200 ", logIn(wire, "leaver", PASSWORD));
      users.remove("leaver");
      wire.awaitClosed();
    }
  }

  @Test
  void aConnectionThatSendsManyRequestsBeforeItsLoginIsClosed() throws Exception {
    byte[] request = Messages.binary(Messages.request("g.V()"));
    try (Wire wire = new Wire(served.port())) {
      wire.send(request);
      assertEquals(407, wire.answer().getStatus().getCode().getValue());
      for (int i = 0; i < 32; i++) {
        wire.send(request);
      }
      assertEquals("401 login refused: too many requests before the login", wire.verdict());
      wire.awaitClosed();
    }
  }

  @Test
  void requestsThatWaitedAreAnsweredInTheirOrder() throws Exception {
    try (Wire wire = new Wire(served.port())) {
      List<RequestMessage> requests = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        requests.add(Messages.request("g.inject(" + i + ")"));
        wire.send(Messages.binary(requests.get(i)));
      }
      assertEquals(407, wire.answer().getStatus().getCode().getValue());
      wire.send(login("bob", PASSWORD));
      List<Object> answered = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        ResponseMessage answer = wire.answer();
        assertEquals(200, answer.getStatus().getCode().getValue());
        answered.add(answer.getRequestId());
      }
      for (RequestMessage request : requests) {
        assertTrue(answered.contains(request.getRequestId()));
      }
    }
  }

  /** The verdict on the first query. */
  private static String logIn(Wire wire, String name, String password) throws Exception {
    wire.send(Messages.binary(Messages.request("g.inject(1)")));
    assertEquals(407, wire.answer().getStatus().getCode().getValue());
    return wire.send(login(name, password)).verdict();
  }

  private static byte[] login(String name, String password) {
    byte[] plain = ("\0" + name + "\0" + password).getBytes(StandardCharsets.UTF_8);
    return Messages.binary(
        RequestMessage.build(Tokens.OPS_AUTHENTICATION)
            .addArg(Tokens.ARGS_SASL, Base64.getEncoder().encodeToString(plain))
            .create());
  }

  private static int byHttp(String name, String password) throws Exception {
    byte[] plain = (name + ":" + password).getBytes(StandardCharsets.UTF_8);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + httpPort + "/gremlin"))
            .header("Content-Type", "application/json")
            .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(plain))
            .POST(HttpRequest.BodyPublishers.ofString("{\"gremlin\":\"g.inject(1)\"}"))
            .build();
    return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
  }
}
