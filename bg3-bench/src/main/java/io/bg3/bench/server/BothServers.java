package io.bg3.bench.server;

import io.bg3.bench.generate.SocialGraph;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.Bg3Server;
import io.bg3.server.ServerSettings;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;

/**
 * The process of the servers: one graph in memory behind BG3's server and behind TinkerPop's. Both
 * are in one virtual machine, so they share its heap, its compiled code and the state of the graph;
 * only one of them is asked at a time.
 */
public final class BothServers {
  private BothServers() {}

  /**
   * Makes the graph, starts both servers, writes their ports into a file, and serves until the
   * standard input ends.
   *
   * @param arguments vertices, edges, seed, the file
   */
  @SuppressWarnings("try") // the stock server only has to be closed
  public static void main(String[] arguments) throws IOException {
    int threads = Runtime.getRuntime().availableProcessors();
    Bg3Graph graph = Bg3Graph.open();
    new SocialGraph(
            Integer.parseInt(arguments[0]),
            Long.parseLong(arguments[1]),
            Long.parseLong(arguments[2]))
        .write(graph.graphStore(), count -> {});
    int guarded = freePort();
    int stock = freePort();
    try (Bg3Server own =
            Bg3Server.start(
                ServerSettings.of(Map.of("server.port", Integer.toString(guarded))), graph);
        StockServer other = new StockServer(graph, stock, threads)) {
      writePorts(Path.of(arguments[3]), guarded, stock);
      while (System.in.read() >= 0) {
        // until the process that measures ends
      }
    }
  }

  private static void writePorts(Path file, int guarded, int stock) throws IOException {
    Path part = file.resolveSibling("ports.part");
    Files.writeString(part, guarded + "\n" + stock + "\n");
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
