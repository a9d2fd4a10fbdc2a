package io.bg3.gremlin.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.commit.OutcomeUnknownException;
import io.bg3.testing.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Closes a graph at random moments while threads commit to it, in transactions of their own and in
 * threaded ones, some of which the age limit ends; opens it again and compares with what each
 * {@code commit()} has said. A commit that returned is there, one that threw is not, and none is
 * there in part.
 *
 * <p>The moments, and what each thread does, are drawn from a seed, which is printed when the test
 * fails; {@code -Dbg3.seed=N} repeats it. {@code -Dbg3.torture.closes=N} makes it longer.
 */
class ClosedUnderLoadTest {
  private static final int CLOSES = Integer.getInteger("bg3.torture.closes", 12);
  private static final int THREADS = 8;
  private static final int MOST_PARTS = 4;
  private static final int AGE_MILLIS = 100;

  private final long seed = Seeds.one();

  @TempDir Path directory;

  /** One thread of one round, and what it was told of each of its commits. */
  private final class Committer extends Thread {
    private final Bg3Graph graph;
    private final Random random;
    private final String name;
    private final AtomicBoolean closing;
    private final Set<Integer> committed = new HashSet<>();
    private final Set<Integer> refused = new HashSet<>();
    private Throwable failure;
    private int last;

    Committer(Bg3Graph graph, int round, int number, AtomicBoolean closing) {
      this.graph = graph;
      this.random = new Random(seed + 31L * round + number);
      this.name = round + "/" + number;
      this.closing = closing;
    }

    @Override
    public void run() {
      try {
        while (!graph.isClosed()) {
          last++;
          attempt(random.nextInt(4) == 0);
        }
      } catch (RuntimeException | Error e) {
        failure = e;
      }
    }

    private void attempt(boolean shared) {
      Graph in;
      try {
        in = shared ? graph.tx().createThreadedTx() : graph;
      } catch (IllegalStateException e) {
        assertTrue(closing.get(), e::toString);
        return;
      }
      int parts = 1 + random.nextInt(MOST_PARTS);
      boolean slow = random.nextInt(20) == 0; // for the age limit
      boolean careless = random.nextBoolean();
      for (int part = 0; part < parts; part++) {
        try {
          in.addVertex("of", name, "i", last, "parts", parts);
          if (slow) {
            TimeUnit.MILLISECONDS.sleep(random.nextInt(2 * AGE_MILLIS));
          }
        } catch (Bg3TransactionEndedException | IllegalStateException e) {
          if (!careless) {
            in.tx().rollback();
            refused.add(last);
            return;
          }
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
      try {
        in.tx().commit();
        committed.add(last);
      } catch (RuntimeException e) {
        if (!(e.getCause() instanceof OutcomeUnknownException)) {
          refused.add(last);
        }
      }
    }
  }

  @Test
  void whatCommitSaysIsWhatIsThere() throws InterruptedException {
    Random random = new Random(seed);
    int committed = 0;
    int refused = 0;
    for (int round = 0; round < CLOSES; round++) {
      Configuration configuration = new StoreDirectory(directory).configuration();
      configuration.setProperty("bg3.transaction.age", Integer.toString(AGE_MILLIS));
      Bg3Graph graph = Bg3Graph.open(configuration);
      AtomicBoolean closing = new AtomicBoolean();
      List<Committer> threads = new ArrayList<>();
      for (int number = 0; number < THREADS; number++) {
        threads.add(new Committer(graph, round, number, closing));
      }
      threads.forEach(Thread::start);
      TimeUnit.MILLISECONDS.sleep(20 + random.nextInt(300));
      closing.set(true);
      graph.close();
      for (Committer thread : threads) {
        thread.join();
      }
      Map<String, Map<Integer, Integer>> there = read();
      for (Committer thread : threads) {
        if (thread.failure != null) {
          throw new AssertionError("seed=" + seed, thread.failure);
        }
        compare(thread, there);
        committed += thread.committed.size();
        refused += thread.refused.size();
      }
    }
    assertTrue(committed > 0 && refused > 0, "seed=" + seed);
  }

  private void compare(Committer thread, Map<String, Map<Integer, Integer>> there) {
    Map<Integer, Integer> own = there.getOrDefault(thread.name, Map.of());
    String told = "seed=" + seed + ", thread=" + thread.name;
    for (int i : thread.committed) {
      assertTrue(own.containsKey(i), () -> "committed and gone: i=" + i + ", " + told);
    }
    for (int i : thread.refused) {
      assertTrue(!own.containsKey(i), () -> "refused and there: i=" + i + ", " + told);
    }
    own.forEach((i, missing) -> assertEquals(0, missing, () -> "in part: i=" + i + ", " + told));
  }

  /** By thread and commit, how many vertices the commit lacks. */
  private Map<String, Map<Integer, Integer>> read() {
    Map<String, Map<Integer, Integer>> there = new HashMap<>();
    try (Bg3Graph graph = new StoreDirectory(directory).open()) {
      graph
          .vertices()
          .forEachRemaining(
              vertex -> {
                int parts = vertex.value("parts");
                there
                    .computeIfAbsent(vertex.value("of"), name -> new HashMap<>())
                    .merge(vertex.value("i"), parts - 1, (left, unused) -> left - 1);
              });
    }
    return there;
  }
}
