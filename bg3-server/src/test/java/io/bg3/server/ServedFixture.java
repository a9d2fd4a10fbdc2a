package io.bg3.server;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.Map;
import java.util.TreeMap;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.driver.remote.DriverRemoteConnection;
import org.apache.tinkerpop.gremlin.process.traversal.AnonymousTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.util.ser.Serializers;

/** A server on a free port of this machine and one connected client. */
public final class ServedFixture implements AutoCloseable {
  private final int port;
  private final Bg3Server server;
  private final Cluster cluster;

  public ServedFixture(Graph graph, Map<String, String> settings) throws IOException {
    port = freePort();
    Map<String, String> values = new TreeMap<>(settings);
    values.put("server.port", Integer.toString(port));
    server = Bg3Server.start(ServerSettings.of(values), graph);
    cluster = client(port);
  }

  public static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
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
        .create();
  }

  public static GraphTraversalSource source(Cluster cluster) {
    return AnonymousTraversalSource.traversal().with(DriverRemoteConnection.using(cluster, "g"));
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
