package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.bg3.Bg3;
import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.LinkState;
import io.bg3.core.record.PropertyBytes;
import io.bg3.core.record.PropertyView;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Writes links at random, compares them with a sorted map, through snapshots that stay open while
 * the lists change, over splits, consolidations, checkpoints and reopening. Repeat a run with
 * {@code -Dbg3.seed=N}.
 */
class LinkModelTest {
  private static final int TRANSACTIONS = 100;
  private static final int SOURCES = 4;
  private static final int TARGETS = 60;
  private static final int SNAPSHOTS = 4;

  @TempDir Path directory;

  private final TreeMap<String, Row> model = new TreeMap<>();

  private Bg3 store;
  private GraphReader reader;
  private final List<EdgeLabel> labels = new ArrayList<>();
  private int version;
  private int data;

  /** A link of the model. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Row(
      String label,
      long source,
      long target,
      long sortKey,
      boolean visible,
      int version,
      byte[] data) {}

  private record Open(GraphTransaction graph, Map<String, Row> model) {}

  static LongStream seeds() {
    return Seeds.of(2);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void linksAndAMapAgree(long seed) throws IOException {
    Random random = new Random(seed);
    Settings settings =
        Settings.defaults()
            .with(Setting.DIRECTORY, directory.toString())
            .with(Setting.DURABILITY, "none")
            .with(Setting.PAGE_CAPACITY, "1k")
            .with(Setting.VALUE_THRESHOLD, "128");
    Deque<Open> open = new ArrayDeque<>();
    open(settings);
    try {
      for (int i = 0; i < TRANSACTIONS; i++) {
        String at = "seed=" + seed + ", transaction=" + i;
        transaction(random, at);
        if (random.nextInt(4) == 0) {
          batch(random);
        }
        if (random.nextInt(20) == 0) {
          store.checkpoint();
        }
        if (random.nextInt(50) == 0) {
          open.forEach(reader -> reader.graph.close());
          open.clear();
          store.close();
          open(settings);
        }
        if (random.nextInt(8) == 0) {
          open.add(new Open(store.graph().beginReadOnly(), new TreeMap<>(model)));
        }
        for (Open reader : open) {
          compare(random, reader.graph, reader.model, at + ", snapshot");
        }
        if (open.size() > SNAPSHOTS) {
          open.remove().graph.close();
        }
        try (GraphTransaction graph = store.graph().beginReadOnly()) {
          compare(random, graph, model, at);
        }
        compareNewest(random, at);
      }
      assertEquals(List.of(), store.check(n -> {}), "seed=" + seed);
    } finally {
      open.forEach(reader -> reader.graph.close());
      store.close();
    }
  }

  private void open(Settings settings) throws IOException {
    store = Bg3.open(settings);
    GraphStore graph = store.graph();
    reader = graph.reader();
    EdgeLabelForm loose = EdgeLabelForm.plain().asLoose().asCounted();
    labels.clear();
    labels.add(graph.declareEdgeLabel("down", loose.orderedBy("time", SortOrder.DESCENDING)));
    labels.add(graph.declareEdgeLabel("up", loose.orderedBy("time", SortOrder.ASCENDING)));
    EdgeLabelForm firm = EdgeLabelForm.plain().orderedBy("since", SortOrder.DESCENDING);
    labels.add(graph.declareEdgeLabel("firm", firm.asCounted()));
    version = graph.makePropertyKey("version");
    data = graph.makePropertyKey("data");
    graph.retry(
        work -> {
          for (long vertex = 0; vertex < TARGETS; vertex++) {
            if (work.findVertex(vertex) == null) {
              work.addVertex(vertex, "node");
            }
          }
          return null;
        });
  }

  private void transaction(Random random, String at) {
    TreeMap<String, Row> before = new TreeMap<>(model);
    try (GraphTransaction graph = store.graph().begin()) {
      int steps = random.nextInt(10) == 0 ? 60 : 1 + random.nextInt(6);
      for (int i = 0; i < steps; i++) {
        step(random, graph, at);
      }
      if (random.nextInt(10) == 0) {
        compare(random, graph, model, at + ", open");
      }
      if (random.nextInt(6) > 0) {
        graph.commit();
      } else {
        model.clear();
        model.putAll(before);
      }
    }
  }

  private void step(Random random, GraphTransaction graph, String at) {
    EdgeLabel label = labels.get(random.nextInt(labels.size()));
    long source = random.nextInt(SOURCES);
    long target = random.nextInt(TARGETS);
    String key = label.name() + " " + source + " " + target;
    Row old = model.get(key);
    Links links = graph.links();
    LinkState found;
    switch (random.nextInt(8)) {
      case 0 -> {
        found = links.hide(label, source, target);
        if (old != null) {
          model.put(
              key, new Row(old.label, source, target, old.sortKey, false, old.version, old.data));
        }
      }
      case 1 -> {
        found = links.expunge(label, source, target);
        model.remove(key);
      }
      default -> {
        Row row = row(random, label, source, target, old);
        found = links.put(label, source, target, row.sortKey, row.visible, properties(row));
        model.put(key, row);
      }
    }
    assertEquals(state(old), found, at + ", " + key);
  }

  private void batch(Random random) {
    LinkBatch batch = new LinkBatch();
    int firm = random.nextInt(3) == 0 ? labels.size() : 2;
    int count = random.nextInt(4) == 0 ? 200 : 1 + random.nextInt(20);
    boolean ascending = random.nextBoolean();
    int targets = 1 + random.nextInt(TARGETS);
    for (int i = 0; i < count; i++) {
      EdgeLabel label = labels.get(random.nextInt(firm));
      long source = random.nextInt(SOURCES);
      long target = ascending ? Math.min(i, TARGETS - 1) : random.nextInt(targets);
      String key = label.name() + " " + source + " " + target;
      Row row = row(random, label, source, target, model.get(key));
      batch.add(label, source, target, row.sortKey, row.visible, properties(row));
      model.put(key, row);
    }
    store.graph().putLinks(batch);
  }

  private PropertyBytes properties(Row row) {
    PropertyBytes properties = new PropertyBytes().putInt(version, row.version);
    return row.data.length > 0 ? properties.putBytes(data, row.data) : properties;
  }

  private static Row row(Random random, EdgeLabel label, long source, long target, Row old) {
    long time =
        switch (random.nextInt(6)) {
          case 0 -> random.nextLong();
          case 1 -> old == null ? Long.MAX_VALUE : old.sortKey;
          case 2 -> random.nextBoolean() ? Long.MIN_VALUE : 0;
          default -> 1_000 + random.nextInt(50);
        };
    byte[] bytes = new byte[random.nextInt(5) == 0 ? 150 : random.nextInt(20)];
    random.nextBytes(bytes);
    boolean visible = random.nextInt(8) > 0;
    return new Row(label.name(), source, target, time, visible, random.nextInt(), bytes);
  }

  private static LinkState state(Row row) {
    return row == null ? LinkState.ABSENT : row.visible ? LinkState.VISIBLE : LinkState.HIDDEN;
  }

  private void compare(
      Random random, GraphTransaction graph, Map<String, Row> expected, String at) {
    Links links = graph.links();
    for (EdgeLabel label : labels) {
      long source = random.nextInt(SOURCES);
      SortOrder order = random.nextBoolean() ? SortOrder.ASCENDING : SortOrder.DESCENDING;
      boolean all = random.nextBoolean();
      long low = all ? Long.MIN_VALUE : 1_000 + random.nextInt(50);
      long high = all ? Long.MAX_VALUE : low - 1 + random.nextInt(30);
      int offset = random.nextInt(3) * random.nextInt(10);
      int limit = random.nextInt(3) == 0 ? random.nextInt(5) : Integer.MAX_VALUE;
      List<Row> rows = list(expected, label, source, low, high, order);
      rows = rows.subList(Math.min(offset, rows.size()), rows.size());
      rows = rows.subList(0, Math.min(limit, rows.size()));
      String what = at + ", " + label.name() + " " + source + " " + order;
      try (LinkScan scan = links.list(label, source, low, high, order, offset, limit)) {
        for (Row row : rows) {
          assertEquals(true, scan.next(), what);
          assertSame(row, scan.link(), what);
        }
        assertEquals(false, scan.next(), what);
      }
      long target = random.nextInt(TARGETS);
      Row row = expected.get(label.name() + " " + source + " " + target);
      Link link = links.get(label, source, target);
      if (row == null) {
        assertNull(link, what);
      } else {
        assertNotNull(link, what);
        assertSame(row, link, what);
      }
      compareEdges(graph, expected, label, source, what);
    }
    long visible = expected.values().stream().filter(Row::visible).count();
    assertEquals(visible, graph.edgeCount(), at);
    if (random.nextInt(5) == 0) {
      int found = 0;
      try (EdgeScan scan = graph.edges(true)) {
        while (scan.next()) {
          found++;
        }
      }
      assertEquals(visible, found, at);
    }
  }

  /** The same questions without a transaction. */
  private void compareNewest(Random random, String at) {
    for (EdgeLabel label : labels) {
      long source = random.nextInt(SOURCES);
      boolean all = random.nextBoolean();
      long low = all ? Long.MIN_VALUE : 1_000 + random.nextInt(50);
      long high = all ? Long.MAX_VALUE : low - 1 + random.nextInt(30);
      int offset = random.nextInt(3) * random.nextInt(10);
      int limit = random.nextInt(3) == 0 ? random.nextInt(5) : Integer.MAX_VALUE;
      String what = at + ", newest, " + label.name() + " " + source;
      List<Row> rows = list(model, label, source, low, high, label.form().order());
      rows = rows.subList(Math.min(offset, rows.size()), rows.size());
      rows = rows.subList(0, Math.min(limit, rows.size()));
      Iterator<Row> expected = rows.iterator();
      reader.links(
          label, source, low, high, offset, limit, link -> assertSame(expected.next(), link, what));
      assertFalse(expected.hasNext(), what);
      long target = random.nextInt(TARGETS);
      Row row = model.get(label.name() + " " + source + " " + target);
      Link link = reader.link(label, source, target);
      assertEquals(row == null, link == null, what);
      if (row != null) {
        assertSame(row, link, what);
      }
      int visible =
          list(model, label, source, Long.MIN_VALUE, Long.MAX_VALUE, SortOrder.ASCENDING).size();
      assertEquals(visible, reader.count(label, source), what);
    }
  }

