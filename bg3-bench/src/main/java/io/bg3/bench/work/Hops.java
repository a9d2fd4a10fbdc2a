package io.bg3.bench.work;

import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.data.QuerySequence;
import io.bg3.bench.report.Metric;
import io.bg3.bench.store.BenchStore;
import io.bg3.bench.store.StoreReader;
import java.util.List;

/**
 * {@code hops}: from the source of a random edge, 70 % one hop, 20 % two, 10 % three, as {@link
 * Walk} goes them.
 */
final class Hops extends ReadWork {
  private static final int OF_SCANS = 10;

  /** A walk takes as long as so many scans. */
  private static final int SCANS = 64;

  @Override
  List<Metric> figures(Task task, PowerLawGraph graph, BenchStore store) {
    QuerySequence questions = new QuerySequence(graph, task.seed());
    long[] starts = questions.owners(task.questions() / OF_SCANS, Integer.MAX_VALUE);
    byte[] depths = Walk.depths(task.seed(), starts.length);
    int snapshot = task.conditions().snapshots().operations(SCANS);
    try (StoreReader reader = store.reader(Task.LABEL)) {
      Walk walk = new Walk(reader);
      AnswerChecksum answer = new AnswerChecksum();
      long sum = 0;
      for (int i = 0; i < starts.length; i++) {
        long reached = walk.from(starts[i], depths[i]);
        answer.add(reached);
        sum += reached;
      }
      long edges = walk.edges();
      Rounds rounds = new Rounds(task);
      rounds.measure(() -> pass(walk, starts, depths, snapshot), starts.length, edges, sum);
      return rounds.figures(
          "hops", setting(task, edges / starts.length), "edges/s", answer.toString());
    }
  }

  private static String setting(Task task, long edges) {
    return Walk.text(edges) + task.conditions().snapshots().text(SCANS);
  }

  private static long pass(Walk walk, long[] starts, byte[] depths, int snapshot) {
    long sum = 0;
    for (int i = 0; i < starts.length; i++) {
      if (i % snapshot == 0) {
        walk.renew();
      }
      sum += walk.from(starts[i], depths[i]);
    }
    return sum;
  }
}
