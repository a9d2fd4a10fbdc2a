package io.bg3.core.transaction;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.forest.Forest;
import io.bg3.core.keyspace.ScanOrder;
import io.bg3.core.lock.HeldLocks;
import io.bg3.core.lock.Locks;
import java.util.function.BooleanSupplier;

/**
 * Begins to keep the degrees of an owner that has a tree of its own, however many entries it has,
 * beside commits of the owner (R36).
 *
 * <pre>
 *  1  the owner's stripe: from here on commits tell a {@link DegreeCount} what they change
 *  2  wait until all is visible that was committed before
 *  3  count the entries at a snapshot                                    no lock
 *  4  the owner's stripe: write all degrees and the marker in one commit
 * </pre>
 *
 * <p>Nothing is left of a count that fails or is ended. It passes over edges with a time to live:
 * they are in no degree, and a vertex may have many.
 *
 * <p>Threads: belongs to the one that moves owners; it counts one owner at a time.
 */
final class FirstDegrees {
  private static final int[] TAGS = {EdgeKey.OUT, EdgeKey.IN, EdgeKey.INDEX};

  /** Entries that are counted between two looks whether to go on. */
  private static final int PAUSE = 1_024;

  private final TransactionManager manager;
  private final Forest forest;
  private final BooleanSupplier isEnding;

  /**
   * @param isEnding whether the thread is to end, or the store has failed
   */
  FirstDegrees(TransactionManager manager, Forest forest, BooleanSupplier isEnding) {
    this.manager = manager;
    this.forest = forest;
    this.isEnding = isEnding;
  }

  /**
   * Has the degrees of an owner kept from now on. No lock is held.
   *
   * @return whether that is so now and was not before; false too if the thread is to end
   */
  boolean keep(long owner) {
    DegreeCount count = new DegreeCount(owner);
    try {
      manager.visibility().awaitVisible(begin(count));
      return countAll(count)
          && manager.update(new long[] {owner}, update -> manager.degrees().begin(update, count));
    } finally {
      manager.degrees().count(null);
    }
  }

  /**
   * Has commits of the owner tell the count what they change.
   *
   * @return a stamp that no earlier commit of the owner is above
   */
  private long begin(DegreeCount count) {
    Locks locks = manager.committer().locks();
    HeldLocks held = new HeldLocks(locks, LockScope.lockSet(locks, count.owner()));
    try {
      manager.degrees().count(count);
      return manager.issued();
    } finally {
      held.release();
    }
  }

  private boolean countAll(DegreeCount count) {
    try (Transaction reader = manager.begin(Isolation.SNAPSHOT, true)) {
      count.startAt(reader.snapshot());
      for (int tag : TAGS) {
        int low = EdgeKey.tagLabel(tag, 0);
        if (!count(reader, count, low, low + EdgeKey.TTL - 1)) {
          return false;
        }
        for (int family = 1; family <= forest.families(); family++) {
          int first = EdgeKey.tagLabel(tag, EdgeKey.lastingLabel(family, 1));
          int last = EdgeKey.tagLabel(tag, EdgeKey.lastingLabel(family, EdgeKey.MAX_TTL_NUMBER));
          if (!count(reader, count, first, last)) {
            return false;
          }
        }
      }
      return true;
    }
  }

  /** Counts the entries of a range of labels; false if the thread is to end. */
  private boolean count(Transaction reader, DegreeCount count, int low, int high) {
    try (EdgeCursor cursor = reader.edges(count.owner(), low, high, false, ScanOrder.FORWARD)) {
      boolean more = cursor.next();
      while (more) {
        int tagLabel = cursor.tagLabel();
        int found = 0;
        while (more && found < PAUSE && cursor.tagLabel() == tagLabel) {
          found++;
          more = cursor.next();
        }
        count.add(tagLabel, found);
        if (isEnding.getAsBoolean()) {
          return false;
        }
      }
      return true;
    }
  }
}
