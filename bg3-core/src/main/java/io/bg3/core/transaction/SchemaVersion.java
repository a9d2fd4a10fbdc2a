package io.bg3.core.transaction;

/**
 * Which property indexes there are, as two numbers that commits compare: how often an index came or
 * went, and how often one went. Both change under the exclusive gate alone, so what a commit finds
 * under its locks stays true until the commit is in the pages (R27).
 *
 * <p>Threads: any.
 */
public final class SchemaVersion {
  private volatile long changes;
  private volatile long drops;

  SchemaVersion() {}

  /** How often an index was registered, enforced or dropped since the store was opened. */
  public long changes() {
    return changes;
  }

  /** How often an index was dropped since the store was opened. */
  public long drops() {
    return drops;
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
