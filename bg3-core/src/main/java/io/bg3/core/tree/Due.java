package io.bg3.core.tree;

import io.bg3.core.page.Horizon;
import java.util.Arrays;

/**
 * Leaves that a commit left with too much in their deltas. The committer settles them after it has
 * released its stripes; nothing is lost when it does not, the next writer of the leaf finds it due
 * again. Belongs to one thread.
 */
public final class Due {
  private Tree[] trees = new Tree[4];
  private int[] pages = new int[4];
  private int count;

  void add(Tree tree, int page) {
    if (count == pages.length) {
      trees = Arrays.copyOf(trees, 2 * count);
      pages = Arrays.copyOf(pages, 2 * count);
    }
    trees[count] = tree;
    pages[count] = page;
    count++;
  }

  /** Whether nothing is due. */
  public boolean isEmpty() {
    return count == 0;
  }

  /**
   * Consolidates what is due and splits what is then too large, pruning versions that nobody below
   * the horizon reads.
   */
  public void settle(Horizon horizon) {
    for (int i = 0; i < count; i++) {
      trees[i].settle(pages[i], horizon);
      trees[i] = null;
    }
    count = 0;
  }
}
