package io.bg3.core.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.block.PageImage;
import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Expiry;
import io.bg3.core.entry.Horizon;
import io.bg3.core.page.LeafFormat;
import io.bg3.core.page.PageRead;
import io.bg3.core.table.PageTable;
import io.bg3.core.table.Pins;
import io.bg3.core.table.StoredState;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Twin;
import io.bg3.storage.extent.ExtentRecord;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.memory.MemoryBudget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Leaves of edges whose topology is in memory without their properties. */
class TopologyRulesTest {
  private static final int OWNERS = 20;
  private static final int EDGES = 25;
  private static final int LABEL = EdgeKey.tagLabel(EdgeKey.OUT, 3);

  private static StoredTree edges() throws IOException {
    return edges(new StoredTree(TreeKind.EDGES, 512, 4));
  }

  private static StoredTree edges(StoredTree stored) throws IOException {
    TreeMap<byte[], byte[]> batch = new TreeMap<>(Arrays::compareUnsigned);
    for (int owner = 0; owner < OWNERS; owner++) {
      for (int other = 0; other < EDGES; other++) {
        batch.put(key(owner, other), value(owner, other));
      }
    }
    stored.harness.write(batch, 3);
    stored.harness.settle(Horizon.at(3));
    stored.flush(Horizon.at(3));
    assertEquals(List.of(), stored.harness.problems());
    return stored;
  }

  private static byte[] key(int owner, int other) {
    return EdgeKey.encode(owner, LABEL, other, 0);
  }

  private static byte[] value(int owner, int other) {
    byte[] value = new byte[40];
    Arrays.fill(value, (byte) (owner * EDGES + other));
    return value;
  }

  private static void readNeighbours(TreeHarness harness) {
    long[] owners = new long[OWNERS];
    Arrays.setAll(owners, i -> i);
    Neighbours found = new Neighbours();
    new NeighbourReader(harness.space)
        .read(
            owner -> harness.tree,
            owners,
            0,
            OWNERS,
            LABEL,
            1_000,
            Expiry.NEVER,
            Integer.MAX_VALUE,
            found);
    for (int owner = 0; owner < OWNERS; owner++) {
      assertEquals(EDGES, found.end(owner) - found.start(owner), "owner " + owner);
      for (int i = 0; i < EDGES; i++) {
        assertEquals(i, found.array()[found.start(owner) + i]);
      }
    }
  }

  private static void readValues(TreeHarness harness) {
    readValues(harness, 0, OWNERS);
  }

  private static void readValues(TreeHarness harness, int from, int to) {
    for (int owner = from; owner < to; owner++) {
      for (int other = 0; other < EDGES; other++) {
        assertArrayEquals(value(owner, other), harness.actual(key(owner, other), 1_000));
      }
    }
  }

  private static int withTopology(TreeHarness harness) {
    int count = 0;
    for (int page = 1; page < harness.table.end(); page++) {
      count += StoredState.hasTopology(harness.table.block(page)) ? 1 : 0;
    }
    return count;
  }

  private static long used(TreeHarness harness) {
    harness.epochs.reclaim();
    return harness.budget.used();
  }

  private static long usedWithoutLeaves(StoredTree stored) {
    stored.evict();
    return used(stored.harness);
  }

  @RuleTest(
      rule = 31,
      twins = {
        @Twin(
            name = "the values of a leaf that go are never given back",
            in = "io.bg3.core.tree.TreeSpace",
            method = "retireValues",
            without = "Epochs.retire"),
        @Twin(
            name = "the topology under a leaf that is loaded as a whole is never given back",
            in = "io.bg3.core.tree.PageLoader",
            method = "publishAll",
            without = "TreeSpace.retireTopology"),
        @Twin(
            name = "the topology of a leaf that is evicted is never given back",
            in = "io.bg3.core.tree.LeafEviction",
            method = "evictTopology",
            without = "TreeSpace.retireTopology")
      })
  void neighboursAreReadWithoutALoadWhenValuesHaveGone() throws Exception {
    try (StoredTree stored = edges()) {
      TreeHarness harness = stored.harness;
      long without = usedWithoutLeaves(stored);
      readValues(harness);
      long whole = used(harness);
      int leaves = stored.evictValues();
      assertTrue(leaves > 10, "leaves: " + leaves);
      assertEquals(leaves, withTopology(harness));
      long values = (long) OWNERS * EDGES * value(0, 0).length;
      assertTrue(used(harness) <= whole - values, "the values are still in memory");
      long loads = harness.space.loader().loads();
      readNeighbours(harness);
      for (int owner = 0; owner < OWNERS; owner++) {
        assertTrue(harness.tree.find(key(owner, 3), 1_000, new PageRead()));
      }
      assertEquals(loads, harness.space.loader().loads());
      readValues(harness);
      assertEquals(loads + leaves, harness.space.loader().loads());
      assertEquals(0, withTopology(harness));
      assertEquals(whole, used(harness));
      stored.evictValues();
      assertEquals(without, usedWithoutLeaves(stored));
    }
  }

