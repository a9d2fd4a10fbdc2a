package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.commit.StoreFailedException;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Horizon;
import io.bg3.core.table.PageTable;
import io.bg3.core.transaction.ConflictException;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.NewestReader;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.tree.EmptyTree;
import io.bg3.core.tree.FamilyOwner;
import io.bg3.core.tree.MovedValue;
import io.bg3.core.tree.Tree;
import io.bg3.core.tree.ValueRelocation;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Trees of vertices that have lost their edges, beside readers, commits and checkpoints. */
class TreeRemovalRulesTest {
  private static final int OWNERS = 12;
  private static final int EDGES = 120; // some leaves
  private static final int ENTRIES = 8;
  private static final long OWNER = 5;

  private static final String REMOVAL = "io.bg3.core.forest.TreeRemoval";
  private static final String DESCENT = "io.bg3.core.tree.Descent";
  private static final String LOST = "starts again";

  /** A store of some vertices, one of which is in a tree of its own, stored in one manifest. */
  private static final class Store extends ModelledStore {
    Store() throws IOException {
      super(new EdgeModel(), 3);
      for (long owner = 0; owner < OWNERS; owner++) {
        fill(owner, EDGES);
      }
      assertTrue(opened.moveOut(OWNER, ENTRIES));
      opened.checkpoint();
    }

    void empty() {
      opened.commit(transaction -> model.removeAll(transaction, OWNER));
    }

    void put(long other) {
      opened.commit(transaction -> model.put(transaction, OWNER, other, new byte[] {9}));
    }

    /** Has the mover look at the vertex; says whether it has taken its tree away. */
    boolean look() {
      boolean dedicated = forest().isDedicated(OWNER);
      return opened.moveOut(OWNER, 10 * EDGES) && dedicated;
    }

    /** The pages that are there and that no tree leads to. */
    long lostPages() {
      List<Tree> trees = new ArrayList<>(forest().trees());
      for (long owner = 0; owner < OWNERS; owner++) {
        if (forest().isDedicated(owner)) {
          trees.add(forest().dedicatedTree(FamilyOwner.plain(owner)));
        }
      }
      PageTable table = opened.opened().space().table();
      long there = 0;
      for (int page = 1; page < table.end(); page++) {
        there += table.block(page) != 0 && table.block(page) != PageTable.DEAD ? 1 : 0;
      }
      return there - trees.stream().mapToLong(tree -> tree.check((p, r) -> {}).pages()).sum();
    }
  }

  @Test
  void aVertexWithoutEdgesLosesItsTreeAndMayHaveAnother() throws Exception {
    try (Store store = new Store()) {
      store.empty();
      assertTrue(store.look());
      assertEquals(0, store.forest().dedicatedTrees());
      store.opened.checkpoint();
      assertNull(RowRulesTest.wrongUsage(store.opened));
      assertEquals(0, store.lostPages());
      store.compare();
      for (int other = 0; other < EDGES; other++) {
        store.put(other);
      }
      store.compare();
      assertTrue(store.opened.moveOut(OWNER, ENTRIES));
      store.compare();
      store.crash();
      store.compare();
      assertEquals(0, store.lostPages());
    }
  }

  @Test
  void aVertexWithOneEdgeKeepsItsTree() throws Exception {
    try (Store store = new Store()) {
      store.empty();
      store.put(7);
      assertFalse(store.look());
      assertTrue(store.forest().isDedicated(OWNER));
      try (Transaction reader = store.reader()) {
        assertEquals(1, reader.degree(OWNER, EdgeModel.TAG_LABEL, EdgeModel.TAG_LABEL));
      }
      store.compare();
    }
  }

