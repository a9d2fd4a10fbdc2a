package io.bg3.gremlin.process.traversal.strategy.optimization;

import io.bg3.gremlin.process.traversal.step.map.Bg3MergeEdgeStep;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.MergeEdgeStep;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.AbstractTraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;

/** Replaces {@code mergeE()} by {@link Bg3MergeEdgeStep}, for which one edge is one look-up. */
public final class Bg3MergeEdgeStepStrategy
    extends AbstractTraversalStrategy<TraversalStrategy.ProviderOptimizationStrategy>
    implements TraversalStrategy.ProviderOptimizationStrategy {
  private static final long serialVersionUID = 1L;
  private static final Bg3MergeEdgeStepStrategy INSTANCE = new Bg3MergeEdgeStepStrategy();

  private Bg3MergeEdgeStepStrategy() {}

  /** The only instance. */
  public static Bg3MergeEdgeStepStrategy instance() {
    return INSTANCE;
  }

  @Override
  @SuppressWarnings({"rawtypes", "unchecked"}) // steps are found by their raw class
  public void apply(Traversal.Admin<?, ?> traversal) {
    if (TraversalHelper.onGraphComputer(traversal)) {
      return;
    }
    for (MergeEdgeStep original : TraversalHelper.getStepsOfClass(MergeEdgeStep.class, traversal)) {
      TraversalHelper.replaceStep(
          (Step) original, new Bg3MergeEdgeStep<>(original), (Traversal.Admin) traversal);
    }
  }
}
