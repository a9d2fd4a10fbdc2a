package io.bg3.core.recovery;

import static java.util.Comparator.comparing;
import static java.util.Comparator.comparingInt;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.table.PageRow;
import io.bg3.core.table.PageTable;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.extent.ExtentRecord;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.extent.ExtentUsage;
import io.bg3.storage.extent.Location;
import io.bg3.storage.extent.Stream;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.format.UnreadableException;
import io.bg3.storage.manifest.ManifestFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Moving images between two checkpoints: what it changes, and what it may not (R24).
 *
 * <p>Takes about 15 s, because each fault needs a store with garbage of its own: it proves that
 * reclaiming loses no image and frees each one once.
 */
class ReclaimRulesTest {
  private static final int KEYS = 2_000;

  private static ReclaimedStore fragmented(CrashingDisk disk) throws IOException {
    return ReclaimedStore.fragmented(disk, KEYS);
  }

  /** The content of the store after a power cut. */
  private static void checkAfterCut(CrashingDisk disk, ReclaimedStore before, int seed)
      throws IOException {
    ReclaimedStore after = ReclaimedStore.open(disk.crash(new Random(seed)), 1.1, before.model);
    try {
      after.check(KEYS, "after the cut, seed " + seed);
    } finally {
      after.store.abandon();
    }
  }

  // ---- What becomes of the extents.

  static long appendFresh(ExtentStore extents, ExtentRecord image) throws IOException {
    return extents.append(Stream.BASE, image.kind(), image.key(), image.payload());
  }

