package io.bg3.core.transaction;

import io.bg3.core.tree.FamilyOwner;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Owners that could not be moved, or whose trees could not be taken away, each with the time before
 * which nobody tries again: twice as long after each failure.
 *
 * <p>A bounded number; the one that has been here longest is forgotten first, and the caller is
 * told which.
 *
 * <p>Threads: any.
 */
final class PutOffOwners {
  private record Rest(long until, long nanos) {}

  private final int most;
  private final long firstNanos;
  private final long longestNanos;
  private final Map<FamilyOwner, Rest> owners = new LinkedHashMap<>(); // guarded by this

  private PutOffOwners(int most, long firstNanos, long longestNanos) {
    this.most = most;
    this.firstNanos = firstNanos;
    this.longestNanos = longestNanos;
  }

  /**
   * For owners that could not be moved: one that is too large for a move is noticed at every
   * consolidation of its leaves, and each attempt reads many of them.
   */
  static PutOffOwners ofMoves() {
    return new PutOffOwners(1_024, TimeUnit.SECONDS.toNanos(1), TimeUnit.MINUTES.toNanos(10));
  }

  /**
   * For owners without entries whose trees could not be taken away, most of them because a snapshot
   * may still read what there was.
   */
  static PutOffOwners ofRemovals() {
    return new PutOffOwners(4_096, TimeUnit.MILLISECONDS.toNanos(20), TimeUnit.SECONDS.toNanos(10));
  }

  /** Whether an owner is to be left alone for now. */
  synchronized boolean rests(FamilyOwner owner) {
    Rest rest = owners.get(owner);
    return rest != null && System.nanoTime() - rest.until() < 0;
  }

  /** Whether an owner was put off and not forgotten since. */
  synchronized boolean contains(FamilyOwner owner) {
    return owners.containsKey(owner);
  }

  /**
   * Has an owner left alone for a while.
   *
   * @return the owner that is forgotten instead; null if none is
   */
  synchronized FamilyOwner putOff(FamilyOwner owner) {
    Rest before = owners.remove(owner);
    long nanos = before == null ? firstNanos : Math.min(longestNanos, 2 * before.nanos());
    FamilyOwner forgotten = null;
    if (owners.size() >= most) {
      forgotten = owners.keySet().iterator().next();
      owners.remove(forgotten);
    }
    owners.put(owner, new Rest(System.nanoTime() + nanos, nanos));
    return forgotten;
  }

  /** An owner that has been left alone for long enough, which stays here; null if there is none. */
  synchronized FamilyOwner poll() {
    long now = System.nanoTime();
    for (Map.Entry<FamilyOwner, Rest> each : owners.entrySet()) {
      if (now - each.getValue().until() >= 0) {
        return each.getKey();
      }
    }
    return null;
  }

  /** Says that there is no reason any more to try an owner again. */
  synchronized void forget(FamilyOwner owner) {
    owners.remove(owner);
  }
}
