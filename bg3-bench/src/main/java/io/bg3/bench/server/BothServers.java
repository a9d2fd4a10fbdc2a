package io.bg3.bench.server;

import io.bg3.bench.generate.SocialGraph;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.Bg3Server;
import io.bg3.server.ServerSettings;
import java.io.IOException;
import java.nio.file.Path;
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
    int guarded = Ports.free();
    int stock = Ports.free();
    try (Bg3Server own =
            Bg3Server.start(
                ServerSettings.of(Map.of("server.port", Integer.toString(guarded))), graph);
        StockServer other = new StockServer(graph, stock, threads)) {
      Ports.write(Path.of(arguments[3]), guarded, stock);
      while (System.in.read() >= 0) {
        // until the process that measures ends
      }
    }
  }
}
