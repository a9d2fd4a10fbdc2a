package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.core.record.PropertyId;
import io.bg3.core.record.PropertyRecord;
import io.bg3.testing.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Changes vertices and edges at random, in transactions and under locks, while schemas that are
 * random too come and go and the store is closed and opened. A model of maps and lists says by
 * rules of its own which commits are refused, which schemas fail, and what is there in the end.
 */
class SchemaModelTest {
  private static final List<Cardinality> CARDINALITIES = List.of(Cardinality.values());

  private static final int ROUNDS = 300;

  /** A run goes on for so many rounds if few commits are refused, or no schema fails. */
  private static final int MOST_ROUNDS = 10 * ROUNDS;

  private static final int VERTICES = 6;
  private static final String[] LABELS = {"a", "b"};
  private static final String[] KEYS = {"x", "y", "z"};
  private static final List<Object> VALUES =
      List.of(1, 2, 1L, 2.5, "one", "t".repeat(2_000), true, List.of(1));
  private static final Map<ValueType, Predicate<Object>> TYPES =
      Map.of(
          ValueType.ANY, value -> true,
          ValueType.INTEGER, value -> value instanceof Integer,
          ValueType.WHOLE_NUMBER, value -> value instanceof Integer || value instanceof Long,
          ValueType.NUMBER, value -> value instanceof Number,
          ValueType.STRING, value -> value instanceof String);

  /**
   * An element as the model has it.
   *
   * @param source of an edge, which is its target too; null for a vertex
   */
  private record Element(String label, String source, Map<String, List<Object>> values) {
    Element copy() {
      Map<String, List<Object>> copy = new TreeMap<>();
      values.forEach((key, list) -> copy.put(key, new ArrayList<>(list)));
      return new Element(label, source, copy);
    }
  }

  @TempDir Path directory;
  private Random random;
  private Bg3 store;

  /** By the ids of vertices, and of edges by their own ids. */
  private Map<Object, Element> elements = new TreeMap<>();

  private final Map<String, LabelSchema> enforced = new HashMap<>();
  private int refused;
  private int failed;

  @ParameterizedTest
  @ValueSource(strings = {"strict", "snapshot"})
  void commitsAreRefusedIfAndOnlyIfTheModelSaysSo(String isolation) throws Exception {
    long seed = Seeds.one();
    random = new Random(seed);
    Settings settings =
        Settings.defaults()
            .with(Setting.DIRECTORY, directory.toString())
            .with(Setting.DURABILITY, "none")
            .with(Setting.MEMORY_BUDGET, "32m")
            .with(Setting.ISOLATION, isolation);
    String at = isolation + ", -Dbg3.seed=" + seed;
    store = Bg3.open(settings);
    try {
      for (int round = 0; round < ROUNDS || (round < MOST_ROUNDS && saysLittle()); round++) {
        switch (random.nextInt(16)) {
          case 0, 1 -> define(at);
          case 4 -> clear();
          case 2 -> drop(at);
          case 3 -> {
            store.close();
            store = Bg3.open(settings);
          }
          default -> change(at);
        }
      }
      assertEquals(List.of(), store.check(looked -> {}), at);
      assertEquals(elements, read(), at);
      assertFalse(saysLittle(), () -> at + ": refused=" + refused + ", failed=" + failed);
    } finally {
      store.close();
    }
  }

  private LabelSchema schema() {
    ElementKind kind = random.nextBoolean() ? ElementKind.VERTEX : ElementKind.EDGE;
    List<KeyRule> keys = new ArrayList<>();
    for (String key : KEYS) {
      if (random.nextInt(3) > 0) {
        ValueType type = List.copyOf(TYPES.keySet()).get(random.nextInt(TYPES.size()));
        Cardinality cardinality =
            kind == ElementKind.EDGE || random.nextBoolean()
                ? null
                : CARDINALITIES.get(random.nextInt(CARDINALITIES.size()));
        keys.add(new KeyRule(key, type, cardinality, random.nextInt(3) == 0));
      }
    }
    boolean single = kind == ElementKind.EDGE && random.nextBoolean();
    boolean closed = (keys.isEmpty() && !single) || random.nextInt(3) == 0;
    AllowedEnds ends = kind == ElementKind.EDGE ? ends() : AllowedEnds.any();
    return new LabelSchema(kind, LABELS[random.nextInt(LABELS.length)], keys, closed, single, ends);
  }

