package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.core.record.PropertyId;
import io.bg3.core.transaction.ConflictException;
import io.bg3.storage.format.CorruptionException;
import io.bg3.testing.Seeds;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unique indexes: what they refuse, in both isolations and under locks, and what fails a build. */
class UniqueIndexTest {
  private static final String KEY = "code";
  private static final int CHANGES = 600;
  private static final int VERTICES = 12;
  private static final int VALUES = 16;

  @TempDir Path directory;

  private static Bg3 open(String isolation) throws Exception {
    return Bg3.open(Settings.defaults().with(Setting.ISOLATION, isolation));
  }

  private static void createAndAwait(GraphStore graph) throws InterruptedException {
    assertTrue(graph.createUniqueIndex(null, KEY).unique());
    Indexes.await(graph);
  }

  private static void set(GraphTransaction in, Object id, Object value) {
    Long vertex = in.findVertex(id);
    vertex = vertex == null ? in.addVertex(id, "v") : vertex;
    in.setProperty(vertex, Cardinality.SINGLE, KEY, value, null);
  }

  private static void set(GraphStore graph, Object id, Object value) {
    graph.retry(
        in -> {
          set(in, id, value);
          return null;
        });
  }

  private static void requireNoProblem(Bg3 store) {
    assertEquals(List.of(), store.check(looked -> {}));
  }

  @ParameterizedTest
  @ValueSource(strings = {"strict", "snapshot"})
  void aSecondVertexWithAValueIsRefused(String isolation) throws Exception {
    try (Bg3 store = open(isolation)) {
      GraphStore graph = store.graph();
      createAndAwait(graph);
      set(graph, 1, "A");
      set(graph, 1, "A");
      set(graph, "two", "B");
      IllegalArgumentException e =
          assertThrows(DuplicateValueException.class, () -> set(graph, 3, "A"));
      assertEquals(
          "no two vertices may have this value: unique index=*.code, value=A, vertex=3,"
              + " other vertex=1",
          e.getMessage());
      e = assertThrows(DuplicateValueException.class, () -> set(graph, 3, "B"));
      assertTrue(e.getMessage().endsWith("vertex=3, other vertex=two"), e.getMessage());
      assertThrows(
          DuplicateValueException.class,
          () ->
              graph.update(
                  3,
                  in -> {
                    set(in, 3, "B");
                    return null;
                  }));
      set(graph, 3, "C");
      try (GraphTransaction in = graph.begin()) {
        set(in, 3, "A");
        assertEquals(List.of(1L, 3L), Indexes.find(in, KEY, "A"));
        assertThrows(DuplicateValueException.class, in::commit);
        set(in, 1, "C"); // still open: now they have swapped
        assertEquals(List.of(3L), Indexes.find(in, KEY, "A"));
        in.commit();
      }
      try (GraphTransaction in = graph.begin()) {
        in.removeVertex(3);
        set(in, 4, "A");
        in.removeVertex(4);
        set(in, 5, "A");
        in.commit();
      }
      assertEquals(List.of(5L), find(graph, "A"));
      assertEquals(List.of(1L), find(graph, "C"));
      requireNoProblem(store);
    }
  }

  private static List<Long> find(GraphStore graph, Object... values) {
    try (GraphTransaction in = graph.beginReadOnly()) {
      return Indexes.find(in, KEY, values);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"strict", "snapshot"})
  void ofTwoTransactionsThatGiveAValueOneConflicts(String isolation) throws Exception {
    try (Bg3 store = open(isolation)) {
      GraphStore graph = store.graph();
      createAndAwait(graph);
      try (GraphTransaction one = graph.begin();
          GraphTransaction other = graph.begin()) {
        set(one, 1, 7);
        set(other, 2, 7.0);
        one.commit();
        assertThrows(ConflictException.class, other::commit);
      }
      try (GraphTransaction taker = graph.begin()) {
        set(taker, 1, 8); // 7 is free when this is committed
        try (GraphTransaction early = graph.begin()) {
          set(early, 2, 7);
          assertThrows(DuplicateValueException.class, early::commit);
        }
        taker.commit();
      }
      set(graph, 2, 7);
      requireNoProblem(store);
    }
  }

