package io.bg3.core.transaction;

/**
 * The versions of the schema at which one transaction has made what follows from its writes, and
 * read from indexes; its commit compares them with the version of then. Belongs to one thread.
 */
final class SchemaMarks {
  /** Of a transaction that has marked nothing; nobody marks this. */
  static final SchemaMarks NONE = new SchemaMarks();

  private static final long NEVER = -1;

  private long entriesAt = NEVER;
  private long indexesReadAt = NEVER;
  private long rulesAt = NEVER;
  private long countersAt = NEVER;
  private long ordersAt = NEVER;

  /** Notes that its writes have the index entries that they need at a version of the schema. */
  void noteEntriesAt(long changes) {
    entriesAt = changes;
  }

  /** Notes that its writes meet the schemas that there were at a version of them. */
  void noteRulesAt(long rules) {
    rulesAt = rules;
  }

  /** Notes that it has added to the counters that there were at a version of them. */
  void noteCountersAt(long counters) {
    countersAt = counters;
  }

  /** Notes that its edges stand in the orders that there were at a version of them. */
  void noteOrdersAt(long orders) {
    ordersAt = orders;
  }

  /** Notes that it reads from indexes, all of which were there at a number of drops. */
  void noteIndexesReadAt(long drops) {
    if (indexesReadAt == NEVER) {
      indexesReadAt = drops;
    }
  }

  /** Whether an index has come or gone since its entries were made. */
  boolean hasOldEntries(SchemaVersion schema) {
    return entriesAt != NEVER && entriesAt != schema.changes();
  }

  /** Whether a schema has come or gone since its writes were looked at. */
  boolean hasOldRules(SchemaVersion schema) {
    return rulesAt != NEVER && rulesAt != schema.rules();
  }

  /** Whether a label with edges has become counted since its writes were counted. */
  boolean hasOldCounters(SchemaVersion schema) {
    return countersAt != NEVER && countersAt != schema.counters();
  }

  /** Whether the order of a label with edges has come further since its entries were made. */
  boolean hasOldOrders(SchemaVersion schema) {
    return ordersAt != NEVER && ordersAt != schema.orders();
  }

  /** Whether an index has gone since it first read from one. */
  boolean hasLostIndexes(SchemaVersion schema) {
    return indexesReadAt != NEVER && indexesReadAt != schema.drops();
  }
}
