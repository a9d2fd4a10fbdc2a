package io.bg3.core.forest;

import io.bg3.core.entry.ByteEntries;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Expiry;
import io.bg3.core.entry.Op;
import io.bg3.core.table.Pins;
import io.bg3.core.tree.FamilyOwner;
import io.bg3.core.tree.LeafAdmission;
import io.bg3.core.tree.LocatedLeaves;
import io.bg3.core.tree.OwnerMove;
import io.bg3.core.tree.PendingMaintenance;
import io.bg3.core.tree.Tree;
import io.bg3.core.tree.TreeShape;
import io.bg3.storage.memory.MemoryBudget;
import java.util.function.Consumer;

/**
 * Moves one owner from its INIT tree to a tree of its own (R19), or from the shared tree of a
 * family to a tree of its own for that family (R54).
 *
 * <pre>
 *  1  the owner's stripe, exclusively: every commit of it is applied     the caller
 *  2  leaves of the owner and of the directory are loaded and pinned,    I/O, no waiting for memory
 *     memory for a second copy of them is granted
 *  3  no checkpoint notes anything from here to 7, no value moves        no I/O, nothing fails
 *  4  copy all versions, build the tree
 *  5  DIRECTORY tree, then the table: the owner is in the new tree
 *  6  wait until the epochs of all readers have ended that may have read the table before
 *  7  erase the owner from the shared leaves
 * </pre>
 *
 * <p>What others see: before 5 and behind 7 the entries are in one tree. Between, they are in both,
 * and a reader takes those of the tree that it was sent to; a scan of all owners takes those of the
 * tree that the directory names. Nothing is logged: a crash leaves the owner where the last
 * manifest had it, and a manifest knows nothing of what is between 3 and 7. The log's records name
 * owners, not trees.
 *
 * <p>An error from 5 to 7 stops the writing of the store before a checkpoint can note anything: the
 * directory, its tree and the shared leaves may disagree about the owner. The next opening finds
 * what the last manifest and the log say.
 *
 * <p>Threads: belongs to one.
 */
public final class MoveOut implements AutoCloseable {
  /**
   * The leaves of an owner that take no larger part of the memory budget, and no more bytes than
   * the forest says, are copied at once: commits of the owner, and after a while all others, wait
   * meanwhile.
   */
  private static final int SHARE_AT_ONCE = 16;

  /** The leaves of an owner take this part of the memory budget at most. */
  private static final int SHARE = 8;

  private final Forest forest;
  private final FamilyOwner owner;
  private OwnerMove ahead; // null unless the leaves are copied before the stripe is taken

  MoveOut(Forest forest, FamilyOwner owner) {
    this.forest = forest;
    this.owner = owner;
  }

  /**
   * Whether the owner is in a shared tree and has more entries than so many. May load leaves, and
   * wait for memory: called without a lock in hand.
   *
   * @param expiry tells which entries do not count
   */
  public boolean isWanted(int entries, Expiry expiry) {
    return !forest.isDedicated(owner)
        && OwnerMove.isAbove(forest.sharedTree(owner), owner.owner(), entries, expiry);
  }

  /**
   * Brings the owner's leaves into memory, and says whether they are there and not too large for a
   * move: {@link #run} then finds them without I/O, unless they are evicted meanwhile. If they are
   * too large to be copied at once, it copies them, and they stay in memory until {@link #close}
   * (R62). Called without a lock in hand; waits for no memory.
   */
  public boolean fits() {
    try (OwnerMove move = newMove()) {
      if (move.load(mostAtOnce())) {
        return true;
      }
      if (move.bytes() <= mostAtOnce()) {
        return false;
      }
    }
    ahead = newMove();
    return ahead.copyAhead(forest.space().memory().budget().limit() / SHARE);
  }

  private OwnerMove newMove() {
    return new OwnerMove(forest.sharedTree(owner), owner.owner());
  }

  /** Bytes of the owner's leaves that are copied under locks. */
  private long mostAtOnce() {
    long part = forest.space().memory().budget().limit() / SHARE_AT_ONCE;
    return Math.min(forest.mostMovedAtOnce(), part);
  }

