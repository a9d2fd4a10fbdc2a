package io.bg3.core.tree;

import static io.bg3.core.tree.StoredTree.filled;
import static io.bg3.core.tree.StoredTree.key;
import static io.bg3.core.tree.StoredTree.write;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.Horizon;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.format.CorruptionException;
import java.io.IOException;

/** Flushes of pages that others change meanwhile. */
class FlushRulesTest {
  @RuleTest(
      rule = 20,
      sites =
          @Site(
              name = "noted",
              in = "io.bg3.core.tree.PageFlush",
              method = "write(Lio/bg3/core/tree/NotedPages;Lio/bg3/core/tree/PageFlush$Result;)V"),
      twins =
          @Twin(
              name = "a noted block is freed when a writer replaces it",
              in = "io.bg3.core.tree.TreeSpace",
              method = "retire",
              without = "PageTable.noted"))
  void aBlockThatWasNotedIsThereUntilItHasBeenWritten() throws Exception {
    try (StoredTree stored = filled(100)) {
      TreeHarness harness = stored.harness;
      write(harness, 50, 52, new byte[20], 303);
      Sites.at(
          "noted",
          () -> {
            for (int i = 0; i < 300; i++) { // until its memory would have gone to others
              write(harness, 50, 52, new byte[20], 306 + 3L * i);
            }
            harness.epochs.reclaim();
          });
      boolean written = true;
      try {
        stored.flush(Horizon.at(303));
      } catch (RuntimeException | AssertionError e) {
        written = false; // the block is poisoned
      }
      Sites.requirePassed("noted");
      assertTrue(written, "the block has been freed");
    }
  }

  @RuleTest(
      rule = 3,
      twins =
          @Twin(
              name = "a leaf without the marks of its delta is stored by another delta",
              in = "io.bg3.core.tree.PageFlush",
              method = "settle",
              without = "PageTable.markRebase"))
  void aLeafThatLosesTheMarksOfItsDeltaKeepsTheEntries() throws Exception {
    try (StoredTree stored = new StoredTree(TreeKind.BYTES, 8_192, 4)) {
      write(stored.harness, 0, 60, new byte[30], 300);
      stored.flush(Horizon.at(300));
      write(stored.harness, 0, 20, new byte[31], 303); // a third: a delta, and many marks
      stored.flush(Horizon.at(303));
      assertEquals(1, stored.deltas());
      write(stored.harness, 50, 51, new byte[1], 306);
      stored.flush(Horizon.at(306));
      stored.reopen(306);
      assertArrayEquals(new byte[31], stored.harness.actual(key(10), 306));
      assertArrayEquals(new byte[1], stored.harness.actual(key(50), 306));
      assertArrayEquals(new byte[30], stored.harness.actual(key(51), 306));
    }
  }

  @RuleTest(
      rule = 24,
      sites =
          @Site(
              name = "has read the row",
              in = "io.bg3.core.tree.ImageReader",
              method = "read",
              after = "PageTable.row",
              nth = 1),
      twins =
          @Twin(
              name = "an extent that is gone is damage though the row names another by now",
              in = "io.bg3.core.tree.ImageReader",
              method = "read",
              without = "PageRow.equals",
              result = 1))
  void anImageThatHasMovedIsReadWhereItIsNow() throws Exception {
    try (StoredTree stored = filled(100)) {
      stored.reopen(300);
      Sites.at(
          "has read the row",
          () -> {
            try {
              stored.moveAll();
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          });
      byte[] found;
      try {
        found = stored.harness.actual(key(50), 300);
      } catch (CorruptionException e) {
        throw new AssertionError("taken for damage", e);
      }
      Sites.requirePassed("has read the row");
      assertArrayEquals(new byte[30], found);
    }
  }
}
