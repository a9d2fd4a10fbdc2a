package io.bg3.gremlin.process.traversal.strategy.optimization;

import java.util.List;
import java.util.stream.Stream;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.TraversalParent;
import org.apache.tinkerpop.gremlin.process.traversal.step.branch.RepeatStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.NoOpBarrierStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.EmptyStep;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;

/**
 * Where a step stands: between which others, barriers without a label aside, and how it stands to
 * loops.
 */
final class StepPlace {
  private StepPlace() {}

  /** The step behind another one and the barriers behind that. */
  static Step<?, ?> afterBarriers(Step<?, ?> step) {
    Step<?, ?> next = step.getNextStep();
    while (next instanceof NoOpBarrierStep && next.getLabels().isEmpty()) {
      next = next.getNextStep();
    }
    return next;
  }

  /** The step in front of another one and the barriers in front of that. */
  static Step<?, ?> beforeBarriers(Step<?, ?> step) {
    Step<?, ?> before = step.getPreviousStep();
    while (before instanceof NoOpBarrierStep && before.getLabels().isEmpty()) {
      before = before.getPreviousStep();
    }
    return before;
  }

  /** Removes what stands between two steps. */
  static void removeUpTo(Step<?, ?> from, Step<?, ?> to) {
    while (from.getNextStep() != to) {
      from.getTraversal().removeStep(from.getNextStep());
    }
  }

  /**
   * Puts a step in the place of another one, as TinkerPop's {@code replaceStep} does, which
   * compares the hashes of steps to find it.
   */
  @SuppressWarnings({"rawtypes", "unchecked"}) // a step is replaced raw
  static void replace(Step<?, ?> old, Step<?, ?> by) {
    Traversal.Admin traversal = old.getTraversal();
    List<Step> steps = traversal.getSteps();
    int index = 0;
    while (steps.get(index) != old) {
      index++;
    }
    traversal.removeStep(index);
    traversal.addStep(index, by);
  }

  /** Whether a step is part of a loop. Equal traversers that wait there are merged. */
  static boolean isRepeated(Step<?, ?> step) {
    Step<?, ?> parent = step.getTraversal().getParent().asStep();
    while (!(parent instanceof EmptyStep || parent instanceof RepeatStep)) {
      parent = parent.getTraversal().getParent().asStep();
    }
    return parent instanceof RepeatStep;
  }

  /** Whether a step takes its traversers from a loop. Loops that are unrolled are none. */
  static boolean isBehindLoop(Step<?, ?> step) {
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
}
