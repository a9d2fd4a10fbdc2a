package io.bg3.bench.work;

import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.data.QuerySequence;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.MetricFile;
import io.bg3.bench.store.BenchStore;
import io.bg3.bench.store.StoreReader;
import java.io.IOException;
import java.util.List;

/**
 * {@code point-cold}: the value of an edge, edges drawn with equal chance, from a store that is
 * larger than its memory. All of them are read once before anything is measured.
 */
final class ColdPoints implements Work {
  @Override
  public MetricFile.Content run(Task task) throws IOException {
    PowerLawGraph graph = task.graph();
    try (BenchStore store = task.openUnsynced(graph)) {
      return new MetricFile.Content(store.settings(), figures(task, graph, store));
    }
  }

  private static List<Metric> figures(Task task, PowerLawGraph graph, BenchStore store) {
    QuerySequence.Edges edges = new QuerySequence(graph, task.seed()).edges(task.questions());
    long[] owners = edges.owners();
    long[] others = edges.others();
    try (StoreReader reader = store.reader(Task.LABEL)) {
      AnswerChecksum answer = new AnswerChecksum();
      for (int i = 0; i < owners.length; i++) {
        reader.renew();
        answer.add(reader.value(owners[i], others[i]));
      }
      LatencyRounds rounds = new LatencyRounds(task);
      rounds.measure(
          operation -> {
            int i = (int) (operation % owners.length);
            reader.renew();
            reader.value(owners[i], others[i]);
          });
      return rounds.figures("point-cold", "a transaction for each operation", answer.toString());
    }
  }
}
