package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.guard.Messages;
import io.bg3.testing.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.driver.exception.ResponseException;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Leaves client transactions open in every way: idle, for too long, too many, with the socket gone;
 * and lets them conflict. After each test nothing is open and the server is {@link Unharmed}. The
 * time-outs of sessions are those of a second server, which nothing else asks.
 *
 * <p>Takes about 35 s, most of it waits for time-outs: it proves that no client leaves a
 * transaction open. It has no longer form.
 */
class SessionsIT {
  private static final int SESSIONS = 20;
  private static final long IDLE_MILLIS = 2_000;
  private static final long LIFE_MILLIS = 5_000;
  private static final int ATTEMPTS = 5;
  private static final String ENDLESS = "g.inject(1).repeat(__.identity()).until(__.is(-1))";

  @TempDir private static Path directory;

  private static Bg3Graph graph;
  private static ServedFixture served;
  private static Bg3Graph hastyGraph;
  private static ServedFixture hasty; // ends sessions soon
  private static Unharmed unharmed;

  @BeforeAll
  static void start() throws Exception {
    graph = Bg3Graph.open();
    served =
        new ServedFixture(
            graph,
            Map.of(
                "server.sessions", Integer.toString(SESSIONS),
                "server.sessions.share", "100",
                "server.session.queue", "8"));
    hastyGraph = Bg3Graph.open();
    hasty =
        new ServedFixture(
            hastyGraph,
            Map.of(
                "server.sessions", Integer.toString(SESSIONS),
                "server.sessions.share", "100",
                "server.session.timeout", Long.toString(IDLE_MILLIS),
                "server.session.life", Long.toString(LIFE_MILLIS)));
    unharmed = new Unharmed(directory, served.g());
  }

  @AfterEach
  void nothingIsOpen() throws Exception {
    awaitNoneOpen();
    unharmed.check();
  }

  @AfterAll
  static void stop() {
    hasty.close();
    served.close();
  }

  private interface Attempt {
    /**
     * @param label of the vertices that this attempt adds
     */
    void run(String label) throws Exception;
  }

  /** Tries again what fails, since a pause of the machine ends sessions of the hasty server. */
  private static void undisturbed(String label, Attempt attempt) throws Exception {
    for (int i = 1; ; i++) {
      try {
        attempt.run(label + " " + i);
        return;
      } catch (AssertionError e) {
        if (i == ATTEMPTS) {
          throw e;
        }
        awaitNoneOpen();
      }
    }
  }

  private static long count(ServedFixture by, String label) {
    return by.g().V().hasLabel(label).count().next();
  }

  @Test
  void whatAVanishedClientHasLeftIsRolledBack() throws Exception {
    ok(text(null, "g.addV('shared').property('n',0)"));
    try (Wire vanishing = new Wire(served.port())) {
      String session = UUID.randomUUID().toString();
      ok(vanishing, text(session, "g.V().hasLabel('shared').property('n',1).count()"));
      ok(vanishing, text(session, "g.addV('left')"));
      assertTrue(graph.stats().openTransactions() > 0);
    } // the socket is gone, nothing was said
    awaitNoneOpen();
    ok(text(null, "g.V().hasLabel('shared').property('n',2).count()"));
    assertEquals(List.of(2), served.g().V().hasLabel("shared").values("n").toList());
    assertEquals(0L, served.g().V().hasLabel("left").count().next());
  }

  @Test
  void aClientThatVanishesInTheMiddleOfAQueryIsRolledBackToo() throws Exception {
    try (Wire vanishing = new Wire(served.port())) {
      String session = UUID.randomUUID().toString();
      ok(vanishing, text(session, "g.addV('left')"));
      vanishing.send(text(session, ENDLESS));
      Thread.sleep(200);
    }
    awaitNoneOpen();
    assertEquals(0L, served.g().V().hasLabel("left").count().next());
  }

  @Test
  void anIdleSessionIsRolledBackAndItsClientIsTold() throws Exception {
    undisturbed("idle", SessionsIT::idleSession);
  }

