package io.bg3.gremlin.process.traversal.strategy.optimization;

import io.bg3.gremlin.process.traversal.step.map.Bg3CountGlobalStep;
import java.util.List;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Compare;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.HasStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.CountGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GraphStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.NoOpBarrierStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.IdentityStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.AbstractTraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;
import org.apache.tinkerpop.gremlin.structure.T;

/**
 * Answers {@code g.V().count()}, {@code g.E().count()} and both with one {@code hasLabel} from the
 * totals of the store, by one {@link Bg3CountGlobalStep}.
 */
public final class Bg3GraphCountStrategy
    extends AbstractTraversalStrategy<TraversalStrategy.ProviderOptimizationStrategy>
    implements TraversalStrategy.ProviderOptimizationStrategy {
  private static final long serialVersionUID = 1L;
  private static final Bg3GraphCountStrategy INSTANCE = new Bg3GraphCountStrategy();

  private Bg3GraphCountStrategy() {}

  /** The only instance. */
  public static Bg3GraphCountStrategy instance() {
    return INSTANCE;
  }

  @Override
  @SuppressWarnings({"rawtypes", "unchecked"}) // steps are listed raw
  public void apply(Traversal.Admin<?, ?> traversal) {
    List<Step> steps = ((Traversal.Admin) traversal).getSteps();
    int last = indexOfCount(steps);
    if (!traversal.isRoot()
        || TraversalHelper.onGraphComputer(traversal)
        || last < 1
        || !(steps.get(0) instanceof GraphStep<?, ?> start)
        || start.getIds() == null
        || start.getIds().length > 0) {
      return;
    }
    String label = null;
    for (Step<?, ?> step : steps.subList(1, last).toArray(Step[]::new)) {
      if (step instanceof HasStep<?> has && label == null) {
        label = label(has);
        if (label == null) {
          return;
        }
      } else if (!(step instanceof IdentityStep || step instanceof NoOpBarrierStep)) {
        return;
      }
    }
    Bg3CountGlobalStep<?> count =
        new Bg3CountGlobalStep<>(traversal, start.getReturnClass(), label);
    TraversalHelper.copyLabels(steps.get(last), count, false);
    for (int i = 0; i <= last; i++) {
      traversal.removeStep(0);
    }
    traversal.addStep(0, (Step) count);
  }

  /** The index of the first count, whatever follows it ({@code profile()} for one); -1: nowhere. */
  private static int indexOfCount(List<?> steps) {
    for (int i = 0; i < steps.size(); i++) {
      if (steps.get(i) instanceof CountGlobalStep) {
        return i;
      }
    }
    return -1;
  }

  /** The one label that a step asks for, null if it asks for something else. */
  private static String label(HasStep<?> has) {
    if (has.getHasContainers().size() != 1) {
      return null;
    }
    HasContainer container = has.getHasContainers().get(0);
    boolean oneLabel =
        T.label.getAccessor().equals(container.getKey())
            && container.getBiPredicate() == Compare.eq
            && container.getValue() instanceof String;
    return oneLabel ? (String) container.getValue() : null;
  }

  @Override
  public Set<Class<? extends ProviderOptimizationStrategy>> applyPost() {
    return Set.of(Bg3GraphStepStrategy.class);
  }
}
