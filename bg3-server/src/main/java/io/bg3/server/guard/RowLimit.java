package io.bg3.server.guard;

import java.util.NoSuchElementException;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.ProfileSideEffectStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.AbstractStep;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.AbstractTraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;

/**
 * Ends a query that has too many results. Belongs to the source that clients are given; the guard
 * lets nobody take it away.
 */
public final class RowLimit
    extends AbstractTraversalStrategy<TraversalStrategy.FinalizationStrategy>
    implements TraversalStrategy.FinalizationStrategy {
  private static final long serialVersionUID = 1L;

  private final long limit;

  /**
   * @param limit the most results of one query
   */
  public RowLimit(Limits limit) {
    this.limit = limit.rows();
  }

  @Override
  @SuppressWarnings({
    "unchecked",
    "rawtypes"
  }) // the traversal's types are those of whoever wrote it
  public void apply(Traversal.Admin<?, ?> traversal) {
    if (traversal.isRoot() && !isProfile(traversal)) {
      traversal.addStep((Step) new Count<>(traversal, limit));
    }
  }

  /** Whether the only result is a profile; nothing may come after the step that makes it. */
  static boolean isProfile(Traversal.Admin<?, ?> traversal) {
    return TraversalHelper.hasStepOfClass(ProfileSideEffectStep.class, traversal);
  }

  /** Lets results pass and counts them. */
  private static final class Count<S> extends AbstractStep<S, S> {
    private static final long serialVersionUID = 1L;

    private final long limit;
    private long rows;

    Count(Traversal.Admin<?, ?> traversal, long limit) {
      super(traversal);
      this.limit = limit;
    }

    @Override
    protected Traverser.Admin<S> processNextStart() throws NoSuchElementException {
      Traverser.Admin<S> result = starts.next();
      rows += result.bulk();
      if (rows > limit || result.bulk() > limit) {
        throw new IllegalStateException("query has too many results: limit=" + limit);
      }
      return result;
    }

    @Override
    public void reset() {
      super.reset();
      rows = 0;
    }
  }
}
