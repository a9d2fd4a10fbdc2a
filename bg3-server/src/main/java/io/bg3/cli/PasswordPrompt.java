package io.bg3.cli;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Prompts for a password without echo, twice for a new one. If the standard input is not a
 * terminal, its first line is the password; {@code bin/bg3} passes on whether it is. A password is
 * never an argument, because every user of the machine can see arguments.
 */
final class PasswordPrompt {
  private PasswordPrompt() {}

  /**
   * Reads a new password.
   *
   * @throws IOException if there is none, or the two inputs differ
   */
  static char[] read(String name) throws IOException {
    Console console = terminal();
    return console != null ? ask(console, name) : firstLine();
  }

  /**
   * Reads an existing password, once.
   *
   * @throws IOException if there is none
   */
  static char[] readKnown(String name) throws IOException {
    Console console = terminal();
    char[] password =
        console != null ? console.readPassword("Password of %s: ", name) : firstLine();
    if (password == null) {
      throw new IOException("no password was given: user=" + name);
    }
    return password;
  }

  /** The terminal, null if the standard input is not a terminal. */
  @SuppressWarnings(
      "SystemConsoleNull") // before Java 22, it is null if the output is not a terminal
  private static Console terminal() {
    return Boolean.getBoolean("bg3.input.terminal") ? System.console() : null;
  }

  private static char[] ask(Console console, String name) throws IOException {
    char[] first = console.readPassword("Password of %s: ", name);
    char[] second = console.readPassword("The same again: ");
    boolean same = first != null && second != null && Arrays.equals(first, second);
    if (second != null) {
      Arrays.fill(second, '\0');
    }
    if (!same) {
      throw new IOException("the passwords differ, nothing was changed");
    }
    return first;
  }

  private static char[] firstLine() throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String line = in.readLine();
    if (line == null) {
      throw new IOException("no password was given: it is the first line of the standard input");
    }
    return line.toCharArray();
  }
}