  @RuleTest(
      rule = 31,
      twins =
          @Twin(
              name = "a scan of neighbours loads the properties of cold leaves",
              in = "io.bg3.core.tree.PageLoader",
              method = "leaf",
              without = "LeafFormat.loadTopology",
              instead = "loadAll"))
  void neighboursOfColdLeavesAreLoadedWithoutValues() throws Exception {
    try (StoredTree stored = edges()) {
      TreeHarness harness = stored.harness;
      stored.evict();
      int leaves = harness.table.storedPages();
      readNeighbours(harness);
      assertEquals(leaves, withTopology(harness));
      assertEquals(leaves, harness.table.storedPages());
      readValues(harness);
      assertEquals(0, harness.table.storedPages());
      assertEquals(List.of(), harness.problems());
    }
  }

  /** In place of {@code LeafFormat.loadTopology}. */
  static long loadAll(
      LeafFormat format, ByteBuffer base, ByteBuffer delta, int most, String source) {
    return 0;
  }

  /**
   * Leaves with large values are read before leaves with small ones, so that the guess is short.
   */
  @RuleTest(
      rule = 31,
      twins = {
        @Twin(
            name = "a scan of neighbours reads the images of cold leaves as a whole",
            in = "io.bg3.core.tree.PageLoader",
            method = "topologyImage",
            without = "ExtentStore.readFirst",
            instead = "readAll"),
        @Twin(
            name = "a topology that is longer than the guess is taken as it was read",
            in = "io.bg3.core.tree.PageLoader",
            method = "topologyImage",
            without = "PageImage.topologyBytes")
      })
  void topologyIsReadAlone() throws Exception {
    StoredTree stored = new StoredTree(TreeKind.EDGES, 32 << 10, 4).uncompressed();
    TreeMap<byte[], byte[]> batch = new TreeMap<>(Arrays::compareUnsigned);
    for (int owner = 0; owner < 2 * OWNERS; owner++) {
      for (int other = 0; other < 4 * EDGES; other++) {
        batch.put(key(owner, other), new byte[owner < OWNERS ? 400 : 8]);
      }
    }
    try (stored) {
      TreeHarness harness = stored.harness;
      harness.write(batch, 3);
      harness.settle(Horizon.at(3));
      stored.flush(Horizon.at(3));
      stored.evict();
      long images = OWNERS * 4L * EDGES * 400;
      ReadCounts before = ReadCounts.ofThread();
      assertDoesNotThrow(() -> assertNeighbours(harness, 0, OWNERS));
      long read = ReadCounts.ofThread().since(before).deviceBytes();
      assertTrue(read < images / 3, read + " bytes of " + images);
      assertDoesNotThrow(() -> assertNeighbours(harness, OWNERS, 2 * OWNERS));
      for (int owner = 0; owner < 2 * OWNERS; owner++) {
        byte[] value = harness.actual(key(owner, 7), 1_000);
        assertEquals(owner < OWNERS ? 400 : 8, value.length);
      }
      assertEquals(List.of(), harness.problems());
    }
  }

