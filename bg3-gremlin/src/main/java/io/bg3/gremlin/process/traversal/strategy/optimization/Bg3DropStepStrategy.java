package io.bg3.gremlin.process.traversal.strategy.optimization;

import io.bg3.gremlin.process.traversal.step.filter.Bg3DropStep;
import io.bg3.gremlin.process.traversal.step.filter.Bg3DropVerticesStep;
import io.bg3.gremlin.process.traversal.step.util.Hop;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.DropStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.HasStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.RangeGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GraphStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.NoOpBarrierStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.IdentityStep;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.AbstractTraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.EventStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;

/**
 * Replaces {@code outE()}, {@code inE()} and {@code bothE()} with a {@code drop()} directly behind
 * them by one {@link Bg3DropStep}:
 *
 * <pre>
 *   g.V(1).outE("knows").drop()   is replaced by   Bg3GraphStep(vertex,[1]), Bg3DropStep(OUT,[knows],edge)
 * </pre>
 *
 * <p>A {@code drop()} behind {@code V()}, and behind conditions on each vertex and limits, is
 * replaced by a {@link Bg3DropVerticesStep}, which takes some vertices at a time:
 *
 * <pre>
 *   g.V().hasLabel("person").limit(100).drop()
 * </pre>
 *
 * <p>A traversal with listeners to events stays as it is, and so does one whose sack has a function
 * for splitting, because that function is called for each edge.
 */
public final class Bg3DropStepStrategy
    extends AbstractTraversalStrategy<TraversalStrategy.ProviderOptimizationStrategy>
    implements TraversalStrategy.ProviderOptimizationStrategy {
  private static final long serialVersionUID = 1L;
  private static final Bg3DropStepStrategy INSTANCE = new Bg3DropStepStrategy();

  private Bg3DropStepStrategy() {}

  /** The only instance. */
  public static Bg3DropStepStrategy instance() {
    return INSTANCE;
  }

  @Override
  @SuppressWarnings({"rawtypes", "unchecked"}) // steps are found by their raw class
  public void apply(Traversal.Admin<?, ?> traversal) {
    if (TraversalHelper.onGraphComputer(traversal) || isNoticed(traversal)) {
      return;
    }
    for (DropStep drop : TraversalHelper.getStepsOfClass(DropStep.class, traversal)) {
      if (drop.getLabels().isEmpty()
          && drop.getPreviousStep() instanceof VertexStep<?> edges
          && isReplaced(edges)) {
        Hop dropped = new Hop(edges.getDirection(), edges.getEdgeLabels());
        TraversalHelper.replaceStep(drop, new Bg3DropStep(traversal, dropped), traversal);
        traversal.removeStep(edges);
      } else if (drop.getLabels().isEmpty() && takesVertices(drop)) {
        TraversalHelper.replaceStep(drop, new Bg3DropVerticesStep(traversal), traversal);
      }
    }
  }

  /**
   * Whether vertices come that {@code V()} begins with, by conditions on each of them alone: then
   * the removal of one does not change which others come.
   */
  private static boolean takesVertices(DropStep<?> drop) {
    Step<?, ?> step = drop.getPreviousStep();
    while (step instanceof HasStep
        || step instanceof RangeGlobalStep
        || step instanceof NoOpBarrierStep
        || step instanceof IdentityStep) {
      step = step.getPreviousStep();
    }
    return step instanceof GraphStep<?, ?> start
        && start.isStartStep()
        && start.returnsVertex()
        && drop.getTraversal().isRoot();
  }

  /** Whether somebody is told of each edge. */
  private static boolean isNoticed(Traversal.Admin<?, ?> traversal) {
    Traversal.Admin<?, ?> root = TraversalHelper.getRootTraversal(traversal);
    return root.getStrategies().getStrategy(EventStrategy.class).isPresent()
        || root.getSideEffects().getSackSplitter() != null;
  }

  private static boolean isReplaced(VertexStep<?> step) {
    return step.getClass() == VertexStep.class
        && step.returnsEdge()
        && step.getLabels().isEmpty()
        && step.getParameters().isEmpty();
  }
}
