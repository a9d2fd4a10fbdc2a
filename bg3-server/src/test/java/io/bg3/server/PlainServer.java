package io.bg3.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.server.GremlinServer;
import org.apache.tinkerpop.gremlin.server.Settings;
import org.apache.tinkerpop.gremlin.server.channel.WebSocketChannelizer;
import org.apache.tinkerpop.gremlin.server.util.DefaultGraphManager;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.util.ser.GraphBinaryMessageSerializerV1;

/** TinkerPop's Gremlin Server as it comes, without any guard, and one connected client. */
final class PlainServer implements AutoCloseable {
  private final GremlinServer server;
  private final Cluster cluster;

  PlainServer(Graph graph) {
    PlainSettings settings = new PlainSettings(graph);
    try {
      settings.port = ServedFixture.freePort();
      server = new GremlinServer(settings);
      server.start().join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (Exception e) {
      throw new IllegalStateException("Gremlin Server did not start", e);
    }
    cluster = ServedFixture.client(settings.port);
  }

  GraphTraversalSource g() {
    return ServedFixture.source(cluster);
  }

  @Override
  public void close() {
    cluster.close();
    server.stop().join();
  }

  /** Its settings with the open graph beside them. */
  private static final class PlainSettings extends Settings {
    private final Graph graph;

    PlainSettings(Graph graph) {
      this.graph = graph;
      host = "127.0.0.1";
      gremlinPool = 1;
      channelizer = WebSocketChannelizer.class.getName();
      graphManager = Manager.class.getName();
      graphs = new HashMap<>();
      scriptEngines = new HashMap<>(Map.of("gremlin-lang", new ScriptEngineSettings()));
      SerializerSettings serializer = new SerializerSettings();
      serializer.className = GraphBinaryMessageSerializerV1.class.getName();
      serializers = List.of(serializer);
    }
  }

  /** Made by Gremlin Server. */
  public static final class Manager extends DefaultGraphManager {
    /** Called with the settings above. */
    public Manager(Settings settings) {
      super(settings);
      Graph graph = ((PlainSettings) settings).graph;
      putGraph("graph", graph);
      putTraversalSource("g", graph.traversal());
    }
  }
}
