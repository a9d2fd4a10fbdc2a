package io.bg3.core.tree;

import io.bg3.core.entry.Horizon;
import io.bg3.storage.memory.MemoryExceededException;
import java.util.Arrays;

/**
 * Leaves that a commit left with too much in their deltas. The committer settles them after it has
 * released its stripes; nothing is lost when it does not, the next writer of the leaf finds it due
 * again. Belongs to one thread.
 */
public final class PendingMaintenance {
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
   * the horizon reads. Nothing is due afterwards: where memory runs out, a page is put off until
   * its next writer finds it due again.
   *
   * @throws IllegalStateException if the store is closed
   */
  public void settle(Horizon horizon) {
    try {
      for (int i = 0; i < count; i++) {
        settle(trees[i], pages[i], horizon);
      }
    } finally {
      Arrays.fill(trees, 0, count, null);
      count = 0;
    }
  }

  private static void settle(Tree tree, int page, Horizon horizon) {
    try {
      tree.settleDue(page, horizon);
    } catch (MemoryExceededException e) {
      tree.space.putOff.add(tree.id(), page, e);
      tree.shape.notePassedOver(); // nobody has looked at the leaf's owners
    }
  }
}
