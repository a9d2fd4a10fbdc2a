package io.bg3.bench.work;

/** The kinds of work that a process can do; {@link Works} has the works themselves. */
public enum WorkKind {
  LOAD(Traits.ENDS),
  SCAN(Traits.READS),
  SCAN_VALUES(Traits.READS),
  SCAN_BATCH(Traits.READS),
  HOPS(Traits.READS),
  POINT(Traits.READS),
  COMMIT_NONE(Traits.ENDS),
  COMMIT_SYNC(Traits.ENDS),
  OPEN(Traits.ENDS),
  REPLAY_FILL(Traits.WAITS_TO_BE_KILLED),
  REPLAY_OPEN(Traits.ENDS),
  MEMORY(Traits.ENDS),
  LOAD_FOREST(Traits.ENDS),
  COMMIT_FOREST(Traits.ENDS),
  LOAD_MIX(Traits.ENDS),
  FOLLOW(Traits.ENDS),
  RECOMMENDATION(Traits.ENDS),
  RISK_CONTROL(Traits.ENDS),
  SUPERNODE(Traits.ENDS),
  LOAD_VALUES(Traits.ENDS),
  READ_VALUES(Traits.ENDS),
  LOAD_COLD(Traits.COLD),
  SCAN_COLD(Traits.COLD),
  HOPS_COLD(Traits.COLD),
  POINT_COLD(Traits.COLD),
  MIX_COLD(Traits.COLD);

  private enum Traits {
    READS,
    ENDS,
    COLD,
    WAITS_TO_BE_KILLED
  }

  private final Traits traits;

  WorkKind(Traits traits) {
    this.traits = traits;
  }

  /** Whether the process ends when the work is done; else it waits to be killed. */
  public boolean endsByItself() {
    return traits != Traits.WAITS_TO_BE_KILLED;
  }

  /**
   * Whether the store is, or will be, larger than its memory, and is read past the system's cache.
   */
  public boolean isCold() {
    return traits == Traits.COLD;
  }

  /** Whether it only reads the loaded graph, so that the process that has written it can do it. */
  public boolean isRead() {
    return traits == Traits.READS;
  }
}
