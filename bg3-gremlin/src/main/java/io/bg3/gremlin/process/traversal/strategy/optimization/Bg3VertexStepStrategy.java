package io.bg3.gremlin.process.traversal.strategy.optimization;

import io.bg3.gremlin.process.traversal.step.filter.Bg3NeighbourFilterStep;
import io.bg3.gremlin.process.traversal.step.map.Bg3EdgeStep;
import io.bg3.gremlin.process.traversal.step.map.Bg3EdgeVertexStep;
import io.bg3.gremlin.process.traversal.step.map.Bg3PathCountStep;
import io.bg3.gremlin.process.traversal.step.map.Bg3VertexStep;
import io.bg3.gremlin.process.traversal.step.map.Bg3VertexStep.Results;
import io.bg3.gremlin.process.traversal.step.map.Bg3VertexStep.Taken;
import io.bg3.gremlin.process.traversal.step.util.EdgeSelection;
import io.bg3.gremlin.process.traversal.step.util.Hop;
import java.util.ArrayList;
import java.util.List;
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
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.RangeGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.CallStepContract;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.CountGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.EdgeVertexStep;
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
import org.apache.tinkerpop.gremlin.structure.Vertex;

/**
 * Replaces {@code out}, {@code in} and {@code both} with few edge labels, or with none, by {@link
 * Bg3VertexStep}, which looks up the neighbours of many vertices in one call. If {@code count()}
 * follows, or {@code limit().count()}, the step counts them, and replaces {@code outE}, {@code inE}
 * and {@code bothE} too. Several hops in front of {@code count()}, or of {@code dedup().count()},
 * become one {@link Bg3PathCountStep}, and so does a loop of hops there that is a {@link
 * CountedLoop}. In front of {@code dedup()}, the last hop of the traversal itself gives each vertex
 * once.
 *
 * <p>Where the steps behind read labels or properties of the neighbours, {@code explain()} shows
 * {@code read}: the step has them loaded together.
 *
 * <p>Where all edges of the vertices are given, {@code outE}, {@code inE} and {@code bothE} become
 * a {@link Bg3EdgeStep}, which has the edges of many vertices loaded together. Where the steps
 * behind read the vertices at the ends of edges, {@code outV}, {@code inV} and {@code bothV} become
 * a {@link Bg3EdgeVertexStep}, which has these loaded together.
 *
 * <p>The strategy also says to {@link Bg3NeighbourFilterStep} and {@link Bg3EdgeStep} whether they
 * may look up many.
 *
 * <p>A step that looks up many takes traversers from the step before it earlier than {@link
 * VertexStep} does. So a traversal stays as it is if the difference could be noticed: if it changes
 * the graph, calls a service, has a lambda, or has a side effect that another step may read while
 * it grows. A hop behind a loop stays as it is too: a loop may look for its next result for ever.
 * In all these places a step that counts takes one traverser at a time, as {@link VertexStep} does.
 *
 * <p>A hop at the beginning of a loop takes those traversers together that wait for one round of
 * it. A hop further back stays as it is: it would have the steps before it go on to the next round,
 * for which equal traversers are merged while they wait.
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

  /** The steps of a traversal and its children that matter here. */
  private static final class Found {
    final List<VertexStep<?>> hops = new ArrayList<>(4);
    final List<Bg3NeighbourFilterStep> filters = new ArrayList<>(0);
    final List<Bg3EdgeStep> edges = new ArrayList<>(0);
    final List<EdgeVertexStep> ends = new ArrayList<>(0);
    final List<RepeatStep<?>> loops = new ArrayList<>(0);
    boolean isNoticed;
  }

  /**
   * Looks at the root with all its children at once: whether it replaces depends on all of them.
   */
  @Override
  public void apply(Traversal.Admin<?, ?> traversal) {
    if (!traversal.isRoot() || TraversalHelper.onGraphComputer(traversal)) {
      return;
    }
    Found found = new Found();
    find(traversal, traversal, found);
    for (Bg3NeighbourFilterStep filter : found.filters) {
      if (!found.isNoticed && !isRepeated(filter) && !isBehindLoop(filter)) {
        filter.takeTogether();
      }
    }
    for (Bg3EdgeStep edges : found.edges) {
      if (!found.isNoticed && !isRepeated(edges) && !isBehindLoop(edges)) {
        edges.takeTogether();
      }
    }
    for (EdgeVertexStep ends : found.ends) {
      if (!found.isNoticed && !isRepeated(ends) && !isBehindLoop(ends) && readsAll(ends)) {
        replaceEnds(ends);
      }
    }
    List<VertexStep<?>> counting = new ArrayList<>(0);
    for (RepeatStep<?> loop : found.loops) {
      VertexStep<?> counts = found.isNoticed ? null : replaceLoop(loop, traversal);
      if (counts != null) {
        found.hops.removeIf(hop -> hop.getTraversal() == loop.getRepeatTraversal());
        counting.add(counts);
      }
    }
    for (VertexStep<?> original : found.hops) {
      Bg3VertexStep<?> counts = replace(original, found.isNoticed, traversal);
      if (counts != null) {
        counting.add(counts);
      }
    }
    for (VertexStep<?> last : counting) {
      join(last, traversal);
    }
  }

  private static void find(
      Traversal.Admin<?, ?> traversal, Traversal.Admin<?, ?> root, Found found) {
    @SuppressWarnings("rawtypes") // as the interface has it
    List<Step> steps = traversal.getSteps();
    for (int i = 0; i < steps.size(); i++) {
      Step<?, ?> step = steps.get(i);
      found.isNoticed |= isNoticed(step, root);
      if (step.getClass() == VertexStep.class) {
        found.hops.add((VertexStep<?>) step);
      } else if (step instanceof Bg3NeighbourFilterStep filter) {
        found.filters.add(filter);
      } else if (step instanceof Bg3EdgeStep edges) {
        found.edges.add(edges);
      } else if (step instanceof EdgeVertexStep ends) {
        found.ends.add(ends);
      } else if (step instanceof RepeatStep<?> loop) {
        found.loops.add(loop);
      }
      if (step instanceof TraversalParent parent) {
        for (Traversal.Admin<?, ?> child : parent.getLocalChildren()) {
          find(child, root, found);
        }
        for (Traversal.Admin<?, ?> child : parent.getGlobalChildren()) {
          find(child, root, found);
        }
      }
    }
  }

  /** Replaces a hop if that helps; returns the new step if it counts and may take a group. */
  @SuppressWarnings({"rawtypes", "unchecked"}) // a step is replaced raw
  private static Bg3VertexStep<?> replace(
      VertexStep<?> original, boolean isNoticed, Traversal.Admin<?, ?> root) {
    if (!original.getParameters().isEmpty()) {
      return null;
    }
    Results results = results(original, root);
    Taken taken =
        isNoticed || !hasFewLabels(original) || isBehindLoop(original)
            ? Taken.ONE
            : taken(original);
    boolean grouped = taken != Taken.ONE;
    if (results == Results.DIFFERENT && grouped) {
      removeUpTo(original, afterBarriers(original).getNextStep());
    } else if (results == Results.DIFFERENT) {
      results = Results.NEIGHBOURS;
    } else if (results == Results.COUNT_DIFFERENT) {
      removeUpTo(original, afterBarriers(afterBarriers(original)));
    }
    if (!results.counts() && grouped && readsAll(original)) {
      results =
          results == Results.DIFFERENT ? Results.DIFFERENT_TO_READ : Results.NEIGHBOURS_TO_READ;
    }
    if (!results.counts() && !original.returnsVertex()) {
      takeTogether(original, taken);
      return null;
    }
    if (!results.counts() && !grouped) {
      return null;
    }
    long most = results == Results.COUNT ? most(original) : Bg3VertexStep.ALL;
    Bg3VertexStep<?> step = new Bg3VertexStep(original, results, taken, most);
    TraversalHelper.replaceStep((Step) original, step, original.getTraversal());
    return results.counts() && grouped ? step : null;
  }

  /** Replaces a step that gives edges, if it may take several traversers at once. */
  @SuppressWarnings({"rawtypes", "unchecked"}) // a step is replaced raw
  private static void takeTogether(VertexStep original, Taken taken) {
    if (taken == Taken.SEVERAL) {
      Bg3EdgeStep step = new Bg3EdgeStep(original, EdgeSelection.ALL, false);
      step.takeTogether();
      TraversalHelper.replaceStep((Step) original, step, original.getTraversal());
    }
  }

  /** Replaces a loop whose results are counted, if that helps; returns the new step. */
  @SuppressWarnings({"rawtypes", "unchecked"}) // a step is replaced raw
  private static VertexStep<?> replaceLoop(RepeatStep<?> loop, Traversal.Admin<?, ?> root) {
    Results results = counted(loop);
    if (results == Results.NEIGHBOURS
        || !loop.getLabels().isEmpty()
        || !hasBulk(root)
        || isSackWatched(root)
        || isRepeated(loop)
        || isBehindLoop(loop)) {
      return null;
    }
    CountedLoop hops = CountedLoop.of(loop);
    if (hops == null) {
      return null;
    }
    boolean different = results == Results.COUNT_DIFFERENT;
    Step count = afterBarriers(loop);
    removeUpTo(loop, different ? afterBarriers(count) : count);
    Traversal.Admin traversal = loop.getTraversal();
    VertexStep<?> step =
        new Bg3PathCountStep<>(
            traversal, Vertex.class, hops.hops(), hops.countsStarts(), different);
    TraversalHelper.replaceStep((Step) loop, step, traversal);
    return step;
  }

  /** Whether a function is called for sacks that are split or merged. */
  private static boolean isSackWatched(Traversal.Admin<?, ?> root) {
    return root.getSideEffects().getSackSplitter() != null
        || root.getSideEffects().getSackMerger() != null;
  }

  /**
   * Puts one step in place of a step that counts and the hops in front of it, if there are any. A
   * function that splits sacks or merges them would be called for their results, so these stay
   * then.
   */
  @SuppressWarnings({"rawtypes", "unchecked"}) // a step is replaced raw
  private static void join(VertexStep<?> last, Traversal.Admin<?, ?> root) {
    if (!(last.getNextStep() instanceof CountGlobalStep)
        || !last.getLabels().isEmpty()
        || isSackWatched(root)) {
      return;
    }
    Traversal.Admin traversal = last.getTraversal();
    List<Hop> first = new ArrayList<>();
    for (Step<?, ?> before = beforeBarriers(last);
        before instanceof Bg3VertexStep<?> hop && isPassed(hop);
        before = beforeBarriers(last)) {
      first.add(0, new Hop(hop.getDirection(), hop.getEdgeLabels()));
      while (last.getPreviousStep() != hop) {
        traversal.removeStep(last.getPreviousStep());
      }
      traversal.removeStep(hop);
    }
    if (!first.isEmpty()) {
      TraversalHelper.replaceStep((Step) last, asPaths(last).behind(first), traversal);
    }
  }

  private static Bg3PathCountStep<?> asPaths(VertexStep<?> counts) {
    if (counts instanceof Bg3PathCountStep<?> paths) {
      return paths;
    }
    return new Bg3PathCountStep<>(
        counts.getTraversal(),
        counts.getReturnClass(),
        List.of(new Hop(counts.getDirection(), counts.getEdgeLabels())),
        false,
        ((Bg3VertexStep<?>) counts).results() == Results.COUNT_DIFFERENT);
  }

  /** Whether nobody looks at what a hop gives but the next one. */
  private static boolean isPassed(Bg3VertexStep<?> hop) {
    return hop.results() == Results.NEIGHBOURS && hop.isGrouped() && hop.getLabels().isEmpty();
  }

  @SuppressWarnings({"rawtypes", "unchecked"}) // a step is replaced raw
  private static void replaceEnds(EdgeVertexStep ends) {
    if (ends.getParameters().isEmpty()) {
      TraversalHelper.replaceStep(
          (Step) ends, new Bg3EdgeVertexStep(ends), (Traversal.Admin) ends.getTraversal());
    }
  }

  private static boolean readsAll(Step<?, ?> step) {
    return RecordReads.follow(step) && RecordReads.areTaken(step);
  }

  private static boolean hasBulk(Traversal.Admin<?, ?> traversal) {
    return !traversal.getTraverserRequirements().contains(TraverserRequirement.ONE_BULK);
  }

  private static Results results(VertexStep<?> hop, Traversal.Admin<?, ?> root) {
    if (!hasBulk(root)) {
      return Results.NEIGHBOURS;
    }
    if (hop.getNextStep() instanceof CountGlobalStep || limit(hop) != null) {
      return Results.COUNT;
    }
    if (!hop.returnsVertex() || !isDedup(afterBarriers(hop))) {
      return Results.NEIGHBOURS;
    }
    if (afterBarriers(afterBarriers(hop)) instanceof CountGlobalStep) {
      return Results.COUNT_DIFFERENT;
    }
    // a child may be asked for barriers, of which dedup() is one
    return hop.getTraversal() == root && !isSackWatched(root)
        ? Results.DIFFERENT
        : Results.NEIGHBOURS;
  }

  /** How the results of a loop count; {@link Results#NEIGHBOURS} if they do not. */
  private static Results counted(RepeatStep<?> loop) {
    Step<?, ?> next = afterBarriers(loop);
    if (next instanceof CountGlobalStep) {
      return Results.COUNT;
    }
    return isDedup(next) && afterBarriers(next) instanceof CountGlobalStep
        ? Results.COUNT_DIFFERENT
        : Results.NEIGHBOURS;
  }

  /** Whether a step drops the results that have come before, and no more. */
  private static boolean isDedup(Step<?, ?> step) {
    return step instanceof DedupGlobalStep<?> dedup
        && dedup.getScopeKeys().isEmpty()
        && dedup.getLocalChildren().isEmpty()
        && dedup.getLabels().isEmpty();
  }

  /** The range between a hop and the count of its results, null if there is none. */
  private static RangeGlobalStep<?> limit(VertexStep<?> hop) {
    return hop.getNextStep() instanceof RangeGlobalStep<?> range
            && range.getLabels().isEmpty()
            && range.getNextStep() instanceof CountGlobalStep
        ? range
        : null;
  }

  /** The number of results of a counted hop from which on further ones are dropped. */
  private static long most(VertexStep<?> hop) {
    RangeGlobalStep<?> range = limit(hop);
    return range == null || range.getHighRange() < 0 ? Bg3VertexStep.ALL : range.getHighRange();
  }

  private static Step<?, ?> afterBarriers(Step<?, ?> step) {
    Step<?, ?> next = step.getNextStep();
    while (next instanceof NoOpBarrierStep && next.getLabels().isEmpty()) {
      next = next.getNextStep();
    }
    return next;
  }

  private static Step<?, ?> beforeBarriers(Step<?, ?> step) {
    Step<?, ?> before = step.getPreviousStep();
    while (before instanceof NoOpBarrierStep && before.getLabels().isEmpty()) {
      before = before.getPreviousStep();
    }
    return before;
  }

  /** Removes what stands between two steps. */
  private static void removeUpTo(Step<?, ?> from, Step<?, ?> to) {
    while (from.getNextStep() != to) {
      from.getTraversal().removeStep(from.getNextStep());
    }
  }

  /** Whether a hop has nothing about it that keeps it from being replaced. */
  static boolean isPlain(VertexStep<?> hop) {
    return hop.getParameters().isEmpty() && hasFewLabels(hop);
  }

  private static boolean hasFewLabels(VertexStep<?> step) {
    return step.getEdgeLabels().length <= MOST_LABELS; // where none means all
  }

  /** Which traversers a hop may take together, as far as it is part of a loop. */
  private static Taken taken(VertexStep<?> hop) {
    if (!isRepeated(hop)) {
      return Taken.SEVERAL;
    }
    boolean isFirst =
        hop.getPreviousStep() instanceof EmptyStep
            && hop.getTraversal().getParent() instanceof RepeatStep<?> loop
            && loop.getRepeatTraversal() == hop.getTraversal();
    return isFirst ? Taken.ROUND : Taken.ONE;
  }

  /** Whether a step is part of a loop. Equal traversers that wait there are merged. */
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
