package io.bg3.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The main class of the program {@code bg3}. */
@Command(
    name = "bg3",
    description = "A graph database: one store in a directory, served as Gremlin.",
    subcommands = {
      ServerCommand.class,
      ConsoleCommand.class,
      LoadCommand.class,
      ExportCommand.class,
      StatsCommand.class,
      UserCommand.class,
      QueriesCommand.class,
      CheckCommand.class,
      VersionCommand.class
    },
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "In a source tree there are 'bg3 linkbench', 'bg3 bench' and 'bg3 generate' too.",
      "'bg3 COMMAND --help' says more.",
      "Exit codes: 0 success, 1 failure, 2 wrong usage, 3 loaded except bad rows."
    })
public final class Main implements Runnable {
  /** Exit code of work that was done except for a part, which was reported. */
  static final int INCOMPLETE = 3;

  @Spec private CommandSpec spec;

  /** Runs the command line and ends the process with its exit code. */
  @SuppressWarnings(
      "CatchAndPrintStackTrace") // a bug or a broken installation, so the stack trace helps
  public static void main(String[] arguments) {
    int code = CommandLine.ExitCode.SOFTWARE;
    try {
      code = commandLine().execute(arguments);
    } catch (OutOfMemoryError e) {
      System.err.println("bg3: " + e.getMessage());
      FailureAdvice.of(e).ifPresent(System.err::println);
    } catch (Error e) {
      e.printStackTrace();
    }
    System.exit(code); // even if threads of a partly started server still run
  }

  static CommandLine commandLine() {
    return new CommandLine(new Main())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(Errors::wrongCall)
        .setExecutionExceptionHandler(Errors::report);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }
}
