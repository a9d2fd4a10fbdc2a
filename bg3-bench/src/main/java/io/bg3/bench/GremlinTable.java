package io.bg3.bench;

import io.bg3.bench.report.Metric;
import io.bg3.bench.report.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The table of {@code bg3 bench gremlin}: a line for each work and system. */
final class GremlinTable {
  private final Report report;

  GremlinTable(Report report) {
    this.report = report;
  }

  /** The lines. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(line("", "", "median", "+-", "p50 us", "p99 us", "bytes/op", ""));
    for (List<Metric> row : report.rows()) {
      if (row.get(0).work().indexOf('.') < 0) {
        row.forEach(figure -> lines.add(line(figure, row)));
      }
    }
    return lines;
  }

  private String line(Metric figure, List<Metric> row) {
    boolean first = figure.equals(row.get(0));
    double ratio = row.get(0).ratio(figure);
    return line(
        first ? figure.work() : "",
        figure.system(),
        Report.human(figure.median()) + " " + figure.unit(),
        String.format(Locale.ROOT, "%.0f %%", 100 * figure.spread()),
        report.side(figure, "p50"),
        report.side(figure, "p99"),
        report.side(figure, "allocated"),
        first || Double.isNaN(ratio)
            ? ""
            : String.format(Locale.ROOT, "%s is %,.2fx", row.get(0).system(), ratio));
  }

  private static String line(String... cells) {
    return String.format(Locale.ROOT, "%-24s %-12s %22s %6s %12s %12s %14s  %s", (Object[]) cells)
        .stripTrailing();
  }
}
