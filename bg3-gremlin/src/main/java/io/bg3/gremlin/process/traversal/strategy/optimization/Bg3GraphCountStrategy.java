package io.bg3.gremlin.process.traversal.strategy.optimization;

import io.bg3.gremlin.process.traversal.step.map.Bg3CountGlobalStep;
import io.bg3.gremlin.process.traversal.step.map.Bg3GroupCountStep;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Compare;
import org.apache.tinkerpop.gremlin.process.traversal.Contains;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.lambda.TokenTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.HasStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.CountGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GraphStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GroupCountStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.LabelStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.NoOpBarrierStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.IdentityStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.AbstractTraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;
import org.apache.tinkerpop.gremlin.structure.T;

/**
 * Answers counts of all vertices and of all edges from the totals of the store:
 *
 * <pre>
 *   g.V().count()                     is replaced by   Bg3CountGlobalStep(vertex)
 *   g.E().hasLabel("a", "b").count()                   Bg3CountGlobalStep(edge,a,b)
 *   g.V().groupCount().by(label)                       Bg3GroupCountStep(vertex)
 *   g.V().hasLabel("a").label().groupCount()           Bg3GroupCountStep(vertex,a)
 * </pre>
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
    if (!traversal.isRoot()
        || TraversalHelper.onGraphComputer(traversal)
        || steps.isEmpty()
        || !(steps.get(0) instanceof GraphStep<?, ?> start)
        || start.getIds() == null
        || start.getIds().length > 0) {
      return;
    }
    Set<String> labels = null;
    int at = 1;
    while (at < steps.size() && isPassed(steps.get(at))) {
      if (steps.get(at) instanceof HasStep<?> has) {
        labels = labels(has, labels);
        if (labels == null) {
          return;
        }
      }
      at++;
    }
    int last = at < steps.size() && steps.get(at) instanceof LabelStep ? at + 1 : at;
    if (last == steps.size()) {
      return;
    }
    Step<?, ?> counting = steps.get(last);
    Step<?, ?> totals;
    if (counting instanceof CountGlobalStep) {
      totals = new Bg3CountGlobalStep<>(traversal, start.getReturnClass(), labels);
    } else if (counting instanceof GroupCountStep<?, ?> group && groupsLabels(group, last > at)) {
      totals = new Bg3GroupCountStep<>(traversal, start.getReturnClass(), labels);
    } else {
      return;
    }
    TraversalHelper.copyLabels(counting, totals, false);
    for (int i = 0; i <= last; i++) {
      traversal.removeStep(0);
    }
    traversal.addStep(0, (Step) totals);
  }

  /** Whether a step before the count makes no element of another one. */
  private static boolean isPassed(Step<?, ?> step) {
    return step instanceof HasStep
        || step instanceof IdentityStep
        || step instanceof NoOpBarrierStep;
  }

  /**
   * Whether the keys of a group are labels.
   *
   * @param ofLabels whether labels come in, else elements
   */
  private static boolean groupsLabels(GroupCountStep<?, ?> group, boolean ofLabels) {
    List<?> keys = group.getLocalChildren();
    if (ofLabels) {
      return keys.isEmpty();
    }
    return keys.size() == 1
        && keys.get(0) instanceof TokenTraversal<?, ?> token
        && token.getToken() == T.label;
  }

  /**
   * The labels that elements may have behind a step.
   *
   * @param before those that they may have in front of it, null for any
   * @return null if the step asks for something else than labels
   */
  private static Set<String> labels(HasStep<?> has, Set<String> before) {
    Set<String> labels = before;
    for (HasContainer container : has.getHasContainers()) {
      Set<String> wanted = labels(container);
      if (wanted == null) {
        return null;
      }
      if (labels != null) {
        wanted.retainAll(labels);
      }
      labels = wanted;
    }
    return labels;
  }

  /** The labels of which a condition wants one, null if it wants something else. */
  private static Set<String> labels(HasContainer container) {
    if (!T.label.getAccessor().equals(container.getKey())) {
      return null;
    }
    Set<String> labels = new LinkedHashSet<>();
    if (container.getBiPredicate() == Compare.eq && container.getValue() instanceof String label) {
      labels.add(label);
      return labels;
    }
    if (container.getBiPredicate() == Contains.within
        && container.getValue() instanceof Collection<?> values
        && values.stream().allMatch(value -> value instanceof String)) {
      values.forEach(label -> labels.add((String) label));
      return labels;
    }
    return null;
  }

  @Override
  public Set<Class<? extends ProviderOptimizationStrategy>> applyPost() {
    return Set.of(Bg3GraphStepStrategy.class);
  }
}
