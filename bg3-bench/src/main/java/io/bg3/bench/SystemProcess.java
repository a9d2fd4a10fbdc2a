package io.bg3.bench;

import io.bg3.bench.gremlin.GremlinSystem;
import io.bg3.bench.report.MetricFile;
import io.bg3.bench.work.StoreFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A JVM of its own that measures a system and leaves its figures in a file.
 *
 * @param system that it measures
 * @param directory of the process; removed when it has ended
 * @param heap bytes
 * @param memory bytes outside of the heap that the system may use
 */
record SystemProcess(GremlinSystem system, Path directory, long heap, long memory) {
  private static final String OUTPUT = "output.txt";

  /**
   * Runs a main class to its end.
   *
   * @param results the file that it writes
   * @throws IOException if it fails; the message has the end of what it said
   */
  MetricFile.Content run(Class<?> main, List<String> arguments, Path results) throws IOException {
    Path log = directory.resolve(OUTPUT);
    Process process =
        system.isBuiltIn()
            ? Jvm.start(flags(system, heap, memory), main, arguments, log)
            : Jvm.startApart(
                flags(system, heap, memory),
                new PeerLibraries().classPath(system),
                main,
                arguments,
                log);
    Thread abandon = new Thread(process::destroyForcibly, "abandon"); // when this one is ended
    Runtime.getRuntime().addShutdownHook(abandon);
    try {
      if (process.waitFor() != 0) {
        throw new IOException("a process failed: system=" + system.text() + "\n" + Jvm.tail(log));
      }
      return MetricFile.read(results);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted: system=" + system.text(), e);
    } finally {
      process.destroyForcibly().onExit().join();
      StoreFiles.delete(directory);
      Runtime.getRuntime().removeShutdownHook(abandon);
    }
  }

  /** The flags of a JVM with a system in it. */
  static List<String> flags(GremlinSystem system, long heap, long memory) {
    List<String> flags = new ArrayList<>(system.flags());
    flags.addAll(
        List.of(
            "-Xmx" + (heap >> 20) + "m",
            "-XX:MaxDirectMemorySize=" + ((2 * memory) >> 20) + "m",
            "-XX:+UseG1GC",
            "-XX:+ExitOnOutOfMemoryError",
            "-Dlogback.configurationFile=bench-logback.xml"));
    return flags;
  }
}