  /** The links are edges like any other to those who know nothing of them. */
  private void compareEdges(
      GraphTransaction graph, Map<String, Row> expected, EdgeLabel label, long source, String at) {
    List<Row> rows =
        list(expected, label, source, Long.MIN_VALUE, Long.MAX_VALUE, label.form().order());
    int sortKey = graph.findKey(label.form().sortKey());
    try (EdgeScan scan = graph.edges(source, EdgeDirection.OUT, true, label.name())) {
      for (Row row : rows) {
        assertEquals(true, scan.next(), at);
        assertEquals(row.target, scan.other(), at);
        assertEquals(label.isLoose(), scan.isLoose(), at);
        EdgeRecord record = scan.record();
        assertEquals(row.sortKey, record.value(record.property(sortKey)), at);
        assertEquals(row.version, record.value(record.property(version)), at);
        assertEquals(
            row.version,
            graph.edge(scan.edge()).value(graph.edge(scan.edge()).property(version)),
            at);
      }
      assertEquals(false, scan.next(), at);
    }
    assertEquals(rows.size(), graph.links().count(label, source), at);
  }

  private void assertSame(Row row, Link link, String at) {
    assertEquals(row.source, link.source(), at);
    assertEquals(row.target, link.target(), at);
    assertEquals(row.sortKey, link.sortKey(), at);
    assertEquals(row.visible, link.isVisible(), at);
    PropertyView properties = link.properties();
    assertEquals(row.version, properties.intValue(version, row.version + 1), at);
    assertArrayEquals(row.data.length == 0 ? null : row.data, properties.bytesValue(data), at);
    assertEquals(7, properties.longValue(version, 7), at);
  }

  private static List<Row> list(
      Map<String, Row> model, EdgeLabel label, long source, long low, long high, SortOrder order) {
    Comparator<Row> byKey = Comparator.comparingLong(Row::sortKey);
    Comparator<Row> stored =
        (label.isDescending() ? byKey.reversed() : byKey).thenComparingLong(Row::target);
    return new ArrayList<>(
        model.values().stream()
            .filter(row -> row.visible && row.label.equals(label.name()) && row.source == source)
            .filter(row -> low <= row.sortKey && row.sortKey <= high)
            .sorted(order == label.form().order() ? stored : stored.reversed())
            .toList());
  }
}
