package io.bg3.gremlin.process.traversal.step.map;

import io.bg3.gremlin.process.traversal.step.util.NeighbourLookup;
import io.bg3.gremlin.process.traversal.step.util.SeenVertices;
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
 * inE} and {@code bothE}. In front of {@code dedup().count()} it also stands for {@code dedup()}:
 * it remembers the neighbours that it has counted, until it is reset.
 *
 * <p>Where reading ahead could be noticed, each traverser is a group of its own.
 *
 * @param <E> Vertex, or in front of {@code count()} also Edge
 */
public final class Bg3VertexStep<E extends Element> extends VertexStep<E> {
  /** What the step gives. */
  public enum Results {
    /** Each neighbour. */
    NEIGHBOURS,
    /** Each traverser with the number of its neighbours or edges, in front of {@code count()}. */
    COUNT,
    /** As {@link #COUNT}, and each neighbour counts once: for {@code dedup().count()}. */
    COUNT_DIFFERENT
  }

  private static final long serialVersionUID = 1L;

  private final Results results;
  private final boolean grouped;
  private List<Traverser.Admin<Vertex>> heads = new ArrayList<>();
  private int head;
  private int wanted = 1;
  private transient NeighbourLookup group;
  private transient Iterator<E> neighbours = Collections.emptyIterator();
  private transient RuntimeException failure;
  private transient SeenVertices seen;

  /**
   * Does what another step does.
   *
   * @param results what it gives: neighbours only in place of a step that gives vertices, different
   *     ones likewise
   * @param grouped whether it may take several traversers at once
   */
  public Bg3VertexStep(VertexStep<E> original, Results results, boolean grouped) {
    super(
        original.getTraversal(),
        original.getReturnClass(),
        original.getDirection(),
        original.getEdgeLabels());
    assert results == Results.COUNT || original.returnsVertex() : original;
    this.results = results;
    this.grouped = grouped;
    original.getLabels().forEach(this::addLabel);
  }

  @Override
  protected Traverser.Admin<E> processNextStart() {
    return counts() ? nextCounted() : nextNeighbour();
  }

  private boolean counts() {
    return results != Results.NEIGHBOURS;
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
      long count = count();
      if (count > 0) {
        Traverser.Admin<E> result = counted.split((E) counted.get(), this);
        result.setBulk(results == Results.COUNT ? count * counted.bulk() : count);
        return result;
      }
    }
  }

  private long count() {
    if (results == Results.COUNT_DIFFERENT) {
      if (seen == null) {
        seen = new SeenVertices();
      }
      return group.countNew(head, seen);
    }
    return returnsVertex() ? group.count(head) : group.countEdges(head);
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
    if (heads.size() > 1 || counts()) {
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
    seen = null;
  }

  @Override
  public String toString() {
    if (!counts()) {
      return super.toString();
    }
    return StringFactory.stepString(
        this,
        getDirection(),
        Arrays.asList(getEdgeLabels()),
        returnsVertex() ? "vertex" : "edge",
        results == Results.COUNT ? "count" : "dedup,count");
  }

  @Override
  public int hashCode() {
    return Objects.hash(super.hashCode(), results, grouped);
  }

  @Override
  @SuppressWarnings("unchecked") // a clone is of its original's class
  public Bg3VertexStep<E> clone() {
    Bg3VertexStep<E> copy = (Bg3VertexStep<E>) super.clone();
    copy.forget();
    return copy;
  }
}
