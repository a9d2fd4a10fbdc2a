package io.bg3;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Expiry;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.graph.EdgeDirection;
import io.bg3.core.graph.EdgeLabel;
import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.EdgeScan;
import io.bg3.core.graph.GraphReader;
import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.LinkBatch;
import io.bg3.core.graph.NeighbourBatch;
import io.bg3.core.graph.SortOrder;
import io.bg3.core.record.EdgeId;
import io.bg3.core.record.PropertyBytes;
import io.bg3.core.snapshot.SnapshotSlots;
import io.bg3.core.transaction.ConflictException;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Twin;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.file.Disk;
import io.bg3.storage.file.MemoryDisk;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Edges whose labels have a time to live, by a clock that the test sets. */
class ExpiryRulesTest {
  private static final long TTL = 1_000;
  private static final long HOUR = 3_600_000;
  private static final EdgeLabelForm PASSES = EdgeLabelForm.plain().withTtl(TTL);
  private static final EdgeLabelForm IN_ORDER = PASSES.orderedBy("time", SortOrder.DESCENDING);

  private final AtomicLong clock = new AtomicLong(1_700_000_000_000L);

  private Bg3 open(Disk disk) throws IOException {
    Settings settings =
        Settings.defaults().with("bg3.memory.budget", "16m").with("bg3.page.consolidate", "2");
    return Bg3.open(settings, disk, clock::get);
  }

  /** A store with the vertices 1 to 9 and the labels {@code passes} and {@code ordered}. */
  private Bg3 open() throws IOException {
    Bg3 store = open(new MemoryDisk());
    fill(store);
    return store;
  }

  private static void fill(Bg3 store) {
    store.graph().declareEdgeLabel("passes", PASSES);
    store.graph().declareEdgeLabel("ordered", IN_ORDER);
    store
        .graph()
        .retry(
            graph -> {
              for (long vertex = 1; vertex < 10; vertex++) {
                graph.addVertex(vertex, "v");
              }
              return null;
            });
  }

  private static EdgeId add(Bg3 store, long source, String label, long target) {
    return store
        .graph()
        .retry(graph -> graph.addEdge(source, label, target, null, Map.of("time", 7L)));
  }

  private static boolean exists(Bg3 store, EdgeId edge) {
    try (GraphTransaction graph = store.graph().beginReadOnly()) {
      return graph.edgeExists(edge);
    }
  }

  private static int edges(Bg3 store, long vertex, EdgeDirection direction) {
    try (GraphTransaction graph = store.graph().beginReadOnly()) {
      return edges(graph, vertex, direction);
    }
  }

  private static int count(EdgeScan scan) {
    try (EdgeScan each = scan) {
      int count = 0;
      while (each.next()) {
        count++;
      }
      return count;
    }
  }

  private static int edges(GraphTransaction graph, long vertex, EdgeDirection direction) {
    return count(graph.edges(vertex, direction, false));
  }

  private static int neighbours(GraphTransaction graph, long vertex, String label) {
    NeighbourBatch batch = new NeighbourBatch();
    graph.neighbours(new long[] {vertex}, 1, EdgeDirection.OUT, 100, batch, label);
    return batch.size();
  }

  /** Has the leaves rewritten as those of versions that every snapshot sees. */
  private static void settle(Bg3 store) {
    for (int i = 0; i < 20; i++) {
      int time = i;
      store
          .graph()
          .retry(
              graph -> {
                long vertex = graph.addVertex(1_000L + time, "v");
                graph.addEdge(1, "stays", vertex, null, Map.of());
                graph.addEdge(vertex, "passes", 4, null, Map.of());
                return graph.addEdge(2, "stays", vertex, null, Map.of());
              });
    }
  }