  private AllowedEnds ends() {
    AllowedEnds ends = AllowedEnds.any();
    if (random.nextInt(3) == 0) {
      ends = ends.from(LABELS[random.nextInt(LABELS.length)]);
    }
    return switch (random.nextInt(4)) {
      case 0 -> ends.to(LABELS);
      case 1 -> ends.to(LABELS[random.nextInt(LABELS.length)]);
      default -> ends;
    };
  }

  private void define(String at) throws Exception {
    LabelSchema schema = schema();
    store.graph().dropSchema(schema.kind(), schema.label());
    enforced.remove(schema.name());
    store.graph().defineSchema(schema);
    Schemas.await(store.graph());
    boolean met = meets(elements, schema);
    for (SchemaStatus each : store.graph().schemas()) {
      if (each.schema().equals(schema)) {
        assertEquals(met ? SchemaState.ENFORCED : SchemaState.FAILED, each.state(), at);
      }
    }
    if (met) {
      enforced.put(schema.name(), schema);
    } else {
      failed++;
      assertTrue(store.graph().dropSchema(schema.kind(), schema.label()), at);
    }
  }

  private boolean saysLittle() {
    return refused <= 5 || failed == 0;
  }

  /** So that some schemas find nothing that breaks them. */
  private void clear() {
    store
        .graph()
        .retry(
            in -> {
              for (long vertex = 1; vertex <= VERTICES; vertex++) {
                if (in.vertexExists(vertex)) {
                  in.removeVertex(vertex);
                }
              }
              return null;
            });
    elements = new TreeMap<>();
  }

  private void drop(String at) {
    LabelSchema schema = schema();
    boolean there = enforced.remove(schema.name()) != null;
    assertEquals(there, store.graph().dropSchema(schema.kind(), schema.label()), at);
  }

  private static boolean meets(Map<Object, Element> elements, LabelSchema schema) {
    List<String> sources =
        elements.values().stream()
            .filter(each -> each.source != null && each.label.equals(schema.label()))
            .map(Element::source)
            .toList();
    if (schema.kind() == ElementKind.EDGE
        && !sources.stream()
            .map(source -> elements.get(source).label) // the target too
            .allMatch(
                label ->
                    isAllowed(schema.ends().sources(), label)
                        && isAllowed(schema.ends().targets(), label))) {
      return false;
    }
    return elements.entrySet().stream()
            .allMatch(each -> meets(each.getKey(), each.getValue(), schema))
        && (!schema.single() || sources.stream().distinct().count() == sources.size());
  }

  private static boolean isAllowed(List<String> labels, String label) {
    return labels.isEmpty() || labels.contains(label);
  }

  private static boolean meets(Object id, Element element, LabelSchema schema) {
    boolean isEdge = id.toString().startsWith("e");
    if (isEdge != (schema.kind() == ElementKind.EDGE) || !element.label.equals(schema.label())) {
      return true;
    }
    List<String> named = new ArrayList<>();
    for (KeyRule rule : schema.keys()) {
      named.add(rule.key());
      List<Object> values = element.values.getOrDefault(rule.key(), List.of());
      boolean many = values.size() > 1;
      if ((rule.required() && values.isEmpty())
          || !values.stream().allMatch(TYPES.get(rule.type()))
          || (many && rule.cardinality() == Cardinality.SINGLE)
          || (rule.cardinality() == Cardinality.SET
              && values.stream().distinct().count() < values.size())) {
        return false;
      }
    }
    return !schema.closed() || named.containsAll(element.values.keySet());
  }

  /** A transaction of some steps, which the model takes too; then the model says how it ends. */
  private void change(String at) {
    Map<Object, Element> after = new TreeMap<>();
    elements.forEach((id, element) -> after.put(id, element.copy()));
    long seed = random.nextLong();
    boolean locked = random.nextBoolean();
    boolean done;
    Map<Object, Element> before = elements;
    try {
      if (locked) {
        long[] all = new long[VERTICES];
        Arrays.setAll(all, i -> i + 1);
        store
            .graph()
            .update(
                all,
                in -> {
                  steps(in, new Random(seed), copies(before, after), false);
                  return null;
                });
      } else {
        store
            .graph()
            .retry(
                in -> {
                  steps(in, new Random(seed), copies(before, after), true);
                  return null;
                });
      }
      done = true;
    } catch (SchemaViolationException e) {
      done = false;
      refused++;
    }
    boolean met = enforced.values().stream().allMatch(schema -> meets(after, schema));
    assertEquals(met, done, () -> at + ": " + after);
    if (done) {
      elements = after;
    }
  }

