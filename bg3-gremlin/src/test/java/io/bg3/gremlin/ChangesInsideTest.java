package io.bg3.gremlin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.IndexedKeys;
import io.bg3.core.graph.Indexes;
import io.bg3.core.graph.SortOrder;
import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.testing.Seeds;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.tinkerpop.gremlin.process.traversal.Merge;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Traversals that change the graph while one of their steps gives elements answer and leave what
 * they answer and leave on TinkerGraph, which copies the elements of a step before it gives the
 * first one: some that were written down, and others that are drawn from a seed. Each runs on a
 * small graph with edges from vertices to themselves and parallel edges, which has been committed,
 * or which its own transaction has written, with property indexes, or with labels that are ordered
 * and counted. {@code -Dbg3.changes.inside=20000} is its long form.
 */
class ChangesInsideTest {
  private static final int DRAWN = Integer.getInteger("bg3.changes.inside", 600);

  /** An edge with an ordered label cannot lack the property. */
  private static final List<String> REFUSED = List.of(IllegalArgumentException.class.getName());

  /** How BG3 has come to have the graph. */
  private enum Setting {
    COMMITTED,
    UNCOMMITTED,
    INDEXED,
    /** One label is ordered by the property of its edges, and the other one is counted. */
    ORDERED
  }

  private final Map<Setting, Bg3Graph> graphs = new EnumMap<>(Setting.class);

  @BeforeEach
  void open() throws InterruptedException {
    for (Setting setting : Setting.values()) {
      Bg3Graph graph = Bg3Graph.open();
      graphs.put(setting, graph);
      if (setting == Setting.ORDERED) {
        EdgeLabelForm plain = EdgeLabelForm.plain();
        graph.graphStore().declareEdgeLabel("a", plain.orderedBy("w", SortOrder.DESCENDING));
        graph.graphStore().declareEdgeLabel("b", plain.asCounted());
      }
      if (setting != Setting.UNCOMMITTED) {
        write(graph.traversal());
        graph.tx().commit();
      }
    }
    GraphStore indexed = graphs.get(Setting.INDEXED).graphStore();
    indexed.createIndex(null, "n");
    indexed.createIndex(IndexedKeys.ofEdges(null, "w"), false);
    Indexes.await(indexed);
  }

  @AfterEach
  void close() {
    graphs.values().forEach(Bg3Graph::close);
  }

  @Test
  void aRemovedEdgeToItselfHidesNoNeighbour() {
    compare(g -> g.V(1).out("a").outE("a").drop());
    compare(g -> g.V(1).out("a").as("v").outE("a").drop());
    compare(g -> g.V(1).out("a").sideEffect(__.outE("a").drop()).id());
    compare(g -> g.V(1).both().sideEffect(__.bothE().drop()).id());
  }

  @SuppressWarnings("unchecked") // union and coalesce take an array of a generic class
  static Stream<Function<GraphTraversalSource, Traversal<?, ?>>> written() {
    return Stream.of(
        g -> g.V(1).out("a").outE("a").drop(),
        g -> g.V(1).out("a", "b").outE("a").drop(),
        g -> g.V(1).out().outE().drop(),
        g -> g.V(1).in("a").inE("a").drop(),
        g -> g.V(1).in().inE().drop(),
        g -> g.V(1).both("a").bothE("a").drop(),
        g -> g.V(1).both().drop(),
        g -> g.V(1).out().drop(),
        g -> g.V(1).out("a", "a").sideEffect(__.V(1).outE("a").drop()).id(),
        g -> g.V(1).outE("a").sideEffect(__.V(1).outE("a").drop()).count(),
        g -> g.V(1).outE("a").sideEffect(__.V(1).outE("a").drop()).inV().id(),
        g -> g.V(1).outE("a").as("e").sideEffect(__.V(1).outE("a").drop()).otherV().id(),
        g -> g.V(1).outE("a").sideEffect(__.V(1).outE("a").drop()).label(),
        g -> g.V(1).bothE("a").sideEffect(__.V(1).bothE("a").drop()).values("w"),
        g -> g.V(1).out("a").sideEffect(__.V(2, 3).drop()).label(),
        g -> g.V(1).out("a").sideEffect(__.V(2, 3).drop()).id(),
        g -> g.V().sideEffect(__.V().drop()).id(),
        g -> g.V().sideEffect(__.V().drop()).label(),
        g -> g.V().hasLabel("x").sideEffect(__.V().drop()).values("n"),
        g -> g.V().both().drop(),
        g -> g.V().has("n", P.gt(0)).sideEffect(__.V().properties("n").drop()).id(),
        g -> g.V().has("n", P.gt(0)).sideEffect(__.V().property("n", 0)).id(),
        g -> g.V().has("n", 1).sideEffect(__.V().property("n", 1)).id(),
        g -> g.V().has("n", 1).property("n", 2).property("n", 1).id(),
        g -> g.V().has("n", P.gt(0)).property("n", 7).id(),
        g -> g.V().has("n", P.gt(0)).limit(9).property("n", 0).count(),
        g -> g.V(1, 2, 1, 3).has("n", P.gt(0)).property("n", 0).id(),
        g -> g.V(1, 2, 3).sideEffect(__.V(2, 3).drop()).id(),
        g -> g.V().addV("new").count(),
        g -> g.V().addE("a").to(__.V(1)).count(),
        g -> g.V().as("v").V(1).addE("b").from("v").count(),
        g -> g.E().sideEffect(__.E().drop()).label(),
        g -> g.E().sideEffect(__.E().drop()).inV().count(),
        g -> g.E().has("w", P.gt(0)).sideEffect(__.E().property("w", 0L)).label(),
        g -> g.E().has("w", P.gt(0)).property("w", 0L).label(),
        g -> g.E().addV("new").count(),
        g -> g.E().hasLabel("a").as("e").inV().addE("a").to(__.V(1)).count(),
        g -> g.V(1).outE("a").has("w", P.gte(0)).sideEffect(__.E().property("w", 5L)).count(),
        g -> g.V(1).outE("a").has("w", P.gte(0)).sideEffect(__.E().property("w", -1L)).count(),
        g -> g.V(1).outE("a").has("w", P.gt(1)).property("w", 0L).count(),
        g -> g.V(1).outE("a").has("w", P.gt(1)).drop(),
        g -> g.V(1).properties().drop(),
        g -> g.V(1).properties().sideEffect(__.V(1).properties().drop()).value(),
        g -> g.V(1).properties().sideEffect(__.V(1).drop()).key(),
        g -> g.V(1).values().sideEffect(__.V(1).drop()),
        g -> g.V(4).outE().properties().sideEffect(__.E().properties().drop()).value(),
        g -> g.V(1).repeat(__.out("a").sideEffect(__.outE("a").drop())).times(2).id(),
        g -> g.V(1).union(__.out("a"), __.in("a")).sideEffect(__.V(1).bothE("a").drop()).count(),
        g -> g.V(1).local(__.out("a").sideEffect(__.outE("a").drop())).id(),
        g -> g.V(1).coalesce(__.out("a"), __.in("a")).sideEffect(__.bothE("a").drop()).id(),
        g -> g.V(1).out("a").limit(2).sideEffect(__.V(1).outE("a").drop()).count(),
        g -> g.V(1).map(__.out("a").sideEffect(__.V(1).outE("a").drop()).count()),
        g ->
            g.V(1)
                .out("a")
                .as("v")
                .aggregate("all")
                .sideEffect(__.V(1).outE().drop())
                .cap("all")
                .unfold(),
        g -> g.V(1).as("v").out("a").addE("a").from("v").outV().out("a").count(),
        g -> g.mergeV(Map.of("n", 1)).option(Merge.onMatch, Map.of("n", 2)).id());
  }

