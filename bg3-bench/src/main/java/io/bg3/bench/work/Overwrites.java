package io.bg3.bench.work;

import io.bg3.bench.data.EdgeValue;
import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.data.Questions;
import io.bg3.bench.report.Figure;
import io.bg3.bench.report.FigureFile;
import io.bg3.bench.store.BenchStore;
import io.bg3.bench.store.StoreReader;
import io.bg3.bench.store.StoreWriter;
import io.bg3.bench.store.Sync;
import java.io.IOException;
import java.util.List;

/**
 * {@code written} and {@code disk}: random edges of the loaded graph get new values, not synced,
 * until everything is on the disk; then how many bytes the device got for each byte of the user,
 * and how many the store takes for each byte that lives.
 */
final class Overwrites implements Work {
  private static final int MOST = 2_000_000;
  private static final long SEED = 31;
  private static final int CHECKED = 100_000;

  @Override
  public FigureFile.Content run(Task task) throws IOException {
    PowerLawGraph graph = task.graph();
    int count = (int) Math.min(MOST, task.edges());
    Questions.Edges edges = new Questions(graph, task.seed() ^ SEED).edges(count);
    String system = task.contender().text();
    String setting = "overwrites: " + count + " random, " + Load.BATCH + " a commit, log included";
    double live = liveBytes(graph);
    String settings;
    double rate;
    double written;
    try (BenchStore store = task.open(Sync.NONE, graph)) {
      long begin = System.nanoTime();
      long before = ProcessIo.now().written();
      double user = write(edges, store);
      rate = count / ((System.nanoTime() - begin) / 1e9);
      store.settle();
      written = (ProcessIo.now().written() - before) / user;
      check(edges, store);
      settings = store.settings();
    }
    long disk = StoreFiles.bytesWithoutLog(task.directory());
    String rest = "after " + count + " overwrites, at rest, without the log";
    List<Figure> figures =
        List.of(
            new Figure("overwrite", system, setting, "edges/s", true, "", List.of(rate)),
            new Figure("written", system, setting, "bytes/user byte", false, "", List.of(written)),
            new Figure("disk", system, rest, "bytes/live byte", false, "", List.of(disk / live)));
    return new FigureFile.Content(settings, figures);
  }

  private static long write(Questions.Edges edges, BenchStore store) {
    byte[] value = new byte[EdgeValue.LONGEST];
    long bytes = 0;
    int count = edges.owners().length;
    try (StoreWriter writer = store.writer(false)) {
      for (int i = 0; i < count; i++) {
        long owner = edges.owners()[i];
        long other = edges.others()[i];
        int length = EdgeValue.fill(owner, other, 1, value);
        writer.put(owner, Task.LABEL, other, value, length);
        bytes += EdgeValue.KEY + length;
        if ((i + 1) % Load.BATCH == 0 || i == count - 1) {
          writer.commit();
        }
      }
    }
    return bytes;
  }

  private static void check(Questions.Edges edges, BenchStore store) {
    byte[] value = new byte[EdgeValue.LONGEST];
    try (StoreReader reader = store.reader(Task.LABEL)) {
      for (int i = 0; i < Math.min(CHECKED, edges.owners().length); i++) {
        long owner = edges.owners()[i];
        long other = edges.others()[i];
        int length = EdgeValue.fill(owner, other, 1, value);
        if (reader.value(owner, other) != EdgeValue.checksum(value, length)) {
          throw new IllegalStateException(
              "the store has another value than was written last: owner="
                  + owner
                  + ", other="
                  + other);
        }
      }
    }
  }

  /** Bytes of all keys and values; that some values are new changes it by little. */
  private static long liveBytes(PowerLawGraph graph) {
    long[] targets = new long[graph.maxDegree()];
    byte[] value = new byte[EdgeValue.LONGEST];
    long bytes = 0;
    for (int index = 0; index < graph.sources(); index++) {
      int degree = graph.targets(index, targets);
      for (int i = 0; i < degree; i++) {
        int length = EdgeValue.fill(PowerLawGraph.id(index), targets[i], 0, value);
        bytes += EdgeValue.KEY + length;
      }
    }
    return bytes;
  }
}
