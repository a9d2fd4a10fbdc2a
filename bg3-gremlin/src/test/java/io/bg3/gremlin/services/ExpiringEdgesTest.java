package io.bg3.gremlin.services;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Traversals over labels whose edges expire, in hundred years or before the traversal begins,
 * beside labels whose edges stay. A TinkerGraph without the edges that have expired is the
 * reference.
 */
class ExpiringEdgesTest {
  private static final int VERTICES = 12;
  private static final int EDGES = 120;
  private static final List<String> LABELS =
      List.of("keeps", "lives", "livesInOrder", "passes", "passesInOrder");

  private final TinkerGraph reference = TinkerGraph.open();
  private Bg3Graph graph;
  private GraphTraversalSource g;

  @BeforeEach
  void open() {
    graph = Bg3Graph.open(new BaseConfiguration());
    Bg3Services.register(graph);
    g = graph.traversal();
    declare(Map.of("label", "lives", "ttl", 36_500L * 86_400_000));
    declare(Map.of("label", "livesInOrder", "ttl", 36_500L * 86_400_000, "sortKey", "time"));
    declare(Map.of("label", "passes", "ttl", 1));
    declare(Map.of("label", "passesInOrder", "ttl", 1, "sortKey", "time"));
  }

  @AfterEach
  void close() {
    graph.close();
  }

  private void declare(Map<String, Object> form) {
    assertEquals(List.of(true), g.call("bg3.links.declare", form).toList());
  }

  private String refusal(Runnable work) {
    Throwable e = assertThrows(IllegalArgumentException.class, work::run);
    return e.getMessage();
  }

  @Test
  void traversalsAnswerAsWithoutTheEdgesThatHaveExpired() throws InterruptedException {
    long seed = Seeds.one();
    fill(new Random(seed));
    Thread.sleep(5); // two milliseconds would do
    compare("seed=" + seed);
    for (long vertex = 0; vertex < VERTICES; vertex += 3) {
      g.V(vertex).drop().iterate();
      reference.traversal().V(vertex).drop().iterate();
      g.tx().commit();
      compare("seed=" + seed + ", without vertex " + vertex);
    }
    for (GraphTraversalSource each : List.of(g, reference.traversal())) {
      each.V().outE("lives", "livesInOrder", "passes").drop().iterate();
    }
    g.tx().commit();
    compare("seed=" + seed + ", without some labels");
  }

  private void fill(Random random) {
    GraphTraversalSource to = reference.traversal();
    for (int i = 0; i < VERTICES; i++) {
      g.addV("v").property(T.id, (long) i).iterate();
      to.addV("v").property(T.id, (long) i).iterate();
    }
    g.tx().commit();
    for (int i = 0; i < EDGES; i++) {
      long source = random.nextInt(VERTICES);
      long target = random.nextInt(VERTICES);
      String label = LABELS.get(random.nextInt(LABELS.size()));
      long time = random.nextInt(1_000);
      g.addE(label).from(__.V(source)).to(__.V(target)).property("time", time).iterate();
      g.tx().commit();
      if (!label.startsWith("passes")) {
        to.addE(label).from(__.V(source)).to(__.V(target)).property("time", time).iterate();
      }
    }
  }

  private void compare(String at) {
    List<Function<GraphTraversalSource, List<?>>> questions = new ArrayList<>();
    questions.add(from -> from.E().count().toList());
    questions.add(from -> from.E().values("time").order().toList());
    questions.add(from -> from.E().groupCount().by(T.label).toList());
    questions.add(from -> from.V().out().id().order().toList());
    questions.add(from -> from.V().both().both().id().order().toList());
    questions.add(from -> from.V().in().count().toList());
    questions.add(from -> from.V().bothE().count().toList());
    questions.add(from -> from.E().has("time", 500).count().toList());
    for (String label : LABELS) {
      questions.add(from -> from.E().hasLabel(label).count().toList());
      questions.add(from -> from.V().outE(label).values("time").order().toList());
      questions.add(from -> from.V().in(label).id().order().toList());
      questions.add(from -> from.V().both(label).out(label).id().order().toList());
      questions.add(from -> from.V().where(__.out(label)).id().order().toList());
      questions.add(from -> from.V(1L).outE(label).count().toList());
      questions.add(
          from -> from.V(1L, 2L).bothE(label).where(__.otherV().hasId(4L)).count().toList());
      questions.add(
          from ->
              from.V()
                  .local(__.outE(label).order().by("time").limit(2))
                  .values("time")
                  .order()
                  .toList());
    }
    for (int i = 0; i < questions.size(); i++) {
      Object expected = questions.get(i).apply(reference.traversal());
      assertEquals(expected, questions.get(i).apply(g), at + ", question " + i);
    }
    g.tx().rollback();
  }

  @Test
  void mistakesAreNamed() {
    assertEquals(
        "a time to live must be 1 to 3153600000000 milliseconds, or 0 for none: ttl=-5, label=x",
        refusal(() -> declare(Map.of("label", "x", "ttl", -5))));
    assertTrue(
        refusal(() -> declare(Map.of("label", "x", "ttl", 5, "counted", true)))
            .startsWith("edges with a time to live cannot be counted"));
    String unordered = refusal(() -> declare(Map.of("label", "x", "ttl", 5, "descending", true)));
    assertTrue(unordered.contains("sortKey"), unordered);
    String neither = refusal(() -> declare(Map.of("label", "x")));
    assertTrue(neither.contains("sortKey"), neither);
    g.addV("v").property(T.id, 1L).addV("v").property(T.id, 2L).iterate();
    g.tx().commit();
    assertTrue(
        refusal(() -> g.addE("lives").property(T.id, "mine").from(__.V(1L)).to(__.V(2L)).iterate())
            .startsWith("an edge with a time to live cannot have an id of the application"));
  }
}
