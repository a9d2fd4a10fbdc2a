package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.commit.StoreFailedException;
import io.bg3.core.entry.DegreeKey;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.forest.Forest;
import io.bg3.core.keyspace.Trees;
import io.bg3.core.transaction.ConflictException;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.NewestReader;
import io.bg3.core.transaction.OwnerMover;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.tree.Tree;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.memory.MemoryBudget;
import io.bg3.storage.memory.MemoryExceededException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Vertices that move to trees of their own beside readers, commits and checkpoints. */
class MoveOutRulesTest {
  private static final int OWNERS = 20;
  private static final int EDGES = 40; // some leaves
  private static final int ENTRIES = 8;

  private static final String MOVER = "io.bg3.core.transaction.OwnerMover";
  private static final String MOVES = "io.bg3.core.forest.MoveOut";

  /** A store of some vertices with equally many edges, stored in one manifest. */
  private static final class Store extends ModelledStore {
    Store() throws IOException {
      super(new EdgeModel(), 1);
      for (long owner = 0; owner < OWNERS; owner++) {
        fill(owner, EDGES);
      }
      opened.checkpoint();
    }

    void move(long owner) {
      assertTrue(opened.moveOut(owner, ENTRIES), "vertex " + owner);
    }

    void compareAfterAPowerCut() {
      try (this) {
        crash();
        compare();
      }
    }
  }

  @RuleTest(
      rule = 19,
      sites = {
        @Site(
            name = "has its route",
            in = "io.bg3.core.tree.RoutedReads",
            method = "lookUp",
            after = "TreeRoute.tree"),
        @Site(
            name = Sites.WAITS,
            in = "io.bg3.storage.memory.Epochs",
            method = "awaitQuiescence",
            before = "Epochs.pause")
      },
      twins =
          @Twin(
              name = "an owner is erased while readers look for it where it was",
              in = MOVES,
              method = "takesOver",
              without = "Epochs.awaitQuiescence"))
  void aReaderThatWasSentToTheOldTreeFindsItsOwnerThere() throws Exception {
    try (Store store = new Store();
        Transaction reader = store.reader()) {
      Sites.Other mover = Sites.meanwhile("has its route", () -> store.move(5));
      byte[] value = reader.edgeValue(5, EdgeModel.TAG_LABEL, 7, 0);
      Sites.requirePassed("has its route");
      mover.join();
      assertArrayEquals(new byte[] {7}, value);
      store.compare();
    }
  }

  @RuleTest(
      rule = 19,
      sites = @Site(name = "erases", in = MOVES, method = "takesOver", before = "OwnerMove.erase"),
      twins =
          @Twin(
              name = "a checkpoint notes an owner that is in two trees",
              in = "io.bg3.core.forest.Forest",
              method = "note",
              without = {"ReentrantLock.lock", "ReentrantLock.unlock"}))
  void aManifestNamesTheEntriesOfAnOwnerInOneTree() throws Exception {
    try (Store store = new Store()) {
      Sites.Other checkpoint = Sites.meanwhile("erases", store.opened::checkpoint);
      store.move(5);
      Sites.requirePassed("erases");
      checkpoint.join();
      store.compareAfterAPowerCut();
    }
  }

  @RuleTest(
      rule = 19,
      sites = {
        @Site(name = "next leaf", in = "io.bg3.core.tree.OwnersLeaves", method = "copyForward"),
      },
      twins = {
        @Twin(
            name = "a scan of all owners reads the shared trees alone",
            in = "io.bg3.core.tree.OwnersLeaves$Step",
            method = "firstOfMine",
            without = "Predicate.test"),
        @Twin(
            name = "a scan of all owners shows an owner for each shared tree",
            in = "io.bg3.core.tree.OwnersLeaves$Step",
            method = "firstOfMine",
            without = "Predicate.test",
            result = 1)
      })
  void aScanOfAllOwnersFindsEachOnceWhileTheyMove() throws Exception {
    for (int first = 0; first < OWNERS; first++) {
      try (Store store = new Store();
          Transaction reader = store.reader()) {
        int[] next = {first};
        Sites.always( // at each leaf
            "next leaf",
            () -> {
              store.opened.moveOut(next[0]++ * 7 % OWNERS, ENTRIES);
            });
        try {
          store.model.compare(reader, "from " + first);
        } finally {
          Sites.never("next leaf");
        }
        Sites.requirePassed("next leaf");
        store.compare();
      }
    }
  }

