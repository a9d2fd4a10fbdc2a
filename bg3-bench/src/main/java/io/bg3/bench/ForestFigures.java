package io.bg3.bench;

import io.bg3.bench.report.Metric;
import io.bg3.bench.report.Report;
import io.bg3.bench.work.ForestLoad;
import io.bg3.bench.work.Memory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The paper's figure 11 out of the runs with several numbers of trees: commits a second, waits, and
 * memory.
 */
final class ForestFigures {
  private static final String WORK = "figure-eleven";
  private static final String MEMORY = WORK + "-memory";
  private static final double MEGA = 1e6;

  /** The measured parts of the memory, and their names. */
  private static final Map<String, String> KINDS = kinds();

  private static final List<String> PAPER =
      List.of(
          "paper: 50, 90, 150, 289 thousand writes/s with 1, 64, 100,000, 1,000,000 trees;",
          "memory x3.37 from 1 to 100,000 trees, x2.52 from there to 1,000,000");

  private final Map<Integer, List<Metric>> figures = new TreeMap<>();

  private static Map<String, String> kinds() {
    Map<String, String> kinds = new LinkedHashMap<>();
    kinds.put(Memory.RESIDENT, "resident, over an empty store");
    kinds.put(Memory.USED, "used of bg3.memory.budget, over an empty store");
    kinds.put(Memory.HEAP, "heap, over an empty store");
    return kinds;
  }

  /** The name under which a number of trees is compared with the others. */
  static String system(int trees) {
    return "trees=" + trees;
  }

  /** Takes what a task has measured with a number of trees; returns it under that name. */
  List<Metric> add(int trees, List<Metric> measured) {
    List<Metric> added = new ArrayList<>();
    for (Metric metric : measured) {
      added.add(
          new Metric(
              metric.work(),
              system(trees),
              metric.setting(),
              metric.unit(),
              metric.higherIsBetter(),
              metric.answer(),
              metric.rounds()));
    }
    figures.computeIfAbsent(trees, key -> new ArrayList<>()).addAll(added);
    return added;
  }

  /**
   * Takes the memory of a number of trees; returns its figures.
   *
   * @param full what {@link Memory} has measured of the loaded store
   * @param empty and of an empty one
   */
  List<Metric> addMemory(int trees, List<Metric> full, List<Metric> empty) {
    List<Metric> memory = new ArrayList<>();
    KINDS.forEach(
        (work, setting) -> {
          Metric loaded = of(work, full);
          double bytes = loaded.median() - of(work, empty).median();
          memory.add(
              new Metric(MEMORY, "", setting, "bytes", false, loaded.answer(), List.of(bytes)));
        });
    return add(trees, memory);
  }

  private static Metric of(String work, List<Metric> measured) {
    return measured.stream().filter(metric -> metric.work().equals(work)).findFirst().orElseThrow();
  }

  /** All figures. */
  List<Metric> figures() {
    return figures.values().stream().flatMap(List::stream).toList();
  }

  /** A sentence for each number of trees with which vertices stay in a shared tree. */
  static List<String> faults(List<Metric> measured) {
    return measured.stream()
        .filter(metric -> metric.work().equals(ForestLoad.MISSING) && metric.median() > 0)
        .map(
            metric ->
                format(
                    "vertices stay without a tree of their own: %s, vertices=%.0f",
                    metric.system(), metric.median()))
        .toList();
  }

  /** The tables, with the paper's figures behind them. */
  List<String> table() {
    Report report = new Report("", figures());
    List<String> lines = new ArrayList<>();
    lines.add("Figure 11: commits of one edge, not synced, full cache, by the number of trees");
    lines.add(
        line(
            "trees",
            "of vertices",
            "commits/s",
            "+-",
            "to the first",
            "latch waits/s",
            "structure waits/s"));
    for (List<Metric> row : report.rows()) {
      if (row.get(0).work().equals(WORK)) {
        lines.add("");
        lines.add(row.get(0).setting());
        row.forEach(metric -> lines.add(commits(report, metric, row.get(0))));
      }
    }
    lines.add("");
    lines.add("Figure 11: memory, every edge read");
    lines.add(line("trees", "of vertices", "MB", "", "to the first"));
    for (List<Metric> row : report.rows()) {
      if (row.get(0).work().equals(MEMORY)) {
        lines.add("");
        lines.add(row.get(0).setting());
        row.forEach(metric -> lines.add(memory(metric, row.get(0))));
      }
    }
    PAPER.forEach(text -> lines.add("  " + text));
    return lines;
  }

  private String commits(Report report, Metric metric, Metric first) {
    return line(
        metric.system(),
        ofVertices(metric),
        Report.human(metric.median()),
        format("%.1f %%", 100 * metric.spread()),
        format("%.2fx", metric.median() / first.median()),
        report.side(metric, "latch-waits"),
        report.side(metric, "structure-waits"));
  }

  private String memory(Metric metric, Metric first) {
    return line(
        metric.system(),
        ofVertices(metric),
        format("%,.1f", metric.median() / MEGA),
        "",
        format("%.2fx", metric.median() / first.median()));
  }

  /** How many vertices have a tree of their own, and how many should have one and have not. */
  private String ofVertices(Metric metric) {
    String found = number(ForestLoad.TREES, metric);
    String missing = number(ForestLoad.MISSING, metric);
    return missing.isEmpty() || missing.equals("0") ? found : found + ", not " + missing;
  }

  private String number(String work, Metric metric) {
    return figures.values().stream()
        .flatMap(List::stream)
        .filter(other -> other.work().equals(work) && other.system().equals(metric.system()))
        .map(other -> format("%,.0f", other.median()))
        .findFirst()
        .orElse("");
  }

  private static String line(String... cells) {
    StringBuilder line = new StringBuilder(format("  %-14s", cells[0]));
    for (int i = 1; i < cells.length; i++) {
      line.append(format(" %17s", cells[i]));
    }
    return line.toString().stripTrailing();
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
