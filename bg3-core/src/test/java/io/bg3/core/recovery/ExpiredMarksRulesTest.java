package io.bg3.core.recovery;

import static io.bg3.core.recovery.ExpiringStore.EXPIRES;
import static io.bg3.core.recovery.ExpiringStore.LARGE;
import static io.bg3.core.recovery.ExpiringStore.SMALL;
import static io.bg3.core.recovery.ExpiringStore.STAYS;
import static io.bg3.core.recovery.ExpiringStore.TTL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.Op;
import io.bg3.core.table.PageTable;
import io.bg3.core.tree.Tree;
import io.bg3.rules.RuleTest;
import io.bg3.rules.Site;
import io.bg3.rules.Sites;
import io.bg3.rules.Twin;
import io.bg3.storage.file.CrashingDisk;
import io.bg3.storage.memory.MemoryExceededException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Entries that have expired in leaves whose stored bases name large values. The extents have to
 * count each of these values until it is given up, which happens once.
 */
class ExpiredMarksRulesTest {
  private static final long OWNER = 1;
  private static final int ALL = Integer.MAX_VALUE;
  private static final int STAYING = 50;
  private static final int WITH_LARGE = 2; // edges that have a large value and nothing else

  /** A step that writes the leaf anew in memory when the small value has expired. */
  private interface Rewrite {
    void of(ExpiringStore store) throws IOException;
  }

  /** A store with one leaf, of which a base is stored that names three large values. */
  private static ExpiringStore stored(CrashingDisk disk) throws IOException {
    ExpiringStore store = ExpiringStore.open(disk);
    store.put(OWNER, STAYS, 0, STAYING, SMALL, 1);
    store.put(OWNER, EXPIRES, 0, 1 + WITH_LARGE, LARGE, 2);
    store.store.checkpoint();
    assertEquals(1 + WITH_LARGE, store.liveValues());
    return store;
  }

  /** As above, with a small value in place of one, which has been given up. */
  private static ExpiringStore hidden(CrashingDisk disk) throws IOException {
    ExpiringStore store = stored(disk);
    store.put(OWNER, EXPIRES, 0, 1, SMALL, 3);
    store.store.checkpoint();
    assertEquals(WITH_LARGE, store.liveValues());
    assertEquals(1, leavesWithMarks(store));
    return store;
  }

  /** Number of leaves with a stored delta whose next image may be another one. */
  private static long leavesWithMarks(ExpiringStore store) {
    PageTable table = store.store.opened().space().table();
    return IntStream.range(1, table.end())
        .filter(page -> table.delta(page) != 0 && !table.needsBase(page))
        .count();
  }

  /** Changes a few entries, so that the leaf is consolidated. */
  private static void consolidate(ExpiringStore store) {
    store.put(OWNER, STAYS, 0, 4, SMALL, 4);
  }

  private static void evict(ExpiringStore store) {
    assertTrue(store.store.evict() > 0, "the leaf is still in memory");
  }

  /** Compares the store with its model before and behind a load of the leaf, and a power cut. */
  private static void assertCounted(ExpiringStore store, CrashingDisk disk, int values)
      throws IOException {
    try {
      store.store.checkpoint();
      assertEquals(values, store.liveValues(), "large values that count");
      assertEquals(values, store.wantedValues(), "large values that the leaf refers to");
      evict(store);
      assertEquals(values, store.wantedValues(), "large values that the images refer to");
      store.put(OWNER, EXPIRES, 0, 1, SMALL, 5); // what is not counted would be given up once more
      store.store.checkpoint();
      store.compare("renewed");
      assertEquals(values, store.liveValues());
      ExpiringStore opened = store.reopened(disk.crash(new Random(1)));
      opened.compare("behind the cut");
      assertEquals(values, opened.liveValues());
      opened.close();
    } catch (IllegalStateException | IOException e) {
      throw new AssertionError("the store stops writing", e);
    } finally {
      store.close();
    }
  }

  @RuleTest(
      rule = 13,
      twins =
          @Twin(
              name = "an expired entry goes though it hides a large value of the stored base",
              in = "io.bg3.core.entry.Horizon",
              method = "lets",
              without = "Op.isUnstored"))
  void aLargeValueThatASmallOneHasReplacedIsGivenUpOnce() throws Exception {
    Map<String, Rewrite> rewrites = new TreeMap<>();
    rewrites.put("consolidated", ExpiredMarksRulesTest::consolidate);
    rewrites.put(
        "loaded",
        store -> {
          evict(store);
          store.put(OWNER, STAYS, 0, 1, SMALL, 4);
        });
    rewrites.put(
        "pruned by a flush", // of what only snapshots read
        store -> {
          store.put(OWNER, EXPIRES, 1, 2, LARGE, 6);
          store.store.flush(ALL);
          store.put(OWNER, STAYS, 0, 1, SMALL, 4);
        });
    rewrites.put(
        "rejoined",
        store -> {
          store.put(OWNER, EXPIRES, 1, 1 + WITH_LARGE, SMALL, 6);
          consolidate(store);
          store.store.evictValues();
          store.compare("rejoined");
        });
    List<String> failures = new ArrayList<>();
    for (Map.Entry<String, Rewrite> rewrite : rewrites.entrySet()) {
      CrashingDisk disk = new CrashingDisk();
      ExpiringStore store = hidden(disk);
      store.pass(TTL);
      try {
        rewrite.getValue().of(store);
        assertCounted(store, disk, rewrite.getKey().equals("rejoined") ? 0 : WITH_LARGE);
      } catch (AssertionError e) {
        failures.add(rewrite.getKey() + ": " + e.getMessage());
      }
    }
    assertEquals(List.of(), failures);
  }