  @RuleTest(
      rule = 24,
      twins = {
        @Twin(
            name = "copies of images lie between new images",
            in = "io.bg3.core.recovery.ImageMover",
            method = "copied",
            without = "ExtentStore.appendMoved",
            instead = "appendFresh"),
        @Twin(
            name = "the row of a page names what was copied",
            in = "io.bg3.core.recovery.ImageMover",
            method = "move",
            without = "PageTable.store"),
        @Twin(
            name = "a page whose images were copied is not in the next manifest",
            in = "io.bg3.core.recovery.FlushResult",
            method = "moves",
            without = "NamedRows.changes")
      })
  void extentsWithMuchGarbageGoWithTheNextManifest() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    ReclaimedStore reclaimed = fragmented(disk);
    long before = reclaimed.written();
    List<Integer> old = reclaimed.usage().stream().map(ExtentUsage::extent).toList();
    reclaimed.reclaimRound();
    reclaimed.check(KEYS, "before the manifest");
    assertTrue(reclaimed.store.freesSpace(), "a checkpoint is due");
    assertTrue(reclaimed.usage().stream().map(ExtentUsage::extent).toList().containsAll(old));
    reclaimed.store.checkpoint();
    assertTrue(reclaimed.written() < before, before + " bytes, then " + reclaimed.written());
    assertTrue(reclaimed.usage().stream().anyMatch(ExtentUsage::moved), "extents of copies");
    reclaimed.settle();
    assertTrue(
        reclaimed.written() <= 1.1 * reclaimed.live() + 4 * ReclaimedStore.EXTENT,
        reclaimed.written() + " for " + reclaimed.live());
    reclaimed.check(KEYS, "behind the manifest");
    reclaimed.store.evict();
    reclaimed.check(KEYS, "loaded from the copies");
    reclaimed.store.abandon();
    for (int seed = 0; seed < 4; seed++) {
      checkAfterCut(disk, reclaimed, seed);
    }
  }

  /** So small images are read many at once. */
  @Test
  void imagesOfAnExtentAreCopiedInTheOrderInWhichTheyLie() throws Exception {
    ReclaimedStore reclaimed = fragmented(new CrashingDisk());
    reclaimed.put(0, KEYS, 3, k -> k % 11 == 0);
    reclaimed.store.checkpoint(); // many pages have a delta
    reclaimed.put(0, KEYS, 4, k -> k % 50 < 40 && k % 10 == 5);
    reclaimed.store.checkpoint();
    PageTable table = reclaimed.store.opened().space().table();
    List<PageRow> before = rows(table);
    reclaimed.reclaimRound();
    List<PageRow> after = rows(table);
    List<Integer> bases = copiedInOrder(before, after, PageRow::base);
    List<Integer> both = new ArrayList<>(copiedInOrder(before, after, PageRow::delta));
    both.retainAll(bases);
    assertTrue(bases.size() > 20, "copied bases: " + bases);
    assertTrue(both.size() > 2, "pages of which both images were copied: " + both);
    reclaimed.store.abandon();
  }

  private static List<PageRow> rows(PageTable table) {
    return IntStream.range(1, table.end()).mapToObj(table::row).toList();
  }

  /** The indexes of the rows whose image was copied, which lie as they did before. */
  private static List<Integer> copiedInOrder(
      List<PageRow> before, List<PageRow> after, ToLongFunction<PageRow> image) {
    List<Integer> moved =
        IntStream.range(0, before.size())
            .filter(i -> image.applyAsLong(before.get(i)) != image.applyAsLong(after.get(i)))
            .boxed()
            .toList();
    List<Integer> copied = new ArrayList<>(moved);
    copied.sort(comparing(i -> image.applyAsLong(after.get(i)), Long::compareUnsigned));
    List<Integer> inPlace = new ArrayList<>(moved);
    inPlace.sort(
        comparingInt((Integer i) -> -Location.extent(image.applyAsLong(before.get(i))))
            .thenComparing(i -> Location.offset(image.applyAsLong(before.get(i)))));
    assertNotEquals(moved, inPlace, "the order of the rows is another one");
    assertEquals(inPlace, copied);
    return moved;
  }

  /** Images that a flush has written, and no manifest named, are copied like the others. */
  @RuleTest(
      rule = 24,
      twins = {
        @Twin(
            name = "an image that the last manifest names goes when it has been copied",
            in = "io.bg3.core.recovery.FlushResult",
            method = "supersede",
            without = "FlushResult.isNamed"),
        @Twin(
            name = "an image that no manifest has named is kept when it has been copied",
            in = "io.bg3.core.recovery.ImageMover",
            method = "move",
            without = "FlushResult.moved")
      })
  void whatTheLastManifestNamesIsThereUntilTheNext() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    ReclaimedStore reclaimed = fragmented(disk);
    reclaimed.reclaimRound();
    reclaimed.check(KEYS, "copies of images that a manifest names");
    reclaimed.store.checkpoint();
    for (int i = 0; i < 4; i++) { // the last ones leave garbage in extents that none names
      int residue = i;
      reclaimed.put(0, KEYS, 3 + i, k -> residue == 0 || k / 20 % 4 == residue);
      reclaimed.store.flush(Integer.MAX_VALUE);
    }
    long moved = reclaimed.store.opened().extents().movedBytes(Stream.BASE);
    reclaimed.reclaimRound();
    assertNotEquals(moved, reclaimed.store.opened().extents().movedBytes(Stream.BASE));
    reclaimed.check(KEYS, "copies of images that none names");
    reclaimed.store.abandon();
    for (int seed = 0; seed < 4; seed++) {
      checkAfterCut(disk, reclaimed, seed);
    }
  }

  @Test
  void theManifestCountsTheBytesThatWereMoved() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    ReclaimedStore reclaimed = fragmented(disk);
    reclaimed.reclaimRound();
    long moved = reclaimed.store.opened().extents().movedEver();
    assertEquals(reclaimed.store.opened().extents().movedBytes(Stream.BASE), moved);
    assertNotEquals(0, moved);
    reclaimed.store.checkpoint();
    reclaimed.store.abandon();
    Checkpoint named =
        Checkpoint.decode(ManifestFile.read(disk).orElseThrow().payload(), ManifestFile.NAME);
    assertEquals(moved, named.moved());
    assertEquals(named, Checkpoint.decode(named.encode(), ManifestFile.NAME));
    ByteBuffer earlier = named.encode().putInt(0, 7); // without the last field
    earlier.limit(earlier.limit() - Long.BYTES);
    assertEquals(0, Checkpoint.decode(earlier, ManifestFile.NAME).moved());
    ReclaimedStore after = ReclaimedStore.open(disk, 1.1, reclaimed.model);
    assertEquals(moved, after.store.opened().extents().movedEver());
    after.store.abandon();
  }

  // ---- What others do meanwhile.

  @RuleTest(
      rule = 24,
      sites = {
        @Site(
            name = "read",
            in = "io.bg3.core.recovery.ImageMover",
            method = "copied",
            before = "ExtentStore.appendMoved"),
        @Site(
            name = "copied",
            in = "io.bg3.core.recovery.ImageMover",
            method = "move",
            before = "FlushResult.moves"),
        @Site(
            name = "changed",
            in = "io.bg3.core.recovery.ImageMover",
            method = "move",
            before = "FlushResult.moved")
      },
      twins =
          @Twin(
              name = "images of a page are copied while it is noted",
              in = "io.bg3.core.recovery.RowLock",
              method = "hold",
              without = {"ReentrantLock.lock", "ReentrantLock.unlock"}))
  void pagesChangeSplitAndComeAndGoWhileTheirImagesAreCopied() throws Exception {
    for (String site : List.of("read", "copied", "changed")) {
      CrashingDisk disk = new CrashingDisk();
      ReclaimedStore reclaimed = fragmented(disk);
      reclaimed.store.evict();
      Sites.Other checkpoint =
          Sites.meanwhile(
              site,
              () -> {
                reclaimed.put(0, KEYS, 4, k -> k % 3 == 0); // loads
                reclaimed.put(KEYS, 2 * KEYS, 4, k -> k % 2 == 0); // splits
                reclaimed.delete(100, 300, k -> true);
                reclaimed.store.evict();
                reclaimed.store.checkpoint(); // waits for the slice
              });
      reclaimed.reclaimRound();
      Sites.requirePassed(site);
      checkpoint.join();
      reclaimed.check(2 * KEYS, site);
      reclaimed.settle();
      reclaimed.store.checkpoint();
      reclaimed.store.evict();
      reclaimed.check(2 * KEYS, site);
      reclaimed.store.abandon();
      checkAfterCut(disk, reclaimed, 1);
    }
  }

  /** The thread has read the row, and not the images, when they are copied and their extents go. */
  @RuleTest(
      rule = 24,
      sites =
          @Site(
              name = "row",
              in = "io.bg3.core.tree.ImageReader",
              method = "read",
              before = "ImageReader.images"),
      twins =
          @Twin(
              name = "a page whose images were copied while it was loaded is damaged",
              in = "io.bg3.core.tree.ImageReader",
              method = "read",
              without = "PageRow.equals",
              result = 1))
  void aPageIsLoadedThoughItsImagesMoveMeanwhile() throws Exception {
    for (int key = 10; key < KEYS; key += 300) { // not all pages are moved
      loadWhileMoving(key);
    }
  }

  private static void loadWhileMoving(int key) throws IOException {
    ReclaimedStore reclaimed = ReclaimedStore.open(new CrashingDisk(), 1.1, Map.of());
    reclaimed.put(0, KEYS, 1, k -> true);
    reclaimed.store.checkpoint();
    reclaimed.store.evict();
    Sites.at(
        "row",
        () -> {
          try {
            reclaimed.put(0, KEYS, 3, k -> k % 100 >= 20);
            reclaimed.store.checkpoint();
            reclaimed.settle(); // of the old extents a fifth is live
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    try {
      reclaimed.read(key);
    } catch (UnreadableException e) {
      throw new AssertionError("taken for damaged", e);
    }
    Sites.requirePassed("row");
    reclaimed.check(KEYS, "loaded meanwhile");
    reclaimed.store.abandon();
  }

  // ---- Copying is optional.

  static ExtentRecord readOrFail(ImageMover mover, int page, long location) throws IOException {
    throw new IOException(
        "Input/output error: page=" + page + ", more=" + mover.hasMore() + ", " + location);
  }

  @RuleTest(
      rule = 24,
      twins =
          @Twin(
              name = "an image that cannot be read ends the writing of the store",
              in = "io.bg3.core.recovery.ImageMover",
              method = "copied",
              without = "ImageMover.read",
              instead = "readOrFail"))
  void anImageThatCannotBeReadKeepsItsExtentAndNothingElse() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    ReclaimedStore reclaimed = fragmented(disk);
    List<Long> damaged = damage(disk, reclaimed);
    try {
      reclaimed.settle();
    } catch (IOException e) {
      throw new AssertionError("the store is stopped", e);
    }
    assertNull(reclaimed.store.transactions().failure());
    assertTrue(
        reclaimed.store.checkpointer().reclaiming().unreadableExtents() > 0, "none was read");
    assertEquals(
        damaged.size(), reclaimed.store.check().size(), "the images are still where they were");
    long rounds = reclaimed.store.checkpointer().reclaiming().rounds();
    for (int i = 0; i < 5; i++) {
      reclaimed.store.checkpoint();
      reclaimed.reclaimRound();
    }
    long more = reclaimed.store.checkpointer().reclaiming().rounds() - rounds;
    assertTrue(more <= 1, "rounds that can free nothing: " + more);
    reclaimed.store.abandon();
  }

  /** Flips a bit of the base of every fiftieth page; says where. */
  private static List<Long> damage(CrashingDisk disk, ReclaimedStore reclaimed) {
    reclaimed.store.evict();
    PageTable table = reclaimed.store.opened().space().table();
    List<Long> bases =
        IntStream.range(1, table.end())
            .filter(page -> page % 50 == 20 && table.base(page) != 0)
            .mapToObj(table::base)
            .toList();
    for (long base : bases) {
      long extent = base >>> 32;
      long offset = (base >>> 8 & 0xFFFFFF) * 8;
      disk.flipBit(String.format("extent-base-%08x", extent), 8 * (offset + 40));
    }
    return bases;
  }

  @RuleTest(
      rule = 24,
      twins = {
        @Twin(
            name = "copies take the last space of a disk",
            in = "io.bg3.core.recovery.Reclaimer",
            method = "slice",
            without = "Reclaimer.hasRoom",
            result = 1),
        @Twin(
            name = "a round that has freed nothing is followed by the next one at once",
            in = "io.bg3.core.recovery.Reclaimer",
            method = "checkpointed",
            without = "Reclaimer.rest")
      })
  void nothingIsCopiedToADiskThatIsNearlyFull() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    ReclaimedStore reclaimed = fragmented(disk);
    long used = reclaimed.store.opened().space().table().budget().used();
    disk.answerUsable(used + 5 * ReclaimedStore.EXTENT);
    long appended = reclaimed.store.opened().extents().movedBytes(Stream.BASE);
    reclaimed.store.checkpoint();
    for (int i = 0; i < 20; i++) {
      reclaimed.reclaimRound();
      assertEquals(
          appended, reclaimed.store.opened().extents().movedBytes(Stream.BASE), "bytes copied");
      assertTrue(i > 0 || !reclaimed.store.freesSpace(), "a checkpoint takes space too");
      reclaimed.store.checkpoint();
    }
    long rounds = reclaimed.store.checkpointer().reclaiming().rounds();
    assertTrue(rounds <= 12, "rounds that freed nothing, with 20 checkpoints: " + rounds);
    disk.answerUsable(Long.MAX_VALUE);
    reclaimed.put(0, KEYS, 5, k -> k % 2 == 0);
    reclaimed.store.checkpoint();
    reclaimed.settle();
    assertNotEquals(appended, reclaimed.store.opened().extents().movedBytes(Stream.BASE));
    reclaimed.check(KEYS, "with space again");
    reclaimed.store.abandon();
  }

  /** The disk says that there is space, and there is none. */
  @RuleTest(
      rule = 24,
      twins =
          @Twin(
              name = "a copy that does not fit on the disk ends the writing of the store",
              in = "io.bg3.storage.extent.ExtentWriter",
              method = "failed",
              without = "IoReason.isFull"))
  void aDiskThatIsFullEndsTheRoundAndNotTheStore() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    ReclaimedStore reclaimed = fragmented(disk);
    for (int operation = 1; operation <= 20; operation++) {
      disk.failAt(operation, CrashingDisk.Fault.ENOSPC, true);
      try {
        reclaimed.reclaimRound();
      } catch (IOException e) {
        throw new AssertionError("operation " + operation, e);
      }
      disk.heal();
      assertNull(reclaimed.store.transactions().failure(), "operation " + operation);
      assertNull(RowRulesTest.wrongUsage(reclaimed.store), "operation " + operation);
      int residue = operation % 5;
      reclaimed.put(0, KEYS, operation, k -> k / 10 % 5 == residue);
      reclaimed.store.checkpoint();
    }
    reclaimed.settle();
    reclaimed.check(KEYS, "with space again");
    reclaimed.store.abandon();
    checkAfterCut(disk, reclaimed, 2);
  }

  @RuleTest(
      rule = 24,
      twins =
          @Twin(
              name = "space that a checkpoint would free waits for the log",
              in = "io.bg3.core.recovery.Checkpointer",
              method = "freesSpace",
              without = "ManifestDemand.hasManyKeptImages"))
  void aCheckpointIsDueWhereOnlyTheLastManifestKeepsTheSpace() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    ReclaimedStore reclaimed = ReclaimedStore.open(disk, 1.5, Map.of());
    reclaimed.put(0, KEYS, 1, k -> true);
    reclaimed.store.checkpoint();
    reclaimed.put(0, KEYS, 2, k -> true);
    reclaimed.store.flush(Integer.MAX_VALUE);
    assertTrue(reclaimed.store.freesSpace(), "the old images are garbage with the next manifest");
    reclaimed.store.checkpoint();
    assertTrue(!reclaimed.store.freesSpace());
    reclaimed.settle();
    reclaimed.check(KEYS, "after the checkpoint");
    reclaimed.store.abandon();
  }
}
