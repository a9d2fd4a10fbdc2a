package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.testing.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the server, {@code kill -9}, while four clients commit, and while it recovers from that.
 * After each kill {@code bin/bg3 check} is clean; after each start everything acknowledged is
 * there, and of the commits in flight all or nothing.
 *
 * <p>Each commit adds two vertices and the edge between them, in one request or in a transaction of
 * several. The event loops of the server commit the former and answer them when they are durable.
 * {@code -Dbg3.torture.server.kills=N} makes it longer.
 *
 * <p>Takes two minutes with 20 kills: it is the only test of durability through the whole server
 * process.
 */
class KilledServerIT {
  private static final int KILLS = Integer.getInteger("bg3.torture.server.kills", 20);
  private static final int KILLS_IN_RECOVERY = Math.max(1, KILLS / 4);
  private static final int CLIENTS = 4;
  private static final int SESSION_EVERY = 5;

  private final long seed = Seeds.one();
  private final Random random = new Random(seed);
  private final List<Set<Integer>> acknowledged = new ArrayList<>();
  private final int[] last = new int[CLIENTS];
  private int kills;
  private int killsInRecovery;
  private int verified;

  @TempDir private Path directory;

  @Test
  void whatWasAcknowledgedBeforeAKillIsThereAfterIt() throws Exception {
    for (int i = 0; i < CLIENTS; i++) {
      acknowledged.add(new HashSet<>());
    }
    for (int life = 0; kills < KILLS || killsInRecovery < KILLS_IN_RECOVERY; life++) {
      assertTrue(
          life < Math.max(200, 10 * KILLS), () -> "too few kills fell into recovery: " + summary());
      if (life % 2 == 1) {
        killInRecovery();
      } else {
        killAtWork();
      }
      checkCopy(life);
    }
    int port = ServedFixture.freePort();
    try (Launched server = serve(port)) {
      server.awaitListening();
      verify(port);
      server.kill();
    }
    System.out.println("kill -9 of the server: " + summary());
  }

  private String summary() {
    return "kills="
        + kills
        + ", inside recovery="
        + killsInRecovery
        + ", verified="
        + verified
        + ", acknowledged commits="
        + acknowledged.stream().mapToInt(Set::size).sum()
        + ", seed="
        + seed;
  }

  private void killInRecovery() throws Exception {
    try (Launched server = serve(ServedFixture.freePort())) {
      while (!server.output().contains("recovering:")) {
        TimeUnit.MICROSECONDS.sleep(500);
        assertTrue(server.isAlive(), server::output);
      }
      TimeUnit.MILLISECONDS.sleep(random.nextInt(120));
      server.kill();
      kills++;
      killsInRecovery += server.output().contains("recovered:") ? 0 : 1;
    }
  }

  private void killAtWork() throws Exception {
    int port = ServedFixture.freePort();
    try (Launched server = serve(port)) {
      server.awaitListening();
      verify(port);
      AtomicBoolean stopped = new AtomicBoolean();
      List<Thread> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        int number = i;
        Thread client = new Thread(() -> commitUntilKilled(port, number, stopped));
        clients.add(client);
        client.start();
      }
      TimeUnit.MILLISECONDS.sleep(1_000 + random.nextInt(1_500));
      stopped.set(true);
      server.kill();
      kills++;
      for (Thread client : clients) {
        client.join(TimeUnit.SECONDS.toMillis(300));
        assertTrue(!client.isAlive(), "a client hangs");
      }
    }
  }

  /** The last commit before the kill is not acknowledged, whatever became of it. */
  private void commitUntilKilled(int port, int client, AtomicBoolean stopped) {
    Cluster cluster = ServedFixture.client(port);
    try {
      GraphTraversalSource g = ServedFixture.source(cluster);
      while (true) {
        int i = ++last[client];
        if (i % SESSION_EVERY == 0) {
          commitInSession(g, client, i);
        } else {
          add(g, client, i);
        }
        acknowledged.get(client).add(i);
      }
    } catch (RuntimeException e) {
      if (!stopped.get()) {
        throw e;
      }
    } finally {
      var unused = cluster.closeAsync(); // the server may be dead, nobody waits for it
    }
  }

  private static void add(GraphTraversalSource g, int client, int i) {
    g.addV("item")
        .property("client", client)
        .property("i", i)
        .as("item")
        .addV("mate")
        .property("client", client)
        .property("i", i)
        .addE("pair")
        .to("item")
        .property("i", i)
        .iterate();
  }

  private static void commitInSession(GraphTraversalSource g, int client, int i) {
    Transaction transaction = g.tx();
    GraphTraversalSource inside = transaction.begin();
    Object item = inside.addV("item").property("client", client).property("i", i).id().next();
    Object mate = inside.addV("mate").property("client", client).property("i", i).id().next();
    inside.V(mate)
        .addE("pair")
        .to(org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.V(item))
        .property("i", i)
        .iterate();
    transaction.commit();
  }

  private void verify(int port) {
    Cluster cluster = ServedFixture.client(port);
    try {
      GraphTraversalSource g = ServedFixture.source(cluster);
      for (int client = 0; client < CLIENTS; client++) {
        List<Object> items = g.V().hasLabel("item").has("client", client).values("i").toList();
        List<Object> mates =
            g.V().hasLabel("mate").has("client", client).out("pair").values("i").toList();
        List<Object> edges =
            g.V().hasLabel("item").has("client", client).inE("pair").values("i").toList();
        Set<Object> found = new HashSet<>(items);
        assertEquals(items.size(), found.size(), () -> "twice the same commit: " + summary());
        assertEquals(found, new HashSet<>(mates), () -> "half of a commit: " + summary());
        assertEquals(found, new HashSet<>(edges), () -> "half of a commit: " + summary());
        for (int i : acknowledged.get(client)) {
          assertTrue(found.contains(i), () -> "lost: i=" + i + ", " + summary());
        }
        for (Object i : found) {
          acknowledged.get(client).add((Integer) i);
        }
      }
      verified++;
    } finally {
      cluster.close();
    }
  }

  /**
   * Checks a copy of what the kill left, so that the next start still has all of its recovery to
   * do.
   */
  private void checkCopy(int life) throws Exception {
    Path copy = directory.resolve("copy-" + life);
    Files.createDirectory(copy);
    try (Stream<Path> files = Files.list(store())) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }
    try (Launched check = Launched.bg3("check", "--data", copy.toString())) {
      assertEquals(0, check.awaitExit(), check::output);
    }
    try (Stream<Path> files = Files.list(copy)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
  }

  private Path store() {
    return directory.resolve("store");
  }

  private Launched serve(int port) throws IOException {
    String quick = "server.quick.reads=100000\n"; // so that event loops commit soon
    return Launched.talkative(logging(), Launched.patientServer(store(), port, quick));
  }

  /** Lets the server say when it begins to recover and when it has recovered. */
  private Path logging() throws IOException {
    Path file = directory.resolve("logback.xml");
    if (Files.notExists(file)) {
      Files.writeString(
          file,
          """
          <configuration>
            <appender name="out" class="ch.qos.logback.core.ConsoleAppender">
              <encoder><pattern>%msg%n</pattern></encoder>
            </appender>
            <logger name="io.bg3.Bg3" level="INFO" />
            <root level="WARN"><appender-ref ref="out" /></root>
          </configuration>
          """);
    }
    return file;
  }
}
