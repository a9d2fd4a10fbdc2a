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
 * {@code commit-none} and {@code figure-eleven}: commits of one edge, not synced, on top of the
 * loaded graph: one entry, by several numbers of threads; and, if asked for, two entries in one
 * commit, as an edge has that is found from either end.
 */
final class UnsyncedCommits implements Work {
  /** As many sources as are used before they come again. */
  static final int OWNERS = 1 << 20;

  private final String name;
  private final boolean both;
  private final int[] threadNumbers;

  /**
   * Makes the work.
   *
   * @param both whether commits of two entries are measured too
   */
  UnsyncedCommits(String name, boolean both, int... threadNumbers) {
    this.name = name;
    this.both = both;
    this.threadNumbers = threadNumbers;
  }

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
      for (int threads : threadNumbers) {
        String setting = "one entry" + how + ", threads=" + threads;
        figures.addAll(commits.measure(name, setting, threads, false));
      }
      if (both) {
        figures.addAll(commits.measure(name, "two entries" + how + ", threads=1", 1, true));
      }
      commits.check();
      return new MetricFile.Content(store.settings(), figures);
    }
  }
}
