package io.bg3.core.tree;

import static io.bg3.core.tree.TopologyRulesTest.EDGES;
import static io.bg3.core.tree.TopologyRulesTest.edges;
import static io.bg3.core.tree.TopologyRulesTest.key;
import static io.bg3.core.tree.TopologyRulesTest.readValues;
import static io.bg3.core.tree.TopologyRulesTest.value;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.Op;
import io.bg3.core.table.PageTable;
import io.bg3.core.table.Pins;
import io.bg3.core.table.StoredState;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.extent.Location;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/** The search of commits for leaves of edges whose properties are not in memory. */
class TopologyCommitRulesTest {
  private static final String WRITES = "io.bg3.core.tree.LeafWrites";
  private static final long LATER = 6_000; // applied without a search (TreeHarness)

  /** Of pages that hold many edges each. */
  private static StoredTree largeLeaves() throws Exception {
    return edges(new StoredTree(TreeKind.EDGES, 4_096, 4));
  }

  /**
   * Loads a leaf, and leaves it with marks in its base, stored with a delta, without its values.
   */
  private static void mark(StoredTree stored) throws Exception {
    TreeHarness harness = stored.harness;
    readValues(harness, 3, 4);
    TreeMap<byte[], byte[]> batch = new TreeMap<>(Arrays::compareUnsigned);
    for (int other = 0; other < 5; other++) { // a delta has 4
      batch.put(key(3, other), value(3, other));
    }
    harness.write(batch, LATER);
    harness.settle(Horizon.at(3));
    stored.flush(Horizon.at(3));
    assertEquals(1, stored.deltas());
    assertTrue(stored.evictValues() > 0);
  }

  @RuleTest(
      rule = 5,
      sites = @Site(name = "pins", in = WRITES, method = "find", before = "PageTable.pinTopology"),
      twins =
          @Twin(
              name = "a commit judges a leaf by the block that it had before it was pinned",
              in = WRITES,
              method = "find",
              without = "LeafWrites.isOther"))
  void aCommitLooksAtTheLeafThatItHasPinned() throws Exception {
    try (StoredTree stored = largeLeaves();
        Pins.Registration pins = stored.harness.space.pins.register()) {
      TreeHarness harness = stored.harness;
      int page = harness.tree.writes.leafPage(key(3, 7));
      stored.evictValues();
      Entries batch = harness.tree.newEntries();
      batch.append(key(3, 7), Op.PUT, LATER + 1, value(3, 8));
      LocatedLeaves leaves = new LocatedLeaves();
      Sites.Other other = Sites.meanwhile("pins", () -> mark(stored));
      int found = harness.tree.find(batch, Long.MAX_VALUE, leaves, LeafAdmission.unbounded(pins));
      other.join();
      Sites.requirePassed("pins");
      assertEquals(Tree.NONE, found);
      long loads = harness.space.loader().loads();
      harness.tree.apply(batch, leaves, () -> Horizon.at(3), new PendingMaintenance());
      assertEquals(loads, harness.space.loader().loads(), "loads to apply a commit");
      assertTrue(!StoredState.isStored(harness.table.block(page)), "its base has marks");
      assertArrayEquals(value(3, 8), harness.actual(key(3, 7), 10_000));
      assertEquals(List.of(), harness.problems());
    }
  }

  private static void write(TreeHarness harness, byte[] key, byte[] value, long stamp) {
    TreeMap<byte[], byte[]> batch = new TreeMap<>(Arrays::compareUnsigned);
    batch.put(key, value);
    harness.write(batch, stamp);
  }

  /** In a tree whose deltas may have very many entries. */
  @RuleTest(
      rule = 31,
      twins =
          @Twin(
              name = "a leaf without its values never gets a base however much its deltas take",
              in = WRITES,
              method = "takes",
              without = "LeafWrites.isDueForBase"))
  void aLeafThatIsFlushedAfterEachEntryGetsABaseNowAndThen() throws Exception {
    StoredTree empty = new StoredTree(TreeKind.EDGES, 4_096, 1_000).uncompressed();
    try (StoredTree stored = edges(empty)) {
      TreeHarness harness = stored.harness;
      int page = harness.tree.writes.leafPage(key(3, 7));
      long first = harness.table.base(page);
      int deltas = 0;
      int bases = 0;
      for (int i = 0; i < 40; i++) {
        stored.evictValues();
        long base = harness.table.base(page);
        write(harness, key(3, i % EDGES), value(3, i), LATER + 1 + 3L * i);
        stored.flush(Horizon.at(3));
        boolean isNew = harness.table.base(page) != base;
        bases += isNew ? 1 : 0;
        deltas += isNew ? 0 : 1;
        long bytes = harness.table.deltaBytes(page);
        long most = 2L * Location.bytes(harness.table.base(page));
        assertTrue(bytes <= most, bytes + " bytes of deltas behind a base of half of " + most);
      }
      assertTrue(harness.table.base(page) != first);
      assertTrue(deltas > 4 * bases, deltas + " deltas, " + bases + " bases");
      assertEquals(List.of(), harness.problems());
    }
  }

