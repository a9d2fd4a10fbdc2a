package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.forest.PassedOverTrees;
import io.bg3.core.transaction.OwnerMover;
import io.bg3.core.tree.FamilyOwner;
import io.bg3.core.tree.FamilySettings;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Twin;
import io.bg3.storage.memory.MemoryBudget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Vertices with many edges are found though nobody notices them (R56). */
class HeavyOwnersRulesTest {
  private static final int OWNERS = 40;
  private static final int EDGES = 24; // half of them of the family
  private static final int ENTRIES = 8;
  private static final int WAITING = 3;
  private static final FamilySettings SPLITTING = new FamilySettings(0, 0, 0, ENTRIES, null);

  private static final String HEAVY = "io.bg3.core.tree.HeavyOwners";
  private static final String SEARCH = "io.bg3.core.tree.HeavyOwnerSearch";
  private static final String MOVER = "io.bg3.core.transaction.OwnerMover";

  /** A store in which few vertices may wait, and what moves them. */
  private static final class Store extends ModelledStore {
    OwnerMover mover;

    Store() throws IOException {
      super(new EdgeModel(EdgeModel.TAG_LABEL, EdgeModel.OF_FAMILY), 1);
      opened.defineFamily(1, SPLITTING);
      start();
    }

    /** Notices vertices, as a mover that has started. */
    void start() {
      mover = new OwnerMover(opened.transactions(), forest(), ENTRIES);
      forest().heavyOwners().keepAtMost(WAITING);
      forest().heavyOwners().noticeAbove(ENTRIES);
      forest().heavyOwners().noticeInFamilies();
    }

    /** Edges of all vertices, in one commit. */
    void fillAtOnce() {
      opened.commit(
          transaction -> {
            for (long owner = 0; owner < OWNERS; owner++) {
              for (int other = 0; other < EDGES; other++) {
                model.put(transaction, owner, other, new byte[] {(byte) other});
              }
            }
          });
    }

    /** The vertices that wait, which do so no longer. */
    List<FamilyOwner> noticed() {
      List<FamilyOwner> noticed = new ArrayList<>();
      FamilyOwner owner = forest().heavyOwners().poll();
      while (owner != null) {
        noticed.add(owner);
        owner = forest().heavyOwners().poll();
      }
      return noticed;
    }

    /** Does what a mover with nothing else to do does, until it finds nothing. */
    void search() {
      while (mover.hasPassedOver()) {
        mover.search();
      }
    }

    void requireAllMoved() {
      for (long owner = 0; owner < OWNERS; owner++) {
        for (int family = 0; family < 2; family++) {
          FamilyOwner each = new FamilyOwner(owner, family);
          assertTrue(forest().isDedicated(each), each::toString);
        }
      }
    }
  }

  @RuleTest(
      rule = 56,
      twins = {
        @Twin(
            name = "nobody remembers that a vertex found no room in the queue",
            in = HEAVY,
            method = "look",
            without = "TreeShape.notePassedOver"),
        @Twin(
            name = "a search for vertices ends behind the first leaf",
            in = SEARCH,
            method = "lookAtNext",
            without = "PageHeader.high")
      })
  void eachOfManyVerticesGetsATreeWithoutAFurtherWrite() throws Exception {
    try (Store store = new Store()) {
      store.fillAtOnce();
      store.opened.checkpoint();
      assertTrue(store.opened.evict() > OWNERS / 2, "leaves are in storage");
      List<FamilyOwner> noticed = store.noticed();
      assertEquals(WAITING, noticed.size());
      noticed.forEach(owner -> store.mover.move(owner, ENTRIES));
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
    try (Store store = new Store()) {
      store.forest().heavyOwners().keepAtMost(10 * OWNERS);
      store.fillAtOnce();
      assertEquals(2 * OWNERS, store.noticed().stream().distinct().count());
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
    try (Store store = new Store()) {
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

  private static void put(Store store, long owner, long other, int bytes) {
    store.opened.commit(transaction -> store.model.put(transaction, owner, other, new byte[bytes]));
  }

  @RuleTest(
      rule = 56,
      twins =
          @Twin(
              name = "what was noticed before a crash stays where it is",
              in = "io.bg3.core.forest.Forest",
              method = "notePassedOver()V",
              without = "List.forEach"))
  void behindAnOpeningTheLeavesAreLookedAt() throws Exception {
    try (Store store = new Store()) {
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
    try (Store store = new Store()) {
      store.fillAtOnce();
      MemoryBudget budget = store.opened.opened().space().memory().budget();
      store.opened.opened().space().epochs().reclaim();
      long rest = budget.limit() - budget.used();
      budget.reserve(rest);
      assertFalse(store.mover.move(owner, ENTRIES));
      budget.release(rest);
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
    try (Store store = new Store()) {
      store.mover.start();
      try {
        store.fillAtOnce();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (store.forest().dedicatedTrees() < 2 * OWNERS && System.nanoTime() < end) {
          TimeUnit.MILLISECONDS.sleep(10);
        }
      } finally {
        store.mover.close();
      }
      store.requireAllMoved();
      store.compare();
    }
  }

  @Test
  void aVertexThatIsPassedOverDuringASearchIsFoundByTheNext() throws Exception {
    try (Store store = new Store()) {
      store.fillAtOnce();
      PassedOverTrees trees = new PassedOverTrees(store.forest());
      while (!trees.isEmpty()) {
        trees.lookAtNext();
      }
      store.forest().notePassedOver(FamilyOwner.plain(7));
      trees.lookAtNext(); // the first leaf
      store.forest().notePassedOver(FamilyOwner.plain(7));
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
    try (Store store = new Store()) {
      store.opened.defineFamily(1, new FamilySettings(0, 0, 0, 0, null));
      store.fillAtOnce();
      store.search();
      assertEquals(0, store.forest().dedicatedTrees(1));
      store.opened.defineFamily(1, SPLITTING);
      store.search();
      assertEquals(OWNERS, store.forest().dedicatedTrees(1));
      store.compare();
    }
  }
}
