package io.bg3.core.tree;

import io.bg3.core.block.PageFrame;
import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.page.InnerFormat;
import io.bg3.core.table.PageTable;
import io.bg3.storage.Waiting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Removal of empty leaves: the range of the leaf goes to its left neighbour (R21).
 *
 * <p>The first child of an inner page goes only together with that page, so an empty first child
 * stays until its siblings are gone. The leftmost leaf of the tree and the root stay for good.
 *
 * <p>All blocks that a removal publishes, those of the inner pages included, are built before the
 * page is marked dead: memory can run out at each, and a reader that a parent sends to a dead page
 * begins again at the root for ever.
 *
 * <p>The neighbour has to be in memory, and the inner pages on both ways: they are loaded first,
 * without the structure lock. If that cannot be done now, the empty leaf stays, and the next
 * checkpoint tries again.
 */
final class EmptyPageRemover {
  private final Tree tree;
  private final TreeSpace space;
  private final PageTable table;
  private final InnerFormat inner;

  /** Of the removal under way; guarded by the tree's structure lock. */
  private final UnpublishedPages unpublished;

  EmptyPageRemover(Tree tree) {
    this.tree = tree;
    this.space = tree.space;
    this.table = space.table;
    this.inner = space.inner;
    this.unpublished = new UnpublishedPages(tree);
  }

  /** An inner page on the way to the leaf, and which of its children the way takes. */
  private record Step(int page, int index) {}

  /**
   * Removes a leaf if it is empty and has a left neighbour that can take its range.
   *
   * @return false if it is to be tried again, because a page that it needs is not in memory, or the
   *     thread would have to wait and may not
   */
  boolean remove(int page, Horizon horizon) {
    int missing;
    do {
      if (!tree.shape.lock.lockIfAllowed()) {
        return false;
      }
      try {
        byte[] low = lowOfEmptyLeaf(page);
        missing = low == null ? 0 : missing(low);
        if (low != null && missing == 0) {
          return remove(page, low, horizon);
        }
      } finally {
        tree.shape.lock.unlock();
      }
    } while (missing != 0 && !Waiting.isForbidden() && space.loader().tryLoad(missing));
    return missing == 0;
  }

  /** A page on the way to the leaf, or to its left neighbour, that is not in memory; 0 if none. */
  private int missing(byte[] low) {
    int missing = tree.missing(above -> inner.child(above, low));
    return missing != 0 ? missing : tree.missing(above -> inner.childBelow(above, low));
  }

  private boolean remove(int page, byte[] low, Horizon horizon) {
    List<Step> path = path(low);
    int level = path.size() - 1; // the step whose inner page loses a child
    while (level >= 0 && path.get(level).index() == 0) {
      if (inner.count(block(path.get(level).page())) > 1) {
        return true; // a first child with siblings stays
      }
      level--;
    }
    if (level < 0) {
      return true;
    }
    try {
      boolean removed = removeLeaf(page, path, level, low, horizon);
      if (removed) {
        unpublished.publishAbove();
      }
      return removed || lowOfEmptyLeaf(page) == null;
    } finally {
      unpublished.giveBack();
    }
  }

  /** The low fence of the page if it is an empty leaf of this tree, else null. */
  private byte[] lowOfEmptyLeaf(int page) {
    table.latch(page);
    try {
      long block = table.block(page);
      return tree.isLeaf(block) && isEmpty(block) ? space.header(block).low() : null;
    } finally {
      table.unlatch(page);
    }
  }

  private boolean isEmpty(long block) {
    PageHeader header = space.header(block);
    return !header.isDelta() && header.count() == 0;
  }

  /**
   * The inner pages from the root to the leaf that begins at {@code low}, with the index of the
   * child taken. There is one at least, since the only leaf of a tree has no low fence.
   */
  private List<Step> path(byte[] low) {
    List<Step> path = new ArrayList<>();
    int page = tree.root();
    int level;
    do {
      long block = block(page);
      level = space.header(block).level();
      List<byte[]> separators = inner.separators(block);
      int index = 0;
      while (index < separators.size() && Arrays.compareUnsigned(separators.get(index), low) <= 0) {
        index++;
      }
      path.add(new Step(page, index));
      page = inner.childAt(block, index);
    } while (level > 1);
    return path;
  }

