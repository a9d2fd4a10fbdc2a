package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.commit.Durability;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.tree.TreeShape;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Twin;
import io.bg3.storage.extent.ExtentUsage;
import io.bg3.storage.extent.Location;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.file.PowerCut;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.format.UnreadableException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Manifests that name flushed pages, with the trees and the log of the last checkpoint (R52). */
class RowManifestRulesTest {
  private static final int KEYS = 1_200;
  private static final int CUTS = 6;
  private static final int ALL = Integer.MAX_VALUE;

  private static final String MANIFESTS = "io.bg3.core.recovery.RowManifests";
  private static final String MOVE = "io.bg3.core.tree.OwnerMove";

  private static void checkAfterCuts(CrashingDisk disk, ReclaimedStore before, int keys)
      throws IOException {
    for (int seed = 0; seed < CUTS; seed++) {
      String at = "behind a power cut, seed " + seed;
      try {
        ReclaimedStore reopened = before.reopened(disk.crash(new Random(seed)));
        reopened.check(keys, at);
        reopened.store.checkpoint();
        reopened.store.evict();
        reopened.check(keys, at + ", and a checkpoint");
        reopened.store.abandon();
      } catch (UnreadableException e) {
        throw new AssertionError("lost " + at, e);
      }
    }
  }

  private static void nameRows(CheckpointedStore store) throws IOException {
    long before = store.checkpointer().rowManifests();
    store.nameRows();
    assertEquals(before + 1, store.checkpointer().rowManifests(), "manifests of rows");
  }

