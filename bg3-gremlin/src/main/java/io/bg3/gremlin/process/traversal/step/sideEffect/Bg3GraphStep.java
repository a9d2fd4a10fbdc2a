package io.bg3.gremlin.process.traversal.step.sideEffect;

import io.bg3.core.graph.Condition;
import io.bg3.gremlin.process.traversal.step.util.AccessHolder;
import io.bg3.gremlin.process.traversal.step.util.ReadMetrics;
import io.bg3.gremlin.process.traversal.step.util.SoughtIds;
import io.bg3.gremlin.process.traversal.step.util.SoughtValues;
import io.bg3.gremlin.process.traversal.step.util.StepReads;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.tinkerpop.gremlin.process.traversal.Compare;
import org.apache.tinkerpop.gremlin.process.traversal.Contains;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.HasContainerHolder;
import org.apache.tinkerpop.gremlin.process.traversal.step.Profiling;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GraphStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.process.traversal.traverser.util.EmptyTraverser;
import org.apache.tinkerpop.gremlin.process.traversal.util.MutableMetrics;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/**
 * {@code V()} or {@code E()} with the {@code has} steps behind it folded in. Ids become look-ups;
 * so do the conditions that a property index answers, of several ways that with the fewest entries.
 * Labels are compared by code before a record is decoded; the other conditions are tested on the
 * elements that are left, one after the other, so that a limit behind it ends the scan. A vertex
 * that an index has named is tested with all conditions: an index knows less of a value than its
 * class does.
 *
 * <p>A condition is kept as the query states it. In particular {@code has(key, gt(1).and(lt(5)))}
 * is not two conditions: of a property with several values one value has to meet both.
 *
 * <p>Where the traversal may change elements that the step has yet to give, it finds all of them
 * first, as TinkerGraph does: else it would miss those that cease to meet a condition, and give
 * those that come to meet it.
 *
 * <p>An {@code or} behind it stays where it is. If an index answers each of its alternatives, the
 * elements are looked up for one after the other, and each comes once.
 *
 * @param <S> what comes in, where it stands in the middle of a traversal
 * @param <E> Vertex or Edge
 */
