package io.bg3.core.recovery;

import static io.bg3.core.recovery.CheckpointedStore.key;
import static io.bg3.core.recovery.CheckpointedStore.open;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.commit.Durability;
import io.bg3.core.commit.StoreFailedException;
import io.bg3.core.forest.Forest;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.table.PageRow;
import io.bg3.core.table.PageTable;
import io.bg3.core.tree.NotedPages;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.extent.ExtentUsage;
import io.bg3.storage.extent.Location;
import io.bg3.storage.extent.Stream;
import io.bg3.storage.file.CrashingDisk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;

/**
 * Flushes between checkpoints: what the next manifest names, and which images are garbage. The part
 * of unsynced data that a cut leaves is drawn, so a cut is tried with several seeds.
 *
 * <p>Takes about 8 s, most of it the seeds of the cuts: it proves that a manifest names what the
 * log before it no longer has.
 */
class RowRulesTest {
  private static final int SEEDS = 12;
  private static final int ALL = Integer.MAX_VALUE;
  private static final byte[] KEY = {1};
  private static final byte[] OLD = {2};
  private static final byte[] NEW = {3};
  private static final byte[] LARGE = new byte[20_000];

  /** The value of a key in the store that is opened after a power cut. */
  private static byte[] afterCut(CrashingDisk disk, byte[] key, long seed) throws IOException {
    try (CheckpointedStore reopened = open(disk.crash(new Random(seed)))) {
      return reopened.get(key);
    }
  }

  // ---- What a manifest names (R24).

  private static CheckpointedStore current;

  static NotedPages noteAndForget(Forest forest) {
    if (current != null) {
      current.named().clear();
    }
    return forest.note();
  }

