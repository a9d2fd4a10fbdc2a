package io.bg3.gremlin.process.traversal.step.map;

import io.bg3.gremlin.process.traversal.step.util.StepReads;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.structure.Element;

/**
 * Emits the number of vertices or edges for each label, or for each of some labels, that an element
 * has: from totals of the store, without a scan.
 *
 * @param <S> what comes in: nothing
 */
public final class Bg3GroupCountStep<S> extends Bg3TotalsStep<S, Map<String, Long>> {
  private static final long serialVersionUID = 1L;

  /** Counts elements of a class with these labels; null for all. */
  public Bg3GroupCountStep(
      Traversal.Admin<?, ?> traversal, Class<? extends Element> elementClass, Set<String> labels) {
    super(traversal, elementClass, labels);
  }

  @Override
  Map<String, Long> answer(StepReads graph, Class<? extends Element> elements, Set<String> wanted) {
    if (wanted == null) {
      return graph.countByLabel(elements);
    }
    Map<String, Long> counts = new HashMap<>();
    for (String label : wanted) {
      long count = graph.count(elements, label);
      if (count > 0) {
        counts.put(label, count);
      }
    }
    return counts;
  }
}
