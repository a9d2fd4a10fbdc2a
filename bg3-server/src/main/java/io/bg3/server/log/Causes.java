package io.bg3.server.log;

import java.util.Arrays;

/**
 * Describes a failure in one line: its class, its message, and one place in the code. Threads: any.
 */
public final class Causes {
  private static final String FRAME = "\tat ";
  private static final String JAVA = "java.";

  private Causes() {}

  /** The class, message and place of a failure. */
  static String of(Throwable failure) {
    String place =
        Arrays.stream(failure.getStackTrace())
            .map(StackTraceElement::toString)
            .filter(frame -> !frame.startsWith(JAVA))
            .findFirst()
            .orElse("");
    return failure + ", at=" + place;
  }

  /**
   * The first frame of a stack trace that is outside the packages {@code java.*}; empty if there is
   * none.
   */
  public static String place(String trace) {
    return trace
        .lines()
        .filter(line -> line.startsWith(FRAME))
        .map(line -> line.substring(FRAME.length()).strip())
        .filter(frame -> !frame.startsWith(JAVA))
        .findFirst()
        .orElse("");
  }
}