  private static void idleSession(String label) throws Exception {
    try (Wire wire = new Wire(hasty.port())) {
      String session = UUID.randomUUID().toString();
      ok(wire, text(session, add(label)));
      awaitNoneOpen();
      for (int i = 0; i < 2; i++) {
        assertEquals(
            "500 session has ended, and nothing of its transaction is committed: reason=it stood"
                + " idle for longer than server.session.timeout; send a rollback or open a new"
                + " session",
            wire.send(text(session, add(label))).verdict());
      }
      assertEquals(0L, count(hasty, label));
      ok(wire, rollback(session));
      ok(wire, text(session, add(label))); // a new one
      ok(wire, commit(session));
      assertEquals(1L, count(hasty, label));
    }
  }

  @Test
  void aCommitAcknowledgesTheEndOfAnIdleSessionByFailing() throws Exception {
    undisturbed("half", SessionsIT::commitOfAnIdleSession);
  }

  private static void commitOfAnIdleSession(String label) throws Exception {
    try (Wire wire = new Wire(hasty.port())) {
      String session = UUID.randomUUID().toString();
      ok(wire, text(session, add(label)));
      awaitNoneOpen();
      wire.send(text(session, add(label))).send(commit(session));
      for (int i = 0; i < 2; i++) {
        String verdict = wire.verdict();
        assertTrue(verdict.startsWith("500 session has ended"), verdict);
      }
      ok(wire, commit(session)); // of nothing, in a new session
      assertEquals(0L, count(hasty, label));
    }
  }

  @Test
  void aSessionThatEndsWithNothingOpenIsForgotten() throws Exception {
    undisturbed("forgotten", SessionsIT::sessionWithNothingOpen);
  }

  private static void sessionWithNothingOpen(String label) throws Exception {
    try (Wire wire = new Wire(hasty.port())) {
      String session = UUID.randomUUID().toString();
      ok(wire, text(session, add(label)));
      ok(wire, commit(session));
      Thread.sleep(2 * IDLE_MILLIS);
      ok(wire, text(session, add(label)));
      ok(wire, commit(session));
      assertEquals(2L, count(hasty, label));
    }
  }

  @Test
  void commitsAndRollbacksInTextsAreUnderstood() throws Exception {
    undisturbed("by text", SessionsIT::sessionByTexts);
  }

  private static void sessionByTexts(String label) throws Exception {
    try (Wire wire = new Wire(hasty.port())) {
      String session = UUID.randomUUID().toString();
      ok(wire, text(session, add(label)));
      ok(wire, text(session, "g.tx().commit()"));
      Thread.sleep(2 * IDLE_MILLIS); // with nothing open
      ok(wire, text(session, add(label)));
      awaitNoneOpen();
      String verdict = wire.send(text(session, add(label))).verdict();
      assertTrue(verdict.startsWith("500 session has ended"), verdict);
      ok(wire, text(session, "g.tx().rollback()"));
      ok(wire, text(session, add(label)));
      ok(wire, text(session, "g.tx() . commit();"));
    }
    assertEquals(2L, count(hasty, label));
  }

  @Test
  void requestsThatWaitWhenTheirSessionEndsAreAnswered() throws Exception {
    undisturbed("waiting", SessionsIT::requestsOfASessionThatEnds);
  }

  private static void requestsOfASessionThatEnds(String label) throws Exception {
    try (Wire wire = new Wire(hasty.port())) {
      String session = UUID.randomUUID().toString();
      ok(wire, text(session, add(label)));
      wire.send(text(session, ENDLESS)).send(text(session, "g.V()")).send(commit(session));
      List<String> verdicts = List.of(wire.verdict(), wire.verdict(), wire.verdict());
      assertEquals(
          2,
          verdicts.stream().filter(v -> v.startsWith("500 session has ended")).count(),
          verdicts::toString);
      assertTrue(verdicts.stream().anyMatch(v -> v.startsWith("598 ")), verdicts::toString);
    }
    awaitNoneOpen();
    assertEquals(0L, count(hasty, label));
  }

