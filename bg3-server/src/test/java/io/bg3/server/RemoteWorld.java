package io.bg3.server;

import io.bg3.gremlin.Bg3World;
import io.bg3.gremlin.structure.Bg3Graph;
import io.cucumber.java.Scenario;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.gremlin.LoadGraphWith.GraphData;
import org.apache.tinkerpop.gremlin.features.World;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;

/**
 * The graphs of TinkerPop's Gherkin scenarios behind servers as users start them, one server a
 * graph, each started when it is first wanted and asked through the driver. The scenarios that
 * write share one graph, which is emptied for each.
 *
 * <p>What such a server refuses to everybody is no reason to leave a scenario out: those few go to
 * a {@link PlainServer} of the same graph.
 */
public final class RemoteWorld implements World {
  /** Scenarios whose names do not say that they need what is refused. */
  private static final Set<String> REFUSED =
      Set.of(
          "g_withStrategiesXOptionsStrategyXmyVar_myValueXX_V",
          "g_withStrategiesXVertexProgramStrategyX_V");

  private static final Map<GraphData, Served> TOYS = new EnumMap<>(GraphData.class);
  private static Served scratch;

  private boolean refused; // by the server of this scenario

  /** A graph and its servers; the plain one is there when it has been wanted. */
  private static final class Served {
    private final Bg3Graph graph;
    private final ServedFixture guarded;
    private PlainServer plain;

    Served(Bg3Graph graph) throws IOException {
      this.graph = graph;
      this.guarded = new ServedFixture(graph, Map.of());
    }

    GraphTraversalSource g(boolean withoutGuard) {
      if (!withoutGuard) {
        return guarded.g();
      }
      if (plain == null) {
        plain = new PlainServer(graph);
      }
      return plain.g();
    }

    void close() {
      if (plain != null) {
        plain.close();
      }
      guarded.close();
    }
  }

  private static Served serve(GraphData data) {
    try {
      return new Served(Bg3World.load(data));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void beforeEachScenario(Scenario scenario) {
    String name = scenario.getName();
    refused =
        scenario.getSourceTagNames().contains("@StepRead")
            || scenario.getSourceTagNames().contains("@StepWrite")
            || name.contains("withoutStrategies")
            || REFUSED.contains(name);
  }

  @Override
  public GraphTraversalSource getGraphTraversalSource(GraphData data) {
    synchronized (TOYS) {
      if (data != null) {
        return TOYS.computeIfAbsent(data, RemoteWorld::serve).g(refused);
      }
      if (scratch == null) {
        scratch = serve(null);
      }
      scratch.g(false).V().drop().iterate();
      return scratch.g(refused);
    }
  }

  @Override
  public String changePathToDataFile(String path) {
    String directory = System.getProperty("build.dir", "target") + "/graphs";
    return directory + path.substring(path.lastIndexOf('/'));
  }

  static void close() {
    TOYS.values().forEach(Served::close);
    TOYS.clear();
    if (scratch != null) {
      scratch.close();
      scratch = null;
    }
  }
}
