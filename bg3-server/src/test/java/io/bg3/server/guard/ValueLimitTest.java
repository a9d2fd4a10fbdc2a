package io.bg3.server.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.server.guard.Growing.Query;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Lets values grow, a little and without end. */
class ValueLimitTest {
  private static final int LIMIT = 1 << 20;

  private static Bg3Graph graph;
  private static GraphTraversalSource g;

  @BeforeAll
  static void open() {
    graph = Bg3Graph.open();
    g = graph.traversal().withStrategies(new ValueLimit(ValidatedMessages.LIMITS));
  }

  @AfterAll
  static void close() {
    graph.close();
  }

  @ParameterizedTest
  @FieldSource("io.bg3.server.guard.Growing#QUERIES")
  void whatGrowsALittleIsAnsweredAsEver(Query query) throws Exception {
    String text = query.text().formatted(query.harmless());
    assertEquals(query.answer(), answer(text, g));
    assertEquals(query.answer(), answer(text, graph.traversal()));
  }

  @ParameterizedTest
  @FieldSource("io.bg3.server.guard.Growing#QUERIES")
  void whatGrowsWithoutEndIsRefused(Query query) {
    Exception error = assertThrows(Exception.class, () -> answer(query.hostile(), g));
    assertTrue(
        Pattern.compile("^" + Growing.REFUSED).matcher(error.getMessage()).find(),
        () -> String.valueOf(error));
  }

  @Test
  @SuppressWarnings("unchecked") // an array of generic classes
  void textsGrowUpToTheLimitAndNoFurther() {
    String half = "x".repeat(LIMIT / 2);
    assertEquals(LIMIT, g.inject(half).concat(half).next().length());
    assertEquals(LIMIT, g.inject(half).concat(__.identity()).next().length());
    assertThrows(IllegalStateException.class, () -> g.inject(half).concat(half, "y").next());
    assertThrows(
        IllegalStateException.class,
        () -> g.inject(half).concat(__.identity(), __.constant("y")).next());
    assertEquals(half, g.inject(half).replace("y", half).next());
    String large = "x".repeat(3 * LIMIT);
    assertEquals(large, g.inject(large).asString().next(), "what does not grow is let be");
  }

  /** A subgraph is one result, and is sent with all elements and properties that are in it. */
  @Test
  void aSubgraphWeighsWhatIsInIt() {
    long crew = ValueSize.of(TinkerFactory.createTheCrew(), LIMIT);
    assertTrue(crew > ValueSize.of(TinkerFactory.createModern(), LIMIT), "crew=" + crew);
    assertTrue(crew > 2_000, "crew=" + crew);
    assertEquals(crew / 2 + 1, ValueSize.of(TinkerFactory.createTheCrew(), crew / 2));
    try {
      g.addV().as("v").addE("to").to("v").property("text", "x".repeat(9 * LIMIT)).iterate();
      assertEquals(1, subgraph(g).traversal().E().count().next());
      g.addV().as("v").addE("to").to("v").property("text", "x".repeat(9 * LIMIT)).iterate();
      assertThrows(IllegalStateException.class, () -> subgraph(g));
      assertEquals(2, subgraph(graph.traversal()).traversal().E().count().next());
    } finally {
      graph.tx().rollback();
    }
  }

  private static Graph subgraph(GraphTraversalSource g) {
    return g.E().subgraph("s").<Graph>cap("s").next();
  }

  /** Each path holds those before it twice, so that the last holds 2^60 values. */
  @Test
  void whatHoldsAnotherValueManyTimesIsRefusedBeforeItIsHashed() {
    GraphTraversal<Integer, ?> paths = g.inject(1);
    for (int i = 0; i < 60; i++) {
      paths = paths.path();
    }
    GraphTraversal<Integer, ?> query = paths.dedup();
    String told =
        assertTimeoutPreemptively(
            Duration.ofMinutes(5),
            () -> assertThrows(IllegalStateException.class, query::next).getMessage());
    assertTrue(told.startsWith("value is too large, or nested too deeply: step=PathStep"), told);
    assertEquals(1, g.inject(1).path().path().path().dedup().count().next());
    String deepest = "g.inject(1).repeat(__.map(__.fold())).times(5000)";
    String deep =
        assertThrows(IllegalStateException.class, () -> Growing.traversal(deepest, g).next())
            .getMessage();
    assertTrue(deep.startsWith("value is too large, or nested too deeply: step=FoldStep"), deep);
  }

  /** A sample by weights that are zero never has enough. */
  @Test
  void aSampleThatNeverEndsIsInterruptible() throws InterruptedException {
    for (Number weight : List.<Number>of(0, Double.NaN)) {
      Traversal<?, ?> query = g.inject(1, 2, 3).sample(2).by(__.constant(weight));
      Thread thread = new Thread(() -> assertThrows(RuntimeException.class, query::next));
      thread.setDaemon(true);
      thread.start();
      thread.join(100);
      assertTrue(thread.isAlive(), "weight=" + weight);
      thread.interrupt();
      thread.join(60_000);
      assertFalse(thread.isAlive(), "weight=" + weight);
    }
    assertEquals(2, g.inject(1, 2, 3).sample(2).by(__.constant(5)).toList().size());
    assertEquals(2, g.inject(1, 2, 3).sample(2).toList().size());
  }

  @Test
  void longNumbersAreNotCalculatedWith() {
    assertThrows(IllegalStateException.class, () -> g.inject("9".repeat(10_001)).asNumber().next());
    assertThrows(
        IllegalStateException.class,
        () -> g.<Number>inject(new BigDecimal("1e999999999"), 1).sum().next());
  }

  @Test
  void aProfileNamesTheStepsOfTheQuery() {
    String profile = g.inject("a").concat("b").profile().next().toString();
    assertTrue(profile.contains("ConcatStep"), profile);
    assertFalse(profile.contains("ValueCheck"), profile);
    assertTrue(g.inject("a").concat("b").explain().toString().contains("ValueLimit"));
  }

  private static String answer(String text, GraphTraversalSource g) throws Exception {
    List<?> results = Growing.traversal(text, g).toList();
    return results.stream().map(String::valueOf).distinct().collect(Collectors.joining(";"));
  }
}