  @RuleTest(
      rule = 41,
      sites = {
        @Site(
            name = "has its route",
            in = "io.bg3.core.tree.RoutedReads",
            method = "lookUp",
            after = "TreeRoute.tree"),
        @Site(name = LOST, in = DESCENT, method = "startAgain"),
        @Site(
            name = Sites.WAITS,
            in = "io.bg3.storage.memory.Epochs",
            method = "awaitQuiescence",
            before = "Epochs.pause")
      },
      twins =
          @Twin(
              name = "the pages of a tree go while readers look for its owner there",
              in = REMOVAL,
              method = "remove",
              without = "Epochs.awaitQuiescence"))
  void aReaderThatWasSentToTheTreeComesToItsEnd() throws Exception {
    try (Store store = new Store()) {
      store.empty();
      try (Transaction before = store.reader()) {
        assertFalse(store.look(), "the reader's snapshot has the marker: " + before.snapshot());
      }
      try (Transaction reader = store.reader()) {
        byte[] value = {1};
        Sites.Other mover = Sites.meanwhile("has its route", store::look);
        Sites.always(LOST, TreeRemovalRulesTest::lost);
        try {
          value = reader.edgeValue(OWNER, EdgeModel.TAG_LABEL, 7, 0);
        } finally {
          Sites.never(LOST);
        }
        Sites.requirePassed("has its route");
        mover.join();
        assertNull(value);
      }
      assertFalse(store.forest().isDedicated(OWNER));
      store.compare();
    }
  }

  private static void lost() {
    throw new AssertionError("the root of the tree has gone");
  }

  static EmptyTree.Content withoutOldVersions(EmptyTree tree, Horizon horizon, boolean degrees) {
    EmptyTree.Content found = tree.content(horizon, degrees);
    return found == EmptyTree.Content.ENTRIES ? found : EmptyTree.Content.NOTHING;
  }

  @RuleTest(
      rule = 41,
      twins =
          @Twin(
              name = "a tree goes away that a snapshot reads",
              in = REMOVAL,
              method = {"content", "removeGranted"},
              without = "EmptyTree.content",
              instead = "withoutOldVersions"))
  void aSnapshotReadsInTheTreeWhatWasThere() throws Exception {
    try (Store store = new Store()) {
      Transaction old = store.reader();
      EdgeModel then = store.model.copy();
      store.empty();
      boolean gone = store.look();
      then.compare(old, "");
      assertFalse(gone);
      assertTrue(store.forest().isDedicated(OWNER));
      old.close();
      assertTrue(store.look());
      store.compare();
    }
  }

  static EmptyTree.Content besidesDegrees(EmptyTree tree, Horizon horizon, boolean degrees) {
    return tree.content(horizon, false);
  }

  @RuleTest(
      rule = 41,
      twins =
          @Twin(
              name = "a tree goes away and the log says that its degrees are kept",
              in = REMOVAL,
              method = "removeGranted",
              without = "EmptyTree.content",
              instead = "besidesDegrees"))
  void aCrashThatBringsATreeBackBringsNoDegreesThatNobodyHasKept() throws Exception {
    try (Store store = new Store()) {
      store.empty();
      boolean gone =
          store
              .forest()
              .treeRemoval(FamilyOwner.plain(OWNER))
              .run(store.opened.transactions().horizon(), TreeRemovalRulesTest::fail);
      for (int i = 0; i < 2; i++) {
        store.put(1_000 + i);
        store.crash(); // the last manifest has the tree
        assertTrue(store.forest().isDedicated(OWNER));
        store.compare();
        store.empty();
        store.look();
      }
      assertFalse(gone, "the marker was there");
      store.compare();
    }
  }

  @RuleTest(
      rule = 41,
      twins =
          @Twin(
              name = "a degree of 0 is read and not that degrees are kept",
              in = "io.bg3.core.transaction.Degrees",
              method = "read",
              without = "Degrees.readMarker"))
  void aDegreeOfNothingConflictsWithAnEdgeThatIsNotCounted() throws Exception {
    try (Store store = new Store()) {
      store.empty();
      try (Transaction reader = store.opened.transactions().begin(Isolation.STRICT, false)) {
        assertEquals(0, reader.degree(OWNER, EdgeModel.TAG_LABEL, EdgeModel.TAG_LABEL));
        reader.putEdge(OWNER + 1, EdgeModel.TAG_LABEL, 1_000, 0, new byte[0]);
        assertFalse(store.look(), "the reader's snapshot has the marker");
        store.put(1_000);
        assertThrows(ConflictException.class, reader::commit);
      }
      store.compare();
    }
  }

