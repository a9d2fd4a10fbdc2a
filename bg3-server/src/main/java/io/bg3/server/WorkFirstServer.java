package io.bg3.server;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import org.apache.tinkerpop.gremlin.server.GremlinServer;
import org.apache.tinkerpop.gremlin.server.Settings;
import org.apache.tinkerpop.gremlin.server.util.ServerGremlinExecutor;

/**
 * Gremlin Server that finishes its work before it stops. Gremlin Server's own hook stops it when
 * the virtual machine ends, at the same time as all other hooks: it would close the connections and
 * roll back the sessions under the requests that run.
 */
final class WorkFirstServer extends GremlinServer {
  private volatile Runnable finish; // null until it is set: nothing has begun then
  private boolean started; // guarded by this
  private boolean stopped; // guarded by this

  WorkFirstServer(Settings settings, ExecutorService queries) {
    super(settings, queries);
  }

  /** Has this run, by each thread that stops the server, before it stops. */
  void finishFirst(Runnable work) {
    finish = work;
  }

  /**
   * Starts the server.
   *
   * @throws IllegalStateException if it was stopped before
   */
  @Override
  public synchronized CompletableFuture<ServerGremlinExecutor> start() throws Exception {
    if (stopped) {
      throw new IllegalStateException("the server was stopped before it had started");
    }
    CompletableFuture<ServerGremlinExecutor> starting = super.start();
    started = true;
    return starting;
  }

  @Override
  @SuppressWarnings("UnsynchronizedOverridesSynchronized") // the work must not hold up start()
  public CompletableFuture<Void> stop() {
    Runnable first = finish;
    if (first != null) {
      first.run();
    }
    return stopStarted();
  }

  /**
   * Stops Gremlin Server if it has started. Before its start Gremlin Server's own stop fails and
   * leaves a future that never completes to all later callers.
   */
  private synchronized CompletableFuture<Void> stopStarted() {
    stopped = true;
    return started ? super.stop() : CompletableFuture.completedFuture(null);
  }
}
