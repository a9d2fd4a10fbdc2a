package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.core.record.EdgeId;
import io.bg3.core.transaction.ConflictException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Threads that write to a graph, each with edges of its own, beside what a test does. */
final class Writers implements AutoCloseable {
  private final List<Thread> threads = new ArrayList<>();
  private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
  private volatile boolean ended;

  /** The work of each thread. */
  @FunctionalInterface
  interface Write {
    /**
     * Writes once, and may conflict.
     *
     * @param own the edges that the thread has added and not removed, to be kept so
     */
    void run(Random random, List<EdgeId> own);
  }

  private Writers() {}

  /** Starts so many threads, which write until {@link #end}; their numbers are their seeds. */
  static Writers start(int count, Write write) {
    Writers writers = new Writers();
    for (int number = 0; number < count; number++) {
      Random random = new Random(number);
      Thread thread = new Thread(() -> writers.run(random, write));
      thread.setUncaughtExceptionHandler((failed, e) -> writers.failures.add(e));
      thread.start();
      writers.threads.add(thread);
    }
    return writers;
  }

  private void run(Random random, Write write) {
    List<EdgeId> own = new ArrayList<>();
    while (!ended) {
      try {
        write.run(random, own);
      } catch (ConflictException e) {
        // another time
      }
    }
  }

  /** Ends the threads; none of them may have failed. */
  void end() throws InterruptedException {
    ended = true;
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(List.of(), failures);
  }

  /** Lets the threads come to their end after a failure of the test. */
  @Override
  public void close() {
    ended = true;
  }
}
