package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.storage.extent.ExtentUsage;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.file.PowerCut;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Cuts the power, and lets operations of the disk fail, while images and large values are copied
 * and the extents go in which they were; cuts the opening behind that once more. Nothing that was
 * committed may be lost, and the accounting of the extents has to agree with the rows.
 *
 * <p>A cut at each write takes long, so each seventh is tried, from a drawn one on; {@code
 * -Dbg3.reclaim.step=1} tries each.
 */
class ReclaimCrashTest {
  private static final int KEYS = 600;
  private static final int STEP = Integer.getInteger("bg3.reclaim.step", 7);

  private final long seed = Seeds.one();
  private final Random random = new Random(seed);

  /**
   * A store in which a round of reclaiming is due, with images that no manifest has named, and one
   * tail that has to be sealed.
   */
  private static ReclaimedStore prepared(CrashingDisk disk, int length) throws IOException {
    ReclaimedStore store = ReclaimedStore.fragmented(disk, KEYS, length);
    store.put(0, KEYS, 3, k -> k % 7 == 0);
    store.store.flush(20);
    return store;
  }

  /** Two rounds with commits between them, so that copies are copied again. */
  private static void work(ReclaimedStore store) throws IOException {
    for (int round = 0; round < 2; round++) {
      if (round > 0) {
        store.keepSpaceInCheckpoints();
      }
      store.reclaimRound();
      store.put(0, KEYS, 4 + round, k -> k / 20 % 4 == 1);
      store.store.checkpoint();
      store.reclaimRound();
      store.store.nameRows();
      store.store.flush(30);
      store.store.checkpoint();
    }
  }

  private static long writesOfWork(int length) throws IOException {
    CrashingDisk disk = new CrashingDisk();
    ReclaimedStore store = prepared(disk, length);
    long before = disk.writes();
    work(store);
    boolean large = length > ReclaimedStore.SMALL;
    List<ExtentUsage> extents = large ? store.values() : store.usage();
    assertTrue(extents.stream().anyMatch(ExtentUsage::moved), "nothing was moved");
    long writes = disk.writes() - before;
    store.store.abandon();
    return writes;
  }

  @ParameterizedTest
  @ValueSource(ints = {ReclaimedStore.SMALL, ReclaimedStore.LARGE})
  void aMoveThatIsCutAtAnyWriteLosesNothing(int length) throws IOException {
    long writes = writesOfWork(length);
    int cuts = 0;
    for (long cut = 1L + random.nextInt(STEP); cut <= writes; cut += STEP) {
      for (boolean power : new boolean[] {true, false}) {
        cuts += cutAt(cut, power, length);
      }
    }
    assertTrue(cuts > writes / STEP, cuts + " cuts in " + writes + " writes");
  }

  private int cutAt(long cut, boolean power, int length) throws IOException {
    String kind = (power ? ", power" : ", process") + ", values of " + length;
    String at = "-Dbg3.seed=" + seed + ", cut at write " + cut + kind;
    CrashingDisk cutDisk = new CrashingDisk();
    ReclaimedStore store = prepared(cutDisk, length);
    cutDisk.cutAtWrite(cut);
    try {
      work(store);
      return 0;
    } catch (PowerCut | RuntimeException e) {
      assertTrue(cutDisk.isCut(), () -> at + ": " + e);
    } finally {
      store.store.abandon();
    }
    CrashingDisk disk = power ? cutDisk.crash(random) : cutDisk.kill();
    reopen(disk, store, at).store.abandon();
    return 1;
  }

  /** Opens the store, whose opening is cut as well, and goes on with it. */
  private ReclaimedStore reopen(CrashingDisk after, ReclaimedStore before, String at)
      throws IOException {
    CrashingDisk disk = after;
    ReclaimedStore store = null;
    disk.cutAtWrite(1 + random.nextInt(60));
    while (store == null) {
      try {
        store = before.reopened(disk);
        disk.heal();
      } catch (PowerCut e) {
        disk = disk.crash(random);
      }
    }
    store.settleLastCommit(before);
    store.check(KEYS, at);
    store.settle();
    store.store.evict();
    store.check(KEYS, at + ", reclaimed further");
    return store;
  }

  /** A disk that fails once, in a read of a victim or a write of a copy, or in a checkpoint. */
  @ParameterizedTest
  @ValueSource(ints = {ReclaimedStore.SMALL, ReclaimedStore.LARGE})
  void aDiskThatFailsInAnyOperationLosesNothing(int length) throws IOException {
    CrashingDisk counted = new CrashingDisk();
    ReclaimedStore whole = prepared(counted, length);
    long before = counted.operations();
    whole.reclaimRound();
    long operations = counted.operations() - before;
    whole.store.abandon();
    int goesOn = 0;
    int stops = 0;
    for (long operation = 1L + random.nextInt(STEP); operation <= operations; operation += STEP) {
      String at = "-Dbg3.seed=" + seed + ", operation " + operation + ", values of " + length;
      CrashingDisk disk = new CrashingDisk();
      ReclaimedStore store = prepared(disk, length);
      disk.failAt(operation, CrashingDisk.Fault.EIO, false);
      try {
        store.reclaimRound();
      } catch (IOException e) {
        assertTrue(store.store.transactions().failure() != null, at);
      }
      disk.heal();
      if (store.store.transactions().failure() == null) {
        goesOn++;
        store.settle();
        store.check(KEYS, at);
      } else {
        stops++;
      }
      store.store.abandon();
      reopen(disk.crash(random), store, at).store.abandon();
    }
    assertTrue(goesOn > 0, "a read of a victim never failed");
    assertTrue(stops > 0, "a write of a copy never failed");
  }
}
