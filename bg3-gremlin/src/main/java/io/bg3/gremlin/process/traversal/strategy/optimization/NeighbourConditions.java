package io.bg3.gremlin.process.traversal.strategy.optimization;

import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.HasStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;

/**
 * The conditions directly behind a hop which its step can test on the records of the neighbours:
 * those of a {@code has} without a label that is on labels and properties alone and whose
 * predicates are TinkerPop's own.
 */
final class NeighbourConditions {
  private NeighbourConditions() {}

  /**
   * Removes the conditions from the traversal of a hop, none if its step cannot test them. A
   * function that splits sacks would not be called for a neighbour that misses one, so they stay
   * then.
   */
  static List<HasContainer> take(VertexStep<?> hop, Traversal.Admin<?, ?> root) {
    if (!(hop.getNextStep() instanceof HasStep<?> has)
        || root.getSideEffects().getSackSplitter() != null
        || has.getClass() != HasStep.class
        || !has.getLabels().isEmpty()
        || !has.getHasContainers().stream().allMatch(NeighbourConditions::isTestedOnRecord)) {
      return List.of();
    }
    List<HasContainer> conditions = List.copyOf(has.getHasContainers());
    hop.getTraversal().removeStep(has);
    return conditions;
  }

  private static boolean isTestedOnRecord(HasContainer condition) {
    String key = condition.getKey();
    return condition.getClass() == HasContainer.class
        && key != null
        && (key.equals(T.label.getAccessor()) || !Graph.Hidden.isHidden(key))
        && SteadyPredicates.has(condition);
  }
}
