package io.bg3.bench.work;

import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.data.QuerySequence;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.MetricFile;
import io.bg3.bench.store.BenchStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code commit-none}: commits of one edge, not synced, on top of the loaded graph: one entry, from
 * one thread and from two; and two entries in one commit, as an edge has that is found from either
 * end.
 */
final class UnsyncedCommits implements Work {
  private static final String NAME = "commit-none";
  private static final int[] THREADS = {1, 2};

  /** As many sources as are used before they come again. */
  static final int OWNERS = 1 << 20;

  @Override
  public MetricFile.Content run(Task task) throws IOException {
    PowerLawGraph graph = task.graph();
    long[] owners = new QuerySequence(graph, task.seed()).owners(OWNERS, Integer.MAX_VALUE);
    try (BenchStore store = task.openUnsynced(graph)) {
      Commits commits = new Commits(store, task, owners);
      commits.readAll();
      List<Metric> figures = new ArrayList<>();
      boolean waits = task.conditions().handover() == UnsyncedAcknowledgement.WAIT;
      String how = waits ? ", handed to the operating system" : ", handed over later";
      for (int threads : THREADS) {
        String setting = "one entry" + how + ", threads=" + threads;
        figures.addAll(commits.measure(NAME, setting, threads, false));
      }
      figures.addAll(commits.measure(NAME, "two entries" + how + ", threads=1", 1, true));
      commits.check();
      return new MetricFile.Content(store.settings(), figures);
    }
  }
}
