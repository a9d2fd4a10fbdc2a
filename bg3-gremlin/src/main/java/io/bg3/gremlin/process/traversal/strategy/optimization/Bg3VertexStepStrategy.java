package io.bg3.gremlin.process.traversal.strategy.optimization;

import io.bg3.gremlin.process.traversal.step.filter.Bg3NeighbourFilterStep;
import io.bg3.gremlin.process.traversal.step.map.Bg3VertexStep;
import io.bg3.gremlin.process.traversal.step.map.Bg3VertexStep.Results;
import java.util.stream.Stream;
import org.apache.tinkerpop.gremlin.process.traversal.Operator;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.step.LambdaHolder;
import org.apache.tinkerpop.gremlin.process.traversal.step.Mutating;
import org.apache.tinkerpop.gremlin.process.traversal.step.SideEffectCapable;
import org.apache.tinkerpop.gremlin.process.traversal.step.TraversalParent;
import org.apache.tinkerpop.gremlin.process.traversal.step.branch.RepeatStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.DedupGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.CallStepContract;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.CountGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.NoOpBarrierStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.AggregateStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.ProfileSideEffectStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.SackValueStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.SideEffectStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.EmptyStep;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.AbstractTraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.traverser.TraverserRequirement;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;

/**
 * Replaces {@code out}, {@code in} and {@code both} with few edge labels, or with none, by {@link
 * Bg3VertexStep}, which looks up the neighbours of many vertices in one call. If {@code count()}
 * follows, the step counts them, and replaces {@code outE}, {@code inE} and {@code bothE} too.
 *
 * <p>Where the steps behind read labels or properties of the neighbours, {@code explain()} shows
 * {@code read}: the step has them loaded together.
 *
 * <p>The strategy also says to {@link Bg3NeighbourFilterStep} whether it may look up many.
 *
 * <p>A step that looks up many takes traversers from the step before it earlier than {@link
 * VertexStep} does. So a traversal stays as it is if the difference could be noticed: if it changes
 * the graph, calls a service, has a lambda, or has a side effect that another step may read while
 * it grows. A hop in a loop, or behind one, stays as it is too: a loop merges equal traversers that
 * wait, and may look for its next result for ever. In all these places a step that counts takes one
 * traverser at a time, as {@link VertexStep} does.
 */
