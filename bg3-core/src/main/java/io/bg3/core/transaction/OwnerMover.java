package io.bg3.core.transaction;

import io.bg3.core.entry.Expiry;
import io.bg3.core.forest.EmptiedTrees;
import io.bg3.core.forest.Forest;
import io.bg3.core.forest.InitLimit;
import io.bg3.core.forest.MoveOut;
import io.bg3.core.forest.TreeRemoval;
import io.bg3.core.lock.HeldLocks;
import io.bg3.core.lock.Locks;
import io.bg3.core.snapshot.SnapshotTooOldException;
import io.bg3.core.thread.StoreThread;
import io.bg3.core.tree.EmptyTree;
import io.bg3.core.tree.FamilyOwner;
import io.bg3.storage.format.UnreadableException;
import io.bg3.storage.memory.MemoryExceededException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves vertices with many edges out of their INIT trees, each under its stripe, in a thread of its
 * own (R19). A vertex that cannot be moved now is tried again when it has been left alone for a
 * while. The leaves of a vertex are loaded, and it is found out whether they are too many, before
 * its stripe is taken.
 *
 * <p>When the tree of a vertex has got many leaves, it has the degrees of the vertex kept from then
 * on (R36, {@link FirstDegrees}). It finds the vertices that this misses together with the trees
 * without entries.
 *
 * <p>Where vertices were passed over that have many edges, because too many waited, it looks
 * through the leaves of the shared tree (R56). It does that too when a store that was there before
 * has been open for a while.
 *
 * <p>If INIT trees have a limit of their size, it looks from time to time whether one is larger,
 * and moves the vertices with the most edges out of it.
 *
 * <p>It also takes the tree away from a vertex that has no edges any more (R41). While a snapshot
 * may read what there was, the vertex waits, and is looked at again from time to time. A flush says
 * that some tree may be empty; the thread then looks at the trees of that family, or of none
 * ({@link EmptiedTrees}, R57).
 *
 * <p>In families of edge labels that have a split-out, vertices move out of the tree of the family,
 * and back, in the same way (R54).
 *
 * <p>Vertices that were noticed come first. Of the rest of its time the thread spends a fiftieth on
 * each kind of look that finds nothing to move.
 */
