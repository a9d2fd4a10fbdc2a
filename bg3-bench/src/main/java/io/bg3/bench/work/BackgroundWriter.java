package io.bg3.bench.work;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/** A thread that does the operations of a session for as long as something else takes. */
final class BackgroundWriter {
  private final Supplier<Session> opening;
  private volatile boolean ending;

  private BackgroundWriter(Supplier<Session> opening) {
    this.opening = opening;
  }

  /**
   * Does something while another thread works.
   *
   * @param opening makes the session in the other thread; null for one that does nothing
   * @throws IllegalStateException if the other thread fails
   */
  static void during(Runnable work, Supplier<Session> opening) {
    BackgroundWriter writer = new BackgroundWriter(opening);
    ExecutorService pool = Executors.newSingleThreadExecutor();
    Future<Long> writing = pool.submit(writer::write);
    try {
      work.run();
    } finally {
      writer.ending = true;
      pool.shutdown();
      Crew.result(writing);
    }
  }

  /** Returns the number of operations. */
  private long write() {
    long count = 0;
    try (Session session = opening.get()) {
      while (session != null && !ending && session.next()) {
        count++;
      }
    }
    return count;
  }
}
