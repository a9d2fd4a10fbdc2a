package io.bg3.gremlin.process.traversal.strategy.optimization;

import io.bg3.gremlin.process.traversal.step.filter.Bg3NeighbourFilterStep;
import io.bg3.gremlin.process.traversal.step.map.Bg3EdgeStep;
import io.bg3.gremlin.process.traversal.step.map.Bg3EdgeVertexStep;
import io.bg3.gremlin.process.traversal.step.map.Bg3PathCountStep;
import io.bg3.gremlin.process.traversal.step.map.Bg3VertexStep;
import io.bg3.gremlin.process.traversal.step.map.Bg3VertexStep.Taken;
import io.bg3.gremlin.process.traversal.step.map.HopResults;
import io.bg3.gremlin.process.traversal.step.util.EdgeSelection;
import io.bg3.gremlin.process.traversal.step.util.Hop;
import java.util.ArrayList;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.step.branch.RepeatStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.DedupGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.HasStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.RangeGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.CountGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.EdgeVertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.EmptyStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.AbstractTraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/**
 * Replaces {@code out}, {@code in} and {@code both} with few edge labels, or with none, by {@link
 * Bg3VertexStep}, which looks up the neighbours of many vertices in one call. If {@code count()}
 * follows, or {@code limit().count()}, the step counts them, and replaces {@code outE}, {@code inE}
 * and {@code bothE} too. Several hops in front of {@code count()}, or of {@code dedup().count()},
 * become one {@link Bg3PathCountStep}, and so does a loop of hops there that is a {@link
 * CountedLoop}. In front of {@code dedup()}, the last hop of the traversal itself gives each vertex
 * once. In front of {@code limit().count()}, it stands for {@code limit()} too.
 *
 * <p>Where the steps behind read labels or properties of the neighbours, {@code explain()} shows
 * {@code read}: the step has them loaded together. It takes in {@link NeighbourConditions}: then
 * what it gives, or counts, are the neighbours that meet them.
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

  /**
   * Looks at the root with all its children at once: whether it replaces depends on all of them.
   */
  @Override
  public void apply(Traversal.Admin<?, ?> traversal) {
    if (!traversal.isRoot() || TraversalHelper.onGraphComputer(traversal)) {
      return;
    }
    FoundSteps found = new FoundSteps(traversal);
    for (Bg3NeighbourFilterStep filter : found.filters()) {
      if (!found.isNoticed() && !found.isRepeated(filter) && !found.isBehindLoop(filter)) {
        filter.takeTogether();
      }
    }
    takeTogether(found);
    List<VertexStep<?>> counting = new ArrayList<>(1);
    for (RepeatStep<?> loop : found.loops()) {
      VertexStep<?> counts = found.isNoticed() ? null : replaceLoop(loop, found);
      if (counts != null) {
        found.removeHops(loop);
        counting.add(counts);
      }
    }
    for (VertexStep<?> original : found.hops()) {
      Bg3VertexStep<?> counts = replace(original, found);
      if (counts != null) {
        counting.add(counts);
      }
    }
    for (VertexStep<?> last : counting) {
      join(last, found);
    }
  }

  /** Has edges, and vertices at their ends, of several traversers loaded together. */
  private static void takeTogether(FoundSteps found) {
    for (Bg3EdgeStep edges : found.edges()) {
      if (!found.isNoticed() && !found.isRepeated(edges) && !found.isBehindLoop(edges)) {
        edges.takeTogether();
      }
    }
    for (EdgeVertexStep ends : found.ends()) {
      if (!found.isNoticed()
          && !found.isRepeated(ends)
          && !found.isBehindLoop(ends)
          && ends.getParameters().isEmpty()
          && readsAll(ends)) {
        StepPlace.replace(ends, new Bg3EdgeVertexStep(ends));
      }
    }
  }

  /**
   * Replaces a hop if that helps; returns the new step if it counts all neighbours, or edges, and
   * may take a group.
   */
  @SuppressWarnings({"rawtypes", "unchecked"}) // a step is replaced raw
  private static Bg3VertexStep<?> replace(VertexStep<?> original, FoundSteps found) {
    if (!original.getParameters().isEmpty()) {
      return null;
    }
    Taken taken =
        found.isNoticed() || !hasFewLabels(original) || found.isBehindLoop(original)
            ? Taken.ONE
            : taken(original, found);
    boolean grouped = taken != Taken.ONE;
    List<HasContainer> conditions =
        grouped
                && original.returnsVertex()
                && original.getNextStep() instanceof HasStep
                && readsAll(original)
            ? NeighbourConditions.take(original, found.root())
            : List.of();
    HopResults results = results(original, found);
    if (results == HopResults.DIFFERENT && grouped) {
      StepPlace.removeUpTo(original, StepPlace.afterBarriers(original).getNextStep());
    } else if (results == HopResults.DIFFERENT) {
      results = HopResults.NEIGHBOURS;
    } else if (results == HopResults.COUNT_DIFFERENT) {
      StepPlace.removeUpTo(original, StepPlace.afterBarriers(StepPlace.afterBarriers(original)));
    }
    if (!results.counts() && (!conditions.isEmpty() || (grouped && readsAll(original)))) {
      results =
          results == HopResults.DIFFERENT
              ? HopResults.DIFFERENT_TO_READ
              : HopResults.NEIGHBOURS_TO_READ;
    }
    if (!results.counts() && !original.returnsVertex()) {
      takeTogether(original, taken);
      return null;
    }
    if (!results.counts() && !grouped) {
      return null;
    }
    long most = results == HopResults.COUNT ? most(original) : Bg3VertexStep.ALL;
    if (results == HopResults.COUNT
        && grouped
        && original.getTraversal() == found.root()
        && isLimited(original)) {
      results = HopResults.COUNT_LIMITED;
      original.getTraversal().removeStep(original.getNextStep());
    }
    Bg3VertexStep<?> step = new Bg3VertexStep(original, results, taken, most, conditions);
    StepPlace.replace(original, step);
    boolean countsAll = results.counts() && results != HopResults.COUNT_LIMITED;
    return countsAll && grouped && conditions.isEmpty() ? step : null;
  }

  /** Replaces a step that gives edges, if it may take several traversers at once. */
  @SuppressWarnings({"rawtypes", "unchecked"}) // a step is replaced raw
  private static void takeTogether(VertexStep original, Taken taken) {
    if (taken == Taken.SEVERAL) {
      Bg3EdgeStep step = new Bg3EdgeStep(original, EdgeSelection.ALL, false);
      step.takeTogether();
      StepPlace.replace(original, step);
    }
  }

  /** Replaces a loop whose results are counted, if that helps; returns the new step. */
  @SuppressWarnings({"rawtypes", "unchecked"}) // a step is replaced raw
  private static VertexStep<?> replaceLoop(RepeatStep<?> loop, FoundSteps found) {
    HopResults results = counted(loop);
    if (results == HopResults.NEIGHBOURS
        || !loop.getLabels().isEmpty()
        || !found.hasBulk()
        || found.isSackWatched()
        || found.isRepeated(loop)
        || found.isBehindLoop(loop)) {
      return null;
    }
    CountedLoop hops = CountedLoop.of(loop);
    if (hops == null) {
      return null;
    }
    boolean different = results == HopResults.COUNT_DIFFERENT;
    Step count = StepPlace.afterBarriers(loop);
    StepPlace.removeUpTo(loop, different ? StepPlace.afterBarriers(count) : count);
    Traversal.Admin traversal = loop.getTraversal();
    VertexStep<?> step =
        new Bg3PathCountStep<>(
            traversal, Vertex.class, hops.hops(), hops.countsStarts(), different);
    StepPlace.replace(loop, step);
    return step;
  }

  /**
   * Puts one step in place of a step that counts and the hops in front of it, if there are any. A
   * function that splits sacks or merges them would be called for their results, so these stay
   * then.
   */
  @SuppressWarnings({"rawtypes", "unchecked"}) // a step is replaced raw
  private static void join(VertexStep<?> last, FoundSteps found) {
    if (!(last.getNextStep() instanceof CountGlobalStep)
        || !last.getLabels().isEmpty()
        || found.isSackWatched()) {
      return;
    }
    Traversal.Admin traversal = last.getTraversal();
    List<Hop> first = new ArrayList<>();
    for (Step<?, ?> before = StepPlace.beforeBarriers(last);
        before instanceof Bg3VertexStep<?> hop && isPassed(hop);
        before = StepPlace.beforeBarriers(last)) {
      first.add(0, new Hop(hop.getDirection(), hop.getEdgeLabels()));
      while (last.getPreviousStep() != hop) {
        traversal.removeStep(last.getPreviousStep());
      }
      traversal.removeStep(hop);
    }
    if (!first.isEmpty()) {
      StepPlace.replace(last, asPaths(last).behind(first));
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
        ((Bg3VertexStep<?>) counts).results() == HopResults.COUNT_DIFFERENT);
  }

  /** Whether nobody looks at what a hop gives but the next one. */
  private static boolean isPassed(Bg3VertexStep<?> hop) {
    return hop.results() == HopResults.NEIGHBOURS && hop.isGrouped() && hop.getLabels().isEmpty();
  }

  private static boolean readsAll(Step<?, ?> step) {
    return RecordReads.follow(step) && RecordReads.areTaken(step);
  }

  private static HopResults results(VertexStep<?> hop, FoundSteps found) {
    if (!found.hasBulk()) {
      return HopResults.NEIGHBOURS;
    }
    if (hop.getNextStep() instanceof CountGlobalStep || limit(hop) != null) {
      return HopResults.COUNT;
    }
    if (!hop.returnsVertex() || !isDedup(StepPlace.afterBarriers(hop))) {
      return HopResults.NEIGHBOURS;
    }
    if (StepPlace.afterBarriers(StepPlace.afterBarriers(hop)) instanceof CountGlobalStep) {
      return HopResults.COUNT_DIFFERENT;
    }
    // a child may be asked for barriers, of which dedup() is one
    return hop.getTraversal() == found.root()
            && !found.isSackWatched()
            && !dropsLabels((DedupGlobalStep<?>) StepPlace.afterBarriers(hop))
        ? HopResults.DIFFERENT
        : HopResults.NEIGHBOURS;
  }

  /**
   * Whether a step takes labels out of the paths, so that traversers behind it are equal that were
   * not.
   */
  private static boolean dropsLabels(DedupGlobalStep<?> dedup) {
    return dedup.getKeepLabels() != null
        && TraversalHelper.anyStepRecursively(
            step -> !step.getLabels().isEmpty(), (Traversal.Admin<?, ?>) dedup.getTraversal());
  }

  /** How the results of a loop count; {@link HopResults#NEIGHBOURS} if they do not. */
  private static HopResults counted(RepeatStep<?> loop) {
    Step<?, ?> next = StepPlace.afterBarriers(loop);
    if (next instanceof CountGlobalStep) {
      return HopResults.COUNT;
    }
    return isDedup(next) && StepPlace.afterBarriers(next) instanceof CountGlobalStep
        ? HopResults.COUNT_DIFFERENT
        : HopResults.NEIGHBOURS;
  }

  /** Whether a step drops the results that have come before, and no more. */
  private static boolean isDedup(Step<?, ?> step) {
    return step instanceof DedupGlobalStep<?> dedup
        && dedup.getScopeKeys().isEmpty()
        && dedup.getLocalChildren().isEmpty()
        && dedup.getLabels().isEmpty();
  }

  /**
   * The range between a hop and the count of its results; null if there is none, or if none of them
   * is in it: such a range still asks for one.
   */
  private static RangeGlobalStep<?> limit(VertexStep<?> hop) {
    return hop.getNextStep() instanceof RangeGlobalStep<?> range
            && range.getLabels().isEmpty()
            && range.getHighRange() != 0
            && range.getNextStep() instanceof CountGlobalStep
        ? range
        : null;
  }

  /** Whether the first results of a hop are counted. */
  private static boolean isLimited(VertexStep<?> hop) {
    RangeGlobalStep<?> range = limit(hop);
    return range != null && range.getLowRange() == 0 && range.getHighRange() > 0;
  }

  /** The number of results of a counted hop from which on further ones are dropped. */
  private static long most(VertexStep<?> hop) {
    RangeGlobalStep<?> range = limit(hop);
    return range == null || range.getHighRange() < 0 ? Bg3VertexStep.ALL : range.getHighRange();
  }

  /** Whether a hop has nothing about it that keeps it from being replaced. */
  static boolean isPlain(VertexStep<?> hop) {
    return hop.getParameters().isEmpty() && hasFewLabels(hop);
  }

  private static boolean hasFewLabels(VertexStep<?> step) {
    return step.getEdgeLabels().length <= MOST_LABELS; // where none means all
  }

  /** Which traversers a hop may take together, as far as it is part of a loop. */
  private static Taken taken(VertexStep<?> hop, FoundSteps found) {
    if (!found.isRepeated(hop)) {
      return Taken.SEVERAL;
    }
    boolean isFirst =
        hop.getPreviousStep() instanceof EmptyStep
            && hop.getTraversal().getParent() instanceof RepeatStep<?> loop
            && loop.getRepeatTraversal() == hop.getTraversal();
    return isFirst ? Taken.ROUND : Taken.ONE;
  }
}
