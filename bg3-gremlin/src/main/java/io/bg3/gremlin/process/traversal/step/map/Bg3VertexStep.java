package io.bg3.gremlin.process.traversal.step.map;

import io.bg3.gremlin.process.traversal.step.util.NeighbourLookup;
import io.bg3.gremlin.process.traversal.step.util.StepReads;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/**
 * {@code out}, {@code in} or {@code both}: takes a group of traversers from the step before, looks
 * up the neighbours of all in one call, and gives them traverser by traverser, as {@link
 * VertexStep} does. So results have the same order, and each is split from its own traverser, with
 * its path, sack, loops and bulk.
 *
 * <p>The first group is one traverser, and each group is twice as large as the one before, up to
 * {@value NeighbourLookup#MOST_VERTICES}: a traversal that ends early, as with {@code limit()}, has
 * read at most as many traversers ahead as it has used. An error of the step before is thrown where
 * {@link VertexStep} would throw it, behind the results of the traversers before it.
 *
 * <p>In front of {@code count()} the step makes neither vertices nor edges: it gives each traverser
 * once, with their number as a factor of its bulk. Then it also stands for {@code outE}, {@code
 * inE} and {@code bothE}, and for steps without edge labels.
 *
 * <p>Where reading ahead could be noticed, each traverser is a group of its own.
 *
 * @param <E> Vertex, or in front of {@code count()} also Edge
 */
public final class Bg3VertexStep<E extends Element> extends VertexStep<E> {
  private static final long serialVersionUID = 1L;

  private final boolean counts;
  private final boolean grouped;
  private List<Traverser.Admin<Vertex>> heads = new ArrayList<>();
  private int head;
  private int wanted = 1;
  private transient NeighbourLookup group;
  private transient Iterator<E> neighbours = Collections.emptyIterator();
  private transient RuntimeException failure;

  /**
   * Does what another step does.
   *
   * @param counts whether only the bulk of the results matters; else the step gives vertices
   * @param grouped whether it may take several traversers at once; then it has edge labels
   */
  public Bg3VertexStep(VertexStep<E> original, boolean counts, boolean grouped) {
    super(
        original.getTraversal(),
        original.getReturnClass(),
        original.getDirection(),
        original.getEdgeLabels());
    assert counts || original.returnsVertex() : original;
    assert !grouped || original.getEdgeLabels().length > 0 : original;
    this.counts = counts;
    this.grouped = grouped;
    original.getLabels().forEach(this::addLabel);
  }

  @Override
  protected Traverser.Admin<E> processNextStart() {
    return counts ? nextCounted() : nextNeighbour();
  }

  @SuppressWarnings("unchecked") // E is Vertex, unless the step counts
  private Traverser.Admin<E> nextNeighbour() {
    while (!neighbours.hasNext()) {
      nextHead();
      neighbours = heads.size() == 1 ? flatMap(heads.get(0)) : (Iterator<E>) group.neighbours(head);
    }
    return heads.get(head).split(neighbours.next(), this);
  }

  @SuppressWarnings("unchecked") // what the result holds does not matter: it is counted
  private Traverser.Admin<E> nextCounted() {
    while (true) {
      nextHead();
      Traverser.Admin<Vertex> counted = heads.get(head);
      long count = returnsVertex() ? group.count(head) : group.countEdges(head);
      if (count > 0) {
        Traverser.Admin<E> result = counted.split((E) counted.get(), this);
        result.setBulk(count * counted.bulk());
        return result;
      }
    }
  }

  private void nextHead() {
    if (Thread.interrupted()) {
      throw new TraversalInterruptedException();
    }
    if (++head >= heads.size()) {
      try {
        readGroup();
      } catch (RuntimeException e) { // also when there is no traverser any more
        heads.clear();
        group = null;
        throw e;
      }
    }
  }

  /** Takes the next traversers, at least one; throws NoSuchElementException if there is none. */
  private void readGroup() {
    heads.clear();
    head = 0;
    if (failure != null) {
      RuntimeException thrown = failure;
      failure = null;
      throw thrown;
    }
    heads.add(starts.next());
    readAhead();
    if (heads.size() > 1 || counts) {
      if (group == null) {
        StepReads graph = (StepReads) getTraversal().getGraph().orElseThrow();
        group = graph.neighbours(getDirection(), getEdgeLabels());
      }
      group.clear();
      for (Traverser.Admin<?> taken : heads) {
        group.add(taken.get());
      }
      group.lookUp();
    }
    wanted = grouped ? Math.min(2 * heads.size(), NeighbourLookup.MOST_VERTICES) : 1;
  }

  private void readAhead() {
    try {
      while (heads.size() < wanted && starts.hasNext()) {
        heads.add(starts.next());
      }
    } catch (TraversalInterruptedException | NoSuchElementException e) {
      throw e;
    } catch (RuntimeException e) {
      failure = e; // the results of the traversers before it come first
    }
  }

  @Override
  public void reset() {
    closeNeighbours();
    super.reset();
  }

  @Override
  public void close() {
    closeNeighbours();
  }

  private void closeNeighbours() {
    CloseableIterator.closeIterator(neighbours);
    forget();
  }

  private void forget() {
    heads = new ArrayList<>();
    head = 0;
    wanted = 1;
    group = null;
    neighbours = Collections.emptyIterator();
    failure = null;
  }

  @Override
  public String toString() {
    return counts
        ? StringFactory.stepString(
            this,
            getDirection(),
            Arrays.asList(getEdgeLabels()),
            returnsVertex() ? "vertex" : "edge",
            "count")
        : super.toString();
  }

  @Override
  public int hashCode() {
    return Objects.hash(super.hashCode(), counts, grouped);
  }

  @Override
  @SuppressWarnings("unchecked") // a clone is of its original's class
  public Bg3VertexStep<E> clone() {
    Bg3VertexStep<E> copy = (Bg3VertexStep<E>) super.clone();
    copy.forget();
    return copy;
  }
}
