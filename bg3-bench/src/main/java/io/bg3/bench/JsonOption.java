package io.bg3.bench;

import io.bg3.bench.report.Charts;
import io.bg3.bench.report.Report;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that has the figures written to a file. */
final class JsonOption {
  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also write the figures as JSON lines, and charts beside them.")
  private Path json;

  /** Writes the figures and the charts, and prints where they are, if the option is given. */
  void write(Report report, PrintWriter out) throws IOException {
    if (json != null) {
      Files.write(json, report.jsonLines());
      out.println();
      out.println("figures in " + json + ", charts in " + Charts.write(report, json));
      out.flush();
    }
  }
}
