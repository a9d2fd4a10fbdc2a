package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.ByteEntries;
import io.bg3.core.forest.EmptiedTrees;
import io.bg3.core.transaction.OwnerMover;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.tree.FamilyOwner;
import io.bg3.core.tree.FamilySettings;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.file.Disk;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Trees that have lost all their entries without anybody knowing whose they are (R57). */
class EmptiedTreesRulesTest {
  private static final int OWNERS = 12;
  private static final int EDGES = 120; // half of them of the family; some leaves each
  private static final int ENTRIES = 8;
  private static final long OWNER = 5;
  private static final FamilyOwner PLAIN = FamilyOwner.plain(OWNER);
  private static final FamilyOwner IN_FAMILY = new FamilyOwner(OWNER, 1);
  private static final FamilySettings SPLITTING = new FamilySettings(0, 0, 0, ENTRIES, null);

  private static final String EMPTIED = "io.bg3.core.forest.EmptiedTrees";
  private static final String FLUSH = "io.bg3.core.tree.PageFlush";

  /** A store of vertices that have a tree of their own in the family and one without. */
  private static final class Store extends ModelledStore {
    OwnerMover mover;

    Store() throws IOException {
      this(disk -> disk);
    }

    /** A store whose disk is looked at through another one. */
    Store(UnaryOperator<Disk> through) throws IOException {
      super(new EdgeModel(EdgeModel.TAG_LABEL, EdgeModel.OF_FAMILY), 1, through);
      opened.defineFamily(1, SPLITTING);
      for (long owner = 0; owner < OWNERS; owner++) {
        fill(owner, EDGES);
        move(owner);
      }
      opened.checkpoint();
      start();
    }

    void start() {
      mover = new OwnerMover(opened.transactions(), forest(), ENTRIES);
    }

    void move(long owner) {
      assertTrue(opened.moveOut(FamilyOwner.plain(owner), ENTRIES));
      assertTrue(opened.moveOut(new FamilyOwner(owner, 1), ENTRIES));
    }

    void empty(long owner) {
      opened.commit(transaction -> model.removeAll(transaction, owner));
    }

    /** Has the mover look at all trees; it does nothing else. */
    void pass() {
      assertFalse(mover.hasPassedOver());
      mover.searchAll();
      while (mover.hasPassedOver()) {
        mover.search();
      }
    }

    /** Has all leaves of the directory in memory. */
    void loadDirectory() {
      ByteEntries owners = new ByteEntries();
      byte[] next = new byte[0];
      while (next != null) {
        next = forest().dedicatedOwners(next, owners);
      }
      assertEquals(trees(), owners.count());
    }

    long trees() {
      return forest().dedicatedTrees();
    }
  }

  @RuleTest(
      rule = 57,
      twins =
          @Twin(
              name = "no dedicated tree is looked at behind an opening",
              in = "io.bg3.core.transaction.PassedOverSearch",
              method = "searchAll",
              without = "EmptiedTrees.noteAll"))
  void aTreeThatWasEmptiedBeforeAKillGoesInOnePass() throws Exception {
    try (Store store = new Store()) {
      for (long owner = 0; owner < OWNERS; owner += 2) {
        store.empty(owner);
      }
      store.crash();
      store.start();
      assertEquals(2 * OWNERS, store.trees());
      store.pass();
      assertEquals(OWNERS, store.trees());
      for (long owner = 0; owner < OWNERS; owner++) {
        assertEquals(owner % 2 == 1, store.forest().isDedicated(owner));
      }
      store.compare();
      store.opened.checkpoint();
      store.crash();
      assertEquals(OWNERS, store.trees());
      store.compare();
    }
  }

  @RuleTest(
      rule = 57,
      twins =
          @Twin(
              name = "a pass leaves out the owners below the leaf where it begins",
              in = "io.bg3.core.forest.DirectoryWalk",
              method = "next",
              without = "DirectoryWalk.goRound"))
  void aPassComesToTheOwnersBelowItsBeginning() throws Exception {
    try (Store store = new Store()) {
      for (int pass = 0; pass < 20; pass++) { // each begins at a leaf that is drawn
        store.empty(0);
        store.pass();
        assertFalse(store.forest().isDedicated(0), "in pass " + pass);
        store.fill(0, EDGES);
        store.move(0);
      }
      store.compare();
    }
  }

  @Test
  void aTreeThatWasEmptiedBeforeAClosingGoesInOnePass() throws Exception {
    try (Store store = new Store()) {
      EdgeModel before = store.model.copy();
      try (Transaction old = store.reader()) {
        store.empty(OWNER); // what was there stays in the leaves, because of the snapshot
        store.opened.checkpoint();
        before.compare(old, "");
      }
      store.crash();
      store.start();
      store.opened.evict();
      store.pass();
      assertEquals(2 * OWNERS - 2, store.trees());
      store.compare();
    }
  }

