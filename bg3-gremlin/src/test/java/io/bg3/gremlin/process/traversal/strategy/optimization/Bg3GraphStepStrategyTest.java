package io.bg3.gremlin.process.traversal.strategy.optimization;

import static io.bg3.gremlin.process.traversal.strategy.optimization.CompiledSteps.compiled;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.V;
import static org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality.list;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.process.traversal.step.util.ReadMetrics;
import io.bg3.gremlin.structure.Bg3Graph;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.util.Metrics;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalMetrics;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.T;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The traversals that the strategies make, which answer as before. */
class Bg3GraphStepStrategyTest {
  private Bg3Graph graph;
  private GraphTraversalSource g;

  @BeforeEach
  void open() {
    graph = Bg3Graph.open();
    g = graph.traversal();
    g.addV("person")
        .property(T.id, 1)
        .property("name", "marko")
        .property("age", 29)
        .as("a")
        .addV("person")
        .property(T.id, 2)
        .property("name", "vadas")
        .property("age", 27)
        .as("b")
        .addV("software")
        .property(T.id, 3)
        .property("name", "lop")
        .as("c")
        .addE("knows")
        .from("a")
        .to("b")
        .addE("created")
        .from("a")
        .to("c")
        .iterate();
  }

  @AfterEach
  void close() {
    graph.close();
  }

  private static String explained(Traversal<?, ?> traversal) {
    return traversal.explain().toString();
  }

  @Test
  void explainShowsTheStep() {
    assertTrue(
        explained(g.V().has("name", "marko")).contains("Bg3GraphStep(vertex,[name.eq(marko)])"));
    assertTrue(explained(g.V().count()).contains("Bg3CountGlobalStep(vertex)"));
  }

  @Test
  void profileMeasuresTheStep() {
    TraversalMetrics scan = g.V().has("name", "marko").out().profile().next();
    List<String> names = scan.getMetrics().stream().map(Metrics::getName).toList();
    assertEquals("Bg3GraphStep(vertex,[name.eq(marko)])", names.get(0));
    assertEquals(1L, scan.getMetrics(0).getCount("elementCount"));
    TraversalMetrics count = g.V().hasLabel("person").count().profile().next();
    assertEquals("Bg3CountGlobalStep(vertex,person)", count.getMetrics(0).getName());
  }

  @Test
  void conditionsAreFoldedIntoTheStart() {
    assertEquals("[Bg3GraphStep(vertex,[1])]", compiled(g.V(1)));
    assertEquals("[Bg3GraphStep(vertex,[1])]", compiled(g.V().hasId(1)));
    assertEquals(
        "[Bg3GraphStep(vertex,[~label.eq(person), name.eq(marko)])]",
        compiled(g.V().hasLabel("person").has("name", "marko")));
    assertEquals(
        "[Bg3GraphStep(vertex,[1, 2],[age.and(gt(27), lt(50))])]",
        compiled(g.V(1, 2).has("age", P.gt(27).and(P.lt(50)))));
    assertEquals("[Bg3GraphStep(edge,[~label.eq(knows)])]", compiled(g.E().hasLabel("knows")));
  }

  @Test
  void foldedConditionsAnswerTheSame() {
    assertEquals(
        List.of("marko"), g.V().hasLabel("person").has("age", P.gt(27)).values("name").toList());
    assertEquals(List.of("marko"), g.V(1, 3).has("age").values("name").toList());
    assertEquals(List.of(), g.V().hasId(1).hasId(2).toList());
    assertEquals(List.of(), g.V().hasId(P.within(List.of())).toList());
    assertEquals(2L, g.V().hasLabel("person", "animal").count().next());
    assertEquals(List.of("lop"), g.V().hasLabel(P.neq("person")).values("name").toList());
    assertEquals(List.of("lop"), g.V(1).as("x").V(3).has("name", "lop").values("name").toList());
    assertEquals(List.of("knows"), g.E().hasLabel("knows").label().toList());
    assertEquals(3L, g.V(1).map(V().count()).next());
  }

  /** One value has to meet the whole predicate; two values that meet half of it each do not. */
  @Test
  void aPredicateOfTwoHalvesIsMetByOneValue() {
    g.V(1).property(list, "ages", 20).property(list, "ages", 50).iterate();
    g.V(2).property(list, "ages", 35).property(list, "ages", 50).iterate();
    assertEquals(List.of(2L), g.V().has("ages", P.between(30, 40)).id().toList());
    assertEquals(1L, g.V().has("ages", P.between(30, 40)).count().next());
    assertEquals(List.of(2L), g.V(1, 2).has("ages", P.gt(30).and(P.lt(40))).id().toList());
    assertEquals(
        List.of(1L, 2L), g.V().has("ages", P.gt(30)).has("ages", P.lt(60)).id().order().toList());
  }

