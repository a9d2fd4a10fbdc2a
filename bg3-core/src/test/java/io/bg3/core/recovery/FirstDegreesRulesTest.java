package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.keyspace.WriteSet;
import io.bg3.core.transaction.ConflictException;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.OwnerMover;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.tree.FamilyOwner;
import io.bg3.core.tree.FamilySettings;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.memory.MemoryExceededException;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * When the degrees of a vertex begin to be kept: its tree gets many leaves, here two if nothing
 * else is said, or is found to have many, and commits of the vertex go on while it is counted.
 */
class FirstDegreesRulesTest {
  private static final int FEW = 9; // in one leaf
  private static final int MANY = 60; // in several
  private static final int ENTRIES = 8;
  private static final long OWNER = 5;

  private static final String DEGREES = "io.bg3.core.transaction.Degrees";
  private static final String FIRST = "io.bg3.core.transaction.FirstDegrees";
  private static final String COUNT = "io.bg3.core.transaction.DegreeCount";
  private static final String MOVER = "io.bg3.core.transaction.OwnerMover";

  /** A store of one vertex with some edges. */
  private static final class Store extends ModelledStore {
    Store(int edges) throws IOException {
      super(new EdgeModel(), 3);
      fill(OWNER, edges);
    }

    /** The vertex in a tree of its own, without degrees. */
    static Store moved(int edges) throws IOException {
      Store store = new Store(edges);
      assertTrue(store.opened.moveOutOnly(OWNER, ENTRIES));
      return store;
    }

    OwnerMover mover() {
      return new OwnerMover(opened.transactions(), forest(), ENTRIES);
    }

    void notice() {
      forest().heavyOwners().noticeAbove(10 * MANY);
    }

    FamilyOwner noticed() {
      return forest().heavyOwners().poll();
    }

    void put(long other) {
      opened.commit(transaction -> model.put(transaction, OWNER, other, new byte[3]));
    }

    void remove(long other) {
      opened.commit(transaction -> model.remove(transaction, OWNER, other));
    }

    long degree() {
      try (Transaction reader = reader()) {
        return reader.degree(OWNER, EdgeModel.TAG_LABEL, EdgeModel.TAG_LABEL);
      }
    }
  }

  @RuleTest(
      rule = 36,
      twins =
          @Twin(
              name = "nobody looks at a vertex whose tree has got many leaves",
              in = "io.bg3.core.tree.PageSplitter",
              method = {"splitInStructure", "add"},
              without = "PageSplitter.noticeLarge"))
  void theDegreesAreKeptFromSomeNumberOfLeavesOn() throws Exception {
    int before = FEW;
    for (int leaves : new int[] {2, 3, 8}) {
      int edges = edgesWhenCounted(leaves);
      assertTrue(edges > before, edges + " edges, " + leaves + " leaves, " + before + " before");
      before = edges;
    }
  }

  /** Adds edges until there are so many leaves; the number of edges when the degrees are kept. */
  private static int edgesWhenCounted(int leaves) throws Exception {
    try (Store store = Store.moved(FEW)) {
      store.forest().heavyOwners().countFrom(leaves);
      store.notice();
      store.put(1_000);
      assertFalse(store.forest().isLarge(OWNER));
      assertNull(store.noticed());
      assertFalse(store.mover().move(OWNER));
      assertEquals(-1, store.degree());
      int edges = FEW + 1;
      while (!store.forest().isLarge(OWNER)) {
        store.put(1_000 + edges++);
      }
      assertEquals(FamilyOwner.plain(OWNER), store.noticed());
      assertEquals(-1, store.degree());
      assertTrue(store.mover().move(OWNER));
      assertFalse(store.mover().move(OWNER));
      assertEquals(edges, store.degree());
      for (int i = 0; i < MANY; i++) {
        store.put(5_000 + i);
      }
      assertNull(store.noticed());
      store.compare();
      return edges;
    }
  }

  @Test
  void aCommitOfManyEdgesThatSplitsTheOnlyLeafIsNoticed() throws Exception {
    try (Store store = Store.moved(FEW)) {
      store.notice();
      store.fill(OWNER, 10 * MANY);
      assertTrue(store.forest().isLarge(OWNER));
      assertEquals(FamilyOwner.plain(OWNER), store.noticed());
    }
  }

  @RuleTest(
      rule = 36,
      twins =
          @Twin(
              name = "nobody looks for vertices that were left out because too many waited",
              in = MOVER,
              method = "sweep",
              without = "EmptiedTrees.noteAll"))
  void aVertexThatIsLeftOutBecauseTooManyWaitIsFound() throws Exception {
    try (Store store = Store.moved(FEW)) {
      store.fill(OWNER + 1, FEW);
      assertTrue(store.opened.moveOutOnly(OWNER + 1, ENTRIES));
      store.notice();
      store.forest().heavyOwners().keepAtMost(1);
      store.fill(OWNER + 1, MANY);
      store.fill(OWNER, MANY);
      assertEquals(FamilyOwner.plain(OWNER + 1), store.noticed());
      assertNull(store.noticed());
      OwnerMover mover = store.mover();
      mover.sweep();
      while (mover.hasPassedOver()) {
        mover.search();
      }
      assertEquals(MANY, store.degree());
      store.compare();
    }
  }

