package io.bg3.core.tree;

import io.bg3.core.page.LeafFormat;
import java.util.function.LongConsumer;

/**
 * Owners that may have enough entries for a tree of their own: threads that consolidate or flush
 * shared leaves notice them, and the thread that moves owners takes them, those first that were
 * noticed first. A bounded number: of a tree with an owner that is left out, all leaves are looked
 * at later ({@link HeavyOwnerSearch}, R56).
 *
 * <p>Threads: any may add; one takes.
 */
public final class HeavyOwners {
  /**
   * An owner with entries in a neighbour leaf too is noticed if it has this part of the entries in
   * the leaf.
   */
  private static final int SHARE = 4;

  private final NoticedQueue<FamilyOwner> queue = new NoticedQueue<>();

  private volatile int most = Integer.MAX_VALUE; // of entries without a family
  private volatile boolean families;

  private volatile int countedLeaves = Integer.MAX_VALUE;

  /** Whether an owner was left out whose tree has got many leaves. */
  private volatile boolean leavesOut;

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

  /**
   * Sets from how many leaves on, 2 at least, a tree of one owner has many leaves: then the degrees
   * of the owner are kept (R36).
   */
  public void countFrom(int leaves) {
    countedLeaves = leaves;
  }

  int countsFrom() {
    return countedLeaves;
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
    name(shape, format, block, owner -> enqueue(shape, owner));
  }

  /**
   * Notices the owners that have many entries, by a leaf of a shared tree that is about to be
   * stored: each leaf that has changed is, with its delta. An owner that a fence of the leaf
   * separates is counted on the other side too.
   */
  void lookAtStored(Tree tree, long block) {
    TreeShape shape = tree.shape;
    int above = most(shape);
    tree.format.leafOwners(
        block,
        (owner, entries, before, behind) -> {
          boolean many = entries > above || (before && behind);
          if (!many && (before || behind)) {
            int beside = SeparatedOwner.entriesBeside(tree, block, owner, before);
            many =
                beside == SeparatedOwner.UNKNOWN
                    ? entries >= share(above)
                    : entries > above - beside;
          }
          if (many) {
            enqueue(shape, owner);
          }
        });
  }

  private void enqueue(TreeShape shape, long owner) {
    if (!queue.add(new FamilyOwner(owner, shape.family))) {
      shape.notePassedOver(); // behind the publication of the leaf
    }
  }

  /**
   * Names the owners that may have many entries, by a leaf of a shared tree: those that have more
   * of them in the leaf, a share where keys of the owner belong to a neighbour leaf too, or any
   * where they belong to both.
   */
  void name(TreeShape shape, LeafFormat format, long block, LongConsumer each) {
    int above = most(shape);
    format.leafOwners(
        block,
        (owner, entries, before, behind) -> {
          if (entries > above
              || (before && behind)
              || ((before || behind) && entries >= share(above))) {
            each.accept(owner);
          }
        });
  }

  /** From so many entries in one leaf on, an owner may have too many in two. */
  private static int share(int above) {
    return Math.max(1, above / SHARE);
  }

  /**
   * Has the thread that takes owners look whether one that has a tree of its own has lost its
   * entries, if there is such a thread, which also takes away trees of a store that moves no vertex
   * any more. If too many wait, the owner is left out.
   */
  public void notice(long owner) {
    if (isOn()) {
      queue.add(FamilyOwner.plain(owner));
    }
  }

  /**
   * Has the thread that takes owners keep the degrees of one that has a tree of its own with many
   * leaves, if there is such a thread. If too many wait, {@link #takeLeavesOut} says so.
   */
  public void noticeLarge(long owner) {
    if (isOn() && !queue.add(FamilyOwner.plain(owner))) {
      leavesOut = true;
    }
  }

  /** Whether an owner has been left out by {@link #noticeLarge} since this was called last. */
  public boolean takeLeavesOut() {
    boolean taken = leavesOut;
    if (taken) {
      leavesOut = false; // first: the caller looks at all of them from here on
    }
    return taken;
  }

  private boolean isOn() {
    return families || most != Integer.MAX_VALUE;
  }

  /** Takes an owner out; null if there is none. */
  public FamilyOwner poll() {
    return queue.poll();
  }
}
