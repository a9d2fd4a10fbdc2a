package io.bg3.bench.paper;

import io.bg3.bench.report.Metric;
import io.bg3.core.recovery.ReclaimPolicy;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The left half of the paper's table 2 out of the runs of several policies: the bytes that each
 * copies to keep the same space, compared with the dirty ratio.
 */
public final class ReclaimFigures {
  /** The system whose figures are compared with those of the others: the default policy. */
  public static final String SUBJECT = name(ReclaimPolicy.COST_BENEFIT);

  private static final String TWO =
      "paper: dirty ratio 15 MB/s, update gradient 12.5 MB/s, 16.7 % less; the space is not stated";

  private final ReclaimRun.Size size;
  private final double bound;
  private final Map<WritePattern, Map<ReclaimPolicy, ReclaimRun.Counts>> counts =
      new EnumMap<>(WritePattern.class);

  /**
   * No runs yet.
   *
   * @param size what all runs have in common
   * @param bound bytes of the extents for each live byte that all runs are held to
   */
  public ReclaimFigures(ReclaimRun.Size size, double bound) {
    this.size = size;
    this.bound = bound;
  }

  /** The name of a policy, as in the settings. */
  public static String name(ReclaimPolicy policy) {
    return policy.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Takes what a run has counted; returns its figures. */
  public List<Metric> add(WritePattern pattern, ReclaimPolicy policy, ReclaimRun.Counts run) {
    counts.computeIfAbsent(pattern, p -> new EnumMap<>(ReclaimPolicy.class)).put(policy, run);
    return figures(pattern, policy, run);
  }

  /** The bytes copied and the space taken in all runs. */
  public List<Metric> figures() {
    List<Metric> figures = new ArrayList<>();
    counts.forEach(
        (pattern, runs) ->
            runs.forEach((policy, run) -> figures.addAll(figures(pattern, policy, run))));
    return figures;
  }

  private List<Metric> figures(WritePattern pattern, ReclaimPolicy policy, ReclaimRun.Counts run) {
    return List.of(
        figure("table-two", pattern, policy, "MB moved", run),
        figure("table-two.appended", pattern, policy, "MB", run),
        figure("table-two.space", pattern, policy, "bytes/live byte", run));
  }

  private Metric figure(
      String work, WritePattern pattern, ReclaimPolicy policy, String unit, ReclaimRun.Counts run) {
    double value =
        switch (work) {
          case "table-two" -> run.moved() / 1e6;
          case "table-two.appended" -> run.appended() / 1e6;
          default -> run.space();
        };
    return new Metric(
        work,
        name(policy),
        "writes by " + pattern.title() + ", space at most " + bound + ", " + size,
        unit,
        false,
        Long.toHexString(run.answer()),
        List.of(value));
  }

  /** The table, with the paper's figures in the last line. */
  public List<String> table() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "Table 2, left half: MB that reclaiming copies, at most " + bound + " bytes a live byte");
    lines.add(
        line("writes by", "policy", "MB written", "MB copied", "against dirty", "space", "most"));
    counts.forEach(
        (pattern, runs) ->
            runs.forEach(
                (policy, run) ->
                    lines.add(line(pattern, policy, run, runs.get(ReclaimPolicy.DIRTY)))));
    lines.add("  " + TWO);
    return lines;
  }

  private static String line(
      WritePattern pattern, ReclaimPolicy policy, ReclaimRun.Counts run, ReclaimRun.Counts dirty) {
    return line(
        pattern.title(),
        name(policy),
        format("%.1f", run.appended() / 1e6),
        format("%.1f", run.moved() / 1e6),
        dirty == null || dirty.moved() == 0
            ? ""
            : format("%+.1f %%", 100.0 * run.moved() / dirty.moved() - 100),
        format("%.3f", run.space()),
        format("%.3f", run.mostSpace()));
  }

  private static String line(String... cells) {
    return format("  %-14s %-14s %12s %12s %14s %8s %8s", (Object[]) cells).stripTrailing();
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
