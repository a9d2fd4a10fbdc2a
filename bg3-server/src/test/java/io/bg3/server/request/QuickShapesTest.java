package io.bg3.server.request;

import static org.apache.tinkerpop.gremlin.process.traversal.AnonymousTraversalSource.traversal;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.tinkerpop.gremlin.process.traversal.Merge;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.util.empty.EmptyGraph;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.junit.jupiter.api.Test;

/** Which requests an event loop may run, by what they are and by what their like has taken. */
class QuickShapesTest {
  private static final GraphTraversalSource G = traversal().with(EmptyGraph.instance());

  private static final int QUICK = 200_000;

  private final QuickShapes shapes = new QuickShapes(QUICK);

  private static int shape(Traversal<?, ?> query) {
    return QuickShapes.of(
        RequestMessage.build(Tokens.OPS_BYTECODE)
            .processor("traversal")
            .addArg(Tokens.ARGS_GREMLIN, query.asAdmin().getBytecode())
            .create());
  }

  @Test
  void elementsDoNotMatterAndNamesDo() {
    int one = shape(G.V(1).out("follows").limit(10).values("name"));
    assertNotEquals(QuickShapes.NONE, one);
    assertEquals(one, shape(G.V(2).out("follows").limit(10).values("name")));
    assertNotEquals(one, shape(G.V(1).out("likes").limit(10).values("name")));
    assertNotEquals(one, shape(G.V(1).out("follows").limit(11).values("name")));
    assertNotEquals(one, shape(G.V(1).out("follows").values("name").limit(10)));
    assertEquals(shape(G.V().has("code", "a")), shape(G.V().has("code", "b")));
    assertNotEquals(shape(G.V().has("code", "a")), shape(G.V().has("age", "a")));
  }

  @Test
  void smallTraversalsThatReadMayBeQuick() {
    for (Traversal<?, ?> query :
        List.<Traversal<?, ?>>of(
            G.V(1).outE("follows").order().by("time", Order.desc).limit(5).inV(),
            G.V().has("code", P.within(1, 2, 3)).valueMap(),
            G.V(1).as("a").out().where(P.gt("a")).dedup().count(),
            G.V(1).project("name", "in").by("name").by(__.in().count()),
            G.V(1).has("age", P.gt(3).and(P.lt(9))).id())) {
      assertNotEquals(QuickShapes.NONE, shape(query), query::toString);
    }
  }

  @Test
  void smallTraversalsThatWriteMayBeQuick() {
    for (Traversal<?, ?> query :
        List.<Traversal<?, ?>>of(
            G.addV("person").property("name", "x").label(),
            G.V(1).property("name", "x"),
            G.V(1).addE("follows").to(__.V(2)).property("time", 5),
            G.mergeV(Map.of(T.label, "person", "name", "x")),
            G.mergeV(Map.of(T.id, 1)).option(Merge.onCreate, Map.of("name", "x")),
            G.V(1).project("a").by(__.property("name", "x")))) {
      assertTrue(QuickShapes.writes(shape(query)), query::toString);
    }
    assertFalse(QuickShapes.writes(shape(G.V(1).values("name"))));
    assertFalse(QuickShapes.writes(QuickShapes.NONE));
  }

  @Test
  void namesOfPropertiesInMapsMatterAndValuesDoNot() {
    int one = shape(G.mergeV(Map.of(T.label, "person", "name", "x")));
    assertEquals(one, shape(G.mergeV(Map.of(T.label, "person", "name", "y"))));
    assertNotEquals(one, shape(G.mergeV(Map.of(T.label, "animal", "name", "x"))));
    assertNotEquals(one, shape(G.mergeV(Map.of(T.label, "person", "age", "x"))));
    assertNotEquals(one, shape(G.mergeV(Map.of("name", "x"))));
  }

