package io.bg3.gremlin.process.traversal.strategy.optimization;

import io.bg3.gremlin.process.traversal.step.util.Hop;
import java.util.ArrayList;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.lambda.LoopTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.lambda.TrueTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.branch.RepeatStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.NoOpBarrierStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStep;

/**
 * A loop of hops that ends after a number of rounds, and gives all vertices of each round or of the
 * last one: if its results are only counted, it is as good as a number of hops.
 *
 * <pre>
 *   repeat(out("a").in("b")).emit().times(2)   OUT,[a],IN,[b],counted,OUT,[a],IN,[b]
 *   emit().repeat(out("a")).times(2)           counted,OUT,[a],counted,OUT,[a]
 *   times(3).repeat(out("a"))                  OUT,[a],OUT,[a],OUT,[a]
 * </pre>
 *
 * @param hops all of them; those count that end a round whose vertices the loop gives, beside the
 *     last one
 * @param countsStarts whether the loop also gives what comes into it
 */
record CountedLoop(List<Hop> hops, boolean countsStarts) {
  /**
   * Longer loops stay loops. These hold all vertices of a round, each once. Counted hops hold some
   * at a time, so they come to a vertex again and again where each hop has more than they hold.
   */
  private static final int MOST_HOPS = 4;

  /** Describes a loop; null if it is none of this kind. */
  static CountedLoop of(RepeatStep<?> loop) {
    boolean emits = loop.getEmitTraversal() instanceof TrueTraversal;
    if ((loop.getEmitTraversal() != null && !emits)
        || (emits && loop.untilFirst && !loop.emitFirst) // which gives the last vertices twice
        || !(loop.getUntilTraversal() instanceof LoopTraversal<?> times)
        || loop.getRepeatTraversal() == null) {
      return null;
    }
    List<Hop> round = round(loop.getRepeatTraversal());
    long rounds = loop.untilFirst ? times.getMaxLoops() : Math.max(1, times.getMaxLoops());
    if (round == null || rounds < 1 || rounds > MOST_HOPS / round.size()) {
      return null;
    }
    List<Hop> hops = new ArrayList<>();
    for (int i = 1; i <= rounds; i++) {
      hops.addAll(round);
      if (emits && i < rounds) {
        hops.set(hops.size() - 1, hops.get(hops.size() - 1).andCounted());
      }
    }
    return new CountedLoop(hops, emits && loop.emitFirst);
  }

  /** The hops of one round; null if it has other steps. */
  private static List<Hop> round(Traversal.Admin<?, ?> repeated) {
    List<Hop> round = new ArrayList<>();
    @SuppressWarnings("rawtypes") // as the interface has it
    List<Step> steps = repeated.getSteps();
    for (Step<?, ?> step : steps) {
      if (step.getClass() == VertexStep.class && step.getLabels().isEmpty()) {
        VertexStep<?> hop = (VertexStep<?>) step;
        if (!hop.returnsVertex() || !Bg3VertexStepStrategy.isPlain(hop)) {
          return null;
        }
        round.add(new Hop(hop.getDirection(), hop.getEdgeLabels()));
      } else if (!(step instanceof RepeatStep.RepeatEndStep)
          && !(step instanceof NoOpBarrierStep && step.getLabels().isEmpty())) {
        return null;
      }
    }
    return round.isEmpty() ? null : round;
  }
}
