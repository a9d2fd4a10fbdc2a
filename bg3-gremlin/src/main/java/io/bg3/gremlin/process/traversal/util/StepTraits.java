package io.bg3.gremlin.process.traversal.util;

import io.bg3.gremlin.process.traversal.step.filter.Bg3NeighbourFilterStep;
import io.bg3.gremlin.process.traversal.step.map.Bg3EdgeStep;
import io.bg3.gremlin.process.traversal.strategy.finalization.Bg3ProfileStrategy;
import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3DropStepStrategy;
import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3EdgeStepStrategy;
import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3GraphCountStrategy;
import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3GraphStepStrategy;
import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3MergeEdgeStepStrategy;
import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3MergeVertexStepStrategy;
import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3NeighbourFilterStrategy;
import io.bg3.gremlin.process.traversal.strategy.optimization.Bg3VertexStepStrategy;
import io.bg3.gremlin.process.traversal.strategy.verification.Bg3ServiceVerificationStrategy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.computer.traversal.step.VertexComputing;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.step.ByModulating;
import org.apache.tinkerpop.gremlin.process.traversal.step.GValueHolder;
import org.apache.tinkerpop.gremlin.process.traversal.step.HasContainerHolder;
import org.apache.tinkerpop.gremlin.process.traversal.step.PathProcessor;
import org.apache.tinkerpop.gremlin.process.traversal.step.TraversalParent;
import org.apache.tinkerpop.gremlin.process.traversal.step.branch.RepeatStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.AndStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.ConnectiveStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.DropStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.FilterStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.HasStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.IsStepContract;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.OrStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.RangeGlobalStepContract;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.TraversalFilterStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.CallStepContract;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.CountGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.EdgeOtherVertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.EdgeVertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.FlatMapStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GraphStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GraphStepContract;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GroupCountStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.MapStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.MatchStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.MergeEdgeStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.MergeVertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.OrderGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStepContract;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.IdentityStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.ProfileSideEffectStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.SideEffectStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.ConnectiveStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.finalization.ProfileStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.ByModulatorOptimizationStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.CountStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.EarlyLimitStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.FilterRankingStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.GValueReductionStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.IdentityRemovalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.IncidentToAdjacentStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.InlineFilterStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.LazyBarrierStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.MatchPredicateStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.PathRetractionStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.optimization.RepeatUnrollStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.StandardVerificationStrategy;
import org.apache.tinkerpop.gremlin.structure.Graph;

/**
 * What a traversal with all its children has that some strategy looks for, as bits. A strategy of
 * TinkerPop 3.8.1 or of BG3 whose bits a traversal lacks leaves it as it is. The bits promise
 * nothing else: a strategy may leave a traversal as it is that has them.
 *
 * <p>Every other strategy, and one that looks for more than steps, has {@link #ANY}.
 */
final class StepTraits {
  /** What a strategy looks for that is never skipped. */
  static final int ANY = -1;

  private static final int IDENTITY = 1;
  private static final int CONNECTIVE = 1 << 1;
  private static final int LATE_LIMIT = 1 << 2;
  private static final int INLINABLE = 1 << 3;
  private static final int EDGE_END = 1 << 4;
  private static final int MODULATED = 1 << 5;
  private static final int RANKED = 1 << 6;
  private static final int MATCH = 1 << 7;
  private static final int REPEAT = 1 << 8;
  private static final int COUNT_IS = 1 << 9;
  private static final int PATH = 1 << 10;
  private static final int FLAT_MAPS = 1 << 11;
  private static final int PROFILE = 1 << 12;
  private static final int HIDDEN_LABEL = 1 << 13;
  private static final int VARIABLE = 1 << 14;
  private static final int START = 1 << 15;
  private static final int COUNT = 1 << 16;
  private static final int MERGE_EDGE = 1 << 17;
  private static final int HOP = 1 << 18;
  private static final int EDGES = 1 << 19;
  private static final int FILTER = 1 << 20;
  private static final int CALL = 1 << 21;

  /** Of a class alone, so that an interface is not looked for in each step. */
  private static final int PARENT = 1 << 22;

  private static final int CONDITIONS = 1 << 23;
  private static final int MERGE_VERTEX = 1 << 24;
  private static final int DROP = 1 << 25;

