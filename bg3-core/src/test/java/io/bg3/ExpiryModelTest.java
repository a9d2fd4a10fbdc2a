package io.bg3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.graph.EdgeDirection;
import io.bg3.core.graph.EdgeFamily;
import io.bg3.core.graph.EdgeLabel;
import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.EdgeScan;
import io.bg3.core.graph.GraphReader;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.Link;
import io.bg3.core.graph.LinkBatch;
import io.bg3.core.graph.NeighbourBatch;
import io.bg3.core.graph.SortOrder;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.EdgeRecord;
import io.bg3.core.record.PropertyBytes;
import io.bg3.core.transaction.ConflictException;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Compares a graph in which edges expire with a map, while the clock of the system goes on, jumps,
 * and is put back, between transactions, within them and between two openings. Leaves are small, so
 * that they are split and stored, and vertices with few edges move to trees of their own.
 */
class ExpiryModelTest {
  private static final int TRANSACTIONS = 120;
  private static final int VERTICES = 7;
  private static final long HOUR = 3_600_000;

  /** In the order of their declaration; some of them keep their edges. */
  private static final Map<String, EdgeLabelForm> FORMS = forms();

  private static final List<String> LABELS = List.copyOf(FORMS.keySet());

  private final MemoryDisk disk = new MemoryDisk();
  private final AtomicLong clock = new AtomicLong(1_700_000_000_000L);
  private long ahead; // of the store's clock
  private long now; // by the store's clock
  private Bg3 store;
  private TreeMap<EdgeId, Edge> edges = new TreeMap<>(Comparator.comparing(EdgeId::text));
  private TreeSet<Long> vertices = new TreeSet<>();

  // Of the transaction that is open.
  private TreeMap<EdgeId, Edge> changed;
  private TreeSet<Long> changedVertices;
  private long relied;

  /** An edge; one that was written by the open transaction expires never so far. */
  private record Edge(long expires, boolean written, boolean hidden, long time, int n) {}

  private static Map<String, EdgeLabelForm> forms() {
    Map<String, EdgeLabelForm> forms = new TreeMap<>();
    EdgeLabelForm ordered = EdgeLabelForm.plain().orderedBy("time", SortOrder.DESCENDING);
    forms.put("keeps", EdgeLabelForm.plain());
    forms.put("keepsApart", EdgeLabelForm.plain().inFamily("keeps"));
    forms.put("keepsApartInOrder", ordered.asCounted().inFamily("keeps"));
    forms.put("keepsInOrder", ordered.asCounted());
    forms.put("passes", EdgeLabelForm.plain().withTtl(100));
    forms.put("passesApart", EdgeLabelForm.plain().withTtl(100).inFamily("passes"));
    forms.put("passesInOrder", ordered.withTtl(1_000));
    forms.put("passesLoose", EdgeLabelForm.plain().asLoose().withTtl(300));
    forms.put("passesLooseInOrder", ordered.asLoose().withTtl(50));
    return forms;
  }

  private void open() throws IOException {
    Settings settings =
        Settings.defaults()
            .with("bg3.memory.budget", "8m")
            .with("bg3.page.capacity", "1k")
            .with("bg3.page.consolidate", "3")
            .with("bg3.forest.split-out", "8")
            .with("bg3.forest.counted-leaves", "2")
            .with("bg3.durability", "none");
    ahead = Math.max(0, now - clock.get());
    store = Bg3.open(settings, disk, clock::get);
    store.graph().defineFamily(new EdgeFamily("keeps").withPageCapacity(2 << 10).withSplitOut(8));
    store.graph().defineFamily(new EdgeFamily("passes").withTtl(100).withSplitOut(8));
    FORMS.forEach((label, form) -> store.graph().declareEdgeLabel(label, form));
    look();
  }

  /** The milliseconds that the store's clock says from now on. */
  private long look() {
    now = Math.max(now, clock.get() + ahead);
    return now;
  }

  private EdgeLabel label(String name) {
    return store.graph().declaredEdgeLabel(name);
  }

  private EdgeLabelForm form(EdgeId edge) {
    return FORMS.get(store.graph().edgeLabel(edge.label()));
  }

