package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.StoreOnDisk;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.PropertyCell;
import io.bg3.core.sort.EntrySorter;
import io.bg3.core.transaction.Dictionary;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares a store that a load has filled with one that transactions have filled. */
class GraphLoadTest {
  private static final String[] LABELS = {"a", "b", "c"};

  private static final EdgeLabelForm ORDERED =
      EdgeLabelForm.plain().orderedBy("time", SortOrder.DESCENDING);

  private record NewEdge(long source, String label, long target, Map<String, Object> properties) {}

  private static Settings small() {
    return Settings.defaults()
        .with(Setting.MEMORY_BUDGET, "16m")
        .with(Setting.PAGE_CAPACITY, "1k")
        .with(Setting.VALUE_THRESHOLD, "512")
        .with(Setting.LOG_LIMIT, "256k")
        .with(Setting.DURABILITY, "none");
  }

  private static List<NewEdge> edges(
      Random random, Map<String, EdgeLabelForm> forms, long[] vertices, int count) {
    List<NewEdge> edges = new ArrayList<>();
    while (edges.size() < count) {
      Map<String, Object> properties = new HashMap<>();
      String label = LABELS[random.nextInt(LABELS.length)];
      if (random.nextInt(3) > 0 || forms.containsKey(label)) {
        properties.put("time", random.nextLong());
      }
      if (random.nextInt(50) == 0) {
        properties.put("text", "x".repeat(random.nextInt(2_000)));
      }
      long source = vertices[random.nextInt(1 + random.nextInt(vertices.length))];
      long target = vertices[random.nextInt(vertices.length)];
      int parallel = random.nextInt(10) == 0 ? 3 : 1;
      for (int i = 0; i < parallel; i++) {
        edges.add(new NewEdge(source, label, target, properties));
      }
    }
    return edges;
  }

  private static long[] vertices(Random random, int count) {
    long[] ids = new long[count];
    for (int i = 0; i < count; i++) {
      ids[i] = random.nextBoolean() ? i : new Random(i).nextLong() | 1L << 62;
    }
    return ids;
  }

  private static void addVertices(GraphStore graph, long... ids) {
    for (String label : LABELS) { // codes in the order of first use would depend on that of edges
      graph.dictionary().code(Dictionary.Kind.EDGE_LABEL, label);
    }
    try (GraphTransaction adding = graph.begin()) {
      for (long id : ids) {
        long vertex = adding.addVertex(id, "v");
        adding.setProperty(vertex, Cardinality.SINGLE, "name", "n" + id, null);
      }
      adding.commit();
    }
  }

  private static String properties(GraphStore graph, EdgeRecord record) {
    Map<String, Object> properties = new HashMap<>();
    for (PropertyCell cell : record.properties()) {
      properties.put(graph.propertyKey(cell.key()), record.value(cell));
    }
    return record.userId() + " " + properties;
  }

  /** Everything that can be seen of the edges, from both ends. */
  private static List<String> seen(GraphStore graph, long... vertices) {
    List<String> seen = new ArrayList<>();
    try (GraphTransaction reading = graph.beginReadOnly()) {
      seen.add("vertices " + reading.vertexCounts() + " edges " + reading.edgeCounts());
      for (long vertex : vertices) {
        for (EdgeDirection direction : EdgeDirection.values()) {
          try (EdgeScan scan = reading.edges(vertex, direction, true)) {
            while (scan.next()) {
              EdgeRecord record = reading.edge(scan.edge());
              String text = graph.edgeLabel(scan.edge().label()) + " " + properties(graph, record);
              seen.add(vertex + " " + direction + " " + scan.edge() + " " + text);
            }
          }
        }
      }
    }
    return seen;
  }

  /** Some of the labels as ordered, counted or both, and in a family; by the labels. */
  private static Map<String, EdgeLabelForm> forms(Random random) {
    Map<String, EdgeLabelForm> forms = new TreeMap<>();
    for (String label : LABELS) {
      EdgeLabelForm form = EdgeLabelForm.plain();
      if (random.nextBoolean()) {
        boolean descends = random.nextBoolean();
        form = form.orderedBy("time", descends ? SortOrder.DESCENDING : SortOrder.ASCENDING);
      }
      form = random.nextBoolean() ? form.asCounted() : form;
      form = random.nextInt(3) == 0 ? form.inFamily("family") : form;
      if (random.nextInt(3) > 0) {
        forms.put(label, form);
      }
    }
    return forms;
  }

