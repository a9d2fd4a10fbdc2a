package io.bg3.linkbench.cli;

import io.bg3.linkbench.measure.Chart;
import io.bg3.linkbench.measure.ProgressCsv;
import io.bg3.linkbench.measure.Results;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Into which files results are written. */
final class ReportFileOptions {
  @Option(
      names = {"--csv", "-csvstats"},
      paramLabel = "FILE",
      description = "Write the latencies as CSV in LinkBench's format.")
  private Path csv;

  @Option(
      names = {"--csv-seconds", "-csvstream"},
      paramLabel = "FILE",
      description = "Write the latencies of each second as CSV in LinkBench's format.")
  private Path seconds;

  @Option(names = "--png", paramLabel = "FILE", description = "Draw latency over time.")
  private Path png;

  void write(Results results, String title, PrintWriter out) throws IOException {
    if (csv != null) {
      results.writeCsv(csv);
      out.println("latencies in " + csv);
    }
    if (seconds != null) {
      ProgressCsv.write(results, seconds);
      out.println("latencies of each second in " + seconds);
    }
    if (png != null) {
      Chart.write(results, title, png);
      out.println("chart in " + png);
    }
  }
}
