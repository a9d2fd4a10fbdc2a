package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.forest.PassedOverTrees;
import io.bg3.core.tree.FamilyOwner;
import io.bg3.core.tree.HeavyOwnerSearch;
import io.bg3.rules.Patience;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Twin;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Vertices with many edges are found though nobody notices them (R56). */
class HeavyOwnersRulesTest {
  private static final String HEAVY = "io.bg3.core.tree.HeavyOwners";
  private static final String MOVER = "io.bg3.core.transaction.OwnerMover";

  @RuleTest(
      rule = 56,
      twins = {
        @Twin(
            name = "nobody remembers that a vertex found no room in the queue",
            in = HEAVY,
            method = "enqueue",
            without = "TreeShape.notePassedOver"),
        @Twin(
            name = "a search for vertices ends behind the first leaf",
            in = "io.bg3.core.tree.LeafWalk",
            method = "nextInMemory",
            without = "PageHeader.high")
      })
  void eachOfManyVerticesGetsATreeWithoutAFurtherWrite() throws Exception {
    try (CrowdedStore store = new CrowdedStore()) {
      store.fillAtOnce();
      store.opened.checkpoint();
      assertTrue(store.opened.evict() > CrowdedStore.OWNERS / 2, "leaves are in storage");
      List<FamilyOwner> noticed = store.noticed();
      assertEquals(CrowdedStore.WAITING, noticed.size());
      noticed.forEach(owner -> store.mover.move(owner, CrowdedStore.ENTRIES));
      store.search();
      store.requireAllMoved();
      store.compare();
    }
  }

  @RuleTest(
      rule = 56,
      twins =
          @Twin(
              name = "a split of the root notices no vertex",
              in = "io.bg3.core.tree.LeafWrites",
              method = "noticeLater",
              without = "PendingMaintenance.add"))
  void aCommitThatSplitsTheRootNoticesItsVertices() throws Exception {
    try (CrowdedStore store = new CrowdedStore()) {
      store.forest().heavyOwners().keepAtMost(10 * CrowdedStore.OWNERS);
      store.fillAtOnce();
      assertEquals(2 * CrowdedStore.OWNERS, store.noticed().stream().distinct().count());
      assertFalse(store.mover.hasPassedOver());
    }
  }

  @RuleTest(
      rule = 56,
      twins =
          @Twin(
              name = "of a leaf that is split, the left piece alone is looked at",
              in = "io.bg3.core.tree.Tree",
              method = "settle",
              without = "Stream.forEach"))
  void aLeafThatIsSplitNoticesTheVerticesOfAllPieces() throws Exception {
    try (CrowdedStore store = new CrowdedStore()) {
      int consolidates = 4; // entries of a delta
      List<Integer> others = List.of(1, 3, 5, 7, 9, 11, 13, 15, 17, 19);
      put(store, 1, 1, 5);
      put(store, 9, 1, 5);
      for (int other : others) { // those before the last few are not too many
        put(store, 5, other, others.size() - others.indexOf(other) > consolidates ? 5 : 63);
      }
      assertEquals(List.of(new FamilyOwner(5, 1)), store.noticed());
    }
  }

  private static void put(CrowdedStore store, long owner, long other, int bytes) {
    store.opened.commit(transaction -> store.model.put(transaction, owner, other, new byte[bytes]));
  }

  /** Nothing consolidates the leaves of a vertex whose last edges are in their deltas. */
  @RuleTest(
      rule = 56,
      twins = {
        @Twin(
            name = "a flush looks at no vertex",
            in = "io.bg3.core.tree.PageFlush",
            method = "noticeOwners",
            without = "HeavyOwners.lookAtStored"),
        @Twin(
            name = "a flush counts the entries of one leaf alone",
            in = HEAVY,
            method = "lookAtStored",
            without = "SeparatedOwner.entriesBeside")
      })
  void aVertexWhoseLastEdgesAreInADeltaIsNoticedByTheFlush() throws Exception {
    try (CrowdedStore store = new CrowdedStore()) {
      store.forest().heavyOwners().keepAtMost(10 * CrowdedStore.OWNERS);
      putPlain(store, CrowdedStore.ENTRIES);
      store.opened.checkpoint();
      store.noticed(); // those of which a leaf has a part
      putPlain(store, 1);
      assertEquals(List.of(), store.noticed());
      store.opened.checkpoint();
      store.noticed().forEach(owner -> store.mover.move(owner, CrowdedStore.ENTRIES));
      assertFalse(store.mover.hasPassedOver());
      for (long owner = 0; owner < CrowdedStore.OWNERS; owner++) {
        assertTrue(store.forest().isDedicated(FamilyOwner.plain(owner)), "vertex " + owner);
      }
      store.compare();
    }
  }

  /** Edges without a family of each vertex, in one commit each. */
  private static void putPlain(CrowdedStore store, int edges) {
    for (long owner = 0; owner < CrowdedStore.OWNERS; owner++) {
      for (int i = 0; i < edges; i++) {
        put(store, owner, 2L * (edges + i), 5);
      }
    }
  }

