package io.bg3.bench.server;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.server.GremlinServer;
import org.apache.tinkerpop.gremlin.server.Settings;
import org.apache.tinkerpop.gremlin.server.channel.WebSocketChannelizer;
import org.apache.tinkerpop.gremlin.server.util.DefaultGraphManager;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.util.ser.GraphBinaryMessageSerializerV1;

/** TinkerPop's Gremlin Server with its own WebSocket pipeline: nothing of BG3's but the graph. */
public final class StockServer implements AutoCloseable {
  private final GremlinServer server;

  /**
   * Starts it.
   *
   * @param threads for queries, and for connections
   */
  public StockServer(Graph graph, int port, int threads) {
    try {
      server = new GremlinServer(new StockSettings(graph, port, threads));
      server.start().join();
    } catch (Exception e) {
      throw new IllegalStateException("Gremlin Server did not start: port=" + port, e);
    }
  }

  @Override
  public void close() {
    server.stop().join();
  }

  /** Its settings, with the open graph beside them. */
  private static final class StockSettings extends Settings {
    private final Graph graph;

    StockSettings(Graph graph, int port, int threads) {
      this.graph = graph;
      this.host = "127.0.0.1";
      this.port = port;
      this.gremlinPool = threads;
      this.threadPoolWorker = threads;
      this.channelizer = WebSocketChannelizer.class.getName();
      this.graphManager = OneGraph.class.getName();
      this.graphs = new HashMap<>();
      this.scriptEngines = new HashMap<>(Map.of("gremlin-lang", new ScriptEngineSettings()));
      SerializerSettings serializer = new SerializerSettings();
      serializer.className = GraphBinaryMessageSerializerV1.class.getName();
      this.serializers = List.of(serializer);
    }
  }

  /** The graph by its name; made by Gremlin Server. */
  public static final class OneGraph extends DefaultGraphManager {
    /** Called with the settings above. */
    public OneGraph(Settings settings) {
      super(settings);
      Graph graph = ((StockSettings) settings).graph;
      putGraph("graph", graph);
      putTraversalSource("g", graph.traversal());
    }
  }
}
