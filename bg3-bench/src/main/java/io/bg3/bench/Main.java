package io.bg3.bench;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The programs {@code bg3 bench} and {@code bg3 generate}. */
@Command(
    name = "bg3",
    description = "Measures BG3 beside other systems, and makes graphs to ask something.",
    subcommands = {BenchCommand.class, GenerateCommand.class},
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
        .setExecutionExceptionHandler(Main::report);
  }

  private static int report(
      Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
    PrintWriter err = command.getErr();
    err.println("bg3: " + (failure.getMessage() == null ? failure : failure.getMessage()));
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      err.println("  because: " + cause);
    }
    err.flush();
    return CommandLine.ExitCode.SOFTWARE;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }
}
