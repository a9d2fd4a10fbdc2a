package io.bg3.core.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.Op;
import io.bg3.core.page.PageRead;
import io.bg3.core.table.PageTable;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Trees whose pages are split, removed and written while others are on their way to them. The pages
 * are tiny; the sorted map of {@link TreeHarness} says what the tree must answer.
 */
class TreeRulesTest {
  private static final int CAPACITY = 512;
  private static final int CONSOLIDATE = 4;

  private static byte[] key(int i) {
    return String.format("key-%04d", i).getBytes(StandardCharsets.US_ASCII);
  }

  /** A batch that puts keys, or removes them. */
  private static NavigableMap<byte[], byte[]> batch(int from, int to, byte[] value) {
    TreeMap<byte[], byte[]> batch = new TreeMap<>(Arrays::compareUnsigned);
    for (int i = from; i < to; i++) {
      batch.put(key(i), value);
    }
    return batch;
  }

  /** A tree of many leaves under one root or more. */
  private static TreeHarness filled(int keys) {
    TreeHarness harness = new TreeHarness(TreeKind.BYTES, CAPACITY, CONSOLIDATE);
    for (int i = 0; i < keys; i += 10) {
      harness.write(batch(i, i + 10, new byte[30]), 3 + 3L * (i / 10)); // no find before apply
      harness.settle(Horizon.at(0));
    }
    return harness;
  }

  private static Entries entry(TreeHarness harness, byte[] key, long stamp) {
    Entries entries = harness.tree.newEntries();
    entries.append(key, Op.PUT, stamp, new byte[] {42});
    harness.model.computeIfAbsent(key, k -> new TreeMap<>()).put(stamp, new byte[] {42});
    return entries;
  }

  /** Writes one key as a commit does that knows nothing of its leaf. */
  private static void put(TreeHarness harness, byte[] key, long stamp) {
    Entries one = entry(harness, key, stamp);
    harness.tree.apply(one, 0, 1, new PendingMaintenance());
  }

  /** Writes one key as a commit does that has found its leaf before. */
  private static void put(TreeHarness harness, byte[] key, long stamp, int page) {
    Entries one = entry(harness, key, stamp);
    LocatedLeaves leaves = new LocatedLeaves();
    leaves.add(0, page);
    harness.tree.apply(one, leaves, () -> Horizon.KEEP_ALL, new PendingMaintenance());
  }

  private static void assertAnswers(TreeHarness harness, long snapshot) {
    harness.model.keySet().forEach(key -> assertAnswers(harness, key, snapshot));
    assertEquals(
        harness.expected(null, null, snapshot).size(),
        harness.actual(null, null, snapshot, false).size());
    assertEquals(List.of(), harness.problems());
  }

  private static void assertAnswers(TreeHarness harness, byte[] key, long snapshot) {
    assertArrayEquals(
        harness.expected(key, snapshot),
        harness.actual(key, snapshot),
        () -> new String(key, StandardCharsets.US_ASCII));
    assertEquals(harness.expected(key, snapshot) != null, harness.isPresent(key, snapshot));
  }

