package io.bg3.linkbench.engine;

import io.bg3.core.graph.GraphStore;
import io.bg3.core.graph.GraphTransaction;

/**
 * Gives nodes consecutive ids, whoever asks, also after a restart.
 *
 * <p>The next id is in memory. Two variables of the graph bound it for whoever opens the store
 * next:
 *
 * <ul>
 *   <li>N1: no node has an id from {@code limit} on; it is raised, by a block, before that would
 *       change, and is exact after a clean close.
 *   <li>N2: every id below {@code floor} was given away; it is raised when a node near the limit is
 *       removed, so that ids are not given again where no node stands for them.
 * </ul>
 *
 * <p>So the next id is found, also after a crash, by looking for the highest node between the two.
 *
 * <p>Threads: any; this object's monitor guards its fields.
 */
final class NodeIds {
  private static final String LIMIT = "linkbench.nodes.limit";
  private static final String FLOOR = "linkbench.nodes.floor";
  private static final int BLOCK = 4_096;

  private final GraphStore graph;
  private long next;
  private long limit;
  private long floor;

  NodeIds(GraphStore graph) {
    this.graph = graph;
    try (GraphTransaction transaction = graph.beginReadOnly()) {
      limit = number(transaction, LIMIT);
      floor = number(transaction, FLOOR);
      next = limit;
      while (next > floor && !transaction.vertexExists(next - 1)) {
        next--;
      }
    }
  }

  /** The first of so many new ids. */
  synchronized long take(int count) {
    if (next + count > limit) {
      set(floor, next + count + BLOCK);
    }
    long first = next;
    next += count;
    return first;
  }

  /** Takes note that a node is about to be removed. */
  synchronized void removing(long id) {
    if (id >= limit - 2 * BLOCK && id >= floor && id < next) {
      set(id + 1, limit);
    }
  }

  /** Begins again at an id; there are no nodes. */
  synchronized void reset(long first) {
    set(first, first);
    next = first;
  }

  /** Makes the limit exact, because the store is about to be closed. */
  synchronized void settle() {
    if (limit != next) {
      set(floor, next);
    }
  }

  private void set(long newFloor, long newLimit) {
    graph.retry(
        transaction -> {
          transaction.setVariable(FLOOR, newFloor);
          transaction.setVariable(LIMIT, newLimit);
          return null;
        });
    floor = newFloor;
    limit = newLimit;
  }

  private static long number(GraphTransaction transaction, String name) {
    return transaction.variable(name) instanceof Long number ? number : 1;
  }
}
