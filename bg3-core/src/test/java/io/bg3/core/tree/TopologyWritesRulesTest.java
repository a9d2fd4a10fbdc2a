package io.bg3.core.tree;

import static io.bg3.core.tree.TopologyRulesTest.EDGES;
import static io.bg3.core.tree.TopologyRulesTest.OWNERS;
import static io.bg3.core.tree.TopologyRulesTest.edges;
import static io.bg3.core.tree.TopologyRulesTest.key;
import static io.bg3.core.tree.TopologyRulesTest.readNeighbours;
import static io.bg3.core.tree.TopologyRulesTest.readValues;
import static io.bg3.core.tree.TopologyRulesTest.used;
import static io.bg3.core.tree.TopologyRulesTest.usedWithoutLeaves;
import static io.bg3.core.tree.TopologyRulesTest.value;
import static io.bg3.core.tree.TopologyRulesTest.withTopology;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.Horizon;
import io.bg3.core.page.LeafFormat;
import io.bg3.core.table.PageTable;
import io.bg3.core.table.Pins;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Writes to leaves of edges whose topology is in memory without their properties. */
class TopologyWritesRulesTest {
  private static final long LATER = 6_001; // written by a search for the leaves (TreeHarness)

  /** Writes to some leaves whose values are not in memory. */
  private static void writeMore(TreeHarness harness) {
    long loads = harness.space.loader().loads();
    TreeMap<byte[], byte[]> batch = new TreeMap<>(Arrays::compareUnsigned);
    batch.put(key(3, EDGES), value(3, EDGES));
    batch.put(key(11, 4), value(11, 5));
    batch.put(key(17, 4), null);
    harness.write(batch, LATER);
    assertEquals(loads, harness.space.loader().loads(), "a leaf was loaded to be written to");
  }

  private static void requireMore(TreeHarness harness) {
    for (long snapshot : new long[] {1_000, LATER}) {
      for (int owner : new int[] {3, 11, 17}) {
        for (int other = 0; other <= EDGES; other++) {
          byte[] key = key(owner, other);
          byte[] expected = harness.expected(key, snapshot);
          assertEquals(expected != null, harness.isPresent(key, snapshot));
        }
      }
    }
    assertEquals(List.of(), harness.problems());
    for (long snapshot : new long[] {1_000, LATER}) {
      assertArrayEquals(
          harness.expected(null, null, snapshot).values().toArray(),
          harness.actual(null, null, snapshot, false).values().toArray());
    }
    assertEquals(List.of(), harness.problems());
  }

  @RuleTest(
      rule = 31,
      twins = {
        @Twin(
            name = "a commit loads the values of a leaf that it adds an entry to",
            in = "io.bg3.core.tree.LeafWrites",
            method = "find",
            without = "LeafWrites.takes"),
        @Twin(
            name = "entries over a leaf without its values are lost when the values are loaded",
            in = "io.bg3.core.tree.PageLoader",
            method = "loadClaimed",
            without = "RejoinedLeaf.isWanted"),
        @Twin(
            name = "entries over a leaf without its values are not looked at by a check",
            in = "io.bg3.core.tree.PageLoader",
            method = "read",
            without = "RejoinedLeaf.isWanted"),
        @Twin(
            name = "a leaf without its values goes with entries that are not stored",
            in = "io.bg3.core.table.PageTable",
            method = "isTopologyEvictable",
            without = "PageTable.isDirty"),
        @Twin(
            name = "a leaf that is written to without its values has an address of them",
            in = "io.bg3.core.tree.LeafWrites",
            method = "addToTopology",
            without = "LeafFormat.copyTopology",
            instead = "copyAll"),
        @Twin(
            name = "a leaf that is written to without its values is not flushed",
            in = "io.bg3.core.tree.LeafWrites",
            method = "addToTopology",
            without = "Tree.markDirty"),
        @Twin(
            name = "the topology that a commit has written over is never given back",
            in = "io.bg3.core.tree.LeafWrites",
            method = "addToTopology",
            without = "TreeSpace.retireTopology")
      })
  void aLeafWithoutItsValuesIsWrittenTo() throws Exception {
    for (int cold = 0; cold < 2; cold++) { // the values went, or were not loaded
      try (StoredTree stored = edges()) {
        TreeHarness harness = stored.harness;
        long without = usedWithoutLeaves(stored);
        readNeighbours(harness);
        if (cold == 0) {
          readValues(harness);
          stored.evictValues();
        }
        int leaves = withTopology(harness);
        writeMore(harness);
        assertEquals(leaves, withTopology(harness));
        stored.evict();
        assertEquals(3, withTopology(harness), "leaves that are not stored");
        assertEquals(OWNERS * EDGES, entries(harness) - 3); // a new one, and two new versions
        requireMore(harness);
        assertEquals(0, withTopology(harness));
        stored.flush(Horizon.at(3));
        stored.evict();
        requireMore(harness);
        long whole = used(harness); // as loaded: a flush may take marks off
        stored.evict();
        requireMore(harness);
        assertEquals(whole, used(harness));
        assertEquals(without, usedWithoutLeaves(stored));
      }
    }
  }

