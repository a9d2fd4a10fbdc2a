package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.core.record.PropertyBytes;
import io.bg3.core.record.PropertyId;
import io.bg3.core.record.PropertyRecord;
import io.bg3.core.record.VertexRecord;
import io.bg3.core.transaction.ConflictException;
import io.bg3.testing.Seeds;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Changes vertices at random in transactions and under locks, while indexes come and go and the
 * store is closed and opened, and looks values up in the middle of transactions: an index names
 * what a scan finds, and in the end every index has the entries of the records and no others. One
 * key has a unique index all the time: a commit is refused if and only if two vertices would have
 * one value of it.
 *
 * <p>Takes about 5 s; a failure prints the seed, {@code -Dbg3.seed=N} repeats it as far as the
 * thread that builds indexes allows.
 */
class IndexModelTest {
  private static final int ROUNDS = 400;
  private static final int VERTICES = 12;
  private static final String UNIQUE = "u";
  private static final String[] LABELS = {"a", "b"};
  private static final String[] KEYS = {"x", "y", UNIQUE};
  private static final String[][] INDEXED = {{"x"}, {"y"}, {"x", "y"}, {"y", UNIQUE, "x"}};
  private static final List<Object> VALUES =
      List.of(
          1,
          1L,
          2.0,
          "1",
          "one",
          "t".repeat(200),
          "t".repeat(2_000),
          List.of(1),
          'c',
          true,
          Instant.EPOCH,
          Instant.EPOCH.minusNanos(1));

  @TempDir Path directory;
  private Random random;
  private Bg3 store;
  private long answered;
  private long answeredBySeveral;
  private long refused;

  @ParameterizedTest
  @ValueSource(strings = {"strict", "snapshot"})
  void indexesNameWhatAScanFinds(String isolation) throws Exception {
    long seed = Seeds.one();
    random = new Random(seed);
    Settings settings =
        Settings.defaults()
            .with(Setting.DIRECTORY, directory.toString())
            .with(Setting.DURABILITY, "none")
            .with(Setting.PAGE_CAPACITY, "1k")
            .with(Setting.MEMORY_BUDGET, "32m")
            .with(Setting.ISOLATION, isolation);
    String at = isolation + ", -Dbg3.seed=" + seed;
    store = Bg3.open(settings);
    try {
      store.graph().createIndex(null, "x");
      store.graph().createUniqueIndex(null, UNIQUE);
      Indexes.await(store.graph());
      for (int round = 0; round < ROUNDS; round++) {
        switch (random.nextInt(12)) {
          case 0 -> store.graph().createIndex(label(), indexed());
          case 1 -> store.graph().dropIndex(label(), indexed());
          case 2 -> {
            store.close();
            store = Bg3.open(settings);
          }
          case 3, 4 -> update();
          default -> transaction(at);
        }
      }
      store.graph().createIndex(null, "x");
      Indexes.await(store.graph());
      assertEquals(List.of(), store.check(looked -> {}), at);
      try (GraphTransaction graph = store.graph().begin()) {
        lookUp(graph, at);
      }
      assertTrue(refused > ROUNDS / 50, () -> at + ", refused: " + refused);
      assertTrue(answered > ROUNDS / 8, () -> at + ", answered by indexes: " + answered);
      assertTrue(
          answeredBySeveral > ROUNDS / 40, () -> at + ", by several keys: " + answeredBySeveral);
    } finally {
      store.close();
    }
  }

  private String label() {
    return random.nextInt(3) == 0 ? null : LABELS[random.nextInt(LABELS.length)];
  }

  private String[] indexed() {
    List<String[]> all = List.of(INDEXED);
    return all.get(random.nextInt(all.size()));
  }

  private String key() {
    return KEYS[random.nextInt(KEYS.length)];
  }

  private Object value() {
    return VALUES.get(random.nextInt(VALUES.size()));
  }

  private void transaction(String at) {
    try (GraphTransaction graph = store.graph().begin()) {
      for (int changes = random.nextInt(8); changes > 0; changes--) {
        change(graph, 1 + random.nextInt(VERTICES));
        if (random.nextInt(3) == 0) {
          lookUp(graph, at);
        }
      }
      if (random.nextInt(8) > 0) {
        String refusal = refusal(graph);
        if (refusal == null) {
          graph.commit();
        } else {
          refused++;
          assertThrows(DuplicateValueException.class, graph::commit, () -> at + ", " + refusal);
        }
      }
    } catch (ConflictException e) {
      // an index was dropped that it has read from
    }
  }

  /** Why a commit is refused, null if it is not. */
  private static String refusal(GraphTransaction graph) {
    Map<BigDecimal, Long> numbers = new HashMap<>();
    Map<Object, Long> others = new HashMap<>();
    try (VertexScan scan = graph.vertices()) {
      while (scan.next()) {
        for (PropertyRecord property : scan.record().withKey(graph.findKey(UNIQUE))) {
          Object value = graph.value(scan.vertex(), property);
          Long other =
              value instanceof Number number
                  ? numbers.put(
                      new BigDecimal(number.toString()).stripTrailingZeros(), scan.vertex())
                  : others.put(value, scan.vertex());
          if (property.isLarge()
              || value instanceof List
              || (other != null && other != scan.vertex())) {
            return value + " of " + scan.vertex() + " and " + other;
          }
        }
      }
    }
    return null;
  }

