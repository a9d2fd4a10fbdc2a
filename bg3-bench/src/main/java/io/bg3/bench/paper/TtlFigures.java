package io.bg3.bench.paper;

import io.bg3.bench.report.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The right half of the paper's table 2 out of several runs: the bytes that are copied where edges
 * have a time to live, and where the application removes them.
 */
public final class TtlFigures {
  private static final String PAPER =
      "paper: 8 MB/s copied without a time to live, none with it; the space is not stated";

  /** One run. */
  private record Run(TtlRun.Size size, TtlRun.Order order, TtlRun.Way way, TtlRun.Counts counts) {
    boolean hasWritten() {
      return counts.appended() > 0;
    }
  }

  private final List<Run> runs = new ArrayList<>();

  /** No runs yet. */
  public TtlFigures() {}

  /** The name of a way, as a system. */
  public static String name(TtlRun.Way way) {
    return way.name().toLowerCase(Locale.ROOT);
  }

  /** Takes what a run has counted; returns its figures. */
  public List<Metric> add(
      TtlRun.Size size, TtlRun.Order order, TtlRun.Way way, TtlRun.Counts counts) {
    Run run = new Run(size, order, way, counts);
    runs.add(run);
    return figures(run);
  }

  /** A sentence for each run that wrote nothing in the counted time, and so has no figures. */
  public List<String> faults() {
    return runs.stream()
        .filter(run -> !run.hasWritten())
        .map(
            run ->
                "no image was written in the counted time, so that the run has no figures; take a"
                    + " larger --ttl-rate, --ttl or --ttl-lives: edges in="
                    + run.order.title()
                    + ", gone by="
                    + name(run.way)
                    + ", "
                    + run.size)
        .toList();
  }

  /** The bytes copied, and the space taken, of all runs. */
  public List<Metric> figures() {
    return runs.stream().flatMap(run -> figures(run).stream()).toList();
  }

  private static List<Metric> figures(Run run) {
    if (!run.hasWritten()) {
      return List.of();
    }
    return List.of(
        figure(run, "table-two-ttl", "MB moved", run.counts.moved() / 1e6),
        figure(run, "table-two-ttl.appended", "MB", run.counts.appended() / 1e6),
        figure(run, "table-two-ttl.space", "bytes/live byte", run.counts.space()));
  }

  private static Metric figure(Run run, String work, String unit, double value) {
    String setting = "edges in " + run.order.title() + ", " + run.size;
    return Metric.single(work, name(run.way), setting, unit, false, value);
  }

  /** The table, with the paper's figures in the last line. */
  public List<String> table() {
    List<String> lines = new ArrayList<>();
    lines.add("Table 2, right half: MB that are copied while edges expire, or are removed");
    lines.add(
        line(
            "ttl s", "edges in", "gone by", "MB written", "MB copied", "space", "most", "expired"));
    for (Run run : runs) {
      if (!run.hasWritten()) {
        lines.add(
            line(
                String.valueOf(run.size.ttlSeconds()),
                run.order.title(),
                name(run.way),
                "none written",
                "",
                "",
                "",
                ""));
        continue;
      }
      lines.add(
          line(
              String.valueOf(run.size.ttlSeconds()),
              run.order.title(),
              name(run.way),
              format("%.1f", run.counts.appended() / 1e6),
              format("%.1f", run.counts.moved() / 1e6),
              format("%.2f", run.counts.space()),
              format("%.2f", run.counts.mostSpace()),
              String.valueOf(run.counts.expired())));
    }
    lines.add("  " + PAPER);
    return lines;
  }

  private static String line(String... cells) {
    return format("  %6s  %-14s %-8s %12s %12s %8s %8s %8s", (Object[]) cells).stripTrailing();
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