  /**
   * Commits at the moment at which the session ends because it stood idle: the answer and what is
   * there agree.
   */
  @Test
  void aCommitAtTheEndOfASessionIsAnsweredTruly() throws Exception {
    long seed = Seeds.one();
    Random random = new Random(seed);
    int clients = 12;
    List<Wire> wires = new ArrayList<>();
    try {
      for (int i = 0; i < clients; i++) {
        Wire wire = new Wire(hasty.port());
        wires.add(wire);
        ok(wire, text("end " + i, "g.addV('end').property('i'," + i + ")"));
      }
      long begin = System.nanoTime();
      Set<Object> committed = new HashSet<>();
      for (int i = 0; i < clients; i++) { // the first of them ends when its request is so old
        long millis = IDLE_MILLIS - 10 + 2L * i + random.nextInt(3);
        long until = begin + TimeUnit.MILLISECONDS.toNanos(millis);
        TimeUnit.NANOSECONDS.sleep(until - System.nanoTime());
        wires.get(i).send(commit("end " + i));
      }
      for (int i = 0; i < clients; i++) {
        String verdict = wires.get(i).verdict();
        if (verdict.startsWith("204 ")) {
          committed.add(i);
        } else {
          assertTrue(verdict.startsWith("500 session has ended"), verdict);
        }
      }
      assertEquals(
          committed, hasty.g().V().hasLabel("end").values("i").toSet(), () -> "seed=" + seed);
    } finally {
      wires.forEach(Wire::close);
    }
  }

  /** A commit that waits behind a statement which the server ends would commit half. */
  @Test
  void aStatementThatIsEndedEndsItsTransaction() throws Exception {
    for (int i = 0; i < 4; i++) {
      try (Wire wire = new Wire(served.port())) {
        String session = UUID.randomUUID().toString();
        ok(wire, text(session, "g.addV('half')"));
        RequestMessage late =
            RequestMessage.build(Tokens.OPS_EVAL)
                .processor("session")
                .addArg(Tokens.ARGS_SESSION, session)
                .addArg(Tokens.ARGS_GREMLIN, ENDLESS)
                .addArg(Tokens.ARGS_EVAL_TIMEOUT, 300L)
                .create();
        wire.send(Messages.binary(late)).send(commit(session));
        List<String> verdicts = List.of(wire.verdict(), wire.verdict());
        assertTrue(verdicts.stream().anyMatch(v -> v.startsWith("598 ")), verdicts::toString);
        assertTrue(
            verdicts.stream().anyMatch(v -> v.startsWith("500 session has ended")),
            verdicts::toString);
      }
    }
    awaitNoneOpen();
    assertEquals(0L, served.g().V().hasLabel("half").count().next());
  }

  /** Requests that the client has sent behind the first one belong to the same transaction. */
  @Test
  void aSessionThatWasRefusedDoesNotBeginInTheMiddle() throws Exception {
    undisturbed("refused", SessionsIT::refusedSession);
  }

  private static void refusedSession(String label) throws Exception {
    try (Wire wire = new Wire(hasty.port())) {
      for (int i = 0; i < SESSIONS / 4; i++) {
        ok(wire, text("kept " + i, add("kept")));
      }
      String verdict = wire.send(text("late", add(label + " half"))).verdict();
      assertTrue(verdict.startsWith("429 this connection has too many sessions"), verdict);
      awaitNoneOpen(); // there is room for others now
      for (byte[] request : List.of(text("late", add(label + " half")), commit("late"))) {
        verdict = wire.send(request).verdict();
        assertTrue(verdict.startsWith("500 session was refused to an earlier request"), verdict);
      }
      ok(wire, text("late", add(label))); // the commit has told the client
      ok(wire, commit("late"));
    }
    awaitNoneOpen();
    assertEquals(0L, count(hasty, label + " half"));
    assertEquals(1L, count(hasty, label));
  }

  @Test
  void aTextOverItsTimeLeavesNothingToTheNext() throws Exception {
    String write = "g.addV('late').repeat(__.identity()).until(__.is(-1))";
    RequestMessage late =
        RequestMessage.build(Tokens.OPS_EVAL)
            .addArg(Tokens.ARGS_GREMLIN, write)
            .addArg(Tokens.ARGS_EVAL_TIMEOUT, 200L)
            .create();
    for (int i = 0; i < 4; i++) {
      try (Wire wire = new Wire(served.port())) {
        String verdict = wire.send(Messages.binary(late)).verdict();
        assertTrue(verdict.startsWith("598 "), verdict);
      }
    }
    for (int i = 0; i < 8; i++) {
      ok(text(null, "g.addV('next')"));
    }
    assertEquals(0L, served.g().V().hasLabel("late").count().next());
  }

