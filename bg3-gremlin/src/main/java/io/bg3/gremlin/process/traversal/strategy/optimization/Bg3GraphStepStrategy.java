package io.bg3.gremlin.process.traversal.strategy.optimization;

import io.bg3.gremlin.process.traversal.step.sideEffect.Bg3GraphStep;
import java.util.ArrayList;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.step.HasContainerHolder;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.DropStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.HasStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.OrStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.RangeGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GraphStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.NoOpBarrierStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.AbstractTraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;
import org.apache.tinkerpop.gremlin.structure.Element;

/**
 * Folds the {@code has} steps behind {@code V()} and {@code E()} into one {@link Bg3GraphStep}:
 *
 * <pre>
 *   g.V().hasId(1).has("name", "marko")   is replaced by   Bg3GraphStep(vertex, [1], [name.eq(marko)])
 * </pre>
 *
 * <p>An {@code or} of such conditions behind them stays, and the step is told its alternatives. It
 * is also told if the label or a property of each vertex is read that ids name, and if the
 * traversal may change elements that the step has yet to give ({@link GraphChanges}): then it finds
 * all that meet its conditions before it gives the first one.
 */
public final class Bg3GraphStepStrategy
    extends AbstractTraversalStrategy<TraversalStrategy.ProviderOptimizationStrategy>
    implements TraversalStrategy.ProviderOptimizationStrategy {
  private static final long serialVersionUID = 1L;

  /** A look-up for each is open at once. */
  private static final int MOST_ALTERNATIVES = 16;

  private static final Bg3GraphStepStrategy INSTANCE = new Bg3GraphStepStrategy();

  private Bg3GraphStepStrategy() {}

  /** The only instance. */
  public static Bg3GraphStepStrategy instance() {
    return INSTANCE;
  }

  @Override
  @SuppressWarnings({"rawtypes", "unchecked"}) // steps are found by their raw class
  public void apply(Traversal.Admin<?, ?> traversal) {
    if (TraversalHelper.onGraphComputer(traversal)) {
      return;
    }
    for (GraphStep original : TraversalHelper.getStepsOfClass(GraphStep.class, traversal)) {
      fold((GraphStep<Object, Element>) original, traversal);
    }
  }

  @SuppressWarnings({"rawtypes", "unchecked"}) // HasContainerHolder is raw where steps are listed
  private static void fold(GraphStep<Object, Element> original, Traversal.Admin traversal) {
    Bg3GraphStep<Object, Element> folded = new Bg3GraphStep<>(original);
    StepPlace.replace(original, folded);
    Step<?, ?> current = folded.getNextStep();
    while (current instanceof HasStep || current instanceof NoOpBarrierStep) {
      Step<?, ?> next = current.getNextStep();
      if (current instanceof HasStep) {
        for (Object container : ((HasContainerHolder) current).getHasContainers()) {
          if (!folded.lookUp((HasContainer) container)) {
            folded.addHasContainer((HasContainer) container);
          }
        }
        TraversalHelper.copyLabels(current, current.getPreviousStep(), false);
        traversal.removeStep(current);
      }
      current = next;
    }
    if (readsElements(folded)) {
      folded.readElements();
    }
    if (hasToFindFirst(folded)) {
      folded.findFirst(most(folded));
    }
    if (current instanceof OrStep<?> or && !GraphChanges.reach(folded)) {
      List<List<HasContainer>> alternatives = alternatives(or);
      if (alternatives != null && alternatives.size() <= MOST_ALTERNATIVES) {
        folded.setAlternatives(alternatives);
      }
    }
  }

  /**
   * Whether an element may meet a condition when the step begins, and not when it comes to the
   * element, or the other way round. An element that is named by several ids may come after itself.
   */
  private static boolean hasToFindFirst(Bg3GraphStep<?, ?> step) {
    Object[] named = step.getIds();
    return named != null
        && named.length != 1
        && step.getHasContainers().stream().anyMatch(GraphChanges::mayChange)
        && (named.length > 1 ? GraphChanges.happen(step) : GraphChanges.reach(step));
  }

  /** The number of elements behind which no other is asked for. */
  private static long most(Bg3GraphStep<?, ?> step) {
    return step.getNextStep() instanceof RangeGlobalStep<?> range && range.getHighRange() >= 0
        ? range.getHighRange()
        : Long.MAX_VALUE;
  }

  /** Of several vertices only if nearly all of them are taken. */
  private static boolean readsElements(Bg3GraphStep<?, ?> step) {
    boolean reads =
        RecordReads.follow(step)
            || step.getNextStep() instanceof DropStep
            || step.getHasContainers().stream().anyMatch(RecordReads::isRead);
    return reads
        && step.getIds() != null
        && (step.getIds().length == 1 || RecordReads.areTaken(step));
  }

  /** The conditions of each alternative; null if one has something else than conditions. */
  private static List<List<HasContainer>> alternatives(OrStep<?> or) {
    List<List<HasContainer>> alternatives = new ArrayList<>();
    for (Traversal.Admin<?, ?> alternative : or.getLocalChildren()) {
      List<HasContainer> conditions = new ArrayList<>();
      for (Step<?, ?> step : alternative.getSteps()) {
        if (!(step instanceof HasStep<?> has)) {
          return null;
        }
        conditions.addAll(has.getHasContainers());
      }
      alternatives.add(conditions);
    }
    return alternatives;
  }
}
