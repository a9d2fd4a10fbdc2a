package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.commit.ValuePace;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.extent.ExtentUsage;
import io.bg3.storage.extent.Stream;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Counts the bytes of the extents of images while a program writes: they stay below the bound, plus
 * what was appended since the last checkpoint, plus the few extents that are appended to.
 */
class SpaceBoundTest {
  private static final double BOUND = 1.5;
  private static final int KEYS = 3_000;
  private static final int FEW_EXTENTS = 4;

  private final long seed = Seeds.one();
  private final Random random = new Random(seed);

  /** The action of one step of a program. */
  @FunctionalInterface
  private interface Step {
    void run(ReclaimedStore store, int step);
  }

  private static ReclaimedStore filled(ReclaimSettings settings) throws IOException {
    ReclaimedStore store = ReclaimedStore.open(new CrashingDisk(), settings, Map.of());
    store.put(0, KEYS, 1, k -> true);
    store.store.checkpoint();
    store.settle();
    return store;
  }

  /** Runs a program, with flushes and checkpoints. */
  private void run(ReclaimSettings settings, int steps, Step program) throws IOException {
    ReclaimedStore store = filled(settings);
    ExtentStore extents = store.store.opened().extents();
    try {
      for (int step = 0; step < steps; step++) {
        long before = extents.appendedBytes();
        program.run(store, step);
        for (int i = random.nextInt(3); i > 0; i--) {
          store.store.flush(40);
          store.store.reclaim();
          requireWithinBound(store, extents.appendedBytes() - before, step);
        }
        store.store.checkpoint();
        requireWithinBound(store, extents.appendedBytes() - before, step);
        store.settle();
        requireWithinBound(store, 0, step);
      }
      store.check(KEYS, "-Dbg3.seed=" + seed);
    } finally {
      store.store.abandon();
    }
  }

  private void requireWithinBound(ReclaimedStore store, long appended, int step) {
    requireWithinBound(store.usage(), appended, step);
  }

  private void requireWithinBound(List<ExtentUsage> extents, long appended, int step) {
    SpaceUsage space = SpaceUsage.of(extents);
    double most = Math.max(BOUND * space.live(), FEW_EXTENTS * ReclaimedStore.EXTENT) + appended;
    assertTrue(
        space.written() <= most + 1,
        () -> "-Dbg3.seed=" + seed + ", step " + step + ": " + space + ", appended=" + appended);
  }

  @ParameterizedTest
  @EnumSource(ReclaimPolicy.class)
  void overwrites(ReclaimPolicy policy) throws IOException {
    run(
        new ReclaimSettings(policy, BOUND),
        20,
        (store, step) -> {
          int from = (int) (KEYS * Math.pow(random.nextDouble(), 3));
          store.put(0, KEYS, 2 + step, k -> (k >= from && k < from + 300) || k % 97 == step);
        });
  }

  @Test
  void deletesOnly() throws IOException {
    int steps = 15;
    run(
        new ReclaimSettings(ReclaimPolicy.COST_BENEFIT, BOUND),
        steps,
        (store, step) -> store.delete(0, KEYS, k -> k * 7919L % steps == step));
  }

  @Test
  void insertsAndDeletesOfTheSameKeys() throws IOException {
    run(
        new ReclaimSettings(ReclaimPolicy.COST_BENEFIT, BOUND),
        20,
        (store, step) -> {
          int from = random.nextInt(KEYS);
          if (step % 2 == 0) {
            store.delete(0, KEYS, k -> k >= from / 2 && k < from / 2 + KEYS / 3);
          } else {
            store.put(0, KEYS, step, k -> !store.model.containsKey(k));
          }
        });
  }

  /** Values that lie outside of their pages. */
  @ParameterizedTest
  @EnumSource(ReclaimPolicy.class)
  void overwritesOfLargeValues(ReclaimPolicy policy) throws IOException {
    int keys = 800;
    ReclaimedStore store =
        ReclaimedStore.open(
            new CrashingDisk(), new ReclaimSettings(policy, BOUND), Map.of(), ReclaimedStore.LARGE);
    ExtentStore extents = store.store.opened().extents();
    try {
      store.put(0, keys, 1, k -> true);
      for (int step = 0; step < 20; step++) {
        long before = extents.appendedBytes(Stream.VALUE);
        int from = (int) (keys * Math.pow(random.nextDouble(), 3));
        int residue = step;
        store.put(0, keys, 2 + step, k -> (k >= from && k < from + 80) || k % 7 == residue % 7);
        store.store.evict();
        store.store.reclaim();
        long appended = extents.appendedBytes(Stream.VALUE) - before;
        requireWithinBound(store.values(), appended, step);
        store.store.checkpoint();
        requireWithinBound(store.values(), appended, step);
        store.settle();
        requireWithinBound(store.values(), 0, step);
      }
      assertTrue(extents.movedBytes(Stream.VALUE) > 0, "no value was moved");
      assertEquals(keys, store.liveValues());
      store.check(keys, "-Dbg3.seed=" + seed);
    } finally {
      store.store.abandon();
    }
  }

