package io.bg3.core.transaction;

import io.bg3.core.forest.Forest;
import io.bg3.core.forest.PassedOverTrees;
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
 * Looks through the leaves of shared trees for vertices with many edges that nobody notices (R56),
 * for a millisecond at a time, and says when to look again. Where a leaf cannot be looked at it
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
  private final PassedOverTrees trees;
  private final BooleanSupplier isEnding;
  private final WorkPace pace = new WorkPace(0);

  /** When all leaves are to be looked at; null if that is not to be, or has been said. */
  private WorkPace opening;

  /**
   * A search that finds what is noted from now on.
   *
   * @param isEnding whether the thread is to end, or the store has failed
   */
  PassedOverSearch(Forest forest, BooleanSupplier isEnding) {
    this.forest = forest;
    this.trees = new PassedOverTrees(forest);
    this.isEnding = isEnding;
  }

  /** Has all leaves looked at from so many nanoseconds on. */
  void searchAllIn(long nanos) {
    opening = new WorkPace(0);
    opening.restFor(nanos);
  }

  /** Whether it is time to look at a leaf. */
  boolean isDue() {
    if (opening != null && opening.isDue()) {
      opening = null;
      trees.beginAnywhere();
      forest.notePassedOver();
    }
    if (!pace.isDue()) {
      return false;
    }
    if (trees.isEmpty()) {
      pace.restFor(IDLE_NANOS);
      return false;
    }
    return true;
  }

  /** Whether there is a leaf to look at, be it time to do so or not. */
  boolean hasPassedOver() {
    return !trees.isEmpty();
  }

  /** Whether the tree of an owner that cannot be moved is noted, to be searched much later. */
  boolean isNotedForLater(FamilyOwner owner) {
    return trees.isNotedForLater(owner);
  }

  /** Says that an owner cannot be moved now, and that it is not remembered any more. */
  void noteLater(FamilyOwner owner) {
    trees.noteLater(owner);
  }

  /**
   * Looks at leaves for a moment, and goes on at the next leaf when it is called again.
   *
   * @param move tries to move an owner that may have many entries; says whether it has moved
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
          "vertices with many edges in a damaged leaf stay in their shared tree; bin/bg3 check says"
              + " more: {}",
          e.getMessage());
    }
  }

  /** Looks at leaves; says for how long, in nanoseconds, if it was in vain, and 0 if not. */
  private long look(Predicate<FamilyOwner> move) {
    boolean moved = false;
    long looking = 0;
    while (looking < LOOK_NANOS && !trees.isEmpty() && !isEnding.getAsBoolean()) {
      long begin = System.nanoTime();
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
}
