package io.bg3.bench.parts;

import io.bg3.bench.data.SeededHash;
import io.bg3.bench.generate.SocialGraph;
import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3GraphCountStrategy;
import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3VertexStepStrategy;
import io.bg3.gremlin.structure.Bg3Graph;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.T;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Hops and counts in Gremlin, embedded: the social graph of {@code generate} in memory, with
 * {@value #VERTICES} vertices and {@value #EDGES} edges, and a transaction for each traversal.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class TraversalBenchmark {
  private static final int VERTICES = 100_000;
  private static final int EDGES = 2_000_000;
  private static final int SEED = 1;
  private static final int STARTS = 1_024;

  /** Vertices that one traversal begins with, where it begins with many. */
  private static final int MANY = 64;

  /** The vertex that has an edge with a counted label to each vertex. */
  private static final long COUNTED = 1;

  private static final int BATCH = 10_000;

  private final Object[] starts = new Object[STARTS];
  private final Object[] many = new Object[MANY];
  private Bg3Graph graph;
  private GraphTraversalSource g;
  private Object hub;
  private int start;

  /**
   * Whether the strategies are on by which the neighbours of several vertices are looked up in one
   * call, and by which counts make no elements or come from counters.
   */
  @Param({"true", "false"})
  private boolean folded;

  @Setup
  @SuppressWarnings("unchecked") // an array of classes
  public void load() {
    BaseConfiguration settings = new BaseConfiguration();
    settings.setProperty("bg3.memory.budget", "1g");
    graph = Bg3Graph.open(settings);
    new SocialGraph(VERTICES, EDGES, SEED).write(graph.graphStore(), done -> {});
    g =
        folded
            ? graph.traversal()
            : graph
                .traversal()
                .withoutStrategies(Bg3VertexStepStrategy.class, Bg3GraphCountStrategy.class);
    loadCounted();
    for (int i = 0; i < STARTS; i++) {
      starts[i] = 1 + SeededHash.below(SeededHash.of(SEED, i), VERTICES);
    }
    long most = 0;
    for (long id = 1; id <= VERTICES; id++) {
      long degree = g.V(id).out("follows").count().next();
      if (degree > most) {
        most = degree;
        hub = id;
      }
    }
    graph.tx().rollback();
  }

  /** Gives one vertex edges with a label that is counted. */
  private void loadCounted() {
    graph.graphStore().declareEdgeLabel("counted", EdgeLabelForm.plain().asCounted());
    for (long target = 1; target <= VERTICES; target++) {
      long other = target;
      g.V(COUNTED).addE("counted").to(__.V(other)).iterate();
      if (target % BATCH == 0) {
        graph.tx().commit();
      }
    }
    graph.tx().commit();
  }

  private Object next() {
    start = (start + 1) % STARTS;
    return starts[start];
  }

  private Long count(GraphTraversal<?, ? extends Element> traversal) {
    return answer(traversal.count());
  }

  private <A> A answer(GraphTraversal<?, A> traversal) {
    A answer = traversal.next();
    graph.tx().rollback();
    return answer;
  }

  @Benchmark
  public Long oneHopOfMany() {
    for (int i = 0; i < MANY; i++) {
      many[i] = next();
    }
    return count(g.V(many).out("follows"));
  }

  @Benchmark
  public Long twoHops() {
    return count(g.V(next()).out("follows").out("follows"));
  }

  @Benchmark
  public Long threeHops() {
    return count(g.V(next()).out("follows").out("follows").out("follows"));
  }

  @Benchmark
  public Long twoHopsOfHub() {
    return count(g.V(hub).out("follows").out("follows"));
  }

  @Benchmark
  public Long edgesOfHub() {
    return count(g.V(hub).outE("follows"));
  }

  @Benchmark
  public Long allEdgesOfHub() {
    return count(g.V(hub).bothE());
  }

  /** The edges of a vertex are counted by a counter. */
  @Benchmark
  public Long countedEdgesOfHub() {
    return count(g.V(COUNTED).outE("counted"));
  }

  @Benchmark
  public Long verticesOfTwoLabels() {
    return count(g.V().hasLabel("person", "page"));
  }

  @Benchmark
  public Map<Object, Long> verticesByLabel() {
    return answer(g.V().groupCount().by(T.label));
  }

  /** Reads a part of what there is: groups must not read ahead of the limit. */
  @Benchmark
  public Long twoHopsWithLimit() {
    return count(g.V(next()).out("follows").out("follows").limit(10));
  }

  @TearDown
  public void close() {
    graph.close();
  }
}