public final class Bg3GraphStep<S, E extends Element> extends GraphStep<S, E>
    implements HasContainerHolder<S, E>, Profiling, AccessHolder, AutoCloseable {
  private static final long serialVersionUID = 1L;

  private static final String ALL_VERTICES = "all vertices";
  private static final String ALL_EDGES = "all edges";

  private List<HasContainer> hasContainers = new ArrayList<>();

  /** The condition that gave the ids, null if the query named them itself. */
  private HasContainer idCondition;

  /** The alternatives of the {@code or} behind this, all conditions of one in a list. */
  private List<List<HasContainer>> alternatives = List.of();

  /** Whether the label or a property of each vertex is read that it looks up by its id. */
  private boolean readsElements;

  /** The most elements that it finds before it gives the first one; 0 if it need not find any. */
  private long foundFirst;

  private ReadMetrics read = ReadMetrics.UNPROFILED;

  /** The indexes by which it has found elements last; null if by none. */
  private transient List<String> usedIndexes;

  /** The elements that it gives; null before it looks for them. */
  private transient Iterator<E> given;

  /** The elements that it has scanned last; null if none. */
  private transient String scanned;

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

  /**
   * As the super class has it, but no exception is thrown and caught to say that there are no more
   * elements: that takes as long as a look-up.
   */
  @Override
  public boolean hasNext() {
    return ((Traverser<?>) nextEnd != EmptyTraverser.instance() || !isAtEnd()) && super.hasNext();
  }

  private boolean isAtEnd() {
    return isStart && done && given != null && !given.hasNext();
  }

  private Iterator<E> elements() {
    given = null;
    given = foundFirst == 0 ? found() : ((StepReads) graph()).collected(found(), foundFirst);
    return given;
  }

  private Graph graph() {
    return getTraversal().getGraph().orElseThrow();
  }

  @SuppressWarnings("unchecked") // E is Vertex or Edge, as the return class says
  private Iterator<E> found() {
    Graph graph = graph();
    usedIndexes = null;
    scanned = null;
    if (ids == null) {
      return Collections.emptyIterator();
    }
    if (!returnsVertex()) {
      return (Iterator<E>)
          (ids.length > 0 ? passing(graph.edges(ids)) : edges(graph, (StepReads) graph));
    }
    return (Iterator<E>) (ids.length > 0 ? passing(byIds(graph)) : vertices((StepReads) graph));
  }

  private Iterator<Vertex> byIds(Graph graph) {
    return readsElements ? ((StepReads) graph).verticesToRead(ids) : graph.vertices(ids);
  }

  private Iterator<Vertex> vertices(StepReads graph) {
    Iterator<Vertex> found = byIndexes(graph, conditions -> indexedVertices(graph, conditions));
    if (found != null) {
      return found;
    }
    setScan(ALL_VERTICES);
    HasContainer byLabel = labelCondition(hasContainers);
    return graph.allVertices(labels(byLabel), test(without(byLabel, hasContainers)), read::add);
  }

  private Iterator<Edge> edges(Graph graph, StepReads reads) {
    Iterator<Edge> found = byIndexes(reads, conditions -> indexedEdges(reads, conditions));
    if (found != null) {
      return found;
    }
    setScan(ALL_EDGES);
    return passing(graph.edges());
  }

  private Iterator<Vertex> indexedVertices(StepReads graph, List<HasContainer> all) {
    HasContainer byLabel = labelCondition(all);
    List<HasContainer> others = without(byLabel, all);
    List<Condition> conditions = SoughtValues.conditions(others);
    return conditions.isEmpty()
        ? null
        : graph.indexedVertices(
            labels(byLabel), conditions, test(others), read::add, this::addIndexes);
  }

  private Iterator<Edge> indexedEdges(StepReads graph, List<HasContainer> all) {
    List<Condition> conditions = SoughtValues.conditions(all);
    return conditions.isEmpty()
        ? null
        : graph.indexedEdges(
            labels(labelCondition(all)), conditions, test(all), read::add, this::addIndexes);
  }

  /**
   * The elements that indexes find.
   *
   * @param lookUp finds those that meet all of some conditions, null if no index answers them
   * @return null if no index answers what is asked here
   */
  private <X extends Element> Iterator<X> byIndexes(
      StepReads graph, Function<List<HasContainer>, Iterator<X>> lookUp) {
    if (!answersAlternatives(graph)) {
      return lookUp.apply(hasContainers);
    }
    List<Iterator<X>> found = new ArrayList<>(alternatives.size());
    for (List<HasContainer> alternative : alternatives) {
      Iterator<X> one = lookUp.apply(with(alternative));
      if (one == null) { // the index was dropped just now
        found.forEach(CloseableIterator::closeIterator);
        usedIndexes = null;
        return null;
      }
      found.add(one);
    }
    return new OnceIterator<>(found);
  }

  /** Whether there is an index for each alternative, without the conditions on all elements. */
  private boolean answersAlternatives(StepReads graph) {
    return !alternatives.isEmpty()
        && alternatives.stream()
            .allMatch(
                alternative ->
                    !indexes(graph, labels(labelCondition(with(alternative))), alternative)
                        .isEmpty());
  }

  private List<String> indexes(
      StepReads graph, List<String> labels, List<HasContainer> containers) {
    return graph.indexes(getReturnClass(), labels, SoughtValues.conditions(containers));
  }

  /** The conditions on all elements, and those of an alternative. */
  private List<HasContainer> with(List<HasContainer> alternative) {
    List<HasContainer> all = new ArrayList<>(hasContainers);
    all.addAll(alternative);
    return all;
  }

  private static List<HasContainer> without(HasContainer left, List<HasContainer> containers) {
    List<HasContainer> others = new ArrayList<>(containers);
    others.remove(left);
    return others;
  }

  private static <X extends Element> Predicate<X> test(List<HasContainer> containers) {
    return element -> HasContainer.testAll(element, containers);
  }

  private void addIndexes(List<String> names) {
    Set<String> all = new LinkedHashSet<>(usedIndexes == null ? List.of() : usedIndexes);
    all.addAll(names);
    usedIndexes = List.copyOf(all);
    read.addIndexes(names);
  }

  private void setScan(String elements) {
    scanned = elements;
    read.setScan(elements);
  }

  @Override
  public String access() {
    if (usedIndexes != null) {
      return ReadMetrics.INDEX + "=" + String.join(",", usedIndexes);
    }
    return scanned == null ? null : ReadMetrics.SCAN + "=" + scanned;
  }

  /** The first condition that names labels; null if there is none. */
  private static HasContainer labelCondition(List<HasContainer> containers) {
    for (HasContainer container : containers) {
      if (!labels(container).isEmpty()) {
        return container;
      }
    }
    return null;
  }

  /** The indexes by which this looks for elements, for people; empty if it does not. */
  private List<String> shownAccess() {
    if (ids == null
        || ids.length > 0
        || !(getTraversal().getGraph().orElse(null) instanceof StepReads graph)) {
      return List.of();
    }
    List<String> names = indexes(graph);
    if (names.isEmpty()) {
      return List.of();
    }
    String index = ReadMetrics.INDEX + "=" + String.join(",", names);
    return answersAlternatives(graph)
        ? List.of("alternatives=" + alternatives.size(), index)
        : List.of(index);
  }

  /**
   * The indexes by which this looks for elements now, for people: {@code index=} and their names;
   * null if there are none.
   */
  public String shownIndexes() {
    List<String> access = shownAccess();
    return access.isEmpty() ? null : access.get(access.size() - 1);
  }

  private List<String> indexes(StepReads graph) {
    if (!answersAlternatives(graph)) {
      return indexes(graph, labels(labelCondition(hasContainers)), hasContainers);
    }
    Set<String> names = new LinkedHashSet<>();
    for (List<HasContainer> alternative : alternatives) {
      List<HasContainer> all = with(alternative);
      names.addAll(indexes(graph, labels(labelCondition(all)), all));
    }
    return List.copyOf(names);
  }

  /** The labels of which a condition wants one; none if it is null or wants something else. */
  private static List<String> labels(HasContainer container) {
    if (container == null || !T.label.getAccessor().equals(container.getKey())) {
      return List.of();
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
    return List.of();
  }

  private <X extends Element> Iterator<X> passing(Iterator<X> elements) {
    return new FilteringIterator<>(elements, this::passes);
  }

  private boolean passes(Element element) {
    read.add(1);
    return (idCondition == null || idCondition.test(element))
        && HasContainer.testAll(element, hasContainers);
  }

  /**
   * Looks elements up by their ids instead of reading all, if this condition is on ids and nothing
   * else names ids yet. The elements found are still tested with the condition, which knows fewer
   * forms of an id than a look-up does.
   *
   * @return false if the condition is not of that kind, and has to be added as any other
   */
  public boolean lookUp(HasContainer condition) {
    if (ids == null || ids.length > 0 || !T.id.getAccessor().equals(condition.getKey())) {
      return false;
    }
    List<Object> sought = SoughtIds.of(condition.getPredicate());
    if (sought == null) {
      return false;
    }
    idCondition = condition;
    addIds(sought);
    return true;
  }

  /**
   * Says that only elements are wanted which meet all conditions of one of these lists; a step
   * behind this tests so itself.
   */
  public void setAlternatives(List<List<HasContainer>> groups) {
    alternatives = List.copyOf(groups);
  }

  /**
   * Says that this step, or one behind it, reads the label or a property of each vertex that it
   * looks up by its id.
   */
  public void readElements() {
    readsElements = true;
  }

  /**
   * Says that the traversal may change elements that this step has yet to give.
   *
   * @param most elements that are asked for; not negative
   */
  public void findFirst(long most) {
    foundFirst = Math.max(most, 1);
  }

  @Override
  public void setMetrics(MutableMetrics metrics) {
    countInto(new ReadMetrics(metrics));
  }

  /** Has this step count what it reads into the metrics of another, of which it is a part. */
  public void countInto(ReadMetrics metrics) {
    read = metrics;
  }

  @Override
  public List<HasContainer> getHasContainers() {
    return Collections.unmodifiableList(hasContainers);
  }

  @Override
  public void addHasContainer(HasContainer hasContainer) {
    hasContainers.add(hasContainer);
  }

  @Override
  public void reset() {
    close();
    given = null;
    super.reset();
  }

  @Override
  public Bg3GraphStep<S, E> clone() {
    @SuppressWarnings("unchecked") // a clone is of its original's class
    Bg3GraphStep<S, E> copy = (Bg3GraphStep<S, E>) super.clone();
    copy.hasContainers = new ArrayList<>(hasContainers);
    copy.read = ReadMetrics.UNPROFILED;
    copy.setIteratorSupplier(copy::elements);
    return copy;
  }

  @Override
  public String toString() {
    String kind = returnClass.getSimpleName().toLowerCase(Locale.ROOT);
    List<String> access = shownAccess();
    if (!access.isEmpty()) {
      List<Object> shown = new ArrayList<>(List.of(kind, hasContainers));
      shown.addAll(access);
      return StringFactory.stepString(this, shown.toArray());
    }
    if (hasContainers.isEmpty()) {
      return super.toString();
    }
    return ids == null || ids.length == 0
        ? StringFactory.stepString(this, kind, hasContainers)
        : StringFactory.stepString(this, kind, Arrays.toString(ids), hasContainers);
  }

  @Override
  public int hashCode() {
    return super.hashCode() ^ hasContainers.hashCode() ^ Objects.hashCode(idCondition);
  }
}
