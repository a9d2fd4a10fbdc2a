package io.bg3.bench.work;

/** What a process can be told to do. */
public enum WorkKind {
  LOAD(new Load()),
  SCAN(new Scans()),
  SCAN_BATCH(new BatchScans()),
  HOPS(new Hops()),
  POINT(new Points()),
  COMMIT_NONE(new UnsyncedCommits()),
  COMMIT_SYNC(new SyncedCommits());

  @SuppressWarnings("ImmutableEnumChecker") // works have no state
  private final Work work;

  WorkKind(Work work) {
    this.work = work;
  }

  Work work() {
    return work;
  }
}
