package io.bg3.server;

import io.bg3.server.answer.Admission;
import io.bg3.server.dispatch.QueryExecutor;
import io.netty.channel.EventLoopGroup;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.server.GremlinServer;
import org.apache.tinkerpop.gremlin.server.Settings;
import org.apache.tinkerpop.gremlin.server.util.ServerGremlinExecutor;

/**
 * A Gremlin Server that finishes running requests before it stops. Gremlin Server registers a
 * shutdown hook of its own, which runs concurrently with all other hooks of the JVM: without this
 * class it would close the connections and roll back the sessions of requests that still run.
 *
 * <p>Threads: any.
 */
final class DrainingServer extends GremlinServer {
  private static final int LAST_TASKS_SECONDS = 2;

  private final Admission intake;
  private volatile Runnable finish; // null until the server can have work
  private boolean started; // guarded by this
  private boolean stopped; // guarded by this

  DrainingServer(Settings settings, QueryExecutor queries, Admission intake) {
    super(settings, queries);
    this.intake = intake;
    queries.whenQuiet(this::endLoops);
  }

  /** Sets the work that each thread that stops the server does first. */
  void finishFirst(Runnable work) {
    finish = work;
  }

  /**
   * Starts the server.
   *
   * @throws IllegalStateException if the server was stopped before
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
  @SuppressWarnings("UnsynchronizedOverridesSynchronized") // the work must not block start()
  public CompletableFuture<Void> stop() {
    Runnable first = finish;
    if (first != null) {
      first.run();
    }
    return stopStarted();
  }

  /**
   * Stops Gremlin Server if it has started. Gremlin Server's own stop fails before the start, and
   * leaves a future that never completes to every later caller.
   */
  private synchronized CompletableFuture<Void> stopStarted() {
    stopped = true;
    return started ? super.stop() : CompletableFuture.completedFuture(null);
  }

  /**
   * Ends the event loops as soon as they have run the tasks that they have. Whoever ends a loop
   * first says how long it has to be without work before: Gremlin Server would have each wait for
   * two seconds. It shuts its pool of threads down after it has closed its socket, and before it
   * ends the loops, so this is called in between. A closed socket needs its loop until then.
   */
  @SuppressWarnings("FutureReturnValueIgnored") // Gremlin Server waits for them
  private void endLoops() {
    EventLoopGroup connections =
        (EventLoopGroup) getServerGremlinExecutor().getScheduledExecutorService();
    connections.shutdownGracefully(0, LAST_TASKS_SECONDS, TimeUnit.SECONDS);
    intake
        .acceptors()
        .forEach(group -> group.shutdownGracefully(0, LAST_TASKS_SECONDS, TimeUnit.SECONDS));
  }
}