  /** How far topology goes in leaves of edges says nothing of leaves that have none. */
  @RuleTest(
      rule = 31,
      twins =
          @Twin(
              name = "a leaf of byte keys is read in two steps",
              in = "io.bg3.core.tree.RoutedReads",
              method = "part",
              without = "TreeRoute.isOfEdges",
              result = 1))
  void leavesOfByteKeysAreReadAtOnce() throws Exception {
    StoredTree stored = new StoredTree(TreeKind.BYTES, 32 << 10, 4).uncompressed();
    try (stored) {
      TreeHarness harness = stored.harness;
      StoredTree.write(harness, 0, 400, new byte[400], 3);
      stored.flush(Horizon.at(3));
      stored.evict();
      for (int i = 0; i < 100; i++) {
        harness.space.loader().topologies().add(100, 1_000);
      }
      long loads = harness.space.loader().loads();
      ReadCounts before = ReadCounts.ofThread();
      for (int i = 0; i < 400; i++) {
        assertTrue(harness.tree.find(StoredTree.key(i), 1_000, new PageRead()));
      }
      loads = harness.space.loader().loads() - loads;
      assertTrue(loads > 4, "loads: " + loads);
      assertEquals(loads, ReadCounts.ofThread().since(before).deviceReads());
    }
  }

  /** Such a delta and its base become one, which takes the values. */
  @Test
  void leavesWithLargeDeltasAreReadAtOnceBehindTheFirst() throws Exception {
    try (StoredTree stored = edges(new StoredTree(TreeKind.EDGES, 16 << 10, 10))) {
      TreeHarness harness = stored.harness;
      TreeMap<byte[], byte[]> more = new TreeMap<>(Arrays::compareUnsigned);
      for (int owner = 0; owner < 20 * OWNERS; owner++) {
        for (int other = 0; other < EDGES; other++) {
          more.put(key(owner, other), new byte[100]);
        }
      }
      harness.write(more, 6);
      harness.settle(Horizon.at(6));
      stored.flush(Horizon.at(6));
      more.keySet().removeIf(key -> EdgeKey.other(key) > 3); // a sixth of each leaf
      harness.write(more, 9);
      harness.settle(Horizon.at(9));
      stored.flush(Horizon.at(9));
      stored.evict();
      long leaves = harness.table.storedPages();
      long deltas = stored.deltas();
      assertTrue(deltas > leaves / 2, deltas + " deltas of " + leaves);
      for (int i = 0; i < 100; i++) {
        harness.space.loader().topologies().add(100, 1_000);
      }
      ReadCounts before = ReadCounts.ofThread();
      for (int owner = 0; owner < 20 * OWNERS; owner++) {
        assertTrue(harness.tree.find(key(owner, 3), 1_000, new PageRead()));
      }
      long reads = ReadCounts.ofThread().since(before).deviceReads();
      assertTrue(reads <= leaves + deltas + 10, reads + " reads, " + leaves + ", " + deltas);
      assertEquals(List.of(), harness.problems());
    }
  }

  @Test
  void theHeaderOfAnImageIsVerifiedWhereOnlyItsBeginningIsRead() {
    assertTrue(PageImage.PARTS <= ExtentStore.VERIFIED_FIRST);
  }

  @Test
  void behindAnImageThatCannotBeReadInPartOthersAreReadAsAWhole() {
    TopologyShare share = new TopologyShare();
    assertEquals(1_000, share.guess(1_000));
    for (int i = 0; i < 100; i++) {
      share.add(200, 1_000);
    }
    assertEquals(200, share.guess(1_000), 5);
    for (int whole : new int[] {4, 8, 16, 32, 64, 64}) {
      share.refused();
      for (int i = 0; i < whole; i++) {
        assertEquals(1_000, share.guess(1_000));
      }
      assertEquals(200, share.guess(1_000), 5);
    }
    share.worked();
    share.refused();
    assertEquals(4, IntStream.range(0, 10).filter(i -> share.guess(1_000) == 1_000).count());
    for (int i = 0; i < 100; i++) {
      share.add(i % 2 == 0 ? 200 : 400, 1_000);
    }
    assertTrue(share.guess(1_000) >= 400, "of half of the images the rest would be read");
  }

  private static void assertNeighbours(TreeHarness harness, int from, int to) {
    for (int owner = from; owner < to; owner++) {
      Neighbours found = new Neighbours();
      new NeighbourReader(harness.space)
          .read(
              any -> harness.tree,
              new long[] {owner},
              0,
              1,
              LABEL,
              1_000,
              Expiry.NEVER,
              Integer.MAX_VALUE,
              found);
      assertEquals(4 * EDGES, found.end(0) - found.start(0), "owner " + owner);
    }
  }