  @RuleTest(
      rule = 13,
      twins = {
        @Twin(
            name = "a property of an edge that expires is written out of its source alone",
            in = "io.bg3.core.graph.Edges",
            method = "put",
            without = "Transaction.putEdge",
            nth = 2),
        @Twin(
            name = "an ordered edge that is renewed keeps its entries outside of the order",
            in = "io.bg3.core.graph.OrderedEdges",
            method = "replace",
            without = "EdgeLabel.hasTtl")
      })
  void whatIsRenewedExpiresAtBothEndsTogether() throws Exception {
    for (String label : List.of("passes", "ordered")) {
      try (Bg3 store = open()) {
        EdgeId edge = add(store, 1, label, 2);
        clock.addAndGet(TTL / 2);
        store
            .graph()
            .retry(
                graph -> {
                  graph.setEdgeProperty(edge, "n", 5);
                  return null;
                });
        clock.addAndGet(TTL * 7 / 10);
        try (GraphTransaction graph = store.graph().begin()) {
          assertEquals(1, edges(graph, 1, EdgeDirection.OUT), label);
          assertEquals(1, edges(graph, 2, EdgeDirection.IN), label);
          assertEquals(edge, graph.findEdge(edge.text()), label);
          assertNotNull(graph.edge(edge), label);
          graph.removeVertex(2);
          graph.commit();
        }
        assertEquals(0, edges(store, 1, EdgeDirection.OUT), label);
        assertFalse(exists(store, edge), label);
        assertEquals(List.of(), store.check(looked -> {}), label);
      }
    }
  }

  @RuleTest(
      rule = 13,
      twins =
          @Twin(
              name = "loose links keep their entries outside of the order",
              in = "io.bg3.core.graph.BulkLinks",
              method =
                  "put(Lio/bg3/core/graph/LinkBatch$Entry;Lio/bg3/core/record/EdgeId;"
                      + "Lio/bg3/core/record/OrderedEntry;)I",
              without = "EdgeLabel.hasTtl"))
  void linksThatAreRenewedTogetherExpireWhole() throws Exception {
    try (Bg3 store = open()) {
      EdgeLabel label = store.graph().declareEdgeLabel("loose", IN_ORDER.asLoose());
      LinkBatch batch = new LinkBatch();
      batch.add(label, 1, 2, 7, true, new PropertyBytes());
      batch.add(label, 1, 3, 8, true, new PropertyBytes());
      store.graph().putLinks(batch);
      clock.addAndGet(TTL / 2);
      store.graph().putLinks(batch);
      clock.addAndGet(TTL * 7 / 10);
      assertNotNull(store.graph().reader().link(label, 1, 2));
      assertEquals(2, edges(store, 1, EdgeDirection.OUT));
    }
  }

  @RuleTest(
      rule = 13,
      twins =
          @Twin(
              name = "a commit is not refused though what it relies on has expired",
              in = "io.bg3.core.entry.Expiry",
              method = "earliest",
              instead = "never"))
  void aCommitThatReliesOnWhatHasExpiredMeanwhileIsRefused() throws Exception {
    try (Bg3 store = open()) {
      EdgeId edge = add(store, 1, "passes", 2);
      store.graph().makePropertyKey("n");
      long log = store.stats().loggedBytes();
      try (GraphTransaction graph = store.graph().begin()) {
        graph.setEdgeProperty(edge, "n", 5);
        clock.addAndGet(TTL);
        ConflictException e = assertThrows(ConflictException.class, graph::commit);
        assertTrue(e.getMessage().contains("an edge that has expired"), e.getMessage());
      }
      assertEquals(log, store.stats().loggedBytes());
      assertFalse(exists(store, edge));
      assertThrows(
          RuntimeException.class,
          () ->
              store
                  .graph()
                  .update(
                      new long[] {1, 2},
                      graph -> {
                        graph.setEdgeProperty(edge, "n", 6);
                        return null;
                      }));
      for (int i = 0; i < 2_000; i++) { // the log's space was given back
        add(store, 3, "passes", 4);
      }
    }
  }

