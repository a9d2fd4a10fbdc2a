package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.commit.Durability;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.OwnerMover;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.tree.FamilyOwner;
import io.bg3.core.tree.FamilySettings;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.file.PowerCut;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Commits edges of some vertices, moves vertices to trees of their own, removes all edges of a
 * vertex and takes its tree away, flushes, takes checkpoints, moves images and large values, and
 * cuts the power, in random order, and compares the store with a sorted map. At the end of a run no
 * vertex without edges has a tree (R57). The edges are of labels without a family, of one of a
 * family with a split-out, or of both, and vertices move for each by themselves. The degrees of a
 * vertex are kept from its move on, or some steps later, or never. A snapshot stays open for some
 * steps and reads at their end what it did at their beginning. In most runs all leaves that can be
 * evicted are, after each step. In half of the runs the leaves of each vertex are copied before its
 * stripe is taken, as those of a large one.
 *
 * <p>How many entries a vertex has when it moves, how many vertices there are and how often edges
 * are removed is drawn for each run.
 */
class MoveOutModelTest {
  private static final int STEPS = 300;
  private static final int VALUE_LIMIT = 64;
  private static final AtomicLongArray AFTER_A_CUT = new AtomicLongArray(2); // by family
  private static final AtomicLongArray GONE = new AtomicLongArray(2);
  private static final AtomicLong PASSED = new AtomicLong();
  private static final AtomicLong DEGREES = new AtomicLong();
  private static final AtomicLongArray LATE = new AtomicLongArray(2); // one leaf, several
  private static final AtomicLong ROW_MANIFESTS = new AtomicLong();
  private static final AtomicLong EARLY_TREES = new AtomicLong();

