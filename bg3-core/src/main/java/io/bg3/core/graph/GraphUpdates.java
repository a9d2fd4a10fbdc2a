package io.bg3.core.graph;

import io.bg3.core.transaction.UpdateGroup;
import java.util.function.Function;

/**
 * Updates of a graph that are waited for together, so that many share one sync; see {@link
 * UpdateGroup}. Belongs to one thread.
 */
public final class GraphUpdates {
  private final GraphStore graph;
  private final UpdateGroup group;

  GraphUpdates(GraphStore graph, UpdateGroup group) {
    this.graph = graph;
    this.group = group;
  }

  /**
   * As {@link GraphStore#update(long[], Function)}, a commit of its own; but nobody may be told of
   * what it did, returned or threw before {@link #await} has returned.
   */
  public <T> T update(long[] owners, Function<GraphTransaction, T> work) {
    return group.update(owners, transaction -> graph.run(transaction, work));
  }

  /** Waits until everything is visible, and durable, that the updates have written or read. */
  public void await() {
    group.await();
  }
}
