package io.bg3.transfer;

import io.bg3.core.graph.GraphTransaction;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Commits a transaction in a thread of its own, one at a time, while the caller fills the next one.
 *
 * <p>Threads: belongs to one.
 */
final class BackgroundCommit implements AutoCloseable {
  private ExecutorService thread; // null before the first commit
  private Future<?> running; // null while there is none

  /** Begins to commit a transaction, which the caller must not use any more. */
  void begin(GraphTransaction transaction) {
    assert running == null : "two commits at a time";
    if (thread == null) {
      thread =
          Executors.newSingleThreadExecutor(
              work -> {
                Thread made = new Thread(work, "bg3-load-commit");
                made.setDaemon(true);
                return made;
              });
    }
    running = thread.submit(transaction::commit);
  }

  /**
   * Waits for the end of the commit that was begun last, if there is one; an interrupt does not end
   * the wait. Throws what the commit throws.
   */
  void await() {
    boolean interrupted = false;
    try {
      while (running != null) {
        try {
          running.get();
          running = null;
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          running = null;
          if (e.getCause() instanceof RuntimeException cause) {
            throw cause;
          } else if (e.getCause() instanceof Error cause) {
            throw cause;
          }
          throw new AssertionError(e.getCause()); // a commit throws nothing else
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Ends the thread, after a commit that is under way. */
  @Override
  public void close() {
    if (thread != null) {
      thread.shutdown();
    }
  }
}
