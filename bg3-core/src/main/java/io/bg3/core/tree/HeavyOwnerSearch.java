package io.bg3.core.tree;

import io.bg3.core.block.PageHeader;
import io.bg3.core.page.PageRead;
import io.bg3.core.table.PageTable;
import io.bg3.core.table.StoredState;
import java.util.ArrayList;
import java.util.List;

/**
 * A search through the leaves of one shared tree, from the left to the right, for owners that may
 * have enough entries for a tree of their own and that nobody notices any more (R56).
 *
 * <pre>
 *   search                                 thread that consolidates leaf 3
 *   forgets that owners were passed over
 *   looks at leaves 1, 2, …                publishes leaf 3
 *                                          finds no room for its owner
 *                                          notes that one was passed over
 *   looks at leaf 3, …, the last
 *   one was passed over: begins anew
 * </pre>
 *
 * <p>A leaf that was published before the search began is seen as it is, or as it became. Leaves in
 * storage are loaded without their values; those in memory are not marked as used by that.
 *
 * <p>Threads: belongs to one, outside of epochs.
 */
public final class HeavyOwnerSearch {
  private final Tree tree;
  private final TreeSpace space;
  private final PageRead read = new PageRead();
  private byte[] next = Descent.FIRST;

  private HeavyOwnerSearch(Tree tree) {
    this.tree = tree;
    this.space = tree.space;
  }

  /** Whether a tree may have owners that were passed over, and is one whose owners move. */
  public static boolean isDue(Tree tree) {
    return tree.shape.hasPassedOver() && isPossible(tree);
  }

  /** Whether a tree is one whose owners move. */
  public static boolean isPossible(Tree tree) {
    return !tree.space.heavy.isOff(tree.shape);
  }

  /** The tree that is searched. */
  public Tree tree() {
    return tree;
  }

  /** Begins a search: owners that are passed over from now on are another one's. */
  public static HeavyOwnerSearch begin(Tree tree) {
    tree.shape.forgetPassedOver(); // first: what is published before that is seen
    return new HeavyOwnerSearch(tree);
  }

  /** Whether all leaves have been looked at. */
  public boolean isAtEnd() {
    return next == null;
  }

  /**
   * Names the owners of the next leaf that may have many entries. May load pages, and waits for no
   * memory: a thread that waits keeps others from taking what is free. If it throws, the next call
   * looks at that leaf again.
   *
   * @throws io.bg3.storage.memory.MemoryExceededException if there is not enough memory at once
   * @throws io.bg3.storage.format.CorruptionException if what is stored is damaged
   * @throws java.io.UncheckedIOException if it cannot be read
   */
  public List<FamilyOwner> lookAtNext() {
    List<FamilyOwner> found = new ArrayList<>();
    while (true) {
      long block;
      int ticket = space.epochs.enter();
      try {
        block = leaf();
        if (Descent.isLeaf(block)) {
          if (!space.heavy.isOff(tree.shape)) {
            space.heavy.name(
                tree.shape,
                tree.format,
                block,
                owner -> found.add(new FamilyOwner(owner, tree.shape.family)));
          }
          PageHeader header = read.views().header(space.memory).wrap(block);
          next = header.isLast() ? null : header.high();
          return found;
        }
      } finally {
        space.epochs.exit(ticket);
      }
      space.loader().loadWithoutWaiting(Descent.missing(block), PageLoader.Part.TOPOLOGY);
    }
  }

  /**
   * Goes on behind the leaf that cannot be read, where its parent says that the next one begins.
   *
   * @return false if that is not known, because an inner page cannot be read: the search stays
   *     where it is
   */
  public boolean passLeaf() {
    int ticket = space.epochs.enter();
    try {
      long parent = tree.descent.aboveLeaf(next);
      if (parent == 0) {
        return false;
      }
      next = space.inner.end(parent, space.inner.indexOf(parent, next));
      return true;
    } finally {
      space.epochs.exit(ticket);
    }
  }

  /** The leaf to look at, as a descent returns it. */
  private long leaf() {
    int page = tree.descent.probableLeaf(next, read.views());
    long block = StoredState.topology(space.table.block(page));
    if (PageTable.isBlock(block)
        && tree.descent.isLeafFor(read.views().header(space.memory).wrap(block), next)) {
      return block; // a descent would mark it as used
    }
    return tree.descent.leaf(next, null, Descent.Wanted.TOPOLOGY);
  }
}
