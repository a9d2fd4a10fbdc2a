package io.bg3.cli;

import io.bg3.Setting;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.Bg3Server;
import io.bg3.server.ListenException;
import io.bg3.server.ServerKey;
import io.bg3.server.ServerSettings;
import io.bg3.storage.file.StoreInUseException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.structure.Graph;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bg3 server}: serves a store until it is told to stop. */
@Command(
    name = "server",
    description =
        "Serves the store as Gremlin over WebSocket, source 'g', until Ctrl-C or SIGTERM.",
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
      names = "--insecure",
      description =
          "Listen on an address that other machines reach, although nobody is asked who they are"
              + " and nothing is encrypted.")
  private boolean insecure;

  @Override
  public Integer call() throws IOException, InterruptedException {
    ServerSettings settings = settings();
    requireLoopback(settings.host());
    Graph graph = open();
    Bg3Server server = start(settings, graph);
    PrintWriter out = spec.commandLine().getOut();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> goodbye(server, out), "bg3-goodbye"));
    out.println("data in " + store.directory());
    out.println(
        "listening on " + server.url() + ", traversal source g"); // last: scripts wait for it
    out.flush();
    new CountDownLatch(1).await(); // the virtual machine ends by a signal
    return 0;
  }

  private Graph open() throws IOException {
    Configuration configuration = new BaseConfiguration();
    store.config().graph().forEach(configuration::setProperty);
    configuration.setProperty(Setting.DIRECTORY.key(), store.directory().toString());
    try {
      return Bg3Graph.open(configuration);
    } catch (UncheckedIOException e) {
      throw e.getCause() instanceof StoreInUseException inUse
          ? OpenStore.inUse(inUse)
          : e.getCause();
    }
  }

  private ServerSettings settings() throws IOException {
    Map<String, String> values = new TreeMap<>(store.config().server());
    if (host != null) {
      values.put(ServerKey.HOST.key(), host);
    }
    if (port != null) {
      values.put(ServerKey.PORT.key(), port.toString());
    }
    return ServerSettings.of(values);
  }

  private void requireLoopback(String address) {
    boolean loopback;
    try {
      loopback = InetAddress.getByName(address).isLoopbackAddress();
    } catch (UnknownHostException e) {
      throw new ParameterException(spec.commandLine(), "unknown host: host=" + address, e);
    }
    if (!loopback && !insecure) {
      throw new ParameterException(
          spec.commandLine(),
          "refused to listen where other machines reach the server: host="
              + address
              + "\nThere is no authentication and no encryption yet: anybody could read and delete"
              + " everything. Use 127.0.0.1, or say --insecure if something in front of it"
              + " protects it.");
    }
  }

  private static Bg3Server start(ServerSettings settings, Graph graph) throws IOException {
    try {
      return Bg3Server.start(settings, graph);
    } catch (ListenException e) {
      throw new IOException(
          e.getMessage() + "\nIs another server running there? --port takes another port.", e);
    }
  }

  private static void goodbye(Bg3Server server, PrintWriter out) {
    server.close();
    out.println("stopped, store closed");
    out.flush();
  }
}
