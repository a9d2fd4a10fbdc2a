package io.bg3.gremlin.process.traversal.step.sideEffect;

import io.bg3.core.graph.Sought;
import io.bg3.core.record.VertexId;
import io.bg3.gremlin.process.traversal.step.util.ReadMetrics;
import io.bg3.gremlin.process.traversal.step.util.StepReads;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.apache.tinkerpop.gremlin.process.traversal.Compare;
import org.apache.tinkerpop.gremlin.process.traversal.Contains;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.step.HasContainerHolder;
import org.apache.tinkerpop.gremlin.process.traversal.step.Profiling;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GraphStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.process.traversal.util.MutableMetrics;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/**
 * {@code V()} or {@code E()} with the {@code has} steps behind it folded in. Ids become look-ups;
 * so does the condition that a property index answers, of several the one with the fewest entries.
 * Labels are compared by code before a record is decoded; the other conditions are tested on the
 * elements that are left, one after the other, so that a limit behind it ends the scan. A vertex
 * that an index has named is tested with all conditions: an index knows less of a value than its
 * class does.
 *
 * <p>A condition is kept as the query states it. In particular {@code has(key, gt(1).and(lt(5)))}
 * is not two conditions: of a property with several values one value has to meet both.
 *
 * @param <S> what comes in, where it stands in the middle of a traversal
 * @param <E> Vertex or Edge
 */
public final class Bg3GraphStep<S, E extends Element> extends GraphStep<S, E>
    implements HasContainerHolder<S, E>, Profiling, AutoCloseable {
  private static final long serialVersionUID = 1L;

  /** Below this every whole number has a float of its own, and no larger one is rounded to it. */
  private static final double EXACT_FLOAT = 1 << 24;

  /** Entries of a condition are counted up to this number, to choose between several. */
  private static final int MOST_COUNTED = 256;

  /** A condition with so few entries is taken without a look at the others. */
  private static final int FEW = 2;

  private List<HasContainer> hasContainers = new ArrayList<>();

  /** The condition that gave the ids, null if the query named them itself. */
  private HasContainer idCondition;

  private ReadMetrics read = ReadMetrics.UNPROFILED;

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
    Graph graph = getTraversal().getGraph().orElseThrow();
    if (ids == null) {
      return Collections.emptyIterator();
    }
    if (!returnsVertex()) {
      return (Iterator<E>) passing(graph.edges(ids));
    }
    return (Iterator<E>)
        (ids.length > 0 ? passing(graph.vertices(ids)) : vertices((StepReads) graph));
  }

  private Iterator<Vertex> vertices(StepReads graph) {
    HasContainer byLabel = labelCondition();
    List<String> labels = byLabel == null ? List.of() : labels(byLabel);
    List<HasContainer> others = new ArrayList<>(hasContainers);
    others.remove(byLabel);
    Predicate<Vertex> test = vertex -> HasContainer.testAll(vertex, others);
    for (Candidate candidate : byEntries(graph, labels, candidates(others))) {
      String key = candidate.key;
      Iterator<Vertex> found =
          graph.indexedVertices(labels, key, candidate.sought, test, read::add);
      if (found != null) {
        read.setIndex(() -> graph.indexes(labels, key));
        return found;
      }
    }
    return graph.allVertices(labels, test, read::add);
  }

  /** The first condition that names labels; null if there is none. */
  private HasContainer labelCondition() {
    for (HasContainer container : hasContainers) {
      if (labels(container) != null) {
        return container;
      }
    }
    return null;
  }

  /** A condition on a property that an index may answer. */
  private record Candidate(String key, Sought sought) {}

  /** The conditions that an index may answer, those first that fewer vertices may meet. */
  private static List<Candidate> candidates(List<HasContainer> containers) {
    List<Candidate> candidates = new ArrayList<>(containers.size());
    for (HasContainer container : containers) {
      Sought sought = SoughtValues.of(container);
      if (sought != null) {
        candidates.add(new Candidate(container.getKey(), sought));
      }
    }
    candidates.sort(Comparator.comparingInt(candidate -> candidate.sought.width()));
    return candidates;
  }

  /**
   * Conditions with that first which has the fewest index entries, as far as they are counted; the
   * others stay as they are.
   */
  private static List<Candidate> byEntries(
      StepReads graph, List<String> labels, List<Candidate> candidates) {
    Candidate best = null;
    int fewest = MOST_COUNTED;
    for (int i = 0; candidates.size() > 1 && i < candidates.size() && fewest > FEW; i++) {
      Candidate candidate = candidates.get(i);
      int count = graph.countEntries(labels, candidate.key, candidate.sought, fewest);
      if (count >= 0 && (best == null || count < fewest)) {
        best = candidate;
        fewest = count;
      }
    }
    if (best != null) {
      candidates.remove(best);
      candidates.add(0, best);
    }
    return candidates;
  }

  /** The names of the indexes by which this may look for vertices, for people. */
  private List<String> indexes() {
    if (!returnsVertex()
        || ids == null
        || ids.length > 0
        || !(getTraversal().getGraph().orElse(null) instanceof StepReads graph)) {
      return List.of();
    }
    HasContainer byLabel = labelCondition();
    List<String> labels = byLabel == null ? List.of() : labels(byLabel);
    Set<String> names = new LinkedHashSet<>();
    for (Candidate candidate : candidates(hasContainers)) {
      names.addAll(graph.indexes(labels, candidate.key));
    }
    return List.copyOf(names);
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
    P<?> predicate = condition.getPredicate();
    Set<Object> sought = new LinkedHashSet<>();
    if (predicate.getBiPredicate() == Compare.eq) {
      sought.add(predicate.getValue());
    } else if (predicate.getBiPredicate() == Contains.within
        && predicate.getValue() instanceof Collection<?> values) {
      sought.addAll(values);
    } else {
      return false;
    }
    if (!sought.stream().allMatch(Bg3GraphStep::isFoundByLookUp)) {
      return false;
    }
    Set<Object> once = new LinkedHashSet<>();
    sought.forEach(id -> once.add(id == null ? null : VertexId.sought(id)));
    once.remove(null);
    idCondition = condition;
    addIds(new ArrayList<>(once));
    return true;
  }

  /** Whether a look-up finds every element whose id equals this value. */
  public static boolean isFoundByLookUp(Object id) {
    if (id instanceof Double || id instanceof Float) {
      return Math.abs(((Number) id).doubleValue()) < EXACT_FLOAT; // false for NaN, too
    }
    return id == null
        || id instanceof String
        || id instanceof UUID
        || id instanceof Long
        || id instanceof Integer
        || id instanceof Short
        || id instanceof Byte
        || id instanceof BigInteger
        || id instanceof BigDecimal;
  }

  @Override
  public void setMetrics(MutableMetrics metrics) {
    read = new ReadMetrics(metrics);
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
    if (hasContainers.isEmpty()) {
      return super.toString();
    }
    List<String> indexes = indexes();
    if (!indexes.isEmpty()) {
      return StringFactory.stepString(
          this, kind, hasContainers, "index=" + String.join(",", indexes));
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
