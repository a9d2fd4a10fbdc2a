package io.bg3.gremlin;

import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.V;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.both;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.bothE;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.coalesce;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.constant;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.has;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.hasLabel;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.in;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.inE;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.label;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.loops;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.or;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.out;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.outE;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.properties;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.repeat;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.values;

import io.bg3.testing.Seeds;
import java.util.List;
import java.util.Random;
import org.apache.tinkerpop.gremlin.process.traversal.Operator;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/**
 * A traversal over the graph of {@link StrategiesTest}, drawn from a seed: the same seed gives the
 * same traversal on every source. Its answers do not depend on the order in which elements are met.
 */
final class RandomTraversal {
  private static final int MOST_STEPS = 5;

  /** The number of answers, by a rough count, after which the steps only filter. */
  private static final long MOST_ANSWERS = 200_000;

  private static final long ELEMENTS = 60;
  private static final long GROWTH = 12;

  static final List<String> VERTEX_LABELS = List.of("person", "software", "thing", "none");
  static final List<String> EDGE_LABELS =
      List.of("knows", "created", "likes", "rates", "marks", "none");

  static final List<String> KEYS = List.of("ages", "n", "age", "weight", "name");

  static final List<String> EDGE_KEYS = List.of("weight", "at", "name");

  private final Random random;
  private final RandomPredicate predicates;
  private GraphTraversal<?, ?> traversal;
  private boolean atVertex;
  private long answers = ELEMENTS;
  private boolean pathMatters = true;

  private RandomTraversal(long seed) {
    this.random = Seeds.random(seed);
    this.predicates = new RandomPredicate(random);
  }

  /** The traversal of a seed. */
  static GraphTraversal<?, ?> of(long seed, GraphTraversalSource g) {
    return new RandomTraversal(seed).build(g);
  }

  private GraphTraversal<?, ?> build(GraphTraversalSource g) {
    if (random.nextInt(6) == 0) {
      return new RandomForm(random, predicates).of(g);
    }
    if (random.nextBoolean()) {
      return counted(g);
    }
    atVertex = random.nextInt(4) > 0;
    traversal = atVertex ? g.V(vertexIds()) : g.E(edgeIds());
    for (int steps = random.nextInt(MOST_STEPS + 1); steps > 0; steps--) {
      if (random.nextInt(3) == 0 || answers > MOST_ANSWERS) {
        filterAny();
      } else if (atVertex) {
        answers *= GROWTH;
        fromVertex();
      } else {
        fromEdge();
      }
    }
    return end();
  }

