package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.rules.RuleTest;
import io.bg3.rules.Twin;
import io.bg3.storage.extent.ExtentUsage;
import io.bg3.storage.extent.Stream;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.format.UnreadableException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Manifests that name copies of images and nothing else (R48). */
class NamedMovesRulesTest {
  private static final int KEYS = 1_200;
  private static final int CUTS = 6;

  private static void checkAfterCuts(CrashingDisk disk, ReclaimedStore before, int keys)
      throws IOException {
    for (int seed = 0; seed < CUTS; seed++) {
      try {
        ReclaimedStore reopened = before.reopened(disk.crash(new Random(seed)));
        reopened.check(keys, "behind a power cut, seed " + seed);
        reopened.store.abandon();
      } catch (UnreadableException e) {
        throw new AssertionError("lost behind a power cut, seed " + seed, e);
      }
    }
  }

  @RuleTest(
      rule = 48,
      twins = {
        @Twin(
            name = "a manifest names copies that are not on the disk",
            in = "io.bg3.core.recovery.RowManifests",
            method = "write",
            without = "ExtentStore.sync"),
        @Twin(
            name = "images are kept when a manifest names their copies",
            in = "io.bg3.core.recovery.RowManifests",
            method = "write",
            without = "NextManifest.supersededImages",
            instead = "none")
      })
  void emptiedExtentsGoWithAManifestThatWritesNoPage() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    ReclaimedStore store = ReclaimedStore.fragmented(disk, KEYS);
    store.put(0, KEYS, 3, k -> k % 5 == 1); // of which no page is written
    long checkpoints = store.store.checkpointer().count();
    long log = store.store.checkpointer().logPosition();
    long fresh = appended(store);
    long before = store.written();
    store.reclaimRound();
    assertTrue(store.store.nameRows(), "a manifest of moves is due");
    assertTrue(store.written() < before, before + " bytes, then " + store.written());
    assertEquals(checkpoints, store.store.checkpointer().count());
    assertEquals(log, store.store.checkpointer().logPosition());
    assertEquals(fresh, appended(store), "bytes of images that are new");
    assertTrue(store.usage().stream().anyMatch(ExtentUsage::moved), "extents of copies");
    assertEquals(0, store.store.named().count());
    store.check(KEYS, "behind the manifest");
    store.store.abandon();
    checkAfterCuts(disk, store, KEYS);
  }

  /** In place of the images that a manifest gives up. */
  static List<Long> none(NextManifest manifest) {
    return new ArrayList<>();
  }

  private static long appended(ReclaimedStore store) {
    return store.store.opened().extents().appendedBytes(Stream.BASE)
        + store.store.opened().extents().appendedBytes(Stream.DELTA);
  }

  @RuleTest(
      rule = 48,
      twins =
          @Twin(
              name = "a look at extents of which none has expired counts as a change of rows",
              in = "io.bg3.core.recovery.SpaceReclaim",
              method = "slice",
              without = "ExtentExpiry.isActive",
              result = 1))
  void aFamilyOfWhichNothingExpiresDoesNotKeepEmptiedExtents() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    ReclaimedStore store = ReclaimedStore.fragmented(disk, KEYS);
    store.store.opened().forest().openFamily(1);
    long before = store.written();
    store.reclaimRound();
    assertTrue(store.store.nameRows(), "a manifest of moves is due");
    assertTrue(store.written() < before, before + " bytes, then " + store.written());
    store.check(KEYS, "behind the manifest");
    store.store.abandon();
    checkAfterCuts(disk, store, KEYS);
  }
}