  @Test
  void graphAndMapAgreeWhateverTheClockDoes() throws IOException {
    long seed = Seeds.one();
    Random random = new Random(seed);
    int conflicts = 0;
    open();
    try {
      for (int i = 0; i < TRANSACTIONS; i++) {
        String at = "seed=" + seed + ", transaction=" + i;
        clock.addAndGet(random.nextInt(20) == 0 ? random.nextInt(500) : random.nextInt(30));
        if (random.nextInt(5) == 0) {
          putLinks(random);
        }
        conflicts += transaction(random, at) ? 0 : 1;
        compare(at);
        if (random.nextInt(15) == 0) {
          store.checkpoint();
        }
        if (random.nextInt(25) == 0) {
          store.close();
          clock.addAndGet(random.nextInt(4) == 0 ? HOUR * (random.nextInt(3) - 1) : 0);
          open();
          compare(at + ", opened");
        }
      }
      assertEquals(List.of(), store.check(looked -> {}), "seed=" + seed);
      assertTrue(conflicts < TRANSACTIONS / 2, "seed=" + seed + ", conflicts=" + conflicts);
    } finally {
      store.close();
    }
  }

  /** Does something and commits it, or not; says whether there was no conflict. */
  private boolean transaction(Random random, String at) {
    changed = new TreeMap<>(edges);
    changedVertices = new TreeSet<>(vertices);
    relied = Long.MAX_VALUE;
    long begun = look();
    try (GraphTransaction graph = store.graph().begin()) {
      for (int steps = random.nextInt(10); steps >= 0; steps--) {
        step(random, graph, begun);
      }
      compare(at + ", open", graph, begun, changed, changedVertices);
      if (random.nextInt(6) == 0) {
        return true;
      }
      boolean waited = random.nextInt(4) == 0;
      if (waited) {
        clock.addAndGet(random.nextInt(120));
      }
      long committed = look();
      try {
        graph.commit();
      } catch (ConflictException e) {
        assertTrue(waited, at + ": " + e.getMessage());
        return false;
      }
      assertTrue(relied > committed, at + ": on what has expired a commit relied");
      changed.replaceAll((edge, value) -> value.written() ? dated(edge, value, committed) : value);
      edges = changed;
      vertices = changedVertices;
      return true;
    }
  }

  private Edge dated(EdgeId edge, Edge value, long committed) {
    long ttl = form(edge).ttlMillis();
    long expires = ttl == 0 ? Long.MAX_VALUE : committed + ttl;
    return new Edge(expires, false, value.hidden(), value.time(), value.n());
  }

  private void step(Random random, GraphTransaction graph, long begun) {
    long vertex = 1L + random.nextInt(VERTICES);
    long other = 1L + random.nextInt(VERTICES);
    if (!changedVertices.contains(vertex)) {
      graph.addVertex(vertex, "v");
      changedVertices.add(vertex);
      return;
    }
    List<EdgeId> alive =
        changed.entrySet().stream()
            .filter(each -> isAlive(each.getValue(), begun) && !each.getValue().hidden())
            .map(Map.Entry::getKey)
            .toList();
    EdgeId some = alive.isEmpty() ? null : alive.get(random.nextInt(alive.size()));
    int n = random.nextInt(1_000);
    switch (random.nextInt(some == null ? 6 : 12)) {
      case 0 -> {
        if (random.nextInt(4) == 0) {
          remove(graph, vertex, begun);
        }
      }
      case 1 -> link(random, graph, vertex, other, n);
      case 2, 3, 4, 5 -> {
        String label = LABELS.get(random.nextInt(LABELS.size()));
        if (changedVertices.contains(other)) {
          Map<String, Object> properties = new HashMap<>(Map.of("n", n));
          if (FORMS.get(label).sortKey() != null) {
            properties.put("time", (long) n);
          }
          EdgeId edge = graph.addEdge(vertex, label, other, null, properties);
          changed.put(edge, written(false, n, n));
        }
      }
      case 6, 7, 8 -> {
        relies(some);
        graph.setEdgeProperty(some, "n", n);
        changed.put(some, written(false, changed.get(some).time(), n));
      }
      case 9 -> {
        if (form(some).sortKey() != null) {
          relies(some);
          graph.setEdgeProperty(some, "time", (long) n);
          changed.put(some, written(false, n, changed.get(some).n()));
        }
      }
      case 10 -> {
        relies(some);
        graph.removeEdge(some);
        changed.remove(some);
      }
      default -> {
        if (form(some).sortKey() != null && some.sequence() == 0) {
          relies(some);
          String name = store.graph().edgeLabel(some.label());
          graph.links().hide(label(name), some.source(), some.target());
          Edge edge = changed.get(some);
          changed.put(some, written(true, edge.time(), edge.n()));
        }
      }
    }
  }