  static LongStream seeds() {
    return Seeds.of(24);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void movesChangeNoAnswer(long seed) throws IOException {
    Random random = new Random(seed);
    int owners = 1 + random.nextInt(40);
    int others = 8 + random.nextInt(100);
    int removals = random.nextInt(80);
    int entries = 1 + random.nextInt(20);
    boolean evicting = random.nextInt(4) > 0;
    long atOnce = random.nextBoolean() ? Long.MAX_VALUE : 0;
    int plain = EdgeModel.TAG_LABEL;
    int ofFamily = EdgeModel.OF_FAMILY;
    EdgeModel model =
        switch (random.nextInt(6)) {
          case 0 -> new EdgeModel(plain);
          case 1 -> new EdgeModel(ofFamily);
          case 2 -> new EdgeModel(plain, plain + 1);
          case 3 -> new EdgeModel(plain, plain + 1, ofFamily);
          default -> new EdgeModel(plain, ofFamily);
        };
    CrashingDisk disk = new CrashingDisk();
    CheckpointedStore store = open(disk);
    store.defineFamily(1, new FamilySettings(0, 0, 0, 8, null));
    store.opened().forest().moveAtOnce(atOnce);
    Transaction old = null;
    EdgeModel then = null;
    try {
      for (int step = 0; step < STEPS; step++) {
        String at = "-Dbg3.seed=" + seed + ", step " + step;
        switch (random.nextInt(15)) {
          case 0 -> store.flush(1 + random.nextInt(20));
          case 1 -> store.checkpoint();
          case 2, 3 -> store.moveOut(one(random, owners), entries);
          case 4 -> store.moveOutOnly(one(random, owners), entries);
          case 9 -> {
            long owner = oneWithATree(store, random, owners);
            boolean isLarge = store.isLarge(owner);
            if (store.keepDegrees(owner)) {
              LATE.incrementAndGet(isLarge ? 1 : 0);
            }
          }
          case 5 -> {
            store.reclaim();
            store.nameRows();
          }
          case 8 -> store.removeBarrenLeaves();
          case 7 -> {
            if (old != null && random.nextBoolean()) { // a tree stays while a snapshot may read it
              then.compare(old, at);
              old.close();
              old = null;
            }
            long owner = oneWithATree(store, random, owners);
            store.commit(transaction -> model.removeAll(transaction, owner));
            for (int family = 0; family < 2; family++) {
              FamilyOwner of = new FamilyOwner(owner, family);
              boolean dedicated = store.opened().forest().isDedicated(of);
              if (store.moveOut(of, entries) && dedicated) {
                GONE.incrementAndGet(family);
              }
            }
          }
          case 6 -> {
            if (random.nextInt(3) == 0) {
              if (random.nextBoolean()) {
                cutInCheckpoint(store, disk, random);
              }
              disk = disk.crash(random);
              if (old != null) {
                old = null;
              }
              store.abandon();
              store = reopened(disk, random);
              store.opened().forest().moveAtOnce(atOnce);
              disk = healed(disk);
              for (int family = 0; family < 2; family++) {
                AFTER_A_CUT.addAndGet(family, store.opened().forest().dedicatedTrees(family));
              }
              compare(store, model, at);
            }
          }
          default -> write(store, model, random, owners, others, removals);
        }
        if (step % 10 == 0) {
          if (old != null) {
            then.compare(old, at);
            old.close();
          }
          old = random.nextBoolean() ? store.transactions().begin(Isolation.STRICT, true) : null;
          then = model.copy();
        }
        store.move();
        if (evicting) {
          store.evict();
        }
        assertNull(RowRulesTest.wrongUsage(store), at);
        if (random.nextInt(20) == 0) {
          compare(store, model, at);
          assertEquals(List.of(), store.check(), at);
        }
      }
      if (old != null) {
        then.compare(old, "-Dbg3.seed=" + seed + ", at the end");
        old.close();
      }
      compare(store, model, "-Dbg3.seed=" + seed + ", at the end");
      long emptied = oneWithATree(store, random, owners);
      store.commit(transaction -> model.removeAll(transaction, emptied));
      requireNoEmptyTree(store, model, owners, "-Dbg3.seed=" + seed);
      compare(store, model, "-Dbg3.seed=" + seed + ", without empty trees");
      assertEquals(List.of(), store.check());
    } finally {
      DEGREES.addAndGet(model.degrees());
      ROW_MANIFESTS.addAndGet(store.checkpointer().rowManifests());
      store.abandon();
    }
  }

  /** Looks at all trees once, and requires that those that are left have entries. */
  private static void requireNoEmptyTree(
      CheckpointedStore store, EdgeModel model, int owners, String at) {
    long before = store.opened().forest().dedicatedTrees();
    OwnerMover mover = new OwnerMover(store.transactions(), store.opened().forest(), 0);
    mover.searchAll();
    while (mover.hasPassedOver()) {
      mover.search();
    }
    PASSED.addAndGet(before - store.opened().forest().dedicatedTrees());
    for (long owner = 0; owner < owners; owner++) {
      for (int family = 0; family < 2; family++) {
        FamilyOwner of = new FamilyOwner(owner, family);
        if (store.opened().forest().isDedicated(of)) { // without a family, degrees are in it too
          assertTrue(family == 0 ? model.has(owner) : model.has(of), () -> at + ": " + of);
        }
      }
    }
  }

  @AfterAll
  static void passesTookTreesAway() {
    assertTrue(PASSED.get() > 0, "no tree was taken away by a pass in any run");
  }

  @AfterAll
  static void treesWereThereAfterAPowerCut() {
    for (int family = 0; family < 2; family++) {
      assertTrue(AFTER_A_CUT.get(family) > 0, "no dedicated tree was opened in any run");
    }
  }

  @AfterAll
  static void treesWentAway() {
    for (int family = 0; family < 2; family++) {
      assertTrue(GONE.get(family) > 0, "no tree was taken away in any run");
    }
  }

  @AfterAll
  static void manifestsOfRowsWereWritten() {
    assertTrue(ROW_MANIFESTS.get() > 0, "no manifest of rows was written in any run");
  }

  @AfterAll
  static void thePowerWasCutBehindManifestsOfNewTrees() {
    assertTrue(EARLY_TREES.get() > 0, "no checkpoint was cut behind a manifest of new trees");
  }

  /** Takes a checkpoint, at one write of which the power is cut, if it has as many. */
  private static void cutInCheckpoint(CheckpointedStore store, CrashingDisk disk, Random random)
      throws IOException {
    long before = store.checkpointer().shapeManifests();
    disk.cutAtWrite(1 + random.nextInt(60));
    try {
      store.checkpoint();
    } catch (PowerCut | IOException | RuntimeException e) {
      assertTrue(disk.isCut(), () -> "" + e);
      EARLY_TREES.addAndGet(store.checkpointer().shapeManifests() - before);
    }
  }

  @AfterAll
  static void degreesWereKept() {
    assertTrue(DEGREES.get() > 0, "no degree was kept in any run");
    for (int large = 0; large < 2; large++) {
      assertTrue(LATE.get(large) > 0, "no degree was kept late in any run: large=" + large);
    }
  }

  private static FamilyOwner one(Random random, int owners) {
    return new FamilyOwner(random.nextInt(owners), random.nextInt(2));
  }

  /** A vertex with a tree of its own, if some draws find one. */
  private static long oneWithATree(CheckpointedStore store, Random random, int owners) {
    FamilyOwner drawn = one(random, owners);
    for (int i = 0; i < 10 && !store.opened().forest().isDedicated(drawn); i++) {
      drawn = one(random, owners);
    }
    return drawn.owner();
  }

  private static CheckpointedStore open(CrashingDisk disk) throws IOException {
    return new CheckpointedStore(
        disk, Durability.SYNC, new Moving(), CheckpointedStore.Replay.FLUSHING);
  }

  private static CheckpointedStore reopened(CrashingDisk disk, Random random) throws IOException {
    CheckpointedStore.Replay[] replays = {
      CheckpointedStore.Replay.FLUSHING, CheckpointedStore.Replay.CHECKPOINTING
    };
    return new CheckpointedStore(
        disk, Durability.SYNC, new Moving(), replays[random.nextInt(replays.length)]);
  }

  /** Small extents, so that manifests of rows are written too. */
  private static final class Moving extends CheckpointedStore.Steps {
    @Override
    ReclaimSettings reclaim() {
      return new ReclaimSettings(ReclaimPolicy.COST_BENEFIT, ReclaimSettings.LEAST);
    }

    @Override
    int extentSize() {
      return 1 << 11;
    }
  }

  private static CrashingDisk healed(CrashingDisk disk) {
    disk.heal();
    return disk;
  }

  private static void write(
      CheckpointedStore store,
      EdgeModel model,
      Random random,
      int owners,
      int others,
      int removals) {
    store.commit(
        transaction -> {
          for (int i = random.nextInt(20); i >= 0; i--) {
            long owner = random.nextInt(1 + random.nextInt(owners)); // some have many edges
            long other = random.nextInt(others);
            if (random.nextInt(100) < removals) {
              model.remove(transaction, owner, other);
            } else {
              byte[] value = new byte[random.nextInt(2 * VALUE_LIMIT)]; // half of them large
              random.nextBytes(value);
              model.put(transaction, owner, other, value);
            }
          }
        });
  }

  private static void compare(CheckpointedStore store, EdgeModel model, String at) {
    try (Transaction transaction = store.transactions().begin(Isolation.STRICT, true)) {
      model.compare(transaction, at);
    } catch (PowerCut e) {
      throw new AssertionError(at, e);
    }
  }
}
