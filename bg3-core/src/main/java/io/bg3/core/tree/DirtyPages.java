package io.bg3.core.tree;

import io.bg3.core.table.PageTable;
import io.bg3.core.value.LargeValueCache;
import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.MemoryBudget;

/**
 * How much memory the pages take that differ from what is stored: a leaf among them cannot be
 * evicted before it is flushed.
 *
 * <pre>
 *   room   the budget, less what is on the heap, less inner pages, less what is kept free
 *
 *   0                        low                    high          room
 *   |-------------------------|----------------------|-------------|
 *                              leaves are flushed     nothing is left
 *                              and commits slow down  but for bursts
 * </pre>
 *
 * <p>Pages are counted as they become dirty and clean. How large one is, is the mean of those that
 * became so or were flushed lately: about, since a leaf grows and shrinks while it is dirty. The
 * mean is one of as many pages as make a 32nd of the budget if they are full. So it follows pages
 * that grow before they fill the memory, and where pages of very different sizes are flushed size
 * by size, it is not that of a few.
 *
 * <p>Dirty pages matter only where memory is short. A store whose pages all fit may have all of
 * them dirty until the next checkpoint, so that each is written once.
 *
 * <p>Threads: any.
 */
public final class DirtyPages {
  /** This part of the budget is kept free, so dirty pages cannot have it. */
  private static final int FREE_SHARE = 16;

  /** Memory is short where less than this part of it is free. */
  private static final int SHORT_SHARE = 4;

  /** Low and high are so many eighths of the room. */
  private static final int LOW_EIGHTHS = 5;

  private static final int HIGH_EIGHTHS = 7;

  /** The mean is of so many pages at least and at most, else of this part of the budget. */
  private static final int FEWEST = 64;

  private static final int MOST = 1 << 14;
  private static final int MEAN_SHARE = 32;

  /** So many leaves are flushed at once, at least. */
  private static final int FLUSHED_LEAVES = 64;

  private final PageTable table;
  private final BlockMemory memory;
  private final MemoryBudget budget;
  private final LargeValueCache largeValues;

  private final double most;

  /** The mean is of so many pages now. */
  private volatile double pages;

  private volatile double pageBytes;

  /**
   * The dirty pages of a table.
   *
   * @param largeValues which pages can have the memory of
   * @param capacity what a page is taken for before any became dirty
   */
  public DirtyPages(
      PageTable table, BlockMemory memory, LargeValueCache largeValues, int capacity) {
    this.table = table;
    this.memory = memory;
    this.budget = memory.budget();
    this.largeValues = largeValues;
    this.most = Math.max(FEWEST, Math.min(MOST, budget.limit() / MEAN_SHARE / capacity));
    this.pageBytes = capacity;
  }

  /** How many clean pages have become dirty so far. */
  public long changed() {
    return table.changed();
  }

  /** How many dirty pages have become clean so far, or were removed. */
  public long settled() {
    return table.settled();
  }

  /** About the bytes of memory of the pages that are dirty now. */
  public long bytes() {
    long settled = settled(); // before changed, so that there are never fewer than none
    return (long) ((changed() - settled) * pageBytes);
  }

  /**
   * Says how much memory a page takes that has become dirty, or is being flushed. Where two threads
   * do so at once, one of the two may not count.
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // a mean of very many
  void seen(long bytes) {
    double of = Math.min(most, pages + 1);
    pages = of;
    pageBytes += (bytes - pageBytes) / of;
  }

  /**
   * How many leaves are flushed at once for so many bytes of memory, about. Behind a flush the
   * evictor may have to look at all pages of the table before it finds these leaves, so small ones
   * are flushed by the thousand.
   */
  public int flushedFor(long bytes) {
    return (int) Math.max(FLUSHED_LEAVES, bytes / pageBytes);
  }

  /** From so many bytes on leaves are flushed. */
  public long low() {
    return room() / 8 * LOW_EIGHTHS;
  }

  /** With so many bytes nothing is left but for bursts. */
  public long high() {
    return room() / 8 * HIGH_EIGHTHS;
  }

  private long room() {
    return Math.max(
        0, budget.limit() - budget.limit() / FREE_SHARE - budget.onHeap() - memory.fixed());
  }

  /** Whether memory is short and the bytes are at the low mark or above it. */
  public boolean isMany() {
    long free = budget.limit() - budget.used() + largeValues.bytes();
    return free < budget.limit() / SHORT_SHARE && bytes() >= low();
  }
}
