package io.bg3.core.forest;

import io.bg3.core.entry.Horizon;
import io.bg3.core.tree.EmptyTree;
import io.bg3.core.tree.EmptyTree.Content;
import io.bg3.core.tree.FamilyOwner;
import io.bg3.core.tree.OwnerMove;
import io.bg3.core.tree.Tree;
import io.bg3.storage.memory.MemoryBudget;
import java.util.function.Consumer;

/**
 * Takes the tree away from an owner that has no entries any more (R41): the owner is in its shared
 * tree again, the INIT tree or that of a family (R54).
 *
 * <pre>
 *  1  without a family: a commit deletes the owner's degrees and their   the caller
 *     marker
 *  2  the owner's stripe, exclusively: every commit of it is applied     the caller
 *  3  leaves of the tree, of the owner in the shared tree and of the     I/O, no waiting for memory
 *     directory are pinned, memory for copies of the last two is granted
 *  4  no checkpoint notes anything from here to 8, no value moves        no I/O, nothing fails
 *  5  the tree has nothing that any snapshot reads, or else it stays
 *  6  the shared leaves get the cut of the tree, then the owner leaves the
 *     DIRECTORY tree and the table: it is in the shared tree
 *  7  wait until the epochs of all readers have ended that may have read the table before
 *  8  all pages of the tree are dead
 * </pre>
 *
 * <p>What others see: nothing of the owner, in either tree. Nothing is logged but step 1: a crash
 * leaves the owner where the last manifest had it, and the log has no entry of the owner behind the
 * deletion of its marker that would have to be counted.
 *
 * <p>An error from 6 to 8 stops the writing of the store, as one of a {@link MoveOut} does.
 *
 * <p>Threads: belongs to one.
 */
public final class TreeRemoval {
  /** A tree with more bytes in leaves stays: an empty one has few, and is looked at as a whole. */
  private static final long MOST_BYTES = 1 << 20;

  private final Forest forest;
  private final FamilyOwner owner;

  TreeRemoval(Forest forest, FamilyOwner owner) {
    this.forest = forest;
    this.owner = owner;
  }

  /**
   * What the tree of an owner that has one has, apart from degrees; old versions if it has no
   * entries and too many leaves. May load leaves: called without a lock in hand, in the one thread
   * that moves owners, since the tree must not go away meanwhile.
   */
  public Content content(Horizon horizon) {
    Tree tree = forest.dedicatedTree(owner);
    try (EmptyTree empty = new EmptyTree(tree, owner.owner())) {
      if (empty.hasEdges(horizon.expiry())) {
        return Content.ENTRIES;
      }
      return empty.pin(MOST_BYTES) ? empty.content(horizon, false) : Content.OLD_VERSIONS;
    }
  }

  /**
   * Takes the tree away, if there is nothing in it, not even a degree, and there is memory. The
   * caller holds the owner's stripe exclusively.
   *
   * @param horizon found out with the stripe in hand
   * @param stop stops the writing of the store; told what has failed when directory and trees may
   *     disagree
   * @return whether the tree has gone
   */
  public boolean run(Horizon horizon, Consumer<Throwable> stop) {
    Tree tree = forest.dedicatedTree(owner);
    if (tree == null) {
      return false;
    }
    byte[] key = DirectoryKey.of(owner);
    try (EmptyTree empty = new EmptyTree(tree, owner.owner());
        OwnerMove shared = new OwnerMove(forest.sharedTree(owner), owner.owner());
        OwnerMove row = new OwnerMove(forest.directoryTree(), key, DirectoryKey.after(owner))) {
      return empty.pin(MOST_BYTES)
          && shared.pin(MOST_BYTES)
          && row.pin(MOST_BYTES)
          && removeGranted(empty, shared, row, horizon, stop);
    }
  }

  private boolean removeGranted(
      EmptyTree empty, OwnerMove shared, OwnerMove row, Horizon horizon, Consumer<Throwable> stop) {
    MemoryBudget budget = forest.space().memory().budget();
    long bytes = shared.bytes() + row.bytes();
    if (!budget.tryRequest(bytes)) {
      return false;
    }
    try {
      forest.moves().lock();
      try {
        boolean isEmpty = empty.content(horizon, true) == Content.NOTHING;
        if (isEmpty) {
          remove(empty, shared, row, horizon, stop);
        }
        return isEmpty;
      } finally {
        forest.moves().unlock();
      }
    } finally {
      budget.release(bytes);
    }
  }

  private void remove(
      EmptyTree empty, OwnerMove shared, OwnerMove row, Horizon horizon, Consumer<Throwable> stop) {
    try {
      shared.raiseCut(Math.max(empty.cut(), horizon.cut()));
      row.erase();
      forest.unpublish(owner);
      forest.space().epochs().awaitQuiescence();
      empty.remove();
    } catch (RuntimeException | Error e) { // of the JVM: it has no heap or no direct memory
      stop.accept(e);
      throw e;
    }
  }
}
