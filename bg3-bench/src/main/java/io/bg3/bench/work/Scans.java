package io.bg3.bench.work;

import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.data.Questions;
import io.bg3.bench.report.Figure;
import io.bg3.bench.report.FigureFile;
import io.bg3.bench.store.BatchReader;
import io.bg3.bench.store.BenchStore;
import io.bg3.bench.store.StoreReader;
import io.bg3.bench.store.Sync;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * {@code scan}: the sum of the other ends of a vertex' edges, one vertex after the other. The
 * vertices are the sources of random edges, those with so many edges left out that the rest have
 * {@value #MEAN} on average.
 */
class Scans implements Work {
  private static final int MEAN = 64;
  private static final int SNAPSHOT = 1_024;
  private static final int BATCH = 256;

  @Override
  public FigureFile.Content run(Task task) throws IOException {
    PowerLawGraph graph = task.graph();
    Questions questions = new Questions(graph, task.seed());
    int maxDegree = questions.maxDegreeFor(MEAN);
    long[] owners = questions.owners(task.questions(), maxDegree);
    long edges = questions.edgesOf(owners);
    try (BenchStore store = task.open(Sync.NONE, graph);
        StoreReader reader = store.reader(Task.LABEL)) {
      long[] others = new long[graph.maxDegree()];
      Answer answer = new Answer();
      long sum = 0;
      for (long owner : owners) {
        int count = reader.first(owner, others.length, others);
        answer.add(others, count);
        for (int i = 0; i < count; i++) {
          sum += others[i];
        }
      }
      Rounds rounds = new Rounds(task);
      rounds.measure(pass(reader, owners), owners.length, edges, sum);
      String setting =
          String.format(
              Locale.ROOT,
              "%.1f edges a scan, at most %d, %s",
              (double) edges / owners.length,
              maxDegree,
              how());
      List<Figure> figures = rounds.figures(name(), setting, "edges/s", answer.toString());
      return new FigureFile.Content(store.settings(), figures);
    }
  }

  String name() {
    return "scan";
  }

  String how() {
    return "a new snapshot every " + SNAPSHOT;
  }

  LongSupplier pass(StoreReader reader, long[] owners) {
    return () -> {
      long sum = 0;
      for (int i = 0; i < owners.length; i++) {
        if (i % SNAPSHOT == 0) {
          reader.renew();
        }
        sum += reader.sum(owners[i]);
      }
      return sum;
    };
  }

  static LongSupplier batches(BatchReader reader, long[] owners) {
    return () -> {
      long sum = 0;
      for (int i = 0; i < owners.length; i += BATCH) {
        if (i % SNAPSHOT == 0) {
          reader.renew();
        }
        sum += reader.sum(owners, i, Math.min(owners.length, i + BATCH));
      }
      return sum;
    };
  }

  static String batchSetting() {
    return BATCH + " vertices a call";
  }
}
