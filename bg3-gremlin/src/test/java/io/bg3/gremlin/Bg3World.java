package io.bg3.gremlin;

import io.bg3.gremlin.structure.Bg3Graph;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.LoadGraphWith.GraphData;
import org.apache.tinkerpop.gremlin.features.TestFiles;
import org.apache.tinkerpop.gremlin.features.World;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;

/**
 * The graphs of TinkerPop's Gherkin scenarios: the toy graphs, each loaded once a JVM and rolled
 * back after every scenario, and an empty one for each scenario that writes. All in memory.
 */
public class Bg3World implements World {
  private static final Map<GraphData, Bg3Graph> TOYS = new EnumMap<>(GraphData.class);

  private final List<Bg3Graph> scratch = new ArrayList<>();

  private static Bg3Graph open(GraphData data) {
    Configuration configuration = new BaseConfiguration();
    configuration.setProperty("bg3.graph.ids", "integer");
    if (data == GraphData.CREW) {
      configuration.setProperty("bg3.graph.cardinality", "list");
    }
    Bg3Graph graph = Bg3Graph.open(configuration);
    TinkerServices.register(graph);
    return graph;
  }

  /** A new graph with this data in it; null for an empty one. */
  public static Bg3Graph load(GraphData data) {
    Bg3Graph graph = open(data);
    if (data == null) {
      return graph;
    }
    graph.traversal().io(TestFiles.getInputLocation(data, false)).read().iterate();
    graph.tx().commit();
    return graph;
  }

  @Override
  public GraphTraversalSource getGraphTraversalSource(GraphData data) {
    if (data == null) {
      Bg3Graph graph = load(null);
      scratch.add(graph);
      return graph.traversal();
    }
    synchronized (TOYS) {
      return TOYS.computeIfAbsent(data, Bg3World::load).traversal();
    }
  }

  @Override
  public void afterEachScenario() {
    synchronized (TOYS) {
      TOYS.values().forEach(graph -> graph.tx().rollback());
    }
    scratch.forEach(Bg3Graph::close);
    scratch.clear();
  }

  @Override
  public String changePathToDataFile(String path) {
    String directory = System.getProperty("build.dir", "target") + "/tinkerpop-data";
    return directory + path.substring(path.lastIndexOf('/'));
  }
}