  @RuleTest(
      rule = 31,
      twins =
          @Twin(
              name = "a leaf without its values gets a reference to a large value",
              in = WRITES,
              method = "wanted",
              without = "Op.isLocation"))
  void aLeafThatGetsAReferenceToALargeValueIsLoadedAsAWhole() throws Exception {
    try (StoredTree stored = edges();
        Pins.Registration pins = stored.harness.space.pins.register()) {
      TreeHarness harness = stored.harness;
      int page = harness.tree.writes.leafPage(key(3, 7));
      stored.evictValues();
      Entries batch = harness.tree.newEntries();
      batch.append(key(3, 7), Op.LOCATION, LATER, new byte[Long.BYTES]);
      LocatedLeaves leaves = new LocatedLeaves();
      harness.tree.find(batch, Long.MAX_VALUE, leaves, LeafAdmission.unbounded(pins));
      harness.tree.apply(batch, leaves, () -> Horizon.at(3), new PendingMaintenance());
      assertTrue(PageTable.isBlock(harness.table.block(page)), "its values are not in memory");
      assertEquals(List.of(), harness.problems());
    }
  }

  /** Entries of the first owners, one for each. */
  private static Entries entries(TreeHarness harness, int first, int count) {
    Entries batch = harness.tree.newEntries();
    for (int owner = first; owner < first + count; owner++) {
      batch.append(key(owner, 3), Op.PUT, LATER, value(owner, 4));
    }
    return batch;
  }

  @RuleTest(
      rule = 31,
      twins =
          @Twin(
              name = "all leaves of a commit that are loaded together are loaded as a whole",
              in = "io.bg3.core.tree.LeafPrefetch",
              method = "addIfMissing",
              without = "Wanted.part"))
  void ofEachLeafThatIsLoadedAheadAsMuchIsLoadedAsItsEntriesWant() throws Exception {
    try (StoredTree stored = edges()) {
      TreeHarness harness = stored.harness;
      int few = harness.tree.writes.leafPage(key(2, 3));
      int many = harness.tree.writes.leafPage(key(14, 3));
      stored.evict();
      LeafPrefetch prefetch = new LeafPrefetch(harness.space);
      harness.tree.want(prefetch, entries(harness, 1, 3), 100);
      harness.tree.want(prefetch, entries(harness, 11, 6), 100);
      prefetch.load();
      assertTrue(StoredState.hasTopology(harness.table.block(few)), "its values are not wanted");
      assertTrue(PageTable.isBlock(harness.table.block(many)), "its values are wanted");
      assertEquals(List.of(), harness.problems());
    }
  }

  /** How far topology goes in leaves of edges says nothing of leaves that have none. */
  @RuleTest(
      rule = 31,
      twins =
          @Twin(
              name = "a leaf of byte keys is read in two steps for a commit",
              in = "io.bg3.core.tree.RoutedReads",
              method = "part",
              without = "TreeRoute.isOfEdges",
              result = 1))
  void aCommitReadsALeafOfByteKeysAtOnce() throws Exception {
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
      for (int i = 0; i < 400; i += 10) {
        write(harness, StoredTree.key(i), new byte[10], LATER + 1 + 3L * i);
      }
      loads = harness.space.loader().loads() - loads;
      assertTrue(loads > 4, "loads: " + loads);
      assertEquals(loads, ReadCounts.ofThread().since(before).deviceReads());
    }
  }

  /** Admits a commit that keeps much. */
  private record Large(long pin) implements LeafAdmission {
    @Override
    public long patienceMillis() {
      return UNTIL_REFUSED;
    }

    @Override
    public boolean keeps(long bytes) {
      return true;
    }

    @Override
    public boolean keepsLittle() {
      return false;
    }
  }

  @RuleTest(
      rule = 29,
      twins =
          @Twin(
              name = "all leaves of a large commit count as full pages",
              in = WRITES,
              method = "takesParts",
              without = "LeafAdmission.keepsLittle",
              result = 1))
  void aCommitThatKeepsMuchLoadsItsLeavesAsAWhole() throws Exception {
    StoredTree empty = new StoredTree(TreeKind.EDGES, 512, 4).uncompressed();
    try (StoredTree stored = edges(empty);
        Pins.Registration pins = stored.harness.space.pins.register()) {
      TreeHarness harness = stored.harness;
      int[] pages = {
        harness.tree.writes.leafPage(key(2, 3)), harness.tree.writes.leafPage(key(9, 3))
      };
      stored.evict();
      Entries batch = harness.tree.newEntries();
      batch.append(key(2, 3), Op.PUT, LATER, value(2, 4));
      batch.append(key(9, 3), Op.PUT, LATER, value(9, 4));
      LocatedLeaves leaves = new LocatedLeaves();
      ReadCounts before = ReadCounts.ofThread();
      harness.tree.find(batch, Long.MAX_VALUE, leaves, new Large(pins.number()));
      assertEquals(2, ReadCounts.ofThread().since(before).deviceReads());
      for (int page : pages) {
        assertTrue(PageTable.isBlock(harness.table.block(page)), "it counts as a full page");
      }
      harness.tree.apply(batch, leaves, () -> Horizon.at(3), new PendingMaintenance());
      assertEquals(List.of(), harness.problems());
    }
  }
}
