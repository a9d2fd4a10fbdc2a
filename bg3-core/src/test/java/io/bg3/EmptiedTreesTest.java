package io.bg3;

import static io.bg3.FamilyStores.addVertices;
import static io.bg3.FamilyStores.change;
import static io.bg3.FamilyStores.declare;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.forest.Forest;
import io.bg3.core.graph.EdgeFamily;
import io.bg3.core.graph.GraphTransaction;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.file.Disk;
import io.bg3.storage.file.MemoryDisk;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** A store takes away the trees of vertices that have lost their edges (R41, R57). */
class EmptiedTreesTest {
  private static final int VERTICES = 6;
  private static final int EDGES = 12;
  private static final long TTL = 1_000;
  private static final EdgeFamily PASSES = new EdgeFamily("passes").withTtl(TTL);
  private static final EdgeFamily STAYS = new EdgeFamily("stays");

  private final AtomicLong clock = new AtomicLong(1_700_000_000_000L);

  private Bg3 open(Disk disk, int splitOut, long searchMillis) throws IOException {
    Settings settings =
        Settings.defaults()
            .with("bg3.memory.budget", "16m")
            .with("bg3.extent.size", "64k")
            .with("bg3.page.capacity", "1k")
            .with("bg3.page.consolidate", "2")
            .with("bg3.forest.split-out", "" + splitOut);
    return Bg3.open(settings, disk, clock::get, searchMillis);
  }

  /** Adds edges in commits of their own, so that leaves are consolidated. */
  private static void addEdges(Bg3 store, String label) {
    for (int i = 0; i < EDGES; i++) {
      long to = 1L + i % VERTICES;
      change(
          store,
          graph -> {
            for (long vertex = 1; vertex <= VERTICES; vertex++) {
              graph.addEdge(vertex, label, to, null, Map.of());
            }
          });
    }
  }

  private static Forest forest(Bg3 store) {
    return store.opened().forest();
  }

  private static void await(String what, BooleanSupplier condition) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, what);
      Thread.sleep(10);
    }
  }

  private static void removeVertices(Bg3 store) {
    change(
        store,
        graph -> {
          for (long vertex = 1; vertex <= VERTICES; vertex++) {
            graph.removeVertex(vertex);
          }
        });
  }

  @Test
  void treesThatWereEmptiedBeforeAKillGoBehindTheNextOpening() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    Bg3 store = open(disk, 8, 0);
    declare(store, STAYS.withSplitOut(8));
    addVertices(store, VERTICES);
    addEdges(store, "plain");
    addEdges(store, "stays");
    await("vertices move", () -> forest(store).dedicatedTrees() == 2 * VERTICES);
    store.checkpoint();
    GraphTransaction old = store.graph().beginReadOnly(); // keeps the trees
    removeVertices(store);
    CrashingDisk rest = disk.crash(new Random(1));
    old.close();
    assertThrows(Throwable.class, store::close);
    try (Bg3 opened = open(rest, 8, 100)) {
      await("trees go", () -> forest(opened).dedicatedTrees() == 0);
      assertEquals(List.of(), opened.check(looked -> {}));
    }
  }

  @Test
  void treesWhoseEdgesExpireWhileTheStoreIsClosedGoBehindTheNextOpening() throws Exception {
    MemoryDisk disk = new MemoryDisk();
    try (Bg3 store = open(disk, 8, 0)) {
      declare(store, PASSES.withSplitOut(8));
      addVertices(store, VERTICES);
      addEdges(store, "passes");
      await("vertices move", () -> forest(store).dedicatedTrees(1) == VERTICES);
    }
    clock.addAndGet(2 * TTL);
    try (Bg3 store = open(disk, 8, 100)) {
      change(store, graph -> graph.addVertex(null, "tick")); // no snapshot is older than that
      await("trees go", () -> forest(store).dedicatedTrees() == 0);
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  @Test
  void treesGoAlsoInAStoreThatMovesNoVertexAnyMore() throws Exception {
    MemoryDisk disk = new MemoryDisk();
    try (Bg3 store = open(disk, 8, 0)) {
      addVertices(store, VERTICES);
      addEdges(store, "plain");
      await("vertices move", () -> forest(store).dedicatedTrees() == VERTICES);
    }
    try (Bg3 store = open(disk, 0, 1_000_000)) {
      removeVertices(store);
      store.checkpoint();
      await("trees go", () -> forest(store).dedicatedTrees() == 0);
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }

  @Test
  void edgesThatExpireInFamiliesKeepNoOtherTree() throws Exception {
    try (Bg3 store = open(new MemoryDisk(), 8, 0)) {
      declare(store, PASSES);
      addVertices(store, VERTICES);
      change(store, graph -> graph.addEdge(1L, "passes", 1L, null, Map.of()));
      for (int i = 0; i < EDGES; i++) {
        change(store, graph -> graph.addEdge(1L, "plain", 2L, null, Map.of()));
      }
      await("vertices move", () -> forest(store).isDedicated(1) && forest(store).isDedicated(2));
      change(store, graph -> graph.removeVertex(2L));
      await("trees go", () -> forest(store).dedicatedTrees() == 0);
      assertEquals(List.of(), store.check(looked -> {}));
    }
  }
}
