package io.bg3.bench.gremlin;

import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.out;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.outE;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Column;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.T;

/** A traversal that is measured. Works that write come last, because the graph grows by them. */
public enum GremlinWork {
  /** An empty traversal: TinkerPop's own cost. */
  FLOOR_EMPTY(Subject.VERTEX, Ending.READ) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return q.g().inject(1L);
    }
  },

  /** A short traversal that is compiled and does not run. */
  FLOOR_STRATEGIES(Subject.VERTEX, Ending.COMPILED) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return q.g().V(q.startId(n)).out(BenchGraph.PLAIN).limit(100);
    }
  },

  /** Likewise with an option of the request, as drivers send: compiled, and does not run. */
  FLOOR_WITH(Subject.VERTEX, Ending.COMPILED) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return q.g().with("evaluationTimeout", 500L).V(q.startId(n)).out(BenchGraph.PLAIN).limit(100);
    }
  },

  /** One vertex by its id. */
  VERTEX(Subject.VERTEX, Ending.READ) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return q.g().V(q.startId(n)).id();
    }
  },

  /** At most 100 neighbours. */
  OUT_LIMIT(Subject.VERTEX, Ending.READ) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return q.g().V(q.startId(n)).out(BenchGraph.PLAIN).limit(100).count();
    }
  },

  /** The names of the neighbours. */
  OUT_VALUES(Subject.VERTEX, Ending.READ) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return q.g().V(q.startId(n)).out(BenchGraph.PLAIN).values("name");
    }
  },

  /** The names of the neighbours, as maps. */
  OUT_VALUE_MAP(Subject.VERTEX, Ending.READ) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return q.g().V(q.startId(n)).out(BenchGraph.PLAIN).valueMap("name");
    }
  },

  /** The neighbours whose property meets a condition. */
  OUT_HAS(Subject.VERTEX, Ending.READ) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return q.g().V(q.startId(n)).out(BenchGraph.PLAIN).has("name", P.gt("name 5")).id();
    }
  },

  /** The neighbours with one label. */
  OUT_LABEL(Subject.VERTEX, Ending.READ) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return q.g().V(q.startId(n)).out(BenchGraph.PLAIN).hasLabel(BenchGraph.PAGE).id();
    }
  },

  /** The first neighbours by a property. */
  OUT_ORDER(Subject.VERTEX, Ending.READ) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return q.g()
          .V(q.startId(n))
          .out(BenchGraph.PLAIN)
          .order()
          .by("name")
          .limit(10)
          .values("name");
    }
  },

  /** The id and the name of each neighbour. */
  OUT_PROJECT(Subject.VERTEX, Ending.READ) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return q.g()
          .V(q.startId(n))
          .out(BenchGraph.PLAIN)
          .project(VertexIds.KEY, "name")
          .by(T.id)
          .by("name");
    }
  },

  /** The different vertices two hops away. */
  TWO_HOPS(Subject.VERTEX, Ending.READ) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return q.g().V(q.startId(n)).out(BenchGraph.PLAIN).out(BenchGraph.PLAIN).dedup().count();
    }
  },

  /** The different vertices two hops away, over edges of every label. */
  TWO_HOPS_ANY(Subject.VERTEX, Ending.READ) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return q.g().V(q.startId(n)).out(EVERY).out(EVERY).dedup().count();
    }
  },

  /** The paths of three hops. */
  THREE_HOPS(Subject.VERTEX, Ending.READ) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return q.g()
          .V(q.startId(n))
          .out(BenchGraph.PLAIN)
          .out(BenchGraph.PLAIN)
          .out(BenchGraph.PLAIN)
          .count();
    }
  },

  /** The ids two hops away, by a loop. */
  REPEAT(Subject.VERTEX, Ending.READ) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return q.g().V(q.startId(n)).repeat(out(BenchGraph.PLAIN)).times(2).dedup().id();
    }
  },

  /** The number of paths of one or two hops, by a loop that TinkerPop does not unroll. */
  REPEAT_EMIT(Subject.VERTEX, Ending.READ) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return q.g().V(q.startId(n)).repeat(out(BenchGraph.PLAIN)).emit().times(2).count();
    }
  },

  /** Whether one vertex follows another one. */
  NEIGHBOUR(Subject.VERTEX, Ending.READ) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return q.g().V(q.plainHub()).where(out(BenchGraph.PLAIN).hasId(q.startId(n))).id();
    }
  },

  /** The newest ten edges of the hub, whose label is ordered. */
  NEWEST_ORDERED(Subject.HUB, Ending.READ) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return q.g()
          .V(q.orderedHub())
          .outE(BenchGraph.ORDERED)
          .order()
          .by(BenchGraph.TIME, Order.desc)
          .limit(10)
          .values(BenchGraph.TIME);
    }
  },

  /**
   * The vertices behind the newest ten edges of the hub, which are found in {@code local}.
   * JanusGraph 1.1.0 ignores the order if a step follows the limit inside.
   */
  NEWEST_ORDERED_LOCAL(Subject.HUB, Ending.READ) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return q.g()
          .V(q.orderedHub())
          .local(outE(BenchGraph.ORDERED).order().by(BenchGraph.TIME, Order.desc).limit(10))
          .inV()
          .id();
    }
  },

  /** The newest ten edges of the hub, in {@code project}. */
  NEWEST_ORDERED_PROJECT(Subject.HUB, Ending.READ) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return q.g()
          .V(q.orderedHub())
          .project(VertexIds.KEY, "newest")
          .by(T.id)
          .by(
              outE(BenchGraph.ORDERED)
                  .order()
                  .by(BenchGraph.TIME, Order.desc)
                  .limit(10)
                  .values(BenchGraph.TIME)
                  .fold());
    }
  },

  /** The number of edges of the hub that are newer than a time. */
  SINCE_ORDERED(Subject.HUB, Ending.READ) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return q.g()
          .V(q.orderedHub())
          .outE(BenchGraph.ORDERED)
          .has(BenchGraph.TIME, P.gt(BenchGraph.late()))
          .count();
    }
  },

  /** The newest ten edges of the hub with a plain label. */
  NEWEST_PLAIN(Subject.HUB, Ending.READ) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return q.g()
          .V(q.plainHub())
          .outE(BenchGraph.PLAIN)
          .order()
          .by(BenchGraph.TIME, Order.desc)
          .limit(10)
          .values(BenchGraph.TIME);
    }
  },

  /** The number of edges with a counted label. */
  COUNT_COUNTED(Subject.HUB, Ending.READ) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return q.g().V(q.orderedHub()).outE(BenchGraph.ORDERED).count();
    }
  },

  /** The number of edges with a plain label. */
  COUNT_PLAIN(Subject.HUB, Ending.READ) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return q.g().V(q.plainHub()).outE(BenchGraph.PLAIN).count();
    }
  },

  /** The number of vertices with one of two labels. */
  COUNT_LABELS(Subject.HUB, Ending.READ) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return q.g().V().hasLabel(BenchGraph.PERSON, BenchGraph.PAGE).count();
    }
  },

  /** The number of vertices by label. */
  GROUP_COUNT(Subject.HUB, Ending.READ) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return q.g().V().groupCount().by(T.label).unfold().order().by(Column.keys);
    }
  },

  /** A vertex by an indexed property. */
  HAS_INDEXED(Subject.VERTEX, Ending.READ) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return q.g().V().has(BenchGraph.PERSON, BenchGraph.CODE, BenchGraph.code(q.start(n))).id();
    }
  },

  /** The vertices in a range of an indexed property. */
  HAS_RANGE(Subject.VERTEX, Ending.READ) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      String code = BenchGraph.code(q.start(n));
      return q.g().V().has(BenchGraph.PERSON, BenchGraph.CODE, P.between(code, code + "0")).id();
    }
  },

  /** A vertex that exists, by an indexed property. */
  MERGE_V(Subject.VERTEX, Ending.COMMIT) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      String code = BenchGraph.code(q.person(n));
      return q.g().mergeV(Map.of(T.label, BenchGraph.PERSON, BenchGraph.CODE, code)).id();
    }
  },

  /** An edge that exists, out of the hub. */
  MERGE_E(Subject.VERTEX, Ending.COMMIT) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return q.g().mergeE(edge(q.orderedHub(), BenchGraph.ORDERED, q.target(n))).label();
    }
  },

  /** A new edge into the hub. */
  MERGE_E_NEW(Subject.VERTEX, Ending.COMMIT) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      String label = "m" + n / q.vertices();
      return q.g().mergeE(edge(q.id(1 + n % q.vertices()), label, q.plainHub())).inV().id();
    }
  },

  /** A property of a vertex, a commit each; the graph does not grow. */
  SET_VALUE(Subject.VERTEX, Ending.COMMIT) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return q.g().V(q.startId(n)).property("visited", n).values("visited");
    }
  },

  /** A new vertex, a commit each. */
  ADD_V(Subject.VERTEX, Ending.COMMIT) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return q.g().addV("item").property("name", "item").label();
    }
  },

  /** A new vertex, 1,000 a commit. */
  ADD_V_BATCH(Subject.VERTEX, Ending.COMMIT_THOUSAND) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return q.g().addV("item").property("name", "item").label();
    }
  },

  /** A new edge, a commit each. */
  ADD_E(Subject.VERTEX, Ending.COMMIT) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return add(q, n, "added");
    }
  },

  /** A new edge, 1,000 a commit. */
  ADD_E_BATCH(Subject.VERTEX, Ending.COMMIT_THOUSAND) {
    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return add(q, n, "loaded");
    }
  },

  /** All of 1,000 edges of a vertex, added before. */
  DROP_EDGES(Subject.HUB, Ending.COMMIT) {
    @Override
    void prepare(Questions q, long n) {
      for (int i = 0; i < DROPPED; i++) {
        q.g()
            .V(q.id(1))
            .addE("dropped")
            .to(__.V(q.id(1L + i % q.vertices())))
            .property("n", i)
            .iterate();
      }
    }

    @Override
    GraphTraversal<?, ?> ask(Questions q, long n) {
      return q.g().V(q.id(1)).outE("dropped").drop();
    }
  };

  private static final int DROPPED = 1_000;
  private static final int COMPARED = 20;

  /** Edges of every label; before 3.8, TinkerPop had no such method without an argument. */
  private static final String[] EVERY = {};

  /** The works whose answers hold ids of vertices. */
  private static final Set<GremlinWork> WITH_IDS =
      Set.of(
          VERTEX,
          OUT_HAS,
          OUT_LABEL,
          OUT_PROJECT,
          REPEAT,
          NEIGHBOUR,
          NEWEST_ORDERED_LOCAL,
          NEWEST_ORDERED_PROJECT,
          HAS_INDEXED,
          HAS_RANGE,
          MERGE_V,
          MERGE_E_NEW);

  /** The vertices that the questions of a work ask about. */
  private enum Subject {
    /** Another vertex each time. */
    VERTEX,
    /** One vertex for all questions, or all vertices for each. */
    HUB
  }

  /** How a question ends. */
  enum Ending {
    /** All results are taken, and the transaction is rolled back. */
    READ,
    /** The strategies are applied, and nothing runs. */
    COMPILED,
    /** All results are taken, and the transaction is committed. */
    COMMIT,
    /** Likewise, with one commit for 1,000 questions. */
    COMMIT_THOUSAND
  }

  private final Subject subject;
  private final Ending ending;

  GremlinWork(Subject subject, Ending ending) {
    this.subject = subject;
    this.ending = ending;
  }

  /**
   * The works with these names, all if there are none.
   *
   * @throws IllegalArgumentException if there is no such work
   */
  public static List<GremlinWork> of(List<String> names) {
    List<String> known = Arrays.stream(values()).map(GremlinWork::text).toList();
    for (String name : names) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "no such work: work=" + name + ", known=" + String.join(", ", known));
      }
    }
    return Arrays.stream(values())
        .filter(work -> names.isEmpty() || names.contains(work.text()))
        .toList();
  }

  /**
   * Whether one client can ask a server for it: it runs, commits by itself and needs no
   * preparation.
   */
  public boolean isServed() {
    return this != DROP_EDGES && (ending == Ending.READ || ending == Ending.COMMIT);
  }

  /**
   * Whether several clients can ask at once: they do not all write to one vertex, whose edges
   * TinkerGraph does not guard.
   */
  public boolean isShared() {
    return isServed() && this != MERGE_E_NEW;
  }

  /** The name in tables. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  Ending ending() {
    return ending;
  }

  /** How many questions have their answers compared. */
  int compared() {
    return subject == Subject.HUB ? 1 : COMPARED;
  }

  /** Whether the results are ids of vertices, or maps that have one under {@link VertexIds#KEY}. */
  boolean hasIds() {
    return WITH_IDS.contains(this);
  }

  /** Makes what a question needs; not measured. */
  void prepare(Questions q, long n) {}

  /** The traversal of the {@code n}th question. */
  abstract GraphTraversal<?, ?> ask(Questions q, long n);

  private static Map<Object, Object> edge(Object source, String label, Object target) {
    return Map.of(Direction.OUT, source, T.label, label, Direction.IN, target);
  }

  private static GraphTraversal<?, ?> add(Questions q, long n, String label) {
    return q.g()
        .V(q.startId(n))
        .addE(label)
        .to(__.V(q.startId(n + 1)))
        .property(BenchGraph.TIME, n)
        .label();
  }
}
