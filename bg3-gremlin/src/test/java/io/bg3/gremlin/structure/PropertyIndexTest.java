package io.bg3.gremlin.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;
import org.apache.tinkerpop.gremlin.structure.util.TransactionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Traversals answer the same with an index and without one, and say which one they use. */
class PropertyIndexTest {
  private final IndexedGraph indexed = new IndexedGraph();
  private final GraphTraversalSource g = indexed.g();
  private final GraphTraversalSource scanning = indexed.scanning();

  @AfterEach
  void close() {
    indexed.close();
  }

  /** TinkerPop makes one condition of {@code or} over conditions on one property. */
  @Test
  void alternativesAreLookedForTogether() throws Exception {
    indexed.index("age");
    for (int i = 0; i < 50; i++) {
      g.addV("v").property("age", i).iterate();
    }
    g.tx().commit();
    List<Object> found =
        g.V()
            .or(__.has("age", 7), __.has("age", P.between(5, 9)), __.has("age", P.gte(48)))
            .values("age")
            .order()
            .toList();
    assertEquals(List.of(5, 6, 7, 8, 48, 49), found);
    String profile =
        g.V().or(__.has("age", 7), __.has("age", P.gt(47))).profile().next().toString();
    assertTrue(profile.contains("index=*.age") && profile.contains("elementsRead=4"), profile);
    profile = g.V().has("age", P.eq(3).or(P.eq(4)).or(P.eq(3))).profile().next().toString();
    assertTrue(profile.contains("elementsRead=2"), profile);
    profile = g.V().and(__.has("age", P.gt(3)), __.has("age", 5)).profile().next().toString();
    assertTrue(profile.contains("elementsRead=1"), profile);
  }

  @Test
  void alternativesOnSeveralPropertiesAreLookedForOneAfterTheOther() throws Exception {
    indexed.index("age");
    indexed.index("v", "name");
    g.call("bg3.index.create", Map.of("kind", "edge", "label", "e", "keys", List.of("since")))
        .iterate();
    indexed.index(Map.of("kind", "edge", "label", "e", "keys", List.of("weight")));
    for (int i = 0; i < 50; i++) {
      g.addV(i % 10 == 0 ? "w" : "v")
          .property("age", i)
          .property("name", "n" + i % 25)
          .property("none", i % 2)
          .as("v")
          .addE("e")
          .from("v")
          .to("v")
          .property("since", i)
          .property("weight", i % 5)
          .iterate();
    }
    g.tx().commit();
    requireSame(t -> t.V().hasLabel("v").or(__.has("age", 7), __.has("name", "n7")), "age", 2);
    requireSame(
        t -> t.V().hasLabel("v").or(__.has("age", P.lt(3)), __.has("name", "n8").has("age", 33)),
        "name",
        3);
    requireSame(
        t -> t.V().or(__.has("age", 31), __.hasLabel("v").has("name", "n6").has("none", 0)),
        "age",
        2);
    requireSame(
        t -> t.V().has("none", 1).or(__.has("age", 4), __.has("v", "name", P.within("n1", "n3"))),
        "name",
        2);
    requireSame(t -> t.V().or(__.has("age", 4), __.has("none", 1)), null, 26);
    requireSame(t -> t.V().or(__.has("age", 4), __.has("name", "n1")), null, 3);
    requireSame(t -> t.E().hasLabel("e").or(__.has("since", 4), __.has("weight", 4)), "weight", 10);
    assertEquals(
        1L, g.V().hasLabel("v").or(__.has("age", 7), __.has("name", "n7")).limit(1).count().next());
    // One that is changed on its way meets the other alternative, and does not come again.
    assertEquals(
        2L,
        g.V()
            .hasLabel("v")
            .or(__.has("age", 7), __.has("name", "n7"))
            .property("age", 1_000)
            .count()
            .next());
  }

