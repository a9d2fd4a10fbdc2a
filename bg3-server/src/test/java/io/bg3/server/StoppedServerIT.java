package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.testing.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Stops the server as the distribution starts it, by SIGTERM at random moments, while clients
 * commit in every way: by {@code g.tx()} of the drivers of Java, Python, JavaScript and Go, in
 * sessions by texts, and outside of transactions. After the next start every commit that was
 * acknowledged is there, none that was answered with an error is, and none is there in part.
 *
 * <p>{@code -Dbg3.torture.server.stops=N} makes it longer, {@code -Dbg3.seed=N} repeats the
 * moments.
 *
 * <p>Takes one to two minutes: it proves that a stop loses no acknowledged commit.
 */
class StoppedServerIT {
  private static final int STOPS = Integer.getInteger("bg3.torture.server.stops", 4);
  private static final int CLIENTS = 12;

  private final long seed = Seeds.one();
  private final Random random = new Random(seed);
  private final Map<String, Integer> refusals = new TreeMap<>();
  private int committed;
  private int refused;
  private int unknown;

  @TempDir private Path directory;

  @Test
  void whatWasAnsweredBeforeAStopIsTrueAfterIt() throws Exception {
    for (int stop = 0; stop < STOPS; stop++) {
      List<Committing> clients = new ArrayList<>();
      int port = ServedFixture.freePort();
      try (Launched server = serve(port).awaitListening()) {
        for (int i = 0; i < CLIENTS; i++) {
          clients.add(client(port, stop + "/" + i, i % 6));
        }
        for (List<String> command : Drivers.commands("committing")) {
          clients.add(programmed(command, port, stop + "/" + clients.size()));
        }
        stopAtWork(server, clients);
      }
      compare(clients);
    }
    assertTrue(committed > 0, this::summary);
    System.out.println("SIGTERM of the server: " + summary());
  }

  private String summary() {
    return "stops="
        + STOPS
        + ", committed="
        + committed
        + ", refused="
        + refused
        + ", connection lost="
        + unknown
        + ", seed="
        + seed
        + ", refusals="
        + refusals;
  }

  private static Committing client(int port, String name, int kind) {
    return switch (kind) {
      case 0, 1 -> new Committing.Driven(port, name, true);
      case 2 -> new Committing.Driven(port, name, false);
      case 3, 4 -> new Committing.Wired(port, name, true);
      default -> new Committing.Wired(port, name, false);
    };
  }

  private static Committing programmed(List<String> command, int port, String name)
      throws IOException {
    List<String> words = new ArrayList<>(command);
    words.add("ws://127.0.0.1:" + port + "/gremlin");
    words.add(name);
    return new Committing.Programmed(name, new ProcessBuilder(words));
  }

  private void stopAtWork(Launched server, List<Committing> clients) throws Exception {
    AtomicBoolean stopping = new AtomicBoolean();
    List<Throwable> failures = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    CountDownLatch atWork = new CountDownLatch(clients.size());
    for (Committing client : clients) {
      Thread thread = new Thread(() -> commitUntilStopped(client, atWork, stopping), client.name);
      thread.setUncaughtExceptionHandler(
          (t, e) -> {
            synchronized (failures) {
              failures.add(e);
            }
          });
      threads.add(thread);
      thread.start();
    }
    assertTrue(atWork.await(600, TimeUnit.SECONDS), () -> "failures=" + failures);
    TimeUnit.MILLISECONDS.sleep(random.nextInt(1_000));
    stopping.set(true);
    server.terminate();
    assertEquals(143, server.awaitExit(), server::output);
    assertTrue(server.output().endsWith("stopped, store closed"), server::output);
    for (int i = 0; i < threads.size(); i++) {
      Thread thread = threads.get(i);
      thread.join(TimeUnit.SECONDS.toMillis(30));
      clients.get(i).close(); // a driver may not notice by itself that the server is gone
      thread.join(TimeUnit.SECONDS.toMillis(300));
      assertTrue(!thread.isAlive(), () -> "a client hangs: " + thread.getName());
    }
    assertEquals(List.of(), failures, this::summary);
  }

  private static void commitUntilStopped(
      Committing client, CountDownLatch first, AtomicBoolean stopping) {
    CountDownLatch atWork = first;
    try (client) {
      Committing.Told told;
      do {
        told = client.commit();
        atWork.countDown(); // each client once
        atWork = new CountDownLatch(0);
      } while (told == Committing.Told.COMMITTED);
      if (!stopping.get() && !mayBreak(client, told)) {
        throw new AssertionError("not committed before the stop: " + client.refusals);
      }
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Drivers of other languages give up connections after seconds, which a machine may pause for.
   */
  private static boolean mayBreak(Committing client, Committing.Told told) {
    return told == Committing.Told.NOTHING
        && client instanceof Committing.Programmed
        && !client.committed.isEmpty();
  }

  private void compare(List<Committing> clients) throws Exception {
    int port = ServedFixture.freePort();
    try (Launched server = serve(port).awaitListening()) {
      Cluster cluster = ServedFixture.client(port);
      try {
        Pairs pairs = new Pairs(ServedFixture.source(cluster));
        for (Committing client : clients) {
          pairs.compare(client, summary());
          committed += client.committed.size();
          refused += client.refused.size();
          unknown += client.unknown;
          client.refusals.forEach((why, count) -> refusals.merge(why, count, Integer::sum));
        }
      } finally {
        cluster.close();
      }
      server.kill();
    }
  }

  private Launched serve(int port) throws IOException {
    String quick = "server.quick.reads=100000\n"; // so that event loops commit soon
    return Launched.bg3(Launched.patientServer(directory.resolve("store"), port, quick));
  }
}