  private static void fail(Throwable cause) {
    throw new AssertionError(cause);
  }

  @RuleTest(
      rule = 9,
      twins =
          @Twin(
              name = "an owner whose tree goes away forgets the cut of its leaves",
              in = REMOVAL,
              method = "remove",
              without = "OwnerMove.raiseCut"))
  void anAnswerFromAnOwnerWhoseTreeHasGoneLacksNoVersion() throws Exception {
    answerFromAnOwnerWhoseTreeHasGone(store -> {});
    answerFromAnOwnerWhoseTreeHasGone(
        store -> {
          store.opened.evictValues();
          store.compare(); // loads them
        });
  }

  private static void answerFromAnOwnerWhoseTreeHasGone(Consumer<Store> between) throws Exception {
    try (Store store = new Store()) {
      NewestReader reader = store.opened.transactions().newestReader();
      boolean[] first = {true};
      byte[] value =
          reader.ask(
              () -> {
                if (first[0]) {
                  first[0] = false;
                  store.empty();
                  assertTrue(store.look());
                  between.accept(store);
                  store.put(7);
                }
                return reader.edgeValue(OWNER, EdgeModel.TAG_LABEL, 7, 0);
              });
      assertArrayEquals(new byte[] {9}, value);
      store.compare();
    }
  }

  @RuleTest(
      rule = 41,
      sites = {
        @Site(name = "erases", in = REMOVAL, method = "remove", before = "OwnerMove.erase"),
        @Site(name = "removes", in = REMOVAL, method = "remove", before = "EmptyTree.remove")
      },
      twins =
          @Twin(
              name = "a checkpoint notes a tree that is going away",
              in = REMOVAL,
              method = "removeGranted",
              without = {"ReentrantLock.lock", "ReentrantLock.unlock"}))
  void noManifestNamesPagesOfATreeThatItDoesNotName() throws Exception {
    for (String step : List.of("erases", "removes")) {
      try (Store store = new Store()) {
        store.empty();
        Sites.Other checkpoint = Sites.meanwhile(step, () -> store.opened.checkpoint());
        assertTrue(store.look());
        Sites.requirePassed(step);
        checkpoint.join();
        store.crash();
        store.compare();
        assertEquals(0, store.lostPages(), step);
      }
    }
  }

  @RuleTest(
      rule = 41,
      sites = {
        @Site(
            name = "ends degrees",
            in = "io.bg3.core.transaction.Degrees",
            method = "end",
            before = "WriteSet.add"),
        @Site(
            name = "pinned",
            in = REMOVAL,
            method = "removeGranted",
            before = "ReentrantLock.lock"),
        @Site(name = "raised", in = REMOVAL, method = "remove", after = "OwnerMove.raiseCut"),
        @Site(name = "erased", in = REMOVAL, method = "remove", after = "OwnerMove.erase"),
        @Site(name = "unnamed", in = REMOVAL, method = "remove", after = "Forest.unpublish"),
        @Site(name = "removed", in = REMOVAL, method = "remove", after = "EmptyTree.remove")
      },
      twins =
          @Twin(
              name = "a checkpoint does not learn that a tree has gone",
              in = REMOVAL,
              method = "remove",
              without = "OwnerMove.erase"))
  void aPowerCutAtEachStepLosesNothing() throws Exception {
    for (String step :
        List.of("ends degrees", "pinned", "raised", "erased", "unnamed", "removed")) {
      for (int which = 0; which < 4; which++) {
        boolean checkpoint = which % 2 == 1;
        try (Store store = new Store()) {
          store.empty();
          if (which >= 2) {
            store.opened.flush(1_000);
          }
          Sites.Other flusher =
              Sites.meanwhile(
                  step,
                  () -> {
                    store.opened.flush(1_000);
                    if (checkpoint) {
                      store.opened.checkpoint();
                    }
                  });
          store.look();
          Sites.requirePassed(step);
          flusher.join();
          store.put(1_000);
          store.crash();
          store.compare();
          assertEquals(0, store.lostPages(), step);
          store.empty();
          store.look();
          assertFalse(store.forest().isDedicated(OWNER), step);
          store.opened.checkpoint();
          store.crash();
          store.compare();
          assertEquals(0, store.lostPages(), step);
        }
      }
    }
  }

