package io.bg3.bench;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** Runs commands as {@code bin/bg3} does, in this process, and keeps their output. */
final class CommandRun {
  final StringWriter out = new StringWriter();
  final StringWriter err = new StringWriter();

  /** Runs one command and returns its exit code. */
  int run(String... arguments) {
    CommandLine command = Main.commandLine();
    command.setOut(new PrintWriter(out));
    command.setErr(new PrintWriter(err));
    return command.execute(arguments);
  }
}
