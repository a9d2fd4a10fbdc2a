package io.bg3.bench.work;

import io.bg3.bench.report.MetricFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/** The process that does one work with one system: its only argument is the file of a task. */
public final class Worker {
  private Worker() {}

  /** Does the task and leaves its figures in the file that the task names. */
  public static void main(String[] arguments) throws IOException {
    Task task = Task.read(Path.of(arguments[0]));
    MetricFile.write(task.results(), Works.of(task.work()).run(task));
    while (!task.work().endsByItself()) {
      LockSupport.park();
    }
  }
}
