package io.bg3.bench;

import io.bg3.bench.report.Metric;
import io.bg3.bench.report.Report;
import io.bg3.bench.store.Contender;
import io.bg3.bench.work.Conditions;
import io.bg3.bench.work.SupernodeWork;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bg3 bench supernode}: one vertex with very many edges, beside RocksDB and LMDB. */
@Command(
    name = "supernode",
    description =
        "Measures one vertex with very many edges among ordinary ones, beside RocksDB and LMDB.",
    footer = {
      "",
      "Works, by 1, 8 and 32 threads: supernode-insert and supernode-delete (one edge",
      "a commit), supernode-newest (the ten newest edges), supernode-point (one edge),",
      "supernode-count (the number of all edges; BG3 has a counter, RocksDB and LMDB",
      "read all edges). supernode-beside works on ordinary vertices while nothing",
      "else, other vertices, or the one vertex is written.",
      "All systems keep two entries an edge: one under the other end, with the time,",
      "and one in the order of the times, the newest first, with the value. Commits",
      "are not synced. Answers are compared with what was written and with those of",
      "the other systems; a difference ends the run with exit code 1.",
      "docs/benchmarks.md says more."
    },
    mixinStandardHelpOptions = true)
final class SupernodeCommand implements Callable<Integer> {
  private static final Set<Contender> KNOWN =
      Set.of(Contender.BG3, Contender.ROCKSDB, Contender.LMDB);
  private static final long LEAST_MEMORY = 512L << 20;
  private static final long MEMORY_AN_EDGE = 250;

  /** The least but 0 that the engine takes. */
  private static final int LEAST_SPLIT_OUT = 8;

  @Spec private CommandSpec spec;

  @Mixin private GraphOptions graph = new GraphOptions(1_000_000, 10_000_000);
  @Mixin private RoundOptions measured = new RoundOptions(3);
  @Mixin private DirectoryOption place = new DirectoryOption();
  @Mixin private ReportOutput output = new ReportOutput();

  @Option(
      names = "--supernode-edges",
      paramLabel = "N",
      description = "Edges of the one vertex (default: ${DEFAULT-VALUE}).")
  private long edges = 10_000_000;

  @Option(
      names = "--split-out",
      paramLabel = "N",
      description =
          "bg3.forest.split-out: edges above which BG3 gives a vertex a tree of its own, 0 for none"
              + " (default: ${DEFAULT-VALUE}).")
  private int splitOut = 10_000;

  @Option(
      names = "--systems",
      paramLabel = "SYSTEM",
      split = ",",
      description = "Only these systems, separated by commas: bg3, rocksdb, lmdb.")
  private List<String> systems = List.of("bg3", "rocksdb", "lmdb");

  @Override
  public Integer call() throws IOException {
    measured.check();
    if (edges < 1 || splitOut < 0 || (splitOut > 0 && splitOut < LEAST_SPLIT_OUT)) {
      throw new ParameterException(
          spec.commandLine(),
          "--supernode-edges must be positive, and --split-out 0, or 8 or more: supernode-edges="
              + edges
              + ", split-out="
              + splitOut);
    }
    long memory = LEAST_MEMORY + (graph.edges() + 2 * edges) * MEMORY_AN_EDGE;
    EngineSize size = graph.size(memory, Conditions.PLAIN, measured);
    Set<Contender> contenders = contenders();
    Report report =
        place.during(
            root -> new SupernodeRun(new RunPlace(size, root, spec), contenders, edges, splitOut));
    new ColdTable(report).lines().forEach(output::print);
    printBeside(report);
    return output.finish(report);
  }

  private Set<Contender> contenders() {
    try {
      return Contender.of(systems, KNOWN);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  /** The latencies of ordinary vertices beside writes, against those without. */
  private void printBeside(Report report) {
    output.print("");
    output.print("ordinary vertices, p99 against that of the first line of each system");
    for (List<Metric> row : report.rows()) {
      if (!row.get(0).work().equals(SupernodeWork.BESIDE + ".p99")) {
        continue;
      }
      for (Metric metric : row) {
        Metric first = first(report, metric);
        output.print(
            String.format(
                Locale.ROOT,
                "  %-8s %10s us %+7.0f %%  %s",
                metric.system(),
                Report.human(metric.median()),
                100 * (metric.median() / first.median() - 1),
                metric.setting()));
      }
    }
  }

  private static Metric first(Report report, Metric metric) {
    return report.figures().stream()
        .filter(
            other -> other.work().equals(metric.work()) && other.system().equals(metric.system()))
        .findFirst()
        .orElseThrow();
  }
}