  /** Nothing that was read ever expires. */
  static long never(Expiry expiry) {
    return Long.MAX_VALUE;
  }

  @RuleTest(
      rule = 13,
      twins = {
        @Twin(
            name = "the stamps of entries that may expire are dropped with those of others",
            in = "io.bg3.core.entry.Pruning",
            method = "pruneKey",
            without = "Entries.keepsStamp"),
        @Twin(
            name = "entries that a new base keeps lose their stamps though they may expire",
            in = "io.bg3.core.page.EdgeSplice",
            method = "keepStamps",
            without = "EdgeLeaf.keepsStamp"),
        @Twin(
            name = "a look-up does not ask whether what it found has expired",
            in = "io.bg3.core.keyspace.Trees",
            method = "isThere",
            without = "Expiry.hasExpired"),
        @Twin(
            name = "a scan shows edges that have expired",
            in = "io.bg3.core.keyspace.LeafScan",
            method = "copyLeaf",
            without = "Expiry.drop"),
        @Twin(
            name = "neighbours whose edges have expired are read",
            in = "io.bg3.core.tree.NeighbourReader",
            method = "copyLeaf",
            without = "Expiry.drop"),
        @Twin(
            name = "the neighbours of a label are copied as they stand though they may expire",
            in = "io.bg3.core.page.RunReader",
            method = "placeTop",
            without = "EdgeKey.hasTtl"),
        @Twin(
            name = "a reader without a transaction does not ask whether an edge has expired",
            in = "io.bg3.core.transaction.NewestReader",
            method = "hasExpired",
            result = 0),
        @Twin(
            name = "a snapshot has no clock",
            in = "io.bg3.core.snapshot.SnapshotSlots",
            method = "takeClock",
            without = "StoreClock.now")
      })
  void aReaderSeesWhatHasNotExpiredWhenItBegan() throws Exception {
    try (Bg3 store = open()) {
      EdgeId edge = add(store, 1, "passes", 2);
      EdgeId ordered = add(store, 1, "ordered", 3);
      EdgeLabel label = store.graph().declaredEdgeLabel("ordered");
      settle(store);
      store.checkpoint();
      clock.addAndGet(TTL - 1);
      GraphReader reader = store.graph().reader();
      try (GraphTransaction straddling = store.graph().beginReadOnly()) {
        assertNotNull(reader.link(label, 1, 3));
        clock.addAndGet(1);
        see(store, straddling, edge, ordered, 1);
        try (GraphTransaction late = store.graph().beginReadOnly()) {
          see(store, late, edge, ordered, 0);
          assertNull(reader.link(label, 1, 3));
        }
        clock.addAndGet(-HOUR); // which the store does not follow
        try (GraphTransaction late = store.graph().beginReadOnly()) {
          see(store, late, edge, ordered, 0);
        }
        settle(store, 2_000);
        see(store, straddling, edge, ordered, 1);
      }
    }
  }

  private static void settle(Bg3 store, long first) {
    for (long vertex = first; vertex < first + 10; vertex++) {
      long next = vertex;
      store
          .graph()
          .retry(
              graph -> {
                graph.addVertex(next, "v");
                graph.addEdge(next, "passes", 4, null, Map.of());
                return graph.addEdge(1, "later", next, null, Map.of());
              });
    }
  }

  private static void see(
      Bg3 store, GraphTransaction graph, EdgeId edge, EdgeId ordered, int expected) {
    for (EdgeId each : List.of(edge, ordered)) {
      assertEquals(expected == 1, graph.edgeExists(each));
      assertEquals(expected == 1, graph.edge(each) != null);
      assertEquals(expected == 1, graph.findEdge(each.text()) != null);
      String label = store.graph().edgeLabel(each.label());
      assertEquals(expected, count(graph.edges(1, EdgeDirection.OUT, true, label)));
      assertEquals(expected, count(graph.edges(each.target(), EdgeDirection.IN, false, label)));
      assertEquals(expected, count(graph.edgesBetween(1, label, each.target(), false)));
      assertEquals(expected, neighbours(graph, 1, label));
      assertEquals(label.equals("passes") ? 21 * expected : expected, graph.edgeCount(label));
    }
    assertEquals(40 + 22 * expected, graph.edgeCount());
  }

