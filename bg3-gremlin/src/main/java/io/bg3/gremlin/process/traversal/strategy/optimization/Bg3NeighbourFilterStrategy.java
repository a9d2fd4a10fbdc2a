package io.bg3.gremlin.process.traversal.strategy.optimization;

import io.bg3.gremlin.process.traversal.step.filter.Bg3NeighbourFilterStep;
import io.bg3.gremlin.process.traversal.step.util.SoughtIds;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Compare;
import org.apache.tinkerpop.gremlin.process.traversal.Contains;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.HasStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.TraversalFilterStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.AbstractTraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;
import org.apache.tinkerpop.gremlin.structure.T;

/**
 * Replaces {@code where(out(labels).has(...))}, also with {@code hasId} and {@code hasLabel}, with
 * {@code in} and {@code both} and as {@code filter}, by {@link Bg3NeighbourFilterStep}, which looks
 * up the neighbours of many vertices in one call and tests each neighbour once, or looks for the
 * edges to a few ids alone. Without labels of edges, and with predicates that are not TinkerPop's
 * own, the filter stays.
 */
public final class Bg3NeighbourFilterStrategy
    extends AbstractTraversalStrategy<TraversalStrategy.ProviderOptimizationStrategy>
    implements TraversalStrategy.ProviderOptimizationStrategy {
  private static final long serialVersionUID = 1L;
  private static final Bg3NeighbourFilterStrategy INSTANCE = new Bg3NeighbourFilterStrategy();

  /** Look-ups for one vertex: with more, reading its neighbours may cost less. */
  private static final int MOST_LOOK_UPS = 16;

  private Bg3NeighbourFilterStrategy() {}

  /** The only instance. */
  public static Bg3NeighbourFilterStrategy instance() {
    return INSTANCE;
  }

  @Override
  @SuppressWarnings({"rawtypes", "unchecked"}) // steps are found by their raw class
  public void apply(Traversal.Admin<?, ?> traversal) {
    if (TraversalHelper.onGraphComputer(traversal)) {
      return;
    }
    for (TraversalFilterStep original :
        TraversalHelper.getStepsOfClass(TraversalFilterStep.class, traversal)) {
      Step<?, ?> folded =
          folded(traversal, (Traversal.Admin<?, ?>) original.getLocalChildren().get(0));
      if (folded != null) {
        TraversalHelper.copyLabels(original, folded, false);
        TraversalHelper.replaceStep((Step) original, (Step) folded, (Traversal.Admin) traversal);
      }
    }
  }

  /** A step that answers what a filter by this traversal does; null if there is none. */
  private static Step<?, ?> folded(Traversal.Admin<?, ?> traversal, Traversal.Admin<?, ?> filter) {
    List<?> steps = filter.getSteps();
    if (steps.size() != 2
        || !(steps.get(0) instanceof VertexStep<?> hop)
        || hop.getClass() != VertexStep.class
        || !hop.returnsVertex()
        || hop.getEdgeLabels().length == 0
        || !hop.getParameters().isEmpty()
        || !hop.getLabels().isEmpty()
        || !(steps.get(1) instanceof HasStep<?> has)
        || !has.getLabels().isEmpty()) {
      return null;
    }
    List<HasContainer> conditions = has.getHasContainers();
    if (!conditions.stream().allMatch(SteadyPredicates::has)) {
      return null;
    }
    Collection<?> ids = conditions.size() == 1 ? ids(conditions.get(0)) : null;
    boolean few = ids != null && (long) ids.size() * hop.getEdgeLabels().length <= MOST_LOOK_UPS;
    return new Bg3NeighbourFilterStep(
        traversal, hop.getDirection(), hop.getEdgeLabels(), conditions, few ? ids : null);
  }

  /**
   * The ids by which every vertex is found that meets a condition; null if it is on other things.
   */
  private static Collection<?> ids(HasContainer condition) {
    P<?> predicate = condition.getPredicate();
    if (!T.id.getAccessor().equals(condition.getKey()) || predicate.getClass() != P.class) {
      return null;
    }
    Collection<?> ids = null;
    if (predicate.getBiPredicate() == Compare.eq && predicate.getValue() != null) {
      ids = List.of(predicate.getValue());
    } else if (predicate.getBiPredicate() == Contains.within
        && predicate.getValue() instanceof Collection<?> values) {
      ids = values.stream().filter(Objects::nonNull).toList();
    }
    return ids != null && ids.stream().allMatch(SoughtIds::areFound) ? ids : null;
  }

  /** Afterwards the hops inside of filters have another class. */
  @Override
  public Set<Class<? extends ProviderOptimizationStrategy>> applyPost() {
    return Set.of(Bg3VertexStepStrategy.class);
  }
}