  @RuleTest(
      rule = 52,
      twins = {
        @Twin(
            name = "a manifest names flushed images that are not on the disk",
            in = MANIFESTS,
            method = "write",
            without = "ExtentStore.sync"),
        @Twin(
            name = "rows stay unnamed that a manifest of rows names",
            in = MANIFESTS,
            method = "named",
            without = "NamedRows.retainReshaped")
      })
  void oldImagesGoWithAManifestThatWritesNoPage() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    ReclaimedStore store = ReclaimedStore.open(disk, 1.5, Map.of());
    store.put(0, KEYS, 1, k -> true);
    store.store.checkpoint();
    store.put(0, KEYS, 2, k -> true);
    store.store.flush(ALL);
    store.put(0, KEYS, 3, k -> k % 5 == 1); // of which no page is written
    long log = store.store.checkpointer().logPosition();
    long checkpoints = store.store.checkpointer().count();
    long before = store.live();
    assertTrue(store.store.named().keptOfOthers() > 0, "images of the last manifest alone");
    nameRows(store.store);
    assertTrue(store.live() < before, before + " bytes, then " + store.live());
    assertEquals(checkpoints, store.store.checkpointer().count());
    assertEquals(log, store.store.checkpointer().logPosition());
    assertEquals(0, store.store.named().keptOfOthers());
    store.check(KEYS, "behind the manifest");
    store.store.abandon();
    checkAfterCuts(disk, store, KEYS);
  }

  /** A leaf that has been split and flushed lacks what its right half has, which is in no image. */
  @RuleTest(
      rule = 52,
      twins = {
        @Twin(
            name = "a manifest of rows names a leaf that was split, without its right half",
            in = "io.bg3.core.tree.UnpublishedPages",
            method = "publish",
            without = "PageTable.markReshaped"),
        @Twin(
            name = "a flush does not say that a leaf has another range",
            in = "io.bg3.core.recovery.FlushResult",
            method = "reshaped",
            without = "NamedRows.reshapes")
      })
  void aLeafThatWasSplitIsNamedAsItWas() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    ReclaimedStore store = ReclaimedStore.open(disk, 1.5, Map.of());
    store.put(0, KEYS, 1, k -> k % 2 == 0);
    store.store.checkpoint();
    store.put(0, KEYS / 2, 2, k -> k % 2 == 0);
    store.put(KEYS / 2, KEYS, 2, k -> true); // splits
    store.store.flush(100);
    nameRows(store.store);
    NamedRows left = store.store.named();
    assertTrue( // opening a store that names such a leaf without the other would not end
        Arrays.stream(left.pages()).anyMatch(page -> left.named(page).base() != Location.NONE),
        "leaves that were split");
    store.check(KEYS, "behind the manifest");
    store.store.evict();
    store.check(KEYS, "loaded");
    store.store.abandon();
    checkAfterCuts(disk, store, KEYS);
  }

  /** Of what is not named nothing counts as live at the next opening. */
  @RuleTest(
      rule = 52,
      twins = {
        @Twin(
            name = "a manifest of rows counts images as live that it does not name",
            in = "io.bg3.core.recovery.NextManifest",
            method = "unnamedImages",
            without = "Images.add"),
        @Twin(
            name = "a manifest of rows counts the values of images that it does not name",
            in = "io.bg3.core.recovery.ValueReferences",
            method = "replace",
            without = "Map.putIfAbsent")
      })
  void whatAManifestOfRowsDoesNotNameIsNotLive() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    CheckpointedStore store = new Small(Durability.SYNC).open(disk);
    putMixed(store, 0, 500);
    putMixed(store, 500, 1_000);
    store.checkpoint();
    for (int i = 0; i < 2; i++) {
      putMixed(store, 0, 500);
      putMixed(store, 501, 1_001); // splits
      store.flush(ALL);
    }
    nameRows(store);
    assertTrue(store.named().reshapedCount() > 0, "a leaf that was split");
    store.abandon();
    for (int seed = 0; seed < CUTS; seed++) {
      CheckpointedStore reopened = new Small(Durability.SYNC).open(disk.crash(new Random(seed)));
      reopened.checkpoint();
      reopened.checkpoint(); // which gives up what the replay appended again
      assertNull(RowRulesTest.wrongUsage(reopened), "seed " + seed);
      assertEquals(List.of(), reopened.check());
      long values =
          ReclaimChoice.values(reopened.opened().extents().usage()).stream()
              .mapToLong(ExtentUsage::liveRecords)
              .sum();
      assertEquals(10 + 10 + 10, values, "large values");
      reopened.abandon();
    }
  }

  /** Writes each second key of a range; of 50 keys one has a large value. */
  private static void putMixed(CheckpointedStore store, int from, int to) {
    for (int first = from; first < to; first += 50) {
      int start = first;
      store.commit(
          transaction -> {
            for (int key = start; key < start + 50; key += 2) {
              byte[] value = new byte[key == start ? 100 : 40];
              transaction.put(TreeIds.VERTICES, CheckpointedStore.key(key), value);
            }
          });
    }
  }

  @RuleTest(
      rule = 52,
      twins = {
        @Twin(
            name = "a manifest of rows does not wait for the log",
            in = MANIFESTS,
            method = "write",
            without = "CheckpointSource.syncLog"),
        @Twin(
            name = "a manifest of rows does not know that pages were flushed",
            in = "io.bg3.core.recovery.Checkpointer",
            method = "flush",
            without = "RowManifests.changesRows")
      })
  void aManifestOfRowsHoldsNoHalfOfACommitWhoseRecordIsLost() throws Exception {
    for (int seed = 0; seed < CUTS; seed++) {
      CrashingDisk disk = new CrashingDisk();
      CheckpointedStore store = new Small(Durability.NONE).open(disk);
      store.fill(400, 20, new byte[40]);
      store.checkpoint();
      store.nameRows();
      for (int i = 0; i < 20; i++) { // nothing of this is durable
        int first = i;
        store.commit(
            transaction -> {
              for (int key = first; key < 400; key += 20) {
                transaction.put(TreeIds.VERTICES, CheckpointedStore.key(key), new byte[39]);
              }
            });
      }
      store.flush(20);
      nameRows(store);
      CrashingDisk rest = disk.crash(new Random(seed)); // before the log is closed
      store.abandon();
      CheckpointedStore reopened = new Small(Durability.NONE).open(rest);
      for (int key = 0; key < 20; key++) {
        int length = reopened.get(CheckpointedStore.key(key)).length;
        for (int other = key; other < 400; other += 20) {
          assertEquals(length, reopened.get(CheckpointedStore.key(other)).length, "key " + other);
        }
      }
      reopened.abandon();
    }
  }

  /** A store with small extents that keeps its space to a bound. */
  private static final class Small extends CheckpointedStore.Steps {
    private final Durability durability;

    Small(Durability durability) {
      this.durability = durability;
    }

    CheckpointedStore open(CrashingDisk disk) throws IOException {
      return new CheckpointedStore(disk, durability, this, CheckpointedStore.Replay.FLUSHING);
    }

    @Override
    ReclaimSettings reclaim() {
      return new ReclaimSettings(ReclaimPolicy.COST_BENEFIT, ReclaimSettings.LEAST);
    }

    @Override
    int extentSize() {
      return 1 << 11;
    }
  }

  // ---- Vertices that move.

  private static final int OWNERS = 20;
  private static final int EDGES = 40;

  private static void putEdges(CheckpointedStore store, EdgeModel model, long owner, int value) {
    store.commit(
        transaction -> {
          for (int other = 0; other < EDGES; other++) {
            model.put(transaction, owner, other, new byte[] {(byte) value, (byte) other});
          }
        });
  }

  private static void compare(CheckpointedStore store, EdgeModel model, String at) {
    try (Transaction all = store.transactions().begin(Isolation.STRICT, true)) {
      model.compare(all, at);
    } catch (UnreadableException e) {
      throw new AssertionError("lost " + at, e);
    }
    assertEquals(List.of(), store.check(), at);
  }

  private static CheckpointedStore reopened(CrashingDisk disk, String at) throws IOException {
    try {
      return new Small(Durability.SYNC).open(disk);
    } catch (CorruptionException e) {
      throw new AssertionError("lost " + at, e);
    }
  }

  private static void compareAfterCuts(CrashingDisk disk, EdgeModel model, long owner, int entries)
      throws IOException {
    for (int seed = 0; seed < CUTS; seed++) {
      String at = "behind a power cut, seed " + seed;
      CheckpointedStore reopened = reopened(disk.crash(new Random(seed)), at);
      compare(reopened, model, at);
      if (reopened.opened().forest().isDedicated(owner)) {
        EdgeModel copy = model.copy();
        reopened.commit(transaction -> copy.removeAll(transaction, owner));
        reopened.moveOut(owner, entries); // takes the tree away
        compare(reopened, copy, at + ", without the tree");
      }
      assertNull(RowRulesTest.wrongUsage(reopened), at);
      reopened.abandon();
    }
  }

  @RuleTest(
      rule = 52,
      twins = {
        @Twin(
            name = "a manifest of rows names a leaf from which a vertex was erased",
            in = MOVE,
            method = "erase(I[B)[B",
            without = "PageTable.markReshaped"),
        @Twin(
            name = "a manifest of rows names the directory of later trees",
            in = "io.bg3.core.forest.Forest",
            method = "<init>",
            without = "TreeShape.ofUnloggedTree",
            instead = "ofLoggedTree")
      })
  void aVertexThatMovesStaysInOneTree() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    CheckpointedStore store = new Small(Durability.SYNC).open(disk);
    EdgeModel model = new EdgeModel();
    for (long owner = 0; owner < OWNERS; owner++) {
      putEdges(store, model, owner, 1);
    }
    assertTrue(store.moveOut(1, 8)); // so that the directory has a leaf
    store.checkpoint();
    for (long owner = 0; owner < OWNERS; owner += 3) {
      assertTrue(store.moveOut(owner, 8), "vertex " + owner);
    }
    for (long owner = 1; owner < OWNERS; owner += 3) {
      putEdges(store, model, owner, 2);
    }
    store.flush(ALL);
    nameRows(store);
    compare(store, model, "behind the manifest");
    store.abandon();
    compareAfterCuts(disk, model, 0, 8);
  }

  static TreeShape ofLoggedTree() {
    return new TreeShape();
  }

  @RuleTest(
      rule = 52,
      twins =
          @Twin(
              name = "a manifest of rows names entries that its directory has elsewhere",
              in = MOVE,
              method = "raiseCut(I[BJ)[B",
              without = "PageTable.markReshaped"))
  void aVertexWhoseTreeHasGoneIsInTheTreeThatTheDirectoryNames() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    CheckpointedStore store = new Small(Durability.SYNC).open(disk);
    EdgeModel model = new EdgeModel();
    for (long owner = 0; owner < OWNERS; owner++) {
      putEdges(store, model, owner, 1);
    }
    long owner = 5;
    assertTrue(store.moveOut(owner, 8));
    store.checkpoint(); // and removes leaves that are empty now
    store.checkpoint();
    store.commit(transaction -> model.removeAll(transaction, owner));
    assertTrue(store.moveOut(owner, 10 * EDGES), "the tree goes");
    store.commit(transaction -> model.put(transaction, owner, 3, new byte[] {9}));
    for (long other = 2 * owner; other < OWNERS; other++) { // in other leaves
      putEdges(store, model, other, 2);
    }
    store.flush(ALL);
    nameRows(store);
    compare(store, model, "behind the manifest");
    store.abandon();
    compareAfterCuts(disk, model, owner, 10 * EDGES);
  }

  // ---- In a checkpoint.

  /** Splits, merges and overwrites, and a checkpoint whose manifests are cut at any write. */
  @Test
  void aCheckpointThatIsCutAtAnyWriteLosesNothing() throws Exception {
    int keys = 400;
    long writes = 0;
    for (long cut = 1; cut == 1 || cut <= writes; cut += 7) {
      CrashingDisk disk = new CrashingDisk();
      ReclaimedStore store = ReclaimedStore.open(disk, 1.1, Map.of());
      store.keepSpaceInCheckpoints();
      store.put(0, keys, 1, k -> k % 2 == 0);
      store.store.checkpoint();
      store.put(0, keys, 2, k -> k % 2 == 0);
      store.put(keys / 2, keys * 2 / 3, 2, k -> true);
      store.delete(0, keys / 8, k -> true);
      long before = disk.writes();
      if (cut > 1) {
        disk.cutAtWrite(cut);
      }
      try {
        store.store.checkpoint();
        writes = disk.writes() - before;
        assertTrue(store.store.checkpointer().rowManifests() > 2, "manifests of rows");
        assertTrue(store.store.checkpointer().shapeManifests() > 0, "manifests of new trees");
      } catch (PowerCut | RuntimeException e) {
        assertTrue(disk.isCut(), () -> "" + e);
      } finally {
        store.store.abandon();
      }
      try {
        ReclaimedStore reopened = store.reopened(disk.crash(new Random(cut)));
        reopened.check(keys, "cut at write " + cut);
        reopened.store.abandon();
      } catch (UnreadableException e) {
        throw new AssertionError("lost, cut at write " + cut, e);
      }
    }
  }
}
