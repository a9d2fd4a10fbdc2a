package io.bg3.gremlin.process.traversal.strategy.optimization;

import static io.bg3.gremlin.process.traversal.strategy.optimization.CompiledSteps.compiled;
import static org.apache.tinkerpop.gremlin.process.traversal.Order.asc;
import static org.apache.tinkerpop.gremlin.process.traversal.Order.desc;
import static org.apache.tinkerpop.gremlin.process.traversal.Order.shuffle;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.bothE;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.identity;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.inV;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.out;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.outE;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.outV;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.values;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.SortOrder;
import io.bg3.gremlin.structure.Bg3ConflictException;
import io.bg3.gremlin.structure.Bg3Graph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.PartitionStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.SubgraphStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.ProductiveByStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.EdgeLabelVerificationStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.LambdaRestrictionStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReadOnlyStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.StandardVerificationStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.VerificationException;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Which edge steps are replaced, and that answers are those without the strategy, in their order,
 * for labels that are ordered up, down and not at all, and for keys with numbers, with values of
 * many classes, and with none. Each vertex has several edges with one time.
 */
class Bg3EdgeStepStrategyTest {
  private static final int EDGES = 60;
  private static final int TIMES = 23; // fewer than edges: some are equal
  private static final List<String> LABELS = List.of("up", "down", "plain", "none");
  private static final List<String> KEYS = List.of("time", "weight", "mixed", "some", "none");

  private Bg3Graph graph;
  private GraphTraversalSource g;
  private GraphTraversalSource plain;

  @BeforeEach
  @SuppressWarnings("unchecked") // an array of classes
  void open() {
    graph = Bg3Graph.open();
    graph
        .graphStore()
        .declareEdgeLabel("up", EdgeLabelForm.plain().orderedBy("time", SortOrder.ASCENDING));
    graph
        .graphStore()
        .declareEdgeLabel("down", EdgeLabelForm.plain().orderedBy("time", SortOrder.DESCENDING));
    g = graph.traversal();
    plain = g.withoutStrategies(Bg3EdgeStepStrategy.class);
    List<Vertex> vertices = new ArrayList<>();
    for (long id = 0; id < 10; id++) {
      vertices.add(graph.addVertex(T.id, id));
    }
    for (Vertex source : vertices.subList(0, 3)) {
      for (int i = 0; i < EDGES; i++) {
        for (String label : LABELS.subList(0, 3)) {
          add(source, label, vertices.get(i * 7 % 10), i);
        }
      }
    }
    graph.tx().commit();
  }

  private static Edge add(Vertex source, String label, Vertex target, int i) {
    Edge edge = source.addEdge(label, target, "time", time(i), "weight", i * 5 % 11 / 2.0);
    edge.property("mixed", Arrays.<Object>asList(i, (long) i, i / 2.0, "" + i).get(i % 4));
    if (i % 3 == 0) {
      edge.property("some", i % 2 == 0 ? (Object) (i * 11 % 30) : (Object) (short) (i * 7 % 30));
    }
    return edge;
  }

  private static long time(int i) {
    return i * 17L % TIMES - 5;
  }

  @AfterEach
  void close() {
    graph.tx().rollback();
    graph.close();
  }

  private static void assertReplaced(String expected, Traversal<?, ?> traversal) {
    String steps = compiled(traversal);
    assertTrue(steps.contains("Bg3EdgeStep(" + expected + ")"), steps);
  }

  private static void assertKept(Traversal<?, ?> traversal) {
    String steps = compiled(traversal);
    assertFalse(steps.contains(",edge,"), steps); // a selection
  }

  @Test
  @SuppressWarnings("unchecked") // union takes an array of a generic class
  void stepsInFrontOfAnOrderAndALimitAreReplaced() {
    assertTrue(
        g.V(1)
            .outE("up")
            .order()
            .by("time", desc)
            .limit(10)
            .explain()
            .toString()
            .contains("Bg3EdgeStep(OUT,[up],edge,first 10 by time desc)"));
    String first = "OUT,[up],edge,first 3 by time desc";
    assertReplaced(first, g.V().local(outE("up").order().by("time", desc).limit(3)));
    assertReplaced(first, g.V().outE("up").order().by(values("time"), desc).limit(3).inV().id());
    assertReplaced(first, g.V().map(outE("up").order().by("time", desc).range(1, 3).fold()));
    assertReplaced(
        first, g.V().project("a").by(outE("up").order().by("time", desc).limit(3).count()));
    assertReplaced(
        first, g.V().union(outE("up").order().by("time", desc).limit(3).inV(), out("up")));
    assertReplaced(
        first, g.V().repeat(outE("up").order().by("time", desc).limit(3).inV()).times(2));
    assertReplaced(first, g.V().where(outE("up").order().by("time", desc).limit(3).inV()));
    assertReplaced(first, g.V().as("a").outE("up").as("b").order().by("time", desc).limit(3));
    assertReplaced(
        "OUT,[up],edge,weight.neq,first 3 by time desc",
        g.V().outE("up").order().by("time", desc).by("weight").limit(3));
    assertReplaced(first, g.V().outE("up").order().by("time", desc).by(T.id).limit(3));
    assertReplaced(first, g.V().outE("up").order().by("time").tail(3));
    assertReplaced(first, g.V().outE("up").barrier().order().by("time", desc).limit(3));
    assertReplaced(
        "OUT,[up],edge,time.gt(5),first 3 by time asc",
        g.V().outE("up").has("time", P.gt(5)).order().by("time").limit(3));
    assertReplaced("OUT,[up],edge,time.gt(5)", g.V().outE("up").has("time", P.gt(5)).inV());
  }

