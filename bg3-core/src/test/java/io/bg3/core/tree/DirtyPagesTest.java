package io.bg3.core.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.table.PageTable;
import io.bg3.core.value.LargeValueCache;
import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.Epochs;
import io.bg3.storage.memory.MemoryBudget;
import org.junit.jupiter.api.Test;

/** How well {@link DirtyPages} tells the memory of pages whose sizes differ, or change. */
class DirtyPagesTest {
  private static final int CAPACITY = 16 << 10;
  private static final int SMALL = 1 << 10;

  /** Pages that are dirty. */
  private static final int PAGES = 1_000;

  /** The estimate of a budget that has seen pages, of which {@link #PAGES} are dirty. */
  private static final class Estimate implements AutoCloseable {
    final BlockMemory memory;
    final DirtyPages pages;

    Estimate(long budget) {
      memory = new BlockMemory(new MemoryBudget(budget, "test"));
      PageTable table = new PageTable(memory.budget());
      pages = new DirtyPages(table, memory, new LargeValueCache(memory, new Epochs()), CAPACITY);
      for (int i = 0; i < PAGES; i++) {
        int page = table.allocate();
        table.latch(page);
        table.markDirty(page);
        table.unlatch(page);
      }
    }

    void see(int count, int bytes) {
      for (int i = 0; i < count; i++) {
        pages.seen(bytes);
      }
    }

    void require(long least, long most) {
      assertTrue(
          pages.bytes() >= least && pages.bytes() <= most,
          () -> "bytes=" + pages.bytes() + ", expected from " + least + " to " + most);
    }

    @Override
    public void close() {
      memory.close();
    }
  }

  /**
   * A million trees of vertices: a flush in the order of the disk meets the large ones in a row.
   */
  @Test
  void aRunOfLargePagesDoesNotStandForAll() {
    try (Estimate estimate = new Estimate(4L << 30)) {
      for (int run = 0; run < 200; run++) {
        estimate.see(1_900, SMALL);
        estimate.see(100, CAPACITY); // the mean is 1.75 KiB
      }
      estimate.require((long) PAGES * SMALL, 2L * PAGES * SMALL);
    }
  }

  /** The pages of a small store have grown before they fill its memory. */
  @Test
  void pagesThatGrowAreSeenBeforeTheyFillTheMemory() {
    for (long budget : new long[] {16 << 20, 256 << 20, 4L << 30}) {
      try (Estimate estimate = new Estimate(budget)) {
        estimate.see(1 << 20, SMALL);
        estimate.see((int) (budget / 8 / CAPACITY), CAPACITY);
        estimate.require((long) PAGES * CAPACITY / 2, (long) PAGES * CAPACITY);
      }
    }
  }

  /** The evictor looks at all pages behind each flush. */
  @Test
  void moreLeavesAreFlushedAtOnceWhereTheyAreSmall() {
    try (Estimate estimate = new Estimate(256 << 20)) {
      estimate.see(1 << 20, CAPACITY);
      assertEquals(64, estimate.pages.flushedFor(1 << 20));
      estimate.see(1 << 20, SMALL);
      assertEquals(1_024, estimate.pages.flushedFor(1 << 20), 1);
      estimate.see(1 << 20, 1 << 20);
      assertEquals(64, estimate.pages.flushedFor(1 << 20));
    }
  }
}