  private static final Map<Class<?>, Integer> WANTED =
      Map.ofEntries(
          Map.entry(IdentityRemovalStrategy.class, IDENTITY),
          Map.entry(ConnectiveStrategy.class, CONNECTIVE),
          Map.entry(EarlyLimitStrategy.class, LATE_LIMIT),
          Map.entry(InlineFilterStrategy.class, INLINABLE),
          Map.entry(IncidentToAdjacentStrategy.class, EDGE_END),
          Map.entry(ByModulatorOptimizationStrategy.class, MODULATED),
          Map.entry(FilterRankingStrategy.class, RANKED),
          Map.entry(MatchPredicateStrategy.class, MATCH),
          Map.entry(RepeatUnrollStrategy.class, REPEAT),
          Map.entry(CountStrategy.class, COUNT_IS),
          Map.entry(PathRetractionStrategy.class, PATH),
          Map.entry(LazyBarrierStrategy.class, FLAT_MAPS | HIDDEN_LABEL),
          Map.entry(ProfileStrategy.class, PROFILE),
          Map.entry(StandardVerificationStrategy.class, REPEAT | PROFILE | HIDDEN_LABEL),
          Map.entry(GValueReductionStrategy.class, VARIABLE),
          Map.entry(Bg3GraphStepStrategy.class, START),
          Map.entry(Bg3GraphCountStrategy.class, COUNT),
          Map.entry(Bg3MergeEdgeStepStrategy.class, MERGE_EDGE),
          Map.entry(Bg3MergeVertexStepStrategy.class, MERGE_VERTEX),
          Map.entry(Bg3DropStepStrategy.class, DROP),
          Map.entry(Bg3VertexStepStrategy.class, HOP),
          Map.entry(Bg3EdgeStepStrategy.class, EDGES),
          Map.entry(Bg3NeighbourFilterStrategy.class, FILTER),
          Map.entry(Bg3ProfileStrategy.class, PROFILE),
          Map.entry(Bg3ServiceVerificationStrategy.class, CALL));

  /** What the class of a step says of it, whatever stands before it. */
  private static final ClassValue<Integer> OF_CLASS =
      new ClassValue<>() {
        @Override
        protected Integer computeValue(Class<?> step) {
          return ofClass(step);
        }
      };

  /** Ids of a start step from which on TinkerPop puts a barrier behind it. */
  private static final int MANY_IDS = 5;

  private StepTraits() {}

  /** The traits of which a traversal needs one for a strategy to change it. */
  static int wanted(TraversalStrategy<?> strategy) {
    return WANTED.getOrDefault(strategy.getClass(), ANY);
  }

  /**
   * Whether a strategy adds no steps with traits that one behind it looks for, so that those which
   * a traversal had before it tell what to skip.
   */
  static boolean addsNone(TraversalStrategy<?> strategy) {
    return strategy instanceof Bg3GraphStepStrategy || strategy instanceof Bg3VertexStepStrategy;
  }

  /** The traits of a traversal and its children. */
  static int of(Traversal.Admin<?, ?> traversal) {
    int traits = 0;
    int flatMaps = 0;
    Step<?, ?> before = null;
    @SuppressWarnings("rawtypes") // as the interface has it
    List<Step> steps = traversal.getSteps();
    for (int i = 0; i < steps.size(); i++) {
      Step<?, ?> step = steps.get(i);
      int own = OF_CLASS.get(step.getClass());
      if (own == ANY) {
        return ANY;
      }
      traits |= own & ~(LATE_LIMIT | RANKED | COUNT_IS | FLAT_MAPS | COUNT | EDGES);
      if ((own & EDGES) != 0 && ((VertexStep<?>) step).returnsEdge()) {
        traits |= EDGES;
      }
      if ((own & COUNT) != 0 && takesAll(steps.get(0))) {
        traits |= COUNT;
      }
      if (!step.getLabels().isEmpty()) {
        traits |= hidden(step);
      }
      if (before != null) {
        traits |= behind(step, own, before);
      }
      if ((own & FLAT_MAPS) != 0 && isFlatMap(step, before == null) && ++flatMaps > 1) {
        traits |= FLAT_MAPS;
      }
      if ((own & CONDITIONS) != 0) {
        traits |= variables((HasContainerHolder<?, ?>) step);
      }
      if ((own & PARENT) != 0) {
        traits |= ofChildren((TraversalParent) step);
      }
      before = step;
    }
    return traits;
  }

  private static int ofChildren(TraversalParent parent) {
    int traits = 0;
    boolean hasChildren = false;
    for (Traversal.Admin<?, ?> child : parent.getLocalChildren()) {
      traits |= of(child);
      hasChildren = true;
    }
    for (Traversal.Admin<?, ?> child : parent.getGlobalChildren()) {
      traits |= of(child);
      hasChildren = true;
    }
    return hasChildren && parent instanceof ByModulating ? traits | MODULATED : traits;
  }