  /**
   * @param index a key whose index is used; null if there is a scan
   */
  private void requireSame(
      Function<GraphTraversalSource, GraphTraversal<?, ? extends Element>> query,
      String index,
      int expected) {
    Set<Object> found = Set.copyOf(query.apply(g).id().toList());
    assertEquals(Set.copyOf(query.apply(scanning).id().toList()), found);
    assertEquals(expected, found.size());
    assertEquals((long) expected, query.apply(g).count().next());
    String profile = query.apply(g).profile().next().toString();
    assertEquals(index != null, profile.contains("index="), profile);
    String explained = query.apply(g).explain().toString();
    assertEquals(index != null, explained.contains("alternatives="), explained);
    if (index != null) {
      assertTrue(profile.contains(index), profile);
    }
  }

  /** A value of each meets one condition, and none meets both. */
  @Test
  void conditionsOnAPropertyWithSeveralValuesAreNotJoined() throws Exception {
    indexed.index("age");
    g.addV("v")
        .property(Cardinality.list, "age", 20)
        .property(Cardinality.list, "age", 50)
        .iterate();
    g.tx().commit();
    assertEquals(1L, g.V().has("age", P.gt(30)).has("age", P.lt(40)).count().next());
    assertEquals(0L, g.V().has("age", P.between(30, 40)).count().next());
    assertEquals(0L, g.V().has("age", P.gt(30).and(P.lt(40))).count().next());
    assertEquals(1L, g.V().has("age", P.gt(10)).count().next());
    assertEquals(1L, g.V().has("age", P.gt(10)).limit(5).count().next());
  }

  @Test
  void ofSeveralConditionsThatWithTheFewestEntriesUsesItsIndex() throws Exception {
    indexed.index("age");
    indexed.index("name");
    for (int i = 0; i < 50; i++) {
      g.addV("v").property("age", i).property("name", "n" + i % 25).iterate();
    }
    g.tx().commit();
    String explained = g.V().has("age", P.gt(3)).has("name", "n7").explain().toString();
    assertTrue(explained.contains("index=*.name"), explained);
    String profile = g.V().has("age", P.gt(3)).has("name", "n7").profile().next().toString();
    assertTrue(profile.contains("elementsRead=2"), profile);
    profile = g.V().has("name", P.gt("a")).has("age", P.lt(5)).profile().next().toString();
    // the bound is in the range that is read, and is tested afterwards
    assertTrue(profile.contains("index=*.age") && profile.contains("elementsRead=6"), profile);
    profile = g.V().has("name", "n7").has("age", 7).profile().next().toString();
    assertTrue(profile.contains("elementsRead=2") || profile.contains("elementsRead=1"), profile);
    profile = g.V().has("age", P.between(7, 10)).profile().next().toString();
    assertTrue(profile.contains("index=*.age"), profile);
    assertEquals(List.of(10, 11, 12), g.V().has("age", P.gte(10)).limit(3).values("age").toList());
  }

  /** A vertex that the traversal changes on its way does not come twice. */
  @Test
  void aVertexComesOnceThoughItIsChanged() throws Exception {
    indexed.index("age");
    for (int i = 0; i < 20; i++) {
      g.addV("v")
          .property(Cardinality.list, "age", i)
          .property(Cardinality.list, "age", i + 100)
          .iterate();
    }
    g.tx().commit();
    assertEquals(
        20L,
        g.V()
            .has("age", P.gte(0))
            .sideEffect(__.properties("age").hasValue(P.lt(100)).drop())
            .count()
            .next());
    assertEquals(20L, g.V().has("age", P.gte(0)).property("age", 500).count().next());
    assertEquals(20L, g.V().has("age", P.gte(500)).count().next());
  }

  /** The second mergeV of a transaction finds what the first has made. */
  @Test
  void anUpsertTwiceInATransactionMakesOneVertex() throws Exception {
    indexed.index(Map.of("label", "person", "keys", List.of("mail"), "unique", true));
    Map<Object, Object> person = Map.of(T.label, "person", "mail", "a@b");
    g.mergeV(person).mergeV(person).iterate();
    g.mergeV(person).iterate();
    assertEquals(1L, g.V().has("person", "mail", "a@b").count().next());
    g.tx().commit();
    g.mergeV(person).iterate();
    g.tx().commit();
    assertEquals(1L, g.V().hasLabel("person").count().next());
    g.addV("person").property("mail", "a@b").iterate();
    TransactionException e = assertThrows(TransactionException.class, () -> g.tx().commit());
    assertTrue(e.getMessage().contains("person.mail, value=a@b"), e.getMessage());
    assertEquals(1L, g.V().hasLabel("person").count().next());
  }