  private void update() {
    long vertex = 1L + random.nextInt(VERTICES);
    try {
      store
          .graph()
          .update(
              vertex,
              graph -> {
                change(graph, vertex);
                return null;
              });
    } catch (DuplicateValueException e) {
      refused++;
    }
  }

  private void change(GraphTransaction graph, long vertex) {
    if (!graph.vertexExists(vertex)) {
      graph.addVertex(vertex, LABELS[random.nextInt(LABELS.length)]);
    }
    List<PropertyRecord> properties = graph.vertex(vertex).properties();
    PropertyRecord one =
        properties.isEmpty() ? null : properties.get(random.nextInt(properties.size()));
    switch (random.nextInt(12)) {
      case 0 -> graph.removeVertex(vertex);
      case 1 -> {
        graph.removeVertex(vertex);
        graph.addVertex(vertex, LABELS[random.nextInt(LABELS.length)]);
        graph.setProperty(vertex, Cardinality.SINGLE, key(), value(), null);
      }
      case 2 -> graph.addLabel(vertex, LABELS[random.nextInt(LABELS.length)]);
      case 3, 4, 5 -> {
        if (one != null) {
          graph.removeProperty(new PropertyId(vertex, one.number()));
        }
      }
      case 6 -> {
        if (one != null) {
          graph.setMeta(new PropertyId(vertex, one.number()), key(), value());
        }
      }
      case 7 ->
          graph
              .vertexWriter()
              .replace(
                  vertex,
                  LABELS[random.nextInt(LABELS.length)],
                  new PropertyBytes().put(store.graph().makePropertyKey(key()), value()));
      case 8 -> graph.setProperty(vertex, Cardinality.SET, key(), value(), null);
      case 9 -> graph.setProperty(vertex, Cardinality.SINGLE, key(), value(), null);
      default -> {
        Object value = value();
        String key = key();
        graph.setProperty(vertex, Cardinality.LIST, key, value, null);
        graph.setProperty(vertex, Cardinality.LIST, key, value, null);
      }
    }
  }

  /** A condition on a key, and how it is tested. */
  private record Tested(Condition condition, Predicate<Object> test) {
    boolean holds(GraphTransaction graph, long vertex, VertexRecord record) {
      return record.withKey(graph.findKey(condition.key())).stream()
          .anyMatch(property -> test.test(graph.value(vertex, property)));
    }
  }

  private Tested condition() {
    return switch (random.nextInt(5)) {
      case 4 ->
          new Tested(
              new Condition(key(), Sought.between(null, Instant.EPOCH.minusNanos(1))),
              value -> value instanceof Instant instant && instant.isBefore(Instant.EPOCH));
      case 0 ->
          new Tested(
              new Condition(key(), Sought.between(1, 1.5)),
              value -> value instanceof Number number && number.doubleValue() < 2);
      case 1 ->
          new Tested(
              new Condition(key(), Sought.startingWith("t")),
              value -> value instanceof String text && text.startsWith("t"));
      default -> {
        List<Object> values = random.nextBoolean() ? List.of(value()) : List.of(value(), value());
        yield new Tested(new Condition(key(), Sought.anyOf(values)), values::contains);
      }
    };
  }

  private void lookUp(GraphTransaction graph, String at) {
    String label = label();
    String[] labels = label == null ? new String[0] : new String[] {label};
    List<Tested> tested = new ArrayList<>(List.of(condition()));
    while (random.nextInt(3) > 0) {
      tested.add(condition());
    }
    List<Condition> conditions = tested.stream().map(Tested::condition).toList();
    List<Long> found = new ArrayList<>();
    try (VertexLookup lookup = graph.lookUp(conditions, labels)) {
      if (lookup == null) {
        return;
      }
      answered++;
      answeredBySeveral += lookup.indexes().get(0).contains("+") ? 1 : 0;
      while (lookup.next()) {
        VertexRecord record = lookup.record();
        if (tested.stream().allMatch(each -> each.holds(graph, lookup.vertex(), record))) {
          found.add(lookup.vertex());
        }
      }
    }
    List<Long> scanned = new ArrayList<>();
    try (VertexScan scan = graph.vertices(labels)) {
      while (scan.next()) {
        VertexRecord record = scan.record();
        if (tested.stream().allMatch(each -> each.holds(graph, scan.vertex(), record))) {
          scanned.add(scan.vertex());
        }
      }
    }
    found.sort(null); // ranges come in the order of their values
    assertEquals(scanned, found, () -> at + ", " + Arrays.toString(labels) + conditions);
  }
}