  @Test
  void aVertexThatIsLeftOutBecauseTooManyWaitIsSaidToBe() throws Exception {
    try (Store store = Store.moved(FEW)) {
      store.fill(OWNER + 1, FEW);
      assertTrue(store.opened.moveOutOnly(OWNER + 1, ENTRIES));
      store.notice();
      store.forest().heavyOwners().keepAtMost(1);
      store.fill(OWNER, MANY);
      assertFalse(store.forest().heavyOwners().takeLeavesOut());
      store.fill(OWNER + 1, MANY);
      assertTrue(store.forest().heavyOwners().takeLeavesOut());
      assertFalse(store.forest().heavyOwners().takeLeavesOut());
    }
  }

  @Test
  void aVertexThatMovesWithSeveralLeavesHasItsDegreesKept() throws Exception {
    try (Store store = new Store(MANY)) {
      assertTrue(store.mover().move(OWNER));
      assertTrue(store.forest().isLarge(OWNER));
      assertEquals(MANY, store.degree());
      store.compare();
    }
  }

  @Test
  void noQuestionChangesWhetherDegreesAreKept() throws Exception {
    for (int edges : new int[] {FEW, MANY}) {
      try (Store store = Store.moved(edges)) {
        store.notice();
        assertEquals(-1, store.degree());
        assertNull(store.noticed());
      }
    }
  }

  @RuleTest(
      rule = 36,
      twins =
          @Twin(
              name = "a commit does not notice that degrees are missing",
              in = DEGREES,
              method = "areKeptIn",
              without = "Trees.noticeIfLarge"))
  void theFirstCommitBehindAnOpeningNoticesThatDegreesAreMissing() throws Exception {
    try (Store store = Store.moved(MANY)) {
      store.opened.checkpoint();
      store.crash(); // between the split and the marker
      store.notice();
      assertEquals(-1, store.degree());
      assertNull(store.noticed());
      store.put(1_000);
      assertEquals(FamilyOwner.plain(OWNER), store.noticed());
      store.put(1_001);
      assertNull(store.noticed());
      store.mover().move(OWNER);
      assertEquals(MANY + 2, store.degree());
      store.compare();
    }
  }

  @RuleTest(
      rule = 36,
      twins =
          @Twin(
              name = "a pass does not notice that degrees are missing",
              in = "io.bg3.core.forest.EmptiedTrees",
              method = "lookAtNext",
              without = "EmptiedTrees.lacksDegrees"))
  void thePassBehindAnOpeningFindsTreesWhoseDegreesAreMissing() throws Exception {
    try (Store store = Store.moved(MANY)) {
      store.fill(OWNER + 1, FEW);
      assertTrue(store.opened.moveOutOnly(OWNER + 1, ENTRIES));
      store.opened.checkpoint();
      store.crash();
      OwnerMover mover = store.mover();
      mover.searchAll();
      while (mover.hasPassedOver()) {
        mover.search();
      }
      assertEquals(MANY, store.degree());
      try (Transaction reader = store.reader()) {
        assertEquals(-1, reader.degree(OWNER + 1, EdgeModel.TAG_LABEL, EdgeModel.TAG_LABEL));
      }
      store.compare();
    }
  }

  @Test
  void aTreeOfAFamilyCountsToo() throws Exception {
    try (ModelledStore store =
        new ModelledStore(new EdgeModel(EdgeModel.TAG_LABEL, EdgeModel.OF_FAMILY), 3)) {
      store.opened.defineFamily(1, new FamilySettings(0, 0, 0, ENTRIES, null));
      store.opened.commit(
          transaction -> {
            for (int other = 0; other < 2 * FEW; other += 2) {
              store.model.put(transaction, OWNER, other, new byte[3]);
            }
            for (int other = 1; other < 2 * MANY; other += 2) {
              store.model.put(transaction, OWNER, other, new byte[3]);
            }
          });
      FamilyOwner ofFamily = new FamilyOwner(OWNER, 1);
      assertTrue(store.opened.moveOutOnly(OWNER, ENTRIES));
      assertFalse(store.forest().isLarge(OWNER));
      OwnerMover mover = new OwnerMover(store.opened.transactions(), store.forest(), ENTRIES);
      store.forest().heavyOwners().noticeAbove(10 * MANY);
      assertTrue(mover.move(ofFamily, ENTRIES));
      FamilyOwner noticed = store.forest().heavyOwners().poll();
      assertEquals(FamilyOwner.plain(OWNER), noticed);
      mover.move(noticed, ENTRIES);
      try (Transaction reader = store.reader()) {
        assertEquals(FEW, reader.degree(OWNER, EdgeModel.TAG_LABEL, EdgeModel.TAG_LABEL));
        assertEquals(MANY, reader.degree(OWNER, EdgeModel.OF_FAMILY, EdgeModel.OF_FAMILY));
      }
      store.compare();
    }
  }

