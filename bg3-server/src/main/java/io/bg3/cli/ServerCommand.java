package io.bg3.cli;

import io.bg3.server.AccessSetup;
import io.bg3.server.Bg3Server;
import io.bg3.server.GraphSettings;
import io.bg3.server.ListenException;
import io.bg3.server.ServerKey;
import io.bg3.server.ServerSettings;
import io.bg3.server.access.BrowserRules;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bg3 server}: serves a store until a signal ends the process. */
@Command(
    name = "server",
    description =
        "Serves the store as Gremlin over WebSocket, source 'g', until Ctrl-C or SIGTERM.",
    footer = {
      "",
      "The configuration may name further graphs: graphs.NAME.data=DIR serves another",
      "store as source NAME. graphs.NAME.share is the weight of its part of the memory",
      "(default: 1), and graphs.NAME.bg3.KEY a setting of its store."
    },
    mixinStandardHelpOptions = true)
final class ServerCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private StoreOptions store;

  @Option(
      names = "--host",
      paramLabel = "N",
      description = "Address to listen on (default: 127.0.0.1).")
  private String host;

  @Option(names = "--port", paramLabel = "N", description = "Port to listen on (default: 8182).")
  private Integer port;

  @Option(
      names = "--http-port",
      paramLabel = "N",
      description = "Port to answer queries by plain HTTP on (default: none).")
  private Integer httpPort;

  @Option(
      names = "--users",
      paramLabel = "FILE",
      description = "Require clients to log in as a user of this file; 'bg3 user add' creates it.")
  private Path users;

  @Option(
      names = "--insecure",
      description = "Listen on an address that other machines reach, even without users or TLS.")
  private boolean insecure;

  @Override
  public Integer call() throws IOException, InterruptedException {
    ServerSettings settings = settings();
    requireSafe(settings);
    store.requireNoGraph(spec);
    store.requireStoreOrRoom();
    Map<String, GraphSettings> others = store.config().graphs();
    for (GraphSettings graph : others.values()) {
      StoreOptions.requireStoreOrRoom(graph.data());
    }
    ServerLife life = ServerLife.begin(spec);
    try {
      Bg3Server server = start(settings);
      PrintWriter out = spec.commandLine().getOut();
      out.println("data in " + store.directory());
      others.values().forEach(graph -> out.println(served(graph)));
      server.httpUrl().ifPresent(url -> out.println("queries by HTTP at " + url));
      out.println(
          "listening on "
              + server.url()
              + ", traversal source g"); // printed last, because scripts wait for it
      out.flush();
      life.started(server);
    } catch (IOException | RuntimeException | Error e) {
      if (life.failed()) {
        throw e;
      }
    }
    new CountDownLatch(1).await(); // a signal ends the JVM
    return 0;
  }

  private static String served(GraphSettings graph) {
    return "graph " + graph.name() + ", data in " + graph.data();
  }

  private Bg3Server start(ServerSettings settings) throws IOException {
    AccessSetup doors = AccessSetup.open(settings);
    ServedStores stores;
    try {
      stores = ServedStores.open(store, settings);
    } catch (IOException | RuntimeException e) {
      doors.close();
      throw e;
    }
    return start(settings, doors, stores);
  }

  private ServerSettings settings() throws IOException {
    Map<String, String> values = new TreeMap<>(store.config().server());
    if (host != null) {
      values.put(ServerKey.HOST.key(), host);
    }
    if (port != null) {
      values.put(ServerKey.PORT.key(), port.toString());
    }
    if (httpPort != null) {
      values.put(ServerKey.HTTP_PORT.key(), httpPort.toString());
    }
    if (users != null) {
      values.put(ServerKey.USERS.key(), users.toString());
    }
    return ServerSettings.of(values);
  }

  private void requireSafe(ServerSettings settings) {
    if (insecure
        || settings.access().isFitForOthers()
        || BrowserRules.isLoopback(settings.host())) {
      return;
    }
    throw new ParameterException(
        spec.commandLine(),
        "refused to listen where other machines reach the server: host="
            + settings.host()
            + missing("server.users", settings.access().users().isPresent())
            + missing("server.tls.keystore", settings.access().keystore().isPresent())
            + "\n"
            + "Anyone could read and delete all data, or read the traffic of clients. Use"
            + " 127.0.0.1, set the missing options, or use --insecure if a proxy protects the"
            + " server.");
  }

  private static String missing(String key, boolean there) {
    return there ? "" : ", missing=" + key;
  }

  private static Bg3Server start(ServerSettings settings, AccessSetup doors, ServedStores stores)
      throws IOException {
    try {
      return Bg3Server.start(settings, doors, stores.graphs(), Optional.of(stores.online()));
    } catch (ListenException e) {
      throw new IOException(
          e.getMessage() + "\nIs another server running there? --port takes another port.", e);
    }
  }
}
