package io.bg3.core.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Horizon;
import io.bg3.core.page.PageRead;
import io.bg3.core.table.PageTable;
import io.bg3.core.table.StoredState;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Twin;
import io.bg3.storage.memory.MemoryBudget;
import io.bg3.storage.memory.MemoryExceededException;
import java.io.IOException;
import java.util.Arrays;
import java.util.TreeMap;

/** A leaf whose owners nobody can notice leaves a note for a search (R56). */
class NoticedOwnersRulesTest {
  private static final int OWNERS = 20;
  private static final int EDGES = 25;
  private static final int LABEL = EdgeKey.tagLabel(EdgeKey.OUT, 3);

  private static byte[] key(int owner, int other) {
    return EdgeKey.encode(owner, LABEL, other, 0);
  }

  private static void write(TreeHarness harness, long stamp) {
    TreeMap<byte[], byte[]> batch = new TreeMap<>(Arrays::compareUnsigned);
    for (int owner = 0; owner < OWNERS; owner++) {
      for (int other = 0; other < EDGES; other++) {
        batch.put(key(owner, other), new byte[40]);
      }
    }
    harness.write(batch, stamp);
  }

  /** A stored tree of which no leaf is in memory, whose heavy owners are noticed from now on. */
  private static StoredTree stored() throws IOException {
    StoredTree stored = new StoredTree(TreeKind.EDGES, 512, 4);
    write(stored.harness, 3);
    stored.harness.settle(Horizon.at(3));
    stored.flush(Horizon.at(3));
    stored.evict();
    stored.harness.space.heavy.noticeAbove(EDGES / 2);
    return stored;
  }

  private static TreeHarness small() {
    return new TreeHarness(TreeKind.EDGES, 512, 4, new MemoryBudget(4 << 20, "test.budget"));
  }

  /** Takes all page ids, so that no leaf can be split. */
  private static void fill(PageTable table) {
    while (true) {
      table.grow(table.end() + 1);
    }
  }

  private static int settleStored(TreeHarness harness) {
    int leaves = 0;
    for (int page = 1; page < harness.table.end(); page++) {
      if (StoredState.isStored(harness.table.block(page))) {
        harness.tree.settle(page, Horizon.at(3));
        leaves++;
      }
    }
    return leaves;
  }

  @RuleTest(
      rule = 56,
      twins =
          @Twin(
              name = "of a leaf that was evicted before it was looked at, nobody notes anything",
              in = "io.bg3.core.tree.Tree",
              method = "noticeOwners",
              without = "TreeShape.notePassedOver"))
  void aLeafThatIsNotInMemoryLeavesANote() throws Exception {
    try (StoredTree stored = stored()) {
      TreeHarness harness = stored.harness;
      assertFalse(harness.tree.shape.hasPassedOver());
      assertTrue(settleStored(harness) > 0);
      assertNull(harness.space.heavy.poll());
      assertTrue(harness.tree.shape.hasPassedOver());
    }
  }

  @RuleTest(
      rule = 56,
      twins =
          @Twin(
              name = "a leaf whose topology is in memory is not looked at",
              in = "io.bg3.core.tree.Tree",
              method = "noticeOwners",
              without = "StoredState.topology"))
  void theTopologyOfALeafIsEnoughToNoticeItsOwners() throws Exception {
    try (StoredTree stored = stored()) {
      TreeHarness harness = stored.harness;
      for (int owner = 0; owner < OWNERS; owner++) {
        for (int other = 0; other < EDGES; other++) {
          harness.tree.find(key(owner, other), Long.MAX_VALUE, new PageRead());
        }
      }
      int leaves = settleStored(harness);
      assertTrue(leaves > 0, "leaves are in storage, with their topology in memory");
      assertNotNull(harness.space.heavy.poll());
      assertFalse(harness.tree.shape.hasPassedOver());
    }
  }

  @RuleTest(
      rule = 56,
      twins =
          @Twin(
              name = "a leaf that is put off for want of memory leaves no note",
              in = "io.bg3.core.tree.PendingMaintenance",
              method = "settle(Lio/bg3/core/tree/Tree;ILio/bg3/core/entry/Horizon;)V",
              without = "TreeShape.notePassedOver"))
  void aLeafThatIsPutOffLeavesANote() {
    try (TreeHarness harness = small()) {
      write(harness, 3);
      assertThrows(MemoryExceededException.class, () -> fill(harness.table));
      harness.settle(Horizon.at(3));
      assertEquals(1, harness.space.putOff.count());
      assertTrue(harness.tree.shape.hasPassedOver());
    }
  }
}
