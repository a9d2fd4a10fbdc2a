package io.bg3.bench.work;

import java.util.Map;

/** The work of each {@link WorkKind}. A work has no state. */
final class Works {
  private static final Map<WorkKind, ReadWork> READS =
      Map.of(
          WorkKind.SCAN, new Scans(),
          WorkKind.SCAN_VALUES, new ValueScans(),
          WorkKind.SCAN_BATCH, new BatchScans(),
          WorkKind.HOPS, new Hops(),
          WorkKind.POINT, new PointReads());

  private static final Map<WorkKind, Work> OTHERS =
      Map.of(
          WorkKind.LOAD, new Load(READS),
          WorkKind.COMMIT_NONE, new UnsyncedCommits(),
          WorkKind.COMMIT_SYNC, new SyncedCommits(),
          WorkKind.OPEN, new Open(),
          WorkKind.REPLAY_FILL, new ReplayFill(),
          WorkKind.REPLAY_OPEN, new ReplayOpen(),
          WorkKind.MEMORY, new Memory());

  private static final Map<WorkKind, Work> COLD =
      Map.of(
          WorkKind.LOAD_COLD, new Load(Map.of()),
          WorkKind.SCAN_COLD, new ColdScans(),
          WorkKind.POINT_COLD, new ColdPoints(),
          WorkKind.MIX_COLD, new ColdMix());

  private Works() {}

  /** The work of a kind. */
  static Work of(WorkKind kind) {
    if (kind.isCold()) {
      return COLD.get(kind);
    }
    return kind.isRead() ? READS.get(kind) : OTHERS.get(kind);
  }
}
