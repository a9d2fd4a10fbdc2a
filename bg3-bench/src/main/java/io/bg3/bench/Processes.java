package io.bg3.bench;

import io.bg3.bench.work.Task;
import io.bg3.bench.work.WorkKind;
import io.bg3.bench.work.Worker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Starts a virtual machine for each task, all with the same flags. */
final class Processes {
  private static final long HEAP = 768L << 20;
  private static final long HEAP_AN_EDGE = 16;
  private static final long HEAP_A_SOURCE = 64;

  /** Outside of the heap, where the memory of the systems is less: BG3 needs more than that. */
  private static final long LEAST_DIRECT = 128L << 20;

  /** The files of a process in the directory of the stores: its task and its output. */
  static final List<String> FILES = List.of("task.properties", "output.txt");

  private static final int POLL_MILLIS = 20;

  /** Flags for a heap that gives back memory, for the one work that measures resident memory. */
  private static final List<String> SMALL_HEAP =
      List.of("-Xms32m", "-XX:MinHeapFreeRatio=5", "-XX:MaxHeapFreeRatio=10");

  /** Since then the virtual machine warns of what libraries do that have native parts. */
  private static final int NATIVE_ACCESS_ASKED = 24;

  private final Path root;
  private volatile Process running;
  private final List<String> flags;

  Processes(EngineSize size, Path root) {
    this.root = root;
    long heap = heap(size);
    this.flags = new ArrayList<>();
    flags.addAll(
        List.of(
            "-Xms" + (heap >> 20) + "m",
            "-Xmx" + (heap >> 20) + "m",
            "-XX:MaxDirectMemorySize=" + (Math.max(LEAST_DIRECT, 2 * size.memory()) >> 20) + "m",
            "-XX:+UseG1GC",
            "-XX:+UseTransparentHugePages",
            "-XX:+ExitOnOutOfMemoryError",
            "-Dlmdbjava.disable.checks=true",
            "-Dlogback.configurationFile=bench-logback.xml",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED"));
    if (Runtime.version().feature() >= NATIVE_ACCESS_ASKED) {
      flags.add("--enable-native-access=ALL-UNNAMED");
      flags.add("--sun-misc-unsafe-memory-access=allow"); // lmdbjava's buffers
    }
  }

  /** Bytes of heap that each process gets. */
  static long heap(EngineSize size) {
    long listed = size.keepsList() ? size.edges() : 0;
    return HEAP + listed * HEAP_AN_EDGE + size.sources() * HEAP_A_SOURCE;
  }

  /** The flags of every process. */
  List<String> flags() {
    return List.copyOf(flags);
  }

  /**
   * Does a task in a process of its own.
   *
   * @throws IOException if it fails; it has said why on the standard error
   */
  void run(Task task) throws IOException {
    Files.deleteIfExists(task.results());
    Path file = root.resolve(FILES.get(0));
    Path output = root.resolve(FILES.get(1));
    task.write(file);
    Process process = Jvm.start(flags(task), Worker.class, List.of(file.toString()), output);
    running = process;
    try {
      int code = exitCode(process, task);
      if (code != 0 || !Files.exists(task.results())) {
        throw new IOException(
            "a process failed: task=" + task + ", exit code=" + code + "\n" + Jvm.tail(output));
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted: task=" + task, e);
    }
  }

  private List<String> flags(Task task) {
    List<String> all = new ArrayList<>(flags);
    if (task.work() == WorkKind.MEMORY) {
      all.addAll(SMALL_HEAP);
    }
    return all;
  }

  /** Waits for a process; kills one that does not end by itself when its results are there. */
  private static int exitCode(Process process, Task task) throws InterruptedException {
    if (task.work().endsByItself()) {
      return process.waitFor();
    }
    while (process.isAlive()) {
      if (Files.exists(task.results())) {
        process.toHandle().destroyForcibly();
      }
      process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
    }
    return 0;
  }

  /** Ends the process that runs now, for when this one is ended. */
  void stop() {
    Process process = running;
    if (process != null) {
      process.destroyForcibly().onExit().join();
    }
  }
}
