package io.bg3.core.tree;

import io.bg3.core.page.LeafFormat;
import java.util.function.LongConsumer;

/**
 * Owners that may have enough entries for a tree of their own: threads that consolidate shared
 * leaves notice them, and the thread that moves owners takes them, those first that were noticed
 * first. A bounded number: of a tree with an owner that is left out, all leaves are looked at later
 * ({@link HeavyOwnerSearch}, R56).
 *
 * <p>Threads: any may add; one takes.
 */
public final class HeavyOwners {
  /** An owner that begins or ends a leaf is noticed if it has this part of the entries there. */
  private static final int SHARE = 4;

  private final NoticedQueue<FamilyOwner> queue = new NoticedQueue<>();

  private volatile int most = Integer.MAX_VALUE; // of entries without a family
  private volatile boolean families;

  /** Sets about how many owners may wait from now on. */
  public void keepAtMost(int owners) {
    queue.limit(owners);
  }

  /** Notices owners from now on that may have more than so many entries without a family. */
  public void noticeAbove(int entries) {
    most = entries;
  }

  /** Notices owners from now on that may have more entries in a family than its split-out. */
  public void noticeInFamilies() {
    families = true;
  }

  /** Whether no owners of a tree are noticed. */
  boolean isOff(TreeShape shape) {
    return !shape.isShared || most(shape) == Integer.MAX_VALUE;
  }

  /** An owner whose entries are in one leaf, with others', is noticed if it has more than these. */
  private int most(TreeShape shape) {
    if (shape.family == 0) {
      return most;
    }
    int splitOut = families ? shape.splitOut() : 0;
    return splitOut == 0 ? Integer.MAX_VALUE : splitOut;
  }

  /** Notices the owners that may have many entries, by a leaf of a shared tree. */
  void look(TreeShape shape, LeafFormat format, long block) {
    name(
        shape,
        format,
        block,
        owner -> {
          if (!queue.add(new FamilyOwner(owner, shape.family))) {
            shape.notePassedOver(); // behind the publication of the leaf
          }
        });
  }

  /** Names the owners that may have many entries, by a leaf of a shared tree. */
  void name(TreeShape shape, LeafFormat format, long block, LongConsumer each) {
    int above = most(shape);
    int share = Math.max(1, above / SHARE); // from so many on, others may be in the next leaf
    format.heavyOwners(block, above, share, each);
  }

  /**
   * Has the thread that takes owners look at one that has a tree of its own, if there is such a
   * thread. If too many wait, the owner is left out until somebody asks again.
   */
  public void notice(long owner) {
    if (most != Integer.MAX_VALUE) {
      queue.add(FamilyOwner.plain(owner));
    }
  }

  /** Takes an owner out; null if there is none. */
  public FamilyOwner poll() {
    return queue.poll();
  }
}