  /**
   * The page that changes is in a segment of the page table that the checkpoint does not write
   * anew: that would hide the fault, since a segment has all rows.
   */
  @RuleTest(
      rule = 24,
      twins =
          @Twin(
              name = "a checkpoint names what it has flushed itself and nothing else",
              in = "io.bg3.core.recovery.Checkpointer",
              method = "take",
              without = "Forest.note",
              instead = "noteAndForget"))
  void whatAFlushWroteIsNamedByTheNextManifest() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    CheckpointedStore store = open(disk);
    int keys = 24_000;
    store.fill(keys, 1_000, new byte[60]);
    store.checkpoint();
    PageTable table = store.opened().space().table();
    assertTrue(table.end() > 2 * PageMapRows.SEGMENT_PAGES, "pages: " + table.end());
    store.put(key(keys - 10), NEW);
    assertEquals(1, store.flush(ALL));
    current = store;
    store.checkpoint();
    current = null;
    store.abandon();
    assertArrayEquals(NEW, afterCut(disk, key(keys - 10), 1));
  }

  /** Nothing else shortens the log, so commits would wait for the thread for ever. */
  @RuleTest(
      rule = 24,
      sites = @Site(name = "looking", in = "io.bg3.core.tree.PageEvictor", method = "missing"),
      twins =
          @Twin(
              name = "the thread that keeps the rows ends and the store goes on",
              in = "io.bg3.core.recovery.RowKeeper",
              method = "run",
              without = "Checkpointer.fail"))
  void theStoreFailsWithTheThreadThatKeepsTheRows() throws Exception {
    CheckpointedStore store = open(new CrashingDisk());
    Sites.at(
        "looking",
        () -> {
          throw new OutOfMemoryError("planted");
        });
    RowKeeper keeper = store.keeper();
    try {
      Sites.awaitPassed("looking");
      keeper.close(); // waits for its end
      assertNotNull(store.transactions().failure(), "the store goes on without its thread");
      assertThrows(StoreFailedException.class, () -> store.put(KEY, NEW));
    } finally {
      keeper.close();
      store.abandon();
    }
  }

  /** A page that a failed flush has noted is in no queue, so no later checkpoint would write it. */
  @RuleTest(
      rule = 24,
      sites = @Site(name = "appended", in = "io.bg3.core.tree.PageFlush", method = "settle"),
      twins =
          @Twin(
              name = "a checkpoint goes on behind a flush that failed",
              in = "io.bg3.core.recovery.RowLock",
              method = "requireNoFailure",
              without = "CheckpointSource.failure"))
  void noCheckpointGoesOnBehindAFailure() throws Exception {
    for (boolean inCheckpoint : new boolean[] {true, false}) {
      CrashingDisk disk = new CrashingDisk();
      CheckpointedStore store = open(disk);
      store.put(KEY, OLD);
      store.checkpoint();
      store.put(KEY, NEW);
      Sites.at(
          "appended",
          () -> {
            throw new OutOfMemoryError("planted");
          });
      assertThrows(
          OutOfMemoryError.class, inCheckpoint ? store::checkpoint : () -> store.flush(ALL));
      Sites.requirePassed("appended");
      try {
        store.checkpoint();
      } catch (StoreFailedException e) {
        // as it should
      }
      store.abandon();
      assertArrayEquals(NEW, afterCut(disk, KEY, 1));
    }
  }

  @RuleTest(
      rule = 24,
      sites =
          @Site(
              name = "noted",
              in = "io.bg3.core.tree.PageFlush",
              method = "write(Lio/bg3/core/tree/NotedPages;Lio/bg3/core/tree/PageFlush$Result;)V"),
      twins =
          @Twin(
              name = "a page that changed while it was flushed waits for no further flush",
              in = "io.bg3.core.tree.PageFlush",
              method = "settle",
              without = "Tree.addDirty"))
  void aPageThatChangesWhileItIsFlushedIsFlushedAgain() throws Exception {
    for (boolean inCheckpoint : new boolean[] {true, false}) {
      CrashingDisk disk = new CrashingDisk();
      CheckpointedStore store = open(disk);
      store.put(KEY, OLD);
      Sites.at("noted", () -> store.put(KEY, NEW));
      if (inCheckpoint) {
        store.checkpoint();
      } else {
        store.flush(ALL);
      }
      Sites.requirePassed("noted");
      store.checkpoint();
      store.abandon();
      assertArrayEquals(NEW, afterCut(disk, KEY, 1), "in a checkpoint: " + inCheckpoint);
    }
  }

  // ---- Nothing is flushed between the noting and the manifest (R24).

  @RuleTest(
      rule = 24,
      sites =
          @Site(
              name = "before the rows",
              in = "io.bg3.core.recovery.Checkpointer",
              method = "take",
              before = "NextManifest.appendRows"),
      twins =
          @Twin(
              name = "pages are flushed while a checkpoint is between its notes and its manifest",
              in = "io.bg3.core.recovery.RowLock",
              method = "hold",
              without = {"ReentrantLock.lock", "ReentrantLock.unlock"}))
  void aManifestNamesNoImageThatIsNewerThanItsNotes() throws Exception {
    for (int seed = 0; seed < SEEDS; seed++) {
      CrashingDisk disk = new CrashingDisk();
      CheckpointedStore store = open(disk, Durability.NONE);
      putBoth(store, OLD, OLD);
      Sites.Other other =
          Sites.meanwhile(
              "before the rows",
              () -> {
                putBoth(store, KEY, NEW);
                store.flush(1);
              });
      store.checkpoint();
      Sites.requirePassed("before the rows");
      other.join();
      CrashingDisk rest = disk.crash(new Random(seed));
      store.abandon();
      try (CheckpointedStore reopened = open(rest, Durability.NONE)) {
        reopened.put(OLD, OLD); // with a stamp above that of what the cut has left
        byte[] one = reopened.get(KEY);
        byte[] two = reopened.get(TreeIds.EXTERNAL_IDS, KEY);
        assertEquals(one == null, two == null, "half of a commit");
      }
    }
  }

  private static void putBoth(CheckpointedStore store, byte[] key, byte[] value) {
    store.commit(
        both -> {
          both.put(TreeIds.VERTICES, key, value);
          both.put(TreeIds.EXTERNAL_IDS, key, value);
        });
  }

  // ---- A check holds off nobody for long (R24).

  @RuleTest(
      rule = 24,
      sites = {
        @Site(name = "reads", in = "io.bg3.core.tree.TreeChecker", method = "checkLeaf"),
        @Site(name = "rows", in = "io.bg3.core.recovery.StoreCheck", method = "readNamed")
      },
      twins =
          @Twin(
              name = "a check keeps flushes off until its end",
              in = "io.bg3.core.recovery.RowLock",
              method = "look",
              without = "ReentrantLock.unlock"))
  void aFlushWaitsForOneSliceOfACheckAtMost() throws Exception {
    try (CheckpointedStore store = open(new CrashingDisk())) {
      for (int i = 0; i < 600; i++) {
        store.put(key(i), new byte[i % 50 == 0 ? 100 : 40]);
      }
      store.checkpoint();
      store.evict();
      store.put(key(500), NEW);
      Sites.Other other = Sites.meanwhile("reads", () -> assertEquals(1, store.flush(ALL)));
      int[] flushed = new int[1];
      Sites.at("rows", () -> flushed[0] = store.named().count());
      assertEquals(List.of(), store.check());
      Sites.requirePassed("reads");
      Sites.requirePassed("rows");
      assertEquals(1, flushed[0], "pages that were flushed before the check has ended");
      other.join();
    }
  }

  /** Damaged leaves count in a slice, and the values of one leaf may take several. */
  @RuleTest(
      rule = 24,
      sites = @Site(name = "slice", in = "io.bg3.core.tree.TreeChecker", method = "slice"),
      twins = {
        @Twin(
            name = "a check reads all damaged leaves in one slice",
            in = "io.bg3.core.tree.TreeChecker",
            method = "visitStored",
            without = "TreeChecker.end"),
        @Twin(
            name = "a check reads all values of a leaf in one slice",
            in = "io.bg3.core.recovery.StoreCheck",
            method = "next",
            without = "StoreCheck.hasTime",
            result = 1)
      })
  void aSliceOfACheckIsShortWhateverItReads() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    try (CheckpointedStore store = open(disk)) {
      int[] slices = new int[1];
      Sites.always("slice", () -> slices[0]++);
      store.check();
      int few = slices[0];
      for (int i = 0; i < 6; i++) {
        store.put(key(i), new byte[900_000]);
      }
      store.checkpoint();
      slices[0] = 0;
      assertEquals(List.of(), store.check());
      assertTrue(slices[0] >= few + 2, "5 MB in slices: " + (slices[0] - few));
      for (int i = 0; i < 600; i++) {
        store.put(key(100 + i), new byte[40]);
      }
      store.checkpoint();
      store.evict();
      for (String name : disk.list()) {
        for (int at = 100; name.startsWith("extent-base"); at += 200) {
          try {
            disk.flipBit(name, 8L * at);
          } catch (IllegalArgumentException e) {
            break; // behind its end
          }
        }
      }
      slices[0] = 0;
      int damaged = store.check().size();
      assertTrue(damaged > 60, "damaged leaves: " + damaged);
      assertTrue(slices[0] >= few + damaged / 32 - 1, damaged + " in slices: " + slices[0]);
    }
  }

  // ---- Which images are garbage (R24).

  @RuleTest(
      rule = 24,
      twins = {
        @Twin(
            name = "an image that the last manifest names is given up by a flush",
            in = "io.bg3.core.recovery.FlushResult",
            method = "supersede",
            without = "FlushResult.isNamed"),
        @Twin(
            name = "an image that no manifest has named is kept when it is superseded",
            in = "io.bg3.core.recovery.FlushResult",
            method = "supersede",
            without = "ExtentStore.release"),
        @Twin(
            name = "the images that the last manifest named are kept behind the next one",
            in = "io.bg3.core.recovery.Checkpointer",
            method = "take",
            without = "NextManifest.supersededImages",
            instead = "nothing")
      })
  void anImageIsKeptWhileTheTableOrAManifestNamesIt() throws Exception {
    try (CheckpointedStore store = open(new CrashingDisk())) {
      for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 60; i++) {
          store.put(key(i), new byte[40]);
        }
        assertNull(wrongUsage(store));
        for (int flush = 0; flush < 3; flush++) { // deltas and bases
          for (int i = flush; i < 20; i += 7 - 3 * flush) {
            store.put(key(i), new byte[30 + flush]);
          }
          store.flush(ALL);
          assertNull(wrongUsage(store));
        }
        store.checkpoint();
        assertNull(wrongUsage(store));
      }
    }
  }

  static List<Long> nothing(NextManifest of) {
    assertNotNull(of);
    return new ArrayList<>();
  }

  /** The live bytes of BASE and DELTA and the right number, as a text; null if they are equal. */
  static String wrongUsage(CheckpointedStore store) {
    PageTable table = store.opened().space().table();
    long wanted = 0;
    for (int page = 1; page < table.end(); page++) {
      PageRow now = table.row(page);
      PageRow named = store.named().named(page);
      LongStream images = now.locations().mapToLong(Long::longValue);
      if (named != null) {
        LongStream old = named.locations().mapToLong(Long::longValue);
        images = LongStream.concat(images, old.filter(location -> !now.names(location)));
      }
      wanted += images.map(Location::bytes).sum();
    }
    long live = 0;
    for (ExtentUsage usage : store.opened().extents().usage()) {
      if (usage.stream() == Stream.BASE || usage.stream() == Stream.DELTA) {
        live += usage.live();
      }
    }
    return live == wanted ? null : "live=" + live + ", wanted=" + wanted;
  }

  // ---- Large values (R7).

  @RuleTest(
      rule = 7,
      sites =
          @Site(
              name = "applied",
              in = "io.bg3.core.transaction.Committer",
              method = "commitOrFail",
              before = "ValueStore.markWritten"),
      twins =
          @Twin(
              name = "a value that an image has referred to is taken for one that none ever did",
              in = "io.bg3.core.keyspace.ValueStore",
              method = "takeWritten",
              without = "Set.remove",
              result = 1))
  void aValueIsGivenUpOnceThoughItsCommitIsSlow() throws Exception {
    try (CheckpointedStore store = open(new CrashingDisk())) {
      store.put(key(1), LARGE); // so that there is another value in the extent
      Sites.at(
          "applied",
          () -> {
            try {
              store.flush(ALL);
              store.put(key(2), OLD); // so that the other commit is visible
              for (int i = 0; i < 8; i++) { // until the leaf is consolidated
                store.put(KEY, OLD);
              }
              store.checkpoint();
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          });
      store.put(KEY, LARGE);
      Sites.requirePassed("applied");
      try {
        store.checkpoint();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("the value has been released twice", e);
      }
      assertArrayEquals(LARGE, store.get(key(1)));
      assertEquals(1, valueRecords(store));
    }
  }

  private static long valueRecords(CheckpointedStore store) {
    return store.opened().extents().usage().stream()
        .filter(usage -> usage.stream() == Stream.VALUE)
        .mapToLong(ExtentUsage::liveRecords)
        .sum();
  }
}
