package io.bg3.linkbench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Into which file figures are gathered. */
final class MetricFileOption {
  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Add the figures to a file, one line of JSON each.")
  private Path json;

  void write(MetricLines figures, PrintWriter out) throws IOException {
    if (json != null) {
      figures.append(json);
      out.println("figures in " + json);
    }
  }
}