  /**
   * Commits are slowed once they have appended what a checkpoint may, if values take more space
   * than they should, and until extents have been emptied.
   */
  @Test
  void commitsAreSlowedWhileLargeValuesTakeTooMuchSpace() throws IOException {
    int keys = 400;
    ReclaimedStore store =
        ReclaimedStore.open(
            new CrashingDisk(),
            new ReclaimSettings(ReclaimPolicy.COST_BENEFIT, BOUND),
            Map.of(),
            ReclaimedStore.LARGE);
    ValuePace pace = store.store.transactions().throttle().values();
    pace.start();
    try {
      store.put(0, keys, 1, k -> true);
      assertFalse(pace.isAhead(), "nothing is garbage");
      store.store.checkpoint();
      store.put(0, keys, 2, k -> k % 7 != 0);
      assertFalse(pace.isAhead(), "nothing is known to be garbage");
      store.store.checkpoint();
      SpaceUsage space = SpaceUsage.of(store.values());
      assertTrue(pace.isAhead() || space.written() <= BOUND * space.live(), () -> "" + space);
      store.settle();
      assertFalse(pace.isAhead(), "extents were emptied");
    } finally {
      store.store.abandon();
    }
  }

  /** A store that is at rest comes to a lower bound, and then to an end. */
  @Test
  void aStoreAtRestTakesLess() throws IOException {
    ReclaimSettings settings = new ReclaimSettings(ReclaimPolicy.COST_BENEFIT, BOUND);
    assertEquals(1.3, settings.atRest().maxAmplification(), 1e-9);
    assertEquals(ReclaimSettings.OFF, ReclaimSettings.OFF.atRest());
    assertEquals(
        ReclaimSettings.LEAST,
        new ReclaimSettings(ReclaimPolicy.DIRTY, 1.12).atRest().maxAmplification());
    ReclaimedStore store = overwritten(settings);
    Checkpointer keeper = store.store.checkpointer();
    SpaceUsage before = SpaceUsage.of(store.usage());
    keeper.reclaiming().rests(true);
    store.settle();
    SpaceUsage after = SpaceUsage.of(store.usage());
    double most = Math.max(1.3 * after.live(), FEW_EXTENTS * ReclaimedStore.EXTENT);
    assertTrue(after.written() <= most + 1, () -> before + ", then " + after);
    long appended = store.store.opened().extents().appendedBytes();
    for (int i = 0; i < 5; i++) {
      keeper.reclaiming().rests(i % 2 == 0);
      store.settle();
    }
    assertEquals(appended, store.store.opened().extents().appendedBytes(), "nothing is copied on");
    store.check(KEYS, "at rest");
    store.store.abandon();
  }

  /** Without the bound the same program takes much more space. */
  @Test
  void onlyTheBoundKeepsGarbageFromStaying() throws IOException {
    double most = 1.2;
    ReclaimedStore loose = overwritten(ReclaimSettings.OFF);
    assertTrue(loose.written() > most * loose.live(), loose.written() + "/" + loose.live());
    loose.store.abandon();
    ReclaimedStore bound = overwritten(new ReclaimSettings(ReclaimPolicy.COST_BENEFIT, most));
    assertTrue(bound.written() <= most * bound.live(), bound.written() + "/" + bound.live());
    assertTrue(bound.store.opened().extents().movedBytes(Stream.BASE) > 0, "nothing was moved");
    requireWithinBound(bound, 0, 12);
    bound.store.abandon();
  }

  /** Overwrites a thirteenth of the leaves after the other. */
  private static ReclaimedStore overwritten(ReclaimSettings settings) throws IOException {
    ReclaimedStore store = filled(settings);
    for (int step = 0; step < 12; step++) {
      int offset = step;
      store.put(0, KEYS, 2 + step, k -> k / 12 % 13 == offset);
      store.store.checkpoint();
      store.settle();
    }
    return store;
  }
}
