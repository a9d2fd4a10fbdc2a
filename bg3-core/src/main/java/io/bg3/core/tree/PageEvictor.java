package io.bg3.core.tree;

import io.bg3.core.block.PageHeader;
import io.bg3.core.table.PageTable;
import io.bg3.storage.memory.MemoryBudget;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;

/**
 * Takes leaves out of memory when it is short: those that say what is stored, that no commit has
 * pinned ({@link io.bg3.core.table.Pins}), and that nobody has read since the hand of a clock came
 * by last. Inner pages and empty leaves stay.
 *
 * <pre>
 *   page            flags          becomes
 *   dirty           DIRTY          clean, by a flush
 *   clean           -              dirty, by a writer, under the latch
 *                                  evicted, here, under the latch
 *   evicted         ABSENT         clean, by the thread that loads it, under the latch
 * </pre>
 *
 * <p>A reader that is in an evicted leaf goes on reading: the blocks are given back when it has
 * left its epoch. Blocks that wait for that do not count as used, so a reader that is slow to leave
 * does not cost the others the whole cache.
 *
 * <p>Nothing here waits or does I/O: a page whose latch another thread holds stays. So a thread
 * that asks for memory may run it whatever locks it holds, but for a latch.
 *
 * <p>Threads: any; one evicts at a time, and the others do not wait for it.
 */
public final class PageEvictor implements AutoCloseable {
  /** More is evicted than is missing, by this part of the budget, so that it is done less often. */
  private static final int AHEAD_SHARE = 64;

  private final TreeSpace space;
  private final PageTable table;
  private final MemoryBudget budget;
  private final LongAdder evictions = new LongAdder();
  private final ReentrantLock evicting = new ReentrantLock();
  private final LongConsumer relief = this::relieve;
  private int hand = 1; // guarded by evicting

  /** Evicts from this space, once it is {@linkplain #relieve asked}. */
  public PageEvictor(TreeSpace space) {
    this.space = space;
    this.table = space.table;
    this.budget = space.memory.budget();
  }

  /** Lets the budget evict leaves before it refuses a request. */
  public void relieveBudget() {
    budget.addRelief(relief);
  }

  /**
   * Leaves the budget alone. Views that threads keep of pages refer to the budget, so what it
   * refers to would stay as long as those threads.
   */
  @Override
  public void close() {
    budget.removeRelief(relief);
  }

  /** Pages that were evicted so far. */
  public long evictions() {
    return evictions.sum();
  }

  /**
   * Bytes that have to be given back before so many more fit into the budget; 0 or less if they fit
   * when the readers of now have left.
   */
  public long missing(long asked) {
    return budget.used() - space.epochs.pending() + asked - budget.limit();
  }

  /**
   * Evicts until so many bytes fit into the budget, if there are pages enough that can go.
   *
   * @throws IllegalStateException if the store is closed
   */
  public void relieve(long asked) {
    int ticket = space.busy.enter();
    try {
      if (missing(asked) > 0 && evicting.tryLock()) {
        try {
          evict(missing(asked) + budget.limit() / AHEAD_SHARE);
        } finally {
          evicting.unlock();
        }
      }
      space.epochs.reclaim();
    } finally {
      space.busy.exit(ticket);
    }
  }

  /** Evicts every leaf that can go, read or not; says how many. */
  public int evictAll() {
    int ticket = space.busy.enter();
    evicting.lock();
    try {
      long least = space.pins.advance();
      int count = 0;
      for (int page = 1; page < table.end(); page++) {
        count += evict(page, least) > 0 ? 1 : 0;
      }
      return count;
    } finally {
      evicting.unlock();
      space.busy.exit(ticket);
    }
  }

  /** The hand goes round twice at most: what has been read is spared the first time. */
  private void evict(long bytes) {
    table.beginEvicting();
    long least = space.pins.advance();
    long left = bytes;
    int end = table.end();
    for (long steps = 2L * end; steps > 0 && left > 0; steps--) {
      hand = hand + 1 < end ? hand + 1 : 1;
      if (table.isEvictable(hand) && !table.takeTouched(hand)) {
        left -= evict(hand, least);
      }
    }
  }

  /** Evicts a page if it can go now; says how many bytes that gives back. */
  private long evict(int page, long least) {
    if (!table.isEvictable(page) || !table.tryLatch(page)) {
      return 0;
    }
    try {
      if (!table.isEvictable(page)) {
        return 0;
      }
      long block = table.block(page);
      PageHeader header = space.header(block);
      if (stays(header)) {
        return 0;
      }
      long base = header.base();
      long newest = header.newestStamp();
      long bytes = bytes(block, header) + (base == 0 ? 0 : bytes(base, space.header(base)));
      if (!table.makeAbsent(page, least)) {
        return 0;
      }
      tellEvicted(page);
      table.publishEvicted(page, newest);
      evictions.increment();
      space.retireNow(block);
      if (base != 0) {
        space.retireNow(base);
      }
      return bytes;
    } finally {
      table.unlatch(page);
    }
  }

  /** Says that a page leaves memory; one of which that cannot be said stays. */
  private void tellEvicted(int page) {
    try {
      space.loader().evicted(page);
    } catch (RuntimeException | Error e) {
      table.makePresent(page);
      throw e;
    }
  }

  /**
   * Whether a page stays in memory though it is stored: an inner page, and an empty leaf, which is
   * small and about to be removed. If it were evicted, the removal would have to load it to see
   * that it is empty.
   */
  private static boolean stays(PageHeader header) {
    return header.kind() == PageHeader.INNER || isEmpty(header);
  }

  private static boolean isEmpty(PageHeader header) {
    return !header.isDelta() && header.count() == 0;
  }

  /** Bytes of a block and of its values. */
  private long bytes(long block, PageHeader header) {
    long values = header.valueBlock();
    return (long) space.memory.capacity(block) + (values == 0 ? 0 : space.memory.capacity(values));
  }
}
