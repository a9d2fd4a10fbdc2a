package io.bg3.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** The output of a command, and its exit code. */
record CommandRun(int code, String out, String err) {
  static CommandRun of(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command = Main.commandLine();
    command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int code = command.execute(arguments);
    return new CommandRun(code, out.toString(), err.toString());
  }
}
