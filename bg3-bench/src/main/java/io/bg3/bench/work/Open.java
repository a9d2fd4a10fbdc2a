package io.bg3.bench.work;

import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.MetricFile;
import io.bg3.bench.store.BenchStore;
import io.bg3.bench.store.StoreReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code open}: opens a store that was closed cleanly, and reads one vertex. The first round is in
 * a fresh virtual machine; the files are in the page cache.
 */
final class Open implements Work {
  private static final int VERTEX = 0;

  @Override
  public MetricFile.Content run(Task task) throws IOException {
    PowerLawGraph graph = task.graph();
    List<Double> seconds = new ArrayList<>();
    AnswerChecksum answer = new AnswerChecksum();
    String settings = "";
    long[] others = new long[graph.maxDegree()];
    for (int round = 0; round < task.rounds(); round++) {
      long begin = System.nanoTime();
      try (BenchStore store = task.openUnsynced(graph);
          StoreReader reader = store.reader(Task.LABEL)) {
        int count = reader.first(PowerLawGraph.id(VERTEX), others.length, others);
        seconds.add((System.nanoTime() - begin) / 1e9);
        if (round == 0) {
          answer.add(others, count);
        }
        settings = store.settings();
      }
    }
    return new MetricFile.Content(settings, figures(task, answer.toString(), seconds));
  }

  private static List<Metric> figures(Task task, String answer, List<Double> seconds) {
    String setting = task.edges() + " edges, closed cleanly";
    String fresh = setting + ", fresh virtual machine";
    String system = task.contender().text();
    return List.of(
        new Metric("open", system, setting, "s", false, answer, seconds),
        Metric.single("open", system, fresh, "s", false, seconds.get(0)));
  }
}
