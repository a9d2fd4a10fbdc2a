package io.bg3.core.tree;

import io.bg3.core.block.PageHeader;
import io.bg3.core.table.PageTable;
import io.bg3.core.table.StoredState;
import java.util.Arrays;

/**
 * Looks for a key of a range with a version that is newer than a stamp. Leaves whose newest stamp
 * is not newer are passed over: those in memory by their header, those in storage by the state word
 * of their row ({@link StoredState}), without loading them.
 *
 * <p>A stored leaf has no fences to look at, so its range is what its parent says. That is true if
 * the parent is still the same after the state word was read:
 *
 * <pre>
 *   this thread                        others
 *   reads I, the block of the parent
 *   leaf P of I: [a, c)
 *                                      P is split: P [a, b), R [b, c) with newer keys
 *                                      the parent becomes I'
 *                                      P is flushed, and evicted: stored, nothing newer
 *   reads the state of P: unchanged
 *   the parent is I' now: looks again, finds R
 * </pre>
 *
 * <p>A split holds the tree's structure lock until the parent is published. A page that it has
 * changed is dirty and leaves memory only behind a flush, which notes the page under that lock. So
 * a thread that finds P stored behind the split finds the new parent too.
 *
 * <p>Threads: belongs to one.
 */
final class ChangeSearch {
  /** Stored leaves that are passed over in one epoch. */
  private static final int MOST_LEAVES = 64;

  private final TreeSpace space;
  private final PageTable table;
  private final TreeRoute route;
  private final long owner;
  private final byte[] low;
  private final byte[] high;
  private final long stamp;

  /** Where to go on; null at the end of the range. */
  private byte[] at;

  /** The way to a leaf of the tree that is searched in this epoch. */
  private Descent descent;

  /**
   * @param owner whose tree is asked for in each epoch
   */
  ChangeSearch(TreeSpace space, TreeRoute route, long owner, byte[] low, byte[] high, long stamp) {
    this.space = space;
    this.table = space.table;
    this.route = route;
    this.owner = owner;
    this.low = low;
    this.high = high;
    this.stamp = stamp;
    this.at = low == null ? Descent.FIRST : low;
  }

  /** Whether there is one. */
  boolean find() {
    while (at != null) {
      long missing = 0;
      int ticket = space.epochs.enter();
      try {
        Tree tree = route.tree(owner);
        descent = tree.descent;
        long block = descent.leaf(at, null, Descent.Wanted.TOPOLOGY);
        if (Descent.isLeaf(block)) {
          PageHeader header = space.header(block);
          if (header.newestStamp() > stamp && tree.format.newest(block, low, high) > stamp) {
            return true;
          }
          goOnAt(header.high());
        } else if (!passStored(Descent.missing(block))) {
          missing = block;
        }
      } finally {
        space.epochs.exit(ticket);
      }
      if (missing != 0) {
        RoutedReads.load(space, route, missing, Descent.Wanted.TOPOLOGY);
      }
    }
    return false;
  }

  /**
   * Passes over stored leaves from a missing page on.
   *
   * @return false if the page has to be loaded
   */
  private boolean passStored(int page) {
    if (page == descent.root()) {
      return passRoot();
    }
    long parent = descent.aboveLeaf(at);
    if (parent == 0) {
      return false;
    }
    byte[] end = endOfUnchanged(parent);
    if (!isStill(parent)) {
      return true; // looks again
    }
    if (end == at) {
      return false;
    }
    goOnAt(end);
    return true;
  }

  /**
   * A root that is stored is the only leaf, or has not been loaded since the store was opened; then
   * nothing below it has changed since, because every writer comes by the root.
   */
  private boolean passRoot() {
    if (!isUnchanged(table.block(descent.root()))) {
      return false;
    }
    goOnAt(null);
    return true;
  }

  /** Where the leaves end that are stored and unchanged, of those of an inner page from here on. */
  private byte[] endOfUnchanged(long parent) {
    int from = space.inner.indexOf(parent, at);
    int last = Math.min(lastOfRange(parent), from + MOST_LEAVES - 1);
    int child = from;
    while (child <= last && isUnchanged(table.block(space.inner.childAt(parent, child)))) {
      child++;
    }
    return child == from ? at : space.inner.end(parent, child - 1);
  }

  private int lastOfRange(long parent) {
    return high == null ? space.inner.count(parent) - 1 : space.inner.indexOf(parent, high);
  }

  private boolean isUnchanged(long state) {
    return StoredState.isStored(state) && StoredState.isUnchangedSince(state, stamp);
  }

  /** Whether a block is the newest one of its page, behind all that has been read until now. */
  private boolean isStill(long block) {
    return table.block(space.header(block).pageId()) == block;
  }

  private void goOnAt(byte[] next) {
    at = isEnd(next) ? null : next;
  }

  private boolean isEnd(byte[] next) {
    return next == null || (high != null && Arrays.compareUnsigned(next, high) >= 0);
  }
}
