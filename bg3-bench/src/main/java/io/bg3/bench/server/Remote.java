package io.bg3.bench.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.tinkerpop.gremlin.driver.Client;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.driver.RequestOptions;
import org.apache.tinkerpop.gremlin.driver.remote.DriverRemoteConnection;
import org.apache.tinkerpop.gremlin.process.traversal.AnonymousTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;

/**
 * One connection of TinkerPop's driver to a server, for traversals and for texts.
 *
 * <p>Threads: one.
 */
public final class Remote implements AutoCloseable {
  private static final int CONNECT_MILLIS = 60_000;

  private final Cluster cluster;
  private final Client client;
  private final GraphTraversalSource g;

  /**
   * Connects.
   *
   * @param asksForCompression whether the client offers to read compressed answers, as the driver
   *     does by default
   */
  Remote(int port, boolean asksForCompression) {
    cluster =
        Cluster.build("127.0.0.1")
            .port(port)
            .minConnectionPoolSize(1)
            .maxConnectionPoolSize(1)
            .nioPoolSize(1)
            .workerPoolSize(1)
            .maxWaitForConnection(CONNECT_MILLIS)
            .connectionSetupTimeoutMillis(CONNECT_MILLIS)
            .enableCompression(asksForCompression)
            .create();
    client = cluster.connect().alias("g");
    g = AnonymousTraversalSource.traversal().with(DriverRemoteConnection.using(cluster, "g"));
  }

  /** A source whose traversals are sent as bytecode. */
  public GraphTraversalSource g() {
    return g;
  }

  /** The results of a text in gremlin-lang with the values of its parameters. */
  List<Object> submit(String text, Map<String, Object> values) {
    RequestOptions.Builder options = RequestOptions.build().language("gremlin-lang");
    values.forEach(options::addParameter);
    try {
      List<Object> answer = new ArrayList<>();
      client
          .submit(text, options.create())
          .all()
          .get(1, TimeUnit.MINUTES)
          .forEach(result -> answer.add(result.getObject()));
      return answer;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted: request=" + text, e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("no answer: request=" + text, e);
    }
  }

  @Override
  public void close() {
    cluster.close();
  }
}
