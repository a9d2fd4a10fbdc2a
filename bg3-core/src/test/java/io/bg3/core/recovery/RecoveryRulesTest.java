package io.bg3.core.recovery;

import static io.bg3.core.recovery.CheckpointedStore.key;
import static io.bg3.core.recovery.CheckpointedStore.open;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.commit.Durability;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.table.PageTable;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.tree.PendingMaintenance;
import io.bg3.core.tree.Tree;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.file.CrashingDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Checkpoints and openings, with the power cut at the moment that matters. The part of unsynced
 * data that a cut leaves is drawn, so a cut is tried with several seeds.
 */
class RecoveryRulesTest {
  private static final int SEEDS = 12;
  private static final byte[] KEY = {1};
  private static final byte[] OTHER = {2};
  private static final byte[] LARGE = new byte[20_000];

  /** Takes a checkpoint that the power may be cut in. */
  private static void tryCheckpoint(CheckpointedStore store) {
    try {
      store.checkpoint();
    } catch (IOException | RuntimeException | Error e) {
      // the disk is gone, or a twin has noticed
    }
  }

  // ---- Log and images (R1, R2).

  @RuleTest(
      rule = 1,
      sites =
          @Site(
              name = "noted one tree",
              in = "io.bg3.core.forest.Forest",
              method = "note",
              after = "TreeShape.note"),
      twins =
          @Twin(
              name = "the manifest is replaced before the log is durable",
              in = "io.bg3.core.recovery.Checkpointer",
              method = "take",
              without = "CheckpointSource.syncLog"))
  void anImageHoldsNoHalfOfACommitWhoseRecordIsLost() throws Exception {
    for (int seed = 0; seed < SEEDS; seed++) {
      CrashingDisk disk = new CrashingDisk();
      CheckpointedStore store = open(disk, Durability.NONE);
      int[] keys = new int[1];
      Sites.always( // a commit between the notes of any two trees
          "noted one tree",
          () -> {
            byte[] key = key(keys[0]++);
            store.commit(
                both -> {
                  both.put(TreeIds.VERTICES, key, KEY);
                  both.put(TreeIds.EXTERNAL_IDS, key, KEY);
                });
          });
      store.checkpoint();
      Sites.requirePassed("noted one tree");
      Sites.never("noted one tree");
      CrashingDisk rest = disk.crash(new Random(seed));
      store.abandon();
      try (CheckpointedStore reopened = open(rest, Durability.NONE)) {
        for (int i = 0; i < keys[0]; i++) {
          byte[] one = reopened.get(key(i));
          byte[] two = reopened.get(TreeIds.EXTERNAL_IDS, key(i));
          assertEquals(one == null, two == null, "half of a commit");
        }
      }
    }
  }

  static void applyUnlessPageIsNewer(
      Tree tree, Entries batch, int from, int to, PendingMaintenance due) {
    if (!tree.changedAfter(null, null, batch.stamp(from))) {
      tree.apply(batch, from, to, due);
    }
  }