  private static Edge written(boolean hidden, long time, int n) {
    return new Edge(Long.MAX_VALUE, true, hidden, time, n);
  }

  /** Notes that the open transaction relies on an edge that it has not written. */
  private void relies(EdgeId edge) {
    relied = Math.min(relied, changed.get(edge).expires());
  }

  private static boolean isAlive(Edge edge, long at) {
    return edge.written() || edge.expires() > at;
  }

  private void remove(GraphTransaction graph, long vertex, long begun) {
    graph.removeVertex(vertex);
    changedVertices.remove(vertex);
    changed
        .entrySet()
        .removeIf(
            each -> {
              EdgeId edge = each.getKey();
              boolean touches = edge.source() == vertex || edge.target() == vertex;
              boolean hiddenIn = each.getValue().hidden() && edge.source() != vertex;
              return touches && !hiddenIn && !form(edge).loose() && isAlive(each.getValue(), begun);
            });
  }

  private void link(Random random, GraphTransaction graph, long source, long target, int n) {
    String name = random.nextBoolean() ? "passesLooseInOrder" : "passesInOrder";
    if (FORMS.get(name).loose() || changedVertices.contains(target)) {
      EdgeLabel label = label(name);
      boolean visible = random.nextInt(3) > 0;
      PropertyBytes properties = new PropertyBytes().putInt(store.graph().makePropertyKey("n"), n);
      graph.links().put(label, source, target, n, visible, properties);
      changed.put(new EdgeId(source, label.code(), target, 0), written(!visible, n, n));
    }
  }

  /** Puts some links, in a commit of their own. */
  private void putLinks(Random random) {
    LinkBatch batch = new LinkBatch();
    long committed = look();
    for (int i = random.nextInt(5); i >= 0; i--) {
      boolean loose = random.nextInt(4) > 0; // all of them, most often
      EdgeLabel label = label(loose ? "passesLooseInOrder" : "passesInOrder");
      long source = 1L + random.nextInt(VERTICES);
      long target = 1L + random.nextInt(VERTICES);
      if (loose || (vertices.contains(source) && vertices.contains(target))) {
        int n = random.nextInt(1_000);
        boolean visible = random.nextInt(4) > 0;
        int key = store.graph().makePropertyKey("n");
        batch.add(label, source, target, n, visible, new PropertyBytes().putInt(key, n));
        EdgeId edge = new EdgeId(source, label.code(), target, 0);
        edges.put(edge, dated(edge, written(!visible, n, n), committed));
      }
    }
    store.graph().putLinks(batch);
  }

  private void compare(String at) {
    long begun = look();
    try (GraphTransaction graph = store.graph().beginReadOnly()) {
      compare(at, graph, begun, edges, vertices);
    }
    GraphReader reader = store.graph().reader();
    for (String name :
        List.of("keepsInOrder", "keepsApartInOrder", "passesInOrder", "passesLooseInOrder")) {
      for (long vertex = 1; vertex <= VERTICES; vertex++) {
        compareLinks(at + ", " + name + " of " + vertex, reader, label(name), vertex, begun);
      }
    }
  }

  private void compareLinks(
      String at, GraphReader reader, EdgeLabel label, long vertex, long begun) {
    List<String> expected = new ArrayList<>();
    List<String> found = new ArrayList<>();
    edges.forEach(
        (edge, value) -> {
          if (edge.source() == vertex && edge.label() == label.code() && isAlive(value, begun)) {
            if (!value.hidden()) {
              expected.add(edge.target() + " at " + value.time());
            }
            if (edge.sequence() == 0) {
              Link link = reader.link(label, vertex, edge.target());
              assertEquals(value.time(), link.sortKey(), at + ", " + edge);
              assertEquals(!value.hidden(), link.isVisible(), at + ", " + edge);
            }
          } else if (edge.source() == vertex && edge.label() == label.code()) {
            if (edge.sequence() == 0) {
              assertNull(reader.link(label, vertex, edge.target()), at + ", " + edge);
            }
          }
        });
    reader.links(
        label,
        vertex,
        Long.MIN_VALUE,
        Long.MAX_VALUE,
        0,
        Integer.MAX_VALUE,
        link -> found.add(link.target() + " at " + link.sortKey()));
    assertEquals(expected.stream().sorted().toList(), found.stream().sorted().toList(), at);
  }