  /**
   * Builds the wider left neighbour and all that the inner pages are to become; then, if the page
   * is still empty, marks it dead and publishes the neighbour.
   *
   * @return false if another thread has written to the page meanwhile, or one of the two has been
   *     evicted
   */
  private boolean removeLeaf(int page, List<Step> path, int level, byte[] low, Horizon horizon) {
    int left = leafBelow(low);
    table.latch(left);
    table.latch(page); // always the right one second
    try {
      long block = table.block(page);
      if (!tree.isLeaf(block) || !isEmpty(block) || !tree.isLeaf(block(left))) {
        return false;
      }
      widenLeft(left, page, block, horizon);
      forget(path, level, low);
      unpublished.publish();
      return true;
    } finally {
      table.unlatch(page);
      table.unlatch(left);
    }
  }

  private void widenLeft(int left, int page, long block, Horizon horizon) {
    PageHeader removed = space.header(block);
    long old = table.block(left);
    PageHeader neighbour = space.header(old);
    assert neighbour.rightSibling() == page : neighbour.frame() + " beside " + removed.frame();

    Entries all = tree.format.merged(old, horizon.forNewBase());
    all.markAllUnstored();
    PageFrame wider =
        new PageFrame(left, tree.id(), neighbour.low(), removed.high(), removed.rightSibling());
    long cut = Math.max(Math.max(neighbour.cut(), removed.cut()), horizon.cut());
    long base = tree.format.writeBase(wider, all, 0, all.count(), cut);
    unpublished.addRemoved(page, block);
    unpublished.add(left, old, base);
  }

  /**
   * The last leaf whose keys are below a bound, in memory or not. The structure lock is held, so
   * every route is true.
   */
  private int leafBelow(byte[] bound) {
    int page = tree.root();
    int level;
    do {
      long block = block(page);
      level = space.header(block).level();
      page = inner.childBelow(block, bound);
    } while (level > 1);
    return page;
  }

  /**
   * Builds the inner page without the removed child, and what becomes of the inner pages that had
   * no other.
   */
  private void forget(List<Step> path, int level, byte[] low) {
    for (int i = level + 1; i < path.size(); i++) {
      removeInner(path.get(i).page(), low);
    }
    Step step = path.get(level);
    long block = block(step.page());
    List<byte[]> separators = inner.separators(block);
    List<Integer> children = new ArrayList<>(Arrays.stream(inner.children(block)).boxed().toList());
    separators.remove(step.index() - 1);
    children.remove(step.index());
    PageHeader header = space.header(block);
    long smaller =
        inner.write(
            header.frame(),
            header.level(),
            separators,
            children.stream().mapToInt(Integer::intValue).toArray());
    unpublished.add(step.page(), block, smaller);
  }

  /** The range of an inner page without children goes to the inner page on its left. */
  private void removeInner(int page, byte[] low) {
    long block = block(page);
    PageHeader removed = space.header(block);
    int left = innerBelow(low, removed.level());
    long old = block(left);
    PageHeader neighbour = space.header(old);
    assert neighbour.rightSibling() == page : neighbour.frame() + " beside " + removed.frame();
    PageFrame wider =
        new PageFrame(left, tree.id(), neighbour.low(), removed.high(), removed.rightSibling());
    long base = inner.write(wider, neighbour.level(), inner.separators(old), inner.children(old));
    unpublished.addRemoved(page, block);
    unpublished.add(left, old, base);
  }

  private int innerBelow(byte[] bound, int level) {
    int page = tree.root();
    while (space.header(block(page)).level() > level) {
      page = inner.childBelow(block(page), bound);
    }
    return page;
  }

  private long block(int page) {
    return table.block(page);
  }
}
