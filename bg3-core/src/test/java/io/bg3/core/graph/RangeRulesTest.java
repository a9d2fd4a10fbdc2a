package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.Settings;
import io.bg3.core.record.IndexKey;
import io.bg3.core.record.ValueCodec;
import io.bg3.core.transaction.ConflictException;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A look-up of a range names every vertex with a value in it, and each once. */
class RangeRulesTest {
  private static final String KEY = "age";

  private static Bg3 open() throws Exception {
    return Bg3.open(Settings.defaults().with("bg3.memory.budget", "16m"));
  }

  private static void add(GraphStore graph, long vertex, Object... values) {
    graph.retry(
        in -> {
          in.addVertex(vertex, "v");
          for (Object value : values) {
            in.setProperty(vertex, Cardinality.LIST, KEY, value, null);
          }
          return null;
        });
  }

  private static List<Long> find(GraphStore graph, Sought sought) {
    try (GraphTransaction in = graph.beginReadOnly()) {
      return Indexes.find(in, KEY, sought);
    }
  }

  @RuleTest(
      rule = 34,
      twins = {
        @Twin(
            name = "a vertex comes once for each of its values in a range",
            in = "io.bg3.core.graph.VertexLookup",
            method = "isFirst",
            result = 1),
        @Twin(
            name = "a bound ends a range though a number above it equals it as a float",
            in = "io.bg3.core.record.IndexValue",
            method = "highest",
            without = "Math.nextUp",
            instead = "itself")
      })
  void aRangeNamesEachVertexOnce() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      graph.createIndex(null, KEY);
      Indexes.await(graph);
      add(graph, 1, 20, 50);
      add(graph, 2, 35.5);
      add(graph, 3, 16_777_217);
      add(graph, 4, "text", List.of(7));
      assertEquals(List.of(4L, 1L, 2L), find(graph, Sought.between(20, 60L)));
      assertEquals(List.of(4L, 2L, 1L, 3L), find(graph, Sought.between(30, 16_777_216f)));
      assertEquals(List.of(4L, 3L), find(graph, Sought.between(51.0, null)));
      assertEquals(List.of(4L), find(graph, Sought.startingWith("te")));
      assertNull(find(graph, Sought.between(Period.ofDays(1), null)));
      assertNull(find(graph, Sought.between(1, "2")));
      assertNull(find(graph, Sought.between(true, 'c')));
      assertNull(find(graph, Sought.between(Double.NaN, null)));
    }
  }

  private static final Instant MOMENT = Instant.parse("1969-12-31T23:00:00Z");

  private static final Sought FROM_MOMENT = Sought.between(MOMENT, null);

  private static OffsetDateTime at(long seconds, int offset) {
    return MOMENT.plusSeconds(seconds).atOffset(ZoneOffset.ofHours(offset));
  }

  @RuleTest(
      rule = 34,
      twins = {
        @Twin(
            name = "dates stand in an index as properties have them",
            in = "io.bg3.core.record.IndexValue",
            method = "bytes",
            without = "OrderedValue.of",
            instead = "encoded"),
        @Twin(
            name = "an offset is left out of the bound of a range",
            in = "io.bg3.core.record.OrderedValue",
            method = "bound",
            without = "OffsetDateTime.getOffset",
            instead = "noOffset"),
        @Twin(
            name = "an index of an earlier release answers a range of dates",
            in = "io.bg3.core.record.IndexValue",
            method = "between",
            without = "IndexForm.ordered",
            result = 1)
      })
  void aRangeOfDatesNamesEachVertex() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      graph.createIndex(null, KEY);
      Indexes.await(graph);
      add(graph, 1, at(-3_600, 0));
      add(graph, 2, at(-1, 2), MOMENT);
      add(graph, 3, at(0, 0));
      add(graph, 4, at(0, 1), at(100_000, 0));
      add(graph, 5, at(5_000_000_000L, -1));
      add(graph, 6, Date.from(MOMENT), List.of());
      requireRangesOfDates(graph);
      Indexes.createOlder(graph, IndexedKeys.ofVertices("v", KEY), false);
      Indexes.await(graph);
      try (GraphTransaction in = graph.beginReadOnly(); // by the index of all vertices
          VertexLookup found = in.lookUp(List.of(new Condition(KEY, FROM_MOMENT)), "v")) {
        assertTrue(found.next());
        assertEquals(6, found.vertex());
      }
      graph.dropIndex(null, KEY);
      Indexes.await(graph);
      try (GraphTransaction in = graph.beginReadOnly();
          VertexLookup equal = in.lookUp(KEY, List.of(at(0, 1)), "v")) {
        assertTrue(equal.next());
        assertEquals(4, equal.vertex());
        assertNull(in.lookUp(List.of(new Condition(KEY, FROM_MOMENT)), "v"));
      }
      assertFalse(graph.indexes().get(0).ordered());
      graph.rebuildIndex(IndexedKeys.ofVertices("v", KEY));
      Indexes.await(graph);
      assertTrue(graph.indexes().get(0).ordered());
    }
  }

  private static void requireRangesOfDates(GraphStore graph) {
    assertEquals(List.of(6L, 1L, 2L), find(graph, Sought.between(null, at(-1, 2))));
    assertEquals(List.of(6L, 3L, 4L, 5L), find(graph, Sought.between(at(0, 0), null)));
    assertEquals(List.of(6L, 4L), find(graph, Sought.between(at(0, 1), at(100_000, 0))));
    assertEquals(List.of(6L, 2L), find(graph, Sought.between(null, MOMENT)));
    assertEquals(List.of(6L), find(graph, Sought.between(MOMENT.plusNanos(1), null)));
    assertEquals(List.of(6L), find(graph, Sought.between(Date.from(MOMENT), null)));
    assertNull(find(graph, Sought.between(MOMENT, at(0, 0))));
  }

  /** A value as it stood in the indexes of earlier releases. */
  static byte[] encoded(Object value) {
    return ValueCodec.encode(value);
  }

  /** The offset that a date does not have. */
  static ZoneOffset noOffset(OffsetDateTime date) {
    return ZoneOffset.UTC;
  }

  /** A float that nobody has rounded up. */
  static float itself(float number) {
    return number;
  }

  /** Ranges that nobody has joined. */
  static List<IndexKey.Range> asTheyAre(Collection<IndexKey.Range> ranges) {
    return List.copyOf(ranges);
  }

  @RuleTest(
      rule = 34,
      twins =
          @Twin(
              name = "ranges that overlap are read one after the other",
              in = "io.bg3.core.graph.IndexPlan",
              method = "ranges",
              without = "IndexPlan.apart",
              instead = "asTheyAre"))
  void rangesThatOverlapAreReadOnce() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      graph.createUniqueIndex(null, KEY);
      Indexes.await(graph);
      add(graph, 1, 16_777_216);
      add(graph, 2, 16_777_217);
      Sought both = Sought.anyOf(List.of(16_777_216f, 16_777_217));
      assertEquals(List.of(1L, 2L), find(graph, both));
      Sought below = Sought.between(null, 16_777_217L);
      Sought above = Sought.between(16_777_216L, null);
      assertEquals(List.of(1L, 2L), find(graph, Sought.either(List.of(below, above))));
      assertEquals(List.of(1L, 2L), find(graph, Sought.either(List.of(below, both, below))));
      assertNull(
          find(graph, Sought.either(List.of(below, Sought.between(Period.ofDays(1), null)))));
    }
  }

  /** A transaction conflicts with what comes into the range that it has passed. */
  @Test
  void aRangeThatWasLookedForIsRead() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      graph.createIndex(null, KEY);
      Indexes.await(graph);
      try (GraphTransaction in = graph.begin();
          GraphTransaction other = graph.begin()) {
        assertEquals(List.of(), Indexes.find(in, KEY, Sought.between(10, 20)));
        assertEquals(List.of(), Indexes.find(other, KEY, Sought.between(30, null)));
        add(graph, 1, 15);
        in.addVertex(2L, "none is between 10 and 20");
        other.addVertex(3L, "none is above 30");
        assertThrows(ConflictException.class, in::commit);
        other.commit();
      }
    }
  }

  /**
   * The commit that found no text with the beginning is before the one that adds such a text, so no
   * reader may see the latter and not the former.
   */
  @RuleTest(
      rule = 28,
      sites =
          @Site(
              name = "reads are valid",
              in = "io.bg3.core.transaction.Committer",
              method = "runUnlessCodeFound",
              before = "CommitPipeline.run"),
      twins =
          @Twin(
              name = "texts with one beginning lie in one stripe",
              in = "io.bg3.core.keyspace.KeySpace",
              method = "haveOneFirstValue",
              result = 1))
  void noTextComesUnderACommitThatHasLookedForItsBeginning() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      add(graph, 1, "none");
      graph.createIndex(null, KEY);
      Indexes.await(graph);
      boolean[] sees = new boolean[2];
      Sites.Other adder;
      try (GraphTransaction in = graph.begin()) {
        assertEquals(List.of(), Indexes.find(in, KEY, Sought.startingWith("text")));
        in.addVertex(2L, "v");
        adder =
            Sites.meanwhile(
                "reads are valid",
                () -> {
                  add(graph, 3, "texts");
                  try (GraphTransaction reader = graph.beginReadOnly()) {
                    sees[0] = reader.vertexExists(3);
                    sees[1] = reader.vertexExists(2);
                  }
                });
        in.commit();
      }
      Sites.requirePassed("reads are valid");
      adder.join();
      assertTrue(sees[0]);
      assertTrue(sees[1], "a reader sees the text and not the commit that missed it");
    }
  }
}
