package io.bg3.transfer.remote;

import io.bg3.transfer.TransferException;
import java.nio.file.Path;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.driver.exception.ResponseException;
import org.apache.tinkerpop.gremlin.driver.remote.DriverRemoteConnection;
import org.apache.tinkerpop.gremlin.process.traversal.AnonymousTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.util.ser.Serializers;

/** A connection to a server. */
public final class RemoteGraph implements AutoCloseable {
  private static final String SOURCE = "g";
  private static final int CONNECT_MILLIS = 30_000; // a server that refuses is told of at once

  private final Address address;
  private final Cluster cluster;
  private final GraphTraversalSource g;

  /**
   * The address of a server and the credentials for it.
   *
   * @param user name of the user, null for none
   * @param tls whether the connection is encrypted
   * @param trust a PKCS12 or JKS file with the trusted certificates, null for those of Java
   * @param trustPassword password of that file
   */
  public record Address(
      String host,
      int port,
      String user,
      String password,
      boolean tls,
      Path trust,
      String trustPassword) {
    @Override
    public String toString() {
      return host + ":" + port;
    }
  }

  /**
   * Connects to the default graph of a server.
   *
   * @throws TransferException if no server answers, or it refuses the login
   */
  public RemoteGraph(Address address) throws TransferException {
    this(address, SOURCE);
  }

  /**
   * Connects to a graph of a server.
   *
   * @param graph the name of its traversal source
   * @throws TransferException if no server answers, or it refuses the login or has no such graph
   */
  public RemoteGraph(Address address, String graph) throws TransferException {
    this.address = address;
    Cluster connected = null;
    try {
      connected = cluster(address);
      this.cluster = connected;
      this.g =
          AnonymousTraversalSource.traversal().with(DriverRemoteConnection.using(cluster, graph));
      g.inject(0).iterate();
    } catch (RuntimeException e) {
      if (connected != null) {
        connected.close();
      }
      throw new TransferException(
          "cannot reach the server: address="
              + address
              + ", reason="
              + reason(e)
              + "\nIs it running there? Does it require --user or --tls?",
          root(e));
    }
  }

  private static Cluster cluster(Address address) {
    Cluster.Builder builder =
        Cluster.build(address.host)
            .port(address.port)
            .serializer(Serializers.GRAPHBINARY_V1)
            .minConnectionPoolSize(1)
            .maxConnectionPoolSize(1)
            .maxWaitForConnection(CONNECT_MILLIS)
            .connectionSetupTimeoutMillis(CONNECT_MILLIS);
    if (address.user != null) {
      builder.credentials(address.user, address.password);
    }
    if (address.tls) {
      builder.enableSsl(true);
      if (address.trust != null) {
        builder.trustStore(address.trust.toString()).trustStorePassword(address.trustPassword);
      }
    }
    return builder.create();
  }

  /** The traversal source for queries. */
  GraphTraversalSource g() {
    return g;
  }

  @Override
  public String toString() {
    return address.toString();
  }

  @Override
  public void close() {
    cluster.close();
  }

  /** The error response of the server among the causes; null if there is none. */
  static ResponseException answer(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ResponseException response) {
        return response;
      }
    }
    return null;
  }

  /**
   * The reason of a failure: the message of the server if there is one, else that of the root
   * cause.
   */
  static String reason(Throwable failure) {
    ResponseException response = answer(failure);
    if (response != null) {
      return response.getMessage();
    }
    Throwable root = root(failure);
    return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
  }

  /** The root cause, which the driver wraps several times. */
  static Throwable root(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }
}
