package io.bg3.gremlin.process.traversal.strategy.finalization;

import io.bg3.gremlin.process.traversal.step.util.Bg3ProfileStep;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.MatchStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.ProfileStep;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.AbstractTraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.finalization.ProfileStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;

/**
 * Puts a {@link Bg3ProfileStep} behind each step by which TinkerPop measures another, so that
 * {@code profile()} shows what each step has read. A traversal without {@code profile()} has no
 * such steps and stays as it is.
 */
public final class Bg3ProfileStrategy
    extends AbstractTraversalStrategy<TraversalStrategy.FinalizationStrategy>
    implements TraversalStrategy.FinalizationStrategy {
  private static final long serialVersionUID = 1L;
  private static final Bg3ProfileStrategy INSTANCE = new Bg3ProfileStrategy();

  private Bg3ProfileStrategy() {}

  /** The only instance. */
  public static Bg3ProfileStrategy instance() {
    return INSTANCE;
  }

  @Override
  public Set<Class<? extends FinalizationStrategy>> applyPrior() {
    return Set.of(ProfileStrategy.class);
  }

  @Override
  @SuppressWarnings({"rawtypes", "unchecked"}) // steps are found by their raw class
  public void apply(Traversal.Admin<?, ?> traversal) {
    if (TraversalHelper.onGraphComputer(traversal)) {
      return; // the metrics go to another place after each traverser
    }
    for (ProfileStep measured : TraversalHelper.getStepsOfClass(ProfileStep.class, traversal)) {
      if (!(measured.getPreviousStep() instanceof MatchStep.MatchEndStep)) { // it has to be last
        Bg3ProfileStep<?> behind = new Bg3ProfileStep<>(traversal);
        TraversalHelper.insertAfterStep((Step) behind, measured, traversal);
      }
    }
  }
}
