package io.bg3.core.transaction;

import io.bg3.core.keyspace.WriteSet;
import io.bg3.core.lock.LockSet;
import io.bg3.core.snapshot.SnapshotClaim;

/**
 * The state of one transaction: its snapshot, what it has read and written, what it may touch, and
 * whether it is open. Its look-ups, its scans and the {@link Committer} work on this and do not
 * know the {@link Transaction}.
 *
 * <p>Belongs to one thread, except {@link #isTooOld}.
 */
final class TransactionState {
  private enum Phase {
    OPEN,
    COMMITTED,
    ROLLED_BACK
  }

  private final SnapshotClaim claim;
  private final boolean readOnly;
  private final long snapshot;
  private final LockScope scope;
  private final ReadSet reads; // null when read-only
  private final boolean strict;
  private final WriteSet writes = new WriteSet();
  private final PendingIncrements sums = new PendingIncrements();
  private LockSet needs;
  private Phase phase = Phase.OPEN;

  /** An open transaction with a claim of its own, and with the locks in {@code scope}. */
  TransactionState(SnapshotClaim claim, Isolation isolation, boolean readOnly, LockScope scope) {
    this.claim = claim;
    this.readOnly = readOnly;
    this.snapshot = scope.isUpdate() ? Long.MAX_VALUE : claim.snapshot();
    this.scope = scope;
    this.reads = readOnly ? null : new ReadSet();
    this.strict = !readOnly && isolation == Isolation.STRICT;
  }

  /** The timestamp at which it reads; in an update above all others. */
  long snapshot() {
    return snapshot;
  }

  /** What keeps the versions of its snapshot. */
  SnapshotClaim claim() {
    return claim;
  }

  /** What it has locked when it began, and may touch. */
  LockScope scope() {
    return scope;
  }

  /** What it has read and its commit validates; null if it is read-only. */
  ReadSet reads() {
    return reads;
  }

  /** Whether it notes every read: values, ranges and totals, not existence alone. */
  boolean remembersAll() {
    return strict && !scope.isUpdate();
  }

  /** Whether it notes texts that have no code. */
  boolean remembersMissingCodes() {
    return strict;
  }

  WriteSet writes() {
    return writes;
  }

  /** What it adds to totals and counters. */
  PendingIncrements sums() {
    return sums;
  }

  boolean hasWrites() {
    return !writes.isEmpty() || !sums.isEmpty();
  }

  /** Notes which locks its commit needs. */
  void needs(LockSet lockSet) {
    needs = lockSet;
  }

  /** The locks that its commit needed, null if it did not come to that. */
  LockSet needed() {
    return needs;
  }

  boolean isOpen() {
    return phase == Phase.OPEN;
  }

  /** Whether it was open for too long, so that it can only be rolled back. Any thread may ask. */
  boolean isTooOld() {
    return !claim.isHeld() && phase == Phase.OPEN; // in this order: the phase is written first
  }

  /** Ends it and lets go of its snapshot. */
  void end(boolean committed) {
    phase = committed ? Phase.COMMITTED : Phase.ROLLED_BACK;
    claim.release();
  }

  /**
   * Called after what was read from pages and before the caller sees it: what a transaction that is
   * too old has read may lack versions.
   */
  void checkAge() {
    claim.check();
  }

  /** Throws if it has ended. */
  void checkOpen() {
    if (phase != Phase.OPEN) {
      throw new IllegalStateException("the transaction has ended: " + this);
    }
  }

  /** Throws if it has ended or may not write. */
  void checkWritable() {
    checkOpen();
    if (readOnly) {
      throw new IllegalStateException("the transaction is read-only: " + this);
    }
  }

  /** Throws if it has ended or may not touch the key. */
  void checkKey(int space, byte[] key) {
    checkOpen();
    scope.require(space, key);
  }

  /** Throws if it has ended or may not touch a key with {@code low <= key < high}. */
  void checkRange(int space, byte[] low, byte[] high) {
    checkOpen();
    scope.require(space, low, high);
  }

  @Override
  public String toString() {
    return "Transaction[snapshot=" + snapshot + ", state=" + phase + ", readOnly=" + readOnly + "]";
  }
}