  /** The keys of a leaf in the middle, and its page. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Leaf(int page, byte[] low, byte[] high, NavigableMap<byte[], byte[]> removal) {
    static Leaf of(TreeHarness harness, int key) {
      int page = harness.tree.writes.leafPage(key(key));
      PageHeader header = harness.space.header(harness.table.block(page));
      NavigableMap<byte[], byte[]> removal = new TreeMap<>(Arrays::compareUnsigned);
      byte[] low = header.low();
      byte[] high = header.high();
      harness.model.subMap(low, high).keySet().forEach(k -> removal.put(k, null));
      return new Leaf(page, low, high, removal);
    }
  }

  // ---- Empty pages (R21).

  @RuleTest(
      rule = 21,
      sites =
          @Site(
              name = "looked once",
              in = "io.bg3.core.tree.EmptyPageRemover",
              method = "removeLeaf",
              after = "EmptyPageRemover.leafBelow"),
      twins =
          @Twin(
              name = "an empty leaf is not looked at again under its latch",
              in = "io.bg3.core.tree.EmptyPageRemover",
              method = "removeLeaf",
              without = "EmptyPageRemover.isEmpty",
              result = 1))
  void aLeafThatIsWrittenToBeforeItIsRemovedStays() {
    try (TreeHarness harness = filled(100)) {
      Leaf leaf = Leaf.of(harness, 50);
      byte[] key = leaf.removal().firstKey();
      harness.write(leaf.removal(), 300);
      Sites.at("looked once", () -> put(harness, key, 301));
      harness.settle(Horizon.at(300));
      Sites.requirePassed("looked once");
      assertAnswers(harness, 301);
    }
  }

  @RuleTest(
      rule = 21,
      twins =
          @Twin(
              name = "a leaf that is removed is not marked dead",
              in = "io.bg3.core.tree.EmptyPageRemover",
              method = "widenLeft",
              without = "UnpublishedPages.addRemoved"))
  void aWriteToALeafThatWasRemovedGoesToItsNeighbour() {
    try (TreeHarness harness = filled(100)) {
      Leaf leaf = Leaf.of(harness, 50);
      harness.write(leaf.removal(), 300);
      harness.settle(Horizon.at(300));
      put(harness, leaf.removal().firstKey(), 301, leaf.page());
      assertAnswers(harness, 301);
    }
  }

  @RuleTest(
      rule = 21,
      sites = {
        @Site(
            name = "merged the neighbour",
            in = "io.bg3.core.tree.EmptyPageRemover",
            method = "widenLeft",
            before = "LeafFormat.writeBase"),
        @Site(
            name = Sites.WAITS,
            in = "io.bg3.core.table.PageTable",
            method = "awaitLatch",
            before = "Thread.yield")
      },
      twins =
          @Twin(
              name = "the left neighbour is widened without its latch",
              in = "io.bg3.core.tree.EmptyPageRemover",
              method = "removeLeaf",
              without = {"PageTable.latch", "PageTable.unlatch"}))
  void aWriteToTheNeighbourWaitsUntilItIsWider() throws Exception {
    try (TreeHarness harness = filled(100)) {
      Leaf leaf = Leaf.of(harness, 50);
      byte[] left = harness.model.lowerKey(leaf.low());
      harness.write(leaf.removal(), 300);
      Sites.Other writer = Sites.meanwhile("merged the neighbour", () -> put(harness, left, 301));
      harness.settle(Horizon.at(300));
      Sites.requirePassed("merged the neighbour");
      writer.join();
      assertAnswers(harness, 301);
    }
  }

  @RuleTest(
      rule = 21,
      twins =
          @Twin(
              name = "a first child goes though it has siblings",
              in = "io.bg3.core.tree.EmptyPageRemover",
              method = "remove(I[BLio/bg3/core/entry/Horizon;)Z",
              without = "InnerFormat.count",
              result = 1))
  void theFirstChildOfAnInnerPageGoesOnlyTogetherWithIt() {
    try (TreeHarness harness = filled(600)) {
      long stamp = 300;
      for (int key = 590; key > 20; key -= 2) {
        Leaf leaf = Leaf.of(harness, key);
        if (!leaf.removal().isEmpty() && leaf.high() != null) {
          harness.write(leaf.removal(), ++stamp);
          harness.settle(Horizon.at(stamp));
          assertEquals(List.of(), harness.problems());
        }
      }
      assertFalse(harness.tree.shape.removed.isEmpty());
      assertAnswers(harness, stamp);
    }
  }

  // ---- The way to a leaf (R12).

  @RuleTest(
      rule = 12,
      sites =
          @Site(
              name = "halves published",
              in = "io.bg3.core.tree.PageSplitter",
              method = "splitInStructure",
              before = "UnpublishedPages.publishAbove"),
      twins =
          @Twin(
              name = "a descent does not look at the high fence",
              in = "io.bg3.core.tree.Descent",
              method = "leaf(" + LEAF_ARGUMENTS + ")J",
              without = "PageHeader.isAtOrAboveHigh"))
  void aReaderFindsTheRightHalfBeforeTheParentKnowsIt() {
    try (TreeHarness harness = filled(100)) {
      harness.write(batch(1_000, 1_030, new byte[30]), 303);
      Sites.at("halves published", () -> assertAnswers(harness, key(1_029), 303));
      harness.settle(Horizon.at(0));
      Sites.requirePassed("halves published");
      assertAnswers(harness, 303);
    }
  }

  private static final String LEAF_ARGUMENTS =
      "[BLio/bg3/core/page/PageRead;Lio/bg3/core/tree/Descent$Wanted;";

  static int idOfTheHarness(PageHeader header) {
    return header.treeId() == 8 ? 7 : header.treeId();
  }

  @RuleTest(
      rule = 12,
      twins = {
        @Twin(
            name = "a leaf that a hint names is believed without its low fence",
            in = "io.bg3.core.tree.Descent",
            method = "isLeafFor",
            without = "PageHeader.isBelowLow"),
        @Twin(
            name = "a leaf that a hint names is believed without its high fence",
            in = "io.bg3.core.tree.Descent",
            method = "isLeafFor",
            without = "PageHeader.isAtOrAboveHigh"),
        @Twin(
            name = "a leaf that a hint names is believed without its tree",
            in = "io.bg3.core.tree.Descent",
            method = "isLeafFor",
            without = "PageHeader.treeId",
            instead = "idOfTheHarness")
      })
  void aHintToAnotherPageIsNotFollowed() {
    try (TreeHarness harness = new TreeHarness(TreeKind.EDGES, CAPACITY, CONSOLIDATE)) {
      int tagLabel = EdgeKey.tagLabel(EdgeKey.OUT, 1);
      long stamp = 0;
      for (long owner = 1; owner <= 20; owner++) {
        TreeMap<byte[], byte[]> batch = new TreeMap<>(Arrays::compareUnsigned);
        for (int other = 0; other < 10; other++) {
          batch.put(EdgeKey.encode(owner, tagLabel, other, 0), new byte[20]);
        }
        harness.write(batch, stamp += 3);
        harness.settle(Horizon.at(0));
      }
      Tree second = Tree.create(harness.space, 8, TreeKind.EDGES);
      byte[] key = EdgeKey.encode(10, tagLabel, 5, 0);
      for (int page = 1; page < harness.table.end(); page++) { // the second tree's root is one
        harness.space.hints.put(10, page, 0);
        assertArrayEquals(harness.expected(key, stamp), harness.actual(key, stamp), "page " + page);
      }
      assertTrue(second.root() > 0);
    }
  }

  @RuleTest(
      rule = 12,
      twins =
          @Twin(
              name = "a leaf that was found before is not looked at again under its latch",
              in = "io.bg3.core.tree.LeafWrites",
              method = "add",
              without = "LeafWrites.isLeafFor",
              result = 1))
  void aCommitWritesToTheLeafThatItsKeyBelongsToNow() {
    try (TreeHarness harness = filled(100)) {
      int page = harness.tree.writes.leafPage(key(1_029));
      harness.write(batch(1_000, 1_030, new byte[30]), 303);
      harness.settle(Horizon.at(0)); // splits it
      put(harness, key(1_029), 304, page);
      assertAnswers(harness, 304);
    }
  }

  @RuleTest(
      rule = 12,
      sites =
          @Site(
              name = "found the leaf",
              in = "io.bg3.core.tree.RoutedReads",
              method = "lookUp",
              after = "Descent.leaf"),
      twins =
          @Twin(
              name = "a look-up is in no epoch",
              in = "io.bg3.core.tree.RoutedReads",
              method = "lookUp",
              without = {"Epochs.enter", "Epochs.exit"}))
  void aLeafThatIsReadIsNotFreed() throws Exception {
    try (TreeHarness harness = filled(100)) {
      Sites.Other writer =
          Sites.meanwhile(
              "found the leaf",
              () -> {
                for (int i = 0; i < 40; i++) {
                  harness.write(batch(50, 51, new byte[] {(byte) i}), 303 + 3L * i);
                  harness.settle(Horizon.at(0));
                }
                harness.epochs.reclaim();
              });
      PageRead read = new PageRead();
      assertTrue(readable(harness, key(50), read), "what it was reading has been freed");
      Sites.requirePassed("found the leaf");
      writer.join();
      assertEquals(30, read.version().value().length);
    }
  }

  /** Whether a key is found, which a block that was freed and overwritten does not say. */
  private static boolean readable(TreeHarness harness, byte[] key, PageRead read) {
    try {
      return harness.tree.get(key, 302, read) && read.version().value().length == 30;
    } catch (RuntimeException e) {
      return false;
    }
  }

