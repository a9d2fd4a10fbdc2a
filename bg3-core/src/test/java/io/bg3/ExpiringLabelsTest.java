package io.bg3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.graph.EdgeDirection;
import io.bg3.core.graph.EdgeLabelForm;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.graph.IndexedKeys;
import io.bg3.core.transaction.Dictionary;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.tree.ReadCounts;
import io.bg3.storage.file.MemoryDisk;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** Labels with a time to live beside what no commit could keep right for them. */
class ExpiringLabelsTest {
  private static final long TTL = 1_000;
  private static final EdgeLabelForm PASSES = EdgeLabelForm.plain().withTtl(TTL);
  private static final int EDGES = 250; // of a label; more than a leaf takes

  private final AtomicLong clock = new AtomicLong(1_700_000_000_000L);

  private Bg3 open() throws IOException {
    return open(clock::get);
  }

  private static Bg3 open(LongSupplier millis) throws IOException {
    Settings settings =
        Settings.defaults()
            .with(Setting.MEMORY_BUDGET, "16m")
            .with(Setting.PAGE_CONSOLIDATE, "2")
            .with(Setting.PAGE_CAPACITY, "512")
            .with(Setting.COUNTED_LEAVES, "2")
            .with(Setting.SPLIT_OUT, "8");
    return Bg3.open(settings, new MemoryDisk(), millis);
  }

  @Test
  void edgesThatExpireHaveNoIndex() throws IOException {
    try (Bg3 store = open()) {
      store.graph().declareEdgeLabel("passes", PASSES);
      for (String label : new String[] {"passes", null}) {
        IllegalArgumentException refused =
            assertThrows(
                IllegalArgumentException.class,
                () -> store.graph().createIndex(IndexedKeys.ofEdges(label, "x"), false));
        assertTrue(refused.getMessage().contains("time to live=passes"), refused::getMessage);
      }
      store.graph().createIndex(IndexedKeys.ofEdges("stays", "x"), false);
      store.graph().createIndex(IndexedKeys.ofVertices(null, "x"), false);
      assertEquals(2, store.graph().indexes().size());
    }
  }

  @Test
  void noLabelExpiresBesideAnIndexOfAllEdges() throws IOException {
    try (Bg3 store = open()) {
      IndexedKeys all = IndexedKeys.ofEdges(null, "x");
      store.graph().createIndex(all, false);
      IllegalArgumentException refused =
          assertThrows(
              IllegalArgumentException.class,
              () -> store.graph().declareEdgeLabel("passes", PASSES));
      assertTrue(refused.getMessage().contains("index=edge:*.x"), refused::getMessage);
      store.graph().declareEdgeLabel("stays", EdgeLabelForm.plain().asCounted());
      store.graph().dropIndex(all);
      store.graph().declareEdgeLabel("passes", PASSES);
    }
  }

  /** Declares the label that passes, and adds the ends of its edges. */
  private static void declareWithVertices(Bg3 store) {
    store.graph().declareEdgeLabel("passes", PASSES);
    store
        .graph()
        .retry(
            graph -> {
              for (long vertex = 1; vertex <= 1 + EDGES; vertex++) {
                graph.addVertex(vertex, "v");
              }
              return null;
            });
  }

  @Test
  void aCountReadsTheTreesOfLabelsThatExpireAlone() throws IOException {
    try (Bg3 store = open()) {
      declareWithVertices(store);
      store.graph().declareEdgeLabel("passesLate", PASSES.withTtl(2 * TTL));
      for (String label : List.of("stays", "stays", "passes", "passesLate", "passesLate")) {
        add(store, label);
      }
      try (GraphTransaction graph = store.graph().beginReadOnly()) {
        assertReads(2 * 3 * EDGES, () -> assertEquals(5 * EDGES, graph.edgeCount()));
        assertReads(2 * 3 * EDGES, () -> assertEquals(3, graph.edgeCounts().size()));
        assertReads(2 * EDGES, () -> assertEquals(EDGES, graph.edgeCount("passes")));
        assertReads(4 * EDGES, () -> assertEquals(2 * EDGES, graph.edgeCount("passesLate")));
        assertReads(0, () -> assertEquals(2 * EDGES, graph.edgeCount("stays")));
      }
    }
  }

  private static void assertReads(long entries, Runnable question) {
    ReadCounts before = ReadCounts.ofThread();
    question.run();
    ReadCounts read = ReadCounts.ofThread().since(before);
    assertEquals(entries, read.entries());
    assertEquals(0, read.fullScans());
  }

  @Test
  void degreesAreOfEdgesThatStay() throws IOException {
    try (Bg3 store = open()) {
      declareWithVertices(store);
      add(store, "stays");
      add(store, "passes");
      while (!keepsDegrees(store)) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      }
      add(store, "stays");
      assertCounts(store, 2 * EDGES, EDGES);
      clock.addAndGet(2 * TTL);
      assertCounts(store, 2 * EDGES, 0);
      add(store, "passes");
      assertCounts(store, 2 * EDGES, EDGES);
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  /** Edges expire between the beginning of each commit and its end. */
  @Test
  void degreesBeginToBeKeptWhileEdgesExpire() throws Exception {
    AtomicBoolean ends = new AtomicBoolean();
    try (Bg3 store = open(clock::incrementAndGet)) {
      declareWithVertices(store);
      add(store, "passes");
      Thread expiring =
          new Thread(
              () -> {
                while (!ends.get()) {
                  add(store, "passes");
                }
              });
      expiring.start();
      try {
        add(store, "stays");
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!keepsDegrees(store)) {
          assertTrue(System.nanoTime() < end, "no degree is kept");
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        add(store, "stays");
        assertEquals(2 * EDGES, count(store, "stays"));
      } finally {
        ends.set(true);
        expiring.join();
      }
    }
  }

  private static boolean keepsDegrees(Bg3 store) {
    int code = store.transactions().dictionary().find(Dictionary.Kind.EDGE_LABEL, "stays");
    int stays = EdgeKey.tagLabel(EdgeKey.OUT, code);
    try (Transaction reader = store.transactions().begin(Isolation.STRICT, true)) {
      return reader.degree(1, stays, stays) >= 0;
    }
  }

  private static void add(Bg3 store, String label) {
    for (long other = 2; other <= 1 + EDGES; other++) {
      long target = other;
      store.graph().retry(graph -> graph.addEdge(1L, label, target, null, Map.of()));
    }
  }

  private static void assertCounts(Bg3 store, int stays, int passes) {
    assertEquals(stays, count(store, "stays"));
    assertEquals(passes, count(store, "passes"));
    assertEquals(stays + passes, count(store));
    assertEquals(stays + passes, count(store, "stays", "passes"));
  }

  private static long count(Bg3 store, String... labels) {
    try (GraphTransaction graph = store.graph().beginReadOnly()) {
      return graph.countEdges(1, EdgeDirection.OUT, false, () -> {}, labels);
    }
  }
}