  private static void declare(GraphStore graph, Map<String, EdgeLabelForm> forms) {
    graph.defineFamily(new EdgeFamily("family"));
    forms.forEach(graph::declareEdgeLabel);
  }

  private static List<String> added(
      Map<String, EdgeLabelForm> forms, List<NewEdge> edges, long... vertices) throws IOException {
    try (StoreOnDisk store = StoreOnDisk.open(small(), new MemoryDisk())) {
      declare(store.graph(), forms);
      addVertices(store.graph(), vertices);
      for (int from = 0; from < edges.size(); from += 1_000) {
        try (GraphTransaction adding = store.graph().begin()) {
          for (NewEdge edge : edges.subList(from, Math.min(from + 1_000, edges.size()))) {
            adding.addEdge(edge.source, edge.label, edge.target, null, edge.properties);
          }
          adding.commit();
        }
      }
      return seen(store.graph(), vertices);
    }
  }

  private static void requireEqual(List<String> expected, List<String> found, String at) {
    for (int i = 0; i < Math.min(expected.size(), found.size()); i++) {
      assertEquals(expected.get(i), found.get(i), at);
    }
    assertEquals(expected.size(), found.size(), at);
  }

  @Test
  void makesTheGraphThatTransactionsMake() throws IOException {
    long seed = Seeds.one();
    Random random = new Random(seed);
    for (int run = 0; run < 4; run++) {
      String at = "seed=" + seed + ", run=" + run;
      long[] vertices = vertices(random, 1 + random.nextInt(400));
      Map<String, EdgeLabelForm> forms = forms(random);
      List<NewEdge> edges = edges(random, forms, vertices, random.nextInt(6_000));
      at += ", forms=" + forms;
      List<String> expected = added(forms, edges, vertices);
      MemoryDisk disk = new MemoryDisk();
      long[] written = {0};
      try (StoreOnDisk store = StoreOnDisk.open(small(), disk)) {
        declare(store.graph(), forms);
        try (GraphLoad load =
            store.graph().load(new EntrySorter(disk, 1 + random.nextInt(2_000), 10_000))) {
          addVertices(store.graph(), vertices);
          for (NewEdge edge : shuffled(edges, random)) {
            load.add(edge.source, edge.label, edge.target, edge.properties);
          }
          load.finish(entries -> written[0] += entries);
        }
        assertEquals(2L * edges.size(), written[0], at);
        requireEqual(expected, seen(store.graph(), vertices), at);
        assertEquals(List.of(), store.checkGraph(), at);
      }
      try (StoreOnDisk store = StoreOnDisk.open(small(), disk)) {
        requireEqual(expected, seen(store.graph(), vertices), at);
        try (GraphTransaction more = store.graph().begin()) { // goes on as in any other store
          more.addEdge(vertices[0], "a", vertices[0], null, Map.of("time", 7L));
          more.commit();
        }
        assertEquals(List.of(), store.checkGraph(), at);
      }
    }
  }

  /** Another order, but parallel edges stay as they were among each other: it numbers them. */
  private static List<NewEdge> shuffled(List<NewEdge> edges, Random random) {
    Map<String, Deque<NewEdge>> parallel = new HashMap<>();
    for (NewEdge edge : edges) {
      parallel.computeIfAbsent(ends(edge), key -> new ArrayDeque<>()).add(edge);
    }
    List<NewEdge> shuffled = new ArrayList<>(edges);
    Collections.shuffle(shuffled, random);
    shuffled.replaceAll(edge -> parallel.get(ends(edge)).remove());
    return shuffled;
  }

  private static String ends(NewEdge edge) {
    return edge.source + " " + edge.label + " " + edge.target;
  }