  /** A question in one of the forms that are answered without a scan, or without elements. */
  @SuppressWarnings("unchecked") // within takes an array of a generic class
  private GraphTraversal<?, ?> counted(GraphTraversalSource g) {
    String[] some = {one(VERTEX_LABELS), one(VERTEX_LABELS)};
    String[] edges = {one(EDGE_LABELS), one(EDGE_LABELS)};
    return switch (random.nextInt(90)) {
      case 0 -> g.V().hasLabel(one(VERTEX_LABELS)).count();
      case 1 -> g.V().hasLabel(some[0], some[1]).count();
      case 2 -> g.V().hasLabel(some[0], some[1]).hasLabel(one(VERTEX_LABELS)).count();
      case 3 -> g.E().hasLabel(edges[0], edges[1]).count();
      case 4 -> g.V().groupCount().by(T.label);
      case 5 -> g.V().hasLabel(some[0], some[1]).groupCount().by(label());
      case 6 -> g.E().label().groupCount();
      case 7 -> g.V(vertexIds()).outE(edges).count();
      case 8 -> g.V(vertexIds()).bothE().count();
      case 9 -> g.V(vertexIds()).map(inE(edges[0]).count());
      case 10 -> g.V(vertexIds()).map(out().count());
      case 11 -> g.V(vertexIds()).project("a", "b").by(outE("likes").count()).by(both().count());
      case 12 -> g.V(vertexIds()).both(edges).barrier().both(edges[0]).bothE("likes").count();
      case 13 -> g.E().hasLabel(edges[0]).count();
      case 14 -> g.V(1, 4, 6).map(outE(edges[0]).count()).sum();
      case 15, 16, 19, 20, 21 -> g.V().has(one(KEYS), predicates.value()).id();
      case 17 -> g.V().has(one(VERTEX_LABELS), one(KEYS), P.within(predicates.values())).id();
      case 18 -> g.V().has(one(KEYS), predicates.value()).has(one(KEYS), predicates.any()).count();
      case 22, 23, 24, 25, 26, 27 -> first(g.V(vertexIds()), edges[0]);
      case 28 ->
          g.V(vertexIds())
              .local(outE("rates").order().by("at", order()).limit(1 + random.nextInt(4)))
              .values("at");
      case 30 -> g.V(vertexIds()).both(edges[0]).out().dedup().count();
      case 31 -> g.V(vertexIds()).map(both(edges).dedup().count());
      case 29 -> g.V(vertexIds()).outE("rates").has("at", predicates.any()).values("at");
      case 32, 33, 34, 35, 36, 83, 84, 85 -> recordsRead(g, edges, some);
      case 37, 38, 39 ->
          g.V().hasLabel("thing").has("n", predicates.some()).has("ages", predicates.any()).id();
      case 40, 41 ->
          g.V().has("ages", predicates.some()).has("n", predicates.any()).values(one(KEYS));
      case 42 ->
          g.V()
              .has("person", "name", P.within("marko", "vadas", "josh"))
              .has("age", P.gt(predicates.value()))
              .id();
      case 43, 44 -> g.E().has(one(EDGE_LABELS), one(EDGE_KEYS), predicates.any()).id();
      case 45, 46 -> g.E().has(one(EDGE_KEYS), predicates.some()).count();
      case 47 ->
          g.E().hasLabel(edges[0], edges[1]).has("weight", predicates.any()).outV().values("name");
      case 48 ->
          g.E().has("rates", "at", P.within(3L, 6, 9.0)).has("weight", predicates.any()).id();
      case 49 ->
          g.V()
              .or(
                  has(one(KEYS), predicates.some()),
                  has(one(VERTEX_LABELS), one(KEYS), predicates.any()).has("name"))
              .id();
      case 50, 51, 79, 80 ->
          g.V().or(has("name", predicates.value()), has("n", predicates.value())).id();
      case 52, 53 ->
          g.V()
              .hasLabel("person", "thing")
              .or(has("age", P.gt(30)), has("ages", predicates.value()), has("name", "josh"))
              .count();
      case 54 ->
          g.V()
              .or(
                  has("n", P.lt(5)).has("ages", predicates.any()),
                  has("person", "name", P.within("marko", "josh")))
              .values(one(KEYS));
      case 55 -> g.V(vertexIds()).out(edges).limit(random.nextInt(6)).count();
      case 56 -> g.V(vertexIds()).map(bothE(edges[0]).range(1, 3).count());
      case 86, 87 -> g.V(vertexIds()).map(both(edges).limit(1 + random.nextInt(4)).count());
      case 88 -> g.V(vertexIds()).both(edges).barrier().bothE().limit(random.nextInt(30)).count();
      case 89 -> g.V(vertexIds()).in(edges[0]).barrier().both().limit(random.nextInt(30)).count();
      case 57 -> g.V(vertexIds()).both(edges).both(edges[0]).skip(random.nextInt(4)).count();
      case 58 -> g.V(vertexIds()).both(edges).barrier().out().in(edges[1]).count();
      case 59 -> g.V(vertexIds()).repeat(both(edges)).times(2 + random.nextInt(2)).count();
      case 60 -> g.V(vertexIds()).out().bothE(edges[0]).count();
      case 61 -> g.V(vertexIds()).map(both(edges[0]).in("likes").dedup().count());
      case 62 -> g.V(vertexIds()).both().both(edges).barrier().dedup().count();
      case 63, 64, 67 ->
          g.V(vertexIds()).outE(indexedLabels()).has(one(EDGE_KEYS), predicates.any()).id();
      case 69, 70 -> g.V(vertexIds()).outE(indexedLabels()).has("weight", predicates.some()).id();
      case 65, 68 -> g.V(vertexIds()).inE(indexedLabels()).has("weight", predicates.some()).id();
      case 66 ->
          g.V(vertexIds())
              .bothE(indexedLabels())
              .has("weight", predicates.value())
              .has("at", predicates.any())
              .count();
      case 71 -> g.V(vertexIds()).repeat(both(edges)).emit().times(1 + random.nextInt(3)).count();
      case 72 -> g.V(vertexIds()).in(edges[0]).emit().repeat(both(edges)).times(2).count();
      case 73 -> g.V(vertexIds()).emit().repeat(in(edges).out()).times(2).dedup().count();
      case 74 -> g.V(vertexIds()).times(random.nextInt(3)).repeat(both(edges)).emit().count();
      case 75, 81 -> g.V(vertexIds()).both(edges).barrier().dedup().id();
      case 76 -> g.V(vertexIds()).repeat(both(edges[0])).times(2).dedup().values(one(KEYS));
      case 77, 78 -> g.V(vertexIds()).outE("rates").has("at", predicates.any()).count();
      default -> g.V(vertexIds()).where(outE(edges[0]).count().is(P.gt(1))).count();
    };
  }