  /**
   * A look-up knows more forms of an id than a comparison does, and takes every id that it is
   * given.
   */
  @Test
  @SuppressWarnings("unchecked") // an array of classes
  void aConditionOnIdsAnswersAsAComparisonDoes() {
    GraphTraversalSource plain = g.withoutStrategies(Bg3GraphStepStrategy.class);
    List<P<?>> conditions =
        List.of(
            P.within(List.<Object>of(1, 1, 1L)),
            P.within(List.<Object>of("1", 2)),
            P.within(List.of("1", "2")),
            P.within(List.of()),
            P.within(List.<Object>of(1, new BigDecimal("2.0"), 3.0f)),
            P.eq(List.of(1, 2)),
            P.eq(1.0),
            P.eq((double) (1L << 53)),
            P.eq("01"),
            P.eq(null),
            P.eq(Date.from(Instant.EPOCH)),
            P.gt(1).and(P.lt(3)));
    g.addV("large").property(T.id, (1L << 53) + 1).iterate();
    for (P<?> condition : conditions) {
      assertEquals(
          plain.V().hasId(condition).id().order().toList(),
          g.V().hasId(condition).id().order().toList(),
          condition::toString);
      assertEquals(
          plain.V().hasId(condition).hasId(1, 2).id().order().toList(),
          g.V().hasId(condition).hasId(1, 2).id().order().toList(),
          condition::toString);
    }
    assertEquals("[Bg3GraphStep(vertex,[1, 2])]", compiled(g.V().hasId(1, 2)));
  }

  /**
   * A profile shows the cost of a condition: how many elements are read beside how many are
   * emitted.
   */
  @Test
  void profileTellsHowManyElementsAreRead() {
    assertRead(3, 1, g.V().has("name", "marko"));
    assertRead(3, 1, g.V().has("person", "name", "marko"));
    assertRead(3, 1, g.V().hasLabel("software"));
    assertRead(0, 0, g.V().hasLabel("a label that no vertex has"));
    assertRead(1, 1, g.V(1));
    assertRead(2, 1, g.V(1, 2).has("name", "marko"));
    assertRead(1, 0, g.V().hasId(1).has("name", "lop"));
    assertRead(2, 1, g.E().hasLabel("knows"));
    assertRead(0, 1, g.V().hasLabel("person").count());
    TraversalMetrics middle = g.V(1, 2).as("a").V().has("name", "lop").profile().next();
    assertEquals(6L, middle.getMetrics(1).getAnnotation(ReadMetrics.ANNOTATION));
    TraversalMetrics child = g.V(1).map(V().has("name", "lop")).profile().next();
    assertTrue(child.toString().contains("elementsRead=3"), child.toString());
    Map<Object, Object> edge = Map.of(Direction.OUT, 1, Direction.IN, 2, T.label, "knows", "n", 1);
    assertRead(1, 1, g.mergeE(edge));
    assertRead(2, 1, g.mergeE(edge));
  }

  private static void assertRead(long read, long emitted, GraphTraversal<?, ?> traversal) {
    String asked = traversal.toString();
    TraversalMetrics profile = traversal.profile().next();
    assertEquals(
        read, profile.getMetrics(0).getAnnotation(ReadMetrics.ANNOTATION), () -> asked + profile);
    Long elements = profile.getMetrics(0).getCount(TraversalMetrics.ELEMENT_COUNT_ID);
    assertEquals(emitted, elements == null ? 0L : elements, () -> asked + profile);
    assertTrue(profile.toString().contains("elementsRead=" + read), profile.toString());
  }

  @Test
  void countsComeFromTotals() {
    assertEquals("[Bg3CountGlobalStep(vertex)]", compiled(g.V().count()));
    assertEquals("[Bg3CountGlobalStep(edge)]", compiled(g.E().count()));
    assertEquals("[Bg3CountGlobalStep(vertex,person)]", compiled(g.V().hasLabel("person").count()));
    assertEquals(3L, g.V().count().next());
    assertEquals(2L, g.E().count().next());
    assertEquals(2L, g.V().hasLabel("person").count().next());
    assertEquals(1L, g.E().hasLabel("knows").count().next());
    assertEquals(0L, g.V().hasLabel("nothing").count().next());
    assertEquals(List.of(3L), g.V().count().as("n").select("n").toList());
    g.V(1).drop().iterate();
    assertEquals(2L, g.V().count().next());
    assertEquals(0L, g.E().count().next());
    graph.tx().rollback();
    assertEquals(0L, g.V().count().next());
  }

  @Test
  void aLimitEndsTheScan() {
    for (int i = 0; i < 100; i++) {
      g.addV("many").iterate();
    }
    assertEquals(1, g.V().hasLabel("many").limit(1).toList().size());
  }
}
