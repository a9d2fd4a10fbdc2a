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
import org.apache.tinkerpop.gremlin.structure.T;

/** Whether the steps behind a hop read the records of nearly all vertices that it gives. */
final class NeighbourReads {
  private NeighbourReads() {}

  /**
   * Whether labels or properties of the vertices are read by the step that follows a hop. A limit
   * may end the traversal after a few of them, and the step around a child may want one result
   * only, unless the child has a barrier, such as {@code count()}: then this is false.
   */
  static boolean follow(Step<?, ?> hop) {
    if (!reads(after(hop))) {
      return false;
    }
    Step<?, ?> step = hop.getNextStep();
    while (!(step instanceof EmptyStep)) {
      if (step instanceof RangeGlobalStep) {
        return false;
      }
      if (step instanceof Barrier && !(step instanceof NoOpBarrierStep)) {
        return true; // it takes all that there are
      }
      step = step.getNextStep();
    }
    return hop.getTraversal().isRoot();
  }

  private static Step<?, ?> after(Step<?, ?> hop) {
    Step<?, ?> step = hop.getNextStep();
    while (step instanceof NoOpBarrierStep || step instanceof IdentityStep) {
      step = step.getNextStep();
    }
    return step;
  }

  private static boolean reads(Step<?, ?> step) {
    if (step instanceof HasStep<?> has) {
      return has.getHasContainers().stream()
          .anyMatch(condition -> !T.id.getAccessor().equals(condition.getKey()));
    }
    if (step instanceof TraversalParent parent
        && parent.getLocalChildren().stream().anyMatch(NeighbourReads::reads)) {
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
