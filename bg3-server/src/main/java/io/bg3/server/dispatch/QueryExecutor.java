package io.bg3.server.dispatch;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Stands in for the pool of threads of Gremlin Server. It hands its queries to the pool in the
 * thread that prepares a request, and that is a worker already: the query is run by the same
 * thread, when the preparation has returned.
 *
 * <p>Threads: any.
 */
public final class QueryExecutor extends AbstractExecutorService {
  private final Scheduler scheduler;
  private volatile boolean isShutdown;
  private volatile Runnable whenQuiet = () -> {};

  /** The queries of this scheduler's workers. */
  public QueryExecutor(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /**
   * Has a task run by the calling worker, behind what it does now.
   *
   * @throws RejectedExecutionException if the calling thread is no worker, or this is shut down
   */
  @Override
  public void execute(Runnable task) {
    RunningRequest running =
        RunningRequest.current()
            .orElseThrow(
                () -> new RejectedExecutionException("a query is begun by a worker thread only"));
    if (isShutdown) {
      throw new RejectedExecutionException("the server is stopping");
    }
    running.next(task);
  }

  /**
   * Sets what a shutdown does at its end, unless a query runs even then.
   *
   * @param work runs in the thread that shuts this down
   */
  public void whenQuiet(Runnable work) {
    whenQuiet = work;
  }

  @Override
  public void shutdown() {
    isShutdown = true;
    scheduler.close();
    if (scheduler.figures().running() == 0) {
      whenQuiet.run();
    }
  }

  @Override
  public List<Runnable> shutdownNow() {
    shutdown();
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return isShutdown;
  }

  /** True after a shutdown: a query that does not end even then is not waited for. */
  @Override
  public boolean isTerminated() {
    return isShutdown;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return isShutdown;
  }
}
