package io.bg3.bench.work;

import io.bg3.bench.data.EdgeValue;
import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.MetricFile;
import io.bg3.bench.store.BenchStore;
import io.bg3.bench.store.StoreWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The load of the stores for the paper's figure 8. With {@link LoadOrder#RANDOM} it is that of
 * other runs. With {@link LoadOrder#SORTED} the edges are made while they are loaded, in the order
 * of their keys and behind everything that is stored, and nothing is kept of them in the heap.
 */
final class MixLoad implements Work {
  @Override
  public MetricFile.Content run(Task task) throws IOException {
    PowerLawGraph graph = task.graph();
    List<Metric> figures = new ArrayList<>();
    try (BenchStore store = task.openUnsynced(graph)) {
      if (task.conditions().order() == LoadOrder.RANDOM) {
        Load.load(task, graph, store, figures);
      } else {
        figures.add(loadSorted(task, graph, store));
      }
      figures.add(GraphMix.disk(task, "after the load"));
      return new MetricFile.Content(store.settings(), figures);
    }
  }

  private static Metric loadSorted(Task task, PowerLawGraph graph, BenchStore store)
      throws IOException {
    long begin = System.nanoTime();
    try (StoreWriter writer = store.writer(true)) {
      write(graph, writer);
    }
    store.settle();
    return Metric.single(
        "load",
        task.contender().text(),
        graph.edges()
            + " edges, in key order, "
            + Load.BATCH
            + " a commit, without in-entries, until all is on the disk",
        "edges/s",
        true,
        graph.edges() / ((System.nanoTime() - begin) / 1e9));
  }

  private static void write(PowerLawGraph graph, StoreWriter writer) {
    byte[] value = new byte[EdgeValue.LONGEST];
    long[] targets = new long[graph.maxDegree()];
    int pending = 0;
    for (int index = 0; index < graph.sources(); index++) {
      long owner = PowerLawGraph.id(index);
      int degree = graph.targets(index, targets);
      for (int i = 0; i < degree; i++) {
        int length = EdgeValue.fill(owner, targets[i], 0, value);
        writer.put(owner, Task.LABEL, targets[i], value, length);
        if (++pending == Load.BATCH) {
          writer.commit();
          pending = 0;
        }
      }
    }
    if (pending > 0) {
      writer.commit();
    }
  }
}
