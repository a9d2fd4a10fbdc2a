package io.bg3.server;

import io.bg3.gremlin.TinkerServices;
import io.bg3.gremlin.structure.Bg3Graph;
import io.cucumber.java.Scenario;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.Map;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.LoadGraphWith.GraphData;
import org.apache.tinkerpop.gremlin.features.TestFiles;
import org.apache.tinkerpop.gremlin.features.World;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.junit.AssumptionViolatedException;

/**
 * The graphs of TinkerPop's Gherkin scenarios behind servers as users start them, one server a
 * graph, each started when it is first wanted and asked through the driver. The scenarios that
 * write share one graph, which is emptied for each.
 */
public final class RemoteWorld implements World {
  private static final Map<GraphData, ServedFixture> TOYS = new EnumMap<>(GraphData.class);
  private static ServedFixture scratch;

  private static ServedFixture serve(GraphData data) {
    Configuration configuration = new BaseConfiguration();
    configuration.setProperty("bg3.graph.ids", "integer");
    if (data == GraphData.CREW) {
      configuration.setProperty("bg3.graph.cardinality", "list");
    }
    Bg3Graph graph = Bg3Graph.open(configuration);
    TinkerServices.register(graph);
    if (data != null) {
      graph.traversal().io(TestFiles.getInputLocation(data, false)).read().iterate();
      graph.tx().commit();
    }
    try {
      return new ServedFixture(graph, Map.of());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public synchronized GraphTraversalSource getGraphTraversalSource(GraphData data) {
    if (data != null) {
      return TOYS.computeIfAbsent(data, RemoteWorld::serve).g();
    }
    if (scratch == null) {
      scratch = serve(null);
    }
    GraphTraversalSource g = scratch.g();
    g.V().drop().iterate();
    return g;
  }

  /** Skips what a server refuses whoever asks, and looks at nothing else of the scenario. */
  @Override
  public void beforeEachScenario(Scenario scenario) {
    String name = scenario.getName();
    if (scenario.getSourceTagNames().contains("@StepRead")
        || scenario.getSourceTagNames().contains("@StepWrite")) {
      throw new AssumptionViolatedException("the server refuses io()");
    } else if (name.contains("withoutStrategies")) {
      throw new AssumptionViolatedException("the server refuses withoutStrategies()");
    } else if (name.equals("g_withStrategiesXOptionsStrategyXmyVar_myValueXX_V")) {
      throw new AssumptionViolatedException("the server refuses unknown options");
    } else if (name.equals("g_withStrategiesXVertexProgramStrategyX_V")) {
      throw new AssumptionViolatedException("the server refuses graph computers");
    }
  }

  static void close() {
    TOYS.values().forEach(ServedFixture::close);
    TOYS.clear();
    if (scratch != null) {
      scratch.close();
      scratch = null;
    }
  }
}
