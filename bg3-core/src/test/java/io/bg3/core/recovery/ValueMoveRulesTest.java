package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.transaction.ByteCursor;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.extent.ExtentUsage;
import io.bg3.storage.extent.NoSuchExtentException;
import io.bg3.storage.extent.Stream;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.file.PowerCut;
import io.bg3.storage.format.UnreadableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

/** Moving large values out of extents that are live in part (R26). */
class ValueMoveRulesTest {
  private static final int KEYS = 400;

  private static ReclaimedStore fragmented(CrashingDisk disk) throws IOException {
    return ReclaimedStore.fragmented(disk, KEYS, ReclaimedStore.LARGE);
  }

  private static long moved(ReclaimedStore store) {
    return store.store.opened().extents().movedBytes(Stream.VALUE);
  }

  /** The content of the store after a power cut. */
  private static void checkAfterCut(CrashingDisk rest, ReclaimedStore before) throws IOException {
    ReclaimedStore after;
    try {
      after = before.reopened(rest);
    } catch (UnreadableException e) {
      throw new AssertionError("the store does not open", e);
    }
    try {
      after.check(KEYS, "after the cut");
    } finally {
      after.store.abandon();
    }
  }

  // ---- What becomes of the extents.

  @RuleTest(
      rule = 26,
      twins = {
        @Twin(
            name = "a copy of a value is given up though a leaf refers to it",
            in = "io.bg3.core.recovery.ValueMover",
            method = "settle",
            without = "MovedValue.isMoved"),
        @Twin(
            name = "a value that is not moved counts as moved",
            in = "io.bg3.core.tree.ValueRelocation",
            method = "relocate(JLjava/util/List;Z)V",
            without = "Tree.replace")
      })
  void extentsOfValuesGoWithTheNextManifest() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    ReclaimedStore reclaimed = fragmented(disk);
    List<Integer> old = reclaimed.values().stream().map(ExtentUsage::extent).toList();
    long before = SpaceUsage.of(reclaimed.values()).written();
    reclaimed.reclaimRound();
    assertTrue(moved(reclaimed) > 0, "nothing was moved");
    reclaimed.check(KEYS, "before the manifest");
    assertTrue(reclaimed.values().stream().map(ExtentUsage::extent).toList().containsAll(old));
    reclaimed.settle();
    SpaceUsage after = SpaceUsage.of(reclaimed.values());
    assertTrue(after.written() < before, before + " bytes, then " + after);
    assertTrue(after.written() <= 1.1 * after.live() + 4 * ReclaimedStore.EXTENT, after.toString());
    assertEquals(KEYS, reclaimed.liveValues());
    reclaimed.store.evict();
    reclaimed.check(KEYS, "loaded, with copies");
    reclaimed.store.abandon();
    checkAfterCut(disk.crash(new Random(1)), reclaimed);
  }

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
      rule = 26,
      sites =
          @Site(
              name = "before the manifest",
              in = "io.bg3.core.recovery.Checkpointer",
              method = "take",
              before = "ManifestFile.replace"),
      twins =
          @Twin(
              name = "an extent of values is deleted before the manifest that names the new images",
              in = "io.bg3.core.recovery.Checkpointer",
              method = "take",
              without = "Checkpoint.encode",
              instead = "deleteAndEncode"))
  void aCrashBeforeTheManifestFindsTheOldValues() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    ReclaimedStore reclaimed = fragmented(disk);
    reclaimed.reclaimRound();
    extents = reclaimed.store.opened().extents();
    CrashingDisk[] rest = new CrashingDisk[1];
    Sites.at("before the manifest", () -> rest[0] = disk.kill());
    try {
      reclaimed.store.checkpoint();
    } catch (PowerCut | IllegalArgumentException e) {
      // the twin has deleted them already
    }
    Sites.requirePassed("before the manifest");
    reclaimed.store.abandon();
    checkAfterCut(rest[0], reclaimed);
  }

  /** A copy whose leaf is overwritten before any image holds it. */
  @RuleTest(
      rule = 26,
      twins =
          @Twin(
              name = "a copy that no image has referred to is never given up",
              in = "io.bg3.core.recovery.ValueMover",
              method = "settle",
              without = "ValueReferences.written"))
  void aCopyThatIsOverwrittenTakesNoSpace() throws Exception {
    ReclaimedStore reclaimed = fragmented(new CrashingDisk());
    reclaimed.reclaimRound();
    reclaimed.put(0, KEYS, 7, k -> true);
    reclaimed.store.checkpoint();
    assertEquals(KEYS, reclaimed.liveValues());
    reclaimed.check(KEYS, "overwritten");
    reclaimed.store.abandon();
  }

  // ---- What others do meanwhile.

  /** Between the copying and the latch others overwrite, remove, split and evict. */
  @RuleTest(
      rule = 26,
      sites = {
        @Site(
            name = "looked",
            in = "io.bg3.core.recovery.ValueMover",
            method = "moveOfLeaf",
            after = "ValueRelocation.look"),
        @Site(
            name = "copied",
            in = "io.bg3.core.recovery.ValueMover",
            method = "moveOfLeaf",
            before = "ValueRelocation.apply")
      },
      twins = {
        @Twin(
            name = "a value moves over a newer one",
            in = "io.bg3.core.tree.ValueRelocation",
            method = "find",
            without = "ValueRelocation.refersTo",
            result = 1),
        @Twin(
            name = "a copy that no entry refers to is kept",
            in = "io.bg3.core.recovery.ValueMover",
            method = "settle",
            without = "ExtentStore.release")
      })
  void aValueThatIsReplacedMeanwhileStays() throws Exception {
    Consumer<ReclaimedStore> evicts = store -> store.store.evict();
    for (String site : List.of("looked", "copied")) {
      replacedMeanwhile(site, ValueMoveRulesTest::writes);
      replacedMeanwhile(site, evicts);
    }
  }

  private static void writes(ReclaimedStore reclaimed) {
    reclaimed.put(0, KEYS, 5, k -> k % 3 == 0);
    reclaimed.delete(0, KEYS, k -> k % 7 == 1);
    reclaimed.put(KEYS, 2 * KEYS, 5, k -> k % 2 == 0); // splits
  }

  private static void replacedMeanwhile(String site, Consumer<ReclaimedStore> others)
      throws IOException {
    CrashingDisk disk = new CrashingDisk();
    ReclaimedStore reclaimed = fragmented(disk);
    Sites.at(site, () -> others.accept(reclaimed));
    reclaimed.reclaimRound();
    Sites.requirePassed(site);
    reclaimed.check(2 * KEYS, site);
    reclaimed.store.checkpoint();
    assertEquals(reclaimed.model.size(), reclaimed.liveValues(), site);
    reclaimed.reclaimRound();
    reclaimed.settle();
    reclaimed.store.evict();
    reclaimed.check(2 * KEYS, site);
    assertEquals(reclaimed.model.size(), reclaimed.liveValues(), site);
    reclaimed.store.abandon();
    checkAfterCut(disk.crash(new Random(2)), reclaimed);
  }

  /** The reader has the location, and not the value, when the value moves and its extent goes. */
  @RuleTest(
      rule = 26,
      sites =
          @Site(
              name = "location",
              in = "io.bg3.core.keyspace.Trees",
              method = "value",
              before = "ValueStore.read"),
      twins =
          @Twin(
              name = "a value that has moved is taken for damaged",
              in = "io.bg3.core.keyspace.Trees",
              method = "value",
              without = "Arrays.equals",
              result = 1))
  void aValueIsReadThoughItMovesMeanwhile() throws Exception {
    for (int key = 1; key < 60; key += 9) {
      ReclaimedStore reclaimed = fragmented(new CrashingDisk());
      Sites.at(
          "location",
          () -> {
            try {
              reclaimed.settle();
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
      try {
        reclaimed.read(key);
      } catch (NoSuchExtentException e) {
        throw new AssertionError("taken for damaged", e);
      }
      Sites.requirePassed("location");
      reclaimed.store.abandon();
    }
  }

  /** As above, and the reader has the location from a scan. */
  @RuleTest(
      rule = 26,
      sites =
          @Site(
              name = "copied",
              in = "io.bg3.core.transaction.PointReads",
              method = "copied",
              before = "Trees.readTogether"),
      twins =
          @Twin(
              name = "a value of a scan that has moved is not looked for again",
              in = "io.bg3.core.transaction.PointReads",
              method = "copied",
              without = "PointReads.applied"))
  void aValueOfAScanIsReadThoughItMovesMeanwhile() throws Exception {
    ReclaimedStore reclaimed = fragmented(new CrashingDisk());
    reclaimed.store.evict();
    Sites.at(
        "copied",
        () -> {
          try {
            reclaimed.settle();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    try (Transaction reader = reclaimed.store.transactions().begin(Isolation.STRICT, true);
        ByteCursor cursor = reader.scan(TreeIds.VERTICES, null, null, ScanOrder.FORWARD)) {
      while (cursor.next()) {
        assertArrayEquals(get(reader, cursor.key()), cursor.value());
      }
    } catch (NoSuchExtentException | NullPointerException e) {
      throw new AssertionError("taken for lost", e);
    }
    Sites.requirePassed("copied");
    reclaimed.store.abandon();
  }

  private static byte[] get(Transaction transaction, byte[] key) {
    return transaction.get(TreeIds.VERTICES, key);
  }

  // ---- Versions.

  private static byte[] get(Transaction transaction, int key) {
    return transaction.get(TreeIds.VERTICES, ReclaimedStore.key(key));
  }

  private static void put(ReclaimedStore store, int key, int length, int content) {
    byte[] value = new byte[length];
    value[0] = (byte) content;
    try (Transaction transaction = store.store.transactions().begin(Isolation.STRICT, false)) {
      transaction.put(TreeIds.VERTICES, ReclaimedStore.key(key), value);
      transaction.commit();
    }
  }

  /** A snapshot is open when the leaves are flushed, and not any more when their values move. */
  @RuleTest(
      rule = 26,
      twins =
          @Twin(
              name = "a leaf counts a value for ever that a snapshot has read",
              in = "io.bg3.core.recovery.ValueMover",
              method = "isCountedInVain",
              without = "LargeValueLocations.has"))
  void aValueThatASnapshotHasReadGoesWithItsExtent() throws Exception {
    ReclaimedStore reclaimed = fragmented(new CrashingDisk());
    try (Transaction snapshot = reclaimed.store.transactions().begin(Isolation.STRICT, true)) {
      reclaimed.put(0, KEYS, 3, k -> true);
      reclaimed.store.checkpoint();
      assertTrue(snapshot.get(TreeIds.VERTICES, ReclaimedStore.key(1)) != null);
    }
    long leaked = reclaimed.liveValues() - KEYS;
    assertTrue(leaked > KEYS / 2, "of the snapshot: " + leaked);
    reclaimed.reclaimRound();
    reclaimed.store.checkpoint();
    assertTrue(reclaimed.liveValues() - KEYS < leaked * 3 / 4, "left: " + reclaimed.liveValues());
    reclaimed.check(KEYS, "after the snapshot");
    reclaimed.store.abandon();
  }

  /**
   * A large version that only a snapshot reads moves, while the stored base holds the newer one and
   * the page's next image is a delta.
   */
  @RuleTest(
      rule = 26,
      twins =
          @Twin(
              name = "a version moves without the newer versions of its key",
              in = "io.bg3.core.tree.ValueRelocation",
              method = "relocate(Lio/bg3/core/entry/Entries;Lio/bg3/core/tree/MovedValue;)Z",
              without = "ValueRelocation.mark"))
  void aVersionThatASnapshotReadsMovesBelowTheNewerOne() throws Exception {
    ReclaimedStore reclaimed = ReclaimedStore.open(new CrashingDisk(), 1.1, Map.of());
    int step = 10; // of so many keys one has a large value: about one a leaf
    for (int key = 0; key < KEYS; key++) {
      put(reclaimed, key, key % step == 0 ? ReclaimedStore.LARGE * 2 : 20, 1);
    }
    reclaimed.store.checkpoint();
    for (int key = 0; key < KEYS; key += 2 * step) {
      put(reclaimed, key, ReclaimedStore.LARGE * 2, 2);
    }
    reclaimed.store.checkpoint();
    try (Transaction snapshot = reclaimed.store.transactions().begin(Isolation.STRICT, true)) {
      for (int key = 0; key < KEYS; key++) { // so that the leaf's image is a base
        put(reclaimed, key, key % step == 0 ? ReclaimedStore.LARGE * 2 : 21, 3);
      }
      reclaimed.store.flush(Integer.MAX_VALUE);
      long before = moved(reclaimed);
      reclaimed.reclaimRound();
      assertTrue(moved(reclaimed) > before, "no value was moved");
      for (int round = 0; round < 2; round++) {
        for (int key = 0; key < KEYS; key += step) {
          int old = key % (2 * step) == 0 ? 2 : 1;
          assertEquals(old, get(snapshot, key)[0], "of the snapshot, key " + key);
          try (Transaction now = reclaimed.store.transactions().begin(Isolation.STRICT, true)) {
            byte[] value = new byte[ReclaimedStore.LARGE * 2];
            value[0] = 3;
            assertArrayEquals(value, get(now, key), "newest, key " + key);
          }
        }
        reclaimed.store.checkpoint();
        reclaimed.store.evict();
      }
    }
    assertEquals(List.of(), reclaimed.store.check());
    reclaimed.store.abandon();
  }
}