  @RuleTest(
      rule = 19,
      sites = {
        @Site(
            name = "asked the directory",
            in = "io.bg3.core.tree.OwnersLeaves$Step",
            method = "copy()J",
            after = "LeafFormat.copyFirst"),
        @Site(
            name = Sites.WAITS,
            in = "io.bg3.storage.memory.Epochs",
            method = "awaitQuiescence",
            before = "Epochs.pause")
      },
      twins =
          @Twin(
              name = "a scan of all owners asks the directory in no epoch",
              in = "io.bg3.core.tree.OwnersLeaves",
              method = "copyForward",
              without = {"Epochs.enter", "Epochs.exit"}))
  void anOwnerThatTheDirectoryDoesNotNameIsStillInItsLeaf() throws Exception {
    try (Store store = new Store()) {
      store.move(OWNERS - 1); // or the directory would not be asked
      readWhileOwnersMove(store, "asked the directory", OWNERS - 1);
    }
  }

  @RuleTest(
      rule = 19,
      sites = {
        @Site(
            name = "asked for the number",
            in = "io.bg3.core.tree.OwnersLeaves$Step",
            method = "copy()J",
            after = "LongSupplier.getAsLong"),
        @Site(
            name = Sites.WAITS,
            in = "io.bg3.storage.memory.Epochs",
            method = "awaitQuiescence",
            before = "Epochs.pause")
      },
      twins =
          @Twin(
              name = "a scan of all owners asks in no epoch whether any has moved",
              in = "io.bg3.core.tree.OwnersLeaves",
              method = "copyForward",
              without = {"Epochs.enter", "Epochs.exit"}))
  void aScanPassesOverTheDirectoryWhileEachOwnerIsStillInItsLeaf() throws Exception {
    try (Store store = new Store()) {
      readWhileOwnersMove(store, "asked for the number", OWNERS);
    }
  }

  private static void readWhileOwnersMove(Store store, String site, int owners) throws Exception {
    try (Transaction reader = store.reader()) {
      Sites.Other mover =
          Sites.meanwhile(
              site,
              () -> {
                for (long owner = 0; owner < owners; owner++) {
                  store.move(owner);
                }
              });
      boolean whole = true;
      try {
        store.model.compare(reader, "");
      } catch (RuntimeException | AssertionError e) {
        whole = false; // also what it read may have been freed
      }
      Sites.requirePassed(site);
      mover.join();
      assertTrue(whole, "an owner is missing");
      store.compare();
    }
  }

  @RuleTest(
      rule = 19,
      twins =
          @Twin(
              name = "a commit that read everything looks at the shared trees alone",
              in = "io.bg3.core.keyspace.Trees",
              method = "anyOwnerChangedAfter",
              without = "Forest.dedicatedTrees"))
  void aCommitThatReadEverythingConflictsWithAnOwnerInItsOwnTree() throws Exception {
    try (Store store = new Store()) {
      store.move(5);
      try (Transaction reader = store.opened.transactions().begin(Isolation.STRICT, false)) {
        reader.allEdges(Transaction.ANY_TAG, false).close();
        store.model.compare(reader, "");
        reader.putEdge(3, EdgeModel.TAG_LABEL, 1_000, 0, new byte[0]);
        store.opened.commit(other -> store.model.put(other, 5, 1_000, new byte[0]));
        assertThrows(ConflictException.class, reader::commit);
      }
      store.compare();
    }
  }

  /** The forest that the twin below asks for its trees. */
  private static volatile Forest forestOfNow;

  /** Looks at the trees of single owners first. */
  static boolean inTheOtherOrder(Trees trees, byte[] low, byte[] high, long stamp) {
    for (long owner = 0; owner < OWNERS; owner++) {
      Tree own = forestOfNow.dedicatedTree(owner);
      byte[] end = DegreeKey.first(owner);
      if (own != null && own.changedAfter(EdgeKey.prefix(owner), end, stamp)) {
        return true;
      }
    }
    Sites.pass("looks at the shared trees");
    return forestOfNow.initTreesInOrder().stream()
        .anyMatch(tree -> tree.changedAfter(low, high, stamp));
  }

  @RuleTest(
      rule = 19,
      sites =
          @Site(
              name = "looks at the shared trees",
              in = "io.bg3.core.keyspace.Trees",
              method = "anyOwnerChangedAfter",
              before = "Forest.initTreesInOrder"),
      twins =
          @Twin(
              name = "a commit that read everything looks at the shared trees last",
              in = "io.bg3.core.keyspace.Trees",
              method = "anyOwnerChangedAfter",
              instead = "inTheOtherOrder"))
  void aCommitThatReadEverythingConflictsWithAnOwnerThatMovesMeanwhile() throws Exception {
    try (Store store = new Store()) {
      store.move(6); // or no dedicated tree would be looked for
      forestOfNow = store.forest(); // for the twin
      try (Transaction reader = store.opened.transactions().begin(Isolation.STRICT, false)) {
        store.model.compare(reader, "");
        reader.putEdge(3, EdgeModel.TAG_LABEL, 1_000, 0, new byte[0]);
        store.opened.commit(other -> store.model.put(other, 5, 1_000, new byte[0]));
        Sites.Other mover =
            Sites.meanwhile(
                "looks at the shared trees", () -> store.opened.moveOutOnly(5, ENTRIES));
        assertThrows(ConflictException.class, reader::commit);
        Sites.requirePassed("looks at the shared trees");
        mover.join();
      }
      store.compare();
    }
  }

