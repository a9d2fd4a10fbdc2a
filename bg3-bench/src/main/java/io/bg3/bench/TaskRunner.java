package io.bg3.bench;

import io.bg3.bench.report.MetricFile;
import io.bg3.bench.store.Contender;
import io.bg3.bench.work.Task;
import io.bg3.bench.work.WorkKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Does the tasks of one run, each in a process of its own, and says how far it has come. */
final class TaskRunner {
  private static final String RESULTS = "figures.tsv";

  private final EngineSize size;
  private final Path root;
  private final PrintWriter err;
  private final Processes processes;

  /**
   * A runner without processes.
   *
   * @param root for the files of the processes
   * @param err receives the progress
   */
  TaskRunner(EngineSize size, Path root, PrintWriter err) {
    this.size = size;
    this.root = root;
    this.err = err;
    this.processes = new Processes(size, root);
  }

  /** The lines about the processes that a run prints above its figures. */
  String flags() {
    return "flags of every process: " + String.join(" ", processes.flags());
  }

  /** A task with the size of this run. */
  Task task(Contender contender, WorkKind work, Path directory) {
    return new Task(
        contender,
        work,
        directory,
        root.resolve(RESULTS),
        size.sources(),
        size.edges(),
        size.seed(),
        size.memory(),
        List.of(),
        size.conditions(),
        size.rounds(),
        size.seconds(),
        Map.of());
  }

  /** Does a task and returns what it has measured. */
  MetricFile.Content run(Task task) throws IOException {
    err.printf(Locale.ROOT, "bench: %s, %,d bytes of memory ...", task, task.memory());
    err.flush();
    long begin = System.nanoTime();
    processes.run(task);
    err.printf(Locale.ROOT, " %.1f s%n", (System.nanoTime() - begin) / 1e9);
    err.flush();
    return MetricFile.read(task.results());
  }

  /** Ends the process that runs now, for when this one is ended. */
  void stop() {
    processes.stop();
  }

  /** Removes the files of the processes, but not their stores. */
  void clear() throws IOException {
    for (String file : Processes.FILES) {
      Files.deleteIfExists(root.resolve(file));
    }
    Files.deleteIfExists(root.resolve(RESULTS));
  }
}