  @Test
  void aSessionThatIsTooOldIsEndedHoweverBusyItIs() throws Exception {
    undisturbed("old", SessionsIT::oldSession);
  }

  private static void oldSession(String label) throws Exception {
    try (Wire wire = new Wire(hasty.port())) {
      String session = UUID.randomUUID().toString();
      ok(wire, text(session, add(label)));
      String verdict = wire.send(text(session, ENDLESS)).verdict();
      assertTrue(verdict.startsWith("598 "), verdict);
      awaitNoneOpen();
      verdict = wire.send(commit(session)).verdict();
      assertTrue(verdict.startsWith("500 session has ended"), verdict);
      assertEquals(0L, count(hasty, label));
    }
  }

  @Test
  void sessionsAreCountedAndTheOthersGoOn() throws Exception {
    List<Wire> wires = new ArrayList<>();
    try {
      int granted = 0;
      long begin = System.nanoTime();
      for (int i = 0; i < 200; i++) {
        Wire wire = new Wire(hasty.port());
        wires.add(wire);
        String verdict = wire.send(text("left open " + i, "g.addV('open')")).verdict();
        assertTrue(verdict.matches("200 .*|429 too many sessions are open: limit=20"), verdict);
        granted += verdict.startsWith("200 ") ? 1 : 0;
      }
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
      long most = SESSIONS * (2 + millis / IDLE_MILLIS); // others come when they have stood idle
      assertTrue(granted >= SESSIONS && granted <= most, "granted=" + granted + ", most=" + most);
      awaitOpen(SESSIONS); // those of sessions that have ended are rolled back
      assertEquals(1L, hasty.g().inject(1).count().next());
    } finally {
      wires.forEach(Wire::close);
    }
    awaitNoneOpen();
    try (Wire wire = new Wire(hasty.port())) {
      ok(wire, text("afterwards", "g.inject(1)"));
    }
    assertEquals(0L, count(hasty, "open"));
  }

  @Test
  void nobodyEntersTheSessionOfAnother() throws Exception {
    try (Wire owner = new Wire(served.port());
        Wire other = new Wire(served.port())) {
      ok(owner, text("mine", "g.addV('mine')"));
      for (byte[] request : List.of(text("mine", "g.V().count()"), commit("mine"))) {
        assertEquals("403 session belongs to another connection", other.send(request).verdict());
      }
      ok(owner, rollback("mine"));
    }
  }

  @Test
  void requestsDoNotPileUpInASession() throws Exception {
    try (Wire wire = new Wire(served.port())) {
      String session = UUID.randomUUID().toString();
      for (int i = 0; i < 30; i++) {
        wire.send(text(session, ENDLESS));
      }
      assertEquals("429 too many requests wait in the session: limit=8", wire.verdict());
    }
  }

  @Test
  void aConflictIsTemporaryAndNamesItsElement() throws Exception {
    Object id = served.g().addV("hot").property("n", 0).id().next();
    String change = "g.V(" + id + "L).property('n',";
    try (Wire one = new Wire(served.port());
        Wire two = new Wire(served.port())) {
      ok(one, text("one", change + "1).values('n')"));
      ok(two, text("two", change + "2).values('n')"));
      ok(one, commit("one"));
      assertEquals(
          "596 transaction conflict, try again: element=vertex " + id,
          two.send(commit("two")).verdict());
      assertEquals(1, served.g().V(id).values("n").next());
      ok(two, text("two", change + "3).values('n')")); // the session is of use, from the start
      ok(two, commit("two"));
      assertEquals(3, served.g().V(id).values("n").next());
    }
  }

