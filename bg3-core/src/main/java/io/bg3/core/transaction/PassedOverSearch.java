package io.bg3.core.transaction;

import io.bg3.core.forest.EmptiedTrees;
import io.bg3.core.forest.Forest;
import io.bg3.core.forest.PassedOverTrees;
import io.bg3.core.forest.UnnoticedOwners;
import io.bg3.core.tree.FamilyOwner;
import io.bg3.storage.format.UnreadableException;
import io.bg3.storage.memory.MemoryExceededException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks through leaves for what nobody notices, for a millisecond at a time, and says when to look
 * again: through those of shared trees for vertices with many edges (R56), and through dedicated
 * trees for such as have no entries any more (R57), by turns. Where a leaf cannot be looked at it
 * keeps the place and rests, twice as long after each failure; it goes on behind a damaged leaf.
 *
 * <p>Threads: belongs to the one that moves owners.
 */
final class PassedOverSearch {
  private static final Logger LOG = LoggerFactory.getLogger(PassedOverSearch.class);

  /** Leaves are looked at for so long at once. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** No look counts as longer: of one that takes longer, the machine may have kept the thread. */
  private static final long COUNTED_NANOS = TimeUnit.MILLISECONDS.toNanos(40);

  /** Between two looks at the notes of all trees. */
  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Behind the first look for which there was no memory. */
  private static final long SHORTAGE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Behind the first leaf that could not be read. */
  private static final long UNREADABLE_NANOS = TimeUnit.MINUTES.toNanos(5);

  private static final long LONGEST_NANOS = TimeUnit.HOURS.toNanos(1);

  private final Forest forest;
  private final PassedOverTrees shared;
  private final EmptiedTrees dedicated;
  private UnnoticedOwners trees; // of the last look
  private final BooleanSupplier isEnding;
  private final WorkPace pace = new WorkPace(0);

  /** When all leaves are to be looked at; null if that is not to be, or has been said. */
  private WorkPace opening;

  /**
   * A search that finds what is noted from now on.
   *
   * @param dedicated the dedicated trees, which the caller sweeps
   * @param isEnding whether the thread is to end, or the store has failed
   */
  PassedOverSearch(Forest forest, EmptiedTrees dedicated, BooleanSupplier isEnding) {
    this.forest = forest;
    this.shared = new PassedOverTrees(forest);
    this.dedicated = dedicated;
    this.trees = shared;
    this.isEnding = isEnding;
  }

  /** Has all leaves looked at from so many nanoseconds on. */
  void searchAllIn(long nanos) {
    opening = new WorkPace(0);
    opening.restFor(nanos);
  }

  /** Has all leaves of shared trees looked at, and all dedicated trees. */
  void searchAll() {
    shared.beginAnywhere();
    forest.notePassedOver();
    dedicated.noteAll();
  }

  /** Whether it is time to look at a leaf. */
  boolean isDue() {
    if (opening != null && opening.isDue()) {
      opening = null;
      searchAll();
    }
    if (!pace.isDue()) {
      return false;
    }
    if (isEmpty()) {
      pace.restFor(IDLE_NANOS);
      return false;
    }
    return true;
  }

  /** Whether there is a leaf to look at, be it time to do so or not. */
  boolean hasPassedOver() {
    return !isEmpty();
  }

  private boolean isEmpty() {
    return shared.isEmpty() && dedicated.isEmpty();
  }

  /** Whether the tree of an owner that cannot be moved is noted, to be searched much later. */
  boolean isNotedForLater(FamilyOwner owner) {
    return shared.isNotedForLater(owner);
  }

  /** Says that an owner cannot be moved now, and that it is not remembered any more. */
  void noteLater(FamilyOwner owner) {
    if (forest.isDedicated(owner)) {
      dedicated.noteLater(owner.family());
    } else {
      shared.noteLater(owner);
    }
  }

  /**
   * Looks at leaves for a moment, and goes on at the next leaf when it is called again.
   *
   * @param move does for an owner what is to be done; says whether it has done anything
   */
  void run(Predicate<FamilyOwner> move) {
    try {
      pace.rest(Math.min(COUNTED_NANOS, look(move)));
    } catch (MemoryExceededException e) {
      pace.restBehindFailure(SHORTAGE_NANOS, LONGEST_NANOS);
    } catch (UncheckedIOException e) {
      pace.restBehindFailure(UNREADABLE_NANOS, LONGEST_NANOS);
      LOG.warn(
          "a leaf cannot be read; the search for large vertices reads it again in some minutes: {}",
          e.getMessage());
    } catch (UnreadableException e) {
      trees.passLeaf();
      pace.restBehindFailure(UNREADABLE_NANOS, LONGEST_NANOS);
      LOG.warn(
          "a damaged leaf keeps vertices in the trees where they are; bin/bg3 check says more: {}",
          e.getMessage());
    }
  }

  /** Looks at leaves; says for how long, in nanoseconds, if it was in vain, and 0 if not. */
  private long look(Predicate<FamilyOwner> move) {
    boolean moved = false;
    long looking = 0;
    while (looking < LOOK_NANOS && !isEmpty() && !isEnding.getAsBoolean()) {
      long begin = System.nanoTime();
      takeTurns();
      for (FamilyOwner owner : trees.lookAtNext()) {
        if (!isEnding.getAsBoolean() && move.test(owner)) {
          trees.noteMoved(owner);
          moved = true;
        }
      }
      pace.noteSuccess();
      looking += System.nanoTime() - begin;
    }
    return moved ? 0 : looking;
  }

  /** Has the next look be at the other trees, unless there is nothing to look at. */
  private void takeTurns() {
    UnnoticedOwners other = trees == shared ? dedicated : shared;
    trees = other.isEmpty() ? trees : other;
  }
}
