package io.bg3.linkbench.cli;

import io.bg3.linkbench.model.LinkDatabase;
import io.bg3.linkbench.workload.Config;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code bg3 linkbench load}: the load phase. */
@Command(
    name = "load",
    description = "Loads nodes and links, as many as startid1, maxid1 and nlinks_... say.",
    mixinStandardHelpOptions = true)
final class LoadCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private WorkloadOptions workload;
  @Mixin private StoreOptions store;
  @Mixin private ReportFileOptions files;
  @Mixin private MetricFileOption figureFile;

  @Override
  public Integer call() throws IOException {
    Config config = workload.config(store.keys());
    PrintWriter out = spec.commandLine().getOut();
    try (ProgressDisplay watch = new ProgressDisplay();
        LinkDatabase database = store.open(config)) {
      MetricLines figures = store.figures(config);
      PhaseRunner phases = new PhaseRunner(database, config, watch, figures, out);
      phases.introduce();
      files.write(phases.load(), "load", out);
      figureFile.write(figures, out);
      out.flush();
    }
    return ExitCode.OK;
  }
}
