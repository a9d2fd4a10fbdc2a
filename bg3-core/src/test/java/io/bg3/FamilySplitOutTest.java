package io.bg3;

import static io.bg3.FamilyStores.addVertices;
import static io.bg3.FamilyStores.change;
import static io.bg3.FamilyStores.declare;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.forest.Forest;
import io.bg3.core.graph.EdgeDirection;
import io.bg3.core.graph.EdgeFamily;
import io.bg3.core.graph.EdgeScan;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.transaction.OwnerMover;
import io.bg3.core.tree.FamilyOwner;
import io.bg3.rules.Patience;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Twin;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.file.Disk;
import io.bg3.storage.file.MemoryDisk;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Families of edge labels with a split-out, in a store that moves vertices itself (R54). */
class FamilySplitOutTest {
  private static final long TTL = 1_000;
  private static final int VERTICES = 12;
  private static final EdgeFamily PASSES = new EdgeFamily("passes").withTtl(TTL).withSplitOut(8);
  private static final EdgeFamily STAYS = new EdgeFamily("stays").withSplitOut(8);

  private final AtomicLong clock = new AtomicLong(1_700_000_000_000L);

  private Bg3 open(Disk disk, int consolidate) throws IOException {
    Settings settings =
        Settings.defaults()
            .with("bg3.memory.budget", "16m")
            .with("bg3.extent.size", "64k")
            .with("bg3.page.capacity", "1k")
            .with("bg3.page.consolidate", "" + consolidate)
            .with("bg3.forest.split-out", "0");
    return Bg3.open(settings, disk, clock::get);
  }

  /** Adds so many edges to each vertex, in commits of their own, and more to the first. */
  private static void addEdges(Bg3 store, String label, int each) {
    for (long vertex = 1; vertex <= VERTICES; vertex++) {
      long from = vertex;
      for (int i = 0; i < (vertex == 1 ? 10 * each : each); i++) {
        int n = i;
        change(
            store,
            graph ->
                graph.addEdge(from, label, 1 + n % VERTICES, null, Map.of("text", "edge " + n)));
      }
    }
  }

  private static int edges(Bg3 store) {
    try (GraphTransaction graph = store.graph().beginReadOnly();
        EdgeScan scan = graph.edges(false)) {
      int count = 0;
      while (scan.next()) {
        count++;
      }
      assertEquals(count, graph.edgeCount());
      return count;
    }
  }

  private static Forest forest(Bg3 store) {
    return store.opened().forest();
  }

  private static void await(String what, Callable<Boolean> condition) throws Exception {
    Patience.await(() -> what, condition);
  }

  private void pass(Bg3 store, long millis) {
    clock.addAndGet(millis);
    change(store, graph -> graph.addVertex(null, "tick"));
  }

