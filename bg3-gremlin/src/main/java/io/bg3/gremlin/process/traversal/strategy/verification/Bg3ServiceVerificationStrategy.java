package io.bg3.gremlin.process.traversal.strategy.verification;

import io.bg3.gremlin.process.traversal.step.util.StepReads;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.CallStepContract;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.AbstractTraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReadOnlyStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.VerificationException;

/**
 * Makes {@link ReadOnlyStrategy} hold for services: where a source has it, {@code call()} is
 * refused unless the service is known to change nothing. {@code ReadOnlyStrategy} alone does not
 * see what a service does, because every service is called by the step that also calls those that
 * read.
 *
 * <p>Without {@code ReadOnlyStrategy} this does nothing.
 */
public final class Bg3ServiceVerificationStrategy
    extends AbstractTraversalStrategy<TraversalStrategy.VerificationStrategy>
    implements TraversalStrategy.VerificationStrategy {
  private static final long serialVersionUID = 1L;
  private static final Bg3ServiceVerificationStrategy INSTANCE =
      new Bg3ServiceVerificationStrategy();

  private Bg3ServiceVerificationStrategy() {}

  /** The only instance. */
  public static Bg3ServiceVerificationStrategy instance() {
    return INSTANCE;
  }

  @Override
  public void apply(Traversal.Admin<?, ?> traversal) {
    if (traversal.getStrategies().getStrategy(ReadOnlyStrategy.class).isEmpty()
        || !(traversal.getGraph().orElse(null) instanceof StepReads graph)) {
      return;
    }
    for (Step<?, ?> step : traversal.getSteps().toArray(Step[]::new)) {
      if (step instanceof CallStepContract<?, ?> call && !graph.onlyReads(call.getServiceName())) {
        throw new VerificationException(
            "The provided traversal calls a service that may write and thus is not read only:"
                + " service="
                + call.getServiceName(),
            traversal);
      }
    }
  }
}