  @ParameterizedTest
  @MethodSource("written")
  void whatIsWrittenDownLeavesTheSame(Function<GraphTraversalSource, Traversal<?, ?>> change) {
    compare(change);
  }

  @Test
  void whatIsDrawnLeavesTheSame() {
    long seed = Seeds.one();
    for (int i = 0; i < DRAWN; i++) {
      long drawn = seed + i;
      compare(g -> RandomChangeInside.of(drawn, g));
    }
  }

  private void compare(Function<GraphTraversalSource, Traversal<?, ?>> change) {
    TinkerGraph expected = TinkerGraph.open();
    write(expected.traversal());
    String shown = change.apply(expected.traversal()).toString();
    List<String> answers = outcome(change.apply(expected.traversal()));
    List<String> left = all(expected);
    graphs.forEach(
        (setting, graph) -> {
          if (setting == Setting.UNCOMMITTED) {
            write(graph.traversal());
          }
          String where = setting + ", " + shown;
          List<String> found = outcome(change.apply(graph.traversal()));
          if (setting != Setting.ORDERED || !found.equals(REFUSED)) {
            assertEquals(answers, found, where);
            assertEquals(left, all(graph), where);
          }
          graph.tx().rollback();
        });
  }

  /** The answers in an order of their own, or the class of what is thrown instead. */
  private static List<String> outcome(Traversal<?, ?> traversal) {
    List<String> answers = new ArrayList<>();
    try {
      while (traversal.hasNext()) {
        answers.add(String.valueOf(traversal.next()));
      }
    } catch (RuntimeException e) {
      return List.of(e.getClass().getName());
    }
    answers.sort(null);
    return answers;
  }

  private static List<String> all(Graph graph) {
    List<String> all = new ArrayList<>();
    graph.vertices().forEachRemaining(each -> all.add(name(each) + each.label() + values(each)));
    graph
        .edges()
        .forEachRemaining(
            each ->
                all.add(
                    name(each.outVertex()) + each.label() + name(each.inVertex()) + values(each)));
    all.sort(null);
    return all;
  }

  /** Vertices that a traversal has added have ids of their own on each graph. */
  private static String name(Vertex vertex) {
    return vertex.label().equals("new") ? "new" : vertex.id().toString();
  }

  private static String values(Element element) {
    return element.keys() + IteratorUtils.list(element.values()).toString();
  }

  /** Five vertices, the first of which has edges of two labels to each and to itself. */
  private static void write(GraphTraversalSource g) {
    for (int i = 1; i <= 5; i++) {
      g.addV(i % 2 == 0 ? "y" : "x").property(T.id, i).property("n", i % 3).iterate();
    }
    int[][] ends = {
      {1, 1}, {1, 2}, {1, 2}, {1, 3}, {2, 1}, {3, 1}, {2, 2}, {2, 3}, {4, 1}, {5, 5}, {3, 4}, {1, 4}
    };
    for (int i = 0; i < ends.length; i++) {
      String label = i % 5 == 4 ? "b" : "a";
      g.V(ends[i][0]).addE(label).to(__.V(ends[i][1])).property("w", i % 4L).iterate();
    }
    g.V(1).addE("b").to(__.V(1)).property("w", 1L).iterate();
    g.V(1).addE("b").to(__.V(2)).property("w", 2L).iterate();
  }
}
