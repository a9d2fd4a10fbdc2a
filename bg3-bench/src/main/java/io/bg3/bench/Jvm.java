package io.bg3.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts classes of the bench in Java virtual machines of their own, with this one's class path.
 */
final class Jvm {
  private static final int LINES_OF_ERROR = 30;

  private Jvm() {}

  /**
   * Starts a main class.
   *
   * @param output the file that gets the standard output and the standard error
   */
  static Process start(List<String> flags, Class<?> main, List<String> arguments, Path output)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments);
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }

  /** The last lines of an output, in which a process says why it failed. */
  static String tail(Path output) throws IOException {
    List<String> lines = Files.readAllLines(output);
    return String.join(
        "\n", lines.subList(Math.max(0, lines.size() - LINES_OF_ERROR), lines.size()));
  }
}