  @RuleTest(
      rule = 36,
      sites = {
        @Site(name = "told", in = FIRST, method = "keep", after = "FirstDegrees.begin"),
        @Site(name = "begun", in = FIRST, method = "countAll", before = "DegreeCount.startAt"),
        @Site(name = "started", in = FIRST, method = "countAll", after = "DegreeCount.startAt"),
        @Site(name = "scanned", in = FIRST, method = "keep", after = "FirstDegrees.countAll")
      },
      twins = {
        @Twin(
            name = "a commit does not tell the count what it changes",
            in = DEGREES,
            method = "applied",
            without = "DegreeCount.applied"),
        @Twin(
            name = "a commit counts once more that the snapshot shows",
            in = COUNT,
            method = "note",
            without = "DegreeCount.isAboveSnapshot",
            result = 1),
        @Twin(
            name = "the count leaves out commits above its snapshot",
            in = COUNT,
            method = "note",
            without = "DegreeCount.isAboveSnapshot",
            result = 0)
      })
  void commitsBesideTheCountAreCountedOnce() throws Exception {
    for (String step : List.of("told", "begun", "started", "scanned")) {
      try (Store store = Store.moved(MANY)) {
        Sites.at(
            step,
            () -> {
              store.put(1_000);
              store.put(1_001);
              store.put(7);
              store.remove(3);
              store.remove(2_000);
            });
        assertTrue(store.opened.keepDegrees(OWNER));
        Sites.requirePassed(step);
        assertEquals(MANY + 1, store.degree(), step);
        store.put(1_002);
        assertEquals(MANY + 2, store.degree(), step);
        store.compare();
        store.crash();
        store.compare();
      }
    }
  }

  @RuleTest(
      rule = 36,
      sites = @Site(name = "scanned", in = FIRST, method = "keep", after = "FirstDegrees.countAll"),
      twins =
          @Twin(
              name = "what a refused commit would have changed is counted",
              in = COUNT,
              method = "begin",
              without = "Map.clear"))
  void aRefusedCommitBesideTheCountIsNotCounted() throws Exception {
    try (Store store = Store.moved(MANY)) {
      Sites.at(
          "scanned",
          () -> {
            try (Transaction late = store.opened.transactions().begin(Isolation.SNAPSHOT, false)) {
              late.putEdge(OWNER, EdgeModel.TAG_LABEL, 3, 0, new byte[1]);
              late.putEdge(OWNER, EdgeModel.TAG_LABEL, 4_000, 0, new byte[1]);
              store.put(3);
              assertThrows(ConflictException.class, late::commit);
            }
            store.opened.commit(transaction -> transaction.addCount(OWNER, 7, 1));
            store.put(7);
          });
      assertTrue(store.opened.keepDegrees(OWNER));
      Sites.requirePassed("scanned");
      assertEquals(MANY, store.degree());
      store.compare();
    }
  }

  @RuleTest(
      rule = 36,
      sites = @Site(name = "scans", in = FIRST, method = "countAll", after = "DegreeCount.startAt"),
      twins =
          @Twin(
              name = "a vertex is counted while its stripe is held",
              in = FIRST,
              method = "begin",
              without = "HeldLocks.release"))
  void noCommitWaitsForTheCount() throws Exception {
    Store store = Store.moved(MANY); // not closed if a commit waits: closing waits for it too
    Sites.at(
        "scans",
        () -> {
          Sites.Other writer =
              Sites.Other.start(
                  () -> {
                    store.put(1_000);
                    store.opened.transactions().commitExclusively(new WriteSet(), () -> {});
                  });
          assertFalse(writer.isAlive(), "a commit waits for the count");
        });
    assertTrue(store.opened.keepDegrees(OWNER));
    Sites.requirePassed("scans");
    assertEquals(MANY + 1, store.degree());
    store.close();
  }

  @RuleTest(
      rule = 36,
      sites = @Site(name = "counts", in = FIRST, method = "keep", before = "FirstDegrees.countAll"),
      twins =
          @Twin(
              name = "a vertex that could not be counted is counted again at once",
              in = MOVER,
              method = "keepDegrees",
              without = "PutOffOwners.rests"))
  void aVertexThatCouldNotBeCountedRests() throws Exception {
    try (Store store = Store.moved(MANY)) {
      store.notice();
      int[] counts = {0};
      Sites.always(
          "counts",
          () -> {
            counts[0]++;
            throw new MemoryExceededException("planted", "bg3.memory.budget", 1, 1, 1);
          });
      OwnerMover mover = store.mover();
      mover.searchAll();
      while (mover.hasPassedOver()) {
        mover.search();
      }
      assertDoesNotThrow(() -> mover.move(OWNER)); // at once
      Sites.never("counts");
      assertEquals(1, counts[0]);
      assertEquals(-1, store.degree());
      while (store.degree() < 0) {
        mover.retry(); // of a vertex that rests: nothing
      }
      assertEquals(MANY, store.degree());
    }
  }
}