  /** A question in one of the forms in which the records of neighbours are read together. */
  @SuppressWarnings("unchecked") // coalesce takes an array of a generic class
  private GraphTraversal<?, ?> recordsRead(GraphTraversalSource g, String[] edges, String... some) {
    return switch (random.nextInt(18)) {
      case 0 -> g.V(vertexIds()).both(edges[0]).has(one(KEYS), predicates.any()).id();
      case 1 -> g.V(vertexIds()).out(edges).hasLabel(some[0], some[1]).in().valueMap(one(KEYS));
      case 2 ->
          g.V(vertexIds()).in(edges[0]).project("a", "b").by(T.label).by(values(one(KEYS)).fold());
      case 3 -> g.V(vertexIds()).both(edges).order().by("name", order()).values("name");
      case 4 ->
          g.V(vertexIds()).out(edges[0]).groupCount().by(coalesce(values(one(KEYS)), constant(0)));
      case 5 -> g.V(vertexIds()).both(edges).values(one(KEYS), one(KEYS));
      case 6 -> g.V(vertexIds()).out(edges).elementMap("name", one(KEYS));
      case 7 ->
          g.V(vertexIds())
              .project("a", "b")
              .by(T.id)
              .by(both(edges).has(one(KEYS), predicates.any()).values("name").order().fold());
      case 8 -> g.V(vertexIds()).map(in(edges).hasLabel(P.within(some)).count());
      case 9 ->
          g.V(vertexIds())
              .both(edges)
              .has(one(VERTEX_LABELS), one(KEYS), predicates.any())
              .has(one(KEYS), predicates.some())
              .order()
              .by("name", order())
              .by(T.id)
              .limit(1 + random.nextInt(9))
              .valueMap("name", "ages");
      case 10 -> g.V(vertexIds()).both().both(edges).has(one(KEYS), predicates.any()).values("n");
      case 11 -> g.V(vertexIds()).both(edges).dedup().values(one(KEYS));
      case 12, 16 -> g.V(vertexIds()).both(edges).has(one(KEYS), predicates.any()).dedup().id();
      case 13 -> g.V(vertexIds()).both().has(one(KEYS), predicates.any()).dedup().count();
      case 14 -> g.V(vertexIds()).map(both(edges).hasLabel(P.within(some)).dedup().count());
      case 15 -> g.V(vertexIds()).out(edges).has(one(KEYS), predicates.some()).count();
      default -> g.V(vertexIds()).out(edges).hasLabel(some[0]).properties("ages").key();
    };
  }

  /** Labels of which an index has the edges; none for all. */
  private String[] indexedLabels() {
    return switch (random.nextInt(3)) {
      case 0 -> new String[0];
      case 1 -> new String[] {"marks", one(EDGE_LABELS)};
      default -> new String[] {"marks"};
    };
  }

  private Order order() {
    return random.nextBoolean() ? Order.asc : Order.desc;
  }

  /** The first edges by a property; those that are equal to the last of them are not told apart. */
  private GraphTraversal<?, ?> first(GraphTraversal<?, Vertex> vertices, String label) {
    String key = random.nextBoolean() ? "at" : "weight";
    GraphTraversal<?, Edge> edges = vertices.outE(random.nextInt(4) == 0 ? "rates" : label);
    if (random.nextInt(3) == 0) {
      edges = edges.has("at", predicates.any());
    }
    GraphTraversal<?, Edge> sorted = edges.order().by(key, order());
    return switch (random.nextInt(3)) {
      case 0 -> sorted.limit(1 + random.nextInt(5)).values(key);
      case 1 -> sorted.range(2, 2 + random.nextInt(9)).values(key);
      default -> sorted.tail(1 + random.nextInt(5)).values(key);
    };
  }