  private void compare(
      String at, GraphTransaction graph, long begun, SortedMap<EdgeId, Edge> all, Set<Long> there) {
    TreeMap<EdgeId, Edge> shown = new TreeMap<>(all);
    shown.values().removeIf(edge -> edge.hidden() || !isAlive(edge, begun));
    assertEquals(shown.size(), graph.edgeCount(), at);
    Map<String, Long> counts = new HashMap<>();
    shown.keySet().forEach(e -> counts.merge(store.graph().edgeLabel(e.label()), 1L, Long::sum));
    assertEquals(counts, graph.edgeCounts(), at);
    for (String label : LABELS) {
      assertEquals(counts.getOrDefault(label, 0L), graph.edgeCount(label), at + ", " + label);
    }
    assertEquals(texts(List.copyOf(shown.keySet())), texts(ids(graph.edges(false))), at);
    assertEquals(texts(List.copyOf(shown.keySet())), texts(ids(graph.edges(true))), at);
    all.forEach(
        (edge, value) -> {
          boolean alive = shown.containsKey(edge);
          assertEquals(alive, graph.edgeExists(edge), at + ", " + edge);
          assertEquals(alive ? edge : null, graph.findEdge(edge.text()), at);
          EdgeRecord record = graph.edge(edge);
          int n = graph.findKey("n");
          assertEquals(
              alive ? value.n() : null, record == null ? null : record.property(n).value());
        });
    for (long vertex = 1; vertex <= VERTICES; vertex++) {
      assertEquals(there.contains(vertex), graph.vertexExists(vertex), at);
      for (EdgeDirection direction : EdgeDirection.values()) {
        compareVertex(at + ", vertex " + vertex + " " + direction, graph, vertex, direction, shown);
      }
    }
  }

  private void compareVertex(
      String at,
      GraphTransaction graph,
      long vertex,
      EdgeDirection direction,
      SortedMap<EdgeId, Edge> shown) {
    List<EdgeId> expected = new ArrayList<>();
    for (EdgeId edge : shown.keySet()) {
      if (direction != EdgeDirection.IN && edge.source() == vertex) {
        expected.add(edge);
      }
      if (direction != EdgeDirection.OUT && edge.target() == vertex && !form(edge).loose()) {
        expected.add(edge);
      }
    }
    assertEquals(texts(expected), texts(ids(graph.edges(vertex, direction, true))), at);
    assertEquals(expected.size(), graph.countEdges(vertex, direction, false, () -> {}), at);
    for (String label : LABELS) {
      int code = label(label).code();
      List<EdgeId> labelled = expected.stream().filter(edge -> edge.label() == code).toList();
      assertEquals(
          texts(labelled), texts(ids(graph.edges(vertex, direction, false, label))), at + label);
      NeighbourBatch batch = new NeighbourBatch();
      graph.neighbours(new long[] {vertex}, 1, direction, 1_000, batch, label);
      assertEquals(labelled.size(), batch.size(), at + ", " + label);
      if (direction == EdgeDirection.OUT) {
        for (long other = 1; other <= VERTICES; other++) {
          long target = other;
          assertEquals(
              texts(labelled.stream().filter(edge -> edge.target() == target).toList()),
              texts(ids(graph.edgesBetween(vertex, label, other, false))),
              at + ", " + label + " to " + other);
        }
        long[] sources = LongStream.rangeClosed(1, VERTICES).toArray();
        graph.neighbours(sources, VERTICES, direction, 1_000, batch, label);
        long all = shown.keySet().stream().filter(edge -> edge.label() == code).count();
        assertEquals(all, batch.size(), at + ", " + label);
      }
    }
  }

  private static List<EdgeId> ids(EdgeScan scan) {
    try (EdgeScan each = scan) {
      List<EdgeId> ids = new ArrayList<>();
      while (each.next()) {
        ids.add(each.edge());
      }
      return ids;
    }
  }

  private static List<String> texts(List<EdgeId> edges) {
    return edges.stream().map(EdgeId::text).sorted().toList();
  }
}
