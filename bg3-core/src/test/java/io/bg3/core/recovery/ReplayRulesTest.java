package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.commit.Durability;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.recovery.CheckpointedStore.Replay;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Twin;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import io.bg3.storage.file.ForwardingDisk;
import io.bg3.storage.file.ForwardingFile;
import io.bg3.storage.file.PowerCut;
import io.bg3.storage.format.CorruptionException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;

/**
 * Replays of a log that need more memory than there is: they flush, take checkpoints of their own,
 * and are cut. The store is built anew for each cut. What a cut leaves of what was not synced is
 * drawn.
 */
class ReplayRulesTest {
  private static final int COMMITS = 40;
  private static final int KEYS = 60;
  private static final int IN_COMMIT = 4;
  private static final int TOTAL = 3;
  private static final byte[] NEW = {3};

  /** The power is cut at each of so many writes; 1 takes minutes. */
  private static final int STEP = Integer.getInteger("bg3.replay.step", 41);

  private static CheckpointedStore open(Disk disk, Durability durability, Replay replay)
      throws IOException {
    return new CheckpointedStore(disk, durability, new CheckpointedStore.Steps(), replay);
  }

  private static CheckpointedStore open(Disk disk, Replay replay) throws IOException {
    return open(disk, Durability.SYNC, replay);
  }

  private static byte[] key(int i) {
    return new byte[] {7, (byte) (i >>> 8), (byte) i};
  }

  /** Small and large ones; null where the commit removes the key. */
  private static byte[] value(int commit, int i) {
    if ((commit + i) % 7 == 0) {
      return null;
    }
    byte[] value = new byte[(commit + i) % 5 == 0 ? 150 : 30];
    value[0] = (byte) commit;
    value[1] = (byte) i;
    return value;
  }

  /** A store with a checkpoint and a log to replay, whose process has been killed. */
  private static CrashingDisk killed(Durability durability) throws IOException {
    CrashingDisk disk = new CrashingDisk();
    CheckpointedStore store = open(disk, durability, Replay.UNBOUNDED);
    for (int commit = 0; commit < 2 * COMMITS; commit++) {
      if (commit == COMMITS) {
        store.checkpoint();
      }
      try (Transaction transaction = store.transactions().begin(Isolation.STRICT, false)) {
        for (int i = 0; i < IN_COMMIT; i++) {
          int key = (commit * IN_COMMIT + i) * 11 % KEYS;
          byte[] value = value(commit, key);
          if (value == null) {
            transaction.delete(TreeIds.VERTICES, key(key));
          } else {
            transaction.put(TreeIds.VERTICES, key(key), value);
          }
        }
        transaction.addTotal(TOTAL, 1);
        transaction.commit();
      }
    }
    store.transactions().writeLog();
    CrashingDisk killed = disk.kill();
    store.abandon();
    return killed;
  }

  private static void requireAll(CheckpointedStore store, String at) {
    byte[][] expected = new byte[KEYS][];
    for (int commit = 0; commit < 2 * COMMITS; commit++) {
      for (int i = 0; i < IN_COMMIT; i++) {
        int key = (commit * IN_COMMIT + i) * 11 % KEYS;
        expected[key] = value(commit, key);
      }
    }
    try (Transaction transaction = store.transactions().begin(Isolation.STRICT, true)) {
      for (int i = 0; i < KEYS; i++) {
        assertArrayEquals(expected[i], transaction.get(TreeIds.VERTICES, key(i)), at);
      }
      assertEquals(2 * COMMITS, transaction.total(TOTAL), at);
    }
    assertNull(RowRulesTest.wrongUsage(store), at);
    assertEquals(List.of(), store.check(), at);
  }

  /** Writes of an opening that takes checkpoints. */
  private static long writesOfReplay(Durability durability) throws IOException {
    CrashingDisk disk = killed(durability);
    CheckpointedStore store = open(disk, durability, Replay.CHECKPOINTING);
    long writes = disk.writes();
    store.abandon();
    return writes;
  }

  // ---- Checkpoints of a replay (R24).

