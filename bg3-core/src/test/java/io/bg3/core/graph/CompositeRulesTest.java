package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.Settings;
import io.bg3.core.record.IndexForm;
import io.bg3.core.record.PropertyCell;
import io.bg3.core.record.PropertyId;
import io.bg3.core.record.PropertyRecord;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Twin;
import io.bg3.testing.Seeds;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Indexes of several keys: what they find, and which combinations they keep unique. */
class CompositeRulesTest {
  private static Bg3 open() throws Exception {
    return Bg3.open(Settings.defaults().with("bg3.memory.budget", "16m"));
  }

  private static void add(GraphStore graph, long vertex, Object city, Object... ages) {
    graph.retry(
        in -> {
          in.addVertex(vertex, "person");
          if (city != null) {
            in.setProperty(vertex, Cardinality.SINGLE, "city", city, null);
          }
          for (Object age : ages) {
            in.setProperty(vertex, Cardinality.LIST, "age", age, null);
          }
          return null;
        });
  }

  private static Condition is(String key, Object... values) {
    return new Condition(key, Sought.anyOf(List.of(values)));
  }

  private static Condition between(String key, Object low, Object high) {
    return new Condition(key, Sought.between(low, high));
  }

  private static List<Long> find(GraphStore graph, Condition... conditions) {
    try (GraphTransaction in = graph.beginReadOnly();
        VertexLookup lookup = in.lookUp(List.of(conditions), "person")) {
      List<Long> found = lookup == null ? null : new ArrayList<>();
      while (lookup != null && lookup.next()) {
        found.add(lookup.vertex());
      }
      return found;
    }
  }

  private static void requireNoProblem(Bg3 store) {
    assertEquals(List.of(), store.check(looked -> {}));
  }