  @RuleTest(
      rule = 56,
      twins =
          @Twin(
              name = "what was noticed before a crash stays where it is",
              in = "io.bg3.core.forest.Forest",
              method = "notePassedOver",
              without = "List.forEach"))
  void behindAnOpeningTheLeavesAreLookedAt() throws Exception {
    try (CrowdedStore store = new CrowdedStore()) {
      store.fillAtOnce();
      store.opened.checkpoint();
      store.crash();
      store.start();
      assertFalse(store.mover.hasPassedOver());
      store.forest().notePassedOver();
      store.search();
      store.requireAllMoved();
      store.compare();
    }
  }

  @RuleTest(
      rule = 56,
      twins =
          @Twin(
              name = "a vertex that could not be moved waits until it is written to",
              in = MOVER,
              method = "retry",
              without = "OwnerMover.tryMove"))
  void aVertexThatCouldNotBeMovedIsTriedAgain() throws Exception {
    FamilyOwner owner = FamilyOwner.plain(5);
    try (CrowdedStore store = new CrowdedStore()) {
      store.fillAtOnce();
      long rest = store.takeRestOfMemory();
      assertFalse(store.mover.move(owner, CrowdedStore.ENTRIES));
      store.giveBackMemory(rest);
      store.mover.retry();
      assertFalse(store.forest().isDedicated(owner), "it is left alone for a while");
      TimeUnit.MILLISECONDS.sleep(1_010);
      store.mover.retry();
      assertTrue(store.forest().isDedicated(owner));
      store.compare();
    }
  }

  @Test
  void theThreadOfAStoreMovesEachOfManyVertices() throws Exception {
    try (CrowdedStore store = new CrowdedStore()) {
      store.mover.start();
      try {
        store.fillAtOnce();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (store.forest().dedicatedTrees() < 2 * CrowdedStore.OWNERS
            && System.nanoTime() < end) {
          TimeUnit.MILLISECONDS.sleep(10);
        }
      } finally {
        store.mover.close();
      }
      store.requireAllMoved();
      store.compare();
    }
  }

  static boolean isAtEndAndForgets(HeavyOwnerSearch search) {
    if (search.isAtEnd()) {
      search.tree().shape().forgetPassedOver();
    }
    return search.isAtEnd();
  }

  @RuleTest(
      rule = 56,
      twins =
          @Twin(
              name = "a search forgets what was passed over while it looked",
              in = "io.bg3.core.forest.PassedOverTrees",
              method = "lookAtNext",
              without = "HeavyOwnerSearch.isAtEnd",
              instead = "isAtEndAndForgets"))
  void aVertexThatIsPassedOverDuringASearchIsFoundByTheNext() throws Exception {
    try (CrowdedStore store = new CrowdedStore()) {
      store.fillAtOnce();
      PassedOverTrees trees = new PassedOverTrees(store.forest());
      while (!trees.isEmpty()) {
        trees.lookAtNext();
      }
      store.forest().sharedTree(FamilyOwner.plain(7)).shape().notePassedOver();
      trees.lookAtNext(); // the first leaf
      store.forest().sharedTree(FamilyOwner.plain(7)).shape().notePassedOver();
      List<FamilyOwner> found = new ArrayList<>();
      int leaves = 0;
      while (!trees.isEmpty()) {
        found.addAll(trees.lookAtNext());
        leaves++;
      }
      long times = found.stream().filter(FamilyOwner.plain(7)::equals).count();
      assertTrue(times >= 2, "found " + times + " times in " + leaves + " leaves");
    }
  }

  @Test
  void anotherSplitOutOfAFamilyMovesTheVerticesThatAreThere() throws Exception {
    try (CrowdedStore store = new CrowdedStore()) {
      store.opened.defineFamily(1, CrowdedStore.STAYING);
      store.fillAtOnce();
      store.search();
      assertEquals(0, store.forest().dedicatedTrees(1));
      store.opened.defineFamily(1, CrowdedStore.SPLITTING);
      store.search();
      assertEquals(CrowdedStore.OWNERS, store.forest().dedicatedTrees(1));
      store.compare();
    }
  }

  @RuleTest(
      rule = 56,
      twins =
          @Twin(
              name = "the thread tries no vertex again that could not be moved",
              in = MOVER,
              method = "look",
              without = "OwnerMover.retry"))
  void theThreadTriesAgainToMoveVertices() throws Exception {
    try (CrowdedStore store = new CrowdedStore()) {
      store.forest().heavyOwners().keepAtMost(10 * CrowdedStore.OWNERS);
      store.fillAtOnce();
      long rest = store.takeRestOfMemory();
      for (FamilyOwner owner : store.noticed()) {
        assertFalse(store.mover.move(owner, CrowdedStore.ENTRIES));
      }
      store.giveBackMemory(rest);
      assertFalse(store.mover.hasPassedOver());
      store.mover.start();
      try {
        Patience.await(
            () -> "trees=" + store.forest().dedicatedTrees(),
            () -> store.forest().dedicatedTrees() >= 2 * CrowdedStore.OWNERS);
      } finally {
        store.mover.close();
      }
      store.requireAllMoved();
      store.compare();
    }
  }
}
