package io.bg3.server;

import static org.junit.Assert.assertEquals;

import io.bg3.gremlin.Bg3World;
import io.bg3.gremlin.structure.Bg3Graph;
import io.cucumber.java.Scenario;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.gremlin.LoadGraphWith.GraphData;
import org.apache.tinkerpop.gremlin.features.World;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;

/**
 * The graphs of TinkerPop's Gherkin scenarios behind servers as users start them: each graph is a
 * store in a directory with a process of {@code bin/bg3 server}, started when it is first wanted
 * and asked through the driver. The scenarios that write share one graph, which is emptied for
 * each.
 *
 * <p>What such a server does not offer to anybody is no reason to leave a scenario out. The few
 * scenarios that need it go to servers in this process, with graphs of their own: {@link
 * Way#SERVICES} and {@link Way#UNGUARDED}.
 */
public final class RemoteWorld implements World {
  /** Where the queries of a scenario go. */
  public enum Way {
    /** To a process of the distribution. */
    DISTRIBUTION(1942),
    /** To a BG3 server with the services of TinkerGraph, which the scenarios call. */
    SERVICES(20),
    /**
     * To a {@link PlainServer}, because they read and write files, take strategies away, or name
     * what the guard refuses.
     */
    UNGUARDED(55);

    private final int scenarios;

    Way(int scenarios) {
      this.scenarios = scenarios;
    }

    /** How many scenarios go this way, which a whole run checks. */
    public int scenarios() {
      return scenarios;
    }
  }

  /** Scenarios whose names do not say that they need what is refused. */
  private static final Set<String> REFUSED =
      Set.of(
          "g_withStrategiesXOptionsStrategyXmyVar_myValueXX_V",
          "g_withStrategiesXVertexProgramStrategyX_V");

  private static final Map<GraphData, Distributed> DISTRIBUTED = new HashMap<>(); // null: scratch
  private static final Map<GraphData, Embedded> EMBEDDED = new HashMap<>();
  private static final Map<Way, Integer> COUNTS = new EnumMap<>(Way.class);

  private Way way;

  /** A graph in this process and its servers; the plain one is there when it has been wanted. */
  private static final class Embedded {
    private final Bg3Graph graph;
    private final ServedFixture guarded;
    private PlainServer plain;

    Embedded(GraphData data) {
      graph = Bg3World.load(data);
      try {
        guarded = new ServedFixture(graph, Map.of());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    GraphTraversalSource g(Way way) {
      if (way == Way.SERVICES) {
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

  @Override
  public void beforeEachScenario(Scenario scenario) {
    String name = scenario.getName();
    boolean refused =
        scenario.getSourceTagNames().contains("@StepRead")
            || scenario.getSourceTagNames().contains("@StepWrite")
            || name.contains("withoutStrategies")
            || REFUSED.contains(name);
    boolean services = scenario.getSourceTagNames().contains("@TinkerServiceRegistry");
    way = refused ? Way.UNGUARDED : services ? Way.SERVICES : Way.DISTRIBUTION;
    synchronized (COUNTS) {
      COUNTS.merge(way, 1, Integer::sum);
    }
  }

  @Override
  public GraphTraversalSource getGraphTraversalSource(GraphData data) {
    synchronized (DISTRIBUTED) {
      GraphTraversalSource g =
          way == Way.DISTRIBUTION
              ? DISTRIBUTED.computeIfAbsent(data, Distributed::new).g()
              : EMBEDDED.computeIfAbsent(data, Embedded::new).g(way);
      if (data == null) {
        g.V().drop().iterate();
      }
      return g;
    }
  }

  @Override
  public String changePathToDataFile(String path) {
    String directory = System.getProperty("build.dir", "target") + "/graphs";
    return directory + path.substring(path.lastIndexOf('/'));
  }

  /** Stops the servers, and checks that as many scenarios went each way as the page says. */
  static void close() {
    DISTRIBUTED.values().forEach(Distributed::close);
    DISTRIBUTED.clear();
    EMBEDDED.values().forEach(Embedded::close);
    EMBEDDED.clear();
    int all = COUNTS.values().stream().mapToInt(Integer::intValue).sum();
    if (System.getProperty("cucumber.filter.tags") == null
        && System.getProperty("cucumber.filter.name") == null) {
      COUNTS.forEach((way, count) -> assertEquals(way + " of " + all, way.scenarios, (int) count));
    }
  }
}