  @RuleTest(
      rule = 24,
      twins = {
        @Twin(
            name = "a checkpoint of a replay lets go of the log of commits that are only gathered",
            in = "io.bg3.core.recovery.LogReplay",
            method = "run",
            without = "Replayer.isApplied",
            result = 1),
        @Twin(
            name = "a checkpoint of a replay names the totals without their stamp",
            in = "io.bg3.core.commit.Replayer",
            method = "totals",
            without = "Totals.stamp")
      })
  void aReplayThatIsCutAndCutAgainLosesNothing() throws Exception {
    long writes = writesOfReplay(Durability.SYNC);
    assertTrue(writes > 100, "writes: " + writes);
    for (int cut = 1; cut <= writes; cut += STEP) {
      CrashingDisk disk = killed(Durability.SYNC);
      Random random = new Random(cut);
      disk.cutAtWrite(cut);
      assertTrue(isCut(disk), "not cut at write " + cut);
      CrashingDisk next = disk.crash(random);
      next.cutAtWrite(1 + random.nextInt((int) writes));
      isCut(next); // as often as not
      CheckpointedStore store =
          open(next.crash(random), random.nextBoolean() ? Replay.UNBOUNDED : Replay.CHECKPOINTING);
      try {
        requireAll(store, "cut at write " + cut);
      } finally {
        store.abandon();
      }
    }
  }

  /** Opens the store; says whether the power was cut meanwhile. */
  private static boolean isCut(CrashingDisk disk) throws IOException {
    try {
      open(disk, Replay.CHECKPOINTING).abandon();
    } catch (PowerCut e) {
      assertTrue(disk.isCut());
    }
    return disk.isCut();
  }

  @RuleTest(
      rule = 24,
      twins =
          @Twin(
              name = "a replay takes no checkpoints",
              in = "io.bg3.core.recovery.LogReplay",
              method = "checkpoint",
              without = "Checkpointer.run"))
  void aReplayThatIsCutGoesOnBehindItsLastCheckpoint() throws Exception {
    long writes = writesOfReplay(Durability.SYNC);
    CrashingDisk disk = killed(Durability.SYNC);
    int lives = 0;
    for (boolean opened = false; !opened; lives++) {
      assertTrue(lives < 40, "no progress");
      disk.cutAtWrite(writes / 4);
      opened = !isCut(disk);
      disk = disk.crash(new Random(lives));
    }
    assertTrue(lives > 2, "lives: " + lives);
    CheckpointedStore store = open(disk, Replay.UNBOUNDED);
    requireAll(store, "in the end");
    store.abandon();
  }

  /** The process was killed, so that its log may be in the system's cache and nowhere else. */
  @RuleTest(
      rule = 24,
      twins =
          @Twin(
              name = "a replay takes a checkpoint before the log that it reads is durable",
              in = "io.bg3.core.recovery.LogReplay",
              method = "establish",
              without = "WriteAheadLog.establish"))
  void aCheckpointOfAReplayNamesNoCommitThatAPowerCutCanTakeBack() throws Exception {
    long writes = writesOfReplay(Durability.NONE);
    for (int seed = 0; seed < 12; seed++) {
      CrashingDisk disk = killed(Durability.NONE);
      disk.cutAtWrite(writes * (seed % 4 + 4) / 8); // behind the first checkpoint
      isCut(disk);
      CheckpointedStore store;
      try {
        store = open(disk.crash(new Random(seed)), Replay.UNBOUNDED);
      } catch (CorruptionException e) {
        throw new AssertionError("the log is shorter than the manifest says", e);
      }
      requireAll(store, "seed " + seed);
      store.abandon();
    }
  }

  // ---- A full disk.