  @Test
  void numbersAreTheSameExactlyAndTextsAreWhole() throws Exception {
    try (Bg3 store = open("strict")) {
      GraphStore graph = store.graph();
      createAndAwait(graph);
      List<Object> different =
          List.of(
              1,
              0.0,
              0.1,
              0.1f,
              1L << 53,
              (1L << 53) + 1,
              new BigDecimal("0.1"),
              new BigDecimal("0.10000000000000000001"),
              Long.MAX_VALUE,
              BigInteger.TWO.pow(70).add(BigInteger.ONE),
              Math.pow(2, 70),
              new BigDecimal("1E+400"),
              new BigDecimal("2E+400"),
              Double.POSITIVE_INFINITY,
              new BigDecimal("1E-400"),
              "x".repeat(128) + "a",
              "x".repeat(128) + "b",
              "1",
              '1',
              true,
              new UUID(1, 2),
              Instant.EPOCH,
              Instant.EPOCH.plusNanos(1),
              Date.from(Instant.EPOCH),
              Instant.EPOCH.atOffset(ZoneOffset.UTC),
              Instant.EPOCH.atOffset(ZoneOffset.ofHours(1)),
              Instant.EPOCH.atZone(ZoneId.of("Europe/Vienna")),
              Instant.EPOCH.atZone(ZoneId.of("Europe/Berlin")));
      int id = 0;
      for (Object value : different) {
        set(graph, ++id, value);
      }
      int all = id;
      List<Object> equal =
          List.of(
              1.0,
              new BigDecimal("1.00"),
              -0.0f,
              exactly(0.1),
              (double) 0.1f,
              (double) (1L << 53),
              BigInteger.TWO.pow(53).add(BigInteger.ONE),
              new BigDecimal("0.100"),
              new BigDecimal(BigInteger.valueOf(Long.MAX_VALUE)),
              BigInteger.TWO.pow(70),
              BigInteger.TEN.pow(400),
              Float.POSITIVE_INFINITY,
              "x".repeat(128) + "a",
              new UUID(1, 2),
              Instant.ofEpochSecond(0),
              new Timestamp(0),
              OffsetDateTime.parse("1970-01-01T01:00:00+01:00"),
              ZonedDateTime.of(1970, 1, 1, 1, 0, 0, 0, ZoneId.of("Europe/Berlin")));
      for (Object value : equal) {
        assertThrows(
            DuplicateValueException.class, () -> set(graph, all + 1, value), value::toString);
      }
      List<Object> refused = List.of(List.of(1), Double.NaN, new byte[] {1}, "x".repeat(3_000));
      for (Object value : refused) {
        IllegalArgumentException e =
            assertThrows(DuplicateValueException.class, () -> set(graph, all + 1, value));
        assertTrue(e.getMessage().contains("vertex=" + (all + 1)), e.getMessage());
      }
      set(graph, all + 1, 1_234.5);
      assertEquals(1, find(graph, 1).size());
      assertEquals(List.of((long) all + 1), find(graph, new BigDecimal("1234.50"), 1_234.5f));
      requireNoProblem(store);
    }
  }

  private static BigDecimal exactly(double value) {
    return new BigDecimal(value);
  }

