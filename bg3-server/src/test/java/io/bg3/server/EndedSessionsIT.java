package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.junit.jupiter.api.Test;

/**
 * Lets sessions end at random moments under load: they stand idle, grow too old, lose their
 * connection, and the store gives up their transactions by its age limit. The clients go on
 * whatever they are told. Acknowledged writes are in the graph, writes that were answered with an
 * error are not, and nothing is there in part. {@code -Dbg3.torture.server.ends=N} makes it longer,
 * {@code -Dbg3.seed=N} repeats what the clients do.
 */
class EndedSessionsIT {
  private static final int COMMITS = Integer.getInteger("bg3.torture.server.ends", 12);
  private static final int CLIENTS = 10;
  private static final int LIMIT_MILLIS = 1_000; // the least of each

  private final long seed = Seeds.one();

  /** Waits around the limit now and then, and breaks its connection off. */
  private static final class Restless extends Committing.Wired {
    private final Random random;

    Restless(int port, int number, long seed) {
      super(port, "client " + number, true);
      this.random = new Random(seed + number);
    }

    @Override
    void between(int committing) throws Exception {
      switch (random.nextInt(6)) {
        case 0 -> TimeUnit.MILLISECONDS.sleep(LIMIT_MILLIS - 50 + random.nextInt(100));
        case 1 -> TimeUnit.MILLISECONDS.sleep(random.nextInt(LIMIT_MILLIS / 2));
        case 2 -> {
          if (random.nextBoolean()) {
            drop();
          }
        }
        default -> {}
      }
    }
  }

  @Test
  void idleAndOldSessionsAndLostConnections() throws Exception {
    commitUnder(
        "3600000",
        Map.of("server.session.timeout", "1000", "server.session.life", "1500"),
        "session has ended");
  }

  @Test
  void theAgeLimitOfTheStore() throws Exception {
    commitUnder("1000", Map.of(), "bg3.transaction.age");
  }

  private void commitUnder(String age, Map<String, String> settings, String refusal)
      throws Exception {
    Configuration configuration = new BaseConfiguration();
    configuration.setProperty("bg3.transaction.age", age);
    Graph graph = Bg3Graph.open(configuration);
    try (ServedFixture served = new ServedFixture(graph, settings)) {
      List<Restless> clients = new ArrayList<>();
      List<Thread> threads = new ArrayList<>();
      List<Throwable> failures = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        Restless client = new Restless(served.port(), i, seed);
        clients.add(client);
        Thread thread = new Thread(() -> commit(client));
        thread.setUncaughtExceptionHandler(
            (t, e) -> {
              synchronized (failures) {
                failures.add(e);
              }
            });
        threads.add(thread);
        thread.start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertEquals(List.of(), failures, () -> "seed=" + seed);
      Pairs pairs = pairs(served.g());
      int refused = 0;
      for (Restless client : clients) {
        pairs.compare(client, "seed=" + seed);
        refused +=
            client.refusals.entrySet().stream()
                .filter(entry -> entry.getKey().contains(refusal))
                .mapToInt(Map.Entry::getValue)
                .sum();
      }
      assertTrue(refused > 0, () -> "nothing was ended: seed=" + seed);
    }
  }

  /** Reads all pairs; the reads themselves may be older than the limit on a slow machine. */
  private static Pairs pairs(GraphTraversalSource g) {
    for (int attempt = 1; ; attempt++) {
      try {
        return new Pairs(g);
      } catch (RuntimeException tooOld) {
        if (attempt == 100) {
          throw tooOld;
        }
      }
    }
  }

  private static void commit(Restless client) {
    try {
      for (int i = 0; i < COMMITS; i++) {
        if (client.commit() == Committing.Told.NOTHING) {
          client.connect();
        }
      }
    } catch (Exception e) {
      throw new AssertionError(e);
    } finally {
      client.close();
    }
  }
}
