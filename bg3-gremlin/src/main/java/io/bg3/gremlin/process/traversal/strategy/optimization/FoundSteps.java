package io.bg3.gremlin.process.traversal.strategy.optimization;

import io.bg3.gremlin.process.traversal.step.filter.Bg3NeighbourFilterStep;
import io.bg3.gremlin.process.traversal.step.map.Bg3EdgeStep;
import java.util.ArrayList;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.Operator;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.LambdaHolder;
import org.apache.tinkerpop.gremlin.process.traversal.step.Mutating;
import org.apache.tinkerpop.gremlin.process.traversal.step.SideEffectCapable;
import org.apache.tinkerpop.gremlin.process.traversal.step.TraversalParent;
import org.apache.tinkerpop.gremlin.process.traversal.step.branch.RepeatStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.CallStepContract;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.EdgeVertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.AggregateStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.ProfileSideEffectStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.SackValueStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.SideEffectStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.RequirementsStep;
import org.apache.tinkerpop.gremlin.process.traversal.traverser.TraverserRequirement;

/**
 * The steps of a traversal and its children that matter to {@link Bg3VertexStepStrategy}, and what
 * the traversal as a whole says of them. Every short traversal is looked at, so what the class of a
 * step says is remembered.
 */
final class FoundSteps {
  private static final int HOP = 1;
  private static final int FILTER = 1 << 1;
  private static final int LOOP = 1 << 2;
  private static final int PARENT = 1 << 3;

  /** It has an effect that depends on how many traversers reach it, and when. */
  private static final int NOTICED = 1 << 4;

  /** It may have such an effect. */
  private static final int MAYBE_NOTICED = 1 << 5;

  /** It may ask for traversers without bulk. */
  private static final int MAYBE_WITHOUT_BULK = 1 << 6;

  private static final int EDGES = 1 << 7;
  private static final int ENDS = 1 << 8;

  private static final ClassValue<Integer> KINDS =
      new ClassValue<>() {
        @Override
        protected Integer computeValue(Class<?> step) {
          return kinds(step);
        }
      };

  private final Traversal.Admin<?, ?> root;
  private final List<VertexStep<?>> hops = new ArrayList<>(4);
  private final List<Bg3NeighbourFilterStep> filters = new ArrayList<>(0);
  private final List<RepeatStep<?>> loops = new ArrayList<>(0);
  private final List<Bg3EdgeStep> edges = new ArrayList<>(0);
  private final List<EdgeVertexStep> ends = new ArrayList<>(0);
  private boolean noticed;
  private boolean maybeWithoutBulk;

  /** Looks at a traversal that has no parent. */
  FoundSteps(Traversal.Admin<?, ?> root) {
    this.root = root;
    find(root);
  }

  private static int kinds(Class<?> step) {
    int kinds = 0;
    kinds |= step == VertexStep.class ? HOP : 0;
    kinds |= is(step, Bg3NeighbourFilterStep.class) ? FILTER : 0;
    kinds |= is(step, RepeatStep.class) ? LOOP : 0;
    kinds |= is(step, Bg3EdgeStep.class) ? EDGES : 0;
    kinds |= is(step, EdgeVertexStep.class) ? ENDS : 0;
    kinds |= is(step, TraversalParent.class) ? PARENT : 0;
    kinds |= noticed(step);
    boolean isKnown =
        step.getName().startsWith("org.apache.tinkerpop.") || step.getName().startsWith("io.bg3.");
    kinds |= !isKnown || is(step, RequirementsStep.class) ? MAYBE_WITHOUT_BULK : 0;
    return kinds;
  }

  private static int noticed(Class<?> step) {
    if (is(step, ProfileSideEffectStep.class)) {
      return 0;
    }
    if (is(step, AggregateStep.class) || is(step, SackValueStep.class)) {
      return MAYBE_NOTICED;
    }
    return is(step, Mutating.class)
            || is(step, CallStepContract.class)
            || is(step, LambdaHolder.class)
            || is(step, SideEffectCapable.class)
            || is(step, SideEffectStep.class)
        ? NOTICED
        : 0;
  }

