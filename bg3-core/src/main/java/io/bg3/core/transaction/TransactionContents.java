package io.bg3.core.transaction;

import io.bg3.core.keyspace.WriteSet;
import io.bg3.core.lock.LockSet;

/**
 * The contents of a transaction: what it has read and written at its snapshot, and its locks. A
 * {@link Committer} validates and applies them; a {@link Transaction} fills them. Belongs to one
 * thread.
 */
class TransactionContents {
  private static final long NEVER = -1;

  private final long snapshot;
  private final LockScope scope;
  private final ReadSet reads; // null when read-only
  private final WriteSet writes = new WriteSet();
  private final PendingIncrements sums = new PendingIncrements();
  private LockSet needs;
  private long entriesAt = NEVER;
  private long indexesReadAt = NEVER;

  /**
   * Empty contents.
   *
   * @param reads null if what is read is not remembered, because nothing will be committed
   */
  TransactionContents(long snapshot, LockScope scope, ReadSet reads) {
    this.snapshot = snapshot;
    this.scope = scope;
    this.reads = reads;
  }

  /**
   * The timestamp at which this transaction reads: it sees exactly the commits at or below it. In
   * an update above all others.
   */
  public long snapshot() {
    return snapshot;
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

  /** Its increments of totals and counters. */
  final PendingIncrements sums() {
    return sums;
  }

  /** Notes that its writes have the index entries that they need at a version of the schema. */
  final void noteEntriesAt(long changes) {
    entriesAt = changes;
  }

  /** Notes that it reads from indexes, all of which were there at a number of drops. */
  final void noteIndexesReadAt(long drops) {
    if (indexesReadAt == NEVER) {
      indexesReadAt = drops;
    }
  }

  /** Whether an index has come or gone since its entries were made. */
  final boolean hasOldEntries(SchemaVersion schema) {
    return entriesAt != NEVER && entriesAt != schema.changes();
  }

  /** Whether an index has gone since it first read from one. */
  final boolean hasLostIndexes(SchemaVersion schema) {
    return indexesReadAt != NEVER && indexesReadAt != schema.drops();
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
