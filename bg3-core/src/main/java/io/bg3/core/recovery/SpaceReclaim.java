package io.bg3.core.recovery;

import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.extent.Stream;
import java.io.IOException;

/**
 * Frees space between two checkpoints: copies what lives in extents that are live in part ({@link
 * Reclaimer}), and takes leaves out of extents that have expired ({@link ExtentExpiry}). The
 * extents go with the next manifest.
 *
 * <p>Threads: any.
 */
public final class SpaceReclaim {
  private final ExtentStore extents;
  private final CheckpointSource source;
  private final RowLock lock;
  private final RowManifests manifests;
  private final Reclaimer reclaimer;
  private final ExtentExpiry expiry;

  /** Bytes of images that had been appended when the last checkpoint ended. Guarded by the lock. */
  private long appendedBefore;

  SpaceReclaim(
      OpenedStore store,
      CheckpointSource source,
      RowLock lock,
      RowManifests manifests,
      Reclaimer reclaimer) {
    this.extents = store.extents();
    this.source = source;
    this.lock = lock;
    this.manifests = manifests;
    this.reclaimer = reclaimer;
    this.expiry = new ExtentExpiry(store, source);
  }

  /** Rounds of copying that have begun since the store was opened. */
  public long rounds() {
    return reclaimer.rounds();
  }

  /** Rounds of copying after which no extent could be deleted. */
  public long vainRounds() {
    return reclaimer.vainRounds();
  }

  /** Extents that are not emptied because an image in them cannot be read. */
  public long unreadableExtents() {
    return reclaimer.unreadable();
  }

  /** Extents of a family that have gone because everything in them had expired. */
  public long expiredExtents(int family) {
    return expiry.expired(family);
  }

  /** Bytes of leaves that were written again because their extents had expired, in part alive. */
  public long rewrittenForExpiry() {
    return expiry.rewrittenBytes();
  }

  /** Whether a round has images left to copy. */
  boolean isCopying() {
    return reclaimer.isActive();
  }

  /** Says whether anybody writes: while nobody does, {@link #run} goes on to a lower bound. */
  void rests(boolean now) {
    reclaimer.rests(now);
  }

  /**
   * Whether a commit as new as the clock is wanted: what has expired waits for it, or readers are
   * far ahead of the newest one.
   */
  boolean awaitsClock() {
    return expiry.awaitsClock() || source.clockLeads();
  }

  /**
   * Makes such a commit. Not to be called by the thread that keeps the rows: it may wait for it.
   */
  void commitClock() {
    source.commitClock();
  }

  /** Whether the next manifest frees extents that were emptied, or have expired. */
  boolean awaitsCheckpoint() {
    return reclaimer.awaitsCheckpoint() || expiry.awaitsCheckpoint();
  }

  /**
   * Does a slice of work, as {@link Checkpointer#reclaim} says.
   *
   * @return whether there is more to do before the next checkpoint
   */
  boolean run() throws IOException {
    boolean expires = expiry.mayHaveWork();
    if ((!expires && !reclaimer.mayHaveWork()) || source.failure() != null) {
      return false;
    }
    return lock.hold(
        () -> {
          boolean more = slice(expires);
          extents.deleteDeadNeverNamed();
          return more;
        });
  }

  /** A look at the extents that finds none that has expired is no work, and changes no row. */
  private boolean slice(boolean expires) throws IOException {
    boolean renews = expiry.isActive();
    if (renews) {
      manifests.changesRows();
    }
    if (expires && expiry.slice()) {
      return true;
    }
    return !renews && reclaimer.slice();
  }

  /** Says that a checkpoint is in place, and what was dead has been deleted. Under the lock. */
  void checkpointed() {
    long appended = extents.appendedBytes(Stream.BASE) + extents.appendedBytes(Stream.DELTA);
    reclaimer.appends(appended - appendedBefore);
    appendedBefore = appended;
    reclaimer.checkpointed();
    expiry.checkpointed();
  }

  /** As {@link Reclaimer#excessOfValues}. Under the lock. */
  long excessOfValues(long replacing) {
    return reclaimer.excessOfValues(replacing);
  }
}
