package io.bg3.linkbench.cli;

import io.bg3.linkbench.workload.ConfigException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program {@code bg3 linkbench}. */
@Command(
    name = "bg3",
    description = "Runs the LinkBench workload.",
    subcommands = LinkBenchCommand.class,
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
public final class Main implements Runnable {
  @Spec private CommandSpec spec;

  /** Runs the command line and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.setProperty("java.awt.headless", "true"); // charts are files
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Main())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(Main::wrongCall)
        .setExecutionExceptionHandler(Main::report);
  }

  /** Prints the fault of a call and the option for help; a list of all options would hide it. */
  private static int wrongCall(ParameterException failure, String... arguments) {
    CommandLine command = failure.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("bg3: " + failure.getMessage());
    CommandLine.UnmatchedArgumentException.printSuggestions(failure, err);
    err.println("'" + command.getCommandSpec().qualifiedName() + " --help' says more.");
    err.flush();
    return ExitCode.USAGE;
  }

  private static int report(
      Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
    PrintWriter err = command.getErr();
    String said = text(failure);
    err.println("bg3: " + said);
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      if (!said.contains(text(cause))) {
        err.println("  because: " + cause);
      }
    }
    err.flush();
    return failure instanceof ConfigException ? ExitCode.USAGE : ExitCode.SOFTWARE;
  }

  private static String text(Throwable failure) {
    return failure.getMessage() == null ? failure.toString() : failure.getMessage();
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }
}
