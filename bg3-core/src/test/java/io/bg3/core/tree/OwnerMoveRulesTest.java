package io.bg3.core.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Expiry;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.Lifetimes;
import io.bg3.core.entry.Op;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Twin;

/** The leaves that an owner moves out of, and what is stored of them. */
class OwnerMoveRulesTest {
  private static final int TAG_LABEL = EdgeKey.tagLabel(EdgeKey.OUT, 1);
  private static final int EXPIRING = EdgeKey.ttlLabel(1, 1);
  private static final int OWNERS = 40;
  private static final int EDGES = 10;
  private static final long MOVED = 7;
  private static final long STAMP = 3;
  private static final long LAST = STAMP + 40;

  private static void fill(TreeHarness harness) {
    EdgeEntries entries = new EdgeEntries();
    for (long owner = 0; owner < OWNERS; owner++) {
      add(entries, owner, TAG_LABEL);
    }
    put(harness, entries, Horizon.at(0));
  }

  private static void add(EdgeEntries entries, long owner, int tagLabel) {
    for (int other = 0; other < EDGES; other++) {
      byte[] key = EdgeKey.encode(owner, tagLabel, other, 0);
      entries.append(key, Op.PUT, STAMP, new byte[20]);
    }
  }

  private static void put(TreeHarness harness, EdgeEntries entries, Horizon horizon) {
    PendingMaintenance due = new PendingMaintenance();
    harness.tree.apply(entries, 0, entries.count(), due);
    due.settle(horizon);
  }

  private static void put(TreeHarness harness, long owner, int tagLabel, Horizon horizon) {
    EdgeEntries entries = new EdgeEntries();
    add(entries, owner, tagLabel);
    put(harness, entries, horizon);
  }

  private static int count(Tree tree, long owner) {
    byte[] at = EdgeKey.prefix(owner);
    byte[] end = EdgeKey.after(at);
    EdgeEntries found = new EdgeEntries();
    while (at != null) {
      at = tree.copyForward(at, end, Long.MAX_VALUE, true, Integer.MAX_VALUE, found);
    }
    return found.count();
  }

  @RuleTest(
      rule = 19,
      twins =
          @Twin(
              name = "a leaf that an owner was erased from keeps its stored base",
              in = "io.bg3.core.tree.OwnerMove",
              method = "erase(I[B)[B",
              without = {"PageTable.markRebase", "Entries.markAllUnstored"}))
  void anOwnerThatHasMovedDoesNotComeBackToItsLeaf() throws Exception {
    try (StoredTree stored = new StoredTree(TreeKind.EDGES, 16 << 10, 10)) {
      TreeHarness harness = stored.harness;
      fill(harness);
      stored.flush(Horizon.at(STAMP));
      Tree own;
      try (OwnerMove move = new OwnerMove(harness.tree, MOVED)) {
        assertTrue(move.pin(1 << 20));
        Entries all = move.copy();
        assertEquals(EDGES, all.count());
        own = move.build(new TreeShape(), 8, all);
        move.erase();
      }
      assertEquals(0, count(harness.tree, MOVED));
      assertEquals(EDGES, count(own, MOVED));
      stored.flush(Horizon.at(STAMP));
      assertTrue(stored.evict() > 0);
      for (long owner = 0; owner < OWNERS; owner++) {
        assertEquals(owner == MOVED ? 0 : EDGES, count(harness.tree, owner), "owner " + owner);
      }
    }
  }

  /** No entry of such a leaf says that it is to be stored anew. */
  @RuleTest(
      rule = 9,
      twins =
          @Twin(
              name = "the cut of a leaf that was raised is not stored",
              in = "io.bg3.core.tree.OwnerMove",
              method = "raiseCut(I[BJ)[B",
              without = "PageTable.markRebase"))
  void theCutOfALeafThatWasRaisedIsStored() throws Exception {
    for (long flushed : new long[] {STAMP, 60}) { // by 60 the copy in memory has a cut above that
      try (StoredTree stored = new StoredTree(TreeKind.EDGES, 16 << 10, 10)) {
        TreeHarness harness = stored.harness;
        fill(harness);
        stored.flush(Horizon.at(flushed));
        try (OwnerMove move = new OwnerMove(harness.tree, MOVED)) {
          assertTrue(move.pin(1 << 20));
          move.raiseCut(50);
        }
        stored.evictValues();
        stored.flush(Horizon.at(STAMP));
        assertTrue(stored.evict() > 0);
        assertEquals(EDGES, count(harness.tree, MOVED));
        int page = harness.tree.writes.leafPage(EdgeKey.prefix(MOVED));
        long cut = harness.space.header(harness.table.block(page)).cut();
        assertTrue(cut >= 50, "flushed=" + flushed + ", cut=" + cut);
      }
    }
  }

  /** By whose clock every edge has expired whose label has a time to live. */
  private static Horizon late() {
    Lifetimes lifetimes = new Lifetimes();
    lifetimes.put(EXPIRING, 1);
    return new Horizon(LAST, LAST, new long[0], new Expiry(lifetimes, 1_000));
  }

  /** Writes one edge so often that the leaf gets a new base in memory, and a delta in storage. */
  private static void overwriteOne(TreeHarness harness, long owner) {
    for (long stamp = STAMP + 1; stamp <= LAST; stamp++) {
      EdgeEntries one = new EdgeEntries();
      one.append(EdgeKey.encode(owner, TAG_LABEL, 0, 0), Op.PUT, stamp, new byte[20]);
      put(harness, one, late());
    }
  }

  @RuleTest(
      rule = 19,
      twins =
          @Twin(
              name = "a leaf without entries of an owner that has moved keeps its stored base",
              in = "io.bg3.core.tree.OwnerMove",
              method = "erase(I[B)[B",
              without = {"PageTable.markRebase", "Entries.markAllUnstored"}))
  void whatHasExpiredDoesNotComeBackToTheLeafOfAnOwnerThatHasMoved() throws Exception {
    long owner = OWNERS; // behind the others
    try (StoredTree stored = new StoredTree(TreeKind.EDGES, 16 << 10, 10)) {
      TreeHarness harness = stored.harness;
      fill(harness);
      put(harness, owner, EdgeKey.tagLabel(EdgeKey.OUT, EXPIRING), Horizon.at(0));
      stored.flush(Horizon.at(STAMP));
      assertEquals(EDGES, count(harness.tree, owner));
      overwriteOne(harness, owner - 1);
      assertEquals(0, count(harness.tree, owner), "the leaf in memory has lost them");
      try (OwnerMove move = new OwnerMove(harness.tree, owner)) {
        assertTrue(move.pin(1 << 20));
        move.erase();
      }
      stored.flush(Horizon.at(STAMP));
      assertTrue(stored.evict() > 0);
      assertEquals(0, count(harness.tree, owner));
      assertEquals(EDGES, count(harness.tree, owner - 1));
    }
  }
}
