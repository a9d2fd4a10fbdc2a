package io.bg3.core.tree;

import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.table.PageTable;
import io.bg3.storage.memory.MemoryExceededException;

/**
 * Takes a leaf out of an extent in which everything has expired (R46): writes the leaf anew in
 * memory without what has expired for all snapshots. Where nothing is left the leaf goes, and else
 * the next flush stores a base. Either way the next manifest does not name its old images.
 *
 * <pre>
 *   stored   base in the extent, all expired          delta elsewhere: some entries live
 *   memory   the entries of the delta that live, marked; REBASE
 *   flushed  a base with these; without any an empty one, which is in no extent of the family
 * </pre>
 *
 * <p>What is left out is expired in the stored base too, by every clock that may still be read by.
 * So a crash before the manifest finds the old images, and nobody sees a difference.
 *
 * <p>Threads: the one that changes rows, between two flushes.
 */
public final class ExpiredLeaf {
  private ExpiredLeaf() {}

  /**
   * Writes a leaf of a tree anew, in memory.
   *
   * @param horizon by which all that is in the extent has expired
   * @return how many bytes of entries are left, which the next flush writes again; -1 if the leaf
   *     is not there, or there is no memory for it: it stays as it is
   */
  public static long renew(Tree tree, int page, Horizon horizon) {
    TreeSpace space = tree.space;
    if (!space.loader().tryLoadEvicting(page)) {
      return -1;
    }
    boolean empty;
    long left;
    PageTable table = space.table;
    table.latch(page);
    try {
      long block = table.block(page);
      if (!tree.isLeaf(block) || space.lacksValues(block)) {
        return -1; // evicted again
      }
      Entries all = tree.format.mergedForNow(block, horizon.forNewBase());
      all.markAllUnstored();
      PageHeader header = space.header(block);
      long cut = Math.max(header.cut(), horizon.cut());
      long renewed = tree.format.writeBase(header.frame(), all, 0, all.count(), cut);
      table.markRebase(page);
      tree.replace(page, block, renewed);
      empty = all.count() == 0 && page != tree.root();
      left = all.count() == 0 ? 0 : tree.format.imageBytes(renewed);
    } catch (MemoryExceededException e) {
      return -1;
    } finally {
      table.unlatch(page);
    }
    if (empty) {
      remove(tree, page, horizon);
    }
    return left;
  }

  private static void remove(Tree tree, int page, Horizon horizon) {
    try {
      tree.removeIfEmpty(page, horizon);
    } catch (MemoryExceededException e) { // for a neighbour: the next checkpoint tries again
      tree.addEmptied(page);
    }
  }
}
