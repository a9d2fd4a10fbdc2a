package io.bg3.core.transaction;

/** The isolation of a transaction: the checks that its commit has to pass. */
public enum Isolation {
  /**
   * Strict serialisability: nothing that the transaction read or overwrote has changed since its
   * snapshot, and its effects are seen by every transaction that begins after its commit returned.
   */
  STRICT,
  /**
   * Snapshot isolation: only what the transaction overwrote must not have changed since its
   * snapshot, nor the existence of what it asked for by {@code exists}, nor what it guarded. Two
   * transactions may each read values or ranges that the other writes (write skew), and totals may
   * go beyond a bound that both have checked.
   */
  SNAPSHOT
}
