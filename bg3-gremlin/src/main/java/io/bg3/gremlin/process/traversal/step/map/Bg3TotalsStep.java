package io.bg3.gremlin.process.traversal.step.map;

import io.bg3.gremlin.process.traversal.step.util.ReadMetrics;
import io.bg3.gremlin.process.traversal.step.util.StepReads;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.Profiling;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.AbstractStep;
import org.apache.tinkerpop.gremlin.process.traversal.util.FastNoSuchElementException;
import org.apache.tinkerpop.gremlin.process.traversal.util.MutableMetrics;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/**
 * A step at the start of a traversal that emits one answer, which it makes of the totals of the
 * vertices or edges.
 *
 * @param <S> what comes in: nothing
 * @param <E> the answer
 */
abstract class Bg3TotalsStep<S, E> extends AbstractStep<S, E> implements Profiling {
  private static final long serialVersionUID = 1L;

  private final Class<? extends Element> elementClass;
  private final Set<String> wantedLabels;
  private boolean done;

  /** Answers for elements of a class with one of these labels; null for all elements. */
  Bg3TotalsStep(
      Traversal.Admin<?, ?> traversal, Class<? extends Element> elementClass, Set<String> labels) {
    super(traversal);
    this.elementClass = elementClass;
    wantedLabels = labels;
  }

  /**
   * The answer.
   *
   * @param elements whose totals are asked for
   * @param wanted each once; null for all
   */
  abstract E answer(StepReads graph, Class<? extends Element> elements, Set<String> wanted);

  @Override
  protected Traverser.Admin<E> processNextStart() throws NoSuchElementException {
    if (done) {
      throw FastNoSuchElementException.instance();
    }
    done = true;
    StepReads graph = (StepReads) getTraversal().getGraph().orElseThrow();
    return generated(answer(graph, elementClass, wantedLabels));
  }

  @SuppressWarnings({
    "rawtypes",
    "unchecked"
  }) // the generator wants a step that takes what it gives
  private Traverser.Admin<E> generated(E answer) {
    return getTraversal().getTraverserGenerator().generate(answer, (Step) this, 1L);
  }

  /** Shows that no element is read. */
  @Override
  public void setMetrics(MutableMetrics metrics) {
    metrics.setAnnotation(ReadMetrics.ANNOTATION, 0L);
  }

  @Override
  public void reset() {
    super.reset();
    done = false;
  }

  @Override
  public String toString() {
    List<Object> shown = new ArrayList<>();
    shown.add(elementClass.getSimpleName().toLowerCase(Locale.ROOT));
    if (wantedLabels != null && wantedLabels.isEmpty()) {
      shown.add("none");
    } else if (wantedLabels != null) {
      shown.addAll(wantedLabels);
    }
    return StringFactory.stepString(this, shown.toArray());
  }

  @Override
  public int hashCode() {
    return Objects.hash(super.hashCode(), elementClass, wantedLabels);
  }
}
