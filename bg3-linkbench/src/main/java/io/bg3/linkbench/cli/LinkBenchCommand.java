package io.bg3.linkbench.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bg3 linkbench}: Facebook's workload of a social graph. */
@Command(
    name = "linkbench",
    description = "Runs LinkBench's workload, from its own properties files or from ours.",
    subcommands = {LoadCommand.class, RunCommand.class, ReportCommand.class, VerifyCommand.class},
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class LinkBenchCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "a command is missing: load, run, report or verify");
  }
}
