package io.bg3.bench.work;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;

/**
 * Threads that begin at the same moment.
 *
 * @param parts what the threads have returned, in their order
 * @param seconds from the beginning to the end of the last one
 */
record Crew<T>(List<T> parts, double seconds) {
  /** The work of one thread. */
  interface Member<T> {
    /**
     * Works.
     *
     * @param thread its number, from 0
     * @param start called once, when it is prepared; waits for the others
     */
    T run(int thread, Runnable start);
  }

  /**
   * Runs some threads to their end.
   *
   * @throws IllegalStateException if one of them fails
   */
  static <T> Crew<T> run(int threads, Member<T> member) {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    Phaser start = new Phaser(threads + 1);
    try {
      List<Future<T>> futures = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int thread = i;
        futures.add(pool.submit(() -> member(thread, member, start)));
      }
      start.arriveAndAwaitAdvance();
      long begin = System.nanoTime();
      List<T> parts = futures.stream().map(Crew::result).toList();
      return new Crew<>(parts, (System.nanoTime() - begin) / 1e9);
    } finally {
      pool.shutdownNow();
    }
  }

  /** Runs one of them; if it fails before the start, it lets the others begin. */
  private static <T> T member(int thread, Member<T> member, Phaser start) {
    boolean[] arrived = new boolean[1];
    try {
      return member.run(
          thread,
          () -> {
            arrived[0] = true;
            start.arriveAndAwaitAdvance();
          });
    } finally {
      if (!arrived[0]) {
        start.arriveAndDeregister();
      }
    }
  }

  /** Waits for what a thread returns. */
  static <T> T result(Future<T> thread) {
    try {
      return thread.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a thread failed: " + e.getCause(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
