package io.bg3.server.query;

import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.has;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.out;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.outE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.gremlin.structure.Bg3Graph;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The plans of the log of slow queries show the steps that run, with labels and keys, which may be
 * null, and no value.
 */
class PlanTextTest {
  private final Bg3Graph graph = Bg3Graph.open();
  private final GraphTraversalSource g = graph.traversal();

  @AfterEach
  void close() {
    graph.tx().rollback();
    graph.close();
  }

  private static String plan(Traversal<?, ?> traversal) {
    traversal.asAdmin().applyStrategies();
    return PlanText.of(traversal.asAdmin(), 1_000);
  }

  @Test
  void stepsAreShownWithoutValues() {
    assertEquals(
        "[Bg3GraphStep(vertex, ids=2), Bg3VertexStep(OUT, [knows]), PropertiesStep([name, age])]",
        plan(g.V(1, 2).out("knows").values("name", "age")));
    assertEquals(
        "[Bg3GraphStep(vertex, age.gt|lt), Bg3EdgeStep(OUT, [likes]), HasStep(at.eq)]",
        plan(g.V().has("age", P.gt(30).and(P.lt(40))).outE("likes").has("at", "secret")));
    assertEquals(
        "[Bg3GraphStep(vertex), OrStep([HasStep(name.eq)], [Bg3VertexStep(OUT, [knows])])]",
        plan(g.V().or(has("name", "secret"), out("knows"))));
  }

  @Test
  void labelsAndKeysMayBeNull() {
    assertEquals(
        "[Bg3GraphStep(vertex), LocalStep([Bg3VertexStep(OUT, [null, knows]), CountGlobalStep])]",
        plan(g.V().local(out(null, "knows").count())));
    assertEquals(
        "[Bg3GraphStep(vertex), LocalStep([Bg3EdgeStep(OUT, [null]), PropertiesStep([null])])]",
        plan(g.V().local(outE((String) null).values((String) null))));
  }
}
