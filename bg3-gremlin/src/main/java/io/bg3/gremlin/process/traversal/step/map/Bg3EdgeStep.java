package io.bg3.gremlin.process.traversal.step.map;

import io.bg3.core.graph.Condition;
import io.bg3.gremlin.process.traversal.step.util.AccessHolder;
import io.bg3.gremlin.process.traversal.step.util.EdgeReads;
import io.bg3.gremlin.process.traversal.step.util.EdgeSelection;
import io.bg3.gremlin.process.traversal.step.util.ReadMetrics;
import io.bg3.gremlin.process.traversal.step.util.StepReads;
import io.bg3.gremlin.process.traversal.step.util.TraverserGroup;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.Profiling;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.util.MutableMetrics;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/**
 * {@code outE}, {@code inE} or {@code bothE} that leaves out edges which the steps behind it would
 * drop: those that miss a condition on the property by which the label is ordered, or for which
 * there is an index of edges, and those that are not among the first where {@code order()} and
 * {@code limit()} follow. The steps behind it stay, so it may give more edges than they need. It
 * gives the edges of a vertex in the order in which {@link VertexStep} does, or in that of the
 * index by which it has found them.
 *
 * <p>Where nobody can notice it, the step takes a group of traversers from the step before, as
 * {@link Bg3VertexStep} does, and announces to the store that it is going to read their edges: the
 * store loads together what is not in memory.
 *
 * <p>In front of conditions and {@code count()} it stands for the conditions too: it gives each
 * traverser once, with the number of the edges that meet them as a factor of its bulk.
 */
public final class Bg3EdgeStep extends VertexStep<Edge> implements Profiling, AccessHolder {
  private static final long serialVersionUID = 1L;

  private final EdgeSelection wanted;
  private final boolean counts;
  private boolean together;
  private TraverserGroup<Vertex> heads = new TraverserGroup<>();
  private transient Iterator<Edge> found = Collections.emptyIterator();
  private ReadMetrics read = ReadMetrics.UNPROFILED;
  private transient EdgeReads edges; // null before the first vertex
  private transient Set<String> usedIndexes; // null if none was used

  /**
   * Does what another step does, for steps behind it to which only some edges matter.
   *
   * @param counts whether it counts the edges that meet the conditions, in front of {@code count()}
   */
  public Bg3EdgeStep(VertexStep<Edge> original, EdgeSelection wanted, boolean counts) {
    super(original.getTraversal(), Edge.class, original.getDirection(), original.getEdgeLabels());
    assert original.returnsEdge() : original;
    assert !counts || wanted.key() == null : wanted;
    this.wanted = wanted;
    this.counts = counts;
    original.getLabels().forEach(this::addLabel);
  }

  /** Lets the step take several traversers at once. */
  public void takeTogether() {
    together = true;
  }

  @Override
  protected Traverser.Admin<Edge> processNextStart() {
    return counts ? nextCounted() : nextEdge();
  }

  private Traverser.Admin<Edge> nextEdge() {
    while (!found.hasNext()) {
      CloseableIterator.closeIterator(found);
      found = Collections.emptyIterator();
      nextHead();
      found = flatMap(heads.get(heads.current()));
    }
    return heads.get(heads.current()).split(found.next(), this);
  }

  private void nextHead() {
    if (!heads.next()) {
      try {
        heads.take(starts, together);
        if (heads.size() > 1) {
          edges().announce(heads.size(), i -> ((Traverser<?>) heads.get(i)).get());
        }
      } catch (RuntimeException e) { // also when there is no traverser any more
        heads.clear();
        throw e;
      }
    }
  }

  @SuppressWarnings({"rawtypes", "unchecked"}) // what the result holds does not matter
  private Traverser.Admin<Edge> nextCounted() {
    while (true) {
      nextHead();
      Traverser.Admin<Vertex> start = heads.get(heads.current());
      long count = edges().count(start.get());
      if (count > 0) {
        Traverser.Admin result = start.split((Object) start.get(), (Step) this);
        result.setBulk(count * start.bulk());
        return result;
      }
    }
  }

  @Override
  protected Iterator<Edge> flatMap(Traverser.Admin<Vertex> traverser) {
    return wanted.isAll() ? super.flatMap(traverser) : edges().of(traverser.get());
  }

  private EdgeReads edges() {
    if (edges == null) {
      StepReads graph = (StepReads) getTraversal().getGraph().orElseThrow();
      edges = graph.edges(getDirection(), wanted, this::addIndexes, getEdgeLabels());
    }
    return edges;
  }

  private void addIndexes(List<String> names) {
    if (usedIndexes == null) {
      usedIndexes = new LinkedHashSet<>();
    }
    if (usedIndexes.addAll(names)) {
      read.addIndexes(names);
    }
  }

  @Override
  public void setMetrics(MutableMetrics metrics) {
    read = ReadMetrics.ofIndexes(metrics);
  }

  @Override
  public String access() {
    return usedIndexes == null ? null : ReadMetrics.INDEX + "=" + String.join(",", usedIndexes);
  }

  /** The indexes by which this may find edges now, for people. */
  private List<String> shownIndexes() {
    List<Condition> conditions = wanted.sought();
    return !conditions.isEmpty()
            && getTraversal().getGraph().orElse(null) instanceof StepReads graph
        ? graph.indexes(Edge.class, List.of(getEdgeLabels()), conditions)
        : List.of();
  }

  @Override
  public void reset() {
    close();
    super.reset();
    edges = null;
  }

  @Override
  public void close() {
    CloseableIterator.closeIterator(found);
    forget();
  }

  private void forget() {
    heads = new TraverserGroup<>();
    found = Collections.emptyIterator();
  }

  @Override
  public String toString() {
    List<Object> shown =
        new ArrayList<>(List.of(getDirection(), Arrays.asList(getEdgeLabels()), "edge"));
    if (!wanted.isAll()) {
      shown.add(wanted);
    }
    if (counts) {
      shown.add("count");
    }
    List<String> indexes = shownIndexes();
    if (!indexes.isEmpty()) {
      shown.add(ReadMetrics.INDEX + "=" + String.join(",", indexes));
    }
    return StringFactory.stepString(this, shown.toArray());
  }

  @Override
  public Bg3EdgeStep clone() {
    Bg3EdgeStep copy = (Bg3EdgeStep) super.clone();
    copy.read = ReadMetrics.UNPROFILED;
    copy.forget();
    copy.edges = null;
    copy.usedIndexes = null;
    return copy;
  }

  @Override
  public int hashCode() {
    return Objects.hash(super.hashCode(), wanted, counts, together);
  }
}
