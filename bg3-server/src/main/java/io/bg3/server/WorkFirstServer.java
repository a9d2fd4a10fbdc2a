package io.bg3.server;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import org.apache.tinkerpop.gremlin.server.GremlinServer;
import org.apache.tinkerpop.gremlin.server.Settings;

/**
 * Gremlin Server that finishes its work before it stops. Gremlin Server's own hook stops it when
 * the virtual machine ends, at the same time as all other hooks: it would close the connections and
 * roll back the sessions under the requests that run.
 */
final class WorkFirstServer extends GremlinServer {
  private volatile Runnable finish; // null until it is set: nothing has begun then

  WorkFirstServer(Settings settings, ExecutorService queries) {
    super(settings, queries);
  }

  /** Has this run, by each thread that stops the server, before it stops. */
  void finishFirst(Runnable work) {
    finish = work;
  }

  @Override
  @SuppressWarnings("UnsynchronizedOverridesSynchronized") // the work must not hold up start()
  public CompletableFuture<Void> stop() {
    Runnable first = finish;
    if (first != null) {
      first.run();
    }
    return super.stop();
  }
}
