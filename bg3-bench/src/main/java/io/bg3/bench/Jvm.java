package io.bg3.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts classes of the bench in Java virtual machines of their own. */
final class Jvm {
  private static final int LINES_OF_ERROR = 30;

  private Jvm() {}

  /**
   * Starts a main class with the class path of this process.
   *
   * @param output the file that gets the standard output and the standard error
   */
  static Process start(List<String> flags, Class<?> main, List<String> arguments, Path output)
      throws IOException {
    return builder(flags, System.getProperty("java.class.path"), main, arguments, output).start();
  }

  /**
   * Starts a main class with another class path, in the directory of its output, because libraries
   * of others may write to the working directory.
   *
   * @param classPath of absolute paths; it has the class
   * @param output likewise
   */
  static Process startApart(
      List<String> flags, String classPath, Class<?> main, List<String> arguments, Path output)
      throws IOException {
    return builder(flags, classPath, main, arguments, output)
        .directory(output.toAbsolutePath().getParent().toFile())
        .start();
  }

  private static ProcessBuilder builder(
      List<String> flags, String classPath, Class<?> main, List<String> arguments, Path output) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.addAll(List.of("-cp", classPath, main.getName()));
    command.addAll(arguments);
    return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
  }

  /** The last lines of an output, in which a process says why it failed. */
  static String tail(Path output) throws IOException {
    List<String> lines = Files.readAllLines(output);
    return String.join(
        "\n", lines.subList(Math.max(0, lines.size() - LINES_OF_ERROR), lines.size()));
  }
}