  private static int ofClass(Class<?> step) {
    if (is(step, VertexComputing.class)) {
      return ANY; // on a graph computer strategies look for more
    }
    int traits = 0;
    traits |= is(step, IdentityStep.class) ? IDENTITY : 0;
    traits |= is(step, ConnectiveStep.class) ? CONNECTIVE : 0;
    traits |= is(step, RangeGlobalStepContract.class) ? LATE_LIMIT : 0;
    traits |= is(step, TraversalFilterStep.class) ? INLINABLE | FILTER : 0;
    traits |= is(step, OrStep.class) || is(step, AndStep.class) ? INLINABLE : 0;
    traits |= is(step, EdgeVertexStep.class) || is(step, EdgeOtherVertexStep.class) ? EDGE_END : 0;
    traits |= is(step, FilterStep.class) || is(step, OrderGlobalStep.class) ? RANKED : 0;
    traits |= is(step, MatchStep.class) ? MATCH | INLINABLE : 0;
    traits |= is(step, RepeatStep.class) ? REPEAT : 0;
    traits |= is(step, IsStepContract.class) ? COUNT_IS : 0;
    traits |= is(step, PathProcessor.class) ? PATH : 0;
    traits |= is(step, FlatMapStep.class) || is(step, GraphStepContract.class) ? FLAT_MAPS : 0;
    traits |= is(step, ProfileSideEffectStep.class) ? PROFILE : 0;
    traits |= is(step, GValueHolder.class) && !is(step, HasContainerHolder.class) ? VARIABLE : 0;
    traits |= step == GraphStep.class ? START : 0;
    traits |= is(step, CountGlobalStep.class) || is(step, GroupCountStep.class) ? COUNT : 0;
    traits |= is(step, MergeEdgeStep.class) ? MERGE_EDGE : 0;
    traits |= is(step, MergeVertexStep.class) ? MERGE_VERTEX : 0;
    traits |= step == DropStep.class ? DROP : 0;
    traits |= step == VertexStep.class ? HOP | EDGES : 0;
    traits |= step == Bg3NeighbourFilterStep.class || step == Bg3EdgeStep.class ? HOP : 0;
    traits |= is(step, EdgeVertexStep.class) ? HOP : 0;
    traits |= is(step, CallStepContract.class) ? CALL : 0;
    traits |= is(step, TraversalParent.class) ? PARENT : 0;
    traits |= is(step, HasContainerHolder.class) ? CONDITIONS : 0;
    return traits;
  }

  private static boolean is(Class<?> step, Class<?> kind) {
    return kind.isAssignableFrom(step);
  }

  /** What a step has because of the one before it. */
  private static int behind(Step<?, ?> step, int own, Step<?, ?> before) {
    int traits = 0;
    if ((own & LATE_LIMIT) != 0
        && (!step.getLabels().isEmpty()
            || before instanceof MapStep
            || before instanceof SideEffectStep
            || before instanceof RangeGlobalStepContract)) {
      traits |= LATE_LIMIT;
    }
    if (step instanceof HasStep
        && (before instanceof HasStep || before instanceof VertexStepContract)) {
      traits |= INLINABLE;
    }
    if ((own & RANKED) != 0
        && (!before.getLabels().isEmpty()
            || before instanceof FilterStep
            || before instanceof OrderGlobalStep)) {
      traits |= RANKED;
    }
    if ((own & COUNT_IS) != 0 && before instanceof CountGlobalStep) {
      traits |= COUNT_IS;
    }
    return traits;
  }

  /** Whether a step begins with all vertices, or all edges. */
  private static boolean takesAll(Step<?, ?> first) {
    return first instanceof GraphStep<?, ?> start
        && start.getIds() != null
        && start.getIds().length == 0;
  }

  private static int hidden(Step<?, ?> step) {
    Set<String> labels = step.getLabels();
    for (String label : labels) {
      if (Graph.Hidden.isHidden(label)) {
        return HIDDEN_LABEL;
      }
    }
    return 0;
  }

  /** Whether TinkerPop counts a step among those behind which equal traversers may be merged. */
  private static boolean isFlatMap(Step<?, ?> step, boolean isFirst) {
    if (step instanceof VertexStepContract<?> hop) {
      return !hop.returnsEdge();
    }
    return !isFirst
        || !(step instanceof GraphStep<?, ?> start)
        || start.getIds() == null
        || start.getIds().length == 0
        || start.getIds().length >= MANY_IDS;
  }

  private static int variables(HasContainerHolder<?, ?> holder) {
    for (HasContainer condition : holder.getHasContainers()) {
      if (condition.getPredicate().isParameterized()) {
        return VARIABLE;
      }
    }
    return 0;
  }
}
