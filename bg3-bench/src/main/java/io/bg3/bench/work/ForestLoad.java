package io.bg3.bench.work;

import io.bg3.Setting;
import io.bg3.bench.data.EdgeValue;
import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.MetricFile;
import io.bg3.bench.store.BenchStore;
import io.bg3.bench.store.StoreWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code figure-eleven.load}: loads the graph as {@link Load} does, until every vertex with more
 * edges than {@code bg3.forest.split-out} has a tree of its own, or no further one gets a tree. BG3
 * notices such a vertex when it consolidates a leaf, so some edges are written again if the last
 * edges of vertices are in no consolidated leaf.
 */
public final class ForestLoad implements Work {
  /** The number of vertices with a tree of their own. */
  public static final String TREES = "figure-eleven.trees";

  /** The number of vertices that should have a tree of their own and have none. */
  public static final String MISSING = "figure-eleven.trees-missing";

  /** Edges of a vertex that are written again: more than a delta may have. */
  private static final int AGAIN = 11;

  private static final int VERTICES_A_COMMIT = 16;
  private static final long LOOK_NANOS = 25_000_000;

  /** Looks without a new tree after which none is expected: five seconds. */
  private static final int PATIENCE = 200;

  private static final int MOST_PASSES = 5;

  ForestLoad() {}

  @Override
  public MetricFile.Content run(Task task) throws IOException {
    PowerLawGraph graph = task.graph();
    List<Metric> loaded = new ArrayList<>();
    try (BenchStore store = task.openUnsynced(graph)) {
      Load.load(task, graph, store, loaded);
      long missing = awaitTrees(graph, store, splitOut(task));
      store.settle();
      double trees = store.dedicatedTrees();
      String system = task.contender().text();
      List<Metric> found =
          List.of(
              Metric.single(TREES, system, "with a tree of its own", "vertices", true, trees),
              Metric.single(
                  MISSING,
                  system,
                  "in a shared tree for good",
                  "vertices",
                  false,
                  (double) missing));
      return new MetricFile.Content(store.settings(), found);
    }
  }

  /** The edges above which a vertex gets a tree of its own. */
  private static long splitOut(Task task) {
    long setting = task.number(Setting.SPLIT_OUT.key());
    return setting == 0 ? Long.MAX_VALUE : setting;
  }

  /** Returns how many vertices have no tree of their own in the end, though they should. */
  private static long awaitTrees(PowerLawGraph graph, BenchStore store, long splitOut) {
    long wanted = 0;
    for (int i = 0; i < graph.sources(); i++) {
      wanted += graph.degree(i) > splitOut ? 1 : 0;
    }
    awaitMoves(store, wanted);
    for (int pass = 0; store.dedicatedTrees() < wanted && pass < MOST_PASSES; pass++) {
      writeAgain(graph, store, splitOut, wanted);
      awaitMoves(store, wanted);
    }
    return Math.max(0, wanted - store.dedicatedTrees());
  }

  /** Writes the first edges of each vertex again that is to have a tree of its own. */
  private static void writeAgain(
      PowerLawGraph graph, BenchStore store, long splitOut, long wanted) {
    long[] targets = new long[graph.maxDegree()];
    byte[] value = new byte[EdgeValue.LONGEST];
    int vertices = 0;
    try (StoreWriter writer = store.writer(false)) {
      for (int i = 0; i < graph.sources(); i++) {
        if (graph.degree(i) <= splitOut) {
          continue;
        }
        long owner = PowerLawGraph.id(i);
        int count = Math.min(AGAIN, graph.targets(i, targets));
        for (int j = 0; j < count; j++) {
          int length = EdgeValue.fill(owner, targets[j], 0, value);
          writer.put(owner, Task.LABEL, targets[j], value, length);
        }
        vertices++;
        if (vertices % VERTICES_A_COMMIT == 0 || vertices == wanted) {
          writer.commit();
        }
      }
    }
  }

  /** Waits until so many vertices have a tree of their own, or none moves any more. */
  private static void awaitMoves(BenchStore store, long wanted) {
    long before = store.dedicatedTrees();
    int looks = 0;
    while (before < wanted && looks < PATIENCE) {
      LockSupport.parkNanos(LOOK_NANOS);
      long now = store.dedicatedTrees();
      looks = now > before ? 0 : looks + 1;
      before = now;
    }
  }
}
