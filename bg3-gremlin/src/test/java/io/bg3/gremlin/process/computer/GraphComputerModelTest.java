package io.bg3.gremlin.process.computer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.tinkerpop.gremlin.process.computer.ComputerResult;
import org.apache.tinkerpop.gremlin.process.computer.GraphComputer;
import org.apache.tinkerpop.gremlin.process.computer.VertexProgram;
import org.apache.tinkerpop.gremlin.process.computer.clustering.connected.ConnectedComponentVertexProgram;
import org.apache.tinkerpop.gremlin.process.computer.ranking.pagerank.PageRankVertexProgram;
import org.apache.tinkerpop.gremlin.process.computer.traversal.step.map.PageRank;
import org.apache.tinkerpop.gremlin.process.computer.traversal.step.map.ShortestPath;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs programs and traversals on random graphs with parallel edges and loops, on BG3 and on
 * TinkerGraph, and expects the same. While a program runs on BG3, the graph is changed; the program
 * must not see it.
 */
class GraphComputerModelTest {
  private static final List<String> LABELS = List.of("knows", "likes", "owns");

  static LongStream seeds() {
    return Seeds.of(4);
  }

  private static TinkerGraph tinkerGraph() {
    BaseConfiguration ids = new BaseConfiguration();
    ids.setProperty("gremlin.tinkergraph.vertexIdManager", "LONG");
    return TinkerGraph.open(ids);
  }