  @Test
  void anEdgeWithoutItsEndsEndsTheLoad(@TempDir Path directory) throws IOException {
    Settings settings = Settings.defaults().with(Setting.DIRECTORY, directory.toString());
    try (Bg3 store = Bg3.open(settings);
        GraphLoad load = store.load()) {
      addVertices(store.graph(), 1, 2);
      load.add(1, "a", 2, Map.of());
      load.add(2, "a", 3, Map.of());
      MissingElementException missing =
          assertThrows(MissingElementException.class, () -> load.finish(entries -> {}));
      assertTrue(
          missing.getMessage().startsWith("the target of an edge does not exist: id=3, edge="),
          missing.getMessage());
      assertThrows(IllegalStateException.class, () -> load.add(1, "a", 2, Map.of()));
      assertThrows(IllegalStateException.class, () -> load.finish(entries -> {}));
    }
    Map<String, Integer> files = files(directory);
    HalfLoadedException refused =
        assertThrows(HalfLoadedException.class, () -> Bg3.open(settings).close());
    assertTrue(refused.getMessage().contains(directory.toString()), refused.getMessage());
    assertThrows(
        HalfLoadedException.class,
        () -> Bg3.open(settings.with(Setting.READ_ONLY, "true")).close());
    assertEquals(files, files(directory));
  }

