package io.bg3.bench.work;

import io.bg3.bench.store.Sync;

/** When a commit that is not synced returns. */
public enum UnsyncedAcknowledgement {
  /** When the operating system has its log record. */
  WAIT,
  /** Before that: the log is handed over a few milliseconds later. */
  LATER;

  Sync sync() {
    return this == WAIT ? Sync.HANDED_OVER : Sync.APPLIED;
  }
}
