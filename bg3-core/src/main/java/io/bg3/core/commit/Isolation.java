package io.bg3.core.commit;

/** What a commit checks before it may happen. */
public enum Isolation {
  /**
   * Strict serialisability: nothing that the transaction read or overwrote has changed since its
   * snapshot, and its effects are seen by every transaction that begins after its commit returned.
   */
  STRICT,
  /**
   * Snapshot isolation: only what the transaction overwrote must not have changed since its
   * snapshot. Two transactions may each read what the other writes (write skew).
   */
  SNAPSHOT
}
