package io.bg3.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/**
 * Says what went wrong in one message; the stack trace is there for those who set BG3_STACKTRACE.
 */
final class Errors {
  private Errors() {}

  static int report(Exception failure, CommandLine command, ParseResult parsed) {
    PrintWriter err = command.getErr();
    err.println("bg3: " + message(failure));
    if (System.getenv("BG3_STACKTRACE") != null) {
      StringWriter trace = new StringWriter();
      failure.printStackTrace(new PrintWriter(trace));
      err.print(trace);
    }
    err.flush();
    return CommandLine.ExitCode.SOFTWARE;
  }

  /** The message of the failure and of the causes that add something to it. */
  private static String message(Throwable failure) {
    StringBuilder text = new StringBuilder(text(failure));
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      String more = text(cause);
      if (text.indexOf(more) < 0) {
        text.append(System.lineSeparator()).append("  because: ").append(more);
      }
    }
    return text.toString();
  }

  private static String text(Throwable failure) {
    String message = failure.getMessage();
    return message == null || message.isBlank() ? failure.getClass().getSimpleName() : message;
  }
}
