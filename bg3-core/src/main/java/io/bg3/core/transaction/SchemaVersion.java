package io.bg3.core.transaction;

/**
 * Which property indexes, schemas and counters there are, as numbers that commits compare: how
 * often an index came or went, how often one went, how often a schema came or went, how often a
 * label with edges became counted, and how often the order of one came a step further. They change
 * under the exclusive gate alone, so what a commit finds under its locks stays true until the
 * commit is in the pages (R27, R42, R44, R49).
 *
 * <p>Threads: any.
 */
public final class SchemaVersion {
  private volatile long changes;
  private volatile long drops;
  private volatile long rules;
  private volatile long counters;
  private volatile long orders;

  SchemaVersion() {}

  /** How often an index was registered, enforced or dropped since the store was opened. */
  public long changes() {
    return changes;
  }

  /** How often an index was dropped since the store was opened. */
  public long drops() {
    return drops;
  }

  /** How often a schema was defined or dropped since the store was opened. */
  public long rules() {
    return rules;
  }

  /** Says that a schema was defined or dropped; the caller has the gate. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // the gate is exclusive
  public void ruled() {
    rules++;
  }

  /** How often a label with edges became one that commits count since the store was opened. */
  public long counters() {
    return counters;
  }

  /** Says that commits count the edges of one more label; the caller has the gate. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // the gate is exclusive
  public void counted() {
    counters++;
  }

  /** How often commits had to do more or less for the order of a label that has edges. */
  public long orders() {
    return orders;
  }

  /** Says that commits do more or less for the order of a label; the caller has the gate. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // the gate is exclusive
  public void ordered() {
    orders++;
  }

  /** Says that an index was registered; the caller has the gate. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // the gate is exclusive
  public void registered() {
    changes++;
  }

  /** Says that commits keep an index unique from now on; the caller has the gate. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // the gate is exclusive
  public void enforced() {
    changes++;
  }

  /** Says that an index was dropped; the caller has the gate. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // the gate is exclusive
  public void dropped() {
    changes++;
    drops++;
  }
}
