package io.bg3.bench.gremlin;

import java.nio.file.Path;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph;

/** TinkerPop's reference implementation: objects in the heap, without transactions. */
final class TinkerGraphSystem implements GraphSystem {
  @Override
  public Graph open(Path directory, long memory) {
    BaseConfiguration ids = new BaseConfiguration();
    ids.setProperty("gremlin.tinkergraph.vertexIdManager", "LONG");
    ids.setProperty("gremlin.tinkergraph.edgeIdManager", "LONG");
    return TinkerGraph.open(ids);
  }

  @Override
  public void order(Graph graph, String label, String key) {}

  @Override
  public void index(Graph graph, String label, String key) {
    ((TinkerGraph) graph).createIndex(key, Vertex.class);
  }

  @Override
  public String settings() {
    return "in the heap, without transactions";
  }
}