  @RuleTest(
      rule = 41,
      sites = {
        @Site(
            name = "names no tree",
            in = "io.bg3.core.forest.Forest",
            method = "unpublish",
            before = "Directory.remove"),
        @Site(
            name = "removes",
            in = "io.bg3.core.tree.EmptyTree",
            method = "remove",
            before = "Tree.kill")
      },
      twins =
          @Twin(
              name = "the store goes on when the end of a removal has failed",
              in = REMOVAL,
              method = "remove",
              without = "Consumer.accept"))
  void aRemovalThatFailsAtItsEndStopsTheStoreAndLosesNothing() throws Exception {
    for (String step : List.of("names no tree", "removes")) {
      try (Store store = new Store()) {
        store.empty();
        AtomicInteger passes = new AtomicInteger();
        Sites.always(
            step,
            () -> {
              passes.incrementAndGet();
              throw new OutOfMemoryError("planted");
            });
        try {
          assertThrows(OutOfMemoryError.class, store::look);
        } finally {
          Sites.never(step);
        }
        assertEquals(1, passes.get());
        try (Transaction behind = store.opened.transactions().begin(Isolation.STRICT, false)) {
          behind.putEdge(OWNER, EdgeModel.TAG_LABEL, 1_000, 0, new byte[0]);
          assertThrows(StoreFailedException.class, behind::commit);
        }
        assertThrows(StoreFailedException.class, store.opened::checkpoint);
        store.crash();
        store.compare();
      }
    }
  }

  @RuleTest(
      rule = 41,
      sites = @Site(name = LOST, in = DESCENT, method = "startAgain"),
      twins =
          @Twin(
              name = "values are looked for in a tree that has gone",
              in = "io.bg3.core.tree.ValueRelocation",
              method = "look(Ljava/util/List;I)I",
              without = "ValueRelocation.isRoute",
              result = 1))
  void aValueOfAVertexWhoseTreeHasGoneWaits() throws Exception {
    try (Store store = new Store()) {
      Tree tree = store.forest().dedicatedTree(FamilyOwner.plain(OWNER));
      store.empty();
      assertTrue(store.look());
      ValueRelocation relocation =
          new ValueRelocation(tree, store.forest(), store.opened.transactions().horizon());
      byte[] key = EdgeKey.encode(OWNER, EdgeModel.TAG_LABEL, 7, 0);
      Sites.always(LOST, TreeRemovalRulesTest::lost);
      try {
        assertEquals(1, relocation.look(List.of(new MovedValue(key, 1)), 0));
      } finally {
        Sites.never(LOST);
      }
      assertEquals(0, relocation.page());
    }
  }

