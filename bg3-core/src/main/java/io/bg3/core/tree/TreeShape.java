package io.bg3.core.tree;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Shared by the threads that change the shape of a tree: a lock, and the pages that the next
 * checkpoint is to look at. The dedicated trees of a store share a fixed number of these, so a tree
 * needs no object of its own.
 *
 * <p>Threads: any. No thread holds the lock of two of them, or waits for one with a latch in hand.
 */
public final class TreeShape {
  /**
   * Held by the thread that changes the shape of one of the trees: splits, removals, and a flush
   * while it notes their pages.
   */
  final StructureLock lock = new StructureLock();

  /**
   * Pages that became dirty since a flush last took them; one may stand here twice, or have been
   * removed since. Each dirty page of the trees stands here, or a flush has noted it, or the writer
   * that made it dirty is about to add it.
   */
  final PageQueue dirty = new PageQueue(this);

  /** Leaves that were empty and could not be removed; the next checkpoint tries again. */
  final Queue<TreePage> emptied = new ConcurrentLinkedQueue<>();

  /** Pages that were removed since a checkpoint last looked. */
  final Queue<Integer> removed = new ConcurrentLinkedQueue<>();

  /** Whether owners with many entries move out of the tree. */
  final boolean isShared;

  /** Whether the log has all that is written to the tree. */
  final boolean isLogged;

  /** Leaves with entries are stored in extents of this family (R46); 0 for those of all. */
  final int family;

  /** The state that the shared and dedicated trees of a family, or of none, have in common. */
  private final FamilyState state;

  /** Whether an owner with many entries may be in the tree, and nobody will notice it. */
  private volatile boolean passedOver;

  /** Of trees that nothing moves out of. */
  public TreeShape() {
    this(false, true, 0, null);
  }

  private TreeShape(boolean isShared, boolean isLogged, int family, FamilyState state) {
    this.isShared = isShared;
    this.isLogged = isLogged;
    this.family = family;
    this.state = state;
  }

  /** Of a tree of which the log has nothing. */
  public static TreeShape ofUnloggedTree() {
    return new TreeShape(false, false, 0, null);
  }

  /** Of the tree that the owners of a family share. */
  public static TreeShape ofFamily(int family) {
    return new TreeShape(true, true, family, new FamilyState());
  }

  /** Of another shared tree, of the same family. */
  public TreeShape ofSharedTrees() {
    return new TreeShape(true, true, family, state);
  }

  /** Of trees that have one owner each, of the family of this tree. */
  public TreeShape ofDedicatedTrees() {
    return new TreeShape(false, true, family, state);
  }

  /**
   * Says how the pages of the trees of a family are written from now on.
   *
   * @throws IllegalStateException if a codec's native library cannot be loaded
   */
  public void configure(FamilySettings settings) {
    assert family > 0 : settings;
    if (settings.compression() != null) {
      settings.compression().codec().require();
    }
    FamilySettings before = state.settings;
    state.settings = settings;
    if (before != null && movesMore(before.splitOut(), settings.splitOut())) {
      notePassedOver(); // those between a higher split-out and this one
    }
  }

  private static boolean movesMore(int before, int splitOut) {
    return splitOut != 0 && (before == 0 || splitOut < before);
  }

  /** Entries above which an owner leaves the tree of a family; 0 if none leaves it. */
  public int splitOut() {
    return settings().splitOut();
  }

  /** Says that a tree of one owner of the family may have lost all its entries (R57). */
  public void noteEmptied() {
    state.mayHaveEmptied = true;
  }

  /** Whether {@link #noteEmptied} has been called since {@link #forgetEmptied} was. */
  public boolean mayHaveEmptied() {
    return state.mayHaveEmptied;
  }

  /** Says that all trees of the family are about to be looked at. */
  public void forgetEmptied() {
    state.mayHaveEmptied = false;
  }

  /** Says that an owner with many entries may be in the tree, and nobody will notice it (R56). */
  public void notePassedOver() {
    if (!passedOver) { // most often it is known, by all threads that find the queue full
      passedOver = true;
    }
  }

  /** Whether {@link #notePassedOver} has been called since {@link #forgetPassedOver} was. */
  boolean hasPassedOver() {
    return passedOver;
  }

  /** Says that all leaves of the tree are about to be looked at. */
  public void forgetPassedOver() {
    passedOver = false;
  }

  /** Whether this is of trees that have one owner each. */
  boolean isDedicated() {
    return state != null && !isShared;
  }

  /** Whether this is of a family with a name whose edges stay. */
  boolean isLasting() {
    FamilySettings settings = state == null ? null : state.settings;
    return settings != null && settings.ttlMillis() == 0;
  }

  /** Whether this is of a family with a name whose edges have a time to live. */
  public boolean expires() {
    return settings().ttlMillis() != 0;
  }

  /** How the pages are written, where it is not as the settings of the store say. */
  FamilySettings settings() {
    FamilySettings settings = state == null ? null : state.settings;
    return settings == null ? FamilySettings.OF_STORE : settings;
  }

  /** Of a tree that owners with many entries move out of. */
  public static TreeShape ofSharedTree() {
    return new TreeShape(true, true, 0, new FamilyState());
  }

  /** The family whose tree this is of; 0 for none. */
  public int family() {
    return family;
  }

  /** How often a thread has found the lock taken, and has waited for it. */
  public long waits() {
    return lock.waits();
  }

  /**
   * Notes every page that changed since it was flushed, and every page that went since the last
   * checkpoint, with the shape of the trees held still. No I/O.
   */
  public void note(NotedPages into) {
    lock.lock();
    try {
      for (Integer page = removed.poll(); page != null; page = removed.poll()) {
        into.addRemoved(page);
      }
      for (TreePage page = dirty.poll(); page != null; page = dirty.poll()) {
        page.tree().noteIfDirty(page.page(), true, into);
      }
      for (TreePage page = emptied.poll(); page != null; page = emptied.poll()) {
        into.addEmptied(page);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Notes leaves that changed, those first that changed first, for a flush that no manifest
   * follows. Inner pages, and what went, wait for {@link #note}. No I/O.
   *
   * @param most how many pages may be noted in all
   */
  public void noteLeaves(NotedPages into, int most) {
    Queue<TreePage> passed = new ArrayDeque<>();
    lock.lock();
    try {
      while (into.count() < most) {
        TreePage page = dirty.poll();
        if (page == null) {
          return;
        }
        if (page.tree().noteIfDirty(page.page(), false, into)) {
          passed.add(page);
        }
      }
    } finally {
      passed.forEach(page -> dirty.add(page.tree(), page.page()));
      lock.unlock();
    }
  }
}