  @RuleTest(
      rule = 57,
      twins =
          @Twin(
              name = "a tree that has left memory before a sweep is forgotten",
              in = EMPTIED,
              method = "sweep",
              without = "SearchRests.note"))
  void aTreeWhoseLeavesHaveLeftMemoryGoesWhileTheStoreIsOpen() throws Exception {
    AtomicLong nanos = new AtomicLong();
    try (Store store = new Store()) {
      EmptiedTrees trees =
          new EmptiedTrees(store.forest(), store.opened.transactions()::horizon, nanos::get);
      EdgeModel before = store.model.copy();
      try (Transaction old = store.reader()) {
        store.empty(OWNER);
        store.opened.checkpoint();
        before.compare(old, "");
      }
      store.opened.evict();
      assertTrue(trees.maySweep());
      trees.sweep(owner -> store.mover.move(owner, ENTRIES));
      assertEquals(2 * OWNERS, store.trees(), "leaves are in storage");
      assertTrue(trees.isEmpty(), "a pass comes later");
      nanos.addAndGet(TimeUnit.MINUTES.toNanos(10));
      assertFalse(trees.isEmpty());
      lookAtAll(trees, store);
      assertEquals(2 * OWNERS - 2, store.trees());
      store.compare();
    }
  }

  private static void lookAtAll(EmptiedTrees trees, Store store) {
    while (!trees.isEmpty()) {
      for (FamilyOwner owner : trees.lookAtNext()) {
        if (store.mover.move(owner, ENTRIES)) {
          trees.noteMoved(owner);
        }
      }
    }
  }

  @RuleTest(
      rule = 57,
      sites =
          @Site(
              name = "has written",
              in = FLUSH,
              method = "write(Lio/bg3/core/tree/NotedPages;Lio/bg3/core/tree/PageFlush$Result;)V",
              before = "PageFlush.removeIfEmpty"),
      twins =
          @Twin(
              name = "a flush says nothing of the tree of an owner without entries",
              in = FLUSH,
              method = "noteIfEmptied",
              without = "TreeShape.noteEmptied"))
  void aFlushNotesATreeWhoseLeafLeavesMemoryAtOnce() throws Exception {
    try (Store store = new Store()) {
      store.empty(OWNER);
      Sites.at("has written", () -> store.opened.evict());
      store.opened.checkpoint();
      Sites.requirePassed("has written");
      for (FamilyOwner owner : List.of(PLAIN, IN_FAMILY)) {
        assertTrue(store.forest().sharedTree(owner).shape().mayHaveEmptied(), owner::toString);
      }
    }
  }

  @Test
  void aSweepTakesAwayWhatIsInMemory() throws Exception {
    try (Store store = new Store()) {
      for (long owner = 0; owner < OWNERS; owner++) {
        store.empty(owner);
      }
      store.opened.checkpoint();
      store.mover.sweep();
      store.opened.checkpoint();
      store.mover.sweep();
      assertEquals(0, store.trees());
      store.compare();
      store.crash();
      store.compare();
    }
  }

  @RuleTest(
      rule = 57,
      twins =
          @Twin(
              name = "a pass reads a damaged leaf again and again",
              in = EMPTIED,
              method = "passLeaf"))
  void aPassGoesOnBehindADamagedLeaf() throws Exception {
    FaultyReads[] disk = new FaultyReads[1];
    try (Store store = new Store(real -> disk[0] = new FaultyReads(real))) {
      for (long owner = 0; owner < OWNERS; owner++) {
        store.empty(owner);
      }
      store.opened.checkpoint();
      store.opened.evict();
      store.loadDirectory();
      disk[0].next = FaultyReads.Fault.DAMAGED;
      store.pass();
      assertEquals(FaultyReads.Fault.NONE, disk[0].next);
      assertEquals(1, store.trees(), "that of the damaged leaf stays");
      store.pass();
      assertEquals(0, store.trees());
      store.compare();
    }
  }

  @Test
  void aSnapshotKeepsATreeAndAPassTakesItAwayLater() throws Exception {
    try (Store store = new Store()) {
      Transaction old = store.reader();
      store.empty(OWNER);
      store.pass();
      assertEquals(2 * OWNERS, store.trees());
      old.close();
      store.pass();
      assertEquals(2 * OWNERS - 2, store.trees());
      store.compare();
    }
  }
}