  // ---- Splits into pages whose numbers others may know (R23).

  @RuleTest(
      rule = 23,
      sites = {
        @Site(
            name = "new pages published",
            in = "io.bg3.core.tree.UnpublishedPages",
            method = "publish",
            before = "Tree.replace"),
        @Site(
            name = Sites.WAITS,
            in = "io.bg3.core.table.PageTable",
            method = "awaitLatch",
            before = "Thread.yield")
      },
      twins =
          @Twin(
              name = "a split publishes its new pages without their latches",
              in = "io.bg3.core.tree.UnpublishedPages",
              method = "publish",
              without = {"PageTable.latch", "PageTable.unlatch"}))
  void aWriteToANewPageIsSeenByWhoeverComesFromTheRoot() throws Exception {
    try (TreeHarness harness = filled(100)) {
      harness.write(batch(1_000, 1_030, new byte[30]), 303);
      byte[] key = key(1_029);
      byte[][] seen = new byte[1][];
      Sites.Other writer =
          Sites.meanwhile(
              "new pages published",
              () -> {
                put(harness, key, 304, newPage(harness, key)); // as by an old hint
                seen[0] = harness.actual(key, 304);
              });
      harness.settle(Horizon.at(0));
      Sites.requirePassed("new pages published");
      writer.join();
      assertArrayEquals(new byte[] {42}, seen[0], "it does not see its own write");
      assertAnswers(harness, 304);
    }
  }

