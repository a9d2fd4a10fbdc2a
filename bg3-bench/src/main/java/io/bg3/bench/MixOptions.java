package io.bg3.bench;

import io.bg3.bench.report.Report;
import io.bg3.bench.store.Contender;
import io.bg3.bench.work.Conditions;
import io.bg3.bench.work.WorkKind;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The experiment behind the paper's figure 8. */
final class MixOptions {
  private static final int VERTICES = 600_000;
  private static final long EDGES = 100_000_000;
  private static final long LEAST_MEMORY = 512L << 20;
  private static final long MEMORY_AN_EDGE = 80;
  private static final Set<Contender> SYSTEMS = EnumSet.of(Contender.BG3, Contender.ROCKSDB);

  /** First the one that writes nothing, so that the answers do not depend on the others. */
  private static final List<WorkKind> MIXES =
      List.of(WorkKind.RECOMMENDATION, WorkKind.FOLLOW, WorkKind.RISK_CONTROL);

  private MixOptions() {}

  /** Runs all mixes on both systems. */
  static Report run(
      GraphOptions given, RoundOptions measured, DirectoryOption place, ReportOutput output)
      throws IOException {
    GraphOptions graph = given.or(VERTICES, EDGES);
    long memory = LEAST_MEMORY + graph.edges() * MEMORY_AN_EDGE;
    EngineSize size = graph.size(memory, Conditions.PLAIN, measured);
    Report report =
        place.during(
            root ->
                new ColdRun(
                    new RunPlace(size, root, output.command()),
                    WorkKind.LOAD,
                    SYSTEMS,
                    List.of(memory),
                    MIXES,
                    List.of(ColdWay.DEFAULT)));
    output.print("Figure 8: the paper's mixes in memory");
    new ColdTable(report).lines().forEach(output::print);
    output.print("  paper: BG3 against ByteGraph, at most: follow 1.68x, recommendation 4.06x,");
    output.print("  risk control with a time to live 2.68x");
    return report;
  }
}
