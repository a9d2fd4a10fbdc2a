package io.bg3.core.tree;

import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.page.LeafFormat;
import io.bg3.core.page.LeafPieces;

/**
 * Adds the entries of many commits to a tree at once, at the opening of a store, when nobody else
 * reads or writes.
 *
 * <p>What {@link Tree#apply} and settling would make of a leaf in the end is written without the
 * steps between: where more comes to a leaf than a delta may hold, its entries and those of the
 * batch are merged and written as one base, or as the pages that it is split into. Only the newest
 * version of a key is kept, since there is no snapshot yet. Belongs to one thread.
 */
public final class BatchReplay {
  private final Tree tree;
  private final TreeSpace space;
  private final LeafFormat format;
  private final Horizon horizon;
  private final ReplayRoom room;
  private final PendingMaintenance due = new PendingMaintenance();

  /**
   * @param horizon its cut is not below any stamp of the batches
   * @param room keeps what it needs in memory
   */
  public BatchReplay(Tree tree, Horizon horizon, ReplayRoom room) {
    this.room = room;
    this.tree = tree;
    this.space = tree.space;
    this.format = tree.format;
    this.horizon = horizon;
  }

  /**
   * Adds a batch, sorted and with one entry of a key. Entries that are not newer than what their
   * key has are skipped. Memory may be overdrawn by what one page takes.
   */
  public void add(Entries batch) {
    int[] at = new int[1];
    while (at[0] < batch.count()) {
      room.run(() -> at[0] = addPage(batch, at[0]));
    }
  }

  /** Adds the entries of one leaf; says where the rest begins. */
  private int addPage(Entries batch, int from) {
    int page = tree.writes.leafPage(batch.key(from));
    PageHeader header = space.header(space.table.block(page));
    int end = LeafWrites.endOfPage(batch, from, batch.count(), header);
    if (end - from <= tree.consolidateLimit()) {
      tree.apply(batch, from, end, due);
      due.settle(horizon);
    } else if (!rewrite(page, batch, from, end)) {
      tree.removeIfEmpty(page, horizon);
    }
    return end;
  }

  /** Writes a leaf anew with entries of a batch. Says whether there is anything in it then. */
  private boolean rewrite(int page, Entries batch, int from, int to) {
    tree.shape.lock.lock();
    try {
      long block = space.table.block(page);
      boolean needsBase = space.table.needsBase(page);
      Entries all = format.mergedWith(block, batch, from, to, horizon.forNext(needsBase));
      if (all == null) {
        return true;
      }
      boolean appending = format.isBehind(block, batch, from);
      PageHeader header = space.header(block);
      long cut = Math.max(header.cut(), horizon.cut());
      LeafPieces pieces = format.pieces(all, horizon, needsBase, tree.capacity(), appending);
      if (pieces != null) {
        tree.splits().replace(page, pieces, cut);
        return true;
      }
      space.table.latch(page);
      try {
        tree.replace(page, block, format.writeBase(header.frame(), all, 0, all.count(), cut));
      } finally {
        space.table.unlatch(page);
      }
      return all.count() > 0;
    } finally {
      tree.shape.lock.unlock();
    }
  }
}
