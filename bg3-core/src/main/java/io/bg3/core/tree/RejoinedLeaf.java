package io.bg3.core.tree;

import io.bg3.core.block.PageHeader;
import io.bg3.core.table.PageTable;
import io.bg3.core.table.StoredState;

/**
 * Puts the base of a leaf, as it is stored, under the delta that the leaf has in memory without its
 * values (R31). The delta may have entries that are not stored yet, so it cannot be loaded.
 *
 * <pre>
 *   stored               base b, delta d
 *   in memory            topology of b, delta d + e
 *   loaded               base b with its values
 *   in memory            base b with its values, delta d + e
 * </pre>
 *
 * <p>Only a leaf whose base has no marks is changed without its values: its base says what the
 * stored base says, and a flush stores no base of it. So base and delta fit together whatever has
 * been flushed since.
 *
 * <p>Threads: any; one of them for a page at a time publishes.
 */
final class RejoinedLeaf {
  private final TreeSpace space;
  private final PageTable table;

  RejoinedLeaf(TreeSpace space) {
    this.space = space;
    this.table = space.table;
  }

  /** Whether the topology of a leaf takes entries without the values; its block is in memory. */
  static boolean takesEntries(TreeSpace space, long topology) {
    PageHeader header = space.header(topology);
    return !(header.isDelta() ? space.header(header.base()) : header).hasMarks();
  }

  /**
   * Whether the delta of a page is to be taken from memory, and its base alone is to be loaded. So
   * it stays until the page is evicted or loaded.
   */
  boolean isWanted(int page) {
    int ticket = space.epochs.enter();
    try {
      long state = table.block(page);
      return StoredState.hasTopology(state) && takesEntries(space, StoredState.topology(state));
    } finally {
      space.epochs.exit(ticket);
    }
  }

  /**
   * Publishes a base under the delta that the page has in memory. The base is given back if that
   * does not happen.
   *
   * @param before runs before others can see it, if it is published; the latch is held
   * @return false if the topology of the page has been evicted: nothing has happened
   */
  boolean publish(int page, long base, Runnable before) {
    table.latch(page);
    try {
      long state = table.block(page);
      if (!StoredState.hasTopology(state)) {
        space.free(base);
        return false;
      }
      long topology = StoredState.topology(state);
      long block = told(topology, base, before);
      boolean isNoted = table.isNoted(page);
      boolean noteFollows = isNoted && space.isNoteMovable(page);
      table.publishLoaded(page, block);
      if (table.isDirty(page)) {
        space.dirtyPages.seen(space.bytes(block));
      }
      if (noteFollows) {
        table.renote(page, block);
      }
      if (isNoted && !noteFollows) {
        retireUnlessNoted(page, topology);
      } else {
        space.retireTopology(topology);
      }
      return true;
    } finally {
      table.unlatch(page);
    }
  }

  /**
   * The block that the page becomes, of which is told when it is there: there may be no memory for
   * it, and then the page does not change. Behind this no failure gives a block back.
   */
  private long told(long topology, long base, Runnable before) {
    long block = base;
    try {
      block = over(topology, base);
      before.run();
      return block;
    } catch (RuntimeException | Error e) {
      space.free(block); // with the base under it
      throw e;
    }
  }

  private void retireUnlessNoted(int page, long topology) {
    long base = space.header(topology).base();
    space.retire(page, topology);
    if (base != 0) {
      space.retire(page, base);
    }
  }

  /**
   * Puts a base that nobody else sees under a copy of the page's delta, likewise.
   *
   * @return 0 if the topology of the page has been evicted: nothing has happened
   */
  long join(int page, long base) {
    table.latch(page);
    try {
      long state = table.block(page);
      return StoredState.hasTopology(state) ? over(StoredState.topology(state), base) : 0;
    } finally {
      table.unlatch(page);
    }
  }

  /**
   * The block that the page becomes. It has the larger cut of both (R9): versions that the base in
   * memory was rid of are missing in the delta, and those that the base was rid of when it was read
   * are missing in the base.
   */
  private long over(long topology, long base) {
    boolean isDelta = space.header(topology).isDelta();
    long block = isDelta ? space.edges.copyDelta(topology, base) : base;
    space.edges.raiseCut(block, isDelta ? base : topology);
    return block;
  }
}
