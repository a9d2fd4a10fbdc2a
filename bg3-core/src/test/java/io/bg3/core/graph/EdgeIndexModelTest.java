package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.PropertyBytes;
import io.bg3.core.record.PropertyCell;
import io.bg3.core.transaction.ConflictException;
import io.bg3.testing.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Changes edges at random in transactions, under locks and in batches of links, with labels of
 * every form, while indexes come and go and the store is closed and opened, and looks values up in
 * the middle of transactions: an index names what a scan finds, and in the end every index has the
 * entries of the records and no others.
 *
 * <p>Takes about 5 s; a failure prints the seed, {@code -Dbg3.seed=N} repeats it as far as the
 * thread that builds indexes allows.
 */
class EdgeIndexModelTest {
  private static final int ROUNDS = 300;
  private static final int VERTICES = 5;
  private static final String[] LABELS = {"plain", "loose", "ordered", "link"};
  private static final String[] KEYS = {"x", "y", "at"};
  private static final String[][] INDEXED = {{"x"}, {"y"}, {"at"}, {"x", "y"}, {"at", "x"}};
  private static final List<Object> VALUES =
      List.of(1, 1L, 2.0, "1", "one", "t".repeat(200), "t".repeat(2_000), List.of(1), 'c', true);

  @TempDir Path directory;
  private Random random;
  private Bg3 store;
  private long answered;

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
      declare();
      store.graph().createIndex(IndexedKeys.ofEdges(null, "x"), false);
      Indexes.await(store.graph());
      for (int round = 0; round < ROUNDS; round++) {
        switch (random.nextInt(12)) {
          case 0 -> store.graph().createIndex(indexed(), false);
          case 1 -> store.graph().dropIndex(indexed());
          case 2 -> {
            store.close();
            store = Bg3.open(settings);
          }
          case 3 -> update();
          case 4 -> batch();
          default -> transaction(at);
        }
      }
      store.graph().createIndex(IndexedKeys.ofEdges(null, "x"), false);
      Indexes.await(store.graph());
      assertEquals(List.of(), store.check(looked -> {}), at);
      try (GraphTransaction graph = store.graph().begin()) {
        lookUp(graph, at);
      }
      assertTrue(answered > ROUNDS / 8, () -> at + ", answered by indexes: " + answered);
    } finally {
      store.close();
    }
  }

  private void declare() {
    GraphStore graph = store.graph();
    EdgeLabelForm plain = EdgeLabelForm.plain();
    graph.declareEdgeLabel("loose", plain.asLoose());
    graph.declareEdgeLabel("ordered", plain.orderedBy("at", SortOrder.ASCENDING).asCounted());
    graph.declareEdgeLabel("link", plain.asLoose().orderedBy("at", SortOrder.DESCENDING));
    graph.makePropertyKey("x");
    graph.makePropertyKey("y");
    graph.retry(
        in -> {
          for (long vertex = 1; vertex <= VERTICES; vertex++) {
            in.addVertex(vertex, "v");
          }
          return null;
        });
  }

  private IndexedKeys indexed() {
    String[] keys = List.of(INDEXED).get(random.nextInt(INDEXED.length));
    return IndexedKeys.ofEdges(random.nextInt(3) > 0 ? null : label(), keys);
  }

  private String label() {
    return LABELS[random.nextInt(LABELS.length)];
  }

  private String key() {
    return KEYS[random.nextInt(KEYS.length)];
  }

  private Object value(String key) {
    return key.equals("at")
        ? (Object) (long) random.nextInt(4)
        : VALUES.get(random.nextInt(VALUES.size()));
  }

  private long vertex() {
    return 1L + random.nextInt(VERTICES);
  }

  private void transaction(String at) {
    try (GraphTransaction graph = store.graph().begin()) {
      for (int changes = random.nextInt(8); changes > 0; changes--) {
        change(graph);
        if (random.nextInt(3) == 0) {
          lookUp(graph, at);
        }
      }
      if (random.nextInt(8) > 0) {
        graph.commit();
      }
    } catch (ConflictException e) {
      // an index was dropped that it has read from
    }
  }

  private void change(GraphTransaction graph) {
    List<EdgeId> all = new ArrayList<>();
    try (EdgeScan scan = graph.edges(false)) {
      while (scan.next()) {
        all.add(scan.edge());
      }
    }
    EdgeId one = all.isEmpty() ? null : all.get(random.nextInt(all.size()));
    switch (random.nextInt(10)) {
      case 0 -> {
        long vertex = vertex();
        graph.removeVertex(vertex);
        graph.addVertex(vertex, "v");
      }
      case 1, 2 -> {
        if (one != null) {
          graph.removeEdge(one);
        }
      }
      case 3 -> {
        if (one != null) {
          graph.removeEdgeProperty(one, random.nextBoolean() ? "x" : "y");
        }
      }
      case 4, 5 -> {
        if (one != null) {
          boolean isOrdered = store.graph().edgeLabel(one.label()).matches("ordered|link");
          String key = isOrdered ? key() : random.nextBoolean() ? "x" : "y";
          graph.setEdgeProperty(one, key, value(key));
        }
      }
      case 6 -> link(graph, "link", vertex(), vertex());
      case 7 -> link(graph, "ordered", vertex(), vertex());
      default -> {
        Map<String, Object> properties = new HashMap<>();
        for (String key : KEYS) {
          if (key.equals("at") || random.nextInt(3) > 0) {
            properties.put(key, value(key));
          }
        }
        graph.addEdge(vertex(), label(), vertex(), null, properties);
      }
    }
  }

  private void link(GraphTransaction graph, String name, long source, long target) {
    EdgeLabel label = store.graph().declaredEdgeLabel(name);
    switch (random.nextInt(5)) {
      case 0 -> graph.links().hide(label, source, target);
      case 1 -> graph.links().expunge(label, source, target);
      default ->
          graph
              .links()
              .put(label, source, target, random.nextInt(4), random.nextInt(4) > 0, properties());
    }
  }

  private PropertyBytes properties() {
    return new PropertyBytes().put(store.graph().makePropertyKey("x"), value("x"));
  }

  private void update() {
    long source = vertex();
    long target = vertex();
    store
        .graph()
        .update(
            source == target ? new long[] {source} : new long[] {source, target},
            graph -> {
              link(graph, random.nextBoolean() ? "link" : "ordered", source, target);
              return null;
            });
  }

  private void batch() {
    LinkBatch batch = new LinkBatch();
    for (int i = random.nextInt(6); i >= 0; i--) {
      boolean isLoose = random.nextInt(4) > 0;
      batch.add(
          store.graph().declaredEdgeLabel(isLoose ? "link" : "ordered"),
          vertex(),
          vertex(),
          random.nextInt(4),
          random.nextInt(4) > 0,
          properties());
    }
    store.graph().putLinks(batch);
  }

  /** A condition on a key, and how it is tested. */
  private record Tested(Condition condition, Predicate<Object> test) {
    boolean holds(GraphTransaction graph, EdgeRecord record) {
      PropertyCell cell = record.property(graph.findKey(condition.key()));
      return cell != null && test.test(record.value(cell));
    }
  }

  private Tested condition() {
    String key = key();
    return switch (random.nextInt(4)) {
      case 0 ->
          new Tested(
              new Condition(key, Sought.between(1, 2.5)),
              value ->
                  value instanceof Number number
                      && number.doubleValue() >= 1
                      && number.doubleValue() <= 2.5);
      case 1 ->
          new Tested(
              new Condition(key, Sought.startingWith("t")),
              value -> value instanceof String text && text.startsWith("t"));
      default -> {
        List<Object> values = List.of(value(key), value(key));
        yield new Tested(new Condition(key, Sought.anyOf(values)), values::contains);
      }
    };
  }

  private void lookUp(GraphTransaction graph, String at) {
    String[] labels = random.nextInt(3) == 0 ? new String[] {label()} : new String[0];
    List<Tested> tested = new ArrayList<>(List.of(condition()));
    while (random.nextInt(3) > 0) {
      tested.add(condition());
    }
    List<Condition> conditions = tested.stream().map(Tested::condition).toList();
    List<EdgeId> found = new ArrayList<>();
    try (EdgeLookup lookup = graph.lookUpEdges(conditions, labels)) {
      if (lookup == null) {
        return;
      }
      answered++;
      while (lookup.next()) {
        EdgeRecord record = lookup.record();
        if (tested.stream().allMatch(each -> each.holds(graph, record))) {
          found.add(lookup.edge());
        }
      }
    }
    Set<EdgeId> scanned = new HashSet<>();
    try (EdgeScan scan = graph.edges(true)) {
      while (scan.next()) {
        EdgeRecord record = scan.record();
        boolean isWanted =
            labels.length == 0 || store.graph().edgeLabel(scan.label()).equals(labels[0]);
        if (isWanted && tested.stream().allMatch(each -> each.holds(graph, record))) {
          scanned.add(scan.edge());
        }
      }
    }
    assertEquals(scanned, new HashSet<>(found), () -> at + ", " + conditions);
    assertEquals(scanned.size(), found.size(), () -> at + ", twice: " + found);
    for (EdgeDirection direction : List.of(EdgeDirection.OUT, EdgeDirection.IN)) {
      incident(graph, direction, tested, labels, at);
    }
  }

  /** The edges of a vertex by an index are those of its edges that meet the conditions. */
  private void incident(
      GraphTransaction graph,
      EdgeDirection direction,
      List<Tested> tested,
      String[] labels,
      String at) {
    long vertex = vertex();
    List<Condition> conditions = tested.stream().map(Tested::condition).toList();
    IncidentEdges edges = graph.incidentEdges(conditions, labels);
    if (edges == null) {
      return;
    }
    List<EdgeId> found = new ArrayList<>();
    try (EdgeLookup lookup = edges.found(vertex, direction)) {
      if (lookup == null) {
        return; // an index was dropped meanwhile
      }
      while (lookup.next()) {
        EdgeRecord record = lookup.record();
        if (tested.stream().allMatch(each -> each.holds(graph, record))) {
          found.add(lookup.edge());
        }
      }
    }
    List<EdgeId> scanned = new ArrayList<>();
    try (EdgeScan scan = graph.edges(vertex, direction, true, labels)) {
      while (scan.next()) {
        EdgeRecord record = graph.edge(scan.edge());
        if (tested.stream().allMatch(each -> each.holds(graph, record))) {
          scanned.add(scan.edge());
        }
      }
    }
    assertEquals(new HashSet<>(scanned), new HashSet<>(found), () -> at + ", " + direction);
    assertEquals(scanned.size(), found.size(), () -> at + ", twice: " + found);
    List<EdgeId> chosen = new ArrayList<>();
    try (EdgeLookup lookup = edges.of(vertex, direction)) {
      while (lookup != null && lookup.next()) {
        EdgeRecord record = lookup.record();
        if (tested.stream().allMatch(each -> each.holds(graph, record))) {
          chosen.add(lookup.edge());
        }
      }
      assertTrue(lookup == null || chosen.equals(found), () -> at + ", " + chosen);
    }
  }
}