public final class OwnerMover implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OwnerMover.class);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** Between two looks at the sizes of INIT trees, or at trees without entries, at least. */
  private static final long SURVEY_MILLIS = 1_000;

  /** No retry counts as longer: all vertices that were put off wait behind it. */
  private static final long COUNTED_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Between two looks for work where no vertex moves. */
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final TransactionManager manager;
  private final Forest forest;
  private final int entries;
  private final InitLimit limit; // null for none
  private final StoreThread thread;
  private final PutOffOwners putOff = PutOffOwners.ofMoves();
  private final PutOffOwners emptied = PutOffOwners.ofRemovals();
  private final EmptiedTrees emptiedTrees;
  private final PassedOverSearch passedOver;
  private final FirstDegrees firstDegrees;
  private final WorkPace surveys = new WorkPace(SURVEY_MILLIS);
  private final WorkPace sweeps = new WorkPace(SURVEY_MILLIS);
  private final WorkPace retries = new WorkPace(0);

  /**
   * A mover that has not started, of a store whose INIT trees have no limit.
   *
   * @param entries an owner with more without a family moves; 0 if none does
   */
  public OwnerMover(TransactionManager manager, Forest forest, int entries) {
    this(manager, forest, entries, 0);
  }

  /**
   * A mover that has not started.
   *
   * @param entries an owner with more without a family moves; 0 if none does
   * @param initBytes of the leaves of an INIT tree; of one with more, owners with fewer entries
   *     move too ({@link InitLimit}). 0 for no limit
   */
  public OwnerMover(TransactionManager manager, Forest forest, int entries, long initBytes) {
    this.manager = manager;
    this.forest = forest;
    this.entries = entries;
    boolean isLimited = initBytes > 0 && entries > 0;
    this.limit = isLimited ? new InitLimit(forest, initBytes, entries) : null;
    this.emptiedTrees = new EmptiedTrees(forest, manager::horizon);
    this.passedOver = new PassedOverSearch(forest, emptiedTrees, this::isEnding);
    this.firstDegrees = new FirstDegrees(manager, forest, this::isEnding);
    this.thread = new StoreThread("bg3-owner-mover", this::run);
  }

  /** Has {@link #search} look at all leaves of shared trees, and at all dedicated trees. */
  public void searchAll() {
    passedOver.searchAll();
  }

  /**
   * Has the thread look as {@link #searchAll} says, in a store that was there before, when it has
   * been open for a while: what was noticed in it is forgotten. Called before {@link #start}.
   *
   * @param millis how long it has been open then
   */
  public void searchAfterOpening(long millis) {
    passedOver.searchAllIn(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  /** Starts the thread. */
  public void start() {
    if (entries > 0) {
      forest.heavyOwners().noticeAbove(entries);
    }
    forest.heavyOwners().noticeInFamilies();
    thread.start();
  }

  private void run() {
    try {
      while (!isEnding()) {
        FamilyOwner owner = forest.heavyOwners().poll();
        if (owner == null) {
          owner = emptied.poll();
        }
        if (owner != null) {
          tryMove(owner, above(owner.family()));
        } else if (!look()) {
          boolean idle = entries == 0 && !forest.hasSplitOuts();
          LockSupport.parkNanos(this, idle ? IDLE_NANOS : LOOK_NANOS);
        }
      }
    } catch (RuntimeException | Error e) {
      LOG.error(
          "the thread that moves vertices to dedicated trees has stopped; open the store again to"
              + " continue",
          e);
    }
  }

  /** Looks for something to do that nobody has noticed just now, if it is time to look. */
  private boolean look() {
    if (limit != null && surveys.isDue()) {
      long begin = System.nanoTime();
      relieve();
      surveys.rest(System.nanoTime() - begin);
    } else if (sweeps.isDue()) {
      sweeps.rest(sweep());
    } else if (retries.isDue() && putOff.poll() != null) {
      retries.rest(Math.min(COUNTED_NANOS, retry()));
    } else if (passedOver.isDue()) {
      search();
    } else {
      return false;
    }
    return true;
  }

  /** Entries of a family, or without one for 0, above which an owner moves; 0 if none does. */
  private int above(int family) {
    return family == 0 ? entries : forest.splitOut(family);
  }

  /** Moves vertices out of INIT trees that are too large. Called by one thread. */
  public void relieve() {
    for (long owner : limit.surplus()) {
      if (isEnding()) {
        return;
      }
      tryMove(FamilyOwner.plain(owner), limit.least());
    }
  }

  /**
   * Tries again to move a vertex that has been left alone for long enough. Called by one thread.
   *
   * @return how long it has tried in vain, in nanoseconds; 0 if {@link #move} has done something
   */
  public long retry() {
    FamilyOwner owner = putOff.poll();
    if (owner == null) {
      return 0;
    }
    long begin = System.nanoTime();
    boolean relieves = limit != null && owner.family() == 0; // it may have been put off for that
    boolean moved = tryMove(owner, relieves ? limit.least() : above(owner.family()));
    if (!putOff.rests(owner)) {
      putOff.forget(owner); // it has not failed again
    }
    return moved ? 0 : System.nanoTime() - begin;
  }

  /** Whether {@link #search} has a leaf to look at. */
  public boolean hasPassedOver() {
    return passedOver.hasPassedOver();
  }

  /**
   * Whether the tree that a vertex shares is noted, to be searched after a long rest: for one that
   * could not be moved and is not remembered any more.
   */
  public boolean searchesLater(FamilyOwner owner) {
    return passedOver.isNotedForLater(owner);
  }

  /**
   * Looks for a moment at leaves of trees in which vertices were passed over, and moves those that
   * have many edges (R56), and at dedicated trees, and takes away those without entries (R57). Goes
   * on at the next leaf when it is called again. Called by one thread.
   */
  public void search() {
    passedOver.run(owner -> tryMove(owner, above(owner.family())));
  }

  /**
   * Takes away dedicated trees that have no entries any more, of families in which a flush has
   * stored a leaf without entries. Has {@link #search} look at all dedicated trees if vertices were
   * left out that have degrees to be kept. Called by one thread.
   *
   * @return how long it has looked in vain, in nanoseconds
   */
  public long sweep() {
    if (forest.heavyOwners().takeLeavesOut()) {
      emptiedTrees.noteAll();
    }
    if (!emptiedTrees.maySweep()) {
      return 0; // asking for a horizon costs readers something
    }
    long begin = System.nanoTime();
    AtomicLong moving = new AtomicLong();
    emptiedTrees.sweep(
        owner -> {
          long from = System.nanoTime();
          boolean moved = false;
          if (putOff.rests(owner)) {
            lookAgain(owner);
          } else if (!isEnding()) {
            moved = tryMove(owner, 0);
          }
          moving.addAndGet(moved ? System.nanoTime() - from : 0);
        });
    return System.nanoTime() - begin - moving.get();
  }

  private boolean isEnding() {
    return thread.isEnding() || manager.failure() != null;
  }

  /** As {@link #move(FamilyOwner, int)}; a vertex that cannot be moved now is put off. */
  private boolean tryMove(FamilyOwner owner, int above) {
    try {
      return move(owner, above);
    } catch (MemoryExceededException
        | UnreadableException
        | SnapshotTooOldException
        | UncheckedIOException e) {
      if (manager.failure() != null) { // the vertex may be in two trees
        throw e;
      }
      putOff(owner);
      if (forest.isDedicated(owner) && (owner.family() > 0 || emptied.contains(owner))) {
        lookAgain(owner); // not at once
      }
      LOG.warn(
          "a vertex was not moved to a dedicated tree, or its degrees are not kept: {}: {}",
          owner,
          e.getMessage());
      return false;
    }
  }

  private void putOff(FamilyOwner owner) {
    FamilyOwner forgotten = putOff.putOff(owner);
    if (forgotten != null) {
      passedOver.noteLater(forgotten);
    }
  }

  /**
   * Moves a vertex if it has enough entries, and a move has not failed a moment ago; takes the tree
   * away from one that has no entries; and has the degrees kept of one whose tree has many leaves.
   *
   * @return whether it has done any of this: if not, the time was spent in vain
   */
  public boolean move(long owner) {
    return move(FamilyOwner.plain(owner), entries);
  }

  /**
   * As {@link #move(long)}, by the entries of a family.
   *
   * @param above a vertex with more entries moves; 0 if it does not
   */
  public boolean move(FamilyOwner owner, int above) {
    boolean moved = moveTree(owner, above);
    boolean isLarge = manager.failure() == null && forest.isLarge(owner.owner());
    boolean counted = isLarge && keepDegreesBehind(owner);
    return moved || counted;
  }

  /**
   * As {@link #move(FamilyOwner, int)}, but has no degrees kept.
   *
   * @return whether the tree of the vertex is another one now
   */
  public boolean moveTree(FamilyOwner owner, int above) {
    return forest.isDedicated(owner) ? tryMoveBack(owner) : tryMoveOut(owner, above);
  }

  private boolean keepDegreesBehind(FamilyOwner owner) {
    if (owner.family() == 0) {
      return keepDegrees(owner.owner());
    }
    if (!manager.degrees().areKept(owner.owner())) {
      forest.heavyOwners().noticeLarge(owner.owner()); // so that it rests by itself if that fails
    }
    return false;
  }

  private boolean tryMoveBack(FamilyOwner owner) {
    TreeRemoval removal = forest.treeRemoval(owner);
    EmptyTree.Content content = removal.content(manager.horizon());
    if (content == EmptyTree.Content.ENTRIES) {
      emptied.forget(owner);
      return false;
    }
    lookAgain(owner); // also if the next step fails
    if (content == EmptyTree.Content.OLD_VERSIONS) {
      return false;
    }
    boolean ended = owner.family() > 0 || endDegrees(owner.owner());
    boolean removed =
        ended && locked(owner.owner(), () -> removal.run(manager.horizon(), manager::fail));
    if (!ended || removed) {
      emptied.forget(owner);
    }
    return removed;
  }

  /** Says that the tree of a vertex may be empty and is to be looked at later. */
  private void lookAgain(FamilyOwner owner) {
    boolean isRemembered = owner.family() == 0 && emptied.putOff(owner) == null;
    if (!isRemembered) {
      forest.noteEmptied(owner.family()); // also for one that was forgotten
    }
  }

  /** Ends the keeping of a vertex's degrees, unless it has edges, which are in families then. */
  private boolean endDegrees(long owner) {
    return manager.update(new long[] {owner}, update -> manager.degrees().end(update, owner));
  }

  private boolean tryMoveOut(FamilyOwner owner, int above) {
    if (above == 0 || putOff.rests(owner)) {
      return false;
    }
    try (MoveOut move = forest.moveOut(owner)) {
      Expiry expiry = owner.family() == 0 ? Expiry.NEVER : manager.horizon().expiry();
      if (!move.isWanted(above, expiry)) {
        return false;
      }
      if (!move.fits() || !locked(owner.owner(), () -> move.run(manager::fail))) {
        putOff(owner);
        return false;
      }
    }
    putOff.forget(owner);
    return true;
  }

  /** Does something with the stripe of a vertex in hand. */
  private boolean locked(long owner, BooleanSupplier work) {
    Locks locks = manager.committer().locks();
    HeldLocks held = new HeldLocks(locks, LockScope.lockSet(locks, owner));
    try {
      return manager.failure() == null && work.getAsBoolean();
    } finally {
      held.release();
    }
  }

  /**
   * Has the degrees of a vertex kept from now on, if it has a tree of its own, of any size, that is
   * not about to go, and that has not failed a moment ago. Called by one thread.
   *
   * @return whether they were not kept until now
   */
  public boolean keepDegrees(long owner) {
    FamilyOwner plain = FamilyOwner.plain(owner);
    if (manager.failure() != null
        || !forest.isDedicated(owner)
        || emptied.contains(plain)
        || putOff.rests(plain)
        || manager.degrees().areKept(owner)) { // nobody but this thread ends that
      return false;
    }
    boolean isNew = firstDegrees.keep(owner);
    putOff.forget(plain);
    return isNew;
  }

  /** Ends the thread, behind the move that it is in. */
  @Override
  public void close() {
    thread.close();
  }
}
