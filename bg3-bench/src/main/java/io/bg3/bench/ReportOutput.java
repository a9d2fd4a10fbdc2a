package io.bg3.bench;

import io.bg3.bench.report.Charts;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.Report;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The output of a command that measures: its lines, and the file that an option asks for. */
final class ReportOutput {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also write the figures as JSON lines, and charts beside them.")
  private Path json;

  private final List<Metric> measured = new ArrayList<>();

  /** The command whose output this is. */
  CommandSpec command() {
    return spec;
  }

  /** Prints a line and flushes it, because the next one may take minutes. */
  void print(String line) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(line);
    out.flush();
  }

  /**
   * Tells figures as soon as they are measured, so that a run which fails later loses none: each as
   * a line of the error output, and in the file, which {@link #finish} writes anew.
   */
  void measured(List<Metric> figures) throws IOException {
    PrintWriter err = spec.commandLine().getErr();
    for (Metric figure : figures) {
      err.printf(
          "bench: measured: %s, %s, %s: %s %s%n",
          figure.work(),
          figure.system(),
          figure.setting(),
          Report.human(figure.median()),
          figure.unit());
    }
    err.flush();
    measured.addAll(figures);
    if (json != null) {
      Files.write(json, new Report("", measured).jsonLines());
    }
  }

  /**
   * Ends a run: writes the figures and the charts to the file, if there is one, and reports the
   * answers that differ.
   *
   * @return the exit code of the command: 1 if answers differ, otherwise 0
   */
  int finish(Report report) throws IOException {
    return finish(report, List.of());
  }

  /**
   * As {@link #finish(Report)}.
   *
   * @param faults a sentence for each fault of the run besides answers that differ; the exit code
   *     is 1 if there is one
   */
  int finish(Report report, List<String> faults) throws IOException {
    if (json != null) {
      Files.write(json, report.jsonLines());
      print("");
      print("figures in " + json + ", charts in " + Charts.write(report, json));
    }
    List<String> wrong = new ArrayList<>(faults);
    wrong.addAll(report.disagreements());
    PrintWriter err = spec.commandLine().getErr();
    wrong.forEach(line -> err.println("bg3: " + line));
    err.flush();
    return wrong.isEmpty() ? 0 : 1;
  }
}
