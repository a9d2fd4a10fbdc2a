package io.bg3.core.tree;

import static io.bg3.core.tree.TopologyRulesTest.edges;
import static io.bg3.core.tree.TopologyRulesTest.key;
import static io.bg3.core.tree.TopologyRulesTest.usedWithoutLeaves;
import static io.bg3.core.tree.TopologyRulesTest.value;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.Op;
import io.bg3.core.table.PageTable;
import io.bg3.core.table.StoredState;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.memory.MemoryExceededException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Leaves of edges whose values are loaded under a delta that is in memory. */
class RejoinedLeafRulesTest {
  private static final String REJOINED = "io.bg3.core.tree.RejoinedLeaf";
  private static final String FLUSH = "io.bg3.core.tree.PageFlush";
  private static final String FLUSH_PAGES =
      "write(Lio/bg3/core/tree/NotedPages;Lio/bg3/core/tree/PageFlush$Result;)V";
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
      twins = {
        @Twin(
            name = "a leaf whose values are loaded does not say the larger cut of base and delta",
            in = REJOINED,
            method = "over",
            without = "LeafFormat.raiseCut"),
        @Twin(
            name = "a leaf whose values are loaded does not say its newest stamp",
            in = "io.bg3.core.page.LeafFormat",
            method = "copyDelta",
            without = "Math.max")
      })
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

  /**
   * There is no memory for the copy of the delta, and then no heap to count what is referred to.
   */
  @RuleTest(
      rule = 7,
      sites =
          @Site(name = "copies", in = REJOINED, method = "over", before = "LeafFormat.copyDelta"),
      twins =
          @Twin(
              name = "the blocks of a leaf whose values cannot be loaded are never given back",
              in = REJOINED,
              method = "told",
              without = "TreeSpace.free"))
  void aLeafWhoseValuesCannotBeLoadedLeavesNothingBehind() throws Exception {
    try (StoredTree stored = edges(new StoredTree(TreeKind.EDGES, 4_096, 4).uncompressed())) {
      TreeHarness harness = stored.harness;
      List<Integer> told = new ArrayList<>();
      AtomicBoolean refuses = new AtomicBoolean();
      stored.listenBy(
          (page, references) -> {
            if (refuses.getAndSet(false)) {
              throw new OutOfMemoryError("planted");
            }
            told.add(page);
          });
      int page = page(harness);
      long without = usedWithoutLeaves(stored);
      assertArrayEquals(value(3, 4), harness.actual(key(3, 4), 1_000));
      stored.evictValues();
      write(harness, key(3, 2), value(3, 5), LATER);
      told.clear();
      Sites.at(
          "copies",
          () -> {
            throw new MemoryExceededException("planted", "planted", 1, 1, 1);
          });
      byte[] read = key(3, 4);
      assertThrows(MemoryExceededException.class, () -> harness.actual(read, 10_000));
      Sites.requirePassed("copies");
      assertEquals(List.of(), told, "it is told of a leaf that is not loaded");
      refuses.set(true);
      assertThrows(OutOfMemoryError.class, () -> harness.actual(read, 10_000));
      assertTrue(StoredState.hasTopology(harness.table.block(page)));
      assertRejoined(harness);
      assertEquals(List.of(page), told);
      assertEquals(1, stored.flush(Horizon.at(3)));
      assertEquals(without, usedWithoutLeaves(stored));
      assertArrayEquals(value(3, 5), harness.actual(key(3, 2), 10_000));
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

  /** In place of {@code TreeSpace.retire}. */
  static void retireNow(TreeSpace space, int page, long block) {
    space.retireNow(block);
  }

  /** The leaf is loaded as a whole before the flush reads it, and while it does. */
  @RuleTest(
      rule = 31,
      sites = {
        @Site(name = "noted", in = FLUSH, method = FLUSH_PAGES),
        @Site(name = "writes", in = FLUSH, method = "image", before = "LeafFormat.deltaImage")
      },
      twins = {
        @Twin(
            name = "the note of a leaf whose values are loaded names entries of a later commit",
            in = REJOINED,
            method = "publish",
            without = "TreeSpace.isNoteMovable",
            result = 1),
        @Twin(
            name = "a noted delta is given back when the values under it are loaded",
            in = REJOINED,
            method = "retireUnlessNoted",
            without = "TreeSpace.retire",
            instead = "retireNow")
      })
  void aNotedDeltaIsStoredThoughTheLeafIsWrittenToAndLoaded() throws Exception {
    for (String at : List.of("noted", "writes")) {
      StoredTree empty = new StoredTree(TreeKind.EDGES, 4_096, 4).uncompressed();
      try (StoredTree stored = edges(empty)) {
        TreeHarness harness = stored.harness;
        int page = page(harness);
        long without = usedWithoutLeaves(stored);
        assertArrayEquals(value(3, 4), harness.actual(key(3, 4), 1_000));
        stored.evictValues();
        write(harness, key(3, 2), value(3, 5), LATER); // e
        Sites.at(
            at,
            () -> {
              write(harness, key(3, 3), value(3, 6), LATER + 3); // f
              assertRejoined(harness);
              harness.epochs.reclaim();
            });
        assertEquals(1, stored.flush(Horizon.at(3)));
        Sites.requirePassed(at);
        assertTrue(harness.table.isDirty(page), "f is taken for stored");
        try (TreeHarness opened = stored.open(LATER + 3)) {
          assertArrayEquals(value(3, 5), opened.actual(key(3, 2), 10_000));
          assertArrayEquals(value(3, 3), opened.actual(key(3, 3), 10_000), "f is behind the note");
        }
        assertEquals(1, stored.flush(Horizon.at(3)));
        assertEquals(without, usedWithoutLeaves(stored));
        assertArrayEquals(value(3, 6), harness.actual(key(3, 3), 10_000));
        assertRejoined(harness);
      }
    }
  }

  @RuleTest(
      rule = 31,
      sites = @Site(name = "noted", in = FLUSH, method = FLUSH_PAGES),
      twins = {
        @Twin(
            name = "a leaf that is about to be flushed loses its values",
            in = "io.bg3.core.tree.LeafEviction",
            method = "isStoredAndWhole",
            without = "PageTable.isNoted"),
        @Twin(
            name = "a leaf loses its values that has to get another base",
            in = "io.bg3.core.tree.LeafEviction",
            method = "isStoredAndWhole",
            without = "PageTable.needsBase")
      })
  void aLeafThatIsNotedOrNeedsABaseKeepsItsValues() throws Exception {
    try (StoredTree stored = edges()) {
      TreeHarness harness = stored.harness;
      int page = page(harness);
      write(harness, key(3, 2), value(3, 5), LATER);
      Sites.at(
          "noted",
          () -> {
            stored.evictValues();
            assertTrue(PageTable.isBlock(harness.table.block(page)), "it is noted");
          });
      stored.flush(Horizon.at(3));
      Sites.requirePassed("noted");
      write(harness, key(3, 2), value(3, 6), LATER + 6);
      Sites.at("noted", () -> write(harness, key(3, 3), value(3, 6), LATER + 9));
      flushBase(stored, Horizon.at(3)); // F3: a base of which the new delta does not know
      assertTrue(harness.table.isDirty(page) && harness.table.needsBase(page));
      stored.evictValues();
      assertTrue(PageTable.isBlock(harness.table.block(page)), "its marks go with another base");
      stored.flush(Horizon.at(3));
      stored.evictValues();
      assertTrue(StoredState.hasTopology(harness.table.block(page)));
      assertRejoined(harness);
      assertArrayEquals(value(3, 6), harness.actual(key(3, 3), 10_000));
    }
  }

  @RuleTest(
      rule = 31,
      sites =
          @Site(
              name = "rejoins",
              in = "io.bg3.core.tree.PageLoader",
              method = "rejoin",
              before = "RejoinedLeaf.publish"),
      twins =
          @Twin(
              name = "values are loaded under a delta that has been evicted",
              in = REJOINED,
              method = "publish",
              without = "StoredState.hasTopology",
              result = 1))
  void aLeafWhoseTopologyGoesWhileItsValuesAreReadIsLoadedAsAWhole() throws Exception {
    try (StoredTree stored = edges(new StoredTree(TreeKind.EDGES, 4_096, 4))) {
      TreeHarness harness = stored.harness;
      int page = page(harness);
      long without = usedWithoutLeaves(stored);
      assertArrayEquals(value(3, 4), harness.actual(key(3, 4), 1_000));
      write(harness, key(3, 2), new byte[1], LATER); // a small delta, which keeps its marks
      stored.flush(Horizon.at(3));
      stored.evictValues();
      assertTrue(StoredState.hasTopology(harness.table.block(page)));
      Sites.at(
          "rejoins",
          () -> {
            stored.evict();
            assertTrue(harness.table.block(page) < 0, "its topology is still there");
          });
      assertDoesNotThrow(() -> assertRejoined(harness));
      Sites.requirePassed("rejoins");
      assertArrayEquals(new byte[1], harness.actual(key(3, 2), 10_000));
      assertEquals(without, usedWithoutLeaves(stored));
    }
  }

  /** They are older than what the oldest snapshot sees, so no reader and no commit notices. */
  @Test
  void versionsThatWerePrunedInMemoryComeBackAndNobodySeesThem() throws Exception {
    try (StoredTree stored = edges()) {
      TreeHarness harness = stored.harness;
      int page = page(harness);
      write(harness, key(3, 3), value(3, 8), 9);
      write(harness, key(3, 3), value(3, 9), 12);
      write(harness, key(3, 1), null, 15);
      flushBase(stored, Horizon.at(15));
      int pruned = harness.space.header(harness.table.block(page)).count();
      stored.evictValues();
      write(harness, key(3, 2), value(3, 5), LATER);
      assertRejoined(harness);
      long base = harness.space.header(harness.table.block(page)).base();
      assertTrue(harness.space.header(base).count() > pruned, "no version came back");
      for (long snapshot : new long[] {15, 1_000, LATER}) {
        assertArrayEquals(
            harness.expected(null, null, snapshot).values().toArray(),
            harness.actual(null, null, snapshot, false).values().toArray());
      }
      write(harness, key(3, 3), value(3, 7), LATER + 3); // finds no version that is newer than 15
      stored.flush(Horizon.at(15));
      stored.evict();
      assertArrayEquals(
          harness.expected(null, null, 10_000).values().toArray(),
          harness.actual(null, null, 10_000, false).values().toArray());
      assertEquals(List.of(), harness.problems());
    }
  }
}
