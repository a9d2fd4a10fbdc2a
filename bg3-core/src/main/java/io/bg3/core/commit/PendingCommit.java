package io.bg3.core.commit;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * One commit between its timestamp and the moment it is seen: a link in the chain of all of them,
 * in the order of their timestamps.
 *
 * <p>{@code stamp} and {@code end} are written by the {@link Sequencer} before it publishes the
 * link through the {@code next} of the one before. {@code applied} is set by the committer, {@code
 * waiter} by the thread that waits for this commit, {@code listener} by the one that does not; the
 * thread that takes the listener out tells it.
 */
public final class PendingCommit {
  private static final AtomicReferenceFieldUpdater<PendingCommit, CommitListener> LISTENER =
      AtomicReferenceFieldUpdater.newUpdater(PendingCommit.class, CommitListener.class, "listener");

  /** The commit's increments of totals; null if there are none. */
  final TotalIncrements increments;

  /** Its timestamp. */
  public long stamp;

  /** Log position behind its record. */
  public long end;

  volatile PendingCommit next;
  volatile boolean applied;
  volatile Thread waiter;
  private volatile CommitListener listener; // null if there is none

  /** A commit without a timestamp yet, that adds these increments to totals; null for none. */
  public PendingCommit(TotalIncrements increments) {
    this.increments = increments;
  }

  /** Has a listener told what becomes of the commit. */
  void setListener(CommitListener told) {
    listener = told;
  }

  /** The listener, for the thread that tells it; null if there is none or another thread has it. */
  CommitListener takeListener() {
    return listener == null ? null : LISTENER.getAndSet(this, null);
  }

  /** The beginning of the chain: everything up to it is in the pages and durable. */
  public static PendingCommit origin(long stamp, long end) {
    PendingCommit origin = new PendingCommit(null);
    origin.stamp = stamp;
    origin.end = end;
    origin.applied = true;
    return origin;
  }
}
