package io.bg3.gremlin.process.traversal.strategy.optimization;

import static io.bg3.gremlin.process.traversal.strategy.optimization.CompiledSteps.compiled;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.structure.Bg3ConflictException;
import io.bg3.gremlin.structure.Bg3Graph;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.SubgraphStrategy;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which counts of all elements the totals answer, and that they answer as a scan does. */
class Bg3GraphCountStrategyTest {
  private Bg3Graph graph;
  private GraphTraversalSource g;
  private GraphTraversalSource plain;

  @BeforeEach
  @SuppressWarnings("unchecked") // an array of classes
  void open() {
    graph = Bg3Graph.open();
    g = graph.traversal();
    plain = g.withoutStrategies(Bg3GraphCountStrategy.class);
    for (int i = 0; i < 6; i++) {
      Vertex vertex = g.addV(List.of("person", "software", "place").get(i % 3)).next();
      g.V(vertex).addE(i % 2 == 0 ? "knows" : "likes").to(vertex).iterate();
    }
    g.addV("person").iterate();
    g.tx().commit();
  }

  @AfterEach
  void close() {
    g.tx().rollback();
    graph.close();
  }

  /** The counts that totals answer, with the steps that do. */
  private static Map<Function<GraphTraversalSource, Traversal<?, ?>>, String> counts() {
    Map<Function<GraphTraversalSource, Traversal<?, ?>>, String> counts = new HashMap<>();
    counts.put(g -> g.V().count(), "[Bg3CountGlobalStep(vertex)]");
    counts.put(g -> g.E().count(), "[Bg3CountGlobalStep(edge)]");
    counts.put(
        g -> g.V().hasLabel("person", "place").count(),
        "[Bg3CountGlobalStep(vertex,person,place)]");
    counts.put(
        g -> g.V().hasLabel("person", "person").count(), "[Bg3CountGlobalStep(vertex,person)]");
    counts.put(
        g -> g.V().hasLabel("person", "place").hasLabel("place", "software").count(),
        "[Bg3CountGlobalStep(vertex,place)]");
    counts.put(
        g -> g.V().hasLabel("person").hasLabel("place").count(),
        "[Bg3CountGlobalStep(vertex,none)]");
    counts.put(
        g -> g.E().hasLabel("knows", "likes", "nothing").count(),
        "[Bg3CountGlobalStep(edge,knows,likes,nothing)]");
    counts.put(g -> g.V().groupCount().by(T.label), "[Bg3GroupCountStep(vertex)]");
    counts.put(g -> g.V().groupCount().by(__.label()), "[Bg3GroupCountStep(vertex)]");
    counts.put(g -> g.V().label().groupCount(), "[Bg3GroupCountStep(vertex)]");
    counts.put(g -> g.E().groupCount().by(T.label), "[Bg3GroupCountStep(edge)]");
    counts.put(
        g -> g.V().hasLabel("person", "nothing").groupCount().by(T.label),
        "[Bg3GroupCountStep(vertex,person,nothing)]");
    return counts;
  }

  @Test
  void totalsAnswerAsAScanDoes() {
    for (String state : List.of("committed", "changed", "empty")) {
      if (state.equals("changed")) {
        g.V().hasLabel("place").drop().iterate();
        g.addV("new").addE("newer").to(__.V().hasLabel("person").limit(1)).iterate();
      } else if (state.equals("empty")) {
        g.V().drop().iterate();
      }
      counts()
          .forEach(
              (count, steps) -> {
                assertEquals(steps, compiled(count.apply(g)));
                assertFalse(compiled(count.apply(plain)).contains("Bg3CountGlobalStep"), steps);
                assertFalse(compiled(count.apply(plain)).contains("Bg3GroupCountStep"), steps);
                assertEquals(
                    count.apply(plain).toList(), count.apply(g).toList(), () -> state + steps);
              });
    }
    String explained = g.V().groupCount().by(T.label).explain().toString();
    assertTrue(explained.contains("Bg3GroupCountStep(vertex)"), explained);
  }

  @Test
  void otherCountsAreScans() {
    for (Traversal<?, ?> traversal :
        List.of(
            g.V().has("name").count(),
            g.V().hasLabel(P.neq("person")).count(),
            g.V().hasLabel("person").has("name", "x").groupCount().by(T.label),
            g.V().groupCount().by("label"),
            g.V().groupCount(),
            g.V().groupCount("x").by(T.label),
            g.V().label().groupCount().by(__.constant(1)),
            g.V().label().dedup().groupCount(),
            g.V(0L).groupCount().by(T.label),
            g.V().limit(1).count(),
            g.withStrategies(SubgraphStrategy.build().vertices(__.has("name")).create())
                .V()
                .groupCount()
                .by(T.label))) {
      String steps = compiled(traversal);
      assertFalse(steps.contains("Bg3CountGlobalStep"), steps);
      assertFalse(steps.contains("Bg3GroupCountStep"), steps);
    }
  }

  @Test
  void theStepIsNamedAndStartsAgain() {
    assertEquals(
        Map.of("person", 3L),
        g.V().hasLabel("person").groupCount().by(T.label).as("n").select("n").next());
    Traversal.Admin<Vertex, Map<Object, Long>> group =
        g.V().<Object>groupCount().by(T.label).asAdmin();
    Map<Object, Long> first = group.next();
    group.reset();
    assertEquals(first, group.next());
    assertEquals(Set.of("person", "software", "place"), first.keySet());
    assertEquals(3L, g.V().groupCount().by(T.label).unfold().count().next());
  }

  /** A group is a read of every label, also of one that no vertex has had so far. */
  @Test
  void aNewLabelConflictsWithAGroup() throws Exception {
    g.V().groupCount().by(T.label).iterate();
    g.V(g.V().limit(1).next()).property("seen", 1).iterate();
    CompletableFuture.runAsync(
            () -> {
              g.addV("label that is new").iterate();
              g.tx().commit();
            })
        .get();
    assertThrows(Bg3ConflictException.class, () -> g.tx().commit());
  }
}
