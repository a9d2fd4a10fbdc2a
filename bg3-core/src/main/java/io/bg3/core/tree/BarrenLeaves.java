package io.bg3.core.tree;

import io.bg3.core.entry.Horizon;

/**
 * Leaves that scans went through from end to end and found nothing to read in, though they have
 * entries: those of keys that were removed. A leaf is consolidated when it is written to, so the
 * last removals of its keys stay in it, and each scan looks at them again. A thread of the store
 * removes such leaves (R55).
 *
 * <p>A bounded number; the next scan notices a leaf again.
 *
 * <p>Threads: any may notice; one removes.
 */
public final class BarrenLeaves {
  private final NoticedQueue<TreePage> queue = new NoticedQueue<>();
  private volatile boolean removes;

  /** Says that a thread removes leaves from now on; until then none is noticed. */
  public void noticeAll() {
    removes = true;
  }

  /** Notices a leaf that has entries, none of which a scan of its whole range has seen. */
  void notice(Tree tree, int page) {
    if (removes) {
      queue.add(new TreePage(tree, page));
    }
  }

  /**
   * Takes one of the leaves and removes it, if no snapshot reads anything in it.
   *
   * @return false if there is none to take
   * @throws IllegalStateException if the store is closed
   */
  public boolean removeNext(Horizon horizon) {
    TreePage leaf = queue.poll();
    if (leaf == null) {
      return false;
    }
    leaf.tree().removeIfBarren(leaf.page(), horizon);
    return true;
  }

  /** Whether there is no leaf to take. */
  public boolean isEmpty() {
    return queue.isEmpty();
  }
}
