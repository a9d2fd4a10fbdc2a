package io.bg3.bench.work;

import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.MetricFile;
import io.bg3.bench.store.BenchStore;
import java.io.IOException;
import java.util.List;

/**
 * A work that only reads the loaded graph: in a process of its own, which opens the store, or in
 * the process that has written it.
 */
abstract class ReadWork implements Work {
  @Override
  public final MetricFile.Content run(Task task) throws IOException {
    PowerLawGraph graph = task.graph();
    try (BenchStore store = task.openUnsynced(graph)) {
      return new MetricFile.Content(store.settings(), figures(task, graph, store));
    }
  }

  /** Reads and measures. */
  abstract List<Metric> figures(Task task, PowerLawGraph graph, BenchStore store);
}
