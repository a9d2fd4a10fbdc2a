package io.bg3.core.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.Op;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Twin;

/** The leaves that an owner moves out of, and what is stored of them. */
class OwnerMoveRulesTest {
  private static final int TAG_LABEL = EdgeKey.tagLabel(EdgeKey.OUT, 1);
  private static final int OWNERS = 40;
  private static final int EDGES = 10;
  private static final long MOVED = 7;
  private static final long STAMP = 3;

  private static void fill(TreeHarness harness) {
    EdgeEntries entries = new EdgeEntries();
    for (long owner = 0; owner < OWNERS; owner++) {
      for (int other = 0; other < EDGES; other++) {
        byte[] key = EdgeKey.encode(owner, TAG_LABEL, other, 0);
        entries.append(key, Op.PUT, STAMP, new byte[20]);
      }
    }
    PendingMaintenance due = new PendingMaintenance();
    harness.tree.apply(entries, 0, entries.count(), due);
    due.settle(Horizon.at(0));
  }

  private static int count(Tree tree, long owner) {
    byte[] at = EdgeKey.prefix(owner);
    byte[] end = EdgeKey.after(at);
    EdgeEntries found = new EdgeEntries();
    while (at != null) {
      at = tree.copyForward(at, end, STAMP, true, Integer.MAX_VALUE, found);
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
    try (StoredTree stored = new StoredTree(TreeKind.EDGES, 16 << 10, 10)) {
      TreeHarness harness = stored.harness;
      fill(harness);
      stored.flush(Horizon.at(STAMP));
      try (OwnerMove move = new OwnerMove(harness.tree, MOVED)) {
        assertTrue(move.pin(1 << 20));
        move.raiseCut(50);
      }
      stored.evictValues();
      stored.flush(Horizon.at(STAMP));
      assertTrue(stored.evict() > 0);
      assertEquals(EDGES, count(harness.tree, MOVED));
      int page = harness.tree.writes.leafPage(EdgeKey.prefix(MOVED));
      assertEquals(50, harness.space.header(harness.table.block(page)).cut());
    }
  }
}
