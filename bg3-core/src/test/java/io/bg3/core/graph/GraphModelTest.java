package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.PropertyRecord;
import io.bg3.core.transaction.Dictionary;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Does the same random things to a graph and to maps, compares them after each transaction, and
 * closes and opens the store now and then. Repeat a run with {@code -Dbg3.seed=N}.
 */
class GraphModelTest {
  private static final int TRANSACTIONS = 300;
  private static final int VERTICES = 12;
  private static final String[] LABELS = {"knows", "likes", "follows"};
  private static final List<Cardinality> CARDINALITIES = List.of(Cardinality.values());
  private static final String[] KEYS = {"name", "text", "n"};

  @TempDir Path directory;

  /** Vertices by user's id with their values by key, and edges as text; copied by a transaction. */
  private static final class Model {
    final TreeMap<String, TreeMap<String, List<Object>>> vertices = new TreeMap<>();
    final TreeMap<String, Object> edges = new TreeMap<>();

    Model copy() {
      Model copy = new Model();
      vertices.forEach(
          (id, keys) -> {
            TreeMap<String, List<Object>> values = new TreeMap<>();
            keys.forEach((key, list) -> values.put(key, new ArrayList<>(list)));
            copy.vertices.put(id, values);
          });
      copy.edges.putAll(edges);
      return copy;
    }
  }

  @Test
  void graphAndMapsAgree() throws IOException {
    long seed = Seeds.one();
    Random random = new Random(seed);
    Settings settings =
        Settings.defaults()
            .with(Setting.DIRECTORY, directory.toString())
            .with(Setting.DURABILITY, "none")
            .with(Setting.PAGE_CAPACITY, "1k")
            .with(Setting.VALUE_THRESHOLD, "128");
    Model model = new Model();
    Bg3 store = Bg3.open(settings);
    try {
      for (int i = 0; i < TRANSACTIONS; i++) {
        String at = "seed=" + seed + ", transaction=" + i;
        Model changed = model.copy();
        try (GraphTransaction graph = store.graph().begin()) {
          for (int steps = random.nextInt(12); steps >= 0; steps--) {
            step(random, graph, changed);
          }
          compare(at + ", open", changed, graph);
          if (random.nextInt(5) > 0) {
            graph.commit();
            model = changed;
          }
        }
        if (random.nextInt(40) == 0) {
          store.close();
          store = Bg3.open(settings);
        }
        try (GraphTransaction graph = store.graph().beginReadOnly()) {
          compare(at, model, graph);
        }
      }
      assertEquals(List.of(), new GraphCheck(store.graph(), n -> {}).run(), "seed=" + seed);
    } finally {
      store.close();
    }
  }

  /** Even ids are numbers, odd ones text. */
  private static String id(Random random) {
    int n = random.nextInt(VERTICES);
    return n % 2 == 0 ? Integer.toString(n) : "v" + n;
  }

  private static void step(Random random, GraphTransaction graph, Model model) {
    String id = id(random);
    Long vertex = graph.findVertex(id);
    assertEquals(model.vertices.containsKey(id), vertex != null, id);
    if (vertex == null) {
      graph.addVertex(id, "person");
      model.vertices.put(id, new TreeMap<>());
      return;
    }
    switch (random.nextInt(7)) {
      case 0 -> {
        graph.removeVertex(vertex);
        model.vertices.remove(id);
        model
            .edges
            .keySet()
            .removeIf(edge -> edge.startsWith(id + ">") || edge.contains(">" + id + "#"));
      }
      case 1, 2 -> {
        String key = KEYS[random.nextInt(KEYS.length)];
        Cardinality cardinality = CARDINALITIES.get(random.nextInt(3));
        Object value = value(random);
        graph.setProperty(vertex, cardinality, key, value, null);
        set(model.vertices.get(id), cardinality, key, value);
      }
      case 3 -> removeEdge(random, graph, vertex, model);
      default -> addEdge(random, graph, vertex, id, model);
    }
  }

  private static Object value(Random random) {
    return random.nextInt(6) == 0 ? "x".repeat(2000 + random.nextInt(3)) : random.nextInt(3);
  }

  private static void set(
      Map<String, List<Object>> keys, Cardinality cardinality, String key, Object value) {
    List<Object> values = keys.computeIfAbsent(key, k -> new ArrayList<>());
    if (cardinality == Cardinality.SINGLE) {
      values.clear();
    }
    if (cardinality != Cardinality.SET || !values.contains(value)) {
      values.add(value);
    }
  }

  private static void addEdge(
      Random random, GraphTransaction graph, long vertex, String id, Model model) {
    String other = id(random);
    Long target = graph.findVertex(other);
    if (target == null) {
      return;
    }
    String label = LABELS[random.nextInt(LABELS.length)];
    Object value = value(random);
    EdgeId edge = graph.addEdge(vertex, label, target, null, Map.of("w", value));
    assertEquals(null, model.edges.put(text(id, label, other, edge.sequence()), value));
  }

  private static String text(String source, String label, String target, int sequence) {
    return source + ">" + label + ">" + target + "#" + sequence;
  }

  private static void removeEdge(Random random, GraphTransaction graph, long vertex, Model model) {
    List<EdgeId> found = new ArrayList<>();
    try (EdgeScan scan = graph.edges(vertex, EdgeDirection.BOTH, false)) {
      while (scan.next()) {
        found.add(scan.edge());
      }
    }
    if (!found.isEmpty()) {
      EdgeId edge = found.get(random.nextInt(found.size()));
      String text = text(graph, edge);
      graph.removeEdge(edge);
      assertEquals(true, model.edges.remove(text) != null, text);
    }
  }

  private static String text(GraphTransaction graph, EdgeId edge) {
    String label = graph.text(Dictionary.Kind.EDGE_LABEL, edge.label());
    String source = graph.vertexId(edge.source()).toString();
    return text(source, label, graph.vertexId(edge.target()).toString(), edge.sequence());
  }

  private static void compare(String at, Model model, GraphTransaction graph) {
    TreeMap<String, TreeMap<String, List<Object>>> vertices = new TreeMap<>();
    TreeMap<String, Object> out = new TreeMap<>();
    TreeSet<String> in = new TreeSet<>();
    try (VertexScan scan = graph.vertices()) {
      while (scan.next()) {
        TreeMap<String, List<Object>> keys = new TreeMap<>();
        for (PropertyRecord property : scan.record().properties()) {
          String key = graph.text(Dictionary.Kind.PROPERTY_KEY, property.key());
          keys.computeIfAbsent(key, k -> new ArrayList<>())
              .add(graph.value(scan.vertex(), property));
        }
        vertices.put(graph.vertexId(scan.vertex()).toString(), keys);
        try (EdgeScan edges = graph.edges(scan.vertex(), EdgeDirection.IN, false, LABELS)) {
          while (edges.next()) {
            in.add(text(graph, edges.edge()));
          }
        }
      }
    }
    try (EdgeScan scan = graph.edges(true)) {
      while (scan.next()) {
        EdgeRecord record = scan.record();
        out.put(text(graph, scan.edge()), record.value(record.properties().get(0)));
      }
    }
    assertEquals(model.vertices, vertices, at);
    assertEquals(model.edges, out, at);
    assertEquals(new TreeSet<>(model.edges.keySet()), in, at);
    assertEquals(model.vertices.size(), graph.vertexCount(), at);
    assertEquals(model.edges.size(), graph.edgeCount(), at);
    assertEquals(model.vertices.size(), graph.vertexCount("person"), at);
  }
}
