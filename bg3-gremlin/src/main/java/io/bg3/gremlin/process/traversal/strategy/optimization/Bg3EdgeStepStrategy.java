package io.bg3.gremlin.process.traversal.strategy.optimization;

import io.bg3.gremlin.process.traversal.step.map.Bg3EdgeStep;
import io.bg3.gremlin.process.traversal.step.util.EdgeSelection;
import io.bg3.gremlin.process.traversal.step.util.SoughtValues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.lambda.TokenTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.lambda.ValueTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.HasStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.RangeGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.TailGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.CountGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.NoOpBarrierStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.OrderGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.IdentityStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.AbstractTraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.traverser.TraverserRequirement;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.javatuples.Pair;

/**
 * Replaces {@code outE(label)} by {@link Bg3EdgeStep} where the steps behind it use a part of the
 * edges, and {@code inE}, {@code bothE}, and {@code outE} with other numbers of labels where an
 * index of edges may find that part:
 *
 * <pre>
 *   outE("likes").order().by("time", desc).limit(10)   Bg3EdgeStep(OUT,[likes],edge,first 10 by time desc)
 *   outE("likes").has("time", gt(5))                   Bg3EdgeStep(OUT,[likes],edge,time.gt(5))
 *   inE("likes").has("stars", 5)                       Bg3EdgeStep(IN,[likes],edge,stars.eq(5),index=edge:likes.stars)
 *   outE("likes").has("time", gt(5)).count()           Bg3EdgeStep(OUT,[likes],edge,time.gt(5),count)
 * </pre>
 *
 * <p>Where a traversal may set properties of edges that the step has yet to give ({@link
 * GraphChanges}), all edges are given: what will meet the conditions is not known when it begins.
 *
 * <p>What follows stays where it is: it also counts over all vertices, over all rounds of a loop,
 * and with bulks. Only conditions in front of {@code count()} go, which the step then tests. A
 * traversal whose sack has a function for splitting stays as it is, because that function is called
 * for each edge.
 */