  private static long entries(TreeHarness harness) {
    return harness.tree.check((page, references) -> {}).entries();
  }

  @RuleTest(
      rule = 31,
      twins = {
        @Twin(
            name = "a base is written of a leaf whose values are not in memory",
            in = "io.bg3.core.tree.PageFlush",
            method = "image",
            without = "TreeSpace.lacksValues"),
        @Twin(
            name = "a flush reads values that are not in memory",
            in = "io.bg3.core.page.LeafFormat",
            method = "deltaImage",
            without = "LeafBlock.markedCount",
            result = 1)
      })
  void aLeafWithoutItsValuesIsFlushed() throws Exception {
    try (StoredTree stored = edges()) {
      TreeHarness harness = stored.harness;
      stored.evictValues();
      writeMore(harness);
      long loads = harness.space.loader().loads();
      assertEquals(3, assertDoesNotThrow(() -> stored.flush(Horizon.at(3))));
      assertEquals(loads, harness.space.loader().loads(), "a leaf was loaded to be flushed");
      stored.evict();
      assertEquals(0, withTopology(harness));
      requireMore(harness);
    }
  }

  @RuleTest(
      rule = 31,
      sites =
          @Site(
              name = "noted",
              in = "io.bg3.core.tree.PageFlush",
              method = "write(Lio/bg3/core/tree/NotedPages;Lio/bg3/core/tree/PageFlush$Result;)V"),
      twins = {
        @Twin(
            name = "the note of a leaf that is moved without its values stays behind",
            in = "io.bg3.core.tree.PageMover",
            method = "moveTopology",
            without = "PageTable.renote"),
        @Twin(
            name = "the note of a leaf whose values are loaded stays behind",
            in = "io.bg3.core.tree.RejoinedLeaf",
            method = "publish",
            without = "PageTable.renote")
      })
  void aNotedLeafWithoutItsValuesIsMovedAndLoaded() throws Exception {
    try (StoredTree stored = edges()) {
      TreeHarness harness = stored.harness;
      stored.evictValues();
      writeMore(harness);
      Sites.at(
          "noted",
          () -> {
            stored.move();
            readValues(harness, 11, 12, 1_000);
          });
      assertEquals(3, stored.flush(Horizon.at(3)));
      Sites.requirePassed("noted");
      assertEquals(0, harness.space.dirtyPages().bytes(), "a leaf was not written as it is");
      stored.evict();
      requireMore(harness);
    }
  }