  /** One that had read all vertices would conflict with every vertex that is added. */
  @Test
  void anUpsertReadsTheIndexAndNotAllVertices() throws Exception {
    indexed.index("person", "mail");
    g.addV("person").property("mail", "a@b").iterate();
    g.tx().commit();
    g.mergeV(Map.of(T.label, "person", "mail", "c@d")).iterate();
    CompletableFuture.runAsync(
            () -> {
              g.mergeV(Map.of(T.label, "person", "mail", "e@f")).iterate();
              g.tx().commit();
            })
        .join();
    g.tx().commit();
    assertEquals(3L, g.V().hasLabel("person").count().next());
  }

  @Test
  void aTraversalUsesTheIndexOfItsLabelAndSaysSo() throws Exception {
    g.addV("airport").property("code", "LHR").property("city", "London").iterate();
    g.addV("city").property("code", "LHR").iterate();
    g.tx().commit();
    indexed.index("airport", "code");
    assertEquals(1L, g.V().has("airport", "code", "LHR").count().next());
    assertEquals(1L, g.V().hasLabel("airport").has("code", "LHR").count().next());
    assertEquals(2L, g.V().has("code", "LHR").count().next());
    assertEquals(0L, g.V().has("airport", "code", "LHR").has("city", "Paris").count().next());
    String explained = g.V().has("airport", "code", "LHR").explain().toString();
    assertTrue(explained.contains("index=airport.code"), explained);
    assertFalse(g.V().has("code", "LHR").explain().toString().contains("index="));
    for (int i = 0; i < 100; i++) {
      g.addV("airport").property("code", "X" + i).iterate();
    }
    g.tx().commit();
    String profile = g.V().has("airport", "code", "LHR").profile().next().toString();
    assertTrue(profile.contains("index=airport.code") && profile.contains("elementsRead=1"));
    assertEquals(
        List.of(Map.of("label", "airport", "keys", List.of("code"), "state", "ready", "done", 2L)),
        g.call("bg3.index.list").toList());
    Map<?, ?> of = Map.of("label", "airport", "keys", List.of("code"));
    assertEquals(true, g.call("bg3.index.drop", of).next());
    assertEquals(false, g.call("bg3.index.drop", of).next());
    g.tx().rollback();
    assertEquals(1L, g.V().has("airport", "code", "LHR").count().next());
    indexed.await();
    assertEquals(List.of(), g.call("bg3.index.list").toList());
  }

  @Test
  void anIndexOfSeveralKeysIsNamedAndKeepsCombinationsUnique() throws Exception {
    g.call(
            "bg3.index.create",
            Map.of("label", "person", "keys", List.of("city", "age"), "unique", true))
        .iterate();
    indexed.index("person", "age");
    for (int i = 0; i < 40; i++) {
      g.addV("person").property("city", "c" + i % 4).property("age", i).iterate();
    }
    g.tx().commit();
    String explained = g.V().has("person", "city", "c1").has("age", P.gt(30)).explain().toString();
    assertTrue(explained.contains("index=person.city+age,person.age"), explained);
    String profile =
        g.V().has("person", "age", P.gt(10)).has("city", "c1").profile().next().toString();
    assertTrue(profile.contains("index=person.city+age"), profile);
    assertEquals(
        List.of(33, 37),
        g.V().has("person", "city", "c1").has("age", P.gt(30)).values("age").toList());
    assertEquals(
        1L, g.V().has("person", "city", P.within("c1", "c2")).has("age", 5).count().next());
    assertEquals(10L, g.V().has("person", "city", "c3").count().next());
    g.addV("person").property("city", "c1").property("age", 5L).iterate();
    TransactionException e = assertThrows(TransactionException.class, () -> g.tx().commit());
    assertTrue(e.getMessage().contains("person.city+age, value=[c1, 5]"), e.getMessage());
    assertEquals(
        List.of("city", "age"), g.<Map<String, Object>>call("bg3.index.list").next().get("keys"));
    assertEquals(
        true,
        g.call("bg3.index.drop", Map.of("label", "person", "keys", List.of("city", "age"))).next());
  }

