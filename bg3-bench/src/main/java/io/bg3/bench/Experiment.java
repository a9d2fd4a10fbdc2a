package io.bg3.bench;

import io.bg3.bench.report.MetricFile;
import io.bg3.bench.report.Report;
import io.bg3.bench.work.Task;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** One run on stores that it makes and removes, each task in a process of its own. */
abstract class Experiment {
  private static final long DISK = 1L << 30;

  private final RunPlace place;
  private final TaskRunner tasks;
  private final Map<String, String> settings = new LinkedHashMap<>();

  Experiment(RunPlace place) {
    this.place = place;
    this.tasks = new TaskRunner(place.size(), place.root(), place.command().commandLine().getErr());
  }

  /** Measures, and prints all but the figures. */
  abstract Report run() throws IOException;

  /** Ends the processes when this process is ended meanwhile. */
  final void abandon() {
    tasks.stop();
  }

  final EngineSize size() {
    return place.size();
  }

  final Path root() {
    return place.root();
  }

  final TaskRunner tasks() {
    return tasks;
  }

  /** Does a task, and notes the settings of the system for {@link #printSettings}. */
  final MetricFile.Content run(String name, Task task) throws IOException {
    MetricFile.Content content = tasks.run(task);
    settings.put(name, content.settings()); // those of the last work
    return content;
  }

  /**
   * Refuses what does not fit on the machine, and prints what figures depend on.
   *
   * @param bytes that the stores need on the disk
   */
  final void printPlace(long bytes) throws IOException {
    Machine machine = new Machine(place.root());
    long memory = Processes.heap(place.size()) + place.size().memory();
    machine.require(memory, bytes + DISK);
    machine.lines().forEach(this::print);
    print(tasks.flags());
    print(place.size().toString());
  }

  final void print(String format, Object... values) {
    PrintWriter out = place.command().commandLine().getOut();
    out.println(values.length == 0 ? format : String.format(Locale.ROOT, format, values));
    out.flush();
  }

  private void print(String line) {
    print(line, new Object[0]);
  }

  /** Prints the settings of all systems. */
  final void printSettings() {
    settings.forEach((system, text) -> print(system + ": " + text));
    print("");
  }
}
