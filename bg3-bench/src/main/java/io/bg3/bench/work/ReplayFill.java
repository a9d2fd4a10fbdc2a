package io.bg3.bench.work;

import io.bg3.bench.data.EdgeValue;
import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.data.QuerySequence;
import io.bg3.bench.report.MetricFile;
import io.bg3.bench.store.BenchStore;
import io.bg3.bench.store.StoreWriter;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * The first half of {@code open} after a crash: fills the log of a new store and then waits to be
 * killed. The commits are one edge each and not synced; a moment's rest lets the logs reach the
 * operating system.
 */
final class ReplayFill implements Work {
  private static final int MOST = 1_000_000;
  private static final long REST_NANOS = 1_000_000_000;
  private static final int A_COMMIT = 100;

  /** The number of edges that are written. */
  static int count(Task task) {
    return (int) Math.min(MOST, task.edges() / A_COMMIT * A_COMMIT);
  }

  /** The edges that are written, all different. */
  static QuerySequence.Edges edges(Task task, PowerLawGraph graph) {
    int count = count(task);
    long[] owners = new QuerySequence(graph, task.seed()).owners(count, Integer.MAX_VALUE);
    long[] others = new long[count];
    for (int i = 0; i < count; i++) {
      others[i] = PowerLawGraph.id(graph.sources() + i);
    }
    return new QuerySequence.Edges(owners, others);
  }

  @Override
  public MetricFile.Content run(Task task) throws IOException {
    PowerLawGraph graph = task.graph();
    QuerySequence.Edges edges = edges(task, graph);
    BenchStore store = task.openUnsynced(graph); // never closed
    write(edges, store);
    long end = System.nanoTime() + REST_NANOS;
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(REST_NANOS);
    }
    return new MetricFile.Content(store.settings(), List.of());
  }

  private static void write(QuerySequence.Edges edges, BenchStore store) {
    byte[] value = new byte[EdgeValue.LONGEST];
    try (StoreWriter writer = store.writer(false)) {
      for (int i = 0; i < edges.owners().length; i++) {
        long owner = edges.owners()[i];
        int length = EdgeValue.fill(owner, edges.others()[i], 0, value);
        writer.put(owner, Task.LABEL, edges.others()[i], value, length);
        if ((i + 1) % A_COMMIT == 0) {
          writer.commit();
        }
      }
    }
  }
}
