package io.bg3.gremlin.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.graph.IndexedKeys;
import io.bg3.core.graph.Indexes;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.util.TransactionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Traversals look for ranges of dates in an index, unless an earlier release has made it. */
class DateIndexTest {
  private final IndexedGraph indexed = new IndexedGraph();
  private final GraphTraversalSource g = indexed.g();
  private final GraphTraversalSource scanning = indexed.scanning();

  @AfterEach
  void close() {
    indexed.close();
  }

  /** By an index of one key, of several, of edges, and a unique one. */
  @Test
  void rangesOfDatesUseAnIndex() throws Exception {
    indexed.index(Map.of("keys", List.of("created")));
    indexed.index(Map.of("label", "event", "keys", List.of("at")));
    indexed.index(Map.of("keys", List.of("u"), "unique", true));
    indexed.index(Map.of("label", "event", "keys", List.of("kind", "at")));
    indexed.index(Map.of("kind", "edge", "label", "e", "keys", List.of("at")));
    OffsetDateTime first = OffsetDateTime.of(1969, 12, 1, 0, 0, 0, 0, ZoneOffset.UTC);
    for (int i = 0; i < 60; i++) {
      OffsetDateTime created = first.plusDays(i).withOffsetSameInstant(ZoneOffset.ofHours(i % 5));
      g.addV("event")
          .property("created", created)
          .property("u", Date.from(created.toInstant()))
          .property("at", created.toInstant())
          .property("kind", i % 3)
          .as("v")
          .addE("e")
          .from("v")
          .to("v")
          .property("at", created.toLocalDate())
          .iterate();
    }
    g.tx().commit();
    OffsetDateTime from = first.plusDays(30);
    requireRange(t -> t.V().has("created", P.gt(from)), "*.created", 29);
    requireRange(t -> t.V().has("created", P.between(from, from.plusDays(5))), "*.created", 5);
    requireRange(t -> t.V().has("u", P.lte(Date.from(from.toInstant()))), "*.u", 31);
    requireRange(t -> t.V().has("event", "at", P.lt(from.toInstant())), "event.at", 30);
    requireRange(
        t -> t.V().has("event", "kind", 1).has("at", P.gte(from.toInstant())), "event.kind+at", 10);
    requireRange(t -> t.E().has("e", "at", P.gt(from.toLocalDate())), "edge:e.at", 29);
    g.addV("event").property("u", Date.from(from.toInstant())).iterate();
    TransactionException e = assertThrows(TransactionException.class, () -> g.tx().commit());
    assertTrue(e.getMessage().contains("*.u"), e.getMessage());
  }

  private void requireRange(
      Function<GraphTraversalSource, GraphTraversal<?, ? extends Element>> query,
      String index,
      int expected) {
    assertEquals(
        Set.copyOf(query.apply(scanning).id().toList()), Set.copyOf(query.apply(g).id().toList()));
    assertEquals((long) expected, query.apply(g).count().next());
    String explained = query.apply(g).explain().toString();
    assertTrue(explained.contains("index=" + index), explained);
    String profile = query.apply(g).profile().next().toString();
    assertTrue(profile.contains("index=" + index), profile);
  }

  /** An index that an earlier release has made answers equality, and says what it does not. */
  @Test
  void anIndexOfAnEarlierReleaseAnswersNoRangeOfDates() throws Exception {
    Instant now = Instant.ofEpochSecond(1_600_000_000L);
    for (int i = 0; i < 40; i++) {
      g.addV("v").property("at", now.plusSeconds(i)).iterate();
    }
    g.tx().commit();
    Indexes.createOlder(indexed.graph().graphStore(), IndexedKeys.ofVertices(null, "at"), false);
    indexed.await();
    assertTrue(g.V().has("at", now).explain().toString().contains("index=*.at"));
    assertEquals(1L, g.V().has("at", now).count().next());
    assertFalse(g.V().has("at", P.gt(now)).explain().toString().contains("index="));
    String profile = g.V().has("at", P.gt(now)).profile().next().toString();
    assertTrue(profile.contains("scan=all vertices"), profile);
    assertEquals(39L, g.V().has("at", P.gt(now)).count().next());
    assertEquals(false, g.<Map<String, Object>>call("bg3.index.list").next().get("ordered"));
    g.tx().commit();
    g.call("bg3.index.drop", Map.of("keys", List.of("at"))).iterate();
    indexed.index(Map.of("keys", List.of("at")));
    assertFalse(g.<Map<String, Object>>call("bg3.index.list").next().containsKey("ordered"));
    requireRange(t -> t.V().has("at", P.gt(now)), "*.at", 39);
  }
}