  @Test
  void definitionsOfAllVersionsAreRead() {
    byte[] key =
        new GraphIndex(7, ElementKind.VERTEX, 0, List.of(1), false, true, IndexState.BUILDING, 0)
            .definitionKey();
    assertEquals(
        new GraphIndex(7, ElementKind.VERTEX, 3, List.of(200), false, false, IndexState.READY, 0),
        GraphIndex.decode(key, new byte[] {1, 2, 3, (byte) 0xC8, 1}));
    GraphIndex unique =
        new GraphIndex(7, ElementKind.VERTEX, 3, List.of(200), true, false, IndexState.READY, 0);
    assertArrayEquals(new byte[] {2, 2, 1, 3, 1, (byte) 0xC8, 1}, unique.encode());
    assertEquals(unique, GraphIndex.decode(key, unique.encode()));
    GraphIndex several =
        new GraphIndex(
            7, ElementKind.VERTEX, 3, List.of(5, 200), false, false, IndexState.READY, 0);
    assertArrayEquals(new byte[] {3, 2, 0, 3, 2, 5, (byte) 0xC8, 1}, several.encode());
    assertEquals(several, GraphIndex.decode(key, several.encode()));
    GraphIndex edges =
        new GraphIndex(7, ElementKind.EDGE, 0, List.of(5), true, false, IndexState.READY, 0);
    assertArrayEquals(new byte[] {3, 2, 3, 0, 1, 5}, edges.encode());
    assertEquals(edges, GraphIndex.decode(key, edges.encode()));
    GraphIndex ordered =
        new GraphIndex(7, ElementKind.VERTEX, 3, List.of(200), true, true, IndexState.READY, 0);
    assertArrayEquals(new byte[] {4, 2, 1, 3, 1, (byte) 0xC8, 1}, ordered.encode());
    assertEquals(ordered, GraphIndex.decode(key, ordered.encode()));
    for (byte[] wrong :
        new byte[][] {
          {5, 2, 1, 3, 1, 1},
          {4, 2, 4, 3, 1, 1},
          {2, 2, 2, 3, 1, 1},
          {3, 2, 4, 3, 1, 1},
          {2, 2, 1, 3, 2, 1, 1},
          {3, 2, 1, 3, 2, 1},
          {2, 9}
        }) {
      assertThrows(CorruptionException.class, () -> GraphIndex.decode(key, wrong));
    }
  }

  /** One vertex may have a value twice, and keeps it when one goes. */
  @Test
  void aVertexMayHaveAValueTwice() throws Exception {
    try (Bg3 store = open("strict")) {
      GraphStore graph = store.graph();
      createAndAwait(graph);
      graph.retry(
          in -> {
            in.addVertex(1L, "v");
            in.setProperty(1, Cardinality.LIST, KEY, 1, null);
            return in.setProperty(1, Cardinality.LIST, KEY, 1.0, null);
          });
      graph.retry(
          in -> {
            return in.removeProperty(new PropertyId(1, in.vertex(1).properties().get(0).number()));
          });
      assertThrows(DuplicateValueException.class, () -> set(graph, 2, 1));
      requireNoProblem(store);
    }
  }

  @Test
  void valuesThatAreThereTwiceFailTheBuildAndNoWriter() throws Exception {
    Settings settings = Settings.defaults().with(Setting.DIRECTORY, directory.toString());
    try (Bg3 store = Bg3.open(settings)) {
      GraphStore graph = store.graph();
      for (int vertex = 0; vertex < 10; vertex++) {
        set(graph, vertex, vertex % 9);
      }
      graph.createUniqueIndex(null, KEY);
      assertEquals(
          "no two vertices may have this value: unique index=*.code, value=0, vertex=9,"
              + " other vertex=0",
          awaitProblem(graph));
      assertEquals(IndexState.BUILDING, graph.indexes().get(0).state());
      set(graph, 10, 1); // a writer is not refused
      assertThrows(IllegalArgumentException.class, () -> graph.createIndex(null, KEY));
      assertEquals(
          List.of(),
          graph.indexesFor(
              ElementKind.VERTEX,
              List.of(new Condition(KEY, Sought.anyOf(List.of(1)))),
              List.of()));
      set(graph, 9, 9);
      graph.createUniqueIndex(null, KEY);
      assertTrue(awaitProblem(graph).contains("vertex=10, other vertex=1"));
    }
    try (Bg3 store = Bg3.open(settings)) {
      GraphStore graph = store.graph();
      awaitProblem(graph);
      set(graph, 10, List.of(10));
      graph.createUniqueIndex(null, KEY);
      assertTrue(awaitProblem(graph).contains("has to be a number, text"));
      set(graph, 10, 10);
      createAndAwait(graph);
      assertThrows(DuplicateValueException.class, () -> set(graph, 11, 1));
      requireNoProblem(store);
    }
    try (Bg3 store = Bg3.open(settings)) {
      assertThrows(DuplicateValueException.class, () -> set(store.graph(), 11, 1));
      assertTrue(store.graph().dropIndex(null, KEY));
      set(store.graph(), 11, 1);
      Indexes.await(store.graph());
      requireNoProblem(store);
    }
  }