  @RuleTest(
      rule = 19,
      sites = {
        @Site(
            name = "names the tree",
            in = "io.bg3.core.forest.Forest",
            method = "publish",
            before = "Directory.put"),
        @Site(
            name = "erases",
            in = "io.bg3.core.tree.OwnerMove",
            method = "erase(I[B)[B",
            before = "LeafFormat.writeBase")
      },
      twins =
          @Twin(
              name = "the store goes on when the end of a move has failed",
              in = MOVES,
              method = "takesOver",
              without = "Consumer.accept"))
  void aMoveThatFailsAtItsEndStopsTheStoreAndLosesNothing() throws Exception {
    for (String step : List.of("names the tree", "erases")) {
      Store store = new Store();
      AtomicInteger passes = new AtomicInteger();
      int failing = step.equals("erases") ? 2 : 1; // the second leaf
      Sites.always(
          step,
          () -> {
            if (passes.incrementAndGet() == failing) {
              throw new OutOfMemoryError("planted");
            }
          });
      try {
        assertThrows(OutOfMemoryError.class, () -> store.opened.moveOut(5, ENTRIES));
      } finally {
        Sites.never(step);
      }
      assertEquals(failing, passes.get());
      try (Transaction behind = store.opened.transactions().begin(Isolation.STRICT, false)) {
        behind.putEdge(5, EdgeModel.TAG_LABEL, 1_000, 0, new byte[0]);
        assertThrows(StoreFailedException.class, behind::commit);
      }
      assertThrows(StoreFailedException.class, store.opened::checkpoint);
      assertEquals("planted", store.opened.transactions().failure().getMessage());
      store.compareAfterAPowerCut();
    }
  }

  @RuleTest(
      rule = 19,
      sites = @Site(name = "locks", in = MOVER, method = "locked", before = "LockScope.lockSet"),
      twins = {
        @Twin(
            name = "the leaves of an owner are looked at and loaded under its stripe",
            in = MOVER,
            method = "tryMoveOut",
            without = "MoveOut.fits",
            result = 1),
        @Twin(
            name = "an owner that cannot be moved is tried again at once",
            in = MOVER,
            method = "tryMoveOut",
            without = "OwnerMover.putOff")
      })
  void anOwnerThatIsTooLargeForAMoveIsLeftAlone() throws Exception {
    long budget = 8 << 20;
    AtomicInteger locked = new AtomicInteger();
    try (CheckpointedStore store =
        CheckpointedStore.open(
            new CrashingDisk(), new CheckpointedStore.Replay(budget, 0, budget, budget))) {
      for (int first = 0; first < 12_000; first += 1_000) {
        int from = first;
        store.commit(
            transaction -> {
              for (int other = from; other < from + 1_000; other++) {
                transaction.putEdge(5, EdgeModel.TAG_LABEL, other, 0, new byte[60]);
              }
            });
      }
      store.checkpoint();
      OwnerMover mover = new OwnerMover(store.transactions(), store.opened().forest(), ENTRIES);
      Sites.always("locks", locked::incrementAndGet);
      assertFalse(mover.move(5));
      assertTrue(store.evict() > 0);
      long loads = store.opened().space().loader().loads();
      assertFalse(mover.move(5));
      assertEquals(loads, store.opened().space().loader().loads());
      assertEquals(0, locked.get());
    } finally {
      Sites.never("locks");
    }
  }

  @RuleTest(
      rule = 19,
      twins =
          @Twin(
              name = "a move takes memory for a second copy without asking for it",
              in = MOVES,
              method = "moveGranted",
              without = "MemoryBudget.tryRequest",
              result = 1))
  void anOwnerWhoseCopyThereIsNoMemoryForStays() throws Exception {
    try (Store store = new Store()) {
      MemoryBudget budget = store.opened.opened().space().memory().budget();
      store.opened.opened().space().epochs().reclaim();
      long rest = budget.limit() - budget.used();
      budget.reserve(rest);
      assertFalse(isMoved(store.opened));
      assertTrue(budget.used() <= budget.limit(), budget::toString);
      budget.release(rest);
      long used = budget.used();
      store.move(5);
      store.opened.opened().space().epochs().reclaim();
      assertTrue(budget.used() < used + (64 << 10), "the grant is given back");
      store.compare();
    }
  }