  /** The page, unknown to the tree as yet, whose fences hold a key. */
  private static int newPage(TreeHarness harness, byte[] key) {
    for (int page = harness.table.end() - 1; page > 0; page--) {
      long block = harness.table.block(page);
      if (PageTable.isBlock(block)
          && harness.tree.descent.isLeafFor(harness.space.header(block), key)) {
        return page;
      }
    }
    throw new IllegalStateException("no new page");
  }

  // ---- One pointer (R18).

  static void retireWithBase(TreeSpace space, int page, long block) {
    long base = space.header(block).base();
    space.retire(page, block);
    space.retireNow(base);
  }

  @RuleTest(
      rule = 18,
      twins =
          @Twin(
              name = "a base is given back with the delta over it",
              in = "io.bg3.core.tree.LeafWrites",
              method = "addDelta",
              without = "TreeSpace.retire",
              instead = "retireWithBase"))
  void aBaseStaysWhileTheNewestDeltaStandsOnIt() {
    try (TreeHarness harness = filled(100)) {
      for (int i = 0; i < 3; i++) {
        harness.write(batch(50, 51, new byte[] {(byte) i}), 303 + 3L * i);
      }
      for (int i = 0; i < 1_000; i++) { // until others have got what was given back
        harness.write(batch(60 + i % 5, 61 + i % 5, new byte[20]), 600 + 3L * i);
        harness.settle(Horizon.at(0));
      }
      harness.epochs.reclaim();
      boolean whole = true;
      try {
        whole = harness.problems().isEmpty() && harness.actual(key(51), 302).length == 30;
      } catch (RuntimeException e) {
        whole = false;
      }
      assertTrue(whole, "the page's base has been freed");
    }
  }
}