  @Test
  void whatDropsCallsOrRepeatsIsNever() {
    for (Traversal<?, ?> query :
        List.<Traversal<?, ?>>of(
            G.V(1).drop(),
            G.mergeV(Map.of("names", List.of("x"))),
            G.call("bg3.index.list"),
            G.V(1).repeat(__.out()).times(9),
            G.V(1).sideEffect(__.drop()),
            G.V(1).local(__.drop()),
            G.V(1).project("a").by(__.drop()),
            G.inject(1),
            G.with("evaluationTimeout", 1).V(1),
            G.V().has("name", TextP.regex("(a+)+b")),
            G.V(List.of(__.V().drop().asAdmin().getBytecode())),
            G.V(1).is(P.within(List.of(List.of(1)))),
            G.V(IntStream.range(0, 100).boxed().toArray()))) {
      assertEquals(QuickShapes.NONE, shape(query), query::toString);
    }
    assertEquals(
        QuickShapes.NONE,
        QuickShapes.of(
            RequestMessage.build(Tokens.OPS_EVAL).addArg(Tokens.ARGS_GREMLIN, "g.V(1)").create()));
  }

  @Test
  void oneIsQuickWhenItsLikeHasBeenForAWhile() {
    int shape = shape(G.V(1).id());
    assertFalse(shapes.isQuick(shape), "it is not known yet");
    int needed = measured(shape);
    assertTrue(needed > 3 && needed < 20, () -> "measured " + needed);
    for (int i = 0; i < 20; i++) {
      took(shape, QUICK / 10);
    }
    shapes.ranByWorker(shape, Long.MAX_VALUE, false);
    assertTrue(shapes.isQuick(shape));
    shapes.ranQuickly(shape, 20 * QUICK, QUICK / 10, false, false);
    assertTrue(shapes.isQuick(shape), "it had no processor");
    shapes.ranQuickly(shape, 20 * QUICK, 2 * QUICK, false, false);
    assertFalse(shapes.isQuick(shape));
    assertEquals(QuickShapes.PAUSE, measured(shape));
    for (int i = 0; i < 20; i++) {
      took(shape, 2 * QUICK);
    }
    assertFalse(shapes.isQuick(shape));
    assertFalse(shapes.isQuick(QuickShapes.NONE));
  }

  @Test
  void noneIsQuickWithoutTime() {
    QuickShapes none = new QuickShapes(0);
    int shape = shape(G.V(1).id());
    for (int i = 0; i < 20; i++) {
      none.ranByWorker(shape, 0, false);
    }
    assertFalse(none.isQuick(shape));
  }

  @Test
  void oneThatReadsTheDiskIsNotQuick() {
    int shape = shape(G.V(1).id());
    for (int i = 0; i < 100; i++) {
      shapes.ranByWorker(shape, QUICK / 100, true);
      assertFalse(shapes.isQuick(shape));
    }
    assertTrue(measured(shape) > 0);
    shapes.ranQuickly(shape, QUICK / 10, QUICK / 10, true, false);
    assertFalse(shapes.isQuick(shape));
    assertEquals(QuickShapes.PAUSE, measured(shape));
  }

  @Test
  void oneThatALoopLeavesIsPaused() {
    int shape = shape(G.V(1).id());
    assertTrue(measured(shape) > 0);
    shapes.ranQuickly(shape, QUICK / 10, QUICK / 10, false, true);
    assertFalse(shapes.isQuick(shape));
    assertEquals(QuickShapes.PAUSE, measured(shape));
  }

  @Test
  void oneThatWaitsEachTimeIsPaused() {
    int shape = shape(G.V(1).id());
    assertTrue(measured(shape) > 0);
    for (int round = 0; round < 3; round++) {
      int waits = 0;
      while (shapes.isQuick(shape)) {
        shapes.ranQuickly(shape, 20 * QUICK, QUICK / 10, false, false);
        waits++;
      }
      assertTrue(waits < 10, () -> "it is still quick");
      assertTrue(measured(shape) >= QuickShapes.PAUSE);
    }
  }

  private void took(int shape, long nanos) {
    shapes.ranByWorker(shape, nanos, false);
  }

  /** How many quick ones it takes. */
  private int measured(int shape) {
    int count = 0;
    while (!shapes.isQuick(shape)) {
      took(shape, QUICK / 10);
      count++;
    }
    return count;
  }
}
