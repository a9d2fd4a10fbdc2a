package io.bg3.gremlin.process.computer;

import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * The threads of a computation. In one round each takes a block of its own and then blocks that
 * none has taken yet, so that every worker has a part wherever there are blocks enough.
 */
final class Workers implements AutoCloseable {
  /** The part of a round that one worker does. */
  interface Work {
    /**
     * Works on blocks until there are no more.
     *
     * @param blocks gives the next one, or -1
     */
    void run(IntSupplier blocks);
  }

  private static final AtomicInteger NAMES = new AtomicInteger();

  private final SnapshotSource source;
  private final int count;
  private final ExecutorService threads;
  private final CompletionService<Void> done;

  Workers(SnapshotSource source, int count) {
    this.source = source;
    this.count = count;
    this.threads =
        Executors.newFixedThreadPool(
            count,
            work -> {
              Thread thread = new Thread(work, "bg3-computer-worker-" + NAMES.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    this.done = new ExecutorCompletionService<>(threads);
  }

  int count() {
    return count;
  }

  /**
   * Does one round and waits for all workers. If one fails, the others are interrupted, and its
   * exception is thrown once they have ended.
   *
   * @param works one for each worker
   * @throws InterruptedException if the thread is interrupted while it waits; the workers have been
   *     interrupted and have ended
   */
  void round(Blocks blocks, List<? extends Work> works) throws InterruptedException {
    AtomicInteger next = new AtomicInteger(count);
    for (int i = 0; i < count; i++) {
      int first = i;
      Future<Void> unused =
          done.submit(
              () -> {
                run(works.get(first), new Taken(first, next, blocks.blocks()));
                return null;
              });
    }
    Throwable failure = null;
    boolean interrupted = false;
    for (int left = count; left > 0; left--) {
      try {
        take();
      } catch (ExecutionException e) {
        failure = failure == null ? e.getCause() : failure;
        left -= threads.shutdownNow().size(); // those that have not begun never end
      } catch (InterruptedException e) {
        interrupted = true;
        left -= threads.shutdownNow().size(); // those that have not begun never end
        left++; // it has ended no worker
      }
    }
    if (interrupted) {
      throw new InterruptedException();
    }
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure != null) {
      throw (RuntimeException) failure; // works throw no others
    }
  }

  private void take() throws ExecutionException, InterruptedException {
    done.take().get();
  }

  private void run(Work work, IntSupplier blocks) {
    try {
      work.run(blocks);
    } finally {
      source.forgetThread(); // a program may have used the graph itself
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }

  /** The blocks of one worker: one of its own, then those that are left. */
  private static final class Taken implements IntSupplier {
    private final AtomicInteger left;
    private final int count;
    private int own;

    Taken(int own, AtomicInteger left, int count) {
      this.own = own;
      this.left = left;
      this.count = count;
    }

    @Override
    public int getAsInt() {
      int block = own;
      own = -1;
      if (block < 0) {
        block = left.getAndIncrement();
      }
      return block < count ? block : -1;
    }
  }
}
