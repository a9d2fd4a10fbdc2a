package io.bg3.core.transaction;

import io.bg3.core.entry.Expiry;
import io.bg3.core.keyspace.WriteSet;
import io.bg3.core.lock.LockSet;
import io.bg3.storage.Waiting;

/**
 * The contents of a transaction: what it has read and written at its snapshot, and its locks. A
 * {@link Committer} validates and applies them; a {@link Transaction} fills them. Belongs to one
 * thread.
 */
class TransactionContents {
  /** Writes of a commit in a thread that may not wait: they take that thread's time. */
  private static final int MOST_AT_ONCE = 256;

  private final long snapshot;
  private final Expiry expiry;
  private final LockScope scope;
  private final ReadSet reads; // null when read-only
  private final WriteSet writes;
  private final PendingIncrements sums;
  private LockSet needs;
  private SchemaMarks marks = SchemaMarks.NONE;

  /**
   * Empty contents.
   *
   * @param reads null if what is read is not remembered, because nothing will be committed
   */
  TransactionContents(long snapshot, Expiry expiry, LockScope scope, ReadSet reads) {
    this.snapshot = snapshot;
    this.expiry = expiry;
    this.scope = scope;
    this.reads = reads;
    this.writes = reads == null ? WriteSet.NONE : new WriteSet();
    this.sums = reads == null ? PendingIncrements.NONE : new PendingIncrements();
  }

  /**
   * The timestamp at which this transaction reads: it sees exactly the commits at or below it. In
   * an update above all others.
   */
  public long snapshot() {
    return snapshot;
  }

  /** Which entries have expired by the clock of its snapshot, and on which others it relies. */
  final Expiry expiry() {
    return expiry;
  }

  /** The first millisecond in which it must not commit, see {@link Expiry#earliest}. */
  final long expires() {
    return expiry.earliest();
  }

  /** The locks that it had when it began, and the keys that it may touch. */
  final LockScope scope() {
    return scope;
  }

  /** Its reads that the commit validates; null if it is read-only. */
  final ReadSet reads() {
    return reads;
  }

  final WriteSet writes() {
    return writes;
  }

  /**
   * Called before work that a commit takes and that grows with its writes.
   *
   * @param more writes to come
   * @throws io.bg3.storage.WouldWaitException if the thread may not wait, and they are too many for
   *     one that serves others (R58)
   */
  public void requireShort(int more) {
    int count = writes().count() + more;
    if (count > MOST_AT_ONCE) {
      Waiting.require("the time of a large commit");
    }
  }

  /** Its increments of totals and counters. */
  final PendingIncrements sums() {
    return sums;
  }

  /** At which versions of the schema it was written and read, to be compared. */
  final SchemaMarks marks() {
    return marks;
  }

  /** The same, to be marked: a transaction that reads alone needs none of its own. */
  final SchemaMarks ownMarks() {
    if (marks == SchemaMarks.NONE) {
      marks = new SchemaMarks();
    }
    return marks;
  }

  /** Notes which locks its commit needs. */
  final void needs(LockSet lockSet) {
    needs = lockSet;
  }

  /** The locks that its commit needed, null if it did not come to that. */
  final LockSet needed() {
    return needs;
  }
}
