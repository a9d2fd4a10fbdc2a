package io.bg3.gremlin;

import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.V;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.as;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.both;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.bothE;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.constant;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.has;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.hasLabel;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.hasNot;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.identity;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.in;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.is;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.label;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.local;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.not;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.or;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.out;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.outE;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.values;

import java.util.List;
import java.util.Random;
import org.apache.tinkerpop.gremlin.process.traversal.Operator;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Pick;
import org.apache.tinkerpop.gremlin.process.traversal.Scope;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.WithOptions;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/**
 * A traversal for {@link RandomTraversal} in a form that a row of steps does not come to: filters
 * in filters, branches, patterns, side effects, sacks, orders by several keys, and ranges of either
 * scope. Its answers do not depend on the order in which elements are met.
 */
final class RandomForm {
  private final Random random;
  private final RandomPredicate predicates;

  RandomForm(Random random, RandomPredicate predicates) {
    this.random = random;
    this.predicates = predicates;
  }

  /** The next traversal. */
  GraphTraversal<?, ?> of(GraphTraversalSource g) {
    return switch (random.nextInt(4)) {
      case 0 -> filtered(g);
      case 1 -> branched(g);
      case 2 -> ordered(g);
      default -> gathered(g);
    };
  }

  private <X> X one(List<X> list) {
    return list.get(random.nextInt(list.size()));
  }

  private String key() {
    return one(RandomTraversal.KEYS);
  }

  private String vertexLabel() {
    return one(RandomTraversal.VERTEX_LABELS);
  }

  private String edgeLabel() {
    return one(RandomTraversal.EDGE_LABELS);
  }

  private GraphTraversal<Vertex, Vertex> hop() {
    String[] labels = {edgeLabel(), edgeLabel()};
    return switch (random.nextInt(3)) {
      case 0 -> out(labels);
      case 1 -> in(labels[0]);
      default -> both(labels);
    };
  }

  /** A filter that may hold others. */
  private GraphTraversal<Vertex, Vertex> filter(int depth) {
    if (depth == 0 || random.nextInt(3) == 0) {
      return switch (random.nextInt(6)) {
        case 0 -> has(key(), P.not(predicates.any()));
        case 1 -> has(key(), is(predicates.any()));
        case 2 -> has(vertexLabel(), "name", predicates.onTexts());
        case 3 -> hasNot(key());
        case 4 -> hasLabel(P.not(P.within(vertexLabel())));
        default -> has(key(), predicates.any());
      };
    }
    return switch (random.nextInt(4)) {
      case 0 -> or(filter(depth - 1), filter(depth - 1));
      case 1 -> __.<Vertex>identity().and(filter(depth - 1), filter(depth - 1));
      case 2 -> not(filter(depth - 1));
      default -> __.<Vertex>identity().filter(hop().filter(filter(depth - 1)));
    };
  }

  private GraphTraversal<?, ?> filtered(GraphTraversalSource g) {
    return switch (random.nextInt(6)) {
      case 0 -> g.V().has("name", predicates.onTexts()).id();
      case 1 -> g.V().has(key(), P.not(predicates.any())).id();
      case 2 -> g.V().filter(filter(2)).filter(filter(1)).id();
      case 3 -> g.V().or(filter(1), filter(0)).values(key());
      case 4 -> g.V().where(hop().has(key(), P.not(predicates.any()))).count();
      default ->
          g.V(1, 4).outE(edgeLabel()).has(one(RandomTraversal.EDGE_KEYS), predicates.any()).id();
    };
  }

  @SuppressWarnings("unchecked") // an array of a generic class
  private GraphTraversal<?, ?> branched(GraphTraversalSource g) {
    return switch (random.nextInt(8)) {
      case 0 -> g.V().choose(filter(1), hop(), identity()).label();
      case 1 ->
          g.V().choose(label()).option("person", hop().label()).option(Pick.none, label()).count();
      case 2 ->
          g.V()
              .choose(values("age"))
              .option(P.gt(30), constant("old"))
              .option(Pick.none, constant("young"))
              .option(Pick.unproductive, constant("ageless"));
      case 3 -> g.V().optional(hop().filter(filter(0))).id();
      case 4 -> g.V().local(hop().dedup().count());
      case 5 -> g.union(V().hasLabel(vertexLabel()), V(1, 6).out(edgeLabel())).id();
      case 6 -> g.V().match(as("a").out(edgeLabel()).as("b"), filterOf("b")).select("b").id();
      default -> g.V().match(as("a").in(edgeLabel()).as("b"), filterOf("a")).select("a").label();
    };
  }

  private GraphTraversal<?, ?> filterOf(String step) {
    return as(step).has(key(), predicates.any());
  }

  private Order order() {
    return random.nextBoolean() ? Order.asc : Order.desc;
  }

  /** Equal values of the first key are of one class, so that a range behind it has the same. */
  private GraphTraversal<?, ?> ordered(GraphTraversalSource g) {
    GraphTraversal<?, ?> edges = g.V(1, 2, 6).outE("rates").order().by("at", order());
    GraphTraversal<?, ?> vertices = g.V().hasLabel("person").order().by("age", order());
    return switch (random.nextInt(5)) {
      case 0 -> cut(edges.by("weight", order())).values("at");
      case 1 -> cut(vertices.by("name", order())).values("age");
      case 2 -> edges.fold().limit(Scope.local, 1 + random.nextInt(9)).count(Scope.local);
      case 3 ->
          g.V(1, 2, 6)
              .local(cut(outE("rates").order().by("at", order()).by("weight", order())))
              .values("at");
      default -> cut(g.V().out(edgeLabel()).order().by(out().count()).by(T.label)).count();
    };
  }

  private <S, E> GraphTraversal<S, E> cut(GraphTraversal<S, E> traversal) {
    int first = random.nextInt(4);
    return switch (random.nextInt(4)) {
      case 0 -> traversal.limit(first);
      case 1 -> traversal.range(first, first + random.nextInt(9));
      case 2 -> traversal.tail(first);
      default -> traversal.skip(first);
    };
  }

  private GraphTraversal<?, ?> gathered(GraphTraversalSource g) {
    return switch (random.nextInt(10)) {
      case 0 -> g.V().group().by(T.label).by(values(key()).count());
      case 1 -> g.V().group().by(bothE(edgeLabel()).count()).by(hop().count());
      case 2 -> g.V(1, 4, 6).valueMap(key()).with(WithOptions.tokens);
      case 3 -> g.V(1, 4, 6).out(edgeLabel()).elementMap("name", "age");
      case 4 -> g.V().properties(key()).hasValue(P.not(predicates.any())).value();
      case 5 -> g.V().hasLabel(vertexLabel()).out(edgeLabel()).tree().by(T.label);
      case 6 -> g.withSack(1L).V(1, 2, 6).both(edgeLabel()).sack(Operator.sum).by("age").sack();
      case 7 -> g.V().filter(filter(1)).aggregate("all").cap("all").count(Scope.local);
      case 8 -> g.V().map(local(hop()).values("age").sum());
      default -> g.V().as("a").out(edgeLabel()).as("b").where("a", P.lt("b")).by("age").count();
    };
  }
}
