package io.bg3.bench.work;

import io.bg3.Setting;
import io.bg3.bench.data.PowerLawGraph;
import io.bg3.bench.report.Metric;
import io.bg3.bench.report.MetricFile;
import io.bg3.bench.store.BenchStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code figure-eleven.load}: loads the graph as {@link Load} does, until every vertex with more
 * edges than {@code bg3.forest.split-out} has a tree of its own, or no further one gets a tree. BG3
 * has noticed all of them at the checkpoint behind the load.
 */
public final class ForestLoad implements Work {
  /** The number of vertices with a tree of their own. */
  public static final String TREES = "figure-eleven.trees";

  /** The number of vertices that should have a tree of their own and have none. */
  public static final String MISSING = "figure-eleven.trees-missing";

  private static final long LOOK_NANOS = 25_000_000;

  /** Looks without a new tree after which none is expected: a minute. */
  private static final int PATIENCE = 2_400;

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
    return Math.max(0, wanted - store.dedicatedTrees());
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
