package io.bg3.torture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.StoreOnDisk;
import io.bg3.core.graph.DenseVertexIds;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.record.PropertyBytes;
import io.bg3.core.transaction.Isolation;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.file.PowerCut;
import io.bg3.storage.file.Sites;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Consecutive ids whatever becomes of the power: one whose write returned is never given away
 * again, also when its vertex is gone, and none is skipped that was not given away.
 */
class DenseIdsCrashTest {
  private static final int LIVES = 8;
  private static final int THREADS = 2;

  private final Set<Long> written = new ConcurrentSkipListSet<>();
  private final AtomicLong highest = new AtomicLong();

  @Test
  void noIdIsGivenAwayTwiceOrSkipped() throws Exception {
    long seed = Seeds.one();
    Random random = new Random(seed);
    CrashingDisk disk = new CrashingDisk(new Sites(), new Random(random.nextLong()));
    for (int life = 0; life < LIVES; life++) {
      StoreOnDisk store = StoreOnDisk.open(PowerCutIT.small(), disk);
      GraphStore graph = new GraphStore(store.transactions(), Isolation.STRICT);
      String at = "seed=" + seed + ", life=" + life;
      DenseVertexIds ids = new DenseVertexIds(graph, "ids");
      for (int i = 0; i < 10; i++) {
        step(graph, ids, random, at);
      }
      assertEquals(List.of(), store.check(), at);
      List<Thread> threads = new ArrayList<>();
      List<Throwable> failures = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Random own = new Random(random.nextLong());
        Thread thread = new Thread(() -> stepsToTheEnd(graph, ids, own, at));
        thread.setUncaughtExceptionHandler(
            (t, failure) -> {
              synchronized (failures) {
                failures.add(failure);
              }
            });
        thread.start();
        threads.add(thread);
      }
      Thread.sleep(random.nextInt(30));
      disk = random.nextBoolean() ? disk.kill() : disk.crash(random);
      for (Thread thread : threads) {
        thread.join();
      }
      assertEquals(List.of(), failures, at);
      closeDead(store);
    }
  }

  private static void closeDead(StoreOnDisk store) {
    try {
      store.close(); // writes nothing any more if a writer has met the end of the disk before
    } catch (IOException | RuntimeException | PowerCut e) {
      // there is nothing left to write to
    }
  }

  private void stepsToTheEnd(GraphStore graph, DenseVertexIds ids, Random random, String at) {
    try {
      while (true) {
        step(graph, ids, random, at);
      }
    } catch (RuntimeException | PowerCut e) {
      // the power is cut
    }
  }

  private void step(GraphStore graph, DenseVertexIds ids, Random random, String at) {
    long id = ids.take(1);
    assertTrue(!written.contains(id), () -> "given away twice: id=" + id + ", " + at);
    long before = highest.getAndAccumulate(id, Math::max);
    assertTrue(id <= before + THREADS, () -> "skipped: id=" + id + ", at most " + before + at);
    PropertyBytes nothing = new PropertyBytes();
    graph.update(
        id,
        work -> {
          work.vertexWriter().add(id, "node", nothing);
          return null;
        });
    written.add(id);
    if (random.nextInt(3) == 0) {
      ids.removing(id);
      graph.update(
          id,
          work -> {
            work.removeVertex(id);
            return null;
          });
    }
  }
}
