package io.bg3.gremlin;

import io.bg3.testing.Seeds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.tinkerpop.gremlin.process.traversal.Merge;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;

/**
 * A traversal that changes the graph, drawn from a seed: the same seed gives the same traversal on
 * every source. Its result does not depend on the order in which elements are met.
 */
final class RandomChange {
  private static final List<String> EDGE_LABELS = List.of("knows", "created", "likes");

  private static final List<Cardinality> CARDINALITIES =
      List.of(Cardinality.single, Cardinality.list, Cardinality.set);

  private final Random random;
  private final RandomPredicate predicates;
  private final GraphTraversalSource g;

  private RandomChange(long seed, GraphTraversalSource g) {
    this.random = Seeds.random(seed);
    this.predicates = new RandomPredicate(random);
    this.g = g;
  }

  /** The change of a seed. */
  static GraphTraversal<?, ?> of(long seed, GraphTraversalSource g) {
    return new RandomChange(seed, g).draw();
  }

  /** The id of a vertex that is added and dropped again and again. */
  private int again() {
    return 500 + random.nextInt(4);
  }

  private Cardinality one(List<Cardinality> list) {
    return list.get(random.nextInt(list.size()));
  }

  private int vertex() {
    return 1 + random.nextInt(6);
  }

  private String label() {
    return EDGE_LABELS.get(random.nextInt(EDGE_LABELS.size()));
  }

  private GraphTraversal<?, ?> draw() {
    return switch (random.nextInt(21)) {
      case 0 ->
          g.addV("thing")
              .property(T.id, 1000 + random.nextInt(1_000_000))
              .property("n", predicates.value());
      case 1 -> g.V(vertex()).property("n", predicates.value());
      case 2 -> g.V(vertex()).property(Cardinality.list, "ages", predicates.value());
      case 3 -> g.V(vertex()).property(Cardinality.set, "ages", random.nextInt(60), "since", 2020);
      case 4 -> g.V().has("ages", predicates.any()).property("seen", random.nextInt(9));
      case 5 -> g.V(vertex()).addE(label()).to(__.V(vertex())).property("weight", 0.5);
      case 6 -> g.E().has("weight", predicates.any()).property("seen", random.nextInt(9));
      case 7 -> g.V().has("ages", predicates.any()).properties("ages").hasValue(35).drop();
      case 8 -> g.V(vertex()).outE("likes").has("weight", P.gt(0.4)).drop();
      case 9 -> mergeVertex();
      case 10 -> mergeEdge();
      case 11 -> incident(g.V(vertex())).drop();
      case 12 -> incident(g.V(vertex()).out(label()).dedup()).drop();
      case 13 -> g.V(vertex()).sideEffect(incident(__.identity()).drop());
      case 14, 15 -> g.addV("thing").property(T.id, again()).property("n", predicates.value());
      case 16 -> g.V(again()).drop();
      case 17 -> g.V(vertex()).properties("ages").properties("since").drop();
      case 18 ->
          g.mergeV(Map.of(T.id, vertex()))
              .option(
                  Merge.onMatch,
                  new HashMap<>(Map.of("ages", predicates.value())),
                  one(CARDINALITIES));
      case 19 ->
          g.addV("thing")
              .property(T.id, 3_000_000 + random.nextInt(1_000_000))
              .out(label())
              .limit(random.nextInt(2))
              .count();
      default -> g.V().has("thing", "n", predicates.any()).drop();
    };
  }

  /** The edges of vertices in a direction, with some labels. */
  private GraphTraversal<?, Edge> incident(GraphTraversal<?, Vertex> vertices) {
    String[] labels = Stream.of(label(), label()).distinct().toArray(String[]::new);
    return switch (random.nextInt(5)) {
      case 0 -> vertices.outE(label());
      case 1 -> vertices.inE(label());
      case 2 -> vertices.bothE(labels);
      case 3 -> vertices.outE(labels);
      default -> vertices.outE("none");
    };
  }

  private GraphTraversal<?, ?> mergeVertex() {
    Map<Object, Object> vertex = new HashMap<>();
    if (random.nextInt(4) == 0) {
      return mergeVertexByProperty();
    }
    vertex.put(T.id, random.nextBoolean() ? vertex() : 2000 + random.nextInt(20));
    if (random.nextBoolean()) {
      vertex.put("name", List.of("marko", "josh", "new").get(random.nextInt(3)));
    }
    GraphTraversal<?, ?> merge = g.mergeV(vertex);
    return switch (random.nextInt(3)) {
      case 0 -> merge;
      case 1 -> merge.option(Merge.onMatch, Map.of("n", random.nextInt(9)));
      default -> merge.option(Merge.onCreate, Map.of("n", random.nextInt(9)));
    };
  }

  /** The vertex is looked for by its label and a property, for which there may be an index. */
  private GraphTraversal<?, ?> mergeVertexByProperty() {
    Map<Object, Object> vertex = new HashMap<>();
    vertex.put("n", predicates.value());
    if (random.nextBoolean()) {
      vertex.put(T.label, "thing");
    }
    return g.mergeV(vertex)
        .option(Merge.onCreate, Map.of(T.id, 2_000_000 + random.nextInt(1_000_000)))
        .option(Merge.onMatch, Map.of("seen", random.nextInt(9)));
  }

  private GraphTraversal<?, ?> mergeEdge() {
    Map<Object, Object> edge = new HashMap<>();
    edge.put(Direction.OUT, vertex());
    edge.put(Direction.IN, vertex());
    if (random.nextInt(5) > 0) {
      edge.put(T.label, label());
    }
    if (random.nextInt(3) == 0) {
      edge.put("weight", random.nextInt(3) / 2.0);
    }
    GraphTraversal<?, ?> merge = g.mergeE(edge);
    return switch (random.nextInt(3)) {
      case 0 -> merge;
      case 1 -> merge.option(Merge.onMatch, Map.of("n", random.nextInt(9)));
      default -> merge.option(Merge.onCreate, Map.of("n", random.nextInt(9)));
    };
  }
}
