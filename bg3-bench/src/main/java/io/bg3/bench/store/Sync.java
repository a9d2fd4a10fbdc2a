package io.bg3.bench.store;

/** What a commit waits for. */
public enum Sync {
  /** Until it is on the disk. */
  EVERY_COMMIT,
  /** Until it is applied; the log is written a moment later and not synced. */
  NONE
}