  private Object[] vertexIds() {
    return switch (random.nextInt(6)) {
      case 0 -> new Object[] {1};
      case 1 -> new Object[] {"2", 4L, 99};
      case 2 -> new Object[] {6, 6};
      default -> new Object[0];
    };
  }

  private Object[] edgeIds() {
    return random.nextInt(3) == 0 ? new Object[] {7, 9, 77} : new Object[0];
  }

  private <X> X one(List<X> list) {
    return list.get(random.nextInt(list.size()));
  }

  private void filterAny() {
    List<String> labels = atVertex ? VERTEX_LABELS : EDGE_LABELS;
    traversal =
        switch (random.nextInt(16)) {
          case 0 -> traversal.hasLabel(one(labels));
          case 1 -> traversal.hasLabel(one(labels), one(labels));
          case 2 -> traversal.hasLabel(P.neq(one(labels)));
          case 3 -> random.nextBoolean() ? traversal.hasId(1, 4L, 9) : traversal.hasId("1", "4");
          case 4 -> traversal.hasId(P.within(List.of(3, 4L, 7, 11)));
          case 5 -> traversal.has(one(List.of("age", "weight", "name")));
          case 6 -> deduplicated();
          case 7 -> traversal.has(T.label, TextP.containing("o"));
          case 8 -> traversal.has(one(KEYS), predicates.any());
          case 9 -> traversal.has(one(KEYS), predicates.value());
          case 10 -> traversal.has(one(labels), one(KEYS), predicates.any());
          case 11 -> traversal.has(T.id, predicates.onIds());
          case 12 -> traversal.hasId(predicates.onIds());
          case 13 -> traversal.has("name", TextP.startingWith("m").negate());
          case 14 -> traversal.hasLabel(one(labels)).has(one(KEYS)).hasId(predicates.onIds());
          default -> traversal.not(has("name", "marko"));
        };
  }

  private GraphTraversal<?, ?> deduplicated() {
    pathMatters = false; // which of several is kept depends on the order
    return traversal.dedup();
  }

  @SuppressWarnings("unchecked") // union takes an array of a generic class
  private void fromVertex() {
    String label = one(EDGE_LABELS);
    switch (random.nextInt(31)) {
      case 0 -> traversal = traversal.out();
      case 1 -> traversal = traversal.in(label);
      case 2 -> traversal = traversal.both(label, one(EDGE_LABELS));
      case 3 -> edges(traversal.outE(label));
      case 4 -> edges(traversal.inE());
      case 5 -> edges(traversal.bothE(label));
      case 6 -> traversal = traversal.has("age", P.between(28, 33));
      case 7 -> traversal = traversal.has(one(VERTEX_LABELS), "name", P.gt("josh"));
      case 8 -> traversal = traversal.where(out(label));
      case 9 -> {
        twice();
        traversal = repeated();
      }
      case 10 -> traversal = traversal.V(1, 3).hasLabel(one(VERTEX_LABELS));
      case 11 -> traversal = traversal.filter(outE().count().is(P.gt(1)));
      case 12 -> traversal = traversal.where(in("created").has("age", 29));
      case 13 -> traversal = all().has(one(KEYS), predicates.any());
      case 14 -> traversal = all().hasId(predicates.onIds());
      case 15 -> traversal = traversal.where(V().has(one(KEYS), predicates.any()));
      case 16 -> traversal = traversal.where(properties("ages").has("since", predicates.any()));
      case 17 -> traversal = twice().both("knows", "created", "likes").out(label);
      case 18 -> traversal = traversal.where(both(label).count().is(P.gt(1)));
      case 19 -> traversal = traversal.union(out(label), in("likes", label).out("created"));
      case 20 -> traversal = traversal.as("from").out(label).in(label).where(P.neq("from"));
      case 21 -> traversal = traversal.aggregate("seen").both(label).where(P.without("seen"));
      case 22 -> traversal = traversal.sack(Operator.assign).by(constant(2)).out(label);
      case 23 -> traversal = traversal.where(out(label).hasId(predicates.onIds()));
      case 24 -> traversal = traversal.filter(in(label, "likes").hasId(1, 4L, "6"));
      case 25 -> traversal = traversal.where(both("rates", label).hasId(1 + random.nextInt(6)));
      case 26 -> traversal = twice().both().in();
      case 27 -> traversal = traversal.where(both(label).has(one(KEYS), predicates.any()));
      case 28 ->
          traversal =
              traversal.filter(
                  out(label, "rates")
                      .hasLabel(one(VERTEX_LABELS))
                      .has(one(KEYS), predicates.any()));
      case 29 ->
          traversal =
              traversal.map(in(label).where(out(label).hasLabel(one(VERTEX_LABELS))).count());
      default -> traversal = traversal.where(V(4).hasLabel(one(VERTEX_LABELS)));
    }
  }

