package io.bg3.core.tree;

import io.bg3.core.block.PageHeader;
import io.bg3.core.page.PageRead;
import io.bg3.core.table.PageTable;
import io.bg3.core.table.StoredState;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;

/**
 * A walk through the leaves of one tree, from the left to the right, that may take days. The place
 * is the high fence of the last leaf, so the tree may change between two steps: a leaf to the right
 * of the place is seen as it is then.
 *
 * <p>Leaves in storage are loaded without their values; those in memory are not marked as used by
 * that.
 *
 * <p>Threads: belongs to one, outside of epochs. The tree does not go away between two steps.
 */
public final class LeafWalk {
  private final Tree tree;
  private final TreeSpace space;
  private final PageRead read = new PageRead();
  private byte[] next;

  /** A walk from the first leaf on. */
  public LeafWalk(Tree tree) {
    this(tree, Descent.FIRST);
  }

  /** A walk from the leaf of a key on, as {@link #place} gives it. */
  public LeafWalk(Tree tree, byte[] from) {
    this.tree = tree;
    this.space = tree.space;
    this.next = from;
  }

  /** A place to begin at: that of the first leaf, or of another one below the root. */
  public static byte[] drawPlace(Tree tree, RandomGenerator random) {
    TreeSpace space = tree.space;
    int ticket = space.epochs.enter();
    try {
      long root = space.table.block(tree.root());
      if (!tree.isOwn(root) || tree.isLeaf(root)) {
        return Descent.FIRST;
      }
      List<byte[]> separators = space.inner.separators(root);
      int drawn = random.nextInt(separators.size() + 1);
      return drawn == 0 ? Descent.FIRST : separators.get(drawn - 1);
    } finally {
      space.epochs.exit(ticket);
    }
  }

  /** Where the next leaf begins; null at the end. */
  public byte[] place() {
    return next;
  }

  /** Whether all leaves have been visited. */
  public boolean isAtEnd() {
    return next == null;
  }

  /** Ends the walk. */
  public void end() {
    next = null;
  }

  /**
   * Visits the next leaf. May load pages, and waits for no memory: a thread that waits keeps others
   * from taking what is free. If it throws, the next call visits that leaf.
   *
   * @param visit gets the block of the leaf, inside of an epoch
   * @throws io.bg3.storage.memory.MemoryExceededException if there is not enough memory at once
   * @throws io.bg3.storage.format.CorruptionException if what is stored is damaged
   * @throws java.io.UncheckedIOException if it cannot be read
   */
  public void next(LongConsumer visit) {
    int missing = nextInMemory(visit);
    while (missing != 0) {
      space.loader().loadWithoutWaiting(missing, RoutedReads.part(tree, Descent.Wanted.TOPOLOGY));
      missing = nextInMemory(visit);
    }
  }

  /**
   * Visits the next leaf if it is in memory, with the inner pages on the way.
   *
   * @return the page that is not; 0 if the leaf has been visited
   */
  int nextInMemory(LongConsumer visit) {
    int ticket = space.epochs.enter();
    try {
      long block = leaf();
      if (!Descent.isLeaf(block)) {
        return Descent.missing(block);
      }
      visit.accept(block);
      PageHeader header = read.views().header(space.memory).wrap(block);
      next = header.isLast() ? null : header.high();
      return 0;
    } finally {
      space.epochs.exit(ticket);
    }
  }

  /**
   * Goes on behind the leaf that cannot be read, where its parent says that the next one begins.
   *
   * @return false if that is not known, because an inner page cannot be read: the walk stays where
   *     it is
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

  /** The leaf to visit, as a descent returns it. */
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