  /** In place of {@code ExtentStore.readFirst}. */
  static ExtentRecord readAll(ExtentStore extents, long location, int bytes, ByteBuffer into)
      throws IOException {
    return extents.read(location, into);
  }

  @RuleTest(
      rule = 31,
      twins =
          @Twin(
              name = "a scan of all edges wants values that it does not copy",
              in = "io.bg3.core.tree.OwnersLeaves$Step",
              method = "wanted",
              without = "RoutedReads.wanted",
              instead = "withValues"))
  void allEdgesAreReadWithoutTheirValues() throws Exception {
    for (int dedicated = 0; dedicated < 2; dedicated++) { // the directory is asked if there are any
      try (StoredTree stored = edges()) {
        TreeHarness harness = stored.harness;
        Tree directory = Tree.create(harness.space, 8, TreeKind.BYTES);
        int trees = dedicated;
        LeafSource all =
            new OwnersLeaves(
                harness.tree, directory, owner -> harness.tree, owner -> true, () -> trees);
        int leaves = stored.evictValues();
        long loads = harness.space.loader().loads();
        assertEquals(OWNERS * EDGES, count(all, false));
        assertEquals(loads, harness.space.loader().loads(), "loads of what was there");
        stored.evict();
        assertEquals(OWNERS * EDGES, count(all, false));
        assertEquals(loads + leaves, harness.space.loader().loads(), "loads of cold leaves");
        assertEquals(leaves, withTopology(harness));
        assertEquals(OWNERS * EDGES, count(all, true));
        assertEquals(0, withTopology(harness));
      }
    }
  }

  private static int count(LeafSource leaves, boolean values) {
    EdgeEntries found = new EdgeEntries();
    for (byte[] at = new byte[0]; at != null; ) {
      leaves.prefetch(at, null, values, LeafPrefetch.AHEAD);
      at = leaves.copyForward(at, null, 1_000, values, Integer.MAX_VALUE, found);
    }
    return found.count();
  }

  static Descent.Wanted withValues(boolean values) {
    return Descent.Wanted.KEYS;
  }

  @RuleTest(
      rule = 31,
      twins =
          @Twin(
              name = "a leaf goes with its topology though it has values that can go",
              in = "io.bg3.core.tree.LeafEviction",
              method = "hasValuesToDrop"))
  void valuesGoBeforeTopology() throws Exception {
    MemoryBudget budget = new MemoryBudget(1 << 20, "bg3.memory.budget");
    try (StoredTree stored = edges(new StoredTree(TreeKind.EDGES, 512, 4, budget))) {
      TreeHarness harness = stored.harness;
      stored.evict();
      readValues(harness);
      long rest = budget.limit() - used(harness);
      budget.reserve(rest);
      new PageEvictor(harness.space).relieve(1); // it evicts 16 KiB, and there are 20 of values
      assertTrue(withTopology(harness) > 10);
      budget.release(rest);
      long loads = harness.space.loader().loads();
      readNeighbours(harness);
      assertEquals(loads, harness.space.loader().loads(), "topology has gone");
      budget.reserve(rest);
      new PageEvictor(harness.space).relieve(rest); // all that there is
      assertEquals(0, withTopology(harness));
      budget.release(rest);
      readNeighbours(harness);
      readValues(harness);
    }
  }

  @RuleTest(
      rule = 31,
      twins =
          @Twin(
              name = "values that are read go before topology that nobody reads",
              in = "io.bg3.core.tree.Descent",
              method = "touch",
              without = "PageTable.touchValues",
              instead = "touchTopology"))
  void valuesThatAreReadStayLongerThanTopologyThatNobodyReads() throws Exception {
    MemoryBudget budget = new MemoryBudget(256 << 10, "bg3.memory.budget");
    try (StoredTree stored = edges(new StoredTree(TreeKind.EDGES, 512, 4, budget))) {
      TreeHarness harness = stored.harness;
      stored.evict();
      readNeighbours(harness);
      readValues(harness, 0, OWNERS / 4);
      harness.table.beginEvicting();
      for (int page = 1; page < harness.table.end(); page++) {
        harness.table.takeTouched(page);
      }
      readValues(harness, 0, OWNERS / 4);
      long rest = budget.limit() - used(harness);
      budget.reserve(rest);
      int before = withTopology(harness);
      new PageEvictor(harness.space).relieve(1); // it evicts 4 KiB
      assertTrue(withTopology(harness) < before, "no topology has gone");
      budget.release(rest);
      long loads = harness.space.loader().loads();
      readValues(harness, 0, OWNERS / 4);
      assertEquals(loads, harness.space.loader().loads(), "values that are read have gone");
    }
  }