  @RuleTest(
      rule = 31,
      twins =
          @Twin(
              name = "the topology of a leaf goes though a commit has pinned it",
              in = "io.bg3.core.tree.LeafEviction",
              method = "evictTopology",
              without = "PageTable.makeAbsent",
              result = 1))
  void theTopologyOfALeafThatACommitHasFoundStays() throws Exception {
    try (StoredTree stored = edges()) {
      TreeHarness harness = stored.harness;
      int page = harness.tree.writes.leafPage(key(3, 3));
      stored.evictValues();
      Pins.Registration commit = harness.space.pins.register();
      assertTrue(harness.table.pinTopology(page, commit.number()));
      assertTrue(!harness.table.pin(page, commit.number()), "its values have gone");
      stored.evict();
      assertEquals(1, withTopology(harness));
      commit.close();
      stored.evict();
      assertEquals(0, withTopology(harness));
    }
  }

  /** In place of {@code LeafEviction.copyTopology}. */
  static long same(LeafEviction eviction, int page, long block) {
    return block;
  }

  @RuleTest(
      rule = 31,
      twins = {
        @Twin(
            name = "a changed leaf loses values though its base is not the stored one",
            in = "io.bg3.core.tree.LeafEviction",
            method = "hasValuesToDrop",
            without = "PageHeader.hasMarks"),
        @Twin(
            name = "a changed leaf that loses its values keeps their address",
            in = "io.bg3.core.tree.LeafEviction",
            method = "dropValues",
            without = "LeafEviction.copyTopology",
            instead = "same")
      })
  void aChangedLeafLosesItsValues() throws Exception {
    try (StoredTree stored = edges()) {
      TreeHarness harness = stored.harness;
      long without = usedWithoutLeaves(stored);
      readValues(harness);
      writeMore(harness);
      TreeMap<byte[], byte[]> many = new TreeMap<>(Arrays::compareUnsigned);
      for (int other = 0; other < EDGES; other++) {
        many.put(key(5, other), new byte[1]); // so its leaves are merged and not split
      }
      Horizon horizon = Horizon.at(LATER + 3);
      harness.settle(horizon);
      harness.write(many, LATER + 3);
      harness.settle(horizon);
      stored.evictValues();
      assertTrue(withTopology(harness) > 10);
      assertTrue(mergedLeaves(harness) > 0);
      assertDoesNotThrow(() -> stored.flush(Horizon.at(3)));
      stored.evict();
      assertEquals(List.of(), harness.problems());
      assertEquals(
          harness.expected(null, null, 10_000).keySet().size(),
          harness.actual(null, null, 10_000, false).size());
      for (int other = 0; other < EDGES; other++) {
        assertArrayEquals(new byte[1], harness.actual(key(5, other), 10_000));
      }
      assertTrue(usedWithoutLeaves(stored) <= without, "blocks are not given back");
    }
  }

  @RuleTest(
      rule = 31,
      sites = @Site(name = "copies", in = "io.bg3.core.tree.LeafEviction", method = "copyTopology"),
      twins =
          @Twin(
              name = "a changed leaf that cannot be copied is never pinned again",
              in = "io.bg3.core.tree.LeafEviction",
              method = "copyTopology",
              without = "PageTable.makePresent"))
  void aChangedLeafThatIsPinnedOrCannotBeCopiedKeepsItsValues() throws Exception {
    RefusingBudget budget = new RefusingBudget();
    try (StoredTree stored = edges(new StoredTree(TreeKind.EDGES, 512, 4, budget))) {
      TreeHarness harness = stored.harness;
      readValues(harness);
      writeMore(harness);
      List<Integer> changed = new ArrayList<>();
      for (int page = 1; page < harness.table.end(); page++) {
        if (harness.table.isDirty(page) && !harness.table.needsBase(page)) {
          changed.add(page);
        }
      }
      assertEquals(3, changed.size());
      AtomicInteger copies = new AtomicInteger();
      Sites.always("copies", copies::incrementAndGet);
      try (Pins.Registration commit = harness.space.pins.register()) {
        changed.forEach(page -> assertTrue(harness.table.pin(page, commit.number())));
        stored.evictValues();
        assertEquals(0, copies.get(), "leaves that stay were copied");
      }
      for (int allocations = 0; allocations < 2; allocations++) { // base and delta
        budget.refuseAfter(allocations);
        stored.evictValues();
        assertTrue(budget.end());
      }
      assertTrue(copies.get() > 3);
      try (Pins.Registration commit = harness.space.pins.register()) {
        for (int page : changed) {
          boolean whole = PageTable.isBlock(harness.table.block(page));
          assertTrue(!whole || harness.table.pin(page, commit.number()), "page " + page);
        }
      }
      requireMore(harness);
    }
  }