public final class Bg3EdgeStepStrategy
    extends AbstractTraversalStrategy<TraversalStrategy.ProviderOptimizationStrategy>
    implements TraversalStrategy.ProviderOptimizationStrategy {
  private static final long serialVersionUID = 1L;
  private static final Bg3EdgeStepStrategy INSTANCE = new Bg3EdgeStepStrategy();

  /** With more, the edges that may be among the first take much memory. */
  private static final long MOST = 10_000;

  private Bg3EdgeStepStrategy() {}

  /** The only instance. */
  public static Bg3EdgeStepStrategy instance() {
    return INSTANCE;
  }

  @Override
  @SuppressWarnings({"rawtypes", "unchecked"}) // steps are found by their raw class
  public void apply(Traversal.Admin<?, ?> traversal) {
    if (TraversalHelper.onGraphComputer(traversal)
        || TraversalHelper.getRootTraversal(traversal).getSideEffects().getSackSplitter() != null) {
      return;
    }
    for (VertexStep original : TraversalHelper.getStepsOfClass(VertexStep.class, traversal)) {
      if (original.returnsEdge()
          && !Arrays.asList(original.getEdgeLabels()).contains(null)
          && original.getParameters().isEmpty()) {
        boolean mayBeOrdered =
            original.getDirection() == Direction.OUT && original.getEdgeLabels().length == 1;
        EdgeSelection wanted = mayBeOrdered ? wanted(original) : indexed(original);
        if (wanted != null && !GraphChanges.set(original)) {
          boolean counts = wanted.key() == null && isCounted(original);
          TraversalHelper.replaceStep(
              (Step) original,
              new Bg3EdgeStep((VertexStep<Edge>) original, wanted, counts),
              (Traversal.Admin) traversal);
        }
      }
    }
  }

  /**
   * Whether the edges that meet the conditions behind a step are only counted; then takes the
   * conditions out of the traversal.
   */
  private static boolean isCounted(VertexStep<?> edges) {
    Traversal.Admin<?, ?> traversal = edges.getTraversal();
    Step<?, ?> last = addConditions(edges, new ArrayList<>());
    if (!(last instanceof CountGlobalStep)
        || TraversalHelper.getRootTraversal(traversal)
            .getTraverserRequirements()
            .contains(TraverserRequirement.ONE_BULK)) {
      return false;
    }
    while (edges.getNextStep() != last) {
      traversal.removeStep(edges.getNextStep());
    }
    return true;
  }

  /** The edges that matter to the steps behind; null if all do. */
  private static EdgeSelection wanted(Step<?, ?> edges) {
    List<HasContainer> conditions = new ArrayList<>();
    Step<?, ?> step = addConditions(edges, conditions);
    if (step instanceof OrderGlobalStep<?, ?> order) {
      EdgeSelection first = first(conditions, order);
      if (first != null) {
        return first;
      }
    }
    boolean narrows = conditions.stream().anyMatch(each -> each.getKey() != null);
    return narrows ? new EdgeSelection(List.copyOf(conditions), null, false, false, 0) : null;
  }

  /** The edges that matter to the steps behind if an index may find them; else null. */
  private static EdgeSelection indexed(Step<?, ?> edges) {
    List<HasContainer> conditions = new ArrayList<>();
    addConditions(edges, conditions);
    return SoughtValues.conditions(conditions).isEmpty()
        ? null
        : new EdgeSelection(List.copyOf(conditions), null, false, false, 0);
  }

  /** Adds the conditions that follow; the step behind them. */
  private static Step<?, ?> addConditions(Step<?, ?> edges, List<HasContainer> conditions) {
    Step<?, ?> step = after(edges);
    while (step instanceof HasStep<?> has) {
      conditions.addAll(has.getHasContainers());
      step = after(step);
    }
    return step;
  }

  private static EdgeSelection first(List<HasContainer> conditions, OrderGlobalStep<?, ?> order) {
    List<? extends Pair<? extends Traversal.Admin<?, ?>, ? extends Comparator<?>>> comparators =
        order.getComparators();
    if (comparators.isEmpty() || !comparators.stream().allMatch(Bg3EdgeStepStrategy::isPlain)) {
      return null;
    }
    if (!(comparators.get(0).getValue0() instanceof ValueTraversal<?, ?> property)) {
      return null;
    }
    boolean descending = comparators.get(0).getValue1() == Order.desc;
    boolean alone = comparators.size() == 1;
    Step<?, ?> last = after(order);
    List<HasContainer> tested = new ArrayList<>(conditions);
    comparators.stream().skip(1).forEach(each -> requireProperty(each.getValue0(), tested));
    if (last instanceof RangeGlobalStep<?> range) {
      long most = range.getHighRange();
      return most > 0 && most <= MOST
          ? new EdgeSelection(
              List.copyOf(tested), property.getPropertyKey(), descending, alone, (int) most)
          : null;
    }
    if (last instanceof TailGlobalStep<?> tail) {
      long most = tail.getLimit();
      return most > 0 && most <= MOST
          ? new EdgeSelection(
              List.copyOf(tested), property.getPropertyKey(), !descending, false, (int) most)
          : null;
    }
    return null;
  }

  /** Adds the condition that {@code order()} makes of a key: it drops what lacks the property. */
  private static void requireProperty(Traversal.Admin<?, ?> by, List<HasContainer> conditions) {
    if (by instanceof ValueTraversal<?, ?> property) {
      conditions.add(new HasContainer(property.getPropertyKey(), P.neq(null)));
    }
  }

  /** Whether a value is compared that an element has, and nothing else happens. */
  private static boolean isPlain(
      Pair<? extends Traversal.Admin<?, ?>, ? extends Comparator<?>> comparator) {
    Traversal.Admin<?, ?> by = comparator.getValue0();
    boolean compares = comparator.getValue1() == Order.asc || comparator.getValue1() == Order.desc;
    return compares
        && (by instanceof TokenTraversal
            || (by instanceof ValueTraversal<?, ?> value && value.getBypassTraversal() == null));
  }

  private static Step<?, ?> after(Step<?, ?> step) {
    Step<?, ?> next = step.getNextStep();
    while (next instanceof NoOpBarrierStep || next instanceof IdentityStep) {
      next = next.getNextStep();
    }
    return next;
  }

  @Override
  public Set<Class<? extends ProviderOptimizationStrategy>> applyPost() {
    return Set.of(Bg3VertexStepStrategy.class);
  }
}
