package io.bg3.bench;

import io.bg3.Setting;
import io.bg3.Settings;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.Report;
import io.bg3.bench.store.Contender;
import io.bg3.bench.work.Conditions;
import io.bg3.bench.work.GraphMix;
import io.bg3.bench.work.LoadOrder;
import io.bg3.bench.work.Task;
import io.bg3.bench.work.WorkKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The options of the experiment behind the paper's figure 8, and its run. The graphs have the mean
 * degrees of the paper's table 1: one for {@code follow} and {@code recommendation}, another one
 * for {@code risk-control}.
 */
final class MixOptions {
  private static final long EDGES = 100_000_000;
  private static final long EDGES_ON_DISK = 500_000_000;

  /** In the paper 3 M vertices with 0.5 B edges follow, and 5 B with 100 B edges pay. */
  private static final double FOLLOW_DEGREE = 500.0 / 3;

  private static final double PAYMENT_DEGREE = 20;

  private static final long LEAST_MEMORY = 512L << 20;
  private static final long MEMORY_AN_EDGE = 80;

  /** The memory of stores with so many edges on the disk. */
  private static final long MEMORY_ON_DISK = 4L << 30;

  private static final long LEAST_MEMORY_ON_DISK = 8L << 20;

  private static final List<String> NAMES =
      Stream.of(WorkKind.FOLLOW, WorkKind.RECOMMENDATION, WorkKind.RISK_CONTROL)
          .map(MixOptions::name)
          .toList();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--on-disk",
      description =
          "Figure 8: with less memory than data and direct I/O, on stores that are loaded in the"
              + " order of the keys unless --load-order says otherwise.")
  private boolean onDisk;

  @Option(
      names = "--memory",
      paramLabel = "BYTES",
      description =
          "Figure 8: memory of each system, such as 64m or 4g (default: 80 bytes an edge and 512m;"
              + " on disk 4g for 500 M edges, and as much an edge for others).")
  private String memory;

  @Option(
      names = "--mix-ttl",
      paramLabel = "SECONDS",
      description =
          "Figure 8: how long the inserts of risk-control live (default: as long as a round, 1 at"
              + " least).")
  private Integer ttl;

  @Option(
      names = "--load-order",
      paramLabel = "ORDER",
      description =
          "Figure 8: random or sorted, by keys (default: random in memory, sorted on disk).")
  private LoadOrder order;

  @Option(
      names = "--mixes",
      paramLabel = "MIX",
      split = ",",
      description =
          "Figure 8: follow, recommendation, risk-control; separated by commas (default: all).")
  private List<String> names = NAMES;

  /** Checks what can be checked before the run. */
  void check() {
    if (ttl != null && ttl < 1) {
      throw new ParameterException(
          spec.commandLine(), "--mix-ttl must be positive: mix-ttl=" + ttl);
    }
    for (String name : names) {
      if (!NAMES.contains(name)) {
        throw new ParameterException(
            spec.commandLine(), "--mixes must be of " + NAMES + ": mix=" + name);
      }
    }
  }

  /** Runs the mixes on both systems, and prints the tables. */
  Report run(GraphOptions given, RoundOptions measured, DirectoryOption place, ReportOutput output)
      throws IOException {
    long edges = given.orEdges(onDisk ? EDGES_ON_DISK : EDGES);
    GraphOptions follows = given.or(vertices(edges, FOLLOW_DEGREE), edges);
    GraphOptions payments = given.of(vertices(edges, PAYMENT_DEGREE), edges);
    List<Metric> figures = new ArrayList<>();
    // First the mix that writes nothing, so that the answers do not depend on the other.
    List<WorkKind> following = chosen(WorkKind.RECOMMENDATION, WorkKind.FOLLOW);
    List<WorkKind> paying = chosen(WorkKind.RISK_CONTROL);
    if (!following.isEmpty()) {
      figures.addAll(run("follow", follows, following, measured, place, output));
    }
    if (!paying.isEmpty()) {
      figures.addAll(run("payments", payments, paying, measured, place, output));
    }
    Report report = new Report(Contender.BG3.text(), figures);
    new MixTable(report, onDisk).lines().forEach(output::print);
    return report;
  }

  private List<WorkKind> chosen(WorkKind... mixes) {
    return Stream.of(mixes).filter(mix -> names.contains(name(mix))).toList();
  }

  private static String name(WorkKind mix) {
    return mix.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private List<Metric> run(
      String graphName,
      GraphOptions graph,
      List<WorkKind> mixes,
      RoundOptions measured,
      DirectoryOption place,
      ReportOutput output)
      throws IOException {
    EngineSize size = size(graph, measured);
    return place
        .during(
            root ->
                new MixRun(
                    new RunPlace(size, root, spec), graphName, mixes, parameters(measured), output))
        .figures();
  }

  private EngineSize size(GraphOptions graph, RoundOptions measured) {
    long bytes = memory == null ? standardMemory(graph.edges()) : bytes(memory);
    LoadOrder standard = onDisk ? LoadOrder.SORTED : LoadOrder.RANDOM;
    LoadOrder taken = order == null ? standard : order;
    EngineSize size = graph.size(bytes, Conditions.PLAIN.with(taken), measured);
    return taken == LoadOrder.SORTED ? size.withoutList() : size;
  }

  private Map<String, String> parameters(RoundOptions measured) {
    Map<String, String> parameters = new HashMap<>();
    int seconds = ttl == null ? (int) Math.max(1, Math.ceil(measured.seconds())) : ttl;
    parameters.put(GraphMix.TTL, Integer.toString(seconds));
    parameters.put(Task.DIRECT, Boolean.toString(onDisk));
    return parameters;
  }

  /** As many vertices as have this degree, and not fewer than there must be for so many edges. */
  private static int vertices(long edges, double degree) {
    return (int) Math.ceil(Math.max(edges / degree, Math.sqrt(8.0 * edges)));
  }

  private long standardMemory(long edges) {
    return onDisk
        ? Math.max(LEAST_MEMORY_ON_DISK, (long) ((double) MEMORY_ON_DISK * edges / EDGES_ON_DISK))
        : LEAST_MEMORY + edges * MEMORY_AN_EDGE;
  }

  private long bytes(String text) {
    try {
      return Settings.defaults().with(Setting.MEMORY_BUDGET, text).bytes(Setting.MEMORY_BUDGET);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
