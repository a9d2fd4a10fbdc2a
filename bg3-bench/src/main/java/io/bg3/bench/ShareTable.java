package io.bg3.bench;

import io.bg3.bench.report.Metric;
import io.bg3.bench.report.Report;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The table shows how much of the throughput with the first amount of memory is left as memory gets
 * less. It has a line for each work and system.
 */
final class ShareTable {
  private final Report report;

  ShareTable(Report report) {
    this.report = report;
  }

  /** The lines. */
  List<String> lines() {
    Map<String, List<Metric>> throughput = new LinkedHashMap<>();
    for (Metric figure : report.figures()) {
      if (figure.work().indexOf('.') < 0 && figure.setting().startsWith(ColdRun.MEMORY)) {
        String name = figure.work() + " " + figure.system();
        throughput.computeIfAbsent(name, any -> new ArrayList<>()).add(figure);
      }
    }
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add("throughput in percent of that with the first share, in their order");
    throughput.forEach((name, figures) -> lines.add(line(name, figures)));
    return lines;
  }

  private static String line(String name, List<Metric> figures) {
    StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "  %-20s", name));
    double first = figures.get(0).median();
    for (Metric figure : figures) {
      line.append(String.format(Locale.ROOT, " %7.1f", 100 * figure.median() / first));
    }
    return line.toString();
  }
}
