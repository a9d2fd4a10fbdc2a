package io.bg3.gremlin.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.core.graph.SeveralLabels;
import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3GraphCountStrategy;
import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3GraphStepStrategy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.T;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The engine's own API and CSV files give a vertex several labels. Every form of a traversal sees
 * the first alone, whichever strategies the source has.
 */
class FirstLabelTest {
  private final Bg3Graph graph = Bg3Graph.open();
  private final GraphTraversalSource g = graph.traversal();

  @BeforeEach
  void load() {
    SeveralLabels.add(graph.graphStore());
  }

  @AfterEach
  void close() {
    g.tx().rollback();
    graph.close();
  }

  @SuppressWarnings("unchecked") // an array of classes
  private List<GraphTraversalSource> sources() {
    return List.of(
        g,
        g.withoutStrategies(Bg3GraphStepStrategy.class),
        g.withoutStrategies(Bg3GraphCountStrategy.class),
        g.withoutStrategies(Bg3GraphStepStrategy.class, Bg3GraphCountStrategy.class));
  }

  @Test
  void everyFormSeesTheFirstLabel() {
    for (GraphTraversalSource source : sources()) {
      assertEquals(Set.of(2L, 3L), source.V().hasLabel("b").id().toSet());
      assertEquals(2L, source.V().hasLabel("b").count().next());
      assertEquals(Set.of(1L), source.V().hasLabel("a").id().toSet());
      assertEquals(1L, source.V().hasLabel("a").count().next());
      assertEquals(3L, source.V().hasLabel("a", "b").count().next());
      assertEquals(0L, source.V().hasLabel("c").count().next());
      assertEquals(0L, source.V().hasLabel("a").hasLabel("b").count().next());
      assertEquals(List.of(), source.V(1).hasLabel("b").toList());
      assertEquals(List.of(1L), source.V(1).hasLabel("a").id().toList());
      assertEquals(Set.of(2L, 3L), source.V().hasLabel(P.neq("a")).id().toSet());
      assertEquals(Map.of("a", 1L, "b", 2L), source.V().groupCount().by(T.label).next());
      assertEquals(Map.of("a", 1L, "b", 2L), source.V().groupCount().by(__.label()).next());
    }
  }

  @Test
  void ownChangesAreCountedAlike() {
    for (GraphTraversalSource source : sources()) {
      graph.transaction().graph().addVertex(4, "c", "a");
      graph.transaction().graph().addLabel(2, "a");
      source.V(3).drop().iterate();
      assertEquals(1L, source.V().hasLabel("a").count().next());
      assertEquals(Set.of(2L), source.V().hasLabel("b").id().toSet());
      assertEquals(Set.of(4L), source.V().hasLabel("c").id().toSet());
      assertEquals(1L, source.V().hasLabel("c").count().next());
      assertEquals(Map.of("a", 1L, "b", 1L, "c", 1L), source.V().groupCount().by(T.label).next());
      g.tx().rollback();
    }
  }
}
