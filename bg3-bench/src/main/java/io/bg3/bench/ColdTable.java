package io.bg3.bench;

import io.bg3.bench.report.Metric;
import io.bg3.bench.report.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The table of a run with less memory than data: a line for each work, memory and system, with the
 * latencies of its operations and what one of them reads.
 */
final class ColdTable {
  private static final List<String> SIDES = List.of("p50", "p99", "p99.9", "reads", "read");

  private final Report report;

  ColdTable(Report report) {
    this.report = report;
  }

  /** The lines. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(line("", "op/s", "+-", "p50 us", "p99 us", "p99.9 us", "reads/op", "bytes/op", ""));
    for (List<Metric> row : report.rows()) {
      Metric first = row.get(0);
      if (first.work().indexOf('.') < 0) {
        lines.add("");
        lines.add(first.work() + "  (" + first.setting() + ")");
        row.forEach(figure -> lines.add(line(figure, row)));
      }
    }
    return lines;
  }

  private String line(Metric figure, List<Metric> row) {
    List<String> cells = new ArrayList<>();
    cells.add(figure.system());
    cells.add(Report.human(figure.median()));
    cells.add(String.format(Locale.ROOT, "%.1f %%", 100 * figure.spread()));
    SIDES.forEach(side -> cells.add(report.side(figure, side)));
    cells.add(comparison(figure, row) + written(figure));
    return line(cells.toArray(new String[0]));
  }

  /** By which factor the first system of the row is better than this one. */
  private static String comparison(Metric figure, List<Metric> row) {
    double ratio = row.get(0).ratio(figure);
    return row.get(0).system().equals(figure.system()) || Double.isNaN(ratio)
        ? ""
        : String.format(Locale.ROOT, "%s is %.2fx  ", row.get(0).system(), ratio);
  }

  /** The bytes that the inserts of a mix have written, and the most bytes that the files took. */
  private String written(Metric figure) {
    String written = report.side(figure, "written");
    return written.isEmpty()
        ? ""
        : written
            + " bytes written a user byte, at most "
            + report.side(figure, "disk")
            + " on disk a live byte";
  }

  private static String line(String... cells) {
    return String.format(
            Locale.ROOT, "  %-12s %12s %8s %10s %10s %10s %9s %9s  %s", (Object[]) cells)
        .stripTrailing();
  }
}
