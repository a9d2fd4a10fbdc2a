package io.bg3.server.guard;

import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.AbstractTraversalStrategy;

/**
 * Tells the {@link HeapWatch} when a query begins: its strategies are applied by the thread that
 * runs it, right before it does. Belongs to the source that clients are given.
 */
public final class WatchedQueries
    extends AbstractTraversalStrategy<TraversalStrategy.FinalizationStrategy>
    implements TraversalStrategy.FinalizationStrategy {
  private static final long serialVersionUID = 1L;

  private final transient HeapWatch watch;

  /** Tells this one. */
  public WatchedQueries(HeapWatch watch) {
    this.watch = watch;
  }

  /** Says that the calling thread begins a query. */
  void begin() {
    watch.begin();
  }

  @Override
  public void apply(Traversal.Admin<?, ?> traversal) {
    if (traversal.isRoot()) {
      watch.begin();
    }
  }
}