  @RuleTest(
      rule = 24,
      twins = {
        @Twin(
            name = "an image that does not fit on the disk in a replay ends all writing",
            in = "io.bg3.storage.extent.ExtentStore",
            method = "append",
            without = "ExtentStore.isPlanned"),
        @Twin(
            name = "pages that a flush has noted and not written are flushed no more",
            in = "io.bg3.core.tree.PageFlush",
            method = "write(Lio/bg3/core/tree/NotedPages;Lio/bg3/core/tree/PageFlush$Result;)V",
            without = "List.forEach")
      })
  void aFullDiskDoesNotMatterToAReplayThatFitsIntoTheMemory() throws Exception {
    CrashingDisk disk = killed(Durability.SYNC);
    FullDisk full = new FullDisk(disk, 1 << 10);
    CheckpointedStore store = open(full, Replay.FLUSHING);
    assertTrue(full.refused > 0, "nothing was flushed");
    assertNull(store.transactions().failure());
    requireAll(store, "on the full disk");
    full.left = Long.MAX_VALUE;
    try (Transaction transaction = store.transactions().begin(Isolation.STRICT, false)) {
      transaction.put(TreeIds.VERTICES, key(KEYS), NEW);
      transaction.commit();
    }
    try {
      store.checkpoint();
    } catch (IOException e) {
      throw new AssertionError("the store writes no more", e);
    }
    store.abandon();
    store = open(disk.crash(new Random(1)), Replay.UNBOUNDED);
    try (Transaction transaction = store.transactions().begin(Isolation.STRICT, true)) {
      assertArrayEquals(NEW, transaction.get(TreeIds.VERTICES, key(KEYS)));
    }
    requireAll(store, "behind a checkpoint");
    store.abandon();
  }

  @RuleTest(
      rule = 24,
      twins =
          @Twin(
              name = "a replay that can flush nothing overdraws the memory",
              in = "io.bg3.core.recovery.ReplayFlusher",
              method = "makeRoom",
              without = "ReplayFlusher.requireRoom"))
  void aReplayThatFitsNeitherIntoTheMemoryNorOnTheDiskIsRefused() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    CheckpointedStore store = open(disk, Replay.UNBOUNDED);
    int keys = 12_000;
    for (int i = 0; i < keys; i += 1_000) {
      try (Transaction transaction = store.transactions().begin(Isolation.STRICT, false)) {
        for (int k = i; k < i + 1_000; k++) {
          transaction.put(TreeIds.VERTICES, key(k), new byte[60]);
        }
        transaction.commit();
      }
    }
    CrashingDisk killed = disk.kill();
    store.abandon();
    Replay small = new Replay(1 << 20, 1 << 18, 1 << 16, 1 << 14);
    IOException refused =
        assertThrows(IOException.class, () -> open(new FullDisk(killed, 1 << 12), small));
    assertTrue(refused.getMessage().contains("bg3.memory.budget"), refused.getMessage());
    assertTrue(refused.getMessage().contains("No space left"), refused.getMessage());
    store = open(killed, small);
    try (Transaction transaction = store.transactions().begin(Isolation.STRICT, true)) {
      for (int i = 0; i < keys; i += 100) {
        assertArrayEquals(new byte[60], transaction.get(TreeIds.VERTICES, key(i)));
      }
    }
    assertTrue(store.named().bytes() < 4 << 14, "named rows: " + store.named().count());
    store.abandon();
  }

  /** A disk on which extents of pages find no more space; log and values do. */
  private static final class FullDisk extends ForwardingDisk {
    volatile long left;
    volatile int refused;

    FullDisk(Disk disk, long left) {
      super(disk);
      this.left = left;
    }

    synchronized void take(String name, long bytes) throws IOException {
      if (!name.startsWith("extent-base") && !name.startsWith("extent-delta")) {
        return;
      }
      if (bytes > left) {
        refused++;
        throw new IOException("No space left on device: file=" + name);
      }
      left -= bytes;
    }

    @Override
    public DiskFile create(String name) throws IOException {
      take(name, 512);
      return super.create(name);
    }

    @Override
    protected DiskFile wrap(DiskFile inner) {
      return new ForwardingFile(inner) {
        @Override
        public void write(ByteBuffer from, long position) throws IOException {
          take(name(), from.remaining());
          super.write(from, position);
        }
      };
    }
  }
}