  @Test
  void countsOfEdgesThatMeetConditionsAreMadeWithoutEdges() {
    String counts = "OUT,[up],edge,time.gt(5),count";
    assertReplaced(counts, g.V().outE("up").has("time", P.gt(5)).count());
    assertReplaced(counts, g.V().map(outE("up").has("time", P.gt(5)).barrier().count()));
    assertReplaced(counts, g.V().outE("up").has("time", P.gt(5)).as("a").count());
    String not = "OUT,[up],edge,time.gt(5)";
    assertReplaced(not, g.V().outE("up").has("time", P.gt(5)).limit(3).count());
    assertReplaced(not, g.V().outE("up").has("time", P.gt(5)).dedup().count());
    assertReplaced(not, g.withBulk(false).V().outE("up").has("time", P.gt(5)).count());
  }

  @Test
  void otherStepsAreKept() {
    assertKept(g.V().outE("up"));
    assertKept(g.V().outE("up").limit(3));
    assertKept(g.V().outE("up").order().by("time", desc));
    assertKept(g.V().outE("up").order().by("time", shuffle).limit(3));
    assertKept(g.V().outE("up").order().limit(3));
    assertKept(g.V().outE("up").order().by(inV().id()).limit(3));
    assertKept(g.V().outE("up").order().by("time").by(identity()).limit(3));
    assertKept(g.V().outE("up").order().by("time").limit(1_000_000));
    assertKept(g.V().outE("up").order().by("time").skip(3));
    assertKept(g.V().outE("up").order().by("time").where(inV()).limit(3));
    assertKept(g.V().outE("up").filter(each -> true).order().by("time").limit(3));
    assertKept(g.V().outE("up").sideEffect(identity()).order().by("time").limit(3));
    assertKept(g.V().outE("up", "down").order().by("time").limit(3));
    assertKept(g.V().outE().order().by("time").limit(3));
    assertKept(g.V().inE("up").order().by("time").limit(3));
    assertKept(g.V().bothE("up").order().by("time").limit(3));
    assertKept(g.V().out("up").order().by("time").limit(3));
    assertKept(
        g.withSack(1, (Integer sack) -> sack + 1).V().outE("up").order().by("time").limit(3));
    assertKept(
        g.withStrategies(ProductiveByStrategy.build().create())
            .V()
            .outE("plain")
            .order()
            .by("none")
            .limit(3));
    assertKept(
        g.withStrategies(SubgraphStrategy.build().edges(outV()).create())
            .V()
            .outE("up")
            .order()
            .by("time")
            .limit(3));
  }

  @Test
  void answersAreThoseWithoutTheStrategyInTheirOrder() {
    assertSameAnswers();
  }

  @Test
  void answersAreTheSameWithChangesThatAreNotCommitted() {
    Vertex source = graph.vertices(1L).next();
    for (String label : LABELS.subList(0, 3)) {
      plain.V(1).outE(label).has("time", 3L).drop().iterate();
      for (int i = 0; i < 20; i++) {
        add(source, label, graph.vertices((long) (i % 10)).next(), i * 3 + 1);
      }
      plain.V(1).outE(label).has("weight", 1.5).property("time", 40L).iterate();
    }
    assertSameAnswers();
  }

