package io.bg3.bench.work;

import io.bg3.bench.data.EdgeValue;
import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.data.QuerySequence;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.MetricFile;
import io.bg3.bench.store.BareLog;
import io.bg3.bench.store.BenchStore;
import io.bg3.bench.store.Sync;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code commit-sync}: commits of one edge, each on the disk before it returns, on top of the
 * loaded graph, with 1 to 64 threads that wait at the same time. The bare log gets the same bytes
 * and does nothing else.
 */
final class SyncedCommits implements Work {
  private static final int[] THREADS = {1, 4, 16, 64};

  @Override
  public MetricFile.Content run(Task task) throws IOException {
    PowerLawGraph graph = task.graph();
    long[] owners =
        new QuerySequence(graph, task.seed()).owners(UnsyncedCommits.OWNERS, Integer.MAX_VALUE);
    try (BenchStore store = task.open(Sync.EVERY_COMMIT, graph)) {
      Commits commits = new Commits(store, task, owners);
      if (task.contender().isLoaded()) {
        commits.readAll();
      }
      List<Metric> figures = new ArrayList<>();
      for (int threads : THREADS) {
        String setting = "one entry, waiting=" + threads;
        figures.addAll(commits.measure("commit-sync", setting, threads, false));
      }
      check(store, commits);
      return new MetricFile.Content(store.settings(), figures);
    }
  }

  private static void check(BenchStore store, Commits commits) {
    if (store instanceof BareLog log) {
      check(log, commits.committed());
    } else {
      commits.check();
    }
  }

  private static void check(BareLog log, long commits) {
    long least = commits * (Integer.BYTES + EdgeValue.KEY + EdgeValue.SHORTEST);
    if (log.committedBytes() < least) {
      throw new IllegalStateException(
          "the log is too short: commits=" + commits + ", bytes=" + log.committedBytes());
    }
  }
}
