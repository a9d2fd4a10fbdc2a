package io.bg3.cli;

import io.bg3.transfer.CountedInput;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.FileSystemException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Says what went wrong in one message; the stack trace is there for those who set BG3_STACKTRACE.
 */
final class Errors {
  private Errors() {}

  static int report(Exception failure, CommandLine command, ParseResult parsed) {
    PrintWriter err = command.getErr();
    err.println("bg3: " + message(failure));
    Advice.of(failure).ifPresent(err::println);
    if (System.getenv("BG3_STACKTRACE") != null) {
      StringWriter trace = new StringWriter();
      failure.printStackTrace(new PrintWriter(trace));
      err.print(trace);
    }
    err.flush();
    return CommandLine.ExitCode.SOFTWARE;
  }

  /** The message of the failure and of the causes that add something to it. */
  static String message(Throwable failure) {
    StringBuilder text = new StringBuilder(text(failure));
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      String more = text(cause);
      if (text.indexOf(more) < 0) {
        text.append(System.lineSeparator()).append("  because: ").append(more);
      }
    }
    return text.toString();
  }

  /** What was wrong with the call, and where more is said; all options would hide it. */
  static int wrongCall(ParameterException failure, String... arguments) {
    CommandLine command = failure.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("bg3: " + failure.getMessage());
    UnmatchedArgumentException.printSuggestions(failure, err);
    err.println("'" + command.getCommandSpec().qualifiedName() + " --help' says more.");
    err.flush();
    return CommandLine.ExitCode.USAGE;
  }

  private static String text(Throwable failure) {
    if (failure instanceof FileSystemException file) {
      return CountedInput.reason(file) + ": file=" + file.getFile();
    }
    String message = failure.getMessage();
    return message == null || message.isBlank() ? failure.getClass().getSimpleName() : message;
  }
}
