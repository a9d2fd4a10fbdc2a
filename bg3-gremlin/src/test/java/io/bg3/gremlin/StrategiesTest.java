package io.bg3.gremlin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3GraphCountStrategy;
import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3GraphStepStrategy;
import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3MergeEdgeStepStrategy;
import io.bg3.gremlin.structure.Bg3Graph;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.LoadGraphWith.GraphData;
import org.apache.tinkerpop.gremlin.features.TestFiles;
import org.apache.tinkerpop.gremlin.process.traversal.Merge;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Random traversals and random merges answer on BG3 what they answer on TinkerGraph, with every
 * strategy of BG3, without each of them and without any.
 */
class StrategiesTest {
  private static final int TRAVERSALS = 2000;
  private static final int MERGES = 400;

  private TinkerGraph expected;
  private Map<String, Bg3Graph> graphs;
  private Map<String, GraphTraversalSource> sources;

  @BeforeEach
  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of classes
  void open() {
    Configuration ids = new BaseConfiguration();
    for (String kind : List.of("vertex", "edge", "vertexProperty")) {
      ids.setProperty("gremlin.tinkergraph." + kind + "IdManager", "INTEGER");
    }
    expected = load(TinkerGraph.open(ids));
    Map<String, Class[]> without = new LinkedHashMap<>();
    without.put("all strategies", new Class[0]);
    without.put("no graph step", new Class[] {Bg3GraphStepStrategy.class});
    without.put("no count", new Class[] {Bg3GraphCountStrategy.class});
    without.put("no merge", new Class[] {Bg3MergeEdgeStepStrategy.class});
    without.put(
        "none",
        new Class[] {
          Bg3GraphStepStrategy.class, Bg3GraphCountStrategy.class, Bg3MergeEdgeStepStrategy.class
        });
    graphs = new LinkedHashMap<>();
    sources = new LinkedHashMap<>();
    without.forEach(
        (name, classes) -> {
          Configuration integers = new BaseConfiguration();
          integers.setProperty("bg3.graph.ids", "integer");
          Bg3Graph graph = load(Bg3Graph.open(integers));
          graphs.put(name, graph);
          sources.put(
              name,
              classes.length == 0
                  ? graph.traversal()
                  : graph.traversal().withoutStrategies((Class<TraversalStrategy>[]) classes));
        });
  }

  @AfterEach
  void close() {
    expected.close();
    graphs.values().forEach(Bg3Graph::close);
  }

  private static <G extends Graph> G load(G graph) {
    graph.traversal().io(TestFiles.getInputLocation(GraphData.MODERN, false)).read().iterate();
    return graph;
  }

  private static List<String> answers(Traversal<?, ?> traversal) {
    List<String> answers = new ArrayList<>();
    traversal.forEachRemaining(answer -> answers.add(text(answer)));
    answers.sort(null);
    return answers;
  }

  private static String text(Object answer) {
    if (answer instanceof Map<?, ?> map) {
      Map<String, String> sorted = new TreeMap<>();
      map.forEach((key, value) -> sorted.put(text(key), text(value)));
      return sorted.toString();
    }
    return answer.getClass().getSimpleName() + " " + answer;
  }

  @Test
  void randomTraversalsAnswerTheSame() {
    long seed = Long.getLong("bg3.seed", System.nanoTime());
    for (int i = 0; i < TRAVERSALS; i++) {
      long drawn = seed + i;
      List<String> answers = answers(RandomTraversal.of(drawn, expected.traversal()));
      sources.forEach(
          (name, g) -> {
            GraphTraversal<?, ?> traversal = RandomTraversal.of(drawn, g);
            String asked = traversal.toString();
            assertEquals(
                answers, answers(traversal), () -> name + ", seed=" + drawn + ", " + asked);
          });
    }
  }

  @Test
  void randomMergesLeaveTheSame() {
    long seed = Long.getLong("bg3.seed", System.nanoTime());
    sources.put("TinkerGraph", expected.traversal());
    List<String> first = null;
    for (Map.Entry<String, GraphTraversalSource> source : sources.entrySet()) {
      Random random = new Random(seed);
      for (int i = 0; i < MERGES; i++) {
        merge(source.getValue(), random);
      }
      List<String> left = answers(edges(source.getValue()));
      first = first == null ? left : first;
      assertEquals(first, left, () -> source.getKey() + ", seed=" + seed);
    }
  }

  private static GraphTraversal<?, ?> edges(GraphTraversalSource g) {
    return g.E()
        .project("out", "label", "in", "values")
        .by(__.outV().id())
        .by(T.label)
        .by(__.inV().id())
        .by(__.valueMap());
  }

  private static void merge(GraphTraversalSource g, Random random) {
    Map<Object, Object> edge = new HashMap<>();
    edge.put(Direction.OUT, 1 + random.nextInt(6));
    edge.put(Direction.IN, 1 + random.nextInt(6));
    if (random.nextInt(5) > 0) {
      edge.put(T.label, List.of("knows", "created", "likes").get(random.nextInt(3)));
    }
    if (random.nextInt(3) == 0) {
      edge.put("weight", random.nextInt(3) / 2.0);
    }
    int n = random.nextInt(1000);
    switch (random.nextInt(4)) {
      case 0 -> g.mergeE(edge).iterate();
      case 1 -> g.mergeE(edge).option(Merge.onCreate, Map.of("n", n)).iterate();
      case 2 -> g.mergeE(edge).option(Merge.onMatch, Map.of("n", n)).iterate();
      default -> {
        edge.put(Direction.OUT, Merge.outV);
        g.V(1 + random.nextInt(6))
            .as("v")
            .mergeE(edge)
            .option(Merge.outV, __.select("v"))
            .option(Merge.onMatch, Map.of("m", n))
            .iterate();
      }
    }
  }
}
