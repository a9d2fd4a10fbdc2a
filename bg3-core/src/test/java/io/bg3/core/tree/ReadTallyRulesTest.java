package io.bg3.core.tree;

import static io.bg3.core.tree.StoredTree.key;
import static io.bg3.core.tree.StoredTree.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.Horizon;
import io.bg3.core.table.StoredState;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Twin;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** A thread counts the reads of the device that were made for it, also by other threads. */
class ReadTallyRulesTest {
  private static final int KEYS = 300;

  /** Has a helper load all pages of a group before the thread that asks takes one. */
  private static final Executor FIRST =
      task -> CompletableFuture.runAsync(task, each -> new Thread(each).start()).join();

  /**
   * A stored tree whose images tell by their length how much memory they take: one read suffices.
   */
  private static StoredTree filled() throws Exception {
    StoredTree stored = new StoredTree(TreeKind.BYTES, 512, 4).uncompressed();
    for (int i = 0; i < KEYS; i += 10) {
      write(stored.harness, i, i + 10, new byte[30], 3 + 3L * (i / 10));
    }
    stored.flush(Horizon.at(300));
    return stored;
  }

  /** Images of the pages that are in storage only. */
  private static int storedImages(StoredTree stored) {
    int images = 0;
    for (int page = 1; page < stored.harness.table.end(); page++) {
      if (StoredState.isStored(stored.harness.table.block(page))) {
        images += stored.delta(page) == 0 ? 1 : 2;
      }
    }
    return images;
  }

  private static ReadCounts readOfGroup(StoredTree stored) {
    LeafPrefetch prefetch = new LeafPrefetch(stored.harness.space);
    for (int i = 0; i < KEYS; i++) {
      prefetch.want(stored.harness.tree, key(i));
    }
    ReadCounts before = ReadCounts.ofThread();
    prefetch.load();
    return ReadCounts.ofThread().since(before);
  }

  @RuleTest(
      rule = 40,
      twins = {
        @Twin(
            name = "what helpers have read for a thread counts for none",
            in = "io.bg3.core.tree.GroupReads$Group",
            method = "await",
            without = "ReadTally.addDeviceReads"),
        @Twin(
            name = "what a helper has read is not noted",
            in = "io.bg3.core.tree.GroupReads$Group",
            method = "make",
            without = "Group.noteHelper")
      })
  void whatHelpersReadCountsForTheThreadThatAsked() throws Exception {
    try (StoredTree stored = filled()) {
      stored.evict();
      stored.helpedBy(FIRST);
      int images = storedImages(stored);
      assertTrue(images > 20, "images: " + images);
      ReadCounts read = readOfGroup(stored);
      assertEquals(images, read.deviceReads());
      assertTrue(read.deviceBytes() > 20L * images, "bytes: " + read.deviceBytes());
      assertEquals(0, read.pages(), "nothing was looked up");
    }
  }

  @RuleTest(
      rule = 40,
      twins =
          @Twin(
              name = "a page that a thread loads is not counted",
              in = "io.bg3.core.tree.ImageReader",
              method = "counted",
              without = "ReadTally.addDeviceReads"))
  void whatAThreadReadsItselfCountsOnce() throws Exception {
    try (StoredTree stored = filled()) {
      stored.evict();
      stored.helpedBy(task -> {});
      int images = storedImages(stored);
      assertEquals(images, readOfGroup(stored).deviceReads());
      assertEquals(0, readOfGroup(stored).deviceReads(), "it is in memory now");
    }
  }

  @Test
  void aHelperInTheThreadThatAskedCountsOnce() throws Exception {
    try (StoredTree stored = filled()) {
      stored.evict();
      stored.helpedBy(Runnable::run);
      assertEquals(storedImages(stored), readOfGroup(stored).deviceReads());
    }
  }
}
