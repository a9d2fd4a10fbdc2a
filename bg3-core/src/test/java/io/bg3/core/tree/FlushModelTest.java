package io.bg3.core.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.LargeValueLocations;
import io.bg3.core.table.PageRow;
import io.bg3.core.table.PageTable;
import io.bg3.storage.extent.ExtentSettings;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.file.MemoryDisk;
import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.Epochs;
import io.bg3.storage.memory.MemoryBudget;
import io.bg3.testing.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Flushes a tree again and again with writes in between and while it is being flushed, loads the
 * stored images into a second tree after each flush, and expects there what the first held when its
 * pages were noted (R3).
 *
 * <p>The writes "while it is being flushed" come between the noting of the pages and the writing of
 * their images: every interleaving of a writer with a flush is one of those. Two broken twins of
 * the flush show that the comparison can fail.
 */
class FlushModelTest {
  /** Makes a flush, the right one or a broken twin. */
  private interface FlushMaker {
    PageFlush make(TreeSpace space, ExtentStore extents);
  }

  static LongStream seeds() {
    return Seeds.of(20);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatWasNotedIsWhatIsLoaded(long seed) throws IOException {
    String difference = run(seed, (space, extents) -> new PageFlush(space, extents, horizon()));
    assertEquals(null, difference, "-Dbg3.seed=" + seed);
  }

  @Test
  void aFlushThatPublishesOverANewerBlockIsFound() throws IOException {
    assertFound(
        (space, extents) ->
            new PageFlush(space, extents, horizon()) {
              @Override
              boolean isStillNoted(long block, NotedPages.Noted noted) {
                return block != PageTable.DEAD;
              }
            });
  }

  @Test
  void aSplitPageThatIsKeptOnItsOldBaseIsFound() throws IOException {
    assertFound(
        (space, extents) ->
            new PageFlush(space, extents, horizon()) {
              @Override
              boolean needsBase(NotedPages.Noted noted) {
                return space.table.base(noted.page()) == 0;
              }

              @Override
              boolean isLargeDelta(NotedPages.Noted noted) {
                return false;
              }
            });
  }

  private static void assertFound(FlushMaker twin) throws IOException {
    for (long seed = 1; seed <= 50; seed++) {
      if (run(seed, twin) != null) {
        return;
      }
    }
    assertTrue(false, "the broken twin passed 50 runs");
  }

  private static Horizon horizon() {
    return new Horizon(Long.MAX_VALUE - 1, Long.MAX_VALUE - 1, new long[0]);
  }

  /** The first difference between what was noted and what is loaded, null if there is none. */
  private static String run(long seed, FlushMaker maker) throws IOException {
    Random random = new Random(seed);
    int keys = 20 + random.nextInt(600);
    int deletes = random.nextInt(100);
    Map<Integer, long[]> rows = new HashMap<>();
    try (TreeHarness harness = new TreeHarness(TreeKind.BYTES, 512, 1 + random.nextInt(8));
        ExtentStore extents =
            ExtentStore.open(new MemoryDisk(), ExtentSettings.of(1, 64 << 10), List.of())) {
      long stamp = 0;
      for (int flush = 0; flush < 12; flush++) {
        for (int i = random.nextInt(20); i >= 0; i--) {
          write(harness, random, keys, deletes, ++stamp);
        }
        NotedPages noted = new NotedPages();
        harness.tree.shape.note(noted);
        NavigableMap<byte[], byte[]> expected = harness.expected(null, null, stamp);
        for (int i = random.nextInt(4); i > 0; i--) {
          write(harness, random, keys, deletes, ++stamp);
        }
        noted.removed().forEach(rows::remove);
        maker.make(harness.space, extents).write(noted, new Rows(rows));
        String difference = compare(harness.tree.root(), rows, extents, expected);
        if (difference != null) {
          return "flush " + flush + ": " + difference;
        }
      }
      assertEquals(List.of(), harness.problems(), "-Dbg3.seed=" + seed);
      return null;
    }
  }

  private static void write(TreeHarness harness, Random random, int keys, int deletes, long stamp) {
    NavigableMap<byte[], byte[]> batch = new TreeMap<>(Arrays::compareUnsigned);
    for (int i = 1 + random.nextInt(12); i > 0; i--) {
      byte[] key =
          String.format("k%05d", random.nextInt(keys))
              .getBytes(java.nio.charset.StandardCharsets.UTF_8);
      byte[] value = new byte[1 + random.nextInt(30)];
      random.nextBytes(value);
      batch.put(key, random.nextInt(100) < deletes ? null : value);
    }
    harness.write(batch, stamp);
    harness.settle(new Horizon(stamp, stamp, new long[0]));
  }

  private static String compare(
      int root,
      Map<Integer, long[]> rows,
      ExtentStore extents,
      NavigableMap<byte[], byte[]> expected)
      throws IOException {
    MemoryBudget budget = new MemoryBudget(256 << 20, "bg3.memory.budget");
    try (BlockMemory memory = new BlockMemory(budget);
        Epochs epochs = new Epochs()) {
      PageTable table = new PageTable(budget);
      TreeSpace space = new TreeSpace(table, memory, epochs, 512, 10);
      for (Map.Entry<Integer, long[]> row : rows.entrySet()) {
        table.grow(row.getKey() + 1);
        table.open(row.getKey(), row.getValue()[0], row.getValue()[1], Long.MAX_VALUE - 1);
      }
      space.loadBy(new PageLoader(space, extents, Long.MAX_VALUE - 1, (page, references) -> {}));
      Tree tree = Tree.open(space, 7, TreeKind.BYTES, root);
      List<String> problems = tree.check((page, references) -> {}).problems();
      if (!problems.isEmpty()) {
        return problems.toString();
      }
      List<String> loaded = new ArrayList<>();
      byte[] from = null;
      do {
        var page = tree.newEntries();
        from = tree.copyForward(from, null, Long.MAX_VALUE, true, Integer.MAX_VALUE, page);
        for (int i = 0; i < page.count(); i++) {
          loaded.add(text(page.key(i), page.value(i)));
        }
      } while (from != null);
      List<String> wanted = new ArrayList<>();
      expected.forEach((key, value) -> wanted.add(text(key, value)));
      return wanted.equals(loaded) ? null : "wanted " + wanted.size() + ", loaded " + loaded.size();
    }
  }

  private static String text(byte[] key, byte[] value) {
    return Arrays.toString(key) + "=" + Arrays.toString(value);
  }

  private record Rows(Map<Integer, long[]> rows) implements PageFlush.Result {
    @Override
    public void stored(int page, PageRow old, PageRow now, LargeValueLocations references) {
      rows.put(page, new long[] {now.base(), now.delta()});
    }
  }
}
