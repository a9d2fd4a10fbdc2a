package io.bg3.bench.work;

import java.util.EnumMap;
import java.util.List;
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
          WorkKind.COMMIT_NONE, new UnsyncedCommits("commit-none", true, 1, 2),
          WorkKind.COMMIT_SYNC, new SyncedCommits(),
          WorkKind.OPEN, new Open(),
          WorkKind.REPLAY_FILL, new ReplayFill(),
          WorkKind.REPLAY_OPEN, new ReplayOpen(),
          WorkKind.MEMORY, new Memory());

  /** Those of the paper's figures. */
  private static final Map<WorkKind, Work> PAPER =
      Map.of(
          WorkKind.LOAD_FOREST,
          new ForestLoad(),
          WorkKind.COMMIT_FOREST,
          new UnsyncedCommits("figure-eleven", false, 2, 8, 32),
          WorkKind.LOAD_MIX,
          new MixLoad(),
          WorkKind.FOLLOW,
          GraphMix.follow(),
          WorkKind.RECOMMENDATION,
          GraphMix.recommendation(),
          WorkKind.RISK_CONTROL,
          GraphMix.riskControl(),
          WorkKind.SUPERNODE,
          new SupernodeWork());

  private static final Map<WorkKind, Work> VALUES =
      Map.of(WorkKind.LOAD_VALUES, new ValuesLoad(), WorkKind.READ_VALUES, new ValuesReads());

  private static final Map<WorkKind, Work> COLD =
      Map.of(
          WorkKind.LOAD_COLD, new Load(Map.of()),
          WorkKind.SCAN_COLD, new ColdScans(),
          WorkKind.HOPS_COLD, new ColdHops(),
          WorkKind.POINT_COLD, new ColdPoints(),
          WorkKind.MIX_COLD, new ColdMix());

  private static final Map<WorkKind, Work> ALL = all();

  private Works() {}

  private static Map<WorkKind, Work> all() {
    Map<WorkKind, Work> all = new EnumMap<>(WorkKind.class);
    List.of(READS, OTHERS, PAPER, VALUES, COLD).forEach(all::putAll);
    return all;
  }

  /** The work of a kind. */
  static Work of(WorkKind kind) {
    return ALL.get(kind);
  }
}
