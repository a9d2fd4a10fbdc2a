package io.bg3.core.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.LargeValueLocations;
import io.bg3.core.table.PageRow;
import io.bg3.storage.extent.ExtentSettings;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.file.MemoryDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Replaces the blocks of a page that waits for its flush many times and counts what memory holds:
 * the noted block and its base are kept, and nothing that came after them.
 */
class NotedPagesTest {
  private static final byte[] HOT = "hot".getBytes(StandardCharsets.UTF_8);
  private static final int FEW = 50;
  private static final int MANY = 5_000;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5}) // the noted block is a base, or a delta over one
  void aNotedPageKeepsTheNotedBlockAndItsBaseAlone(int noted) throws IOException {
    try (TreeHarness harness = new TreeHarness(TreeKind.BYTES, 4_096, 4);
        ExtentStore extents =
            ExtentStore.open(new MemoryDisk(), ExtentSettings.of(1, 64 << 10), List.of())) {
      long stamp = write(harness, 0, 8);
      harness.tree.settle(harness.tree.root(), Horizon.at(stamp));
      stamp = write(harness, stamp, noted);
      byte[] wanted = harness.actual(HOT, stamp);
      NotedPages pages = new NotedPages();
      harness.tree.shape.note(pages);
      assertEquals(1, pages.count());

      stamp = write(harness, stamp, FEW);
      long few = used(harness);
      long appliedFew = stamp;
      stamp = write(harness, stamp, MANY);
      assertEquals(appliedFew + MANY, stamp);
      assertTrue(used(harness) <= few + 4_096, "few=" + few + ", many=" + used(harness));

      NavigableMap<Integer, long[]> rows = flush(harness, extents, pages, stamp);
      try (TreeHarness stored =
          new TreeHarness(harness, TreeKind.BYTES, rows, extents, Long.MAX_VALUE - 1)) {
        assertArrayEquals(wanted, stored.actual(HOT, Long.MAX_VALUE - 1));
      }
      assertArrayEquals(harness.expected(HOT, stamp), harness.actual(HOT, stamp));
      assertEquals(List.of(), harness.problems());
      assertTrue(used(harness) <= few + 4_096, "few=" + few + ", flushed=" + used(harness));
    }
  }

  private static NavigableMap<Integer, long[]> flush(
      TreeHarness harness, ExtentStore extents, NotedPages pages, long stamp) throws IOException {
    NavigableMap<Integer, long[]> rows = new TreeMap<>();
    PageFlush.Result result =
        new PageFlush.Result() {
          @Override
          public void stored(int page, PageRow old, PageRow now, LargeValueLocations references) {
            rows.put(page, new long[] {now.base(), now.delta()});
          }
        };
    new PageFlush(harness.space, extents, Horizon.at(stamp)).write(pages, result);
    return rows;
  }

  private static long write(TreeHarness harness, long stamp, int times) {
    long last = stamp;
    for (int i = 0; i < times; i++) {
      NavigableMap<byte[], byte[]> batch = new TreeMap<>(Arrays::compareUnsigned);
      batch.put(HOT, Long.toString(++last).getBytes(StandardCharsets.UTF_8));
      harness.write(batch, last);
      harness.settle(Horizon.at(last));
    }
    return last;
  }

  /** Bytes of blocks that are in use or kept, without those that wait for readers to leave. */
  private static long used(TreeHarness harness) {
    harness.epochs.awaitQuiescence();
    return harness.memory.used() - harness.epochs.pending();
  }
}
