package io.bg3.core.tree;

import io.bg3.core.block.PageHeader;
import io.bg3.core.table.PageTable;
import io.bg3.core.table.StoredState;

/** Tells trees of one leaf from larger ones. Threads: any, outside of epochs. */
public final class TreeSize {
  private static final int MISSING = -1;

  private TreeSize() {}

  /** Whether a tree has more than one leaf, as far as its root is in memory; false if it is not. */
  public static boolean isSeenLarge(Tree tree) {
    return look(tree) == PageHeader.INNER;
  }

  /**
   * Whether a tree has more than one leaf. May load the root, and waits for no memory. The tree
   * must not go away meanwhile.
   *
   * @throws io.bg3.storage.memory.MemoryExceededException if there is not enough memory at once
   * @throws io.bg3.storage.format.CorruptionException if what is stored is damaged
   */
  public static boolean isLarge(Tree tree) {
    int kind = look(tree);
    while (kind == MISSING) {
      tree.space.loader().loadWithoutWaiting(tree.root(), PageLoader.Part.TOPOLOGY);
      kind = look(tree);
    }
    return kind == PageHeader.INNER;
  }

  /** The kind of the root; {@link #MISSING} if it is not in memory. */
  private static int look(Tree tree) {
    TreeSpace space = tree.space;
    int ticket = space.epochs.enter();
    try {
      long block = StoredState.topology(space.table.block(tree.root()));
      return PageTable.isBlock(block) ? space.header(block).kind() : MISSING;
    } finally {
      space.epochs.exit(ticket);
    }
  }
}
