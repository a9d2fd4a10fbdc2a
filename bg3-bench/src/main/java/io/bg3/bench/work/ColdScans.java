package io.bg3.bench.work;

import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.data.QuerySequence;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.MetricFile;
import io.bg3.bench.store.BenchStore;
import io.bg3.bench.store.StoreReader;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * {@code scan-cold}: the sum of the other ends of a vertex' edges, from a store that is larger than
 * its memory. All vertices are asked for once before anything is measured, which fills the memory
 * and gives the answer that all systems must agree on.
 */
final class ColdScans implements Work {
  @Override
  public MetricFile.Content run(Task task) throws IOException {
    PowerLawGraph graph = task.graph();
    try (BenchStore store = task.openUnsynced(graph)) {
      return new MetricFile.Content(store.settings(), figures(task, graph, store));
    }
  }

  private static List<Metric> figures(Task task, PowerLawGraph graph, BenchStore store) {
    QuerySequence questions = new QuerySequence(graph, task.seed());
    long[] owners = owners(task, questions);
    try (StoreReader reader = store.reader(Task.LABEL)) {
      AnswerChecksum answer = new AnswerChecksum();
      for (long owner : owners) {
        reader.renew();
        answer.add(reader.sum(owner));
      }
      LatencyRounds rounds = new LatencyRounds(task);
      rounds.measure(i -> scan(reader, owners, i));
      return rounds.figures("scan-cold", setting(questions, owners), answer.toString());
    }
  }

  /** The vertices that are asked for: {@value Scans#MEAN} edges on average, none left out. */
  static long[] owners(Task task, QuerySequence questions) {
    return questions.mixedOwners(task.questions(), Scans.MEAN);
  }

  static String setting(QuerySequence questions, long[] owners) {
    double mean = (double) questions.edgesOf(owners) / owners.length;
    return String.format(
        Locale.ROOT, "%.1f edges a scan, all vertices, a transaction for each operation", mean);
  }

  private static void scan(StoreReader reader, long[] owners, long operation) {
    reader.renew();
    reader.sum(owners[(int) (operation % owners.length)]);
  }
}
