package io.bg3.server.log;

import java.util.Arrays;

/** Where a failure comes from, in one line: its class, its message, and one place in the code. */
public final class Causes {
  private static final String FRAME = "\tat ";
  private static final String JAVA = "java.";

  private Causes() {}

  /** Class, message and place of a failure. */
  static String of(Throwable failure) {
    String place =
        Arrays.stream(failure.getStackTrace())
            .map(StackTraceElement::toString)
            .filter(frame -> !frame.startsWith(JAVA))
            .findFirst()
            .orElse("");
    return failure + ", at=" + place;
  }

  /** The first place outside of Java's own classes in a stack trace; empty if there is none. */
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
