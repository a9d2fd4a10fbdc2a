package io.bg3.gremlin.process.traversal.strategy.optimization;

import io.bg3.gremlin.process.traversal.step.map.Bg3MergeVertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.MergeVertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.AbstractTraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;

/** Replaces {@code mergeV()} by {@link Bg3MergeVertexStep}, which shows the index that it uses. */
public final class Bg3MergeVertexStepStrategy
    extends AbstractTraversalStrategy<TraversalStrategy.ProviderOptimizationStrategy>
    implements TraversalStrategy.ProviderOptimizationStrategy {
  private static final long serialVersionUID = 1L;
  private static final Bg3MergeVertexStepStrategy INSTANCE = new Bg3MergeVertexStepStrategy();

  private Bg3MergeVertexStepStrategy() {}

  /** The only instance. */
  public static Bg3MergeVertexStepStrategy instance() {
    return INSTANCE;
  }

  @Override
  @SuppressWarnings({"rawtypes", "unchecked"}) // steps are found by their raw class
  public void apply(Traversal.Admin<?, ?> traversal) {
    if (TraversalHelper.onGraphComputer(traversal)) {
      return;
    }
    for (MergeVertexStep original :
        TraversalHelper.getStepsOfClass(MergeVertexStep.class, traversal)) {
      TraversalHelper.replaceStep(
          (Step) original, new Bg3MergeVertexStep<>(original), (Traversal.Admin) traversal);
    }
  }
}