  private static boolean is(Class<?> step, Class<?> kind) {
    return kind.isAssignableFrom(step);
  }

  private void find(Traversal.Admin<?, ?> traversal) {
    @SuppressWarnings("rawtypes") // as the interface has it
    List<Step> steps = traversal.getSteps();
    for (int i = 0; i < steps.size(); i++) {
      Step<?, ?> step = steps.get(i);
      int kinds = KINDS.get(step.getClass());
      if (kinds != 0) {
        add(step, kinds);
      }
    }
  }

  private void add(Step<?, ?> step, int kinds) {
    noticed |= (kinds & NOTICED) != 0 || ((kinds & MAYBE_NOTICED) != 0 && isNoticed(step));
    maybeWithoutBulk |= (kinds & MAYBE_WITHOUT_BULK) != 0;
    if ((kinds & HOP) != 0) {
      hops.add((VertexStep<?>) step);
    } else if ((kinds & FILTER) != 0) {
      filters.add((Bg3NeighbourFilterStep) step);
    } else if ((kinds & LOOP) != 0) {
      loops.add((RepeatStep<?>) step);
    } else if ((kinds & EDGES) != 0) {
      edges.add((Bg3EdgeStep) step);
    } else if ((kinds & ENDS) != 0) {
      ends.add((EdgeVertexStep) step);
    }
    if ((kinds & PARENT) != 0) {
      TraversalParent parent = (TraversalParent) step;
      parent.getLocalChildren().forEach(this::find);
      parent.getGlobalChildren().forEach(this::find);
    }
  }

  private boolean isNoticed(Step<?, ?> step) {
    if (step instanceof SackValueStep<?, ?, ?> sack) {
      return !(sack.getSackFunction() instanceof Operator) // the others change no operand
          || sack.getSackFunction() == Operator.addAll;
    }
    return step.getTraversal() != root; // at the root, aggregate() waits for every traverser
  }

  /** The traversal without a parent. */
  Traversal.Admin<?, ?> root() {
    return root;
  }

  /** TinkerPop's hops. */
  List<VertexStep<?>> hops() {
    return hops;
  }

  /** BG3's filters by neighbours. */
  List<Bg3NeighbourFilterStep> filters() {
    return filters;
  }

  /** The loops, those around others before these. */
  List<RepeatStep<?>> loops() {
    return loops;
  }

  /** BG3's steps that give edges. */
  List<Bg3EdgeStep> edges() {
    return edges;
  }

  /** TinkerPop's steps from edges to their ends. */
  List<EdgeVertexStep> ends() {
    return ends;
  }

  /** Forgets the hops of a loop that has been replaced. */
  void removeHops(RepeatStep<?> loop) {
    hops.removeIf(hop -> hop.getTraversal() == loop.getRepeatTraversal());
  }

  /** Whether a step has an effect that depends on how many traversers reach it, and when. */
  boolean isNoticed() {
    return noticed;
  }

  /** Whether traversers stand for several: not in a source with {@code withBulk(false)}. */
  boolean hasBulk() {
    return !maybeWithoutBulk
        || !root.getTraverserRequirements().contains(TraverserRequirement.ONE_BULK);
  }

  /** Whether a function is called for sacks that are split or merged. */
  boolean isSackWatched() {
    return root.getSideEffects().getSackSplitter() != null
        || root.getSideEffects().getSackMerger() != null;
  }

  /** As {@link StepPlace#isRepeated} says. */
  boolean isRepeated(Step<?, ?> step) {
    return !loops.isEmpty() && StepPlace.isRepeated(step);
  }

  /** As {@link StepPlace#isBehindLoop} says. */
  boolean isBehindLoop(Step<?, ?> step) {
    return !loops.isEmpty() && StepPlace.isBehindLoop(step);
  }
}
