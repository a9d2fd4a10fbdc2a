package io.bg3.gremlin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.SortOrder;
import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3DropStepStrategy;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.EventStrategy;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Drawn drops of several vertices leave on BG3 what they leave on TinkerGraph, with the step that
 * takes several at a time and without it, and raise the same events. Between the drops come
 * vertices, properties, and edges with labels of each form: loops, parallel ones, many among the
 * vertices that are dropped together. Several drops and additions are in one transaction.
 */
class DroppedVerticesTest {
  private static final int ROUNDS = 20;
  private static final int IDS = 100; // more than are taken at a time
  private static final List<String> VERTEX_LABELS = List.of("x", "y", "z");
  private static final List<String> EDGE_LABELS = List.of("plain", "counted", "ordered");

  private final long seed = Seeds.one();

  private static Bg3Graph open(String isolation) {
    Configuration settings = new BaseConfiguration();
    settings.setProperty("bg3.graph.ids", "integer");
    settings.setProperty("bg3.isolation", isolation);
    settings.setProperty("bg3.page.capacity", "1k");
    settings.setProperty("bg3.forest.split-out", "40");
    Bg3Graph graph = Bg3Graph.open(settings);
    graph.graphStore().declareEdgeLabel("counted", EdgeLabelForm.plain().asCounted());
    graph
        .graphStore()
        .declareEdgeLabel("ordered", EdgeLabelForm.plain().orderedBy("at", SortOrder.DESCENDING));
    return graph;
  }

  private static TinkerGraph expected() {
    Configuration ids = new BaseConfiguration();
    for (String kind : List.of("vertex", "edge", "vertexProperty")) {
      ids.setProperty("gremlin.tinkergraph." + kind + "IdManager", "INTEGER");
    }
    return TinkerGraph.open(ids);
  }

  /** Adds vertices that are missing, and edges. */
  private static void add(GraphTraversalSource g, Random random, int round) {
    for (int i = random.nextInt(IDS); i > 0; i--) {
      int id = 1 + random.nextInt(IDS);
      String label = VERTEX_LABELS.get(random.nextInt(3));
      int n = random.nextInt(10);
      if (!g.V(id).hasNext()) {
        g.addV(label).property(T.id, id).property("n", n).iterate();
      }
    }
    for (int i = random.nextInt(2 * IDS); i > 0; i--) {
      int source = 1 + random.nextInt(random.nextBoolean() ? IDS : 10);
      int target = 1 + random.nextInt(IDS);
      String label = EDGE_LABELS.get(random.nextInt(3));
      long at = random.nextInt(20);
      if (g.V(target).hasNext()) {
        g.V(source)
            .addE(label)
            .to(__.V(target))
            .property(T.id, 1_000_000 + 1_000 * round + i)
            .property("at", at)
            .iterate();
      }
    }
  }

  private static GraphTraversal<?, Vertex> drop(GraphTraversalSource g, Random random) {
    Object[] ids =
        IntStream.range(0, 1 + random.nextInt(random.nextInt(4) == 0 ? IDS : 5))
            .mapToObj(i -> 1 + random.nextInt(IDS))
            .toArray();
    Object[] different = Stream.of(ids).distinct().toArray();
    String label = VERTEX_LABELS.get(random.nextInt(3));
    int n = random.nextInt(10);
    return switch (random.nextInt(9)) {
      case 0 -> g.V().hasLabel(label).has("n", n).drop();
      case 1 -> g.V().has("n", P.lt(n - 5)).drop();
      case 2 -> g.V().hasId(P.within(different)).drop();
      case 3 -> g.V().hasLabel(label).limit(10 * IDS).has("n", P.gt(n)).drop();
      case 4 -> g.V(different).hasLabel(label).drop();
      case 5 -> g.V(different).out("plain").barrier().drop();
      case 6 -> g.V(different).where(__.out("counted")).barrier().drop();
      default -> g.V(ids).drop();
    };
  }

  private static List<String> left(GraphTraversalSource g) {
    List<String> left = new ArrayList<>();
    g.V().forEachRemaining(v -> left.add(v.id() + " " + v.label() + " " + v.value("n")));
    g.E()
        .forEachRemaining(
            e ->
                left.add(
                    e.id()
                        + " "
                        + e.outVertex().id()
                        + " "
                        + e.label()
                        + " "
                        + e.inVertex().id()
                        + " "
                        + e.value("at")));
    left.sort(null);
    for (String label : EDGE_LABELS) {
      left.add(label + " " + g.E().hasLabel(label).count().next());
      left.add(label + " out " + g.V().outE(label).count().next());
      left.add(label + " in " + g.V().in(label).count().next());
    }
    left.add(
        "by label " + VERTEX_LABELS.stream().map(x -> g.V().hasLabel(x).count().next()).toList());
    return left;
  }

  /** The events of a round and what it leaves. */
  private List<String> round(GraphTraversalSource g, int round) {
    RecordedEvents events = new RecordedEvents();
    Random random = new Random(seed + round);
    for (int i = random.nextInt(3); i >= 0; i--) {
      add(g, random, 10 * round + i);
      if (random.nextInt(4) == 0) {
        GraphTraversalSource heard =
            g.withStrategies(EventStrategy.build().addListener(events.listener()).create());
        drop(heard, random).iterate();
      } else {
        drop(g, random).iterate();
      }
    }
    List<String> left = left(g);
    left.addAll(events.sorted());
    return left;
  }

  /** Fails with what one has and the other has not. */
  private static void assertSame(List<String> wanted, List<String> found, String at) {
    List<String> missing = new ArrayList<>(wanted);
    found.forEach(missing::remove);
    List<String> more = new ArrayList<>(found);
    wanted.forEach(more::remove);
    assertEquals(missing.toString(), more.toString(), at);
  }

  @ParameterizedTest
  @CsvSource({"strict, true", "snapshot, true", "strict, false"})
  @SuppressWarnings("unchecked") // an array of classes
  void theSameVerticesAndEdgesAreLeft(String isolation, boolean together) {
    try (TinkerGraph wanted = expected();
        Bg3Graph graph = open(isolation)) {
      GraphTraversalSource oracle = wanted.traversal();
      GraphTraversalSource g =
          together
              ? graph.traversal()
              : graph.traversal().withoutStrategies(Bg3DropStepStrategy.class);
      assertEquals(together, g.V(1, 2).drop().explain().toString().contains("Bg3DropVertices"));
      int most = 0;
      for (int i = 0; i < ROUNDS; i++) {
        int round = i;
        List<String> left = round(oracle, i);
        assertSame(left, round(g, i), "seed=" + seed + ", round=" + round);
        graph.tx().commit();
        assertSame(left(oracle), left(g), "seed=" + seed + ", committed, round=" + round);
        graph.tx().rollback();
        most = Math.max(most, left.size());
      }
      assertTrue(most > IDS, "seed=" + seed);
    }
  }
}