  @RuleTest(
      rule = 54,
      twins =
          @Twin(
              name = "leaves in trees of vertices keep their extents though all has expired",
              in = "io.bg3.core.forest.TreesOfPages",
              method = "apply",
              without = "FamilyTrees.dedicated"))
  void whatExpiresInTreesOfVerticesGoesWithItsExtentsAndTheTreesGoToo() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    Bg3 store = open(disk, 2);
    declare(store, PASSES);
    declare(store, STAYS);
    addVertices(store, VERTICES);
    addEdges(store, "passes", 30);
    addEdges(store, "stays", 2);
    await("vertices move", () -> forest(store).dedicatedTrees(1) >= VERTICES);
    store.checkpoint();
    assertTrue(store.stats().families().get(0).extents() > 0);
    FamilyPages pages = store.familyPages().get(1);
    assertEquals(forest(store).dedicatedTrees(1) + 1, trees(pages), pages.toString());
    assertTrue(pages.trees().get(1) + pages.trees().get(2) > 0, pages.toString()); // vertex 1
    assertEquals((VERTICES + 9) * 32, edges(store));
    assertEquals(List.of(), store.check(looked -> {}));
    pass(store, 2 * TTL);
    assertEquals((VERTICES + 9) * 2, edges(store));
    await(
        "extents go",
        () -> {
          store.checkpoint();
          return store.stats().families().get(0).extents() == 0;
        });
    await("trees go", () -> forest(store).dedicatedTrees(1) == 0);
    assertEquals((VERTICES + 9) * 2, edges(store));
    assertEquals(List.of(), store.check(looked -> {}));
    CrashingDisk rest = disk.crash(new Random(1));
    assertThrows(Throwable.class, store::close);
    try (Bg3 opened = open(rest, 2)) {
      assertEquals((VERTICES + 9) * 2, edges(opened));
      assertEquals(List.of(), opened.check(looked -> {}));
    }
  }

  private static long trees(FamilyPages pages) {
    return pages.treesInStorage() + pages.trees().stream().mapToLong(Long::longValue).sum();
  }

  @RuleTest(
      rule = 54,
      twins =
          @Twin(
              name = "entries that have expired count for a move",
              in = "io.bg3.core.tree.OwnerMove",
              method = "isAbove",
              without = "Expiry.drop"))
  void whatHasExpiredMovesNoVertex() throws Exception {
    try (Bg3 store = open(new MemoryDisk(), 1_000)) { // no leaf is consolidated
      declare(store, PASSES.withSplitOut(0));
      addVertices(store, VERTICES);
      change(
          store,
          graph -> {
            for (long other = 1; other <= VERTICES; other++) {
              graph.addEdge(1L, "passes", other, null, Map.of());
            }
          });
      pass(store, 2 * TTL);
      OwnerMover mover = new OwnerMover(store.transactions(), forest(store), 0);
      assertFalse(mover.move(new FamilyOwner(1, 1), 8));
    }
  }

  @Test
  void aSplitOutThatIsChangedCountsFromThenOn() throws Exception {
    MemoryDisk disk = new MemoryDisk();
    long moved;
    try (Bg3 store = open(disk, 2)) {
      declare(store, STAYS.withSplitOut(0));
      addVertices(store, VERTICES);
      addEdges(store, "stays", 10);
      Thread.sleep(1_200); // a thread without work looks once a second
      assertEquals(0, store.stats().trees().dedicated());
      store.graph().changeFamily(STAYS);
      assertEquals(STAYS, store.graph().families().get(0));
      addEdges(store, "stays", 10);
      await("vertices move", () -> forest(store).dedicatedTrees(1) >= VERTICES);
      moved = store.stats().trees().dedicated();
      store.graph().changeFamily(STAYS.withSplitOut(0));
      assertEquals((VERTICES + 9) * 20, edges(store));
    }
    try (Bg3 store = open(disk, 2)) {
      assertEquals(STAYS.withSplitOut(0), store.graph().families().get(0));
      assertEquals(moved, store.stats().trees().dedicated());
      change(store, graph -> graph.removeVertex(2));
      await(
          "a tree goes",
          () -> {
            store.checkpoint();
            return store.stats().trees().dedicated() < moved;
          });
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  @Test
  void aVertexIsRemovedWithItsEdgesInAllTrees() throws Exception {
    try (Bg3 store = open(new MemoryDisk(), 2)) {
      declare(store, PASSES);
      declare(store, STAYS);
      addVertices(store, VERTICES);
      addEdges(store, "passes", 12);
      addEdges(store, "stays", 12);
      addEdges(store, "plain", 12);
      await("vertices move", () -> forest(store).dedicatedTrees(2) >= VERTICES);
      for (long vertex = 1; vertex <= VERTICES; vertex++) {
        long each = vertex;
        change(store, graph -> graph.removeVertex(each));
      }
      assertEquals(0, edges(store));
      try (GraphTransaction graph = store.graph().beginReadOnly();
          EdgeScan scan = graph.edges(1, EdgeDirection.BOTH, false)) {
        assertFalse(scan.next());
      }
      await(
          "trees go",
          () -> {
            store.checkpoint();
            return store.stats().trees().dedicated() == 0;
          });
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }
}