  private static Map<Object, Element> copies(
      Map<Object, Element> before, Map<Object, Element> after) {
    after.clear(); // the work may be done again
    before.forEach((id, element) -> after.put(id, element.copy()));
    return after;
  }

  /**
   * @param edges whether edges with ids may be touched: an update may not
   */
  private static void steps(
      GraphTransaction in, Random random, Map<Object, Element> model, boolean edges) {
    for (int step = random.nextInt(4); step >= 0; step--) {
      String id = "v" + (1 + random.nextInt(VERTICES));
      long vertex = Long.parseLong(id.substring(1));
      String edge = "e" + random.nextInt(4);
      String key = KEYS[random.nextInt(KEYS.length)];
      Object value = VALUES.get(random.nextInt(VALUES.size()));
      String label = LABELS[random.nextInt(LABELS.length)];
      Element element = model.get(id);
      switch (random.nextInt(edges ? 9 : 5)) {
        case 0 -> {
          if (element == null) {
            in.addVertex(vertex, label);
            model.put(id, new Element(label, null, new TreeMap<>()));
          }
        }
        case 1, 2 -> {
          if (element != null) {
            in.setProperty(vertex, Cardinality.SINGLE, key, value, null);
            element.values.put(key, new ArrayList<>(List.of(value)));
          }
        }
        case 3 -> {
          if (element != null) {
            in.setProperty(vertex, Cardinality.LIST, key, value, null);
            element.values.computeIfAbsent(key, none -> new ArrayList<>()).add(value);
          }
        }
        case 4 -> {
          if (element != null && element.values.remove(key) != null) {
            for (PropertyRecord each : in.vertex(vertex).withKey(in.findKey(key))) {
              in.removeProperty(new PropertyId(vertex, each.number()));
            }
          }
        }
        case 5 -> {
          if (element != null && !model.containsKey(edge)) {
            in.addEdge(vertex, label, vertex, edge, Map.of(key, value));
            Map<String, List<Object>> values = new TreeMap<>();
            values.put(key, new ArrayList<>(List.of(value)));
            model.put(edge, new Element(label, id, values));
          }
        }
        case 6 -> {
          if (element != null) { // and added again under its id, perhaps
            in.removeVertex(vertex);
            model.remove(id);
            model.values().removeIf(each -> id.equals(each.source));
          }
        }
        case 7 -> {
          if (model.containsKey(edge)) {
            in.setEdgeProperty(in.findEdge(edge), key, value);
            model.get(edge).values.put(key, new ArrayList<>(List.of(value)));
          }
        }
        default -> {
          if (model.containsKey(edge) && random.nextBoolean()) {
            in.removeEdge(in.findEdge(edge));
            model.remove(edge);
          } else if (model.containsKey(edge) && model.get(edge).values.remove(key) != null) {
            in.removeEdgeProperty(in.findEdge(edge), key);
          }
        }
      }
    }
  }

  private Map<Object, Element> read() {
    Map<Object, Element> found = new TreeMap<>();
    GraphStore graph = store.graph();
    try (GraphTransaction in = graph.beginReadOnly();
        VertexScan vertices = in.vertices();
        EdgeScan edges = in.edges(true)) {
      while (vertices.next()) {
        Map<String, List<Object>> values = new TreeMap<>();
        for (PropertyRecord each : in.vertex(vertices.vertex()).properties()) {
          values
              .computeIfAbsent(graph.propertyKey(each.key()), none -> new ArrayList<>())
              .add(in.value(vertices.vertex(), each));
        }
        String label = graph.vertexLabel(in.vertex(vertices.vertex()).label(0));
        found.put("v" + vertices.vertex(), new Element(label, null, values));
      }
      while (edges.next()) {
        Map<String, List<Object>> values = new TreeMap<>();
        edges
            .record()
            .properties()
            .forEach(each -> values.put(graph.propertyKey(each.key()), List.of(each.value())));
        String source = "v" + edges.edge().source();
        found.put(edges.userId(), new Element(graph.edgeLabel(edges.label()), source, values));
      }
    }
    return found;
  }
}
