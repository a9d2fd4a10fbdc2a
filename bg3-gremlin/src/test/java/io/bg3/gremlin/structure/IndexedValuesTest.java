package io.bg3.gremlin.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;
import org.apache.tinkerpop.gremlin.structure.util.TransactionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Traversals for values of all classes answer the same with an index and without one. */
class IndexedValuesTest {
  private static final List<Object> NASTY =
      List.of(
          0,
          0L,
          0.0,
          -0.0,
          -0.0f,
          BigDecimal.ZERO,
          new BigDecimal("0E-400"),
          1,
          (byte) 1,
          (short) 1,
          1.0f,
          new BigDecimal("1.00"),
          BigInteger.ONE,
          0.1,
          0.1f,
          new BigDecimal("0.1"),
          16_777_216,
          16_777_217,
          16_777_217L,
          16_777_216f,
          Integer.MAX_VALUE,
          (float) Integer.MAX_VALUE,
          (double) (float) Integer.MAX_VALUE,
          1L << 53,
          (1L << 53) + 1,
          (double) (1L << 53),
          BigInteger.TWO.pow(53).add(BigInteger.ONE),
          Long.MAX_VALUE,
          (double) Long.MAX_VALUE,
          (float) Long.MAX_VALUE,
          Float.MAX_VALUE,
          Double.MIN_VALUE,
          new BigDecimal("1E-400"),
          BigInteger.TWO.pow(70),
          Math.pow(2, 70),
          "1",
          "",
          "\u0000",
          "\u0000\u0001",
          "\uD800",
          "\uD83D\uDE00",
          "x".repeat(128),
          "x".repeat(129),
          "x".repeat(3_000),
          'x',
          "x",
          true,
          false,
          UUID.fromString("01234567-89ab-cdef-0123-456789abcdef"),
          "01234567-89ab-cdef-0123-456789abcdef",
          Date.from(Instant.ofEpochSecond(1_600_000_000L)),
          Instant.ofEpochSecond(1_600_000_000L),
          OffsetDateTime.of(2020, 9, 13, 12, 26, 40, 0, ZoneOffset.UTC),
          OffsetDateTime.of(2020, 9, 13, 14, 26, 40, 0, ZoneOffset.ofHours(2)),
          ZonedDateTime.of(2020, 9, 13, 14, 26, 40, 0, ZoneId.of("Europe/Vienna")),
          LocalDate.of(2020, 9, 13),
          LocalDateTime.of(2020, 9, 13, 0, 0),
          Year.of(2020),
          Duration.ofSeconds(60),
          Period.ofDays(60),
          Date.from(Instant.ofEpochMilli(-1)),
          OffsetDateTime.of(2020, 9, 13, 12, 26, 40, 1, ZoneOffset.UTC),
          OffsetDateTime.of(-4_712, 1, 1, 12, 0, 0, 0, ZoneOffset.UTC),
          ZonedDateTime.of(2020, 9, 13, 14, 26, 40, 0, ZoneId.of("Europe/Berlin")),
          List.of(1, "a"),
          List.of(1.0, "a"),
          Set.of(1),
          Map.of("a", 1),
          new byte[] {1, 2},
          new int[] {1, 2},
          new String[] {"a"});

  private static final List<Object> ONLY_SOUGHT =
      List.of(
          Double.NaN,
          Double.POSITIVE_INFINITY,
          Float.NEGATIVE_INFINITY,
          new AtomicInteger(1),
          new Timestamp(1_600_000_000_000L),
          withNanos(new Timestamp(1_600_000_000_000L), 1),
          withNanos(new Timestamp(1_600_000_000_000L), 7_000_000),
          new AtomicLong(1));

  private final IndexedGraph indexed = new IndexedGraph();
  private final GraphTraversalSource g = indexed.g();
  private final GraphTraversalSource scanning = indexed.scanning();

  @AfterEach
  void close() {
    indexed.close();
  }

  private static Timestamp withNanos(Timestamp time, int nanos) {
    time.setNanos(nanos);
    return time;
  }

  private static String outcome(Supplier<List<Object>> question) {
    try {
      return question.get().toString();
    } catch (RuntimeException e) {
      return e.getClass().getName();
    }
  }

  @Test
  void allPairsOfNastyValuesAnswerTheSame() throws Exception {
    long id = 0;
    for (Object value : NASTY) {
      g.addV("v").property(T.id, ++id).property("p", value).iterate();
    }
    g.addV("v").property(T.id, ++id).property("p", Double.NaN).iterate();
    g.addV("v")
        .property(T.id, ++id)
        .property(Cardinality.list, "p", 20)
        .property(Cardinality.list, "p", "x")
        .iterate();
    g.tx().commit();
    indexed.index("p");
    assertTrue(g.V().has("p", 1).explain().toString().contains("index=*.p"));
    List<Object> sought = new ArrayList<>(NASTY);
    sought.addAll(ONLY_SOUGHT);
    for (Object one : sought) {
      String name = one.getClass() + " " + one;
      assertEquals(
          outcome(() -> scanning.V().has("p", P.eq(one)).id().toList()),
          outcome(() -> g.V().has("p", P.eq(one)).id().toList()),
          name);
      for (Object other : sought) {
        List<Object> both = List.of(one, other);
        assertEquals(
            outcome(() -> scanning.V().has("p", P.within(both)).limit(9).id().toList()),
            outcome(() -> g.V().has("p", P.within(both)).limit(9).id().toList()),
            () -> name + ", " + other.getClass() + " " + other);
      }
    }
  }

  private List<Object> sorted(GraphTraversalSource source, P<?> predicate) {
    return source.V().has("p", predicate).id().order().toList();
  }

