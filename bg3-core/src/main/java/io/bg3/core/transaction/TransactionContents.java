package io.bg3.core.transaction;

import io.bg3.core.entry.Expiry;
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
  private final Expiry expiry;
  private final LockScope scope;
  private final ReadSet reads; // null when read-only
  private final WriteSet writes = new WriteSet();
  private final PendingIncrements sums = new PendingIncrements();
  private LockSet needs;
  private long entriesAt = NEVER;
  private long indexesReadAt = NEVER;
  private long rulesAt = NEVER;
  private long countersAt = NEVER;
  private long ordersAt = NEVER;

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

  /** Its increments of totals and counters. */
  final PendingIncrements sums() {
    return sums;
  }

  /** Notes that its writes have the index entries that they need at a version of the schema. */
  final void noteEntriesAt(long changes) {
    entriesAt = changes;
  }

  /** Notes that its writes meet the schemas that there were at a version of them. */
  final void noteRulesAt(long rules) {
    rulesAt = rules;
  }

  /** Notes that it has added to the counters that there were at a version of them. */
  final void noteCountersAt(long counters) {
    countersAt = counters;
  }

  /** Notes that its edges stand in the orders that there were at a version of them. */
  final void noteOrdersAt(long orders) {
    ordersAt = orders;
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

  /** Whether a schema has come or gone since its writes were looked at. */
  final boolean hasOldRules(SchemaVersion schema) {
    return rulesAt != NEVER && rulesAt != schema.rules();
  }

  /** Whether a label with edges has become counted since its writes were counted. */
  final boolean hasOldCounters(SchemaVersion schema) {
    return countersAt != NEVER && countersAt != schema.counters();
  }

  /** Whether the order of a label with edges has come further since its entries were made. */
  final boolean hasOldOrders(SchemaVersion schema) {
    return ordersAt != NEVER && ordersAt != schema.orders();
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