  @Test
  void aConflictOutsideOfATransactionIsTemporaryToo() throws Exception {
    Object id = served.g().addV("hot").property("n", 0).id().next();
    Thread[] clients = new Thread[4];
    List<String> verdicts = new ArrayList<>();
    for (int client = 0; client < clients.length; client++) {
      clients[client] =
          new Thread(
              () -> {
                try (Wire wire = new Wire(served.port())) {
                  for (int i = 0; i < 100; i++) {
                    String query = "g.V(" + id + "L).property('n'," + i + ").values('n')";
                    String verdict = wire.send(text(null, query)).verdict();
                    synchronized (verdicts) {
                      verdicts.add(verdict);
                    }
                  }
                } catch (Exception e) {
                  throw new AssertionError(e);
                }
              });
      clients[client].start();
    }
    for (Thread client : clients) {
      client.join();
    }
    assertEquals(400, verdicts.size());
    for (String verdict : verdicts) {
      assertTrue(
          verdict.startsWith("200 ")
              || verdict.equals("596 transaction conflict, try again: element=vertex " + id),
          verdict);
    }
  }

  /** The loop of docs/clients.md. */
  @Test
  void whoTriesAgainAfterAConflictLosesNothing() throws Exception {
    Object flight = served.g().addV("flight").property("seats", 100).id().next();
    Thread[] clients = new Thread[3];
    for (int client = 0; client < clients.length; client++) {
      clients[client] = new Thread(() -> sell(flight));
      clients[client].start();
    }
    for (Thread client : clients) {
      client.join();
    }
    assertEquals(85, served.g().V(flight).values("seats").next());
  }

  private static void sell(Object flight) {
    Cluster cluster = ServedFixture.client(served.port());
    try {
      GraphTraversalSource g = ServedFixture.source(cluster);
      for (int sold = 0; sold < 5; ) {
        Transaction tx = g.tx();
        GraphTraversalSource inside = tx.begin();
        try {
          int seats = (int) inside.V(flight).values("seats").next();
          inside.V(flight).property("seats", seats - 1).iterate();
          tx.commit();
          sold++;
        } catch (RuntimeException e) {
          tx.rollback();
          if (!isConflict(e)) {
            throw e;
          }
        }
      }
    } finally {
      cluster.close();
    }
  }

  private static boolean isConflict(Throwable e) {
    for (; e != null; e = e.getCause()) {
      if (e instanceof ResponseException r) {
        return r.getResponseStatusCode() == ResponseStatusCode.SERVER_ERROR_TEMPORARY;
      }
    }
    return false;
  }

  private static void awaitNoneOpen() throws InterruptedException {
    awaitOpen(0);
  }

  /** Waits until so many transactions are open at most, on both servers. */
  private static void awaitOpen(int most) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(180);
    while (open() > most) {
      assertTrue(System.nanoTime() < end, () -> "open=" + open());
      Thread.sleep(20);
    }
  }

  private static int open() {
    return graph.stats().openTransactions() + hastyGraph.stats().openTransactions();
  }

  private static String add(String label) {
    return "g.addV('" + label + "')";
  }

  private static void ok(byte[] request) throws Exception {
    try (Wire wire = new Wire(served.port())) {
      ok(wire, request);
    }
  }

  private static void ok(Wire wire, byte[] request) throws Exception {
    String verdict = wire.send(request).verdict();
    assertTrue(verdict.matches("20[04] .*"), verdict);
  }

  private static byte[] text(String session, String query) {
    RequestMessage.Builder request =
        RequestMessage.build(Tokens.OPS_EVAL).addArg(Tokens.ARGS_GREMLIN, query);
    if (session != null) {
      request.processor("session").addArg(Tokens.ARGS_SESSION, session);
    }
    return Messages.binary(request.create());
  }

  private static byte[] commit(String session) {
    return end(session, "commit");
  }

  private static byte[] rollback(String session) {
    return end(session, "rollback");
  }

  private static byte[] end(String session, String how) {
    Bytecode query = new Bytecode();
    query.addSource("tx", how);
    return Messages.binary(
        RequestMessage.build(Tokens.OPS_BYTECODE)
            .processor("session")
            .addArg(Tokens.ARGS_SESSION, session)
            .addArg(Tokens.ARGS_GREMLIN, query)
            .addArg(Tokens.ARGS_ALIASES, Map.of("g", "g"))
            .create());
  }
}
