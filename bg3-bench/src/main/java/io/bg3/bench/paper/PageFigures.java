package io.bg3.bench.paper;

import io.bg3.bench.report.Metric;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The paper's figures 9 and 10 out of the runs at several page sizes: records read a look-up, and
 * bytes written, of one delta against a chain.
 */
public final class PageFigures {
  private static final String NINE =
      "paper: 2.4 reads a look-up against 3.87, 48,000 reads/s against 76,000: 36.8 % fewer";
  private static final String TEN = "paper: 70 MB/s written against 64.5 MB/s: 9.3 % more";

  private final int operations;
  private final String setting;
  private final Map<Integer, Map<FlushRule, PageRun.Counts>> counts = new TreeMap<>();

  /**
   * No runs yet.
   *
   * @param operations writes of a run, and look-ups
   * @param setting what all runs have in common
   */
  public PageFigures(int operations, String setting) {
    this.operations = operations;
    this.setting = setting;
  }

  /** Takes what a run has counted. */
  public void add(int capacity, FlushRule rule, PageRun.Counts run) {
    counts.computeIfAbsent(capacity, c -> new EnumMap<>(FlushRule.class)).put(rule, run);
  }

  /** All figures of some of the paper's figures, 9 and 10. */
  public List<Metric> figures(List<Integer> numbers) {
    List<Metric> figures = new ArrayList<>();
    for (int number : numbers) {
      counts.forEach(
          (capacity, runs) ->
              runs.forEach((rule, run) -> figures.add(figure(number, capacity, rule, run))));
    }
    return figures;
  }

  private Metric figure(int number, int capacity, FlushRule rule, PageRun.Counts run) {
    return new Metric(
        number == 9 ? "figure-nine" : "figure-ten",
        rule.system(),
        "page=" + capacity / 1024 + " KiB, " + setting,
        number == 9 ? "reads/look-up" : "MB",
        false,
        Long.toHexString(run.answer()),
        List.of(value(number, run)));
  }

  private double value(int number, PageRun.Counts run) {
    return number == 9 ? (double) run.reads() / operations : run.bytes() / 1e6;
  }

  /** A table of one of the paper's figures, with the paper's own in the last line. */
  public List<String> table(int number) {
    List<String> lines = new ArrayList<>();
    lines.add(
        number == 9
            ? "Figure 9: records that a look-up reads from storage, without a cache"
            : "Figure 10: MB that " + operations + " writes append, each flushed by itself");
    lines.add(line("page", "leaves", titles()));
    counts.forEach(
        (capacity, runs) -> {
          int leaves = runs.get(FlushRule.CHAIN).pages();
          lines.add(line(capacity / 1024 + " KiB", format("%,d", leaves), cells(number, runs)));
        });
    lines.add("  in brackets: against the chain; " + (number == 9 ? NINE : TEN));
    return lines;
  }

  private List<String> cells(int number, Map<FlushRule, PageRun.Counts> runs) {
    double chain = value(number, runs.get(FlushRule.CHAIN));
    List<String> cells = new ArrayList<>();
    for (FlushRule rule : FlushRule.values()) {
      double value = value(number, runs.get(rule));
      cells.add(
          rule == FlushRule.CHAIN
              ? format("%.2f", value)
              : format("%.2f (%+.1f %%)", value, 100 * (value / chain - 1)));
    }
    return cells;
  }

  private static List<String> titles() {
    List<String> titles = new ArrayList<>();
    for (FlushRule rule : FlushRule.values()) {
      titles.add(rule.title());
    }
    return titles;
  }

  private static String line(String page, String leaves, List<String> cells) {
    StringBuilder line = new StringBuilder(format("  %8s %7s", page, leaves));
    cells.forEach(cell -> line.append(format("  %28s", cell)));
    return line.toString();
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