  @RuleTest(
      rule = 31,
      twins = {
        @Twin(
            name = "changed leaves that lose their values are taken for as large as before",
            in = "io.bg3.core.tree.LeafEviction",
            method = "dropValues",
            without = "DirtyPages.seen"),
        @Twin(
            name = "changed leaves whose values are loaded are taken for as small as before",
            in = "io.bg3.core.tree.RejoinedLeaf",
            method = "publish",
            without = "DirtyPages.seen")
      })
  void changedLeavesCountWithTheValuesThatAreInMemory() throws Exception {
    try (StoredTree stored = edges(new StoredTree(TreeKind.EDGES, 4_096, 4))) {
      TreeHarness harness = stored.harness;
      TreeMap<byte[], byte[]> batch = new TreeMap<>(Arrays::compareUnsigned);
      for (int owner = 0; owner < OWNERS; owner += 4) {
        batch.put(key(owner, 3), value(owner, 3));
      }
      harness.write(batch, LATER - 1);
      DirtyPages dirty = harness.space.dirtyPages();
      long whole = dirty.bytes();
      stored.evictValues();
      long without = dirty.bytes();
      assertTrue(without < whole, whole + ", without values: " + without);
      readValues(harness, 0, OWNERS, 10_000);
      assertTrue(dirty.bytes() > without, "with values again: " + dirty.bytes());
    }
  }

  /** Leaves that have changed in more than their delta, and are in memory as a whole. */
  private static int mergedLeaves(TreeHarness harness) {
    PageTable table = harness.table;
    int count = 0;
    for (int page = 1; page < table.end(); page++) {
      boolean whole = harness.tree.isLeaf(table.block(page));
      count += whole && table.isDirty(page) && !table.needsBase(page) ? 1 : 0;
    }
    return count;
  }

  @RuleTest(
      rule = 31,
      twins =
          @Twin(
              name = "a leaf without its values gets more entries than a delta may have",
              in = "io.bg3.core.tree.LeafWrites",
              method = "takes",
              without = "LeafFormat.deltaCount"))
  void aLeafThatGetsManyEntriesIsLoadedAsAWhole() throws Exception {
    StoredTree empty = new StoredTree(TreeKind.EDGES, 4_096, 4).uncompressed();
    try (StoredTree stored = edges(empty)) {
      TreeHarness harness = stored.harness;
      stored.evictValues();
      TreeMap<byte[], byte[]> batch = new TreeMap<>(Arrays::compareUnsigned);
      for (int stamp = 0; stamp < 3; stamp++) {
        batch.clear();
        batch.put(key(3, EDGES + 2 * stamp), value(3, stamp));
        batch.put(key(3, EDGES + 2 * stamp + 1), value(3, stamp));
        long loads = harness.space.loader().loads();
        harness.write(batch, LATER + 3L * stamp);
        harness.settle(Horizon.at(3));
        assertEquals(stamp == 2 ? 1 : 0, harness.space.loader().loads() - loads); // a delta has 4
      }
      stored.flush(Horizon.at(3));
      stored.evict();
      assertEquals(List.of(), harness.problems());
      assertArrayEquals(
          harness.expected(null, null, 10_000).values().toArray(),
          harness.actual(null, null, 10_000, false).values().toArray());
    }
  }

  /** In place of {@code LeafFormat.copyTopology}. */
  static long copyAll(LeafFormat format, long block) {
    return format.copy(block);
  }
}
