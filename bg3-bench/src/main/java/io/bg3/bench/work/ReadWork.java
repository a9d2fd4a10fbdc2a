package io.bg3.bench.work;

import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.report.Figure;
import io.bg3.bench.report.FigureFile;
import io.bg3.bench.store.BenchStore;
import java.io.IOException;
import java.util.List;

/**
 * A work that only reads the loaded graph: in a process of its own, which opens the store, or in
 * the process that has written it.
 */
abstract class ReadWork implements Work {
  @Override
  public final FigureFile.Content run(Task task) throws IOException {
    PowerLawGraph graph = task.graph();
    try (BenchStore store = task.openUnsynced(graph)) {
      return new FigureFile.Content(store.settings(), figures(task, graph, store));
    }
  }

  /** Reads and measures. */
  abstract List<Figure> figures(Task task, PowerLawGraph graph, BenchStore store);
}