  /** Adds the same vertices and edges to a graph for the same seed. */
  private static <G extends Graph> G load(G graph, long seed) {
    Random random = new Random(seed);
    int count = 1 + random.nextInt(120);
    long step = random.nextBoolean() ? 1 : 1 + random.nextInt(1_000_000); // between ids
    List<Vertex> vertices = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      vertices.add(
          graph.addVertex(
              T.id, 1 + i * step, T.label, i % 3 == 0 ? "a" : "b", "age", random.nextInt(5)));
    }
    for (int i = random.nextInt(4 * count); i > 0; i--) {
      vertices
          .get(random.nextInt(count))
          .addEdge(
              LABELS.get(random.nextInt(LABELS.size())),
              vertices.get(random.nextInt(count)),
              "weight",
              random.nextInt(10));
    }
    return graph;
  }

  private static Bg3Graph loaded(long seed) {
    Bg3Graph graph = load(Bg3Graph.open(), seed);
    graph.tx().commit();
    return graph;
  }

  /** Changes everything that a program may look at, in some commits. */
  private static void change(Bg3Graph graph, Random random) {
    for (int commit = 0; commit < 3; commit++) {
      List<Vertex> vertices = IteratorUtils.list(graph.vertices());
      Vertex added = graph.addVertex(T.label, "a", "age", 1);
      for (Vertex vertex : vertices) {
        switch (random.nextInt(4)) {
          case 0 -> vertex.addEdge("knows", added, "weight", 100);
          case 1 -> vertex.property("age", 77);
          case 2 ->
              vertex.edges(Direction.OUT).forEachRemaining(edge -> edge.property("weight", 1_000));
          default -> {
            if (random.nextInt(8) == 0) {
              vertex.remove();
            }
          }
        }
      }
      graph.tx().commit();
    }
  }

  private record Program(
      String key, Supplier<VertexProgram<?>> made, UnaryOperator<GraphComputer> settings) {}

  private static List<Program> programs() {
    String rank = PageRankVertexProgram.PAGE_RANK;
    String component = ConnectedComponentVertexProgram.COMPONENT;
    UnaryOperator<GraphComputer> plain = computer -> computer;
    return List.of(
        new Program(rank, () -> PageRankVertexProgram.build().epsilon(0).create(), plain),
        new Program(
            rank,
            () ->
                PageRankVertexProgram.build()
                    .epsilon(0)
                    .edges(__.outE("knows", "likes").asAdmin())
                    .create(),
            plain),
        new Program(
            rank,
            () -> PageRankVertexProgram.build().epsilon(0).create(),
            computer -> computer.edges(__.bothE("knows"))),
        new Program(
            rank,
            () -> PageRankVertexProgram.build().epsilon(0).create(),
            computer -> computer.vertices(__.hasLabel("a"))),
        new Program(component, () -> ConnectedComponentVertexProgram.build().create(), plain),
        new Program(
            component,
            () -> ConnectedComponentVertexProgram.build().create(),
            computer -> computer.edges(__.bothE("owns"))),
        new Program(SpreadProgram.SUM, SpreadProgram::new, plain),
        new Program(SpreadProgram.SUM, SpreadProgram::new, computer -> computer.workers(1)),
        new Program(
            SpreadProgram.SUM,
            SpreadProgram::new,
            computer -> computer.vertexProperties(__.properties("none"))));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aProgramComputesOnItsSnapshot(long seed) throws Exception {
    for (int i = 0; i < programs().size(); i++) {
      Program program = programs().get(i);
      String at = "-Dbg3.seed=" + seed + ", program " + i;
      try (Bg3Graph graph = loaded(seed)) {
        Future<ComputerResult> running = submit(graph, program);
        change(graph, new Random(seed));
        requireEqual(
            values(submit(load(tinkerGraph(), seed), program), program.key),
            values(running, program.key),
            at);
      }
    }
  }

  private static Future<ComputerResult> submit(Graph graph, Program program) {
    return program
        .settings
        .apply(graph.compute().program(program.made.get()))
        .result(GraphComputer.ResultGraph.NEW)
        .persist(GraphComputer.Persist.VERTEX_PROPERTIES)
        .submit();
  }

  @SuppressWarnings("try") // TinkerPop's close() may throw anything
  private static Map<Object, Object> values(Future<ComputerResult> running, String key)
      throws Exception {
    Map<Object, Object> values = new TreeMap<>();
    try (ComputerResult result = running.get()) {
      result
          .graph()
          .vertices()
          .forEachRemaining(vertex -> values.put(vertex.id(), vertex.property(key).orElse("none")));
    }
    return values;
  }

  private static void requireEqual(
      Map<Object, Object> expected, Map<Object, Object> found, String at) {
    assertEquals(expected.keySet(), found.keySet(), at);
    expected.forEach(
        (id, value) -> {
          if (value instanceof Double number) {
            assertEquals(number, (Double) found.get(id), 1e-9 * Math.max(1, number), at);
          } else {
            assertEquals(value, found.get(id), at);
          }
        });
  }

  private static List<Function<GraphTraversalSource, Traversal<?, ?>>> traversals() {
    return List.of(
        g -> g.V().count(),
        g -> g.E().count(),
        g -> g.V().out().count(),
        g -> g.V().both("knows").dedup().count(),
        g -> g.V().outE("likes").values("weight").sum(),
        g -> g.V().groupCount().by("age"),
        g -> g.V().hasLabel("a").out("knows").in().path().count(),
        g -> g.V().repeat(__.out()).times(2).values("age").max(),
        g -> g.V().has("age", 3).in("owns", "likes").id().order(),
        g -> g.V().local(__.bothE().count()).sum(),
        g -> g.V().pageRank().with(PageRank.times, 3).has(PageRankVertexProgram.PAGE_RANK).count(),
        g -> g.V().connectedComponent().groupCount().by(ConnectedComponentVertexProgram.COMPONENT),
        g ->
            g.V()
                .connectedComponent()
                .out("knows")
                .groupCount()
                .by(ConnectedComponentVertexProgram.COMPONENT),
        g -> g.V().hasLabel("a").shortestPath().with(ShortestPath.target, __.has("age", 1)).count(),
        g -> g.V().peerPressure().count());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aTraversalAnswersAsOnTinkerGraph(long seed) {
    TinkerGraph model = load(tinkerGraph(), seed);
    try (Bg3Graph graph = loaded(seed)) {
      for (int i = 0; i < traversals().size(); i++) {
        Function<GraphTraversalSource, Traversal<?, ?>> asked = traversals().get(i);
        String at = "-Dbg3.seed=" + seed + ", traversal " + i;
        String expected = asked.apply(model.traversal().withComputer()).toList().toString();
        String found = asked.apply(graph.traversal().withComputer()).toList().toString();
        assertEquals(sorted(expected), sorted(found), at);
      }
    }
  }

  /** Entries of maps come in no order. */
  private static List<String> sorted(String results) {
    List<String> parts = new ArrayList<>(List.of(results.split("[\\[{, }\\]]+")));
    parts.sort(null);
    return parts;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aResultIsComputedOn(long seed) throws Exception {
    TinkerGraph model = load(tinkerGraph(), seed);
    try (Bg3Graph graph = loaded(seed)) {
      assertEquals(chained(model), chained(graph), "-Dbg3.seed=" + seed);
    }
  }

  private static List<Object> chained(Graph graph) throws Exception {
    Graph first = result(graph.compute(), ConnectedComponentVertexProgram.build().create());
    Graph second = result(first.compute(), new SpreadProgram());
    assertTrue(second.traversal().V().has(SpreadProgram.SUM).hasNext());
    return List.of(
        new TreeMap<>(
            second
                .traversal()
                .V()
                .groupCount()
                .by(ConnectedComponentVertexProgram.COMPONENT)
                .next()),
        second.traversal().V().values(SpreadProgram.SUM).sum().next(),
        second.traversal().V().out("knows").values(SpreadProgram.SUM).count().next(),
        second.traversal().E().values("weight").count().next(),
        second.traversal().V().values().count().next());
  }

  private static Graph result(GraphComputer computer, VertexProgram<?> program) throws Exception {
    return computer
        .program(program)
        .result(GraphComputer.ResultGraph.NEW)
        .persist(GraphComputer.Persist.EDGES)
        .submit()
        .get()
        .graph();
  }
}