  @Test
  void leavesThatAreKeptWholeAreLoadedAndGoWithTheirValues() throws Exception {
    MemoryBudget budget = new MemoryBudget(1 << 20, "bg3.memory.budget");
    try (StoredTree stored = edges(new StoredTree(TreeKind.EDGES, 512, 4, budget))) {
      TreeHarness harness = stored.harness;
      harness.space.keepLeavesWhole();
      stored.evict();
      readNeighbours(harness);
      assertEquals(0, withTopology(harness), "values were not loaded");
      long loads = harness.space.loader().loads();
      readValues(harness);
      assertEquals(loads, harness.space.loader().loads(), "values were not loaded");
      long rest = budget.limit() - used(harness);
      budget.reserve(rest);
      new PageEvictor(harness.space).relieve(1);
      assertEquals(0, withTopology(harness), "values went before topology");
      budget.release(rest);
      readNeighbours(harness);
      assertTrue(loads < harness.space.loader().loads(), "nothing has gone");
    }
  }

  static void touchTopology(PageTable table, int page) {
    table.touch(page);
  }

  @RuleTest(
      rule = 32,
      twins = {
        @Twin(
            name = "a leaf without its values stays in a span that is being vacated",
            in = "io.bg3.core.tree.PageMover",
            method = "isLeaving",
            without = "LeafFormat.isTopologyLeaving"),
        @Twin(
            name = "a leaf is moved with values that are not there",
            in = "io.bg3.core.tree.PageMover",
            method = "moveTopology",
            without = "LeafFormat.copyTopology",
            instead = "copyAll"),
        @Twin(
            name = "the topology of a leaf that was moved is never given back",
            in = "io.bg3.core.tree.PageMover",
            method = "moveTopology",
            without = "TreeSpace.retireTopology")
      })
  void aLeafWithoutItsValuesIsMoved() throws Exception {
    try (StoredTree stored = edges()) {
      TreeHarness harness = stored.harness;
      long without = usedWithoutLeaves(stored);
      readValues(harness);
      long whole = used(harness);
      int leaves = stored.evictValues();
      long topology = used(harness);
      assertEquals(leaves, stored.move());
      assertEquals(leaves, withTopology(harness));
      assertEquals(topology, used(harness));
      long loads = harness.space.loader().loads();
      readNeighbours(harness);
      assertEquals(loads, harness.space.loader().loads());
      readValues(harness);
      assertEquals(List.of(), harness.problems());
      assertEquals(whole, used(harness));
      assertEquals(without, usedWithoutLeaves(stored));
    }
  }

  /** In place of {@code LeafFormat.copyTopology}. */
  static long copyAll(LeafFormat format, long block) {
    return format.copy(block);
  }

  @RuleTest(
      rule = 31,
      twins =
          @Twin(
              name = "the values of a leaf go though a commit has pinned it",
              in = "io.bg3.core.tree.LeafEviction",
              method = "dropValues",
              without = "PageTable.makeAbsent",
              result = 1))
  void theValuesOfALeafThatACommitHasFoundStay() throws Exception {
    try (StoredTree stored = edges()) {
      TreeHarness harness = stored.harness;
      Pins.Registration commit = harness.space.pins.register();
      int page = harness.tree.writes.leafPage(key(3, 3));
      assertTrue(harness.table.pin(page, commit.number()));
      stored.evictValues();
      assertTrue(PageTable.isBlock(harness.table.block(page)));
      commit.close();
      stored.evictValues();
      assertTrue(StoredState.hasTopology(harness.table.block(page)));
    }
  }
}
