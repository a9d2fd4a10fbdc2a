package io.bg3.linkbench.cli;

import io.bg3.linkbench.measure.Results;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bg3 linkbench report}: tells again what was measured. */
@Command(
    name = "report",
    description = "Prints and draws what 'bg3 linkbench run --hlog' wrote.",
    mixinStandardHelpOptions = true)
final class ReportCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ReportFileOptions files;

  @Parameters(paramLabel = "LOG", description = "A log of HdrHistogram.")
  private Path log;

  @Override
  public Integer call() throws IOException {
    if (!Files.isRegularFile(log)) {
      throw new NoSuchFileException("no such log: file=" + log);
    }
    PrintWriter out = spec.commandLine().getOut();
    Results results = Results.readLog(log);
    results.printTable(out);
    results.printSeconds(out);
    out.printf(
        Locale.ROOT,
        "requests=%,d, seconds=%.1f, requests/second=%,.0f%n",
        results.count(),
        results.seconds(),
        results.count() / results.seconds());
    files.write(results, log.getFileName().toString(), out);
    out.flush();
    return ExitCode.OK;
  }
}
