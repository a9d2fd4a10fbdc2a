package io.bg3.linkbench.remote;

import io.bg3.linkbench.workload.Config;
import java.net.URI;

/**
 * The address of a server, and the user to log in as.
 *
 * @param user null if the server does not ask
 */
record Endpoint(String host, int port, boolean tls, String user, String password) {
  private static final String PATH = "/gremlin";

  /** As the keys say that begin with {@link RemoteDatabase#PREFIX}. */
  static Endpoint of(Config config) {
    String prefix = RemoteDatabase.PREFIX;
    return new Endpoint(
        config.text(prefix + "host", "127.0.0.1"),
        config.count(prefix + "port", 8182, 1, 65_535),
        config.flag(prefix + "tls", false),
        config.has(prefix + "user") ? config.text(prefix + "user") : null,
        config.text(prefix + "password", ""));
  }

  /** The address of its WebSockets. */
  URI uri() {
    String name = host.contains(":") ? "[" + host + "]" : host;
    return URI.create((tls ? "wss://" : "ws://") + name + ":" + port + PATH);
  }

  /** Host and port; neither name nor password. */
  @Override
  public String toString() {
    return host + ":" + port;
  }
}