  private static String awaitProblem(GraphStore graph) throws InterruptedException {
    while (graph.indexes().get(0).problem() == null) {
      Thread.sleep(1);
    }
    return graph.indexes().get(0).problem();
  }

  /**
   * Threads give values to vertices, swap them and remove vertices, in transactions and under
   * locks, while the index is made, beside them, until no value is there twice.
   */
  @ParameterizedTest
  @ValueSource(strings = {"strict", "snapshot"})
  void valuesStayUniqueBesideEachOther(String isolation) throws Exception {
    long seed = Seeds.one();
    try (Bg3 store = open(isolation)) {
      GraphStore graph = store.graph();
      AtomicInteger refused = new AtomicInteger();
      ExecutorService threads = Executors.newFixedThreadPool(3);
      try {
        List<Future<?>> writers = new ArrayList<>();
        for (int writer = 0; writer < 3; writer++) {
          Random random = new Random(seed + writer);
          writers.add(threads.submit(() -> changeOften(graph, random, refused)));
        }
        graph.createUniqueIndex(null, KEY);
        for (Future<?> writer : writers) {
          writer.get();
        }
      } finally {
        threads.shutdown();
      }
      String at = isolation + ", -Dbg3.seed=" + seed;
      settle(graph);
      assertEquals(List.of(), store.check(looked -> {}), at);
      Random random = new Random(seed);
      changeOften(graph, random, refused);
      assertFalse(refused.get() == 0, at);
      assertEquals(List.of(), store.check(looked -> {}), at);
    }
  }

  /** Gives every vertex a value of its own until the index is ready. */
  private static void settle(GraphStore graph) throws InterruptedException {
    while (graph.indexes().get(0).state() != IndexState.READY) {
      if (graph.indexes().get(0).problem() != null) {
        for (int vertex = 0; vertex < VERTICES; vertex++) {
          set(graph, vertex, 100 + vertex);
        }
        graph.createUniqueIndex(null, KEY);
      }
      Thread.sleep(1);
    }
  }

  private static void changeOften(GraphStore graph, Random random, AtomicInteger refused) {
    for (int i = 0; i < CHANGES; i++) {
      long vertex = random.nextInt(VERTICES);
      long other = random.nextInt(VERTICES);
      Object value =
          random.nextBoolean() ? random.nextInt(VALUES) : (double) random.nextInt(VALUES);
      try {
        switch (random.nextInt(5)) {
          case 0 ->
              graph.update(
                  vertex,
                  in -> {
                    set(in, vertex, value);
                    return null;
                  });
          case 1 -> graph.retry(in -> remove(in, vertex));
          case 2 -> graph.retry(in -> swap(in, vertex, other));
          default -> set(graph, vertex, value);
        }
      } catch (DuplicateValueException e) {
        refused.incrementAndGet();
      }
    }
  }

  private static Void remove(GraphTransaction in, long vertex) {
    if (in.vertexExists(vertex)) {
      in.removeVertex(vertex);
    }
    return null;
  }

  private static Void swap(GraphTransaction in, long vertex, long other) {
    if (in.vertexExists(vertex) && in.vertexExists(other)) {
      Object first = value(in, vertex);
      set(in, vertex, value(in, other));
      set(in, other, first);
    }
    return null;
  }

  private static Object value(GraphTransaction in, long vertex) {
    return in.vertex(vertex).properties().get(0).value();
  }
}
