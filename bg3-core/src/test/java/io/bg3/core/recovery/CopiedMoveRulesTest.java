package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.forest.MoveOut;
import io.bg3.core.transaction.NewestReader;
import io.bg3.core.tree.FamilyOwner;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.MemoryBudget;
import java.io.IOException;
import java.util.List;

/** Vertices whose leaves are copied before their stripe is taken, as those of large ones are. */
class CopiedMoveRulesTest {
  private static final int OWNERS = 7;
  private static final int EDGES = 400; // tens of leaves
  private static final int ENTRIES = 8;
  private static final long MOVED = 3; // there are others on either side

  private static final String MOVER = "io.bg3.core.transaction.OwnerMover";
  private static final String MOVES = "io.bg3.core.forest.MoveOut";
  private static final String MOVE = "io.bg3.core.tree.OwnerMove";
  private static final String COPY = "io.bg3.core.tree.OwnerCopy";

  /** A store of some vertices with equally many edges, stored in one manifest. */
  private static final class Store extends ModelledStore {
    Store() throws IOException {
      super(new EdgeModel(), 1);
      for (long owner = 0; owner < OWNERS; owner++) {
        fill(owner, EDGES);
      }
      opened.checkpoint();
      forest().moveAtOnce(0);
    }

    void move() {
      assertTrue(opened.moveOut(MOVED, ENTRIES));
    }

    MemoryBudget budget() {
      opened.opened().space().epochs().reclaim();
      return opened.opened().space().memory().budget();
    }

    /** Changes leaves of the vertex in each way: new ones come, and some lose all entries. */
    void change() {
      opened.commit(
          transaction -> {
            for (int other = 0; other < EDGES; other += 9) {
              model.put(transaction, MOVED, other, new byte[] {1, 2});
            }
          });
      opened.commit(
          transaction -> {
            for (int other = 200; other < 260; other++) {
              model.remove(transaction, MOVED, other);
            }
          });
      opened.commit(
          transaction -> {
            for (int other = EDGES; other < EDGES + 50; other++) {
              model.put(transaction, MOVED, other, new byte[20]);
            }
          });
    }
  }

  @RuleTest(
      rule = 62,
      sites = @Site(name = "locks", in = MOVER, method = "locked", before = "LockScope.lockSet"),
      twins = {
        @Twin(
            name = "a move does not look again at what it has copied",
            in = MOVES,
            method = "moveCopied",
            without = "OwnerMove.refresh",
            result = 1),
        @Twin(
            name = "a leaf counts as copied though it has changed since",
            in = COPY,
            method = {"isCurrent", "copyLeaf"},
            without = "PageTable.publications"),
        @Twin(
            name = "a leaf that an owner shares with others is emptied",
            in = MOVE,
            method = "isOwners",
            result = 1)
      })
  void whatIsCommittedBehindTheCopiesIsInTheTree() throws Exception {
    try (Store store = new Store()) {
      Sites.Other writer =
          Sites.meanwhile(
              "locks",
              () -> {
                store.change();
                store.opened.checkpoint();
              });
      store.move();
      Sites.requirePassed("locks");
      writer.join();
      store.compare();
      store.opened.checkpoint();
      store.crash();
      assertTrue(store.forest().isDedicated(FamilyOwner.plain(MOVED)));
      store.compare();
    }
  }

  @RuleTest(
      rule = 9,
      twins =
          @Twin(
              name = "the copy of a leaf forgets the cut of the leaf",
              in = COPY,
              method = "copyLeaf",
              without = "PageHeader.cut"))
  void anAnswerFromAnOwnerThatIsCopiedLacksNoVersion() throws Exception {
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
                    store.opened.commit(other -> store.model.put(other, MOVED, 7, newer));
                  }
                  store.move();
                }
                return reader.edgeValue(MOVED, EdgeModel.TAG_LABEL, 7, 0);
              });
      assertArrayEquals(new byte[] {119}, value);
      store.compare();
    }
  }

  @RuleTest(
      rule = 62,
      twins = {
        @Twin(
            name = "copies that become no tree stay in memory",
            in = MOVE,
            method = "close",
            without = "OwnerCopy.close"),
        @Twin(
            name = "what was granted for copies is not given back",
            in = COPY,
            method = "write([B[BLio/bg3/core/entry/EdgeEntries;J)J",
            without = "OwnerCopy.giveBack")
      })
  void copiesThatBecomeNoTreeAreGivenBack() throws Exception {
    try (Store store = new Store()) {
      long used = store.budget().used();
      BlockMemory memory = store.opened.opened().space().memory();
      long blocks = memory.used();
      try (MoveOut move = store.forest().moveOut(FamilyOwner.plain(MOVED))) {
        assertTrue(move.fits());
        long copies = store.budget().used() - used;
        assertTrue(copies > 0);
        long beside = copies - (memory.used() - blocks);
        assertTrue(beside < 4 << 10, () -> "bytes beside the copies: " + beside);
      }
      assertEquals(used, store.budget().used());
      store.move();
      store.compare();
    }
  }

  @RuleTest(
      rule = 62,
      twins =
          @Twin(
              name = "the leaves of an owner are copied into memory that nobody has granted",
              in = MOVE,
              method = "copyAhead",
              without = "MemoryBudget.tryRequest",
              result = 1))
  void anOwnerWhoseCopiesThereIsNoMemoryForStays() throws Exception {
    try (Store store = new Store()) {
      MemoryBudget budget = store.budget();
      long rest = budget.limit() - budget.used();
      budget.reserve(rest);
      try (MoveOut move = store.forest().moveOut(FamilyOwner.plain(MOVED))) {
        assertFalse(move.fits());
      }
      budget.release(rest);
      store.compare();
    }
  }

  @RuleTest(
      rule = 62,
      sites = {
        @Site(name = "locks", in = MOVER, method = "locked", before = "LockScope.lockSet"),
        @Site(name = "copied", in = MOVES, method = "moveCopied", after = "OwnerMove.refresh"),
        @Site(name = "built", in = MOVES, method = "moveCopied", after = "OwnerMove.buildCopied"),
        @Site(name = "published", in = MOVES, method = "takesOver", after = "Forest.publish"),
        @Site(name = "erased", in = MOVES, method = "takesOver", after = "OwnerMove.erase")
      },
      twins =
          @Twin(
              name = "a checkpoint notes an owner whose copies become a tree",
              in = MOVES,
              method = "moveCopied",
              without = {"ReentrantLock.lock", "ReentrantLock.unlock"}))
  void aPowerCutAtEachStepOfACopiedMoveLosesNothing() throws Exception {
    for (String step : List.of("locks", "copied", "built", "published", "erased")) {
      for (boolean checkpoint : new boolean[] {false, true}) {
        Store store = new Store();
        store.change();
        Sites.Other flusher =
            Sites.meanwhile(
                step,
                () -> {
                  store.opened.flush(1_000);
                  if (checkpoint) {
                    store.opened.checkpoint();
                  }
                });
        store.move();
        Sites.requirePassed(step);
        flusher.join();
        store.crash();
        store.compare();
        store.forest().moveAtOnce(0);
        store.opened.moveOut(MOVED, ENTRIES);
        store.compare();
        store.close();
      }
    }
  }
}