  private void requireSame(P<?> predicate) {
    assertEquals(
        outcome(() -> sorted(scanning, predicate)),
        outcome(() -> sorted(g, predicate)),
        predicate::toString);
  }

  /** Ranges with pairs of nasty bounds, on vertices that have one value and on some with two. */
  @Test
  @SuppressWarnings({"unchecked", "rawtypes"}) // bounds of any class meet each other
  void rangesBetweenNastyValuesAnswerTheSame() throws Exception {
    long id = 0;
    for (Object value : NASTY) {
      g.addV("v").property(T.id, ++id).property("p", value).iterate();
      Object other = NASTY.get((int) (id * 7 % NASTY.size()));
      g.addV("v")
          .property(T.id, 1_000 + id)
          .property(Cardinality.list, "p", value)
          .property(Cardinality.list, "p", other)
          .iterate();
    }
    g.addV("v").property(T.id, ++id).property("p", Double.NaN).iterate();
    g.tx().commit();
    indexed.index("p");
    assertTrue(g.V().has("p", P.gt(1)).explain().toString().contains("index=*.p"));
    assertTrue(g.V().has("p", P.outside(1, 2)).explain().toString().contains("index=*.p"));
    assertFalse(g.V().has("p", P.neq(1)).explain().toString().contains("index="));
    assertFalse(g.V().has("p", P.eq(1).or(P.neq(2))).explain().toString().contains("index="));
    assertTrue(g.V().has("p", P.gt(true)).explain().toString().contains("index=*.p"));
    assertFalse(g.V().has("p", P.gt(Period.ofDays(1))).explain().toString().contains("index="));
    List<Object> bounds = new ArrayList<>(NASTY);
    bounds.addAll(ONLY_SOUGHT);
    for (int i = 0; i < bounds.size(); i++) {
      Object one = bounds.get(i);
      for (P<?> half : List.<P<?>>of(P.gt(one), P.gte(one), P.lt(one), P.lte(one))) {
        requireSame(half);
      }
      for (int j = i % 4; j < bounds.size(); j += 4) { // all pairs take a minute
        Object other = bounds.get(j);
        requireSame(
            switch (j / 4 % 4) {
              case 0 -> P.between(one, other);
              case 1 -> P.gt(one).and((P) P.lte(other));
              case 2 -> P.lt(one).or((P) P.eq(other)).or((P) P.gt(other));
              default -> P.eq(one).or((P) P.eq(other));
            });
      }
    }
  }

  @Test
  void beginningsOfTextsAnswerTheSame() throws Exception {
    List<String> texts = new ArrayList<>();
    for (Object value : NASTY) {
      if (value instanceof String text) {
        texts.add(text);
      }
    }
    texts.addAll(
        List.of("a", "ab", "abc", "b", "a\u0000", "a\u0001", "a\uFFFF", "x".repeat(127) + "y"));
    for (String text : texts) {
      g.addV("v").property("p", text).iterate();
    }
    g.addV("v")
        .property(Cardinality.list, "p", "ab")
        .property(Cardinality.list, "p", "abd")
        .iterate();
    g.tx().commit();
    indexed.index("p");
    assertTrue(g.V().has("p", TextP.startingWith("a")).explain().toString().contains("index=*.p"));
    for (String prefix : texts) {
      requireSame(TextP.startingWith(prefix));
      requireSame(TextP.startingWith(prefix).and(P.lt("abd")));
    }
    assertEquals(3L, g.V().has("p", TextP.startingWith("ab")).count().next());
  }

  @Test
  void aUniqueIndexAnswersTheSame() throws Exception {
    long id = 0;
    List<Object> told = new ArrayList<>();
    g.call("bg3.index.create").with("keys", List.of("u")).with("unique", true).iterate();
    indexed.await();
    for (Object value : NASTY) {
      try {
        g.addV("v").property(T.id, ++id).property("u", value).iterate();
        g.tx().commit();
        told.add(value);
      } catch (TransactionException e) {
        assertTrue(e.getMessage().contains("*.u"), e.getMessage());
      }
    }
    assertTrue(told.size() > 30, () -> "told: " + told);
    for (Object one : NASTY) {
      for (P<?> predicate :
          List.<P<?>>of(P.eq(one), P.gt(one), P.gte(one), P.lt(one), P.lte(one))) {
        assertEquals(
            outcome(() -> scanning.V().has("u", predicate).id().order().toList()),
            outcome(() -> g.V().has("u", predicate).id().order().toList()),
            predicate::toString);
      }
    }
  }

  @Test
  void nastyValuesOfEdgesAnswerTheSame() throws Exception {
    g.addV("v").property(T.id, 1).iterate();
    long id = 0;
    for (Object value : NASTY) {
      g.V(1L).addE("e").to(__.V(1L)).property(T.id, ++id).property("p", value).iterate();
    }
    g.tx().commit();
    indexed.index(Map.of("kind", "edge", "keys", List.of("p")));
    assertTrue(g.E().has("p", 1).explain().toString().contains("index=edge:*.p"));
    List<Object> sought = new ArrayList<>(NASTY);
    sought.addAll(ONLY_SOUGHT);
    for (Object one : sought) {
      for (P<?> predicate :
          List.<P<?>>of(P.eq(one), P.gt(one), P.gte(one), P.lt(one), P.lte(one))) {
        assertEquals(
            outcome(() -> scanning.E().has("p", predicate).id().order().toList()),
            outcome(() -> g.E().has("p", predicate).id().order().toList()),
            predicate::toString);
      }
    }
  }
}
