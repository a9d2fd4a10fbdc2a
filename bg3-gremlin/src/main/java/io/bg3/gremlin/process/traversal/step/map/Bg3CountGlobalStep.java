package io.bg3.gremlin.process.traversal.step.map;

import io.bg3.gremlin.process.traversal.step.util.StepReads;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.structure.Element;

/**
 * Emits the number of vertices or edges, with some labels or with any: from totals of the store,
 * without a scan.
 *
 * @param <S> what comes in: nothing
 */
public final class Bg3CountGlobalStep<S> extends Bg3TotalsStep<S, Long> {
  private static final long serialVersionUID = 1L;

  /** Counts elements of a class with one of these labels; null counts all. */
  public Bg3CountGlobalStep(
      Traversal.Admin<?, ?> traversal, Class<? extends Element> elementClass, Set<String> labels) {
    super(traversal, elementClass, labels);
  }

  /** An element has one label here, so that none is counted twice. */
  @Override
  Long answer(StepReads graph, Class<? extends Element> elements, Set<String> wanted) {
    if (wanted == null) {
      return graph.count(elements, null);
    }
    long count = 0;
    for (String label : wanted) {
      count += graph.count(elements, label);
    }
    return count;
  }
}