  /** All vertices, for each answer. */
  private GraphTraversal<?, Vertex> all() {
    answers *= ELEMENTS;
    return traversal.V();
  }

  /** For a second hop in one step. */
  private GraphTraversal<?, ?> twice() {
    answers *= GROWTH;
    return traversal;
  }

  @SuppressWarnings({"rawtypes", "unchecked"}) // what is repeated goes from vertex to vertex
  private GraphTraversal<?, ?> repeated() {
    GraphTraversal start = traversal;
    String label = one(EDGE_LABELS);
    int form = random.nextInt(12);
    if (form == 2 || form == 10) {
      pathMatters = false; // which of several dedup() keeps depends on the order
    } else if (form == 3 && !pathMatters) {
      return start.repeat(both("knows", "likes")).times(2);
    }
    return switch (form) {
      case 0 -> start.repeat(out("knows", "created")).times(2);
      case 1 -> start.repeat(both("created")).emit().times(2);
      case 2 -> start.repeat(both("knows").dedup()).until(loops().is(2));
      case 3 -> start.repeat(both("knows", "likes").simplePath()).times(3);
      case 4 -> start.repeat(out()).emit(loops().is(1 + random.nextInt(2))).times(2);
      case 5 -> start.repeat(both(label)).until(or(loops().is(2), has("age", 29)));
      case 6 -> start.until(or(loops().is(2), has(one(KEYS)))).repeat(in());
      case 7 -> start.emit(has("name")).repeat(out("rates", label)).until(loops().is(2));
      case 8 -> start.repeat(repeat(out(label)).until(loops().is(2))).emit().times(2);
      case 9 -> start.repeat(out(label).where(in("created", "rates").has("age"))).emit().times(2);
      case 10 -> start.repeat(both("created", label).dedup()).emit().until(loops().is(3));
      default -> start.repeat(out()).times(2);
    };
  }

  private void fromEdge() {
    switch (random.nextInt(5)) {
      case 0 -> vertices(traversal.outV());
      case 1 -> vertices(traversal.inV());
      case 2 -> vertices(traversal.bothV());
      case 3 -> traversal = traversal.has("weight", P.gte(0.4));
      default -> traversal = traversal.has("weight", P.outside(0.3, 0.9));
    }
  }

  private void edges(GraphTraversal<?, ?> next) {
    traversal = next;
    atVertex = false;
  }

  private void vertices(GraphTraversal<?, ?> next) {
    traversal = next;
    atVertex = true;
  }

  @SuppressWarnings("unchecked") // union takes an array of a generic class
  private GraphTraversal<?, ?> end() {
    return switch (random.nextInt(13)) {
      case 0 -> traversal.count();
      case 1 -> traversal.id();
      case 2 -> traversal.values("name", "weight");
      case 3 -> traversal.groupCount().by(T.label);
      case 4 -> traversal.label();
      case 5 -> pathMatters ? traversal.path().by(T.id) : traversal.id();
      case 6 -> atVertex ? traversal.map(bothE().count()) : traversal.id();
      case 7 -> atVertex ? traversal.union(out().id(), hasLabel("person").id()) : traversal.label();
      case 8 -> traversal.values("ages", "n");
      case 9 -> atVertex ? traversal.both(one(EDGE_LABELS)).count() : traversal.count();
      case 10 -> atVertex ? traversal.map(out("likes", "knows").count()) : traversal.id();
      case 11 -> traversal.limit(3).count();
      default -> traversal.count().is(P.gt(0L));
    };
  }
}
