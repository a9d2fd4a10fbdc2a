package io.bg3.core.tree;

import io.bg3.core.block.PageHeader;
import io.bg3.core.table.PageTable;
import io.bg3.core.table.StoredState;

/**
 * Tells trees of few leaves from larger ones, whose owners' degrees are kept ({@link
 * HeavyOwners#countFrom}). Threads: any, outside of epochs.
 */
public final class TreeSize {
  private static final int MISSING = -1;

  private TreeSize() {}

  /** Whether a tree has many leaves, as far as its root is in memory; false if it is not. */
  public static boolean isSeenLarge(Tree tree) {
    return isMany(tree, leaves(tree));
  }

  private static boolean isMany(Tree tree, int leaves) {
    return leaves >= tree.space.heavy.countsFrom();
  }

  /**
   * Whether a tree has many leaves. May load the root, and waits for no memory. The tree must not
   * go away meanwhile.
   *
   * @throws io.bg3.storage.memory.MemoryExceededException if there is not enough memory at once
   * @throws io.bg3.storage.format.CorruptionException if what is stored is damaged
   */
  public static boolean isLarge(Tree tree) {
    int leaves = leaves(tree);
    while (leaves == MISSING) {
      tree.space.loader().loadWithoutWaiting(tree.root(), PageLoader.Part.TOPOLOGY);
      leaves = leaves(tree);
    }
    return isMany(tree, leaves);
  }

  /**
   * The number of leaves, by the root; more than any limit if there are inner pages below it;
   * {@link #MISSING} if the root is not in memory.
   */
  private static int leaves(Tree tree) {
    TreeSpace space = tree.space;
    int ticket = space.epochs.enter();
    try {
      long block = StoredState.topology(space.table.block(tree.root()));
      if (!PageTable.isBlock(block)) {
        return MISSING;
      }
      PageHeader header = space.header(block);
      if (header.kind() != PageHeader.INNER) {
        return 1;
      }
      return header.level() > 1 ? Integer.MAX_VALUE : space.inner.count(block);
    } finally {
      space.epochs.exit(ticket);
    }
  }
}
