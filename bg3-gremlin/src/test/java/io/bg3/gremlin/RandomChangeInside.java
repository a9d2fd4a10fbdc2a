package io.bg3.gremlin;

import io.bg3.testing.Seeds;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;

/**
 * A traversal that changes the graph while one of its steps gives elements, drawn from a seed: the
 * same seed gives the same traversal on every source. The change is done before the second element
 * is asked for, it changes nothing when it is done again, but for edges and vertices that it adds,
 * and in front of the step there is one vertex at most. So the result does not depend on the order
 * of the elements, as long as the step gives those that were there when it began.
 */
final class RandomChangeInside {
  private static final List<String> LABELS = List.of("a", "b", "none");

  private final Random random;
  private final GraphTraversalSource g;

  private RandomChangeInside(long seed, GraphTraversalSource g) {
    this.random = Seeds.random(seed);
    this.g = g;
  }

  /** The traversal of a seed. */
  static GraphTraversal<?, ?> of(long seed, GraphTraversalSource g) {
    return new RandomChangeInside(seed, g).draw();
  }

  @SuppressWarnings("unchecked") // what comes does not matter
  private GraphTraversal<?, ?> draw() {
    GraphTraversal<?, ?> given = given();
    int seed = random.nextInt();
    Supplier<GraphTraversal<?, ?>> change = () -> change(new Random(seed));
    return switch (random.nextInt(8)) {
      case 0 -> end(given.map(sideEffect(__.identity(), change)));
      case 1 -> end(given.local(sideEffect(__.identity(), change)));
      case 2 -> end(given.flatMap(sideEffect(__.identity(), change)));
      case 3 -> end(given.union(sideEffect(__.identity(), change), __.identity()));
      case 4 -> end(given.coalesce(sideEffect(__.identity(), change), __.identity()));
      case 5 -> end(given.repeat(sideEffect(__.identity(), change)).times(1 + random.nextInt(2)));
      default -> end(sideEffect(given, change));
    };
  }

  @SuppressWarnings({"rawtypes", "unchecked"}) // what comes does not matter
  private static GraphTraversal sideEffect(
      GraphTraversal<?, ?> of, Supplier<GraphTraversal<?, ?>> change) {
    return of.sideEffect((Traversal) change.get());
  }

  private int vertex(Random from) {
    return 1 + from.nextInt(5);
  }

  private String label() {
    return LABELS.get(random.nextInt(LABELS.size()));
  }

  private String[] labels() {
    return switch (random.nextInt(5)) {
      case 0 -> new String[0];
      case 1 -> new String[] {"a", "b"};
      case 2 -> new String[] {"a", "a"};
      default -> new String[] {label()};
    };
  }

  private P<Integer> condition() {
    return switch (random.nextInt(4)) {
      case 0 -> P.eq(random.nextInt(4));
      case 1 -> P.neq(random.nextInt(4));
      case 2 -> P.lt(random.nextInt(4));
      default -> P.gt(random.nextInt(4));
    };
  }

  /** Elements while some of which are given the graph changes. */
  private GraphTraversal<?, ?> given() {
    return switch (random.nextInt(14)) {
      case 0 -> g.V();
      case 1 -> g.V().has("n", condition());
      case 2 -> g.V().hasLabel("x").has("n", condition());
      case 3 -> g.V().or(__.has("n", condition()), __.has("n", condition()));
      case 4 -> g.V(1, 2, 3, 2, 9).has("n", condition());
      case 5 -> g.V(1, 2, 3, 2, 9);
      case 6 -> g.E();
      case 7 -> g.E().has("w", condition());
      case 8 -> g.V(vertex(random)).properties();
      case 9 -> filtered(start().V());
      default -> hop();
    };
  }

  private GraphTraversal<?, ?> start() {
    return g.V(vertex(random));
  }

  private GraphTraversal<?, ?> hop() {
    String[] labels = labels();
    return switch (random.nextInt(7)) {
      case 0 -> filtered(start().out(labels));
      case 1 -> filtered(start().in(labels));
      case 2 -> filtered(start().both(labels));
      case 3 -> selected(start().outE(labels));
      case 4 -> selected(start().inE(labels));
      case 5 -> selected(start().bothE(labels));
      default -> start().bothE(labels).otherV();
    };
  }

  /** A condition is tested before the change, or not changed by it. */
  private GraphTraversal<?, ?> filtered(GraphTraversal<?, ?> vertices) {
    return switch (random.nextInt(4)) {
      case 0 -> vertices.has("n", condition()).order().by("n");
      case 1 -> vertices.hasLabel("x");
      default -> vertices;
    };
  }

  private GraphTraversal<?, ?> selected(GraphTraversal<?, ?> edges) {
    return switch (random.nextInt(4)) {
      case 0 -> edges.has("w", condition()).order().by("w");
      case 1 -> edges.hasLabel("a");
      default -> edges;
    };
  }

  private GraphTraversal<?, ?> change(Random from) {
    int vertex = vertex(from);
    String label = LABELS.get(from.nextInt(2));
    int value = from.nextInt(4);
    return switch (from.nextInt(17)) {
      case 0 -> __.V(vertex, vertex(from)).drop();
      case 1 -> __.V().drop();
      case 2 -> __.V(vertex).outE(label).drop();
      case 3 -> __.V(vertex).bothE().drop();
      case 4 -> __.V(vertex).inE(label).has("w", P.gt(1)).drop();
      case 5 -> __.E().hasLabel(label).drop();
      case 6 -> __.E().drop();
      case 7 -> __.V(vertex).properties("n").drop();
      case 8 -> __.V().properties().drop();
      case 9 -> __.V(vertex).property("n", value);
      case 10 -> __.V().property("n", value);
      case 11 -> __.E().property("w", (long) value);
      case 12 -> __.V(vertex).outE(label).properties("w").drop();
      case 13 -> __.addV("new").property("n", value);
      case 14 -> __.V(vertex).as("from").V(vertex(from)).addE(label).from("from");
      case 15 -> __.V(vertex).out(label).drop();
      default -> __.V(vertex).bothE(label).property("w", (long) value);
    };
  }

  /** The steps behind read the elements as the change has left them. */
  @SuppressWarnings("unchecked") // an array of a generic class
  private GraphTraversal<?, ?> end(GraphTraversal<?, ?> given) {
    return switch (random.nextInt(6)) {
      case 0 -> given.count();
      case 1 -> given.label();
      case 2 -> given.coalesce(__.values("n", "w"), __.constant("none"));
      case 3 -> given.choose(__.has("n"), __.label(), __.constant("without"));
      case 4 -> given.hasLabel("a", "b").bothV().count(); // of edges
      default -> given.dedup().count();
    };
  }
}
