package io.bg3.core.tree;

import static io.bg3.core.tree.StoredTree.filled;
import static io.bg3.core.tree.StoredTree.key;
import static io.bg3.core.tree.StoredTree.write;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.Horizon;
import io.bg3.core.table.Pins;
import io.bg3.core.table.StoredState;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.memory.MemoryExceededException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Leaves that go out of memory while others use them. */
class EvictionRulesTest {
  // ---- Only what is stored is evicted.

  @RuleTest(
      rule = 25,
      twins =
          @Twin(
              name = "a leaf that has changed since its flush is evicted",
              in = "io.bg3.core.table.PageTable",
              method = "isEvictable",
              without = "PageTable.isDirty"))
  void aLeafThatHasChangedStays() throws Exception {
    try (StoredTree stored = filled(100)) {
      write(stored.harness, 50, 51, new byte[20], 303);
      stored.evict();
      assertArrayEquals(new byte[20], stored.harness.actual(key(50), 303));
    }
  }

  @RuleTest(
      rule = 25,
      sites =
          @Site(
              name = "told",
              in = "io.bg3.core.tree.LeafEviction",
              method = "tellEvicted",
              before = "PageLoader.evicted"),
      twins =
          @Twin(
              name = "a leaf that could not be evicted for want of heap is never pinned again",
              in = "io.bg3.core.tree.LeafEviction",
              method = "tellEvicted",
              without = "PageTable.makePresent"))
  void aLeafWhoseEvictionFailsStays() throws Exception {
    try (StoredTree stored = filled(100)) {
      TreeHarness harness = stored.harness;
      Sites.at(
          "told",
          () -> {
            throw new OutOfMemoryError("planted");
          });
      assertThrows(OutOfMemoryError.class, stored::evict);
      try (Pins.Registration pins = harness.space.pins.register()) {
        for (int page = 1; page < harness.table.end(); page++) {
          assertTrue(harness.table.pin(page, pins.number()), "page " + page);
        }
      }
    }
  }

  /** A leaf that has lost the marks of its delta keeps the demand for a base. */
  @RuleTest(
      rule = 25,
      sites =
          @Site(
              name = "told",
              in = "io.bg3.core.tree.LeafEviction",
              method = "tellEvicted",
              before = "PageLoader.evicted"),
      twins =
          @Twin(
              name = "a leaf that could not be evicted is stored by marks that it lacks",
              in = "io.bg3.core.table.PageTable",
              method = "makePresent",
              without = "PageTable.markRebase"))
  void aLeafWithoutMarksWhoseEvictionFailsGetsABase() throws Exception {
    try (StoredTree stored = new StoredTree(TreeKind.BYTES, 8_192, 4)) {
      TreeHarness harness = stored.harness;
      write(harness, 0, 60, new byte[30], 300);
      stored.flush(Horizon.at(300));
      write(harness, 0, 20, new byte[31], 303); // so many that the marks go
      stored.flush(Horizon.at(303));
      Sites.always(
          "told",
          () -> {
            throw new OutOfMemoryError("planted");
          });
      assertThrows(OutOfMemoryError.class, stored::evict);
      Sites.never("told");
      write(harness, 50, 51, new byte[1], 306);
      stored.flush(Horizon.at(306));
      stored.reopen(306);
      assertArrayEquals(new byte[31], stored.harness.actual(key(10), 306));
      assertArrayEquals(new byte[1], stored.harness.actual(key(50), 306));
    }
  }

  static long keptMarks(long flags) {
    return flags | 16; // absent, and it still wants a base
  }

