package io.bg3.core.commit;

/**
 * The failures that a commit survives once it has returned. A property of the store, the same for
 * all its transactions.
 */
public enum Durability {
  /** A commit returns, and is seen by others, only when its log record has been synced. */
  SYNC,
  /**
   * The log is written and synced at an interval; a crash may take the commits of the last
   * interval, newest first.
   */
  ASYNC,
  /**
   * The log is written but not synced; a kill of the process may take the commits of the last
   * moments, a power cut any number of them, newest first.
   */
  NONE
}
