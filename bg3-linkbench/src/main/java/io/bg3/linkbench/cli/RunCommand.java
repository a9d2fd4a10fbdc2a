package io.bg3.linkbench.cli;

import io.bg3.linkbench.model.LinkDatabase;
import io.bg3.linkbench.phase.RunPhase;
import io.bg3.linkbench.workload.Config;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bg3 linkbench run}: the request phase. */
@Command(
    name = "run",
    description = "Makes requests to what 'bg3 linkbench load' loaded, and measures them.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Ctrl-C ends it and prints what was measured so far. A store in memory is loaded",
      "first."
    })
final class RunCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private WorkloadOptions workload;
  @Mixin private StoreOptions store;
  @Mixin private ReportFileOptions files;
  @Mixin private MetricFileOption figureFile;

  @Option(names = "--load", description = "Load first, in the same process.")
  private boolean load;

  @Option(
      names = "--hlog",
      paramLabel = "FILE",
      description = "Write the latencies of each second in HdrHistogram's log format.")
  private Path log;

  @Override
  public Integer call() throws IOException {
    Config config = workload.config(store.keys());
    PrintWriter out = spec.commandLine().getOut();
    RunPhase.Outcome outcome;
    try (ProgressDisplay watch = new ProgressDisplay();
        LinkDatabase database = store.open(config)) {
      MetricLines figures = store.figures(config);
      PhaseRunner phases = new PhaseRunner(database, config, watch, figures, out);
      phases.introduce();
      if (load || !store.keeps()) {
        phases.load();
      }
      outcome = phases.requests();
      if (log != null) {
        outcome.results().writeLog(log);
        out.println("latencies of each second in " + log);
      }
      files.write(outcome.results(), database.describe(), out);
      figureFile.write(figures, out);
      out.flush();
    }
    return outcome.aborted() == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
  }
}