  /** A base has been stored that has all of the leaf; the leaf in memory has its marks still. */
  @RuleTest(
      rule = 25,
      sites =
          @Site(
              name = "copies",
              in = "io.bg3.core.tree.PageFlush",
              method = "withoutMarks",
              before = "LeafFormat.withoutMarks"),
      twins = {
        @Twin(
            name = "a leaf that was flushed without memory for a copy stays",
            in = "io.bg3.core.table.PageTable",
            method = "isEvictable",
            without = "PageTable.base"),
        @Twin(
            name = "a leaf that was loaded wants a base for marks that it had before",
            in = "io.bg3.core.table.PageTable",
            method = "makeAbsent",
            without = "PageTable.absent",
            instead = "keptMarks")
      })
  void aLeafThatWasFlushedWithoutMemoryForACopyIsEvicted() throws Exception {
    try (StoredTree stored = new StoredTree(TreeKind.BYTES, 8_192, 4)) {
      TreeHarness harness = stored.harness;
      write(harness, 0, 60, new byte[30], 300);
      stored.flush(Horizon.at(300));
      int page = page(harness, key(50));
      write(harness, 20, 60, new byte[31], 303); // so many that a base is stored
      Sites.always(
          "copies",
          () -> {
            throw new MemoryExceededException("planted", "bg3.memory.budget", 1, 1, 1);
          });
      stored.flush(Horizon.at(303));
      Sites.requirePassed("copies");
      Sites.never("copies");
      stored.evict();
      assertTrue(StoredState.isStored(harness.table.block(page)), "it is still in memory");
      write(harness, 50, 51, new byte[1], 306);
      stored.flush(Horizon.at(306));
      assertTrue(stored.delta(page) != 0, "a base was stored once more");
      stored.reopen(306);
      assertArrayEquals(new byte[1], stored.harness.actual(key(50), 306));
      assertArrayEquals(new byte[31], stored.harness.actual(key(51), 306));
    }
  }

  // ---- What a leaf in storage says of itself.

  /** Of a millisecond at which commits are made, as stamps have it. */
  private static final long MILLISECOND = 1_000L << 20;

  static long roundedDown(long newest) {
    return StoredState.of(newest & -(1L << 20));
  }

  @RuleTest(
      rule = 25,
      twins = {
        @Twin(
            name = "a leaf that is evicted says that nothing in it is new",
            in = "io.bg3.core.tree.LeafEviction",
            method = "evictWhole",
            without = "PageHeader.newestStamp"),
        @Twin(
            name = "the newest stamp of a stored leaf is rounded down",
            in = "io.bg3.core.table.PageTable",
            method = "publishEvicted",
            without = "StoredState.of",
            instead = "roundedDown")
      })
  void aChangeIsFoundThoughItsLeafIsStored() throws Exception {
    try (StoredTree stored = filled(100)) {
      TreeHarness harness = stored.harness;
      long changed = MILLISECOND + 5;
      write(harness, 50, 51, new byte[20], changed);
      stored.flush(Horizon.at(303));
      stored.evict();
      long loads = harness.space.loader().loads();
      assertTrue(harness.tree.changedAfter(null, null, changed - 1));
      assertTrue(harness.space.loader().loads() > loads, "the leaf was in memory");
      stored.evict();
      assertFalse(harness.tree.changedAfter(null, null, changed));
    }
  }

  /** Nothing is loaded to find that nothing has changed. */
  @Test
  void unchangedLeavesInStorageStayThere() throws Exception {
    try (StoredTree stored = filled(1_000)) {
      TreeHarness harness = stored.harness;
      long changed = MILLISECOND + 5;
      write(harness, 500, 501, new byte[20], changed);
      stored.flush(Horizon.at(303));
      int leaves = stored.evict();
      assertTrue(leaves > 60, "leaves: " + leaves);
      long loads = harness.space.loader().loads();
      assertFalse(harness.tree.changedAfter(null, null, MILLISECOND + (1 << 20)));
      assertFalse(harness.tree.changedAfter(key(0), key(400), MILLISECOND));
      assertFalse(harness.tree.changedAfter(key(600), null, 300));
      assertEquals(loads, harness.space.loader().loads());
      assertFalse(harness.tree.changedAfter(null, null, changed));
      assertTrue(harness.tree.changedAfter(null, null, MILLISECOND));
      assertEquals(loads + 1, harness.space.loader().loads(), "the leaf that has changed");
      stored.reopen(changed);
      assertFalse(stored.harness.tree.changedAfter(null, null, changed), "the first snapshot");
      assertEquals(0, stored.harness.space.loader().loads(), "of an opened tree");
    }
  }

