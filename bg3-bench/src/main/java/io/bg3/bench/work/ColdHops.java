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
 * {@code hops-cold}: the walks of {@code hops}, in a store that is larger than its memory: a hop
 * asks for the neighbours of up to 100 vertices, most of which lie in other pages. A part of the
 * walks is made before anything is measured, which fills the memory and gives the answer that all
 * systems must agree on.
 */
final class ColdHops implements Work {
  /** A walk reads as many vertices as so many scans. */
  private static final int OF_SCANS = 20;

  @Override
  public MetricFile.Content run(Task task) throws IOException {
    PowerLawGraph graph = task.graph();
    try (BenchStore store = task.openUnsynced(graph)) {
      return new MetricFile.Content(store.settings(), figures(task, graph, store));
    }
  }

  private static List<Metric> figures(Task task, PowerLawGraph graph, BenchStore store) {
    int count = Math.max(1, task.questions() / OF_SCANS);
    long[] starts = new QuerySequence(graph, task.seed()).owners(count, Integer.MAX_VALUE);
    byte[] depths = Walk.depths(task.seed(), starts.length);
    try (StoreReader reader = store.reader(Task.LABEL)) {
      Walk walk = new Walk(reader);
      AnswerChecksum answer = new AnswerChecksum();
      for (int i = 0; i < starts.length; i++) {
        walk.renew();
        answer.add(walk.from(starts[i], depths[i]));
      }
      String setting = Walk.text(walk.edges() / starts.length) + "a transaction for each operation";
      LatencyRounds rounds = new LatencyRounds(task);
      rounds.measure(
          operation -> {
            int i = (int) (operation % starts.length);
            walk.renew();
            walk.from(starts[i], depths[i]);
          });
      return rounds.figures("hops-cold", setting, answer.toString());
    }
  }
}
