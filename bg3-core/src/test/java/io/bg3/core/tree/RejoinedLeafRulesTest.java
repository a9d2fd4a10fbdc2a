package io.bg3.core.tree;

import static io.bg3.core.tree.TopologyRulesTest.edges;
import static io.bg3.core.tree.TopologyRulesTest.key;
import static io.bg3.core.tree.TopologyRulesTest.value;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.Op;
import io.bg3.core.table.PageTable;
import io.bg3.core.table.StoredState;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Twin;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Leaves of edges whose values are loaded under a delta that is in memory. */
class RejoinedLeafRulesTest {
  private static final long LATER = 6_001; // written by a search for the leaves (TreeHarness)

  /** The leaf of the key that the tests write to. */
  private static int page(TreeHarness harness) {
    return harness.tree.writes.leafPage(key(3, 3));
  }

  private static void write(TreeHarness harness, byte[] key, byte[] value, long stamp) {
    TreeMap<byte[], byte[]> batch = new TreeMap<>(Arrays::compareUnsigned);
    batch.put(key, value);
    harness.write(batch, stamp);
  }

  /** Writes a version of a key that refers to a large value, which the model does not know. */
  private static void writeLocation(TreeHarness harness, byte[] key, long stamp) {
    Entries entries = harness.tree.newEntries();
    entries.append(key, Op.LOCATION, stamp, ByteBuffer.allocate(Long.BYTES).putLong(64).array());
    harness.tree.apply(entries, 0, 1, new PendingMaintenance());
  }

  /** Stores all that a leaf has in its base. In memory it loses what the horizon lets go. */
  private static void flushBase(StoredTree stored, Horizon horizon) throws Exception {
    stored.harness.table.markRebase(page(stored.harness));
    stored.flush(horizon);
  }

  /** What the newest block of the page says, whether its values are in memory or not. */
  private static long cut(TreeHarness harness, int page) {
    long block = StoredState.topology(harness.table.block(page));
    return harness.space.header(block).cut();
  }

  private static void assertRejoined(TreeHarness harness) {
    assertArrayEquals(value(3, 4), harness.actual(key(3, 4), 10_000));
    assertTrue(PageTable.isBlock(harness.table.block(page(harness))), "its values are not loaded");
    assertEquals(List.of(), harness.problems());
  }

  /**
   * The base in memory was rid of the version that refers to a large value. The stored base is rid
   * of it when it is read, by a horizon that is later than that of the delta.
   */
  @RuleTest(
      rule = 9,
      twins =
          @Twin(
              name = "a leaf whose values are loaded does not say the larger cut of base and delta",
              in = "io.bg3.core.tree.RejoinedLeaf",
              method = "over",
              without = "LeafFormat.raiseCut"))
  void aLeafWhoseValuesAreLoadedHasTheLargerCutOfBaseAndDelta() throws Exception {
    for (boolean delta : new boolean[] {true, false}) {
      try (StoredTree stored = edges()) {
        TreeHarness harness = stored.harness;
        int page = page(harness);
        if (delta) {
          writeLocation(harness, key(3, 3), 9);
        }
        write(harness, key(3, 3), value(3, 3), 12);
        flushBase(stored, Horizon.at(12));
        stored.evictValues();
        assertTrue(StoredState.hasTopology(harness.table.block(page)));
        if (delta) {
          write(harness, key(3, 2), value(3, 5), LATER);
          harness.space.loader().pruneBy(() -> Horizon.at(5_000));
        }
        assertEquals(12, cut(harness, page));
        assertTrue(StoredState.hasTopology(harness.table.block(page)));
        assertEquals(List.of(), harness.problems());
        assertRejoined(harness);
        assertEquals(delta ? 5_000 : 12, cut(harness, page), "the cut of the leaf");
      }
    }
  }

  /** Nothing prunes the older version that refers to a large value when the base is read. */
  @RuleTest(
      rule = 7,
      twins =
          @Twin(
              name = "nobody is told what a leaf refers to whose values are loaded",
              in = "io.bg3.core.tree.PageLoader",
              method = "rejoin",
              without = "Listener.loaded"))
  void whatALeafRefersToIsToldWhenItsValuesAreLoaded() throws Exception {
    try (StoredTree stored = edges()) {
      TreeHarness harness = stored.harness;
      Map<Integer, Integer> told = new HashMap<>();
      stored.listenBy((page, references) -> told.put(page, references.locations().length));
      int page = page(harness);
      writeLocation(harness, key(3, 3), 9);
      write(harness, key(3, 3), value(3, 3), 12);
      flushBase(stored, Horizon.at(12));
      stored.evictValues();
      assertTrue(StoredState.hasTopology(harness.table.block(page)));
      write(harness, key(3, 2), value(3, 5), LATER);
      told.clear();
      assertRejoined(harness);
      assertEquals(Map.of(page, 1), told);
    }
  }

  @RuleTest(
      rule = 31,
      twins =
          @Twin(
              name = "a check passes over the stored delta of a leaf without its values",
              in = "io.bg3.core.tree.PageLoader",
              method = "read",
              without = "PageLoader.verifyDelta"))
  void aDamagedDeltaOfALeafWithoutItsValuesIsFound() throws Exception {
    try (StoredTree stored = edges(new StoredTree(TreeKind.EDGES, 4_096, 4))) {
      TreeHarness harness = stored.harness;
      int page = page(harness);
      stored.evictValues();
      write(harness, key(3, 2), value(3, 5), LATER);
      stored.flush(Horizon.at(3));
      long base = harness.table.base(page);
      long delta = harness.table.delta(page);
      assertTrue(delta != 0 && StoredState.hasTopology(harness.table.block(page)));
      assertEquals(List.of(), harness.problems());
      harness.table.store(page, base, base);
      assertEquals(1, harness.problems().size());
      harness.table.store(page, base, delta);
      assertEquals(List.of(), harness.problems());
    }
  }
}
