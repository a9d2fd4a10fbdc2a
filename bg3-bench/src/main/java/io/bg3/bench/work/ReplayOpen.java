package io.bg3.bench.work;

import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.data.QuerySequence;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.MetricFile;
import io.bg3.bench.store.BenchStore;
import io.bg3.bench.store.StoreReader;
import java.io.IOException;
import java.util.List;

/** The second half of {@code open} after a crash: opens the store of a process that was killed. */
final class ReplayOpen implements Work {
  @Override
  public MetricFile.Content run(Task task) throws IOException {
    PowerLawGraph graph = task.graph();
    QuerySequence.Edges edges = ReplayFill.edges(task, graph);
    int count = edges.owners().length;
    long begin = System.nanoTime();
    try (BenchStore store = task.openUnsynced(graph);
        StoreReader reader = store.reader(Task.LABEL)) {
      double rate = count / ((System.nanoTime() - begin) / 1e9);
      for (int i = 0; i < count; i++) {
        reader.value(edges.owners()[i], edges.others()[i]); // throws if the edge is not there
      }
      String setting = count + " entries in the log, process killed, fresh virtual machine";
      Metric figure =
          Metric.single("open-replay", task.contender().text(), setting, "entries/s", true, rate);
      return new MetricFile.Content(store.settings(), List.of(figure));
    }
  }
}
