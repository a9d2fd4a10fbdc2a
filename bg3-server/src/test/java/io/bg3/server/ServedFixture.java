package io.bg3.server;

import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.driver.remote.DriverRemoteConnection;
import org.apache.tinkerpop.gremlin.process.traversal.AnonymousTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.util.ser.Serializers;

/**
 * A server on a free port of this machine and one connected client. Limits that a test does not set
 * are longer than a machine may pause.
 */
public final class ServedFixture implements AutoCloseable {
  /** How long a client of a test waits for a connection. */
  public static final int CONNECT_MILLIS = 120_000;

  private static final int FIRST_PORT = 15_000;
  private static final int PORTS = 17_000; // outgoing connections have those from 32,768 on
  private static final AtomicInteger NEXT_PORT =
      new AtomicInteger((int) (ProcessHandle.current().pid() * 131 % PORTS));

  private final int port;
  private final Bg3Server server;
  private final Cluster cluster;

  public ServedFixture(Graph graph, Map<String, String> settings) throws IOException {
    this(Map.of("g", graph), settings);
  }

  /** Serves several graphs by their names. */
  public ServedFixture(Map<String, Graph> graphs, Map<String, String> settings) throws IOException {
    port = freePort();
    Map<String, String> values = new TreeMap<>(settings);
    values.put("server.port", Integer.toString(port));
    values.putIfAbsent("server.handshake.timeout", "120000");
    values.putIfAbsent("server.evaluation.timeout", "300000");
    values.putIfAbsent("server.heap.limit", "95"); // the heap is that of all tests
    ServerSettings read = ServerSettings.of(values);
    server = Bg3Server.start(read, AccessSetup.open(read), graphs);
    cluster = client(port);
  }

  /** A port that nobody listens on, and that neither a connection nor another call is given. */
  public static int freePort() throws IOException {
    for (int i = 0; i < PORTS; i++) {
      int port = FIRST_PORT + Math.floorMod(NEXT_PORT.getAndIncrement(), PORTS);
      try (ServerSocket socket = new ServerSocket(port)) {
        return socket.getLocalPort();
      } catch (BindException e) {
        // taken: the next one
      }
    }
    throw new IOException("no port is free: first=" + FIRST_PORT + ", count=" + PORTS);
  }

  public static Cluster client(int port) {
    return client(port, Serializers.GRAPHBINARY_V1);
  }

  public static Cluster client(int port, Serializers serializer) {
    return Cluster.build("127.0.0.1")
        .port(port)
        .serializer(serializer)
        .minConnectionPoolSize(1)
        .maxConnectionPoolSize(1)
        .maxWaitForConnection(CONNECT_MILLIS)
        .connectionSetupTimeoutMillis(CONNECT_MILLIS)
        .create();
  }

  public static GraphTraversalSource source(Cluster cluster) {
    return source(cluster, "g");
  }

  public static GraphTraversalSource source(Cluster cluster, String graph) {
    return AnonymousTraversalSource.traversal().with(DriverRemoteConnection.using(cluster, graph));
  }

  /**
   * Has another thread ask for something and wait for the answer. A traversal's own {@code promise}
   * waits in the calling thread if the driver has sent the request before that thread goes on; so a
   * test that then lets the request end never comes to that.
   */
  public static <T> CompletableFuture<T> begin(Supplier<T> request) {
    return CompletableFuture.supplyAsync(
        request, task -> new Thread(task, "query of a test").start());
  }

  public int port() {
    return port;
  }

  public Cluster cluster() {
    return cluster;
  }

  public GraphTraversalSource g() {
    return source(cluster);
  }

  /** Stops the server under its client. */
  public void stop() {
    server.close();
  }

  @Override
  public void close() {
    cluster.close();
    server.close();
  }
}