  /** The files of a directory, with hashes of their bytes. */
  private static Map<String, Integer> files(Path directory) throws IOException {
    Map<String, Integer> hashes = new HashMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        hashes.put(file.getFileName().toString(), Arrays.hashCode(Files.readAllBytes(file)));
      }
    }
    return hashes;
  }

  @Test
  void aStoreThatIsNotEmptyIsRefusedAndNotMarked() throws IOException {
    MemoryDisk disk = new MemoryDisk();
    try (StoreOnDisk store = StoreOnDisk.open(small(), disk)) {
      addVertices(store.graph(), 1);
      IllegalArgumentException refused =
          assertThrows(
              IllegalArgumentException.class,
              () -> store.graph().load(new EntrySorter(disk, 10, 10)));
      assertEquals("the store is not empty: vertices=1, edges=0", refused.getMessage());
    }
    StoreOnDisk.open(small(), disk).close();
  }

  @Test
  void labelsWithATimeToLiveAndLooseOnesAreRefused() throws IOException {
    try (Bg3 store = Bg3.open(small());
        GraphLoad load = store.load()) {
      store.graph().declareEdgeLabel("seen", EdgeLabelForm.plain().withTtl(1_000));
      store.graph().declareEdgeLabel("loose", ORDERED.asLoose());
      for (String label : List.of("seen", "loose")) {
        IllegalArgumentException refused =
            assertThrows(
                IllegalArgumentException.class, () -> load.add(1, label, 2, Map.of("time", 1L)));
        assertTrue(refused.getMessage().endsWith("label=" + label), refused.getMessage());
      }
    }
  }

  @Test
  void anEdgeOfAnOrderedLabelNeedsItsSortKey() throws IOException {
    try (Bg3 store = Bg3.open(small());
        GraphLoad load = store.load()) {
      store.graph().declareEdgeLabel("ordered", ORDERED);
      addVertices(store.graph(), 1, 2);
      for (Map<String, Object> properties :
          List.of(Map.<String, Object>of(), Map.<String, Object>of("time", 1))) {
        assertThrows(IllegalArgumentException.class, () -> load.add(1, "ordered", 2, properties));
      }
      load.add(1, "ordered", 2, Map.of("time", 1L));
      load.finish(entries -> {});
      try (GraphTransaction reading = store.graph().beginReadOnly()) {
        assertEquals(1, reading.edgeCount("ordered"));
      }
    }
  }

  @Test
  void idsOfTheApplicationAreKept() throws IOException {
    MemoryDisk disk = new MemoryDisk();
    try (StoreOnDisk store = StoreOnDisk.open(small(), disk)) {
      store.graph().declareEdgeLabel("b", ORDERED);
      try (GraphLoad load = store.graph().load(new EntrySorter(disk, 10, 10_000))) {
        addVertices(store.graph(), 1, 2);
        assertThrows(
            IllegalArgumentException.class, () -> load.add(1, "a", 2, "1~1~2", Map.of(), 0));
        for (int i = 0; i < 50; i++) {
          Object id = i % 3 == 0 ? null : "e" + i;
          load.add(1 + i % 2, i % 5 == 0 ? "b" : "a", 2, id, Map.of("time", (long) i), i);
        }
        load.finish(entries -> {});
      }
      assertEquals(List.of(), store.checkGraph());
      try (GraphTransaction reading = store.graph().beginReadOnly()) {
        for (int i = 0; i < 50; i++) {
          EdgeId edge = reading.findEdge("e" + i);
          assertEquals(i % 3 != 0, edge != null, "e" + i);
          assertEquals(edge == null ? null : "e" + i, edge == null ? null : userId(reading, edge));
        }
      }
    }
  }

  private static Object userId(GraphTransaction reading, EdgeId edge) {
    return reading.edge(edge).userId();
  }

  @Test
  void allEdgesButOneWithOneIdAreLeftOutAndTold() throws IOException {
    long seed = Seeds.one();
    Random random = new Random(seed);
    MemoryDisk disk = new MemoryDisk();
    try (StoreOnDisk store = StoreOnDisk.open(small(), disk)) {
      store.graph().declareEdgeLabel("b", ORDERED.asCounted());
      Map<Long, String> ids = new HashMap<>();
      Set<Long> out = new HashSet<>();
      try (GraphLoad load = store.graph().load(new EntrySorter(disk, 100, 10_000))) {
        long[] vertices = vertices(random, 30);
        addVertices(store.graph(), vertices);
        for (long place = 0; place < 5_000; place++) {
          String id = "e" + random.nextInt(2_000);
          ids.put(place, id);
          String label = LABELS[random.nextInt(LABELS.length)];
          long source = vertices[random.nextInt(vertices.length)];
          long target = vertices[random.nextInt(vertices.length)];
          load.add(source, label, target, id, Map.of("time", place), place);
        }
        long[] written = {0};
        load.finish(
            entries -> written[0] += entries,
            (place, reason) -> {
              assertEquals("edge exists already: id=" + ids.get(place), reason.getMessage());
              assertTrue(out.add(place));
            });
        assertEquals(2L * ids.size(), written[0], Seeds.say(seed));
      }
      try (GraphTransaction reading = store.graph().beginReadOnly()) {
        assertEquals(new HashSet<>(ids.values()).size(), reading.edgeCount(), Seeds.say(seed));
        ids.keySet().removeAll(out);
        for (Map.Entry<Long, String> kept : ids.entrySet()) {
          EdgeRecord record = reading.edge(reading.findEdge(kept.getValue()));
          assertEquals(kept.getKey(), record.value(record.properties().get(0)), Seeds.say(seed));
        }
      }
      assertEquals(List.of(), store.checkGraph(), Seeds.say(seed));
    }
  }

  @Test
  void twoEdgesWithOneIdEndALoadThatDoesNotAskForThem() throws IOException {
    try (Bg3 store = Bg3.open(small());
        GraphLoad load = store.load()) {
      addVertices(store.graph(), 1, 2);
      load.add(1, "a", 2, 7, Map.of(), 0);
      load.add(2, "a", 1, "7", Map.of(), 0);
      DuplicateIdException twice =
          assertThrows(DuplicateIdException.class, () -> load.finish(entries -> {}));
      assertEquals("edge exists already: id=7", twice.getMessage());
    }
  }

  @Test
  void edgesThatAnIndexHoldsAreRefused() throws IOException {
    try (Bg3 store = Bg3.open(small());
        GraphLoad load = store.load()) {
      addVertices(store.graph(), 1, 2);
      store.graph().createIndex(IndexedKeys.ofEdges("a", "time"), false);
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, () -> load.add(1, "a", 2, Map.of()));
      assertTrue(refused.getMessage().endsWith("after the load: label=a"), refused.getMessage());
      load.add(1, "b", 2, Map.of());
      store.graph().createIndex(IndexedKeys.ofEdges("b", "time"), false);
      assertThrows(IllegalStateException.class, () -> load.finish(entries -> {}));
    }
  }
}
