package io.bg3.gremlin.process.traversal.step.map;

import io.bg3.gremlin.process.traversal.step.util.ReadMetrics;
import io.bg3.gremlin.process.traversal.step.util.StepReads;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.Profiling;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.AbstractStep;
import org.apache.tinkerpop.gremlin.process.traversal.util.FastNoSuchElementException;
import org.apache.tinkerpop.gremlin.process.traversal.util.MutableMetrics;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/**
 * Emits the number of vertices or edges, with one label or with any: a total of the store, not a
 * scan.
 *
 * @param <S> what comes in: nothing
 */
public final class Bg3CountGlobalStep<S> extends AbstractStep<S, Long> implements Profiling {
  private static final long serialVersionUID = 1L;

  private final Class<? extends Element> elementClass;
  private final String label;
  private boolean done;

  /** Counts elements of a class with a label, null for any. */
  public Bg3CountGlobalStep(
      Traversal.Admin<?, ?> traversal, Class<? extends Element> elementClass, String label) {
    super(traversal);
    this.elementClass = elementClass;
    this.label = label;
  }

  @Override
  protected Traverser.Admin<Long> processNextStart() throws NoSuchElementException {
    if (done) {
      throw FastNoSuchElementException.instance();
    }
    done = true;
    StepReads graph = (StepReads) getTraversal().getGraph().orElseThrow();
    return generated(graph.count(elementClass, label));
  }

  @SuppressWarnings({
    "rawtypes",
    "unchecked"
  }) // the generator wants a step that takes what it gives
  private Traverser.Admin<Long> generated(Long count) {
    return getTraversal()
        .getTraverserGenerator()
        .generate(count, (org.apache.tinkerpop.gremlin.process.traversal.Step) this, 1L);
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
    String kind = elementClass.getSimpleName().toLowerCase(Locale.ROOT);
    return label == null
        ? StringFactory.stepString(this, kind)
        : StringFactory.stepString(this, kind, label);
  }

  @Override
  public int hashCode() {
    return Objects.hash(super.hashCode(), elementClass, label);
  }
}
