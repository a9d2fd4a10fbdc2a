package io.bg3.gremlin.process.traversal.step.sideEffect;

import io.bg3.gremlin.structure.Bg3Graph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import org.apache.tinkerpop.gremlin.process.traversal.Compare;
import org.apache.tinkerpop.gremlin.process.traversal.Contains;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.step.HasContainerHolder;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GraphStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.process.traversal.util.AndP;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/**
 * {@code V()} or {@code E()} with the {@code has} steps behind it folded in. Ids become look-ups;
 * labels are compared by code before a record is decoded; the other conditions are tested on the
 * elements that are left, one after the other, so that a limit behind it ends the scan.
 *
 * @param <S> what comes in, where it stands in the middle of a traversal
 * @param <E> Vertex or Edge
 */
public final class Bg3GraphStep<S, E extends Element> extends GraphStep<S, E>
    implements HasContainerHolder<S, E>, AutoCloseable {
  private static final long serialVersionUID = 1L;

  private List<HasContainer> hasContainers = new ArrayList<>();

  /** A step that answers what {@code original} does. */
  public Bg3GraphStep(GraphStep<S, E> original) {
    super(
        original.getTraversal(), original.getReturnClass(), original.isStartStep(), ids(original));
    if (original.getIds() == null) {
      addIds(Collections.emptyList()); // a condition on ids that nothing meets
    }
    original.getLabels().forEach(this::addLabel);
    setIteratorSupplier(this::elements);
  }

  private static Object[] ids(GraphStep<?, ?> original) {
    return original.getIds() == null ? new Object[0] : original.getIds();
  }

  @SuppressWarnings("unchecked") // E is Vertex or Edge, as the return class says
  private Iterator<E> elements() {
    Bg3Graph graph = (Bg3Graph) getTraversal().getGraph().orElseThrow();
    if (ids == null) {
      return Collections.emptyIterator();
    }
    if (!returnsVertex()) {
      return (Iterator<E>) passing(graph.edges(ids));
    }
    return (Iterator<E>) (ids.length > 0 ? passing(graph.vertices(ids)) : vertices(graph));
  }

  private Iterator<Vertex> vertices(Bg3Graph graph) {
    List<String> labels = List.of();
    List<HasContainer> others = new ArrayList<>();
    for (HasContainer container : hasContainers) {
      List<String> named = labels.isEmpty() ? labels(container) : null;
      if (named == null) {
        others.add(container);
      } else {
        labels = named;
      }
    }
    return graph.allVertices(labels, vertex -> HasContainer.testAll(vertex, others));
  }

  /** The labels of which a condition wants one, null if it wants something else. */
  private static List<String> labels(HasContainer container) {
    if (!T.label.getAccessor().equals(container.getKey())) {
      return null;
    }
    P<?> predicate = container.getPredicate();
    if (predicate.getBiPredicate() == Compare.eq && predicate.getValue() instanceof String label) {
      return List.of(label);
    }
    if (predicate.getBiPredicate() == Contains.within
        && predicate.getValue() instanceof Collection<?> labels
        && !labels.isEmpty()
        && labels.stream().allMatch(label -> label instanceof String)) {
      return labels.stream().map(label -> (String) label).toList();
    }
    return null;
  }

  private <X extends Element> Iterator<X> passing(Iterator<X> elements) {
    return hasContainers.isEmpty()
        ? elements
        : new PassingIterator<>(elements, element -> HasContainer.testAll(element, hasContainers));
  }

  @Override
  public List<HasContainer> getHasContainers() {
    return Collections.unmodifiableList(hasContainers);
  }

  @Override
  public void addHasContainer(HasContainer hasContainer) {
    if (hasContainer.getPredicate() instanceof AndP<?> and) {
      for (P<?> predicate : and.getPredicates()) {
        addHasContainer(new HasContainer(hasContainer.getKey(), predicate));
      }
    } else {
      hasContainers.add(hasContainer);
    }
  }

  @Override
  public void reset() {
    close();
    super.reset();
  }

  @Override
  public Bg3GraphStep<S, E> clone() {
    @SuppressWarnings("unchecked") // a clone is of its original's class
    Bg3GraphStep<S, E> copy = (Bg3GraphStep<S, E>) super.clone();
    copy.hasContainers = new ArrayList<>(hasContainers);
    copy.setIteratorSupplier(copy::elements);
    return copy;
  }

  @Override
  public String toString() {
    String kind = returnClass.getSimpleName().toLowerCase(Locale.ROOT);
    if (hasContainers.isEmpty()) {
      return super.toString();
    }
    return ids == null || ids.length == 0
        ? StringFactory.stepString(this, kind, hasContainers)
        : StringFactory.stepString(this, kind, Arrays.toString(ids), hasContainers);
  }

  @Override
  public int hashCode() {
    return super.hashCode() ^ hasContainers.hashCode();
  }
}
