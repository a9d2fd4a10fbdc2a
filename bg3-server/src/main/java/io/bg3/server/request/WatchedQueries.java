package io.bg3.server.request;

import io.bg3.server.dispatch.RunningRequest;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.AbstractTraversalStrategy;

/**
 * A strategy that tells the {@link HeapWatch} when a query begins, and the request what it
 * executes. TinkerPop applies strategies in the thread that runs the query, immediately before it
 * runs. The server adds the strategy to the traversal source of its clients.
 */
public final class WatchedQueries
    extends AbstractTraversalStrategy<TraversalStrategy.FinalizationStrategy>
    implements TraversalStrategy.FinalizationStrategy {
  private static final long serialVersionUID = 1L;

  private final transient HeapWatch watch;

  /** Creates the strategy that reports to a watch. */
  public WatchedQueries(HeapWatch watch) {
    this.watch = watch;
  }

  /** Reports that the calling thread begins a query. */
  void begin() {
    watch.begin();
  }

  @Override
  public void apply(Traversal.Admin<?, ?> traversal) {
    if (traversal.isRoot()) {
      watch.begin();
      RunningRequest.current().ifPresent(running -> running.setPlan(traversal));
    }
  }
}
