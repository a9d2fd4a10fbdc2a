package io.bg3.core.transaction;

import io.bg3.core.keyspace.WriteSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How many entries of each tag and label an owner has, counted while commits of the owner go on:
 * those that a snapshot shows, and what the commits above the snapshot have changed (R36).
 *
 * <pre>
 *   under the owner's stripe            the count is there; commits tell it what they change
 *   {@link #startAt} a snapshot above   what commits up to it have told is forgotten: it shows that
 *     all commits before
 *   {@link #add}                        what the snapshot shows
 *   under the owner's stripe            {@link #result}: what was applied last
 * </pre>
 *
 * <p>Threads: {@link #begin}, {@link #change} and {@link #applied} are called by the commit that
 * holds the owner's stripe, the others by the thread that counts.
 */
final class DegreeCount {
  private record Change(long stamp, int tagLabel, long delta) {}

  private static final long UNKNOWN = -1;

  private final long owner;

  /** Of the commit with {@link #writes}, which holds the owner's stripe or has been refused. */
  private final Map<Integer, Long> pending = new HashMap<>();

  private WriteSet writes;

  private final List<Change> early = new ArrayList<>(); // guarded by this; before the snapshot
  private final Map<Integer, Long> counts = new HashMap<>(); // guarded by this
  private long snapshot = UNKNOWN; // guarded by this

  DegreeCount(long owner) {
    this.owner = owner;
  }

  long owner() {
    return owner;
  }

  /** Says that a commit begins; forgets what one has told that was refused. */
  void begin(WriteSet ofCommit) {
    writes = ofCommit;
    pending.clear();
  }

  /** Says how many entries there are more by the commit. */
  void change(int tagLabel, long delta) {
    pending.put(tagLabel, delta);
  }

  /** Says that a commit is in the pages, which has begun here unless it changes no degree. */
  synchronized void applied(WriteSet ofCommit) {
    if (writes == ofCommit) {
      long stamp = writes.stamp();
      pending.forEach((tagLabel, delta) -> note(new Change(stamp, tagLabel, delta)));
      begin(null);
    }
  }

  private void note(Change change) {
    if (snapshot == UNKNOWN) {
      early.add(change);
    } else if (isAboveSnapshot(change)) { // a commit may be visible before it comes here
      counts.merge(change.tagLabel(), change.delta(), Long::sum);
    }
  }

  private boolean isAboveSnapshot(Change change) {
    return change.stamp() > snapshot;
  }

  /** Says which snapshot is counted. */
  synchronized void startAt(long stamp) {
    snapshot = stamp;
    early.forEach(this::note);
    early.clear();
  }

  /** Adds entries that the snapshot shows. */
  synchronized void add(int tagLabel, long entries) {
    counts.merge(tagLabel, entries, Long::sum);
  }

  /** The numbers of entries that were applied last. The owner's stripe is held. */
  synchronized Map<Integer, Long> result() {
    return Map.copyOf(counts);
  }
}