  /** The small value is in no image before it expires. */
  @RuleTest(
      rule = 13,
      twins =
          @Twin(
              name = "an expired entry that is in no image goes though it hides a large value",
              in = "io.bg3.core.entry.EdgeEntries",
              method = "mayGo",
              without = "Horizon.lets",
              instead = "letsWhatIsSmall"))
  void aLargeValueIsGivenUpThoughTheSmallOneExpiresBeforeAFlush() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    ExpiringStore store = stored(disk);
    store.put(OWNER, EXPIRES, 0, 1, SMALL, 3);
    store.pass(TTL);
    consolidate(store);
    assertCounted(store, disk, WITH_LARGE);
  }

  static boolean letsWhatIsSmall(Horizon horizon, int tagLabel, long stamp, int op) {
    return horizon.lets(tagLabel, stamp, op & Op.LOCATION);
  }

  static Horizon same(Horizon horizon, boolean base) {
    return horizon;
  }

  /** Nothing depends on what the stored base holds. */
  @RuleTest(
      rule = 13,
      twins = {
        @Twin(
            name = "expired large values stay in a leaf whose next image is a base",
            in = "io.bg3.core.tree.Tree",
            method = "mergedForBase",
            without = "Horizon.forNext",
            instead = "same"),
        @Twin(
            name = "marked entries stay in a leaf whose next image is a base",
            in = "io.bg3.core.page.EdgeLeafFormat",
            method = "consolidated",
            without = "Horizon.forNext",
            instead = "same")
      })
  void aLeafWhoseNextImageIsABaseLosesAllThatHasExpired() throws Exception {
    for (boolean marked : new boolean[] {true, false}) {
      CrashingDisk disk = new CrashingDisk();
      ExpiringStore store = marked ? hidden(disk) : stored(disk);
      OpenedStore opened = store.store.opened();
      opened.space().table().markRebase(opened.forest().tree(OWNER).root());
      store.pass(TTL);
      for (int i = 0; i < 4; i++) { // one by one, so that the delta is consolidated
        store.put(OWNER, STAYS, i, i + 1, SMALL, 4);
      }
      assertCounted(store, disk, 0);
    }
  }

  /** The pieces of a leaf that is split get images of their own. */
  @RuleTest(
      rule = 13,
      twins = {
        @Twin(
            name = "the pieces of a leaf that is split keep what has expired",
            in = "io.bg3.core.page.LeafFormat",
            method =
                "pieces(Lio/bg3/core/entry/Entries;Lio/bg3/core/entry/Horizon;ZIZ)"
                    + "Lio/bg3/core/page/LeafPieces;",
            without = "Pruning.apply"),
        @Twin(
            name = "what has expired is copied to the pieces of a leaf that is split",
            in = "io.bg3.core.page.EdgeLeafFormat",
            method = {"pieces", "with"},
            without = "Horizon.forNewBase",
            instead = "asItIs")
      })
  void theLargeValuesOfALeafThatIsSplitAreGivenUpOnce() throws Exception {
    for (boolean marked : new boolean[] {true, false}) {
      CrashingDisk disk = new CrashingDisk();
      ExpiringStore store = marked ? hidden(disk) : stored(disk);
      store.pass(TTL);
      store.put(OWNER, STAYS, STAYING, 3 * STAYING, SMALL, 7);
      assertCounted(store, disk, 0);
    }
  }

  static Horizon asItIs(Horizon horizon) {
    return horizon;
  }

  static Entries baseIsNext(Tree tree, int page, long block, Horizon horizon) {
    Entries all = tree.format().mergedForNow(block, horizon.forNewBase());
    all.markAllUnstored();
    return all;
  }

  /** The base that was written names the values, and nothing says that another one follows. */
  @RuleTest(
      rule = 7,
      sites =
          @Site(
              name = "copies",
              in = "io.bg3.core.tree.PageFlush",
              method = "withoutMarks",
              before = "LeafFormat.withoutMarks"),
      twins =
          @Twin(
              name = "a leaf that was flushed loses large values that its base names",
              in = "io.bg3.core.tree.PageFlush",
              method = "prunedReferences",
              without = "Tree.mergedInMemory",
              instead = "baseIsNext"))
  void aLeafThatWasFlushedWithoutMemoryForACopyRefersToWhatItsBaseDoes() throws Exception {
    CrashingDisk disk = new CrashingDisk();
    ExpiringStore store = hidden(disk);
    store.pass(TTL);
    store.put(OWNER, STAYS, 0, STAYING, SMALL, 7);
    store.put(OWNER, STAYS, 0, 1, LARGE, 8);
    store.put(OWNER, STAYS, 0, 1, LARGE, 9); // only snapshots read the one before
    Sites.always(
        "copies",
        () -> {
          throw new MemoryExceededException("planted", "planted", 1, 1, 1);
        });
    store.store.checkpoint();
    Sites.requirePassed("copies");
    Sites.never("copies");
    assertCounted(store, disk, 1 + WITH_LARGE);
  }
}
