package io.bg3.server.guard;

import io.bg3.gremlin.structure.Bg3Graph;
import java.util.List;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.computer.traversal.step.VertexComputing;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.Mutating;
import org.apache.tinkerpop.gremlin.process.traversal.step.ReadWriting;
import org.apache.tinkerpop.gremlin.process.traversal.step.TraversalParent;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.CallStepContract;

/**
 * Finds steps in a compiled query that may change its graph:
 *
 * <ul>
 *   <li>a step that adds, changes or removes elements;
 *   <li>{@code io()}, and a program of a graph computer;
 *   <li>{@code call()} of a service that is not known to change nothing;
 *   <li>a step that is neither TinkerPop's nor BG3's, of which nothing is known.
 * </ul>
 *
 * <p>A lambda could change the graph, too, but no query of a client has one ({@link AllowList}).
 *
 * <p>Every query is looked at, so what the class of a step says is remembered.
 *
 * <p>Threads: any.
 */
public final class WritingSteps {
  private static final int WRITES = 1;
  private static final int CALLS = 1 << 1;
  private static final int HAS_CHILDREN = 1 << 2;

  /** The steps that {@link ValueLimit} adds. */
  private static final Set<Class<?>> CHECKS =
      Set.of(ResultCheck.class, ValueCheck.class, InterruptibleWeight.class);

  private static final ClassValue<Integer> KINDS =
      new ClassValue<>() {
        @Override
        protected Integer computeValue(Class<?> type) {
          return kinds(type);
        }
      };

  private WritingSteps() {}

  /**
   * Whether a query has such a step, at any depth.
   *
   * @param query a traversal whose strategies have been applied: a strategy may add a step
   * @param graph whose services the query calls
   */
  public static boolean areIn(Traversal.Admin<?, ?> query, Bg3Graph graph) {
    @SuppressWarnings("rawtypes") // as the interface has it
    List<Step> steps = query.getSteps();
    for (int i = 0; i < steps.size(); i++) {
      Step<?, ?> step = steps.get(i);
      int kinds = KINDS.get(step.getClass());
      if (kinds != 0 && mayWrite(step, kinds, graph)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a step of this class may write, whatever its arguments are. */
  static boolean mayWrite(Class<?> step) {
    return !isKnown(step)
        || is(step, Mutating.class)
        || is(step, ReadWriting.class)
        || is(step, VertexComputing.class);
  }

  private static int kinds(Class<?> step) {
    int kinds = 0;
    kinds |= mayWrite(step) ? WRITES : 0;
    kinds |= is(step, CallStepContract.class) ? CALLS : 0;
    kinds |= is(step, TraversalParent.class) ? HAS_CHILDREN : 0;
    return kinds;
  }

  private static boolean isKnown(Class<?> step) {
    return step.getName().startsWith("org.apache.tinkerpop.gremlin.process.")
        || step.getName().startsWith("io.bg3.gremlin.process.")
        || CHECKS.contains(step);
  }

  private static boolean is(Class<?> step, Class<?> kind) {
    return kind.isAssignableFrom(step);
  }

  private static boolean mayWrite(Step<?, ?> step, int kinds, Bg3Graph graph) {
    return (kinds & WRITES) != 0
        || ((kinds & CALLS) != 0
            && !graph.onlyReads(((CallStepContract<?, ?>) step).getServiceName()))
        || ((kinds & HAS_CHILDREN) != 0 && areInChildren((TraversalParent) step, graph));
  }

  private static boolean areInChildren(TraversalParent parent, Bg3Graph graph) {
    return areIn(parent.getLocalChildren(), graph) || areIn(parent.getGlobalChildren(), graph);
  }

  private static boolean areIn(List<? extends Traversal.Admin<?, ?>> children, Bg3Graph graph) {
    for (Traversal.Admin<?, ?> child : children) {
      if (areIn(child, graph)) {
        return true;
      }
    }
    return false;
  }
}
