package io.bg3.bench;

import io.bg3.bench.report.Metric;
import io.bg3.bench.report.Omission;
import io.bg3.bench.report.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The table of {@code bg3 bench gremlin}: a line for each work and system, with a dash and the
 * reason where the system could not do the work.
 */
final class GremlinTable {
  /** The cost of an operation in the table: a server has another one than an embedded graph. */
  enum Cost {
    /** Bytes that the thread which asks allocates in the heap. */
    HEAP("allocated", "bytes/op"),
    /** Microseconds of a processor that the process of the server takes. */
    PROCESSOR("cpu", "cpu us/op");

    private final String figure;
    private final String column;

    Cost(String figure, String column) {
      this.figure = figure;
      this.column = column;
    }
  }

  private final Report report;
  private final List<Omission> omitted;
  private final Cost cost;
  private final String suffix;

  /** A table of works that one thread asks for in the process of the system. */
  GremlinTable(Report report, List<Omission> omitted) {
    this(report, omitted, Cost.HEAP, "");
  }

  /**
   * @param suffix what stands behind the name of each work
   */
  GremlinTable(Report report, List<Omission> omitted, Cost cost, String suffix) {
    this.report = report;
    this.omitted = omitted;
    this.cost = cost;
    this.suffix = suffix;
  }

  /** The line above the others. */
  String head() {
    return line("", "", "median", "+-", "p50 us", "p99 us", cost.column, "");
  }

  /** The lines below it. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    List<Omission> left = new ArrayList<>(omitted);
    for (List<Metric> row : report.rows()) {
      String work = row.get(0).work();
      if (work.indexOf('.') < 0) {
        row.forEach(figure -> lines.add(line(figure, row)));
        left.stream()
            .filter(omission -> omission.work().equals(work))
            .forEach(omission -> lines.add(line("", omission)));
        left.removeIf(omission -> omission.work().equals(work));
      }
    }
    left.forEach(omission -> lines.add(line(omission.work(), omission)));
    return lines;
  }

  private static String line(String work, Omission omission) {
    return line(work, omission.system(), "-", "", "", "", "", omission.reason());
  }

  private String line(Metric figure, List<Metric> row) {
    boolean first = figure.equals(row.get(0));
    double ratio = row.get(0).ratio(figure);
    return line(
        first ? figure.work() + suffix : "",
        figure.system(),
        Report.human(figure.median()) + " " + figure.unit(),
        String.format(Locale.ROOT, "%.0f %%", 100 * figure.spread()),
        report.side(figure, "p50"),
        report.side(figure, "p99"),
        report.side(figure, cost.figure),
        first || Double.isNaN(ratio)
            ? ""
            : String.format(Locale.ROOT, "%s is %,.2fx", row.get(0).system(), ratio));
  }

  private static String line(String... cells) {
    return String.format(Locale.ROOT, "%-26s %-12s %22s %6s %12s %12s %14s  %s", (Object[]) cells)
        .stripTrailing();
  }
}
