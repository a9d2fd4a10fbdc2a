package io.bg3.bench.work;

import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.data.QuerySequence;
import io.bg3.bench.data.SeededHash;
import io.bg3.bench.report.Metric;
import io.bg3.bench.store.BenchStore;
import io.bg3.bench.store.StoreReader;
import java.util.List;

/**
 * {@code hops}: from the source of a random edge, 70 % one hop, 20 % two, 10 % three. A vertex
 * gives its first {@value #MOST} edges, and a hop goes on from the first {@value #MOST} vertices
 * that the one before reached.
 */
final class Hops extends ReadWork {
  private static final int MOST = 100;
  private static final int OF_SCANS = 10;

  /** A walk takes as long as so many scans. */
  private static final int SCANS = 64;

  private static final long DEPTHS = 21;

  @Override
  List<Metric> figures(Task task, PowerLawGraph graph, BenchStore store) {
    QuerySequence questions = new QuerySequence(graph, task.seed());
    long[] starts = questions.owners(task.questions() / OF_SCANS, Integer.MAX_VALUE);
    byte[] depths = depths(task.seed(), starts.length);
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
      long edges = walk.edges;
      Rounds rounds = new Rounds(task);
      rounds.measure(() -> pass(walk, starts, depths, snapshot), starts.length, edges, sum);
      return rounds.figures(
          "hops", setting(task, edges / starts.length), "edges/s", answer.toString());
    }
  }

  private static byte[] depths(long seed, int count) {
    byte[] depths = new byte[count];
    for (int i = 0; i < count; i++) {
      long percent = SeededHash.below(SeededHash.of(seed ^ DEPTHS, i), 100);
      depths[i] = (byte) (percent < 70 ? 1 : percent < 90 ? 2 : 3);
    }
    return depths;
  }

  private static String setting(Task task, long edges) {
    return "70 % 1, 20 % 2, 10 % 3 hops, at most "
        + MOST
        + " a hop, "
        + edges
        + " edges a walk, "
        + task.conditions().snapshots().text(SCANS);
  }

  private static long pass(Walk walk, long[] starts, byte[] depths, int snapshot) {
    long sum = 0;
    for (int i = 0; i < starts.length; i++) {
      if (i % snapshot == 0) {
        walk.reader.renew();
      }
      sum += walk.from(starts[i], depths[i]);
    }
    return sum;
  }

  /** Walks that use the same arrays again and again. */
  private static final class Walk {
    private final StoreReader reader;
    private final long[] others = new long[MOST * MOST];
    private final int[] ends = new int[MOST];
    private long[] frontier = new long[MOST];
    private long[] next = new long[MOST];
    private long edges;

    Walk(StoreReader reader) {
      this.reader = reader;
    }

    /** A number that depends on all edges of the walk and on their order. */
    long from(long start, int depth) {
      long sum = 0;
      int size = 1;
      frontier[0] = start;
      for (int hop = 0; hop < depth; hop++) {
        reader.first(frontier, size, MOST, others, ends);
        int reached = 0;
        for (int i = 0; i < size; i++) {
          int begin = i == 0 ? 0 : ends[i - 1];
          int count = ends[i] - begin;
          edges += count;
          for (int j = 0; j < count; j++) {
            sum += others[begin + j] * (j + 1L);
          }
          int kept = Math.min(count, MOST - reached);
          System.arraycopy(others, begin, next, reached, kept);
          reached += kept;
        }
        long[] done = frontier;
        frontier = next;
        next = done;
        size = reached;
      }
      return sum;
    }
  }
}
