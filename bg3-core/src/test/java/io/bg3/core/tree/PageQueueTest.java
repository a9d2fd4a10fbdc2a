package io.bg3.core.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.bg3.testing.Seeds;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares a queue of pages with one of objects, over random runs of pages added and taken; and has
 * threads add while another one takes, which must get each page once.
 */
class PageQueueTest {
  private static final int STEPS = 400;
  private static final int MOST = 200;
  private static final int THREADS = 3;
  private static final int PAGES = 20_000;

  static LongStream seeds() {
    return Seeds.of(10);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aQueueGivesThePagesThatItGot(long seed) {
    try (TreeHarness harness = new TreeHarness(TreeKind.BYTES, 4_096, 4)) {
      Random random = new Random(seed);
      TreeShape shape = new TreeShape();
      PageQueue queue = new PageQueue(shape);
      Queue<TreePage> expected = new ArrayDeque<>();
      for (int step = 0; step < STEPS; step++) {
        boolean adds = random.nextBoolean();
        for (int left = random.nextInt(MOST); left > 0; left--) {
          if (adds) {
            TreePage page = randomPage(random, harness.space, shape);
            queue.add(page.tree(), page.page());
            expected.add(page);
          } else {
            requireSame(seed, expected.poll(), queue.poll());
          }
        }
      }
      while (!expected.isEmpty()) {
        requireSame(seed, expected.poll(), queue.poll());
      }
      assertNull(queue.poll(), "seed=" + seed);
    }
  }

  private static TreePage randomPage(Random random, TreeSpace space, TreeShape shape) {
    int id = 1 + random.nextInt(3) * (Integer.MAX_VALUE / 4);
    int root = 1 + id / 2; // the root of a tree never changes, nor its kind
    TreeKind kind = id == 1 ? TreeKind.BYTES : TreeKind.EDGES;
    int page = 1 + random.nextInt(Integer.MAX_VALUE - 1);
    return new TreePage(Tree.open(space, shape, id, kind, root), page);
  }

  private static void requireSame(long seed, TreePage expected, TreePage actual) {
    assertEquals(expected, actual, "seed=" + seed);
    if (expected != null) {
      assertEquals(expected.tree().root(), actual.tree().root(), "seed=" + seed);
      assertSame(expected.tree().format(), actual.tree().format(), "seed=" + seed);
      assertSame(expected.tree().shape(), actual.tree().shape(), "seed=" + seed);
    }
  }

  @Test
  void eachPageOfSeveralThreadsIsTakenOnce() throws InterruptedException {
    try (TreeHarness harness = new TreeHarness(TreeKind.EDGES, 4_096, 4)) {
      PageQueue queue = harness.tree.shape.dirty;
      while (queue.poll() != null) {} // the root
      Thread[] adding = new Thread[THREADS];
      for (int i = 0; i < THREADS; i++) {
        int first = 1 + i;
        adding[i] = new Thread(() -> add(queue, harness.tree, first));
        adding[i].start();
      }
      BitSet taken = new BitSet();
      AtomicBoolean twice = new AtomicBoolean();
      while (Arrays.stream(adding).anyMatch(Thread::isAlive)) {
        take(queue, taken, twice);
      }
      for (Thread thread : adding) {
        thread.join();
      }
      take(queue, taken, twice);
      assertEquals(THREADS * PAGES, taken.cardinality());
      assertFalse(twice.get(), "a page was taken twice");
    }
  }

  private static void add(PageQueue queue, Tree tree, int first) {
    for (int i = 0; i < PAGES; i++) {
      queue.add(tree, first + i * THREADS);
    }
  }

  private static void take(PageQueue queue, BitSet taken, AtomicBoolean twice) {
    for (TreePage page = queue.poll(); page != null; page = queue.poll()) {
      if (taken.get(page.page())) {
        twice.set(true);
      }
      taken.set(page.page());
    }
  }
}