  private static boolean isMoved(CheckpointedStore store) throws Exception {
    try {
      return store.moveOut(5, ENTRIES);
    } catch (MemoryExceededException e) {
      return true; // there was no memory for the commit of its degrees
    }
  }

  @RuleTest(
      rule = 9,
      twins =
          @Twin(
              name = "an owner that moves forgets the cut of its leaves",
              in = "io.bg3.core.tree.OwnerMove",
              method = "copy",
              without = "Math.max"))
  void anAnswerFromAnOwnerThatMovesLacksNoVersion() throws Exception {
    try (Store store = new Store()) {
      NewestReader reader = store.opened.transactions().newestReader();
      boolean[] first = {true};
      byte[] value =
          reader.ask(
              () -> {
                if (first[0]) {
                  first[0] = false;
                  for (int i = 0; i < 20; i++) { // until the older versions have been pruned
                    byte[] newer = {(byte) (100 + i)};
                    store.opened.commit(other -> store.model.put(other, 5, 7, newer));
                  }
                  store.move(5);
                }
                return reader.edgeValue(5, EdgeModel.TAG_LABEL, 7, 0);
              });
      assertArrayEquals(new byte[] {119}, value);
      store.compare();
    }
  }

  static void pruneAnyhow(Forest forest, Runnable pruning) {
    pruning.run();
  }

  /**
   * A checkpoint has noted the leaf of the owner before the move. Its flush must not rid the leaf
   * of a version that the copy has: the value would be given up, and once more with the copy.
   */
  @RuleTest(
      rule = 7,
      sites = {
        @Site(
            name = "before it is pruned",
            in = "io.bg3.core.tree.PageFlush",
            method = "store",
            before = "PageFlush.settle"),
        @Site(
            name = "behind the flush",
            in = "io.bg3.core.tree.PageFlush",
            method = "settle",
            before = "PageTable.unlatch"),
        @Site(name = "copied", in = MOVES, method = "move", after = "OwnerMove.copy")
      },
      twins =
          @Twin(
              name = "a flush prunes a leaf while its entries are copied to another",
              in = "io.bg3.core.recovery.FlushResult",
              method = "prunes",
              without = "Forest.tryBetweenMoves",
              instead = "pruneAnyhow"))
  void theValueOfAVersionThatIsCopiedIsGivenUpOnce() throws Exception {
    try (Store store = new Store()) {
      store.opened.commit(large -> store.model.put(large, 5, 7, new byte[400]));
      Transaction reader = store.reader(); // keeps the version
      store.opened.commit(small -> store.model.put(small, 5, 7, new byte[1]));
      reader.close();
      CountDownLatch flushed = new CountDownLatch(1);
      Sites.Other mover = Sites.meanwhile("before it is pruned", () -> store.move(5));
      Sites.at("copied", () -> assertDoesNotThrow(() -> flushed.await()));
      Sites.at("behind the flush", flushed::countDown);
      store.opened.checkpoint();
      Sites.requirePassed("copied");
      mover.join();
      store.opened.checkpoint();
      assertNull(RowRulesTest.wrongUsage(store.opened));
      store.compare();
    }
  }

  @RuleTest(
      rule = 19,
      sites = {
        @Site(name = "pinned", in = MOVES, method = "moveGranted", before = "ReentrantLock.lock"),
        @Site(name = "copied", in = MOVES, method = "move", after = "OwnerMove.copy"),
        @Site(name = "built", in = MOVES, method = "move", after = "OwnerMove.build"),
        @Site(name = "published", in = MOVES, method = "takesOver", after = "Forest.publish"),
        @Site(name = "erased", in = MOVES, method = "takesOver", after = "OwnerMove.erase")
      },
      twins =
          @Twin(
              name = "a checkpoint does not learn where an owner has moved",
              in = "io.bg3.core.forest.Forest",
              method = "publish",
              without = "Tree.apply"))
  void aPowerCutAtEachStepOfAMoveLosesNothing() throws Exception {
    for (String step : List.of("pinned", "copied", "built", "published", "erased")) {
      for (boolean checkpoint : new boolean[] {false, true}) {
        Store store = new Store();
        store.opened.commit(before -> store.model.put(before, 5, 2_000, new byte[30]));
        Sites.Other flusher =
            Sites.meanwhile(
                step,
                () -> {
                  store.opened.flush(1_000);
                  if (checkpoint) {
                    store.opened.checkpoint();
                  }
                });
        store.move(5);
        Sites.requirePassed(step);
        flusher.join();
        store.crash();
        store.compare();
        store.opened.moveOut(5, ENTRIES);
        store.compare();
        store.close();
      }
    }
  }
}
