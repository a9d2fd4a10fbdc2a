package io.bg3.gremlin.process.traversal.strategy.optimization;

import org.apache.tinkerpop.gremlin.process.traversal.Compare;
import org.apache.tinkerpop.gremlin.process.traversal.Contains;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Text;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.process.traversal.util.ConnectiveP;

/** The predicates of which it is known that they answer the same whenever they are asked. */
final class SteadyPredicates {
  private SteadyPredicates() {}

  /** Whether a condition says the same of a value whenever it is asked. */
  static boolean has(HasContainer condition) {
    return isSteady(condition.getPredicate());
  }

  /** Whether a predicate is TinkerPop's own. */
  private static boolean isSteady(P<?> predicate) {
    if (predicate instanceof ConnectiveP<?> several) {
      return several.getPredicates().stream().allMatch(each -> isSteady(each));
    }
    return predicate.getBiPredicate() instanceof Compare
        || predicate.getBiPredicate() instanceof Contains
        || predicate.getBiPredicate() instanceof Text;
  }
}