  @RuleTest(
      rule = 41,
      sites =
          @Site(
              name = "checks the tree",
              in = "io.bg3.core.recovery.StoreCheck",
              method = "checkDedicated",
              after = "Forest.dedicatedTree"),
      twins =
          @Twin(
              name = "a check finds fault with a tree that has gone",
              in = "io.bg3.core.recovery.StoreCheck",
              method =
                  "check(Lio/bg3/core/tree/Tree;Ljava/util/function/BooleanSupplier;Lio/bg3/core/recovery/StoreCheck$Slices;Ljava/util/function/LongConsumer;)V",
              without = "BooleanSupplier.getAsBoolean",
              result = 1))
  void aCheckPassesOverATreeThatGoesAwayMeanwhile() throws Exception {
    try (Store store = new Store()) {
      store.empty();
      Sites.at("checks the tree", () -> assertTrue(store.look()));
      assertEquals(List.of(), store.opened.check());
      Sites.requirePassed("checks the tree");
    }
  }

  @RuleTest(
      rule = 41,
      twins =
          @Twin(
              name = "nobody looks at a vertex that has lost its last edge",
              in = "io.bg3.core.transaction.Committer",
              method = "commit",
              without = "Degrees.applied"))
  void aVertexThatHasLostItsLastEdgeIsNoticed() throws Exception {
    try (Store store = new Store()) {
      store.forest().heavyOwners().noticeAbove(10 * EDGES);
      store.put(1_000);
      assertNull(store.forest().heavyOwners().poll());
      store.empty();
      assertEquals(FamilyOwner.plain(OWNER), store.forest().heavyOwners().poll());
    }
  }

  @RuleTest(
      rule = 41,
      twins =
          @Twin(
              name = "nobody looks at a vertex without degrees that has lost its last edge",
              in = "io.bg3.core.transaction.Degrees",
              method = "applied",
              without = "Degrees.isProbablyEmpty"))
  void aVertexWithoutDegreesThatHasLostItsLastEdgeIsNoticed() throws Exception {
    long owner = OWNERS;
    try (Store store = new Store()) {
      store.fill(owner, ENTRIES + 1);
      assertTrue(store.opened.moveOutOnly(owner, ENTRIES));
      store.forest().heavyOwners().noticeAbove(10 * EDGES);
      store.opened.commit(transaction -> store.model.remove(transaction, owner, 0));
      assertNull(store.forest().heavyOwners().poll());
      store.opened.commit(transaction -> store.model.removeAll(transaction, owner));
      assertEquals(FamilyOwner.plain(owner), store.forest().heavyOwners().poll());
      assertTrue(store.opened.moveOutOnly(owner, ENTRIES));
      assertFalse(store.forest().isDedicated(owner));
      store.compare();
    }
  }

  @RuleTest(
      rule = 41,
      twins = {
        @Twin(
            name = "a vertex without degrees is noticed when one leaf is empty",
            in = "io.bg3.core.tree.EmptyTree",
            method = "isEmptyAndSmall",
            without = "EmptyTree.hasNothing",
            result = 1),
        @Twin(
            name = "a vertex without degrees is noticed only if its tree is one leaf",
            in = "io.bg3.core.tree.EmptyTree",
            method = "isEmptyAndSmall",
            without = "EmptyTree.hasNothing",
            result = 0)
      })
  void aVertexOfSomeLeavesWithoutDegreesIsNoticedWithItsLastEdge() throws Exception {
    long owner = OWNERS;
    for (boolean ascending : new boolean[] {true, false}) {
      try (Store store = new Store()) {
        store.forest().heavyOwners().countFrom(10 * EDGES);
        store.fill(owner, EDGES);
        assertTrue(store.opened.moveOutOnly(owner, ENTRIES));
        store.forest().heavyOwners().noticeAbove(10 * EDGES);
        for (int i = 0; i < EDGES; i++) {
          assertNull(store.forest().heavyOwners().poll());
          long other = ascending ? i : EDGES - 1 - i;
          store.opened.commit(transaction -> store.model.remove(transaction, owner, other));
        }
        assertEquals(FamilyOwner.plain(owner), store.forest().heavyOwners().poll());
        assertTrue(store.opened.moveOutOnly(owner, ENTRIES));
        assertFalse(store.forest().isDedicated(owner));
        store.compare();
      }
    }
  }
}
