package io.bg3.core.tree;

import io.bg3.core.block.PageHeader;
import io.bg3.core.table.PageTable;
import io.bg3.core.table.StoredState;

/**
 * Counts the entries of an owner behind a fence of a leaf that separates them (R56). Reads nothing
 * from storage, and the leaf there does not count as used.
 *
 * <pre>
 *   leaf 3   … 7 7 7 | leaf 4   7 8 8 9 …     owner 7: 3 in the leaf, and 1 beside
 * </pre>
 *
 * <p>Threads: any, outside of epochs.
 */
final class SeparatedOwner {
  /** The leaf behind the fence is not in memory. */
  static final int UNKNOWN = -1;

  private SeparatedOwner() {}

  /**
   * The entries of an owner in the next leaf behind a fence of a leaf.
   *
   * @param block of the leaf, which stays though another may have taken its place
   * @param before whether the low fence separates them; else the high one
   * @return {@link #UNKNOWN} if that leaf is not in memory; {@link Integer#MAX_VALUE} if the owner
   *     has keys behind that leaf too
   */
  static int entriesBeside(Tree tree, long block, long owner, boolean before) {
    TreeSpace space = tree.space;
    int ticket = space.epochs.enter();
    try {
      long beside = before ? left(tree, block) : right(tree, block);
      if (beside == 0) {
        return UNKNOWN;
      }
      PageHeader header = space.header(beside);
      return (before ? header.isAmidLow(owner) : header.isAmidHigh(owner))
          ? Integer.MAX_VALUE
          : tree.format.entriesOf(beside, owner);
    } finally {
      space.epochs.exit(ticket);
    }
  }

  /** The leaf to the left, 0 if it is not in memory. */
  private static long left(Tree tree, long block) {
    long found = tree.descent.leafBelow(tree.space.header(block).low(), false);
    return Descent.isLeaf(found) ? found : 0;
  }

  /** The leaf to the right, 0 if it is not in memory, or not there just now. */
  private static long right(Tree tree, long block) {
    PageHeader header = tree.space.header(block);
    byte[] fence = header.high();
    long found = StoredState.topology(tree.space.table.block(header.rightSibling()));
    boolean isBeside =
        PageTable.isBlock(found) && tree.descent.isLeafFor(tree.space.header(found), fence);
    return isBeside ? found : 0;
  }
}
