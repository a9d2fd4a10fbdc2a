package io.bg3.core.recovery;

import static io.bg3.core.recovery.CheckpointedStore.key;
import static io.bg3.core.recovery.CheckpointedStore.open;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.commit.Durability;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.recovery.CheckpointedStore.Replay;
import io.bg3.core.table.StoredState;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.extent.ExtentUsage;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.file.Disk;
import io.bg3.storage.file.DiskFile;
import io.bg3.storage.file.ForwardingDisk;
import io.bg3.storage.file.ForwardingFile;
import io.bg3.storage.file.PowerCut;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.manifest.ManifestFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Replays of a log that need more memory than there is: they flush, take checkpoints of their own,
 * and are cut. The store is built anew for each cut. The part of unsynced data that a cut leaves is
 * drawn.
 *
 * <p>Takes about 30 s, because a log has to be larger than the memory, and many of them are
 * replayed: it proves that a crash during recovery loses nothing, and that a full disk does not
 * either.
 */
class ReplayRulesTest {
  private static final int COMMITS = 40;
  private static final int KEYS = 60;
  private static final int IN_COMMIT = 4;
  private static final int TOTAL = 3;
  private static final byte[] NEW = {3};

  /** The power is cut at each of so many writes; 1 takes minutes. */
  private static final int STEP = Integer.getInteger("bg3.replay.step", 41);

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
      int number = commit;
      store.commit(transaction -> write(transaction, number));
    }
    store.transactions().writeLog();
    CrashingDisk killed = disk.kill();
    store.abandon();
    return killed;
  }

  private static void write(Transaction transaction, int commit) {
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
    try (CheckpointedStore opened = open(disk, Replay.UNBOUNDED)) {
      requireAll(opened, "in the end");
    }
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
            in = "io.bg3.storage.extent.ExtentWriter",
            method = "failed",
            without = "UnnamedFiles.isPlanned"),
        @Twin(
            name = "pages that a flush has noted and not written are flushed no more",
            in = "io.bg3.core.tree.PageFlush",
            method = "write(Lio/bg3/core/tree/NotedPages;Lio/bg3/core/tree/PageFlush$Result;)V",
            without = "List.forEach")
      })
  void aFullDiskDoesNotMatterToAReplayThatFitsIntoTheMemory() throws Exception {
    CrashingDisk disk = killed(Durability.SYNC);
    FullDisk full = new FullDisk(disk, 1 << 10);
    full.valuesFit = true;
    CheckpointedStore store = openThoughFull(full, Replay.FLUSHING);
    assertNull(store.transactions().failure());
    requireAll(store, "on the full disk");
    full.left = Long.MAX_VALUE;
    store.put(key(KEYS), NEW);
    try {
      store.checkpoint();
    } catch (IOException e) {
      throw new AssertionError("the store writes no more", e);
    }
    store.abandon();
    store = open(disk.crash(new Random(1)), Replay.UNBOUNDED);
    assertArrayEquals(NEW, store.get(key(KEYS)));
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
    store.fill(keys, 1_000, new byte[60]);
    CrashingDisk killed = disk.kill();
    store.abandon();
    Replay small = new Replay(1 << 20, 1 << 18, 1 << 16, 1 << 14);
    IOException refused =
        assertThrows(IOException.class, () -> open(new FullDisk(killed, 1 << 12), small));
    assertTrue(refused.getMessage().contains("bg3.memory.budget"), refused.getMessage());
    assertTrue(refused.getMessage().contains("No space left"), refused.getMessage());
    store = open(killed, small);
    requireEvery(store, keys, 100, new byte[60]);
    assertTrue(store.named().bytes() < 4 << 14, "named rows: " + store.named().count());
    store.abandon();
  }

  /** The disk is full when replay begins, and has space again when the memory is full. */
  @Test
  void spaceThatComesBackIsUsed() throws Exception {
    CrashingDisk killed = killedWithFlushes(60, 0);
    FullDisk full = new FullDisk(killed, 1 << 12);
    full.comesBack = true;
    CheckpointedStore store = openThoughFull(full, SMALL);
    requireEvery(store, new byte[60]);
    store.abandon();
  }

  @RuleTest(
      rule = 24,
      twins =
          @Twin(
              name = "a replay takes a checkpoint on a disk that is full",
              in = "io.bg3.core.recovery.LogReplay",
              method = "isCheckpointDue",
              without = "ReplayFlusher.isFull"))
  void aReplayTakesNoCheckpointOnAFullDisk() throws Exception {
    CrashingDisk disk = killed(Durability.SYNC);
    FullDisk full = new FullDisk(disk, 1 << 10);
    full.valuesFit = true;
    CheckpointedStore store = openThoughFull(full, Replay.CHECKPOINTING);
    requireAll(store, "on the full disk");
    store.abandon();
  }

  @RuleTest(
      rule = 24,
      twins =
          @Twin(
              name = "a replay goes on behind an append that ends all writing",
              in = "io.bg3.core.recovery.ReplayFlusher",
              method = "tryFlush",
              without = "ExtentStore.failure"))
  void aDiskThatIsFullBehindACheckpointOfAReplayRefusesTheOpening() throws Exception {
    CrashingDisk killed = killedWithFlushes(60, 0);
    FullDisk full = new FullDisk(killed, Long.MAX_VALUE);
    full.manifestReplaced = () -> full.left = 0;
    long budget = CheckpointedStore.BUDGET; // has room for all, so that only the disk matters
    requireRefused(full, new Replay(budget, budget - (1 << 20), 1 << 16, 1));
    try (CheckpointedStore opened = open(killed, SMALL)) {
      requireEvery(opened, new byte[60]);
    }
  }

  /** Opens a store on a disk that refuses some writes meanwhile. */
  private static CheckpointedStore openThoughFull(FullDisk full, Replay replay) {
    try {
      CheckpointedStore store = open(full, replay);
      assertTrue(full.refused > 0, "the disk was never full");
      return store;
    } catch (IOException e) {
      throw new AssertionError("refused", e);
    }
  }

  private static void requireRefused(FullDisk full, Replay replay) {
    try {
      open(full, replay).abandon();
      throw new AssertionError("opened, and cannot write");
    } catch (IOException e) {
      assertTrue(e.getMessage().contains("No space left"), e.getMessage());
    }
    assertTrue(full.refused > 0);
  }

  /** Behind its first checkpoint replay makes some extents before the disk is full. */
  @RuleTest(
      rule = 24,
      twins = {
        @Twin(
            name = "what a refused opening has made behind its last checkpoint is left",
            in = "io.bg3.core.recovery.LogReplay",
            method = "run",
            without = "ExtentStore.refused"),
        @Twin(
            name = "a refused opening deletes what its last checkpoint names",
            in = "io.bg3.storage.extent.ExtentStore",
            method = "usageToName",
            without = "UnnamedFiles.named")
      })
  void aRefusedOpeningLeavesTheExtentsThatItsLastManifestNames() throws Exception {
    CrashingDisk killed = killedWithFlushes(60, 0);
    FullDisk full = new FullDisk(killed, Long.MAX_VALUE);
    full.manifestReplaced = () -> full.left = Math.min(full.left, 200_000);
    requireRefused(full, new Replay(1 << 20, 1 << 18, 1 << 16, 1 << 15));
    assertEquals(named(full), extents(full), "files of extents, and those that the manifest names");
    try (CheckpointedStore opened = open(killed, SMALL)) {
      requireEvery(opened, new byte[60]);
    }
  }

  /** Numbers of the extents that the manifest names. */
  private static Set<Integer> named(Disk disk) throws IOException {
    Checkpoint checkpoint =
        Checkpoint.decode(ManifestFile.read(disk).orElseThrow().payload(), ManifestFile.NAME);
    return checkpoint.extents().stream().map(ExtentUsage::extent).collect(Collectors.toSet());
  }

  /** Numbers of the extents of which there are files. */
  private static Set<Integer> extents(Disk disk) throws IOException {
    return disk.list().stream()
        .filter(name -> name.startsWith("extent-"))
        .map(name -> Integer.parseInt(name.substring(name.lastIndexOf('-') + 1), 16))
        .collect(Collectors.toSet());
  }

  /** A device that fails is no disk that is full. */
  @Test
  void aDiskThatFailsRefusesTheReplay() throws Exception {
    CrashingDisk disk = killed(Durability.SYNC);
    FullDisk failing = new FullDisk(disk, 1 << 10);
    failing.reason = "Input/output error";
    Set<Integer> before = extents(disk);
    IOException e = assertThrows(IOException.class, () -> open(failing, Replay.FLUSHING));
    assertTrue(e.getMessage().contains("Input/output error"), e.getMessage());
    assertEquals(before, extents(disk));
    try (CheckpointedStore opened = open(disk, Replay.FLUSHING)) {
      requireAll(opened, "on a disk that works again");
    }
  }

  // ---- Space that extents take which no manifest names.

  private static final int MANY_KEYS = 16_000;
  private static final Replay SMALL =
      new Replay(1 << 20, 1 << 18, 1 << 16, CheckpointedStore.BUDGET);

  /** A store that was killed behind flushes that no checkpoint followed; the log has all of it. */
  private static CrashingDisk killedWithFlushes(int length, int flushes) throws IOException {
    CrashingDisk disk = new CrashingDisk();
    CheckpointedStore store = open(disk, Replay.UNBOUNDED);
    for (int i = 0; i < MANY_KEYS; i += 1_000) {
      store.putRange(i, i + 1_000, new byte[length]);
      if (flushes > 0) {
        store.flush(flushes);
      }
    }
    store.fill(1_000, 50, new byte[length]); // small records behind the large ones
    CrashingDisk killed = disk.kill();
    store.abandon();
    return killed;
  }

  private static void requireEvery(CheckpointedStore store, byte[] value) {
    requireEvery(store, MANY_KEYS, 100, value);
  }

  private static void requireEvery(CheckpointedStore store, int keys, int step, byte[] value) {
    try (Transaction transaction = store.transactions().begin(Isolation.STRICT, true)) {
      for (int i = 0; i < keys; i += step) {
        assertArrayEquals(value, transaction.get(TreeIds.VERTICES, key(i)), "key " + i);
      }
    }
  }

  /** The store needs more space than is left, and less than the extents that nobody names take. */
  @RuleTest(
      rule = 24,
      twins =
          @Twin(
              name = "extents that no manifest names keep the space that a replay needs",
              in = "io.bg3.core.recovery.ReplayFlusher",
              method = "flushFreeing",
              without = "ReplayFlusher.free"))
  void aReplayThatFindsNoSpaceTakesThatOfExtentsThatNoManifestNames() throws Exception {
    CrashingDisk killed = killedWithFlushes(60, Integer.MAX_VALUE);
    FullDisk full = new FullDisk(killed, 500_000);
    full.givesBack = true;
    CheckpointedStore store = openThoughFull(full, SMALL);
    requireEvery(store, new byte[60]);
    assertEquals(List.of(), store.check());
    store.abandon();
    try (CheckpointedStore opened = open(killed.crash(new Random(2)), Replay.UNBOUNDED)) {
      requireEvery(opened, new byte[60]);
    }
  }

  /**
   * The large values since the last manifest lie in such extents, and replay appends them again.
   */
  @RuleTest(
      rule = 24,
      twins =
          @Twin(
              name = "extents that no manifest names keep the space that a large value needs",
              in = "io.bg3.core.recovery.ReplayFlusher",
              method = "makeSpace",
              without = "ReplayFlusher.free"))
  void aLargeValueThatFindsNoSpaceTakesThatOfExtentsThatNoManifestNames() throws Exception {
    CrashingDisk killed = killedWithFlushes(150, 0);
    FullDisk full = new FullDisk(killed, 500_000);
    full.givesBack = true;
    CheckpointedStore store = openThoughFull(full, Replay.UNBOUNDED);
    requireEvery(store, new byte[150]);
    assertEquals(List.of(), store.check());
    store.abandon();
    try (CheckpointedStore opened = open(killed.crash(new Random(2)), Replay.UNBOUNDED)) {
      requireEvery(opened, new byte[150]);
    }
  }

  @Test
  void aLargeValueThatFindsNoSpaceAtAllRefusesTheReplay() throws Exception {
    CrashingDisk killed = killedWithFlushes(150, 0);
    FullDisk full = new FullDisk(killed, 500_000);
    IOException e = assertThrows(IOException.class, () -> open(full, Replay.UNBOUNDED));
    assertTrue(e.getMessage().contains("a large value cannot be written"), e.getMessage());
    assertTrue(e.getMessage().contains("No space left"), e.getMessage());
    try (CheckpointedStore opened = open(killed, Replay.UNBOUNDED)) {
      requireEvery(opened, new byte[150]);
    }
  }

  /** The reason of a failed call is a text, which the system may have in another language. */
  @RuleTest(
      rule = 24,
      twins =
          @Twin(
              name = "a disk whose error is not in English is not taken for full",
              in = "io.bg3.storage.file.IoReason",
              method = "isFull(Ljava/io/IOException;Lio/bg3/storage/file/Disk;)Z",
              without = "IoReason.isFull"))
  void aFullDiskIsKnownInEveryLanguage() throws Exception {
    CrashingDisk killed = killedWithFlushes(60, Integer.MAX_VALUE);
    FullDisk full = new FullDisk(killed, 500_000);
    full.givesBack = true;
    full.reason = "Auf dem Ger\u00e4t ist kein Speicherplatz mehr verf\u00fcgbar";
    full.tells = true;
    CheckpointedStore store = openThoughFull(full, SMALL);
    requireEvery(store, new byte[60]);
    store.abandon();
  }

  /** A commit between the two steps of a checkpoint is in the images and in the log behind L. */
  @RuleTest(
      rule = 25,
      sites =
          @Site(
              name = "has the position",
              in = "io.bg3.core.recovery.Checkpointer",
              method = "take",
              after = "CheckpointSource.replayStart"),
      twins =
          @Twin(
              name = "a leaf that was stored before the opening says that nothing in it is new",
              in = "io.bg3.core.table.PageTable",
              method = "open",
              without = "StoredState.of",
              instead = "settled"))
  void aLargeValueThatAnImageHasIsNotAppendedAgain() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    CheckpointedStore store = open(disk, Replay.UNBOUNDED);
    store.fill(200, 50, new byte[30]);
    Sites.at("has the position", () -> store.put(key(7), new byte[150]));
    store.checkpoint();
    Sites.requirePassed("has the position");
    CrashingDisk killed = disk.kill();
    store.abandon();
    CheckpointedStore opened = open(killed, Replay.UNBOUNDED);
    assertEquals(0, opened.opened().extents().appendedBytes());
    assertArrayEquals(new byte[150], opened.get(key(7)));
    opened.abandon();
  }

  static long settled(long newest) {
    return StoredState.of(0);
  }

  /** They are evidence until it is known that the store is not refused. */
  @RuleTest(
      rule = 24,
      twins =
          @Twin(
              name = "extents that no manifest names go before the log has been read to its end",
              in = "io.bg3.core.recovery.UnnamedExtents",
              method = "free",
              without = "UnnamedExtents.requireWholeLog"))
  void aDamagedLogIsFoundBeforeAnyExtentIsDeleted() throws Exception {
    CrashingDisk killed = killedWithFlushes(60, Integer.MAX_VALUE);
    Set<Integer> before = extents(killed);
    assertTrue(before.size() > 3, before.toString());
    List<String> segments =
        killed.list().stream().filter(name -> name.startsWith("log-")).sorted().toList();
    String later = segments.get(segments.size() - 2); // replay is full before it comes there
    killed.flipBit(later, 8L * (16 << 10));
    assertThrows(CorruptionException.class, () -> open(new FullDisk(killed, 1 << 12), SMALL));
    assertEquals(before, extents(killed));
  }

  /**
   * The process is killed before the name of a new manifest is durable. The old one, which a power
   * cut may bring back, names extents that the new one does not.
   */
  @RuleTest(
      rule = 24,
      sites =
          @Site(
              name = "freed",
              in = "io.bg3.core.recovery.UnnamedExtents",
              method = "free",
              after = "ExtentStore.deleteUnnamed"),
      twins =
          @Twin(
              name = "extents go that an older manifest names, which a power cut brings back",
              in = "io.bg3.core.recovery.UnnamedExtents",
              method = "free",
              without = "Disk.syncDirectory"))
  void anOlderManifestThatAPowerCutBringsBackFindsItsExtents() throws Exception {
    for (int lost = 1; lost <= 6; lost++) { // among the first changes is the manifest's new name
      bringBackAnOlderManifest(lost);
    }
  }

  private static void bringBackAnOlderManifest(int lost) throws IOException {
    CrashingDisk disk = new CrashingDisk();
    FullDisk watched = new FullDisk(disk, Long.MAX_VALUE);
    CheckpointedStore first = open(watched, Replay.UNBOUNDED);
    first.fill(2_000, 50, new byte[150]); // large values, whose extents hold nothing else
    first.checkpoint();
    for (int i = 0; i < 8; i++) { // until no leaf has the versions before
      first.fill(2_000, 50, new byte[60]);
    }
    watched.manifestReplaced =
        () -> {
          first.fill(50, 50, new byte[60]); // something to replay
          disk.cutAtWrite(1);
        };
    assertThrows(PowerCut.class, first::checkpoint);
    CrashingDisk killed = disk.kill();
    first.abandon();
    Sites.at("freed", () -> killed.cutAtWrite(1));
    try {
      open(new FullDisk(killed, 0), Replay.FLUSHING).abandon();
    } catch (PowerCut e) {
      assertTrue(killed.isCut());
    }
    Sites.requirePassed("freed");
    CrashingDisk after = killed.crash(new LateEntries(lost));
    assertTrue(
        extents(after).containsAll(named(after)), "the manifest names extents that are gone");
    try {
      CheckpointedStore store = open(after, Replay.UNBOUNDED);
      requireEvery(store, 2_000, 1, new byte[60]);
      store.abandon();
    } catch (CorruptionException e) {
      throw new AssertionError("the manifest names extents that are gone", e);
    }
  }

  /** Keeps all changes of the directory but the first ones. */
  private static final class LateEntries extends Random {
    private static final long serialVersionUID = 1;
    private final int lost;
    private int entries;

    LateEntries(int lost) {
      this.lost = lost;
    }

    @Override
    public int nextInt(int bound) {
      return bound == 4 ? 3 : super.nextInt(bound); // 3: each entry is drawn for itself
    }

    @Override
    public boolean nextBoolean() {
      return entries++ >= lost;
    }
  }

  /** A disk on which extents of pages and of values find no more space; the log does. */
  private static final class FullDisk extends ForwardingDisk {
    volatile long left;
    volatile int refused;
    volatile String reason = "No space left on device";

    /** Whether there is space without end once a write has been refused. */
    volatile boolean comesBack;

    /** Whether extents of values find space all the same. */
    volatile boolean valuesFit;

    /** Whether the disk says how many bytes are left. */
    volatile boolean tells;

    /** Whether a file that is deleted leaves space. */
    volatile boolean givesBack;

    /** Is done when a manifest has its name, which is not durable yet. */
    volatile Runnable manifestReplaced = () -> {};

    FullDisk(Disk disk, long left) {
      super(disk);
      this.left = left;
    }

    @Override
    public void rename(String from, String to) throws IOException {
      super.rename(from, to);
      if (to.equals(ManifestFile.NAME)) {
        manifestReplaced.run();
      }
    }

    @Override
    public void delete(String name) throws IOException {
      long size = givesBack && isCounted(name) ? size(name) : 0;
      super.delete(name);
      synchronized (this) {
        left += size;
      }
    }

    private long size(String name) throws IOException {
      try (DiskFile file = super.open(name)) {
        return file.size();
      }
    }

    @Override
    public long usableBytes() {
      return tells ? left : Long.MAX_VALUE;
    }

    private boolean isCounted(String name) {
      return name.startsWith("extent-base")
          || name.startsWith("extent-delta")
          || (name.startsWith("extent-value") && !valuesFit);
    }

    synchronized void take(String name, long bytes) throws IOException {
      if (!isCounted(name)) {
        return;
      }
      if (bytes > left) {
        refused++;
        left = comesBack ? Long.MAX_VALUE / 2 : left;
        throw new IOException(reason + ": file=" + name);
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
