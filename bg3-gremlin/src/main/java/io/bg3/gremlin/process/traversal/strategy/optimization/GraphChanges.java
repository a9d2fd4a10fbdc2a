package io.bg3.gremlin.process.traversal.strategy.optimization;

import java.util.ArrayList;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.Mutating;
import org.apache.tinkerpop.gremlin.process.traversal.step.TraversalParent;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.DropStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.FilterStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.AddElementStepContract;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.NoOpBarrierStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.PropertiesStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.AddPropertyStepContract;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.IdentityStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;
import org.apache.tinkerpop.gremlin.structure.T;

/**
 * What a traversal may change of the elements that one of its steps has yet to give, so that it
 * matters whether their properties are looked at when the step begins or later. Elements that are
 * added do not matter: a step does not give those that were added when it had begun.
 *
 * <p>Where only the elements change that the step has given, each behind the step and in front of
 * the next one, nothing is changed that it has yet to give.
 */
final class GraphChanges {
  private static final int REMOVES = 1;
  private static final int SETS = 1 << 1;
  private static final int PARENT = 1 << 2;

  /** The kinds of each class of steps, remembered because nearly every traversal is looked at. */
  private static final ClassValue<Integer> KINDS =
      new ClassValue<>() {
        @Override
        protected Integer computeValue(Class<?> step) {
          return kinds(step);
        }
      };

  private GraphChanges() {}

  private static int kinds(Class<?> step) {
    boolean changes =
        Mutating.class.isAssignableFrom(step)
            && !AddElementStepContract.class.isAssignableFrom(step);
    int kinds = changes ? REMOVES : 0;
    kinds |= changes && !DropStep.class.isAssignableFrom(step) ? SETS : 0;
    return kinds | (TraversalParent.class.isAssignableFrom(step) ? PARENT : 0);
  }

  /** Whether a step of the traversal may remove such elements, or remove or set properties. */
  static boolean reach(Step<?, ?> given) {
    return reach(given, REMOVES | SETS);
  }

  /** Whether a step of the traversal may change any element. */
  static boolean happen(Step<?, ?> given) {
    return !found(given, REMOVES | SETS).isEmpty();
  }

  /** Whether a step of the traversal may set properties of such elements. */
  static boolean set(Step<?, ?> given) {
    return reach(given, SETS);
  }

  /** Whether an element may meet a condition at one time and not at another. */
  static boolean mayChange(HasContainer condition) {
    String key = condition.getKey();
    return !T.id.getAccessor().equals(key) && !T.label.getAccessor().equals(key);
  }

  private static boolean reach(Step<?, ?> given, int kinds) {
    List<Step<?, ?>> found = found(given, kinds);
    return !found.isEmpty() && !(given.getTraversal().isRoot() && areBehind(given, found));
  }

  private static List<Step<?, ?>> found(Step<?, ?> given, int kinds) {
    List<Step<?, ?>> found = new ArrayList<>(0);
    find(TraversalHelper.getRootTraversal(given.getTraversal()), kinds, found);
    return found;
  }

  @SuppressWarnings("rawtypes") // as the interface has it
  private static void find(Traversal.Admin<?, ?> traversal, int kinds, List<Step<?, ?>> found) {
    for (Step step : traversal.getSteps()) {
      int known = KINDS.get(step.getClass());
      if ((known & kinds) != 0) {
        found.add(step);
      }
      if ((known & PARENT) != 0) {
        TraversalParent parent = (TraversalParent) step;
        parent.getLocalChildren().forEach(child -> find(child, kinds, found));
        parent.getGlobalChildren().forEach(child -> find(child, kinds, found));
      }
    }
  }

  /** Whether these steps change only the elements that come from a step, or their properties. */
  private static boolean areBehind(Step<?, ?> given, List<Step<?, ?>> changes) {
    int behind = 0;
    Step<?, ?> step = given.getNextStep();
    while (step instanceof FilterStep
        || step instanceof NoOpBarrierStep
        || step instanceof IdentityStep
        || step instanceof PropertiesStep
        || step instanceof AddPropertyStepContract) {
      behind += changes.contains(step) ? 1 : 0;
      step = step.getNextStep();
    }
    return behind == changes.size();
  }
}
