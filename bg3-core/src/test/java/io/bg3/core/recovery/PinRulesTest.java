package io.bg3.core.recovery;

import static io.bg3.core.recovery.CheckpointedStore.key;
import static io.bg3.core.recovery.CheckpointedStore.open;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.extent.ExtentUsage;
import io.bg3.storage.extent.Stream;
import io.bg3.storage.file.CrashingDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Leaves of commits that are evicted where they can be, and large values of evicted leaves. */
class PinRulesTest {
  private static final int ALL = Integer.MAX_VALUE;
  private static final byte[] NEW = {3};
  private static final byte[] LARGE = new byte[20_000];

  /** Flushes and evicts all that can be, and lets every read fail from now on. */
  private static void evict(CheckpointedStore store, CrashingDisk disk) {
    try {
      store.flush(ALL);
      assertTrue(store.evict() > 0, "nothing was evicted");
      disk.failAt(1, CrashingDisk.Fault.EIO, true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a key, whose commit comes past the site "stamped" while reads of the disk fail. */
  private static void requireCommit(CheckpointedStore store, CrashingDisk disk, int key) {
    Throwable failure = null;
    try {
      store.put(key(key), NEW);
    } catch (RuntimeException e) {
      failure = e;
    }
    disk.heal();
    Sites.requirePassed("stamped");
    assertNull(failure, "the commit has failed behind its stamp");
    assertArrayEquals(NEW, store.get(key(key)));
  }

  @RuleTest(
      rule = 5,
      sites = {
        @Site(
            name = "stamped",
            in = "io.bg3.core.commit.CommitPipeline",
            method = "issueAndApply",
            before = "TreeBatches.apply"),
        @Site(
            name = "applied",
            in = "io.bg3.core.commit.CommitPipeline",
            method = "issueAndApply",
            after = "TreeBatches.apply")
      },
      twins =
          @Twin(
              name = "a commit does not pin the leaves that it has found",
              in = "io.bg3.core.tree.LeafWrites",
              method = "find",
              without = "PageTable.pinTopology",
              result = 1))
  void aLeafThatACommitHasFoundStays() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    try (CheckpointedStore store = open(disk)) {
      store.fill(200, 10, new byte[40]);
      store.checkpoint();
      store.evict(); // the splits have pinned their pages with an older number
      store.get(key(0));
      Sites.at("stamped", () -> evict(store, disk));
      Sites.at("applied", disk::heal);
      requireCommit(store, disk, 100);
    }
  }

  @RuleTest(
      rule = 5,
      sites = {
        @Site(
            name = "stamped",
            in = "io.bg3.core.commit.CommitPipeline",
            method = "issueAndApply",
            before = "TreeBatches.apply"),
        @Site(
            name = "applied",
            in = "io.bg3.core.commit.CommitPipeline",
            method = "issueAndApply",
            after = "TreeBatches.apply")
      },
      twins =
          @Twin(
              name = "the pages of a split do not get the pin of the page that was split",
              in = "io.bg3.core.tree.UnpublishedPages",
              method = "publish",
              without = "PageTable.pin",
              result = 1))
  void theHalfOfALeafThatACommitHasFoundStays() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    try (CheckpointedStore store = open(disk)) {
      for (int i = 0; i < 400; i += 20) {
        store.putRange(i, i + 4, new byte[40]);
      }
      store.checkpoint();
      Sites.Other[] other = new Sites.Other[1];
      Sites.at(
          "stamped",
          () -> {
            Sites.at("applied", () -> {}); // the other commit's
            other[0] = Sites.Other.start(() -> store.putRange(201, 219, new byte[60]));
            evict(store, disk);
            Sites.at("applied", disk::heal);
          });
      requireCommit(store, disk, 219);
      other[0].join();
    }
  }

  // ---- Large values of leaves that come and go (R7).

  @RuleTest(
      rule = 7,
      twins =
          @Twin(
              name = "the values of a leaf that was evicted are counted again when it is loaded",
              in = "io.bg3.core.recovery.ValueReferences",
              method = "loaded",
              without = "Map.get"))
  void aValueIsGivenUpThoughItsLeafWasEvicted() throws Exception {
    try (CheckpointedStore store = open(new CrashingDisk())) {
      store.putRange(1, 3, LARGE);
      store.flush(ALL); // no manifest names the leaf
      for (int i = 0; i < 3; i++) {
        assertTrue(store.evict() > 0);
        assertArrayEquals(LARGE, store.get(key(1)));
      }
      for (int i = 0; i < 8; i++) { // until the leaf is consolidated
        store.put(key(1), NEW);
      }
      store.checkpoint();
      assertArrayEquals(LARGE, store.get(key(2)));
      assertEquals(1, liveValues(store));
    }
  }

  private static long liveValues(CheckpointedStore store) {
    return store.opened().extents().usage().stream()
        .filter(usage -> usage.stream() == Stream.VALUE)
        .mapToLong(ExtentUsage::liveRecords)
        .sum();
  }

  @RuleTest(
      rule = 7,
      twins = {
        @Twin(
            name = "nobody says that a leaf with values leaves memory",
            in = "io.bg3.core.tree.LeafEviction",
            method = "tellEvicted",
            without = "PageLoader.evicted"),
        @Twin(
            name = "the values of a leaf that is named after it was evicted stay for ever",
            in = "io.bg3.core.recovery.Checkpointer",
            method = "take",
            without = "ValueReferences.named")
      })
  void theReferencesOfLeavesThatAreInStorageTakeNoMemory() throws Exception {
    try (CheckpointedStore store = open(new CrashingDisk())) {
      int count = 100;
      store.fill(count, 10, new byte[100]);
      store.checkpoint();
      store.evict();
      assertEquals(0, store.opened().values().pages(), "named when they were evicted");
      for (int round = 0; round < 3; round++) {
        for (int i = 0; i < count; i++) {
          assertArrayEquals(new byte[100], store.get(key(i)));
        }
        assertTrue(store.opened().values().pages() > 3);
        store.put(key(55), new byte[100]);
        store.flush(ALL);
        store.evict();
        store.checkpoint();
        store.evict();
      }
      for (int i = 0; i < 8; i++) { // until the leaf is consolidated
        store.put(key(55), NEW);
      }
      store.checkpoint();
      store.evict();
      int pages = store.opened().values().pages();
      assertTrue(pages <= 1, "named later, but for what a delta has overwritten: " + pages);
      assertEquals(count - 1, liveValues(store));
      assertArrayEquals(new byte[100], store.get(key(54)));
      assertEquals(List.of(), store.check());
    }
  }

  /** The flush of the other half says that this one has lost it. */
  @RuleTest(
      rule = 7,
      twins =
          @Twin(
              name = "the values of a leaf that no manifest names are forgotten when it is evicted",
              in = "io.bg3.core.recovery.ValueReferences",
              method = "evicted",
              without = "Set.contains"))
  void aValueThatMovedWithASplitIsWantedThoughItsLeafIsEvicted() throws Exception {
    try (CheckpointedStore store = open(new CrashingDisk())) {
      store.put(key(90), LARGE);
      store.checkpoint();
      store.fill(90, 10, new byte[40]);
      store.flush(ALL);
      assertTrue(store.evict() > 0);
      store.checkpoint();
      assertEquals(1, liveValues(store));
      assertArrayEquals(LARGE, store.get(key(90)));
    }
  }
}