  @RuleTest(
      rule = 25,
      sites =
          @Site(
              name = "has the parent",
              in = "io.bg3.core.tree.ChangeSearch",
              method = "passStored",
              after = "Descent.aboveLeaf"),
      twins =
          @Twin(
              name = "a search for changes does not look again whether the parent is the same",
              in = "io.bg3.core.tree.ChangeSearch",
              method = "passStored",
              without = "ChangeSearch.isStill",
              result = 1))
  void aChangeIsFoundThoughItsLeafIsSplitMeanwhile() throws Exception {
    try (StoredTree stored = filled(100)) {
      TreeHarness harness = stored.harness;
      List<Integer> firsts = firstsOfLeaves(harness);
      int split = firsts.get(3);
      int next = firsts.get(4);
      stored.evict();
      Sites.Other other =
          Sites.meanwhile(
              "has the parent",
              () -> {
                // Old enough to be nothing new, and so many that the leaf is split.
                TreeMap<byte[], byte[]> more = new TreeMap<>(Arrays::compareUnsigned);
                String prefix = new String(key(split), US_ASCII);
                for (char last = '0'; last < '0' + 40; last++) {
                  more.put((prefix + last).getBytes(US_ASCII), new byte[30]);
                }
                harness.write(more, 400);
                harness.settle(Horizon.at(400));
                write(harness, next - 1, next, new byte[20], 5 * MILLISECOND);
                stored.flush(Horizon.at(400));
                harness.space.pins.advance();
                stored.evict();
              });
      boolean found = harness.tree.changedAfter(key(split), key(next), MILLISECOND);
      other.join();
      Sites.requirePassed("has the parent");
      assertTrue(page(harness, key(split)) != page(harness, key(next - 1)), "no split");
      assertTrue(found, "a change in the half that the split has made");
    }
  }

  // ---- Pins (R5).

  @RuleTest(
      rule = 5,
      sites =
          @Site(
              name = "has read the number",
              in = "io.bg3.core.table.Pins",
              method = "register",
              after = "AtomicLong.get"),
      twins =
          @Twin(
              name = "a commit does not look at the number again when its slot can be seen",
              in = "io.bg3.core.table.Pins",
              method = "settle",
              without = "AtomicLong.get",
              result = 1))
  void aRegistrationIsNotBelowWhatAnEvictorThatMissedItTakesForFree() {
    Pins pins = new Pins();
    long[] least = new long[1];
    Sites.at("has read the number", () -> least[0] = pins.advance());
    try (Pins.Registration registration = pins.register()) {
      Sites.requirePassed("has read the number");
      assertTrue(registration.number() >= least[0], "least=" + least[0]);
      assertEquals(registration.number(), pins.advance(), "least of all slots");
    }
  }

  // ---- Removal of empty leaves (R21).

  @RuleTest(
      rule = 21,
      sites =
          @Site(
              name = "has found the neighbour",
              in = "io.bg3.core.tree.EmptyPageRemover",
              method = "removeLeaf",
              after = "EmptyPageRemover.leafBelow"),
      twins =
          @Twin(
              name = "the left neighbour is not looked at again under its latch",
              in = "io.bg3.core.tree.EmptyPageRemover",
              method = "removeLeaf",
              without = "Tree.isLeaf",
              nth = 2,
              result = 1))
  void aNeighbourThatIsEvictedIsNotWidened() throws Exception {
    try (StoredTree stored = filled(100)) {
      TreeHarness harness = stored.harness;
      Emptied leaf = Emptied.of(harness);
      long[] found = new long[1];
      Sites.at(
          "has found the neighbour",
          () -> {
            leaf.evictNeighbour(stored);
            found[0] = harness.table.block(leaf.left());
          });
      try {
        write(harness, leaf.from(), leaf.to(), null, 303);
        for (int i = 0; i < 5; i++) { // the tombstones go when a base without them is stored
          stored.flush(Horizon.at(303));
          harness.tree.removeIfEmpty(page(harness, key(leaf.from())), Horizon.at(303));
        }
        assertEquals(List.of(), harness.problems());
      } catch (RuntimeException e) {
        throw new AssertionError("an address of no block", e);
      }
      Sites.requirePassed("has found the neighbour");
      assertTrue(StoredState.isStored(found[0]), "the neighbour has not been evicted");
      for (int i = 0; i < 100; i++) {
        assertArrayEquals(harness.expected(key(i), 303), harness.actual(key(i), 303));
      }
    }
  }

