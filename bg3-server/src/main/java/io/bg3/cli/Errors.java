package io.bg3.cli;

import io.bg3.transfer.CountedInput;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.FileSystemException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.commons.text.similarity.LevenshteinDistance;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints a failure as one message. Prints the stack trace too if BG3_STACKTRACE is set. */
final class Errors {
  /** The maximum number of wrong letters in an option for which there is a suggestion. */
  private static final int MISSPELT = 3;

  private Errors() {}

  static int report(Exception failure, CommandLine command, ParseResult parsed) {
    PrintWriter err = command.getErr();
    err.println("bg3: " + message(failure));
    FailureAdvice.of(failure).ifPresent(err::println);
    if (System.getenv("BG3_STACKTRACE") != null) {
      StringWriter trace = new StringWriter();
      failure.printStackTrace(new PrintWriter(trace));
      err.print(trace);
    }
    err.flush();
    return CommandLine.ExitCode.SOFTWARE;
  }

  /** Returns the message of the failure, with the messages of causes that add information. */
  static String message(Throwable failure) {
    StringBuilder text = new StringBuilder(text(failure));
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      String more = text(cause);
      if (!words(text).containsAll(words(more))) {
        text.append(System.lineSeparator()).append("  because: ").append(more);
      }
    }
    return text.toString();
  }

  /** The words, names and values of a message, without their order. */
  private static Set<String> words(CharSequence message) {
    return new HashSet<>(List.of(message.toString().split("[\\s,;=:]+")));
  }

  /**
   * Prints the error of a call and the command for help. The list of all options would hide the
   * error.
   */
  static int wrongCall(ParameterException failure, String... arguments) {
    CommandLine command = failure.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("bg3: " + failure.getMessage());
    if (!UnmatchedArgumentException.printSuggestions(failure, err)) {
      nearest(failure).ifPresent(option -> err.println("Did you mean: " + option + "?"));
    }
    err.println("'" + command.getCommandSpec().qualifiedName() + " --help' says more.");
    err.flush();
    return CommandLine.ExitCode.USAGE;
  }

  /** Returns the option of the command that is most similar to an unknown one. */
  private static Optional<String> nearest(ParameterException failure) {
    if (!(failure instanceof UnmatchedArgumentException unmatched)) {
      return Optional.empty();
    }
    LevenshteinDistance distance = new LevenshteinDistance(MISSPELT);
    String unknown = unmatched.getUnmatched().get(0).replaceFirst("=.*", "");
    return failure.getCommandLine().getCommandSpec().optionsMap().keySet().stream()
        .filter(option -> distance.apply(unknown, option) >= 0)
        .min(Comparator.comparingInt(option -> distance.apply(unknown, option)));
  }

  private static String text(Throwable failure) {
    if (failure instanceof FileSystemException file) {
      return CountedInput.reason(file) + ": file=" + file.getFile();
    }
    String message = failure.getMessage();
    return message == null || message.isBlank() ? failure.getClass().getSimpleName() : message;
  }
}