  private void assertSameAnswers() {
    for (String label : LABELS) {
      for (String key : KEYS) {
        for (int limit : new int[] {1, 2, 7, 59, 500}) {
          assertSame(g -> g.V(1).outE(label).order().by(key, desc).limit(limit));
          assertSame(g -> g.V(1).outE(label).order().by(key, asc).limit(limit));
          assertSame(g -> g.V(1, 2, 1).outE(label).order().by(key, asc).limit(limit));
          assertSame(g -> g.V(0, 2).outE(label).order().by(key, desc).by("weight").limit(limit));
          assertSame(g -> g.V(2).outE(label).order().by(key, desc).by("some").limit(limit));
          assertSame(g -> g.V(1).outE(label).order().by(key, asc).by(T.id).by("some").tail(limit));
          assertSame(g -> g.V(2).outE(label).order().by(key, desc).by(T.id).range(1, limit));
          assertSame(g -> g.V(1).outE(label).order().by(key, desc).tail(limit));
          assertSame(g -> g.V(1, 2).outE(label).order().by(key, asc).tail(limit));
          assertSame(
              g ->
                  g.V(0, 1, 2)
                      .local(outE(label).order().by(key, desc).limit(limit).inV())
                      .path()
                      .by(T.id));
          assertSame(
              g ->
                  g.V(1)
                      .outE(label)
                      .has("time", P.between(-2, 9))
                      .has("weight", P.gt(1.0))
                      .order()
                      .by(key, desc)
                      .limit(limit)
                      .values("time"));
          assertSame(
              g ->
                  g.V(0, 1)
                      .repeat(outE(label).order().by(key, desc).limit(limit).inV())
                      .times(2)
                      .id());
        }
      }
      for (P<?> range : ranges()) {
        assertSame(g -> g.V(1, 2).outE(label).has("time", range));
        assertSame(g -> g.V(1, 2).outE(label).has("time", range).limit(3).inV().id());
        assertSame(g -> g.V(1, 2, 1).barrier().outE(label).has("time", range).count());
        assertSame(
            g -> g.V(1).outE(label).has("time", range).has("weight", P.gt(1.0)).barrier().count());
        assertSame(g -> g.V(1, 2).map(bothE(label).has("time", range).count()));
        assertSame(g -> g.V(1).outE(label).has("time", range).order().by("time", desc).limit(4));
      }
    }
  }

  private static List<P<?>> ranges() {
    return List.of(
        P.gt(5),
        P.gte(5L),
        P.lt((short) 0),
        P.lte((byte) 3),
        P.eq(4),
        P.neq(4),
        P.between(2, 7L),
        P.inside(2, 7),
        P.outside(2, 7),
        P.gt(5).negate(),
        P.gt(Long.MAX_VALUE),
        P.lt(Long.MIN_VALUE),
        P.lte(Long.MAX_VALUE),
        P.gt(7).and(P.lt(3)),
        P.gt(2.5),
        P.eq("4"),
        P.within(1, 2, 30));
  }

  private void assertSame(Function<GraphTraversalSource, Traversal<?, ?>> asked) {
    Traversal<?, ?> folded = asked.apply(g);
    String text = folded.toString();
    assertEquals(asked.apply(plain).toList(), folded.toList(), text);
  }

  @Test
  void anOrderedLabelIsReadUpToTheLimitAlone() throws Exception {
    g.V(1).outE("down").order().by("time", desc).limit(3).iterate();
    graph.addVertex();
    addElsewhere(-100L); // behind the limit: not read
    graph.tx().commit();
    g.V(1).outE("down").order().by("time", desc).limit(3).iterate();
    graph.addVertex();
    addElsewhere(100L);
    assertThrows(Bg3ConflictException.class, () -> graph.tx().commit());
  }

  private void addElsewhere(long time) throws Exception {
    CompletableFuture.runAsync(
            () -> {
              g.V(1).as("a").V(2).addE("down").from("a").property("time", time).iterate();
              graph.tx().commit();
            })
        .get();
  }

  @Test
  @SuppressWarnings("unchecked") // withoutStrategies takes an array of a generic class
  void verificationStrategiesSeeTheSameTraversal() {
    Function<GraphTraversalSource, Traversal<?, ?>> newest =
        source -> source.V(1).outE("down").order().by("time", desc).limit(3).values("time");
    for (GraphTraversalSource source :
        List.of(
            g.withStrategies(ReadOnlyStrategy.instance()),
            g.withStrategies(LambdaRestrictionStrategy.instance()),
            g.withStrategies(StandardVerificationStrategy.instance()),
            g.withStrategies(EdgeLabelVerificationStrategy.build().throwException().create()),
            g.withStrategies(
                PartitionStrategy.build().partitionKey("none").readPartitions("a").create()))) {
      GraphTraversalSource without = source.withoutStrategies(Bg3EdgeStepStrategy.class);
      assertTrue(compiled(newest.apply(source)).contains("Bg3EdgeStep("));
      assertEquals(newest.apply(without).toList(), newest.apply(source).toList());
    }
    assertThrows(
        VerificationException.class,
        () ->
            g.withStrategies(ReadOnlyStrategy.instance())
                .V(1)
                .outE("down")
                .order()
                .by("time")
                .limit(3)
                .drop()
                .iterate());
  }

  @Test
  void anInterruptEndsTheSearch() {
    for (String label : LABELS.subList(0, 3)) {
      for (Traversal<?, ?> asked :
          List.<Traversal<?, ?>>of(
              g.V(1).outE(label).order().by("time", desc).limit(3),
              g.V(1).outE(label).has("time", P.gt(5)).count())) {
        Thread.currentThread().interrupt();
        assertThrows(TraversalInterruptedException.class, asked::hasNext);
        assertFalse(Thread.interrupted());
      }
    }
  }
}