public final class Bg3VertexStepStrategy
    extends AbstractTraversalStrategy<TraversalStrategy.ProviderOptimizationStrategy>
    implements TraversalStrategy.ProviderOptimizationStrategy {
  private static final long serialVersionUID = 1L;
  private static final Bg3VertexStepStrategy INSTANCE = new Bg3VertexStepStrategy();

  /** With more labels the step would hold more neighbours than one call is worth. */
  private static final int MOST_LABELS = 4;

  private Bg3VertexStepStrategy() {}

  /** The only instance. */
  public static Bg3VertexStepStrategy instance() {
    return INSTANCE;
  }

  /**
   * Looks at the root with all its children at once: whether it replaces depends on all of them.
   */
  @Override
  @SuppressWarnings({"rawtypes", "unchecked"}) // steps are found by their raw class
  public void apply(Traversal.Admin<?, ?> traversal) {
    if (!traversal.isRoot() || TraversalHelper.onGraphComputer(traversal)) {
      return;
    }
    boolean isNoticed =
        TraversalHelper.anyStepRecursively(step -> isNoticed(step, traversal), traversal);
    for (Bg3NeighbourFilterStep filter :
        TraversalHelper.getStepsOfAssignableClassRecursively(
            Bg3NeighbourFilterStep.class, traversal)) {
      if (!isNoticed && !isRepeated(filter) && !isBehindLoop(filter)) {
        filter.takeTogether();
      }
    }
    for (VertexStep original :
        TraversalHelper.getStepsOfAssignableClassRecursively(VertexStep.class, traversal)) {
      if (original.getClass() == VertexStep.class && original.getParameters().isEmpty()) {
        Results results = results(original);
        if (results != Results.NEIGHBOURS && !hasBulk(traversal)) {
          results = Results.NEIGHBOURS;
        }
        boolean grouped =
            !isNoticed
                && hasFewLabels(original)
                && !isRepeated(original)
                && !isBehindLoop(original);
        if (results == Results.NEIGHBOURS && grouped && readsAll(original)) {
          results = Results.NEIGHBOURS_TO_READ;
        }
        if (results == Results.COUNT_DIFFERENT) {
          removeDedup(original);
        }
        if ((grouped && original.returnsVertex()) || counts(results)) {
          TraversalHelper.replaceStep(
              (Step) original,
              new Bg3VertexStep(original, results, grouped),
              original.getTraversal());
        }
      }
    }
  }

  private static boolean readsAll(VertexStep<?> hop) {
    return RecordReads.follow(hop) && RecordReads.areTaken(hop);
  }

  private static boolean counts(Results results) {
    return results == Results.COUNT || results == Results.COUNT_DIFFERENT;
  }

  private static boolean hasBulk(Traversal.Admin<?, ?> traversal) {
    return !traversal.getTraverserRequirements().contains(TraverserRequirement.ONE_BULK);
  }

  private static Results results(VertexStep<?> step) {
    if (step.getNextStep() instanceof CountGlobalStep) {
      return Results.COUNT;
    }
    Step<?, ?> dedup = afterBarriers(step);
    return step.returnsVertex()
            && dedup instanceof DedupGlobalStep<?> different
            && different.getScopeKeys().isEmpty()
            && different.getLocalChildren().isEmpty()
            && different.getLabels().isEmpty()
            && afterBarriers(dedup) instanceof CountGlobalStep
        ? Results.COUNT_DIFFERENT
        : Results.NEIGHBOURS;
  }

  private static Step<?, ?> afterBarriers(Step<?, ?> step) {
    Step<?, ?> next = step.getNextStep();
    while (next instanceof NoOpBarrierStep) {
      next = next.getNextStep();
    }
    return next;
  }

  /** Removes what stands between a hop and the count of its results. */
  private static void removeDedup(VertexStep<?> hop) {
    while (!(hop.getNextStep() instanceof CountGlobalStep)) {
      hop.getTraversal().removeStep(hop.getNextStep());
    }
  }

  private static boolean hasFewLabels(VertexStep<?> step) {
    return step.getEdgeLabels().length <= MOST_LABELS; // where none means all
  }

  /**
   * Whether a step is part of a loop. Equal traversers that wait there for their next round are
   * merged, and which of them wait decides the order of the results.
   */
  private static boolean isRepeated(Step<?, ?> step) {
    Step<?, ?> parent = step.getTraversal().getParent().asStep();
    while (!(parent instanceof EmptyStep || parent instanceof RepeatStep)) {
      parent = parent.getTraversal().getParent().asStep();
    }
    return parent instanceof RepeatStep;
  }

  /** Whether a step takes its traversers from a loop. Loops that are unrolled are none. */
  private static boolean isBehindLoop(Step<?, ?> step) {
    Step<?, ?> before = step.getPreviousStep();
    while (!(before instanceof EmptyStep) && !(before instanceof RepeatStep) && !hasLoop(before)) {
      before = before.getPreviousStep();
    }
    return !(before instanceof EmptyStep);
  }

  private static boolean hasLoop(Step<?, ?> step) {
    return step instanceof TraversalParent parent
        && Stream.concat(parent.getLocalChildren().stream(), parent.getGlobalChildren().stream())
            .anyMatch(
                child -> TraversalHelper.anyStepRecursively(RepeatStep.class::isInstance, child));
  }

  /** Whether a step has an effect that depends on how many traversers reach it, and when. */
  private static boolean isNoticed(Step<?, ?> step, Traversal.Admin<?, ?> root) {
    if (step instanceof ProfileSideEffectStep) {
      return false;
    }
    if (step instanceof AggregateStep) {
      return step.getTraversal() != root; // at the root it waits for every traverser
    }
    if (step instanceof SackValueStep<?, ?, ?> sack) {
      return !(sack.getSackFunction() instanceof Operator) // the others change no operand
          || sack.getSackFunction() == Operator.addAll;
    }
    return step instanceof Mutating
        || step instanceof CallStepContract
        || step instanceof LambdaHolder
        || step instanceof SideEffectCapable
        || step instanceof SideEffectStep;
  }
}
