package io.bg3.bench.work;

import io.bg3.bench.data.EdgeList;
import io.bg3.bench.data.EdgeValue;
import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.data.SizedValue;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.MetricFile;
import io.bg3.bench.store.BenchStore;
import io.bg3.bench.store.StoreWriter;
import java.io.IOException;
import java.util.List;

/**
 * {@code values-load} and {@code values-disk}: the store that {@link ValuesReads} reads. All edges
 * are loaded in a random order, {@value Load#BATCH} a commit, until everything is on the disk. Each
 * has a value of the size that the task names.
 */
public final class ValuesLoad implements Work {
  /** The parameter with the bytes of a value. */
  public static final String SIZE = "value-bytes";

  ValuesLoad() {}

  @Override
  public MetricFile.Content run(Task task) throws IOException {
    PowerLawGraph graph = task.graph();
    EdgeList edges = EdgeList.shuffled(graph, task.seed());
    byte[] value = new byte[Math.toIntExact(task.number(SIZE))];
    try (BenchStore store = task.openUnsynced(graph)) {
      long begin = System.nanoTime();
      write(edges, value, store);
      store.settle();
      double seconds = (System.nanoTime() - begin) / 1e9;
      double live = (double) edges.count() * (EdgeValue.KEY + value.length);
      double disk = StoreFiles.bytesWithoutLog(task.directory()) / live;
      String system = task.contender().text();
      String setting = setting(value.length) + ", " + edges.count() + " edges in random order";
      return new MetricFile.Content(
          store.settings(),
          List.of(
              Metric.single(
                  "values-load", system, setting, "edges/s", true, edges.count() / seconds),
              Metric.single("values-disk", system, setting, "bytes/user byte", false, disk)));
    }
  }

  /** How the setting of each figure begins. */
  static String setting(int bytes) {
    return "values of " + bytes + " bytes";
  }

  private static void write(EdgeList edges, byte[] value, BenchStore store) {
    try (StoreWriter writer = store.writer(false)) {
      for (int i = 0; i < edges.count(); i++) {
        SizedValue.fill(edges.owner(i), edges.other(i), value);
        writer.put(edges.owner(i), Task.LABEL, edges.other(i), value, value.length);
        if ((i + 1) % Load.BATCH == 0 || i == edges.count() - 1) {
          writer.commit();
        }
      }
    }
  }
}
