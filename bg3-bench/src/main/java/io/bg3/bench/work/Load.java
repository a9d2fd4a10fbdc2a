package io.bg3.bench.work;

import io.bg3.bench.data.EdgeValue;
import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.report.Figure;
import io.bg3.bench.report.FigureFile;
import io.bg3.bench.store.BenchStore;
import io.bg3.bench.store.StoreWriter;
import io.bg3.bench.store.Sync;
import java.io.IOException;
import java.util.List;

/**
 * The bulk load that the other works start from: all edges in the order of their keys, {@value
 * #BATCH} a commit, commits not synced, everything on the disk at the end. Then the system tidies
 * up as its guide recommends, which is not counted.
 */
final class Load implements Work {
  static final int BATCH = 1_000;

  @Override
  public FigureFile.Content run(Task task) throws IOException {
    PowerLawGraph graph = task.graph();
    String system = task.contender().text();
    String setting =
        "bulk: " + task.edges() + " edges in key order, " + BATCH + " a commit, log included";
    long begin = System.nanoTime();
    long before = ProcessIo.now().written();
    long user;
    double seconds;
    long written;
    String settings;
    try (BenchStore store = task.open(Sync.NONE, graph)) {
      user = write(graph, store);
      store.settle();
      seconds = (System.nanoTime() - begin) / 1e9;
      written = ProcessIo.now().written() - before;
      store.tidy();
      settings = store.settings();
    }
    double live = user;
    List<Figure> figures =
        List.of(
            new Figure(
                "load", system, setting, "edges/s", true, "", List.of(task.edges() / seconds)),
            new Figure(
                "written", system, setting, "bytes/user byte", false, "", List.of(written / live)),
            new Figure(
                "disk",
                system,
                "after bulk, at rest, without the log",
                "bytes/live byte",
                false,
                "",
                List.of(StoreFiles.bytesWithoutLog(task.directory()) / live)));
    return new FigureFile.Content(settings, figures);
  }

  /** Writes all edges and returns how many bytes their keys and values have. */
  static long write(PowerLawGraph graph, BenchStore store) {
    long[] targets = new long[graph.maxDegree()];
    byte[] value = new byte[EdgeValue.LONGEST];
    long bytes = 0;
    int pending = 0;
    try (StoreWriter writer = store.writer(true)) {
      for (int index = 0; index < graph.sources(); index++) {
        long owner = PowerLawGraph.id(index);
        int degree = graph.targets(index, targets);
        for (int i = 0; i < degree; i++) {
          int length = EdgeValue.fill(owner, targets[i], 0, value);
          writer.put(owner, Task.LABEL, targets[i], value, length);
          bytes += EdgeValue.KEY + length;
          if (++pending == BATCH) {
            writer.commit();
            pending = 0;
          }
        }
      }
      if (pending > 0) {
        writer.commit();
      }
    }
    return bytes;
  }
}
