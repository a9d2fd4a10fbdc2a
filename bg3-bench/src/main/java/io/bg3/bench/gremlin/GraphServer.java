package io.bg3.bench.gremlin;

import io.bg3.bench.server.Ports;
import io.bg3.bench.server.StockServer;
import io.bg3.server.Bg3Server;
import io.bg3.server.ServerSettings;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import org.apache.tinkerpop.gremlin.structure.Graph;

/**
 * The process that loads the graph into one system and serves it: BG3 by its own server with its
 * default settings, another system by TinkerPop's Gremlin Server.
 */
public final class GraphServer {
  private GraphServer() {}

  /**
   * Loads the graph, starts the server, writes its port into the file of the task's results, and
   * serves until the standard input ends.
   *
   * @param arguments bg3.durability of BG3, and those of a {@link GremlinTask}
   */
  @SuppressWarnings("try") // the servers only have to be closed
  public static void main(String[] arguments) throws Exception {
    GremlinTask task = GremlinTask.of(Arrays.copyOfRange(arguments, 1, arguments.length));
    int port = Ports.free();
    Graph graph = open(task, arguments[0]);
    task.system().order(graph, BenchGraph.ORDERED, BenchGraph.TIME);
    var unused = new BenchGraph(task).load(graph, task.system().isBuiltIn());
    task.system().index(graph, BenchGraph.PERSON, BenchGraph.CODE);
    try (AutoCloseable server = serve(task.system(), graph, port)) {
      Ports.write(task.results(), port);
      while (System.in.read() >= 0) {
        // until the process that measures ends
      }
    }
  }

  private static Graph open(GremlinTask task, String durability) {
    return task.system() == GremlinSystem.BG3
        ? Bg3System.open(task.directory(), task.memory(), durability)
        : task.system().open(task.directory(), task.memory());
  }

  private static AutoCloseable serve(GremlinSystem system, Graph graph, int port)
      throws IOException {
    return system == GremlinSystem.BG3
        ? Bg3Server.start(ServerSettings.of(Map.of("server.port", Integer.toString(port))), graph)
        : new StockServer(graph, port, Runtime.getRuntime().availableProcessors());
  }
}
