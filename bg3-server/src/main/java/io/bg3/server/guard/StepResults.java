package io.bg3.server.guard;

import io.bg3.gremlin.process.traversal.step.map.Bg3CountGlobalStep;
import io.bg3.gremlin.process.traversal.step.map.Bg3GroupCountStep;
import io.bg3.gremlin.process.traversal.step.util.Bg3ProfileStep;
import java.util.List;
import java.util.stream.Stream;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.step.branch.BranchStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.branch.LocalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.branch.OptionalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.branch.RepeatStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.branch.UnionStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.FilterStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.RangeGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.SampleGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.TailGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.WhereTraversalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.AddEdgeStartStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.AddEdgeStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.AddVertexStartStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.AddVertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.AsBoolStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.AsDateStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.AsNumberStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.AsStringGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.AsStringLocalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.CallStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.CoalesceStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.CombineStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.ConcatStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.ConjoinStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.ConstantStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.CountGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.CountLocalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.DateAddStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.DateDiffStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.DedupLocalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.EdgeOtherVertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.EdgeVertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.ElementMapStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.ElementStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.FoldStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.FormatStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GraphStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.HasNextStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.IdStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.LTrimGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.LabelStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.LambdaCollectingBarrierStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.LambdaFlatMapStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.LambdaMapStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.LengthGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.LengthLocalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.LoopsStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.MatchStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.MathStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.MaxGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.MaxLocalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.MeanGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.MeanLocalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.MergeElementStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.MinGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.MinLocalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.NoOpBarrierStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.OrderGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.OrderLocalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.PathStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.PropertiesStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.PropertyKeyStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.PropertyMapStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.PropertyValueStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.RTrimGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.RangeLocalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.ReplaceGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.ReplaceLocalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.SackStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.SampleLocalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.SelectOneStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.SplitGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.SplitLocalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.SubstringGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.SumGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.SumLocalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.TailLocalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.ToLowerGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.ToUpperGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.TraversalFlatMapStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.TraversalMapStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.TraversalSelectStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.TreeStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.TrimGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.UnfoldStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.AggregateStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.IdentityStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.IoStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.SackValueStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.SideEffectCapStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.SideEffectStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.StartStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.SubgraphStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.TreeSideEffectStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.ComputerAwareStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.EmptyStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.ProfileStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.RequirementsStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.StringLocalStep;

/**
 * Tells which steps need a check of their results, because they compose a value of others. Every
 * step class of TinkerPop and of BG3 is in one of the lists here, or in one of {@link
 * ValueGrowth#CHARGED}; a test fails for a step that is in none.
 *
 * <p>Threads: any; without state.
 */
final class StepResults {
  /**
   * Steps whose results need no check: steps that pass on their input or a part of it; steps that
   * make elements of the graph, strings, numbers or dates; steps whose results come from nested
   * traversals, which are checked on their own; and steps that {@link StepBudget} charges before
   * they make a result.
   */
  private static final List<Class<?>> PLAIN =
      List.of(
          AddEdgeStartStep.class,
          AddEdgeStep.class,
          AddVertexStartStep.class,
          AddVertexStep.class,
          AggregateStep.class,
          AsBoolStep.class,
          AsDateStep.class,
          AsNumberStep.class,
          AsStringGlobalStep.class,
          AsStringLocalStep.class,
          Bg3CountGlobalStep.class,
          Bg3ProfileStep.class,
          BranchStep.class,
          CoalesceStep.class,
          CombineStep.class,
          ComputerAwareStep.EndStep.class,
          ConcatStep.class,
          ConjoinStep.class,
          ConstantStep.class,
          CountGlobalStep.class,
          CountLocalStep.class,
          DateAddStep.class,
          DateDiffStep.class,
          DedupLocalStep.class,
          EdgeOtherVertexStep.class,
          EdgeVertexStep.class,
          ElementMapStep.class,
          ElementStep.class,
          EmptyStep.class,
          FilterStep.class,
          FormatStep.class,
          GraphStep.class,
          HasNextStep.class,
          IdStep.class,
          IdentityStep.class,
          LTrimGlobalStep.class,
          LabelStep.class,
          LengthGlobalStep.class,
          LengthLocalStep.class,
          LocalStep.class,
          LoopsStep.class,
          MatchStep.MatchEndStep.class,
          MatchStep.MatchStartStep.class,
          MathStep.class,
          MaxGlobalStep.class,
          MaxLocalStep.class,
          MeanGlobalStep.class,
          MeanLocalStep.class,
          MergeElementStep.class,
          MinGlobalStep.class,
          MinLocalStep.class,
          NoOpBarrierStep.class,
          OptionalStep.class,
          OrderGlobalStep.class,
          OrderLocalStep.class,
          ProfileStep.class,
          PropertiesStep.class,
          PropertyKeyStep.class,
          PropertyMapStep.class,
          PropertyValueStep.class,
          RTrimGlobalStep.class,
          RangeGlobalStep.class,
          RangeLocalStep.class,
          RepeatStep.RepeatEndStep.class,
          RepeatStep.class,
          ReplaceGlobalStep.class,
          ReplaceLocalStep.class,
          RequirementsStep.class,
          SackValueStep.class,
          SampleGlobalStep.class,
          SampleLocalStep.class,
          SideEffectStep.class,
          SplitGlobalStep.class,
          SplitLocalStep.class,
          StartStep.class,
          StringLocalStep.class,
          SubgraphStep.class,
          SubstringGlobalStep.class,
          SumGlobalStep.class,
          SumLocalStep.class,
          TailGlobalStep.class,
          TailLocalStep.class,
          ToLowerGlobalStep.class,
          ToUpperGlobalStep.class,
          TraversalFlatMapStep.class,
          TraversalMapStep.class,
          TreeSideEffectStep.class,
          TrimGlobalStep.class,
          UnfoldStep.class,
          UnionStep.class,
          ValueCheck.class,
          VertexStep.class,
          InterruptibleWeight.class,
          WhereTraversalStep.WhereStartStep.class);

  /** The other steps, which compose values of others, or which clients cannot use. */
  private static final List<Class<?>> COMPOSING =
      List.of(
          Bg3GroupCountStep.class,
          CallStep.class,
          FoldStep.class,
          IoStep.class,
          LambdaCollectingBarrierStep.class,
          LambdaFlatMapStep.class,
          LambdaMapStep.class,
          MatchStep.class,
          PathStep.class,
          SackStep.class,
          SelectOneStep.class,
          SideEffectCapStep.class,
          TraversalSelectStep.class,
          TreeStep.class);

  /** Caches {@link #composes} per class. */
  private static final ClassValue<Boolean> COMPOSES =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> step) {
          return PLAIN.stream().noneMatch(type -> type.isAssignableFrom(step));
        }
      };

  private StepResults() {}

  /** Whether one of the lists names the step class or a superclass of it. */
  static boolean isKnown(Class<?> step) {
    return Stream.of(PLAIN, COMPOSING, ValueGrowth.CHARGED)
        .flatMap(List::stream)
        .anyMatch(type -> type.isAssignableFrom(step));
  }

  /** Whether the step may combine small values to a large one, so that its results need a check. */
  static boolean composes(Step<?, ?> step) {
    return COMPOSES.get(step.getClass());
  }
}
