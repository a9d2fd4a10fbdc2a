package io.bg3.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.LinkState;
import io.bg3.core.record.PropertyBytes;
import io.bg3.core.transaction.ConflictException;
import io.bg3.testing.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Adds, changes and removes edges of a plain, a loose and a counted label, in transactions, under
 * locks and as links, while the labels become ordered at moments that are drawn and vertices move
 * to trees of their own. A map says what every way to read edges has to show, now and at snapshots
 * that stay open. Repeat with {@code -Dbg3.seed=N}.
 */
class OrderModelTest extends LabelModel<OrderModelTest.Known> {
  private static final int ROUNDS = 120;
  private static final int VERTICES = 8;
  private static final int TIMES = 6;
  private static final String[] LABELS = {"plain", "loose", "counted"};

  @TempDir Path directory;

  private int names;

  /** An edge; {@code name} is null where the user gave it no id. */
  record Known(int label, long time, Integer n, String name) {
    Known at(long other) {
      return new Known(label, other, n, name);
    }

    Known with(Integer other) {
      return new Known(label, time, other, name);
    }
  }

  OrderModelTest() {
    super(LABELS, VERTICES);
  }

  static LongStream seeds() {
    return Seeds.of(3);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyReadAndAMapAgree(long seed) throws Exception {
    run(directory, seed, ROUNDS, 30);
  }

  @Override
  void declare(GraphStore graph) {
    graph.declareEdgeLabel("loose", EdgeLabelForm.plain().asLoose());
    graph.declareEdgeLabel("counted", EdgeLabelForm.plain().asCounted());
    graph.createIndex(IndexedKeys.ofEdges(null, "n"), false);
  }

  @Override
  void await(String label) throws Exception {
    Orders.await(store.graph(), label);
  }

  /** Changes the graph in one of two ways; labels become ordered before the commit. */
  @Override
  void round(int round, String at) {
    Map<EdgeId, Known> changed = new HashMap<>(model);
    if (random.nextInt(3) == 0) {
      store
          .graph()
          .update(
              vertices(),
              in -> { // perhaps twice: it learns the index entries that it needs locks for
                changed.clear();
                changed.putAll(model);
                change(in, changed, false, at);
                return null;
              });
    } else {
      try (GraphTransaction in = store.graph().begin()) {
        change(in, changed, true, at);
        declareThoseOf(round);
        change(in, changed, true, at);
        if (random.nextInt(6) == 0) {
          return;
        }
        if (!commit(in)) {
          return;
        }
      }
    }
    declareThoseOf(round); // unless it is already
    model = changed;
  }

  /** Commits; false after a conflict, which only the builder of an order can be the cause of. */
  private static boolean commit(GraphTransaction in) {
    try {
      in.commit();
      return true;
    } catch (ConflictException e) {
      return false;
    }
  }

  private void declareThoseOf(int round) {
    for (int label = 0; label < LABELS.length; label++) {
      if (declaredAt[label] == round && store.graph().edgeLabels().contains(LABELS[label])) {
        SortOrder order = label == 1 ? SortOrder.ASCENDING : SortOrder.DESCENDING;
        store
            .graph()
            .declareEdgeLabel(LABELS[label], Orders.ordered(store.graph(), LABELS[label], order));
      } else if (declaredAt[label] == round) {
        declaredAt[label]++; // no edge has the label yet
      }
    }
  }

  /**
   * @param named whether edges may get ids of the user's, which no lock of a vertex covers
   */
  private void change(GraphTransaction in, Map<EdgeId, Known> changed, boolean named, String at) {
    for (int steps = random.nextInt(8); steps > 0; steps--) {
      List<EdgeId> edges = new ArrayList<>(changed.keySet());
      EdgeId edge = edges.isEmpty() ? null : edges.get(random.nextInt(edges.size()));
      Known known = changed.get(edge);
      int what = edge == null ? 0 : random.nextInt(12);
      if (what < 4) {
        add(in, changed, named);
      } else if (what < 7) {
        long time = random.nextInt(TIMES);
        in.setEdgeProperty(edge, Orders.TIME, time);
        changed.put(edge, known.at(time));
      } else if (what < 8) {
        int n = random.nextInt(4);
        in.setEdgeProperty(edge, "n", n);
        changed.put(edge, known.with(n));
      } else if (what < 10 && (named || known.name == null)) {
        in.removeEdge(edge);
        changed.remove(edge);
      } else if (what < 11) {
        putLink(in, changed);
      } else if (named && random.nextInt(4) == 0) {
        long vertex = vertex();
        in.removeVertex(vertex);
        changed
            .entrySet()
            .removeIf(
                each ->
                    each.getValue().label != 1
                        && (each.getKey().source() == vertex || each.getKey().target() == vertex));
        in.addVertex(vertex, "v");
      }
      if (random.nextInt(4) == 0) {
        compare(in, changed, at + ", open");
      }
    }
    compare(in, changed, at + ", open");
  }

  private void add(GraphTransaction in, Map<EdgeId, Known> changed, boolean named) {
    int label = random.nextInt(LABELS.length);
    Integer n = random.nextBoolean() ? random.nextInt(4) : null;
    String name = named && random.nextInt(4) == 0 ? "name" + names++ : null;
    long time = random.nextInt(TIMES);
    Map<String, Object> properties = new HashMap<>(Map.of(Orders.TIME, time));
    if (n != null) {
      properties.put("n", n);
    }
    EdgeId edge = in.addEdge(vertex(), LABELS[label], vertex(), name, properties);
    changed.put(edge, new Known(label, time, n, name));
  }

  private void putLink(GraphTransaction in, Map<EdgeId, Known> changed) {
    int of = random.nextInt(LABELS.length);
    EdgeLabel label = label(of);
    if (label == null || !label.takesLinks()) {
      return;
    }
    EdgeId edge = new EdgeId(vertex(), label.code(), vertex(), 0);
    Known old = changed.get(edge);
    LinkState before = old == null ? LinkState.ABSENT : LinkState.VISIBLE;
    if (old != null && old.name == null && random.nextInt(3) == 0) {
      assertEquals(before, in.links().expunge(label, edge.source(), edge.target()));
      changed.remove(edge);
      return;
    }
    long time = random.nextInt(TIMES);
    assertEquals(
        before,
        in.links().put(label, edge.source(), edge.target(), time, true, new PropertyBytes()));
    changed.put(edge, new Known(of, time, null, old == null ? null : old.name));
  }

  @Override
  void compare(GraphTransaction in, Map<EdgeId, Known> expected, String at) {
    long vertex = vertex();
    for (int label = 0; label < LABELS.length; label++) {
      compare(in, expected, label, vertex, at + ", label=" + LABELS[label] + ", vertex=" + vertex);
    }
    if (in.transaction().isUpdate()) {
      return; // what follows is of no vertex
    }
    assertEquals(expected, all(in, in.edges(true)), at);
    expected.forEach(
        (edge, known) -> {
          assertEquals(edge, in.findEdge(known.name == null ? edge.toString() : known.name), at);
          assertEquals(known, known(in, edge, in.edge(edge)), at);
        });
    assertNull(in.findEdge("name" + (names + 1)), at);
    assertEquals(expected.size(), in.edgeCount(), at);
    int n = random.nextInt(4);
    EdgeLookup found = in.lookUpEdges(List.of(new Condition("n", Sought.anyOf(List.of(n)))));
    if (found != null) {
      Set<EdgeId> edges = new HashSet<>();
      try (found) {
        while (found.next()) {
          if (Integer.valueOf(n).equals(known(in, found.edge(), found.record()).n)) {
            edges.add(found.edge());
          }
        }
      }
      Set<EdgeId> having = new HashSet<>(expected.keySet());
      having.removeIf(edge -> !Integer.valueOf(n).equals(expected.get(edge).n));
      assertEquals(having, edges, at);
    }
  }

  /** Compares what there is of one label, out of one vertex and into it. */
  private void compare(
      GraphTransaction in, Map<EdgeId, Known> expected, int of, long vertex, String at) {
    Map<EdgeId, Known> out = new HashMap<>(expected);
    out.entrySet().removeIf(e -> e.getValue().label != of || e.getKey().source() != vertex);
    String name = LABELS[of];
    assertEquals(out, all(in, in.edges(vertex, EdgeDirection.OUT, true, name)), at);
    assertEquals(out.size(), Counters.count(in, vertex, name), at);
    Set<EdgeId> into = new HashSet<>(expected.keySet());
    into.removeIf(
        e -> expected.get(e).label != of || of == 1 || e.target() != vertex); // 1 is loose
    Set<EdgeId> entering = new HashSet<>();
    try (EdgeScan scan = in.edges(vertex, EdgeDirection.IN, false, name)) {
      while (scan.next()) {
        entering.add(scan.edge());
      }
    }
    assertEquals(into, entering, at);
    long target = vertex();
    Map<EdgeId, Known> between = new HashMap<>(out);
    between.keySet().removeIf(edge -> edge.target() != target);
    assertEquals(between, all(in, in.edgesBetween(vertex, name, target, true)), at);
    EdgeLabel label = label(of);
    if (label != null && label.isSorted(in.snapshot())) {
      compareSorted(in, label, out, vertex, at);
    }
    if (label != null && label.takesLinks()) {
      EdgeId edge = new EdgeId(vertex, label.code(), target, 0);
      Link link = in.links().get(label, vertex, target);
      assertEquals(out.containsKey(edge) ? out.get(edge).time : null, time(link), at);
    }
  }

  private static Long time(Link link) {
    return link == null ? null : link.sortKey();
  }

  private void compareSorted(
      GraphTransaction in, EdgeLabel label, Map<EdgeId, Known> out, long vertex, String at) {
    long low = random.nextInt(TIMES);
    long high = low + random.nextInt(TIMES);
    SortOrder order = random.nextBoolean() ? SortOrder.ASCENDING : SortOrder.DESCENDING;
    Comparator<EdgeId> comparator =
        Comparator.<EdgeId>comparingLong(edge -> label.sorted(out.get(edge).time))
            .thenComparingLong(EdgeId::target)
            .thenComparingInt(EdgeId::sequence);
    if (order != label.form().order()) {
      comparator = comparator.reversed();
    }
    List<EdgeId> wanted =
        out.keySet().stream()
            .filter(edge -> out.get(edge).time >= low && out.get(edge).time <= high)
            .sorted(comparator)
            .toList();
    List<EdgeId> found = new ArrayList<>();
    try (EdgeScan scan = in.sortedEdges(vertex, label, low, high, order, 1 + random.nextInt(9))) {
      while (scan.next()) {
        found.add(scan.edge());
        assertEquals(out.get(scan.edge()), known(in, scan.edge(), scan.record()), at);
        assertEquals(out.get(scan.edge()).time, scan.sortKey(), at);
      }
    }
    assertEquals(wanted, found, at);
    List<Long> targets = new ArrayList<>();
    try (LinkScan scan = in.links().list(label, vertex, low, high, order, 1, 2)) {
      while (scan.next()) {
        targets.add(scan.link().target());
      }
    }
    assertEquals(wanted.stream().skip(1).limit(2).map(EdgeId::target).toList(), targets, at);
  }

  private Map<EdgeId, Known> all(GraphTransaction in, EdgeScan edges) {
    Map<EdgeId, Known> all = new HashMap<>();
    try (EdgeScan scan = edges) {
      while (scan.next()) {
        assertNull(all.put(scan.edge(), known(in, scan.edge(), scan.record())), "shown twice");
      }
    }
    return all;
  }

  private Known known(GraphTransaction in, EdgeId edge, EdgeRecord record) {
    int label = List.of(LABELS).indexOf(store.graph().edgeLabel(edge.label()));
    Object time = value(in, record, Orders.TIME);
    return new Known(
        label, (Long) time, (Integer) value(in, record, "n"), (String) record.userId());
  }

  private static Object value(GraphTransaction in, EdgeRecord record, String key) {
    var cell = record.property(in.findKey(key));
    return cell == null ? null : record.value(cell);
  }
}
