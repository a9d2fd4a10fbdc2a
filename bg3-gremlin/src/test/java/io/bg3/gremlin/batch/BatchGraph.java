package io.bg3.gremlin.batch;

import io.bg3.gremlin.services.Bg3Services;
import io.bg3.gremlin.structure.Bg3Graph;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;

/** A graph in memory with BG3's services, and links of the label "likes" in the order of a time. */
public final class BatchGraph implements AutoCloseable {
  private final Bg3Graph graph = Bg3Graph.open();
  private final GraphTraversalSource g = graph.traversal();

  public BatchGraph() {
    Bg3Services.register(graph);
    g.call(
            "bg3.links.declare",
            Map.of("label", "likes", "sortKey", "time", "loose", true, "counted", true))
        .iterate();
  }

  public Bg3Graph graph() {
    return graph;
  }

  public GraphTraversalSource traversal() {
    return g;
  }

  @Override
  public void close() {
    graph.close();
  }
}