  @RuleTest(
      rule = 38,
      twins = {
        @Twin(
            name = "a vertex without a value of a further key has no entry",
            in = "io.bg3.core.graph.GraphIndex",
            method = "combinations",
            without = "GraphIndex.orAbsent",
            instead = "none"),
        @Twin(
            name = "a range of the first key is followed by a condition on the next",
            in = "io.bg3.core.graph.IndexPlan",
            method = "addPlans",
            without = "Sought.isEquality",
            result = 1),
        @Twin(
            name = "a vertex comes once for each of its combinations",
            in = "io.bg3.core.graph.VertexLookup",
            method = "hasSingleValues",
            result = 1)
      })
  void anIndexOfSeveralKeysNamesEachVertexOnce() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      add(graph, 1, "Wien", 20);
      graph.createIndex("person", "city", "age");
      Indexes.await(graph);
      add(graph, 2, "Wien", 30, 40, "old");
      add(graph, 3, "Wien");
      add(graph, 4, "Graz", 30);
      add(graph, 5, null, 30);
      assertEquals(List.of(2L), find(graph, is("city", "Wien"), is("age", 30L)));
      assertEquals(List.of(1L, 2L), find(graph, is("age", 20, 40.0), is("city", "Wien")));
      assertEquals(List.of(1L, 2L), find(graph, is("city", "Wien"), between("age", 10, 50)));
      assertEquals(List.of(2L, 4L), sorted(find(graph, is("city", "Wien", "Graz"), is("age", 30))));
      assertEquals(List.of(3L, 1L, 2L), find(graph, is("city", "Wien")));
      assertEquals(
          List.of(1L, 2L, 3L), sorted(find(graph, between("city", "H", "Z"), is("age", 30))));
      assertNull(find(graph, is("age", 30)));
      requireNoProblem(store);
    }
  }

  private static List<Long> sorted(List<Long> vertices) {
    List<Long> sorted = new ArrayList<>(vertices);
    sorted.sort(null);
    return sorted;
  }

  /** No values, where there should be one that is absent. */
  static List<PropertyRecord> none(List<PropertyRecord> values) {
    return values;
  }

  /** A vertex whose combinations are not kept one by one comes at every look-up. */
  @Test
  void whatIsNotToldFromOthersIsFound() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      graph.createIndex("person", "city", "age");
      Indexes.await(graph);
      add(graph, 1, "Wien", List.of(1));
      add(graph, 2, "x".repeat(3_000), 1);
      Object[] many = new Object[65];
      for (int i = 0; i < many.length; i++) {
        many[i] = i;
      }
      add(graph, 3, "Graz", many);
      add(graph, 4, "Graz", 65);
      assertEquals(List.of(1L, 2L, 3L, 4L), find(graph, is("city", "Graz"), is("age", 65)));
      assertEquals(List.of(1L, 2L, 3L), find(graph, is("city", "Linz")));
      requireNoProblem(store);
      graph.retry(
          in -> {
            in.removeProperty(
                new PropertyId(3, in.vertex(3).withKey(in.findKey("age")).get(0).number()));
            return null;
          });
      assertEquals(List.of(1L, 2L), find(graph, is("city", "Linz")));
      assertEquals(List.of(1L, 2L, 3L), sorted(find(graph, is("city", "Graz"), is("age", 64))));
      requireNoProblem(store);
    }
  }

  /** The index with fewer entries is read, and named. */
  @Test
  void theIndexThatTellsMostIsChosen() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      graph.createIndex(null, "city");
      graph.createIndex("person", "city", "age");
      graph.createIndex("person", "age");
      Indexes.await(graph);
      for (int i = 0; i < 40; i++) {
        add(graph, i, "Wien", i % 8);
      }
      add(graph, 100, "Graz", 50);
      assertEquals(List.of("person.city+age"), used(graph, is("city", "Wien"), is("age", 7)));
      assertEquals(List.of("person.age"), used(graph, is("age", 50), between("city", "A", "Z")));
      assertEquals(
          List.of("person.city+age", "*.city", "person.age"),
          graph.indexesFor(
              ElementKind.VERTEX,
              List.of(is("city", "Wien"), between("age", 1, null)),
              List.of("person")));
    }
  }

  private static List<String> used(GraphStore graph, Condition... conditions) {
    try (GraphTransaction in = graph.beginReadOnly();
        VertexLookup lookup = in.lookUp(List.of(conditions), "person")) {
      return lookup.indexes();
    }
  }

  @RuleTest(
      rule = 38,
      twins = {
        @Twin(
            name = "a combination with an absent value is kept unique",
            in = "io.bg3.core.graph.GraphIndex",
            method = "keepsUnique",
            result = 1),
        @Twin(
            name = "texts with one beginning are one value of a combination",
            in = "io.bg3.core.record.IndexKey",
            method = "entry(ILjava/util/List;[BLio/bg3/core/record/IndexForm;)[B",
            without = "IndexValue.rest",
            instead = "noRest")
      })
  void aCombinationIsUnique() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      graph.createUniqueIndex("person", "city", "age");
      Indexes.await(graph);
      String longText = "x".repeat(200);
      add(graph, 1, "Wien", 20);
      add(graph, 2, "Wien", 30);
      add(graph, 3, "Wien");
      assertDoesNotThrow(() -> add(graph, 4, "Wien"));
      add(graph, 5, longText + 1, (1L << 53) + 1);
      assertDoesNotThrow(() -> add(graph, 6, longText + 1, (double) (1L << 53)));
      assertDoesNotThrow(() -> add(graph, 7, longText + 2, (1L << 53) + 1));
      DuplicateValueException e =
          assertThrows(DuplicateValueException.class, () -> add(graph, 8, "Wien", 30.0));
      assertTrue(e.getMessage().contains("person.city+age, value=[Wien, 30.0]"), e.getMessage());
      assertThrows(DuplicateValueException.class, () -> add(graph, 8, "Wien", List.of(1)));
      assertEquals(List.of(2L), find(graph, is("city", "Wien"), is("age", 30)));
      assertEquals(
          List.of(5L, 6L, 7L), sorted(find(graph, is("city", longText + 1), is("age", 1L << 53))));
      graph.retry(
          in -> { // they swap
            in.setProperty(1, Cardinality.SINGLE, "age", 30, null);
            in.setProperty(2, Cardinality.SINGLE, "age", 20, null);
            return null;
          });
      requireNoProblem(store);
    }
  }

  /** A range of dates behind an equal text, in an index that keeps combinations unique. */
  @Test
  void aRangeOfDatesComesLast() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      graph.createUniqueIndex("person", "city", "age");
      graph.createIndex("person", "age", "city");
      Indexes.await(graph);
      LocalDate born = LocalDate.of(1969, 12, 31);
      for (int i = 0; i < 8; i++) {
        add(graph, i, i % 2 == 0 ? "Wien" : "Graz", born.plusDays(i));
      }
      assertEquals(
          List.of(0L, 2L), find(graph, is("city", "Wien"), between("age", null, born.plusDays(3))));
      assertEquals(
          List.of(5L, 7L), find(graph, is("city", "Graz"), between("age", born.plusDays(5), null)));
      assertEquals(List.of(3L), find(graph, is("age", born.plusDays(3)), is("city", "Graz")));
      assertThrows(DuplicateValueException.class, () -> add(graph, 9, "Graz", born.plusDays(3)));
      assertDoesNotThrow(() -> add(graph, 9, "Wien", born.plusDays(3)));
      requireNoProblem(store);
    }
  }

  /** The end of a combination's values when none of them has a rest. */
  static byte[] noRest(PropertyCell property, IndexForm form) {
    return new byte[1];
  }

  /** A build fails if two vertices have a combination, and no writer does. */
  @Test
  void combinationsFromBeforeAreVerified() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      add(graph, 1, "Wien", 20);
      add(graph, 2, "Wien", 20);
      add(graph, 3, "Wien");
      add(graph, 4, "Wien");
      graph.createUniqueIndex(null, "city", "age");
      while (graph.indexes().get(0).problem() == null) {
        Thread.sleep(1);
      }
      assertTrue(graph.indexes().get(0).problem().contains("*.city+age"));
      graph.retry(
          in -> {
            in.setProperty(2, Cardinality.SINGLE, "age", 21, null);
            return null;
          });
      graph.createUniqueIndex(null, "city", "age");
      Indexes.await(graph);
      assertThrows(DuplicateValueException.class, () -> add(graph, 5, "Wien", 21));
      requireNoProblem(store);
    }
  }

  /** Commits are refused if and only if two vertices would have a combination. */
  @Test
  void randomCombinationsStayUnique() throws Exception {
    long seed = Seeds.one();
    Random random = new Random(seed);
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      graph.createUniqueIndex(null, "a", "b", "c");
      Indexes.await(graph);
      Object[][] model = new Object[12][3];
      int refused = 0;
      for (int round = 0; round < 600; round++) {
        Object[][] next = new Object[model.length][];
        for (int i = 0; i < next.length; i++) {
          next[i] = model[i].clone();
        }
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
          Object value = random.nextInt(5) == 0 ? null : (Object) random.nextInt(2);
          next[random.nextInt(next.length)][random.nextInt(3)] = value;
        }
        Set<List<Object>> combinations = new HashSet<>();
        boolean isUnique = true;
        for (Object[] each : next) {
          boolean isPartial = each[0] == null || each[1] == null || each[2] == null;
          isUnique &= isPartial || combinations.add(List.of(each));
        }
        Object[][] before = model;
        Runnable change = () -> change(graph, before, next);
        if (isUnique) {
          change.run();
          model = next;
        } else {
          refused++;
          assertThrows(DuplicateValueException.class, change::run, "-Dbg3.seed=" + seed);
        }
      }
      assertTrue(refused > 10 && refused < 590, "refused=" + refused + ", -Dbg3.seed=" + seed);
      requireNoProblem(store);
    }
  }

  private static void change(GraphStore graph, Object[][] before, Object[][] next) {
    graph.retry(
        in -> {
          for (int i = 0; i < next.length; i++) {
            if (!in.vertexExists(i)) {
              in.addVertex((long) i, "v");
            }
            for (int key = 0; key < 3; key++) {
              set(in, i, "abc".substring(key, key + 1), before[i][key], next[i][key]);
            }
          }
          return null;
        });
  }

  private static void set(
      GraphTransaction in, long vertex, String key, Object before, Object next) {
    if (next == null && before != null) {
      in.removeProperty(
          new PropertyId(vertex, in.vertex(vertex).withKey(in.findKey(key)).get(0).number()));
    } else if (next != null && !next.equals(before)) {
      in.setProperty(vertex, Cardinality.SINGLE, key, next, null);
    }
  }
}
