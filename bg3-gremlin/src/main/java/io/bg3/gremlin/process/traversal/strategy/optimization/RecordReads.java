package io.bg3.gremlin.process.traversal.strategy.optimization;

import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.lambda.TokenTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.lambda.ValueTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.Barrier;
import org.apache.tinkerpop.gremlin.process.traversal.step.TraversalParent;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.HasStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.RangeGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.ElementMapStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.LabelStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.NoOpBarrierStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.PropertiesStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.PropertyMapStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.IdentityStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.EmptyStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.structure.T;

/**
 * Whether the steps behind a hop, or behind {@code V(ids)}, read the records of the vertices that
 * it gives.
 */
final class RecordReads {
  private RecordReads() {}

  /** Whether the step that follows reads a label or a property of each vertex that it takes. */
  static boolean follow(Step<?, ?> step) {
    return reads(after(step));
  }

  /**
   * Whether nearly all vertices that a step gives are taken. A limit may end the traversal after a
   * few of them, and the step around a child may want one result only, unless the child has a
   * barrier, such as {@code count()}: then this is false.
   */
  static boolean areTaken(Step<?, ?> given) {
    Step<?, ?> step = given.getNextStep();
    while (!(step instanceof EmptyStep)) {
      if (step instanceof RangeGlobalStep) {
        return false;
      }
      if (step instanceof Barrier && !(step instanceof NoOpBarrierStep)) {
        return true; // it takes all that there are
      }
      step = step.getNextStep();
    }
    return given.getTraversal().isRoot();
  }

  /** Whether a condition is on a label or a property. */
  static boolean isRead(HasContainer condition) {
    return !T.id.getAccessor().equals(condition.getKey());
  }

  private static Step<?, ?> after(Step<?, ?> given) {
    Step<?, ?> step = given.getNextStep();
    while (step instanceof NoOpBarrierStep || step instanceof IdentityStep) {
      step = step.getNextStep();
    }
    return step;
  }

  private static boolean reads(Step<?, ?> step) {
    if (step instanceof HasStep<?> has) {
      return has.getHasContainers().stream().anyMatch(RecordReads::isRead);
    }
    if (step instanceof TraversalParent parent
        && parent.getLocalChildren().stream().anyMatch(RecordReads::reads)) {
      return true;
    }
    return step instanceof PropertiesStep
        || step instanceof PropertyMapStep
        || step instanceof ElementMapStep
        || step instanceof LabelStep;
  }

  private static boolean reads(Traversal.Admin<?, ?> by) {
    return by instanceof ValueTraversal
        || (by instanceof TokenTraversal<?, ?> token && token.getToken() == T.label)
        || reads(by.getStartStep());
  }
}