  @Test
  void edgesAreFoundByTheirProperties() throws Exception {
    Map<String, Object> of = Map.of("kind", "edge", "label", "follows", "keys", List.of("weight"));
    indexed.index(of);
    g.addV("v").property(T.id, 1).addV("v").property(T.id, 2).iterate();
    for (int i = 0; i < 40; i++) {
      g.V(1L).addE(i % 2 == 0 ? "follows" : "likes").to(__.V(2L)).property("weight", i).iterate();
    }
    assertEquals(2L, g.E().has("follows", "weight", P.gt(35)).count().next());
    g.tx().commit();
    assertEquals(
        List.of(36, 38), g.E().has("follows", "weight", P.gt(35)).values("weight").toList());
    assertEquals(1L, g.E().hasLabel("follows").has("weight", 4L).count().next());
    assertEquals(2L, g.E().has("weight", P.within(List.<Object>of(4, 5.0))).count().next());
    assertEquals(0L, g.E().has("none", "weight", 4).count().next());
    String explained = g.E().has("follows", "weight", P.gt(5)).explain().toString();
    assertTrue(explained.contains("index=edge:follows.weight"), explained);
    assertFalse(g.E().has("weight", 4).explain().toString().contains("index="));
    assertFalse(g.V().has("follows", "weight", 4).explain().toString().contains("index="));
    String profile = g.E().has("follows", "weight", P.eq(6)).profile().next().toString();
    assertTrue(profile.contains("index=edge:follows.weight"), profile);
    assertTrue(profile.contains("elementsRead=1"), profile);
    g.E().has("follows", "weight", P.lt(10)).drop().iterate();
    assertEquals(0L, g.E().has("follows", "weight", P.lt(10)).count().next());
    g.V(2L).drop().iterate();
    g.tx().commit();
    assertEquals(0L, g.E().has("follows", "weight", P.gte(0)).count().next());
    Map<?, ?> row = g.<Map<String, Object>>call("bg3.index.list").next();
    assertEquals("edge", row.get("kind"));
    assertEquals("follows", row.get("label"));
    assertEquals(true, g.call("bg3.index.drop", of).next());
  }

  @Test
  void aTransactionFindsWhatItHasWritten() throws Exception {
    indexed.index("code");
    g.addV("airport").property("code", "LHR").iterate();
    assertEquals(1L, g.V().has("code", "LHR").count().next());
    g.V().has("code", "LHR").property("code", "SZG").iterate();
    assertEquals(0L, g.V().has("code", "LHR").count().next());
    assertEquals(1L, g.V().has("code", P.within("LHR", "SZG")).count().next());
    g.V().has("code", "SZG").addV("copy").property("code", "SZG").iterate();
    assertEquals(2L, g.V().has("code", "SZG").count().next());
    g.V().has("code", "SZG").as("a").addE("to").to(__.V().has("code", "SZG").limit(1)).iterate();
    g.V().has("code", "SZG").drop().iterate();
    assertEquals(0L, g.V().has("code", "SZG").count().next());
    g.tx().commit();
    assertEquals(0L, g.V().count().next());
  }

  @Test
  void parametersAreChecked() {
    for (Map<?, ?> wrong :
        List.<Map<?, ?>>of(
            Map.of(),
            Map.of("keys", List.of()),
            Map.of("keys", List.of("a", "a")),
            Map.of("keys", List.of("a", "b", "c", "d", "e")),
            Map.of("keys", "a"),
            Map.of("keys", List.of("")),
            Map.of("keys", List.of("a"), "unique", "yes"),
            Map.of("keys", List.of("a"), "kind", "property"),
            Map.of("keys", List.of("a"), "label", 7))) {
      assertThrows(
          IllegalArgumentException.class,
          () -> g.call("bg3.index.create", wrong).iterate(),
          wrong::toString);
    }
    assertEquals(List.of(), indexed.graph().graphStore().indexes());
  }
}