  /**
   * Moves the owner, if it is in a shared tree and its leaves fit into the memory that is there.
   * The caller holds its stripe exclusively.
   *
   * @param stop stops the writing of the store; told what has failed when the owner may be in two
   *     trees
   * @return whether it has been moved
   */
  public boolean run(Consumer<Throwable> stop) {
    if (forest.isDedicated(owner)) {
      return false;
    }
    PendingMaintenance due = new PendingMaintenance();
    try (Pins.Registration pins = forest.pins().register()) {
      if (!pinDirectory(pins)
          || !(ahead == null ? moveAtOnce(due, stop) : moveCopied(ahead, due, stop))) {
        return false;
      }
    }
    forest.settle(due);
    return true;
  }

  /** Moves the owner if its leaves fit into the memory that is there; says whether they did. */
  private boolean moveAtOnce(PendingMaintenance due, Consumer<Throwable> stop) {
    try (OwnerMove move = newMove()) {
      return move.pin(mostAtOnce()) && moveGranted(move, due, stop);
    }
  }

  /** Moves the owner if there is memory for a second copy of its leaves; says whether there was. */
  private boolean moveGranted(OwnerMove move, PendingMaintenance due, Consumer<Throwable> stop) {
    MemoryBudget budget = forest.space().memory().budget();
    long bytes = move.bytes();
    if (!budget.tryRequest(bytes)) {
      return false;
    }
    try {
      forest.moves().lock();
      try {
        move(move, due, stop);
      } finally {
        forest.moves().unlock();
      }
    } finally {
      budget.release(bytes);
    }
    return true;
  }

  /** Moves the owner if few of its leaves have changed since they were copied; says whether. */
  private boolean moveCopied(OwnerMove move, PendingMaintenance due, Consumer<Throwable> stop) {
    forest.moves().lock();
    try {
      forest.makeRoom(owner.family()); // as in move
      if (!move.refresh()) {
        return false;
      }
      takesOver(move, (shape, id) -> move.buildCopied(shape, id), due, stop);
      return true;
    } finally {
      forest.moves().unlock();
    }
  }

  private void move(OwnerMove move, PendingMaintenance due, Consumer<Throwable> stop) {
    forest.makeRoom(owner.family()); // behind the entry in the DIRECTORY tree nothing may fail
    Entries all = move.copy();
    takesOver(move, (shape, id) -> move.build(shape, id, all), due, stop);
  }

  /** Makes a tree of what was copied. */
  @FunctionalInterface
  private interface Build {
    Tree tree(TreeShape shape, int id);
  }

  /** Builds the tree, and steps 5 to 7. */
  private void takesOver(
      OwnerMove move, Build build, PendingMaintenance due, Consumer<Throwable> stop) {
    if (move.losesDegrees()) {
      forest.noteLoss();
    }
    int id = forest.takeNumber();
    Tree tree = build.tree(forest.stripeOf(owner.family(), id), id);
    try {
      forest.publish(owner, tree, due);
      forest.space().epochs().awaitQuiescence();
      move.erase();
    } catch (RuntimeException | Error e) { // of the JVM: it has no heap or no direct memory
      stop.accept(e);
      throw e;
    }
  }

  /** Lets go of copies that have not become a tree, and of the leaves. */
  @Override
  public void close() {
    if (ahead != null) {
      ahead.close();
    }
  }

  /** Keeps the leaf of the directory in memory that the owner's entry belongs to. */
  private boolean pinDirectory(Pins.Registration pins) {
    ByteEntries entry = new ByteEntries();
    entry.append(DirectoryKey.of(owner), Op.PUT, 0, new byte[0]);
    LocatedLeaves leaves = new LocatedLeaves();
    int found =
        forest
            .directoryTree()
            .find(entry, Long.MAX_VALUE, leaves, LeafAdmission.withoutWaiting(pins));
    return found == Tree.NONE;
  }
}
