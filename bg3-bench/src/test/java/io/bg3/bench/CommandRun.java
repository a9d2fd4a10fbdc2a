package io.bg3.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

  /** Runs a command that is refused as a mistake of its user, with a message. */
  void requireRefused(String message, String... arguments) {
    assertEquals(2, run(arguments));
    assertTrue(err.toString().contains(message), err::toString);
  }

  /**
   * Runs a command that measures, which has to succeed.
   *
   * @param json the file for its figures
   * @return the figures, each a line of JSON
   */
  List<String> measure(Path json, String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--json=" + json);
    int code = run(all.toArray(String[]::new));
    assertEquals(0, code, () -> err + "\n" + out);
    return Files.readAllLines(json);
  }

  /**
   * Runs {@code bench gremlin} on a graph of a few thousand edges.
   *
   * @param directory for the stores and the figures
   * @return the figures, each a line of JSON
   */
  List<String> gremlin(Path directory, String... options) throws IOException {
    List<String> all =
        new ArrayList<>(
            List.of(
                "bench",
                "gremlin",
                "--vertices=300",
                "--edges=2000",
                "--hubs=400,700",
                "--rounds=1",
                "--seconds=0.02",
                "--dir=" + directory.resolve("stores")));
    all.addAll(List.of(options));
    return measure(directory.resolve("run.jsonl"), all.toArray(String[]::new));
  }

  /** How many of the figures are of this work, measured with this system. */
  static long count(List<String> figures, String work, String system) {
    String start = "{\"work\": \"" + work + "\", \"system\": \"" + system + "\", ";
    return figures.stream().filter(line -> line.startsWith(start)).count();
  }
}
