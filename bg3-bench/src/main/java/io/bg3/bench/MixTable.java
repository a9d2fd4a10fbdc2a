package io.bg3.bench;

import io.bg3.bench.report.Metric;
import io.bg3.bench.report.Report;
import io.bg3.bench.store.Contender;
import io.bg3.bench.work.GraphMix;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The tables of the paper's figure 8: all that was measured, the mixes beside the paper's, and the
 * bytes of the stores.
 */
final class MixTable {
  /** A mix, by which factor BG3 shall be better than RocksDB, and what the paper has. */
  private enum Mix {
    FOLLOW("follow", 10, "1.68x"),
    RECOMMENDATION("recommendation", 20, "4.06x"),
    RISK_CONTROL("risk-control", 3, "2.68x");

    /** The factor that is wanted where the data is larger than memory. */
    private static final int ON_DISK = 2;

    private final String work;
    private final int inMemory;
    private final String paper;

    Mix(String work, int inMemory, String paper) {
      this.work = work;
      this.inMemory = inMemory;
      this.paper = paper;
    }
  }

  private final Report report;
  private final boolean onDisk;

  MixTable(Report report, boolean onDisk) {
    this.report = report;
    this.onDisk = onDisk;
  }

  /** The lines. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("Figure 8: the paper's mixes " + (onDisk ? "on disk" : "in memory"));
    List<Metric> measured = report.figures().stream().filter(each -> !isDisk(each)).toList();
    lines.addAll(new ColdTable(new Report(Contender.BG3.text(), measured)).lines());
    lines.add("");
    lines.add(line("", "bg3 op/s", "rocksdb op/s", "bg3 is", "aim", "paper: BG3 is, of ByteGraph"));
    for (Mix mix : Mix.values()) {
      line(mix).ifPresent(lines::add);
    }
    lines.add("");
    lines.add("  bytes of the files, in MB; the paper: 80 % less cost of storage than ByteGraph");
    report.rows().stream()
        .filter(row -> isDisk(row.get(0)))
        .map(MixTable::disk)
        .forEach(lines::add);
    return lines;
  }

  private static boolean isDisk(Metric figure) {
    return figure.work().equals(GraphMix.DISK);
  }

  /** The line of a mix; none if it was not measured. */
  private Optional<String> line(Mix mix) {
    return figure(mix, Contender.BG3)
        .map(ours -> line(mix, ours, figure(mix, Contender.ROCKSDB).orElseThrow()));
  }

  private String line(Mix mix, Metric ours, Metric theirs) {
    int aim = onDisk ? Mix.ON_DISK : mix.inMemory;
    return line(
        mix.work,
        Report.human(ours.median()),
        Report.human(theirs.median()),
        String.format(Locale.ROOT, "%.2fx", ours.ratio(theirs)),
        aim + "x",
        "at most " + mix.paper);
  }

  private Optional<Metric> figure(Mix mix, Contender contender) {
    return report.figures().stream()
        .filter(figure -> figure.work().equals(GraphMix.FIGURE + mix.work))
        .filter(figure -> figure.system().equals(contender.text()))
        .findFirst();
  }

  private static String disk(List<Metric> row) {
    List<String> systems =
        row.stream().map(each -> each.system() + " " + Report.human(each.median())).toList();
    return "  " + row.get(0).setting() + ": " + String.join(", ", systems);
  }

  private static String line(String... cells) {
    return String.format(Locale.ROOT, "  %-15s %13s %13s %9s %5s  %s", (Object[]) cells)
        .stripTrailing();
  }
}
