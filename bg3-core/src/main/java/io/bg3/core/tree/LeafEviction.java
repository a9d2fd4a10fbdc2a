package io.bg3.core.tree;

import io.bg3.core.block.PageHeader;
import io.bg3.core.table.PageTable;
import io.bg3.core.table.StoredState;
import io.bg3.storage.memory.MemoryExceededException;
import java.util.concurrent.atomic.LongAdder;

/**
 * Takes one leaf out of memory (R25), or the values of one leaf of edges (R31), if it can go now.
 *
 * <p>Neither does I/O or waits: a page whose latch another thread holds stays. What goes is given
 * back when the readers of now have left their epochs.
 *
 * <p>Threads: one at a time.
 */
final class LeafEviction {
  private final TreeSpace space;
  private final PageTable table;
  private final LongAdder evictions = new LongAdder();

  LeafEviction(TreeSpace space) {
    this.space = space;
    this.table = space.table;
  }

  /** Leaves of which nothing is in memory since; those whose values went do not count. */
  long evictions() {
    return evictions.sum();
  }

  /** Whether all that there is of a page may leave memory. */
  boolean mayGo(int page) {
    return table.isEvictable(page) || table.isTopologyEvictable(page);
  }

  /**
   * Whether the values of a page may leave memory. Of a page that is clean this looks at the page
   * table only, because the page may go anyhow.
   */
  boolean mayLoseValues(int page) {
    return isStoredAndWhole(page) && (!table.isDirty(page) || isLeafWithValues(page));
  }

  /**
   * Whether a page is in memory as a whole, and no flush is going to write it. It may have changed,
   * so its values go only if those that are stored are the same.
   */
  private boolean isStoredAndWhole(int page) {
    return PageTable.isBlock(table.block(page)) && !table.isNoted(page) && !table.needsBase(page);
  }

  private boolean isLeafWithValues(int page) {
    int ticket = space.epochs.enter();
    try {
      long block = table.block(page);
      return PageTable.isBlock(block) && hasValuesToDrop(page, block);
    } finally {
      space.epochs.exit(ticket);
    }
  }

  /**
   * Takes a leaf out of memory.
   *
   * @param least a leaf that was pinned with this number or a larger one stays
   * @return the bytes that this gives back; 0 if the leaf stays
   */
  long evict(int page, long least) {
    if (!mayGo(page) || !table.tryLatch(page)) {
      return 0;
    }
    try {
      if (table.isTopologyEvictable(page)) {
        return evictTopology(page, least);
      }
      return table.isEvictable(page) ? evictWhole(page, least) : 0;
    } finally {
      table.unlatch(page);
    }
  }

  /** Evicts what is left of a leaf without its values. */
  private long evictTopology(int page, long least) {
    if (!table.makeAbsent(page, least)) {
      return 0;
    }
    long block = StoredState.topology(table.block(page));
    PageHeader header = space.header(block);
    long base = header.base();
    long bytes =
        (long) space.memory.capacity(block) + (base == 0 ? 0 : space.memory.capacity(base));
    table.dropTopology(page, header.newestStamp());
    evictions.increment();
    space.retireTopology(block);
    return bytes;
  }

  private long evictWhole(int page, long least) {
    long block = table.block(page);
    PageHeader header = space.header(block);
    if (stays(header)) {
      return 0;
    }
    long base = header.base();
    long newest = header.newestStamp();
    long bytes = space.bytes(block);
    boolean neededBase = table.needsBase(page);
    if (!table.makeAbsent(page, least)) {
      return 0;
    }
    tellEvicted(page, neededBase);
    table.publishEvicted(page, newest);
    evictions.increment();
    space.retireNow(block);
    if (base != 0) {
      space.retireNow(base);
    }
    return bytes;
  }

  /**
   * Takes the values of a leaf's base out of memory, if it has some that can go. They stay where
   * what is stored is not what base and marks say: nobody could write to the leaf without them.
   *
   * @param least the values of a leaf that was pinned with this number or a larger one stay
   * @return the bytes that this gives back; 0 if there are none
   */
  long evictValues(int page, long least) {
    if (!isStoredAndWhole(page) || !table.tryLatch(page)) {
      return 0;
    }
    try {
      long block = table.block(page);
      return isStoredAndWhole(page) && hasValuesToDrop(page, block)
          ? dropValues(page, block, least)
          : 0;
    } finally {
      table.unlatch(page);
    }
  }

  /**
   * Whether the base of a leaf has values that can go while its topology stays: those of a leaf of
   * edges, which hops do not read, and of no page that refers to large values. If the leaf has
   * changed, its delta must be all that what is stored lacks.
   */
  private boolean hasValuesToDrop(int page, long block) {
    PageHeader header = space.header(block);
    if (header.kind() != PageHeader.EDGE_LEAF || header.hasLocations()) {
      return false;
    }
    PageHeader base = header.base() == 0 ? header : space.header(header.base());
    return base.valueBlock() != 0
        && !base.hasLocations()
        && !(table.isDirty(page) && base.hasMarks());
  }

  /**
   * Changes the state of the page only: a reader that has found its block finds the values. What
   * has changed is going to be flushed, so it may have no address of values that have gone.
   */
  private long dropValues(int page, long block, long least) {
    long base = space.header(block).base();
    long bytes = space.memory.capacity(space.header(base == 0 ? block : base).valueBlock());
    if (!table.makeAbsent(page, least)) {
      return 0;
    }
    long topology = table.isDirty(page) ? copyTopology(page, block) : block;
    if (topology == 0) {
      return 0;
    }
    try {
      tellEvicted(page, false);
    } catch (RuntimeException | Error e) {
      freeUnlessSame(topology, block);
      throw e;
    }
    table.publishWithoutValues(page, topology);
    space.retireValues(block);
    if (topology != block) {
      space.dirtyPages.seen(space.bytes(topology));
      space.retireTopology(block);
    }
    return bytes;
  }

  /** A copy without addresses of values; 0 if there is no memory for it, and the page stays. */
  private long copyTopology(int page, long block) {
    try {
      return space.edges.copyTopology(block);
    } catch (MemoryExceededException e) {
      table.makePresent(page, false); // isStoredAndWhole
      return 0;
    } catch (RuntimeException | Error e) {
      table.makePresent(page, false);
      throw e;
    }
  }

  private void freeUnlessSame(long topology, long block) {
    if (topology != block) {
      space.free(topology);
    }
  }

  /** Says that a page leaves memory; one of which that cannot be said stays. */
  private void tellEvicted(int page, boolean neededBase) {
    try {
      space.loader().evicted(page);
    } catch (RuntimeException | Error e) {
      table.makePresent(page, neededBase);
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
}
