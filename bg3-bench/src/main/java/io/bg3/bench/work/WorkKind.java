package io.bg3.bench.work;

/** The kinds of work that a process can do. */
public enum WorkKind {
  LOAD(new Load()),
  SCAN(new Scans()),
  SCAN_VALUES(new ValueScans()),
  SCAN_BATCH(new BatchScans()),
  HOPS(new Hops()),
  POINT(new PointReads()),
  COMMIT_NONE(new UnsyncedCommits()),
  COMMIT_SYNC(new SyncedCommits()),
  OPEN(new Open()),
  REPLAY_FILL(new ReplayFill()),
  REPLAY_OPEN(new ReplayOpen()),
  MEMORY(new Memory());

  @SuppressWarnings("ImmutableEnumChecker") // works have no state
  private final Work work;

  WorkKind(Work work) {
    this.work = work;
  }

  /** Whether the process ends when the work is done; else it waits to be killed. */
  public boolean endsByItself() {
    return work.endsByItself();
  }

  /** Whether it only reads the loaded graph, so that the process that has written it can do it. */
  public boolean isRead() {
    return work instanceof ReadWork;
  }

  Work work() {
    return work;
  }
}