  /** Adds an edge from vertex 1 to each of many others, in a few commits. */
  private static void addMany(Bg3 store, int targets) {
    for (int first = 0; first < targets; first += 50) {
      int from = first;
      store
          .graph()
          .retry(
              graph -> {
                for (int i = from; i < from + 50; i++) {
                  graph.addEdge(1, "passes", 1_000 + i, null, Map.of());
                }
                return null;
              });
    }
  }

  @RuleTest(
      rule = 13,
      twins = {
        @Twin(
            name = "entries stay in the leaves though they have expired for all snapshots",
            in = "io.bg3.core.entry.Pruning",
            method = "pruneKey",
            without = "Entries.mayGo"),
        @Twin(
            name = "entries that a new base keeps stay though they have expired for all snapshots",
            in = "io.bg3.core.page.EdgeLeafFormat",
            method = "holdsExpired",
            result = 0),
        @Twin(
            name = "entries go though a snapshot is open by whose clock they have not expired",
            in = "io.bg3.core.snapshot.SnapshotSlots",
            method = "earliestClock",
            instead = "theTime")
      })
  void leavesLoseWhatHasExpiredForAllSnapshots() throws Exception {
    int targets = 300;
    try (Bg3 store = open()) {
      store
          .graph()
          .retry(
              graph -> {
                for (int i = 0; i < targets; i++) {
                  graph.addVertex(1_000L + i, "v");
                }
                return null;
              });
      addMany(store, targets);
      long first = store.stats().blockBytes();
      for (int round = 0; round < 12; round++) {
        clock.addAndGet(TTL / 2);
        try (GraphTransaction open = store.graph().beginReadOnly()) {
          clock.addAndGet(TTL / 2);
          addMany(store, targets);
          assertEquals(targets, edges(open, 1, EdgeDirection.OUT));
          assertEquals(1, edges(open, 1_007, EdgeDirection.IN));
        }
        assertEquals(targets, edges(store, 1, EdgeDirection.OUT));
      }
      long last = store.stats().blockBytes();
      assertTrue(last < 6 * first, "first=" + first + ", last=" + last);
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  /** The time, whichever snapshots are open. */
  static long theTime(SnapshotSlots slots, long now) {
    return now;
  }

  @RuleTest(
      rule = 13,
      twins = {
        @Twin(
            name = "the clock begins at the time of the system though the store is ahead of it",
            in = "io.bg3.core.snapshot.StoreClock",
            method = "<init>",
            without = "Math.max"),
        @Twin(
            name = "the time that a store has reached is forgotten when it is closed",
            in = "io.bg3.core.transaction.TransactionManager",
            method = "logClock")
      })
  void aClockThatIsPutBackBringsNothingBack() throws Exception {
    MemoryDisk disk = new MemoryDisk();
    EdgeId edge;
    try (Bg3 store = open(disk)) {
      fill(store);
      edge = add(store, 1, "passes", 2);
      clock.addAndGet(TTL);
      assertFalse(exists(store, edge));
    }
    clock.addAndGet(-HOUR);
    try (Bg3 store = open(disk)) {
      assertFalse(exists(store, edge));
      EdgeId later = add(store, 1, "passes", 3);
      clock.addAndGet(TTL - 1);
      assertTrue(exists(store, later));
      clock.addAndGet(1);
      assertFalse(exists(store, later), "an hour behind, time passes");
    }
    clock.addAndGet(2 * HOUR);
    try (Bg3 store = open(disk)) {
      EdgeId later = add(store, 1, "passes", 4);
      assertTrue(exists(store, later));
    }
  }

  @Test
  void whatCannotExpireIsRefusedWithTheReason() throws Exception {
    try (Bg3 store = open()) {
      GraphStore graph = store.graph();
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> PASSES.asCounted());
      assertTrue(e.getMessage().startsWith("edges with a time to live cannot be counted"));
      for (long millis : new long[] {-1, EdgeLabelForm.MOST_TTL_MILLIS + 1}) {
        e = assertThrows(IllegalArgumentException.class, () -> PASSES.withTtl(millis));
        assertTrue(e.getMessage().endsWith("or 0 for none: ttl=" + millis));
      }
      e =
          assertThrows(
              IllegalArgumentException.class,
              () -> graph.declareEdgeLabel("passes", PASSES.withTtl(5)));
      assertTrue(
          e.getMessage().startsWith("the edge label has another declaration, which cannot change"));
      e =
          assertThrows(
              IllegalArgumentException.class,
              () -> graph.retry(in -> in.addEdge(1, "passes", 2, "mine", Map.of())));
      assertEquals(
          "an edge with a time to live cannot have an id of the application, because the id would"
              + " remain; add the edge without an id: label=passes, id=mine",
          e.getMessage());
    }
  }

  @Test
  void labelsAreDeclaredAgainAndFoundAfterReopening() throws Exception {
    MemoryDisk disk = new MemoryDisk();
    EdgeLabelForm form = IN_ORDER.asLoose().withTtl(EdgeLabelForm.MOST_TTL_MILLIS);
    int code;
    try (Bg3 store = open(disk)) {
      store.graph().declareEdgeLabel("plain", EdgeLabelForm.plain());
      code = store.graph().declareEdgeLabel("longest", form).code();
      assertEquals(EdgeKey.ttlLabel(1, 2), code);
      try (Transaction transaction = store.transactions().begin(Isolation.STRICT, true)) {
        byte[] barrier = {4, 0, 0, 0, 2}; // a kind of texts that earlier releases do not know
        assertTrue(transaction.exists(TreeIds.DICTIONARY, barrier));
        byte[] family = {6, 0, 0, 0, 2}; // and one that those do not know which have no families
        assertArrayEquals(new byte[] {1}, transaction.get(TreeIds.DICTIONARY, family));
      }
      assertEquals(code, store.graph().declareEdgeLabel("longest", form).code());
    }
    try (Bg3 store = open(disk)) {
      EdgeLabel label = store.graph().declaredEdgeLabel("longest");
      assertEquals(form, label.form());
      assertEquals(code, label.code());
      assertEquals("longest", store.graph().edgeLabel(code));
      assertEquals(List.of("plain", "longest"), store.graph().edgeLabels());
    }
  }

  /** Edges that had expired when the process ended do not come back, and all others do. */
  @Test
  void aKillTakesNoEdgeAndBringsNoneBack() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    Bg3 store = open(disk);
    fill(store);
    EdgeId first = add(store, 1, "ordered", 2);
    clock.addAndGet(TTL / 2);
    EdgeId second = add(store, 1, "ordered", 3);
    store.checkpoint();
    EdgeId third = add(store, 1, "passes", 4);
    clock.addAndGet(TTL / 2);
    EdgeId fourth = add(store, 1, "passes", 5);
    CrashingDisk after = disk.kill();
    assertThrows(Throwable.class, store::close);
    try (Bg3 opened = open(after)) {
      assertFalse(exists(opened, first));
      for (EdgeId edge : List.of(second, third, fourth)) {
        assertTrue(exists(opened, edge), edge.text());
      }
      assertEquals(3, edges(opened, 1, EdgeDirection.OUT));
      clock.addAndGet(TTL / 2);
      assertEquals(1, edges(opened, 1, EdgeDirection.OUT));
      assertEquals(0, edges(opened, 3, EdgeDirection.IN));
      assertEquals(List.of(), opened.check(looked -> {}));
    }
  }
}
