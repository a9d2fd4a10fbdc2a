package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.forest.PassedOverTrees;
import io.bg3.core.tree.FamilyOwner;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Twin;
import io.bg3.storage.memory.MemoryBudget;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The search for vertices with many edges where it cannot go on, or would never end (R56). */
class HeavyOwnerSearchRulesTest {
  /** Fills a store, takes its leaves out of memory, and has them searched. */
  private static void fill(CrowdedStore store) throws Exception {
    store.fillAtOnce();
    store.opened.checkpoint();
    assertTrue(store.opened.evict() > CrowdedStore.OWNERS / 2, "leaves are in storage");
    store.noticed();
    assertTrue(store.mover.hasPassedOver());
  }

  static boolean waitForMemory(MemoryBudget budget, long bytes) {
    budget.setPatience(50);
    budget.request(bytes);
    return true;
  }

  @RuleTest(
      rule = 56,
      twins =
          @Twin(
              name = "a search waits for memory",
              in = "io.bg3.core.tree.PageLoader",
              method = "takeAtOnce",
              without = "MemoryBudget.tryRequest",
              instead = "waitForMemory"))
  void aSearchWaitsForNoMemory() throws Exception {
    try (CrowdedStore store = new CrowdedStore()) {
      fill(store);
      AtomicLong awaited = new AtomicLong();
      store.budget().addRelief(bytes -> awaited.addAndGet(store.budget().awaited()));
      long rest = store.takeRestOfMemory();
      store.mover.search();
      assertEquals(0, awaited.get());
      assertEquals(0, store.forest().dedicatedTrees());
      store.giveBackMemory(rest);
      store.search();
      store.requireAllMoved();
      store.compare();
    }
  }

  @RuleTest(
      rule = 56,
      twins =
          @Twin(
              name = "a vertex that could not be moved is forgotten without a note",
              in = "io.bg3.core.transaction.OwnerMover",
              method = "putOff",
              without = "PassedOverSearch.noteLater"))
  void aTreeWithManyVerticesThatCannotMoveIsNotSearchedAtOnce() throws Exception {
    int owners = 1_100; // more than are remembered
    try (CrowdedStore store = new CrowdedStore()) {
      store.forest().heavyOwners().keepAtMost(10 * owners);
      for (long owner = 0; owner < owners; owner++) {
        store.fill(owner, 2 * CrowdedStore.ENTRIES + 2);
      }
      store.noticed();
      long rest = store.takeRestOfMemory();
      for (long owner = 0; owner < owners; owner++) {
        assertFalse(store.mover.move(FamilyOwner.plain(owner), CrowdedStore.ENTRIES));
      }
      store.giveBackMemory(rest);
      assertFalse(store.mover.hasPassedOver());
      assertTrue(store.mover.searchesLater(FamilyOwner.plain(0)));
    }
  }

  @RuleTest(
      rule = 56,
      twins =
          @Twin(
              name = "a tree whose vertices cannot move is searched again and again",
              in = "io.bg3.core.forest.SearchRests",
              method = "note",
              without = "Math.min"))
  void theRestsOfATreeWhoseVerticesCannotMoveDouble() throws Exception {
    FamilyOwner owner = FamilyOwner.plain(7);
    AtomicLong nanos = new AtomicLong();
    try (CrowdedStore store = new CrowdedStore()) {
      store.fillAtOnce();
      PassedOverTrees trees = new PassedOverTrees(store.forest(), nanos::get);
      lookAtAll(trees);
      for (long minutes : new long[] {10, 20, 40, 80, 160, 320, 640, 720, 720}) {
        assertEquals(minutes, rest(trees, owner, nanos));
      }
      trees.noteMoved(owner);
      assertEquals(10, rest(trees, owner, nanos));
    }
  }

  private static void lookAtAll(PassedOverTrees trees) {
    while (!trees.isEmpty()) {
      trees.lookAtNext();
    }
  }

  /** Minutes from a note to the search of the tree. */
  private static long rest(PassedOverTrees trees, FamilyOwner owner, AtomicLong nanos) {
    trees.noteLater(owner);
    long minutes = 0;
    while (trees.isEmpty() && minutes < 10_000) {
      nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
      minutes++;
      trees.noteLater(owner); // says nothing new
    }
    lookAtAll(trees);
    return minutes;
  }

  @Test
  void aSearchGoesOnAtTheLeafThatCouldNotBeRead() throws Exception {
    FaultyReads[] disk = new FaultyReads[1];
    try (CrowdedStore store = new CrowdedStore(real -> disk[0] = new FaultyReads(real))) {
      fill(store);
      for (int i = 0; i < 3; i++) {
        disk[0].next = FaultyReads.Fault.FAILS;
        store.mover.search();
        assertEquals(FaultyReads.Fault.NONE, disk[0].next);
        assertEquals(0, store.forest().dedicatedTrees());
      }
      store.search();
      store.requireAllMoved();
      store.compare();
    }
  }

  @RuleTest(
      rule = 56,
      twins =
          @Twin(
              name = "a search ends at a damaged leaf",
              in = "io.bg3.core.tree.LeafWalk",
              method = "passLeaf",
              without = "Descent.aboveLeaf"))
  void aSearchGoesOnBehindADamagedLeaf() throws Exception {
    FaultyReads[] disk = new FaultyReads[1];
    try (CrowdedStore store = new CrowdedStore(real -> disk[0] = new FaultyReads(real))) {
      fill(store);
      disk[0].next = FaultyReads.Fault.DAMAGED;
      store.mover.search();
      assertEquals(FaultyReads.Fault.NONE, disk[0].next);
      store.search();
      long moved = store.forest().dedicatedTrees();
      assertTrue(moved >= 2 * CrowdedStore.OWNERS - 3, "vertices with trees: " + moved);
      store.compare();
    }
  }

  @Test
  void theSearchOfAFamilyEndsWhenNoVertexLeavesItAnyMore() throws Exception {
    try (CrowdedStore store = new CrowdedStore()) {
      store.fillAtOnce();
      PassedOverTrees trees = new PassedOverTrees(store.forest());
      lookAtAll(trees);
      store.forest().sharedTree(new FamilyOwner(1, 1)).shape().notePassedOver();
      trees.lookAtNext();
      assertFalse(trees.isEmpty());
      store.forest().configureFamily(1, CrowdedStore.STAYING);
      assertTrue(trees.isEmpty());
      store.forest().configureFamily(1, CrowdedStore.SPLITTING);
      assertFalse(trees.isEmpty(), "there may be vertices to move again");
      lookAtAll(trees);
      store.forest().configureFamily(1, CrowdedStore.SPLITTING_LATER);
      assertTrue(trees.isEmpty(), "a higher split-out moves no other vertex");
    }
  }
}
