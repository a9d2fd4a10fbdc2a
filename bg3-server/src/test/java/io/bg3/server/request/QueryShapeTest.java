package io.bg3.server.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.AnonymousTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.util.empty.EmptyGraph;
import org.junit.jupiter.api.Test;

/** A shape has the steps of a query and no value of it. */
class QueryShapeTest {
  private static final GraphTraversalSource G =
      AnonymousTraversalSource.traversal().with(EmptyGraph.instance());

  private static String shape(Traversal<?, ?> query) {
    return QueryShape.of(query.asAdmin().getBytecode(), 500);
  }

  @Test
  void hasKindsInPlaceOfValues() {
    assertEquals(
        "g.V(Integer, String).has(String, String).order().by(String, desc)",
        shape(G.V(1, "two").has("name", "secret").order().by("age", Order.desc)));
    assertEquals("g.mergeV(Map[1])", shape(G.mergeV(Map.of(T.label, "secret"))));
    assertEquals("g.inject(List[2], null)", shape(G.<Object>inject(List.of(1, 2), null)));
    Bytecode bound = new Bytecode();
    bound.addStep("V", new Bytecode.Binding<>("x", 7L));
    assertEquals("g.V(Long)", QueryShape.of(bound, 500));
  }

  @Test
  void showsPredicatesAndNestedTraversals() {
    assertEquals(
        "g.V().where(__.out(String).has(String, gt(Integer)))",
        shape(G.V().where(__.out("secret").has("n", P.gt(5)))));
    assertEquals(
        "g.V().has(String, AndP(gt(Integer), lt(Integer)))",
        shape(G.V().has("n", P.gt(5).and(P.lt(9)))));
    assertEquals(
        "g.V().has(String, startingWith(String))",
        shape(G.V().has("n", TextP.startingWith("secret"))));
    assertEquals(
        "g.V().has(String, within(List[2]))", shape(G.V().has("n", P.within("secret", "other"))));
  }

  @Test
  void isBounded() {
    Bytecode wide = new Bytecode();
    for (int i = 0; i < 100_000; i++) {
      wide.addStep("both", "secret", "secret", "secret");
    }
    String shape = QueryShape.of(wide, 200);
    assertEquals(203, shape.length());
    assertTrue(shape.endsWith("..."), shape);
  }

  @Test
  void namesTheKindsOfParameters() {
    assertEquals(
        Map.of("a", "Integer", "b", "Map[1]"),
        QueryShape.kinds(Map.of("a", 1, "b", Map.of("secret", 2)), 10, 100));
    assertEquals(1, QueryShape.kinds(Map.of("a", 1, "b", 2), 1, 100).size());
  }
}
