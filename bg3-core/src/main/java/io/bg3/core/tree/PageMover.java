package io.bg3.core.tree;

import io.bg3.core.block.PageHeader;
import io.bg3.core.page.LeafFormat;
import io.bg3.core.table.PageTable;
import io.bg3.core.table.StoredState;
import io.bg3.storage.memory.MemoryExceededException;
import java.util.concurrent.atomic.LongAdder;

/**
 * Moves leaves out of the spans that are being vacated (R32), so that the spans serve blocks of
 * other sizes.
 *
 * <p>A move is like every other replacement of a page's blocks: it is done under the latch, copies
 * base, delta and values as they are, and publishes the copy through the state word; the old blocks
 * are given back when the readers of now have left their epochs. Nothing else of the page changes:
 * what is stored of it, whether it is dirty, who has pinned it. Of a leaf without its values (R31)
 * the topology is moved in the same way, and the leaf stays one without values.
 *
 * <p>Not moved are inner pages, whose blocks are read under the structure lock alone and are in
 * spans of their own, pages whose latch another thread holds, and of the pages that a flush has
 * noted the one that it writes and those that have been written to since. A page that stays is
 * moved the next time.
 *
 * <p>Threads: one at a time, inside {@link TreeSpace#busy}, holding no latch.
 */
final class PageMover {
  /** Pages that are looked at in one epoch. */
  private static final int TOGETHER = 64;

  private final TreeSpace space;
  private final PageTable table;
  private final int[] found = new int[TOGETHER];
  private final LongAdder moves = new LongAdder();

  PageMover(TreeSpace space) {
    this.space = space;
    this.table = space.table;
  }

  /** Pages that were moved so far. */
  long moves() {
    return moves.sum();
  }

  /**
   * Moves every page that can be moved out of the spans; ends early where memory runs out.
   *
   * @return whether no page is left in them. The old blocks may wait for readers still
   */
  boolean moveAll() {
    boolean all = true;
    int end = table.end();
    for (int first = 1; first < end; first += TOGETHER) {
      int count = find(first, Math.min(first + TOGETHER, end));
      for (int i = 0; i < count; i++) {
        try {
          all &= move(found[i]);
        } catch (MemoryExceededException e) {
          return false;
        }
      }
    }
    return all;
  }

  /** Finds pages with blocks in the spans; looks at them without their latches. */
  private int find(int from, int to) {
    int count = 0;
    int ticket = space.epochs.enter();
    try {
      for (int page = from; page < to; page++) {
        if (isLeaving(table.block(page))) {
          found[count++] = page;
        }
      }
    } finally {
      space.epochs.exit(ticket);
    }
    return count;
  }

  private boolean isLeaving(long block) {
    if (StoredState.hasTopology(block)) {
      return space.edges.isTopologyLeaving(StoredState.topology(block));
    }
    if (!PageTable.isBlock(block)) {
      return false;
    }
    int kind = space.header(block).kind();
    return kind != PageHeader.INNER && space.leaf(kind).isLeaving(block);
  }

  /** Says whether a page is not in the spans any more. */
  private boolean move(int page) {
    if (!table.tryLatch(page)) {
      return false;
    }
    try {
      long block = table.block(page);
      if (!isLeaving(block)) {
        return true;
      } else if (table.isNoted(page) && !space.isNoteMovable(page)) {
        return false;
      } else if (StoredState.hasTopology(block)) {
        moveTopology(page, StoredState.topology(block));
      } else {
        moveWhole(page, block);
      }
      moves.increment();
      return true;
    } finally {
      table.unlatch(page);
    }
  }

  private void moveWhole(int page, long block) {
    PageHeader header = space.header(block);
    LeafFormat format = space.leaf(header.kind());
    long base = header.base();
    table.publish(page, format.copy(block));
    if (table.isNoted(page)) {
      table.renote(page, table.block(page));
    }
    space.retireNow(block);
    if (base != 0) {
      space.retireNow(base);
    }
  }

  private void moveTopology(int page, long block) {
    long copy = space.edges.copyTopology(block);
    table.publishNextTopology(page, copy);
    if (table.isNoted(page)) {
      table.renote(page, copy);
    }
    space.retireTopology(block);
  }
}
