package io.bg3.core.tree;

import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.table.PageTable;
import io.bg3.storage.memory.MemoryExceededException;
import java.util.function.Function;

/**
 * Writes a leaf anew in memory without what no snapshot reads, though a stored base may hold it on.
 * Where nothing is left the leaf goes, and else the next flush stores a base. Either way the next
 * checkpoint does not name its old images.
 *
 * <pre>
 *   stored   base with entries a, b, c
 *   memory   base a, b, c; delta removes all   ->   empty, REBASE, and removed from its tree
 *   flushed  nothing
 * </pre>
 *
 * <p>A leaf is taken out of an extent in which everything has expired in this way (R46). What is
 * left out is expired in the stored base too, by every clock that may still be read by. So a crash
 * before the manifest finds the old images, and nobody sees a difference. A leaf in which every
 * entry was removed goes in this way as well (R55); there the log has the removals until a
 * checkpoint.
 *
 * <p>Threads: any.
 */
public final class RenewedLeaf {
  private RenewedLeaf() {}

  /**
   * Writes a leaf anew, in memory.
   *
   * @param of says of which tree a leaf is, null if that has gone; asked under its latch
   * @return how many bytes of entries are left, which the next flush writes again; -1 if the leaf
   *     is not there, or there is no memory for it: it stays as it is
   */
  public static long renew(
      TreeSpace space, Function<PageHeader, Tree> of, int page, Horizon horizon) {
    return renew(space, of, page, horizon, false);
  }

  /**
   * Removes a leaf of which no snapshot reads anything; another one stays as it is.
   *
   * @return whether nothing in it is read
   */
  static boolean removeIfBarren(Tree tree, int page, Horizon horizon) {
    return renew(tree.space, leaf -> tree, page, horizon, true) == 0;
  }

  private static long renew(
      TreeSpace space,
      Function<PageHeader, Tree> of,
      int page,
      Horizon horizon,
      boolean onlyIfBarren) {
    if (!space.loader().tryLoadEvicting(page)) {
      return -1;
    }
    boolean empty;
    long left;
    Tree tree;
    PageTable table = space.table;
    table.latch(page);
    try {
      long block = table.block(page);
      if (!PageTable.isBlock(block)) {
        return -1; // evicted again
      }
      PageHeader header = space.header(block);
      tree = of.apply(header);
      if (tree == null || !tree.isLeaf(block) || space.lacksValues(block)) {
        return -1;
      }
      if (onlyIfBarren && header.newestStamp() > horizon.floor()) {
        return -1;
      }
      Entries all = tree.format.mergedForNow(block, horizon.forNewBase());
      all.markAllUnstored();
      if (onlyIfBarren && all.count() > 0) {
        return -1;
      }
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