  @RuleTest(
      rule = 21,
      sites =
          @Site(
              name = "has found the neighbour",
              in = "io.bg3.core.tree.EmptyPageRemover",
              method = "removeLeaf",
              after = "EmptyPageRemover.leafBelow"),
      twins =
          @Twin(
              name = "an empty leaf that cannot be removed now is given up",
              in = "io.bg3.core.tree.Tree",
              method = "removeIfEmpty",
              without = "Tree.addEmptied"))
  void anEmptyLeafWhoseNeighbourWasEvictedIsRemovedLater() throws Exception {
    try (StoredTree stored = filled(100)) {
      TreeHarness harness = stored.harness;
      Emptied leaf = Emptied.of(harness);
      Sites.at("has found the neighbour", () -> leaf.evictNeighbour(stored));
      leaf.empty(stored);
      Sites.requirePassed("has found the neighbour");
      leaf.requireRemoved(harness);
    }
  }

  @RuleTest(
      rule = 21,
      sites =
          @Site(
              name = "stored",
              in = "io.bg3.core.tree.PageFlush",
              method = "write(Lio/bg3/core/tree/NotedPages;Lio/bg3/core/tree/PageFlush$Result;)V",
              before = "PageFlush.removeIfEmpty"),
      twins =
          @Twin(
              name = "an empty leaf is evicted before it is removed",
              in = "io.bg3.core.tree.LeafEviction",
              method = "stays",
              without = "LeafEviction.isEmpty"))
  void anEmptyLeafIsRemovedThoughAllThatCanGoIsEvicted() throws Exception {
    try (StoredTree stored = filled(100)) {
      TreeHarness harness = stored.harness;
      Emptied leaf = Emptied.of(harness);
      Sites.always("stored", stored::evict);
      leaf.empty(stored);
      Sites.requirePassed("stored");
      Sites.never("stored");
      harness.actual(key(leaf.from()), 303); // loads the leaf that has the key
      leaf.requireRemoved(harness);
    }
  }

  /**
   * A leaf whose entries are removed, and the neighbour that takes its range.
   *
   * @param from its first key
   * @param to the first key of the next leaf
   * @param left page of the left neighbour
   * @param page of the leaf
   */
  private record Emptied(int from, int to, int left, int page) {
    /** A leaf that is neither the first one nor the first child of its parent. */
    static Emptied of(TreeHarness harness) {
      List<Integer> firsts = firstsOfLeaves(harness);
      int from = firsts.get(3);
      return new Emptied(
          from,
          firsts.get(4),
          EvictionRulesTest.page(harness, key(from - 1)),
          EvictionRulesTest.page(harness, key(from)));
    }

    /** Removes its entries, and flushes until a base without tombstones is stored. */
    void empty(StoredTree stored) throws IOException {
      write(stored.harness, from, to, null, 303);
      for (int i = 0; i < 3; i++) {
        stored.flush(Horizon.at(303));
      }
    }

    /** Evicts the leaves that can go, the neighbour among them and this one not. */
    void evictNeighbour(StoredTree stored) {
      Pins pins = stored.harness.space.pins;
      pins.advance(); // the split has pinned both with an older number
      try (Pins.Registration registration = pins.register()) {
        stored.harness.table.pin(page, registration.number());
        stored.evict();
      }
    }

    void requireRemoved(TreeHarness harness) {
      int owner = EvictionRulesTest.page(harness, key(from));
      assertEquals(left, owner, "the empty leaf is still there: " + page);
      assertEquals(List.of(), harness.problems());
    }
  }

  /** The first key of each leaf. */
  private static List<Integer> firstsOfLeaves(TreeHarness harness) {
    List<Integer> firsts = new ArrayList<>();
    int last = 0;
    for (int i = 0; i < 100; i++) {
      int page = page(harness, key(i));
      if (page != last) {
        firsts.add(i);
        last = page;
      }
    }
    return firsts;
  }

  private static int page(TreeHarness harness, byte[] key) {
    return harness.tree.writes.leafPage(key);
  }
}