  @RuleTest(
      rule = 2,
      sites =
          @Site(
              name = "stamped",
              in = "io.bg3.core.commit.CommitPipeline",
              method = "issueAndApply",
              before = "TreeBatches.apply"),
      twins =
          @Twin(
              name = "replay skips what is older than the newest timestamp of its page",
              in = "io.bg3.core.tree.BatchReplay",
              method = "addPage",
              without = "Tree.apply",
              instead = "applyUnlessPageIsNewer"))
  void aCommitThatAnImageLacksIsReplayedThoughTheImageHoldsANewerOne() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    CheckpointedStore store = open(disk);
    CrashingDisk[] rest = new CrashingDisk[1];
    Sites.Other others =
        Sites.meanwhile(
            "stamped",
            () -> {
              Sites.Other.start(() -> store.put(OTHER, OTHER)); // not visible
              store.checkpoint();
              rest[0] = disk.crash(new Random(1));
            });
    try {
      store.put(KEY, KEY);
    } catch (RuntimeException | Error e) {
      // the power was cut while it waited
    }
    Sites.requirePassed("stamped");
    others.join();
    store.abandon();
    try (CheckpointedStore reopened = open(rest[0])) {
      assertArrayEquals(OTHER, reopened.get(OTHER));
      assertArrayEquals(KEY, reopened.get(KEY));
    }
  }

  // ---- What a checkpoint writes before what (R20).

  private static ExtentStore extents;

  static ByteBuffer deleteAndEncode(Checkpoint checkpoint) throws IOException {
    if (extents != null) {
      for (int dead : List.copyOf(extents.dead())) {
        extents.delete(dead);
      }
    }
    return checkpoint.encode();
  }

  @RuleTest(
      rule = 20,
      sites =
          @Site(
              name = "before the manifest",
              in = "io.bg3.core.recovery.Checkpointer",
              method = "take",
              before = "ManifestFile.replace"),
      twins =
          @Twin(
              name = "extents are deleted before the manifest that does not name them",
              in = "io.bg3.core.recovery.Checkpointer",
              method = "take",
              without = "Checkpoint.encode",
              instead = "deleteAndEncode"))
  void whatTheOldManifestNamesIsThereUntilTheNewOneIs() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    CheckpointedStore store = open(disk);
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 20; i++) {
        store.put(key(i), LARGE);
      }
      if (round == 0) {
        store.checkpoint();
      }
    }
    extents = store.opened().extents();
    CrashingDisk[] rest = new CrashingDisk[1];
    Sites.at("before the manifest", () -> rest[0] = disk.kill());
    tryCheckpoint(store);
    Sites.requirePassed("before the manifest");
    store.abandon();
    assertNull(problem(rest[0], 20));
  }

  @RuleTest(
      rule = 20,
      sites =
          @Site(
              name = "behind the manifest",
              in = "io.bg3.core.recovery.Checkpointer",
              method = "take",
              after = "ManifestFile.replace"),
      twins = {
        @Twin(
            name = "the manifest is replaced before the rows that it names are synced",
            in = "io.bg3.core.recovery.Checkpointer",
            method = "take",
            without = "ExtentStore.sync",
            nth = 2),
        @Twin(
            name = "the manifest is replaced before anything that it names is synced",
            in = "io.bg3.core.recovery.Checkpointer",
            method = "take",
            without = "ExtentStore.sync")
      })
  void whatAManifestNamesIsOnTheDisk() throws Exception {
    for (int seed = 0; seed < SEEDS; seed++) {
      CrashingDisk disk = new CrashingDisk();
      CheckpointedStore store = open(disk);
      for (int i = 0; i < 5; i++) {
        store.put(key(i), LARGE);
      }
      CrashingDisk[] rest = new CrashingDisk[1];
      Random random = new Random(seed);
      Sites.at("behind the manifest", () -> rest[0] = disk.crash(random));
      tryCheckpoint(store);
      Sites.requirePassed("behind the manifest");
      store.abandon();
      assertNull(problem(rest[0], 5));
    }
  }

  /** Why a store does not hold its large values after it was opened; null if it does. */
  private static String problem(CrashingDisk disk, int count) {
    CheckpointedStore store = null;
    try {
      store = open(disk);
      for (int i = 0; i < count; i++) {
        assertArrayEquals(LARGE, store.get(key(i)), "value " + i);
      }
      List<String> problems = store.check();
      return problems.isEmpty() ? null : problems.toString();
    } catch (IOException | RuntimeException | AssertionError e) {
      return e.toString();
    } finally {
      if (store != null) {
        store.abandon();
      }
    }
  }

  // ---- Large values (R7).

  @RuleTest(
      rule = 7,
      twins = {
        @Twin(
            name = "a value is given up though an image refers to it",
            in = "io.bg3.core.recovery.ValueReferences",
            method = "takeUnreferenced",
            without = "Map.containsKey"),
        @Twin(
            name = "values are not counted when their images are written",
            in = "io.bg3.core.recovery.FlushResult",
            method = "stored",
            without = "ValueReferences.replace")
      })
  void aValueIsThereWhileAnImageRefersToIt() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    CheckpointedStore store = open(disk);
    for (int i = 0; i < 20; i++) {
      store.put(key(i), LARGE);
    }
    tryCheckpoint(store);
    tryCheckpoint(store);
    store.abandon();
    assertNull(problem(disk.kill(), 20));
  }

  @RuleTest(
      rule = 7,
      twins = {
        @Twin(
            name = "a value that was overwritten before any image held it is never given up",
            in = "io.bg3.core.recovery.ValueReferences",
            method = "written"),
        @Twin(
            name = "a commit that is refused does not give its values back",
            in = "io.bg3.core.transaction.Committer",
            method = "releaseLargeValues",
            without = "ValueStore.release")
      })
  void aValueThatNobodyRefersToTakesNoSpace() throws Exception {
    try (CheckpointedStore store = open(new CrashingDisk())) {
      store.checkpoint();
      long before = store.opened().extents().liveBytes();
      for (int i = 0; i < 20; i++) {
        store.put(KEY, LARGE);
        try (Transaction refused = store.transactions().begin(Isolation.STRICT, false)) {
          refused.get(TreeIds.VERTICES, KEY);
          store.put(KEY, KEY);
          refused.put(TreeIds.VERTICES, KEY, LARGE);
          refused.commit();
        } catch (io.bg3.core.transaction.ConflictException e) {
          // as intended
        }
      }
      store.checkpoint();
      store.checkpoint();
      long grown = store.opened().extents().liveBytes() - before;
      assertTrue(grown < 2L * LARGE.length, "bytes that nobody refers to: " + grown);
    }
  }

  // ---- The point of no return (R5).

  @RuleTest(
      rule = 5,
      twins =
          @Twin(
              name = "the leaves of a commit are loaded behind its timestamp",
              in = "io.bg3.core.commit.CommitAdmission",
              method = "isFound",
              without = "TreeBatches.find",
              result = 1))
  void aLeafThatCannotBeReadFailsItsCommitAndNoOther() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    int tagLabel = EdgeKey.tagLabel(EdgeKey.OUT, 1);
    CheckpointedStore first = open(disk);
    first.commit(transaction -> transaction.putEdge(1, tagLabel, 2, 0, KEY));
    first.checkpoint();
    first.abandon();
    CrashingDisk next = disk.kill();
    try (CheckpointedStore store = open(next)) {
      boolean failed = false;
      try {
        store
            .transactions()
            .update(
                new long[] {1},
                transaction -> {
                  transaction.putEdge(1, tagLabel, 3, 0, KEY);
                  next.failAt(1, CrashingDisk.Fault.EIO, true);
                  return null;
                });
      } catch (UncheckedIOException | io.bg3.core.commit.OutcomeUnknownException e) {
        failed = true;
      }
      next.heal();
      assertTrue(failed);
      assertNull(store.transactions().failure(), "the store has stopped");
      store.put(KEY, KEY);
    }
  }

  // ---- Page ids (R23).

  @RuleTest(
      rule = 23,
      sites = {
        @Site(
            name = "on its way",
            in = "io.bg3.core.tree.RoutedReads",
            method = "lookUp",
            after = "Descent.leaf"),
        @Site(
            name = Sites.WAITS,
            in = "io.bg3.storage.memory.Epochs",
            method = "awaitQuiescence",
            before = "Epochs.pause")
      },
      twins =
          @Twin(
              name = "the number of a removed page is free while a reader may know it",
              in = "io.bg3.core.recovery.NextManifest",
              method = "reuseRemoved",
              without = "Epochs.awaitQuiescence"))
  void theNumberOfARemovedPageIsNotUsedAgainWhileAReaderMayKnowIt() throws Exception {
    try (CheckpointedStore store = open(new CrashingDisk())) {
      for (int i = 0; i < 200; i++) {
        store.put(key(i), new byte[20]);
      }
      store.checkpoint();
      PageTable table = store.opened().space().table();
      List<Integer> pages = pages(table);
      for (int i = 20; i < 200; i++) {
        byte[] key = key(i);
        store.commit(transaction -> transaction.delete(TreeIds.VERTICES, key));
      }
      store.checkpoint(); // removes what is empty
      boolean[] free = new boolean[1];
      Sites.Other[] checkpoint = new Sites.Other[1];
      Sites.at(
          "on its way",
          () -> {
            checkpoint[0] = Sites.Other.start(store::checkpoint); // gives back numbers
            free[0] = pages.stream().anyMatch(page -> table.block(page) == 0);
          });
      store.get(KEY);
      Sites.requirePassed("on its way");
      checkpoint[0].join();
      assertTrue(pages.stream().anyMatch(page -> table.block(page) == 0), "none was removed");
      assertFalse(free[0], "one who reads may still come to a page of that number");
    }
  }

  private static List<Integer> pages(PageTable table) {
    List<Integer> pages = new ArrayList<>();
    for (int page = 1; page < table.end(); page++) {
      if (table.block(page) != 0) {
        pages.add(page);
      }
    }
    return pages;
  }
}
