package io.bg3.gremlin.process.traversal.step.map;

import io.bg3.gremlin.process.traversal.step.util.NeighbourLookup;
import io.bg3.gremlin.process.traversal.step.util.SeenVertices;
import io.bg3.gremlin.process.traversal.step.util.StepReads;
import io.bg3.gremlin.process.traversal.step.util.TraverserGroup;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.process.traversal.traverser.TraverserRequirement;
import org.apache.tinkerpop.gremlin.process.traversal.traverser.util.EmptyTraverser;
import org.apache.tinkerpop.gremlin.process.traversal.traverser.util.TraverserSet;
import org.apache.tinkerpop.gremlin.process.traversal.util.FastNoSuchElementException;
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
 * inE} and {@code bothE}. In front of {@code limit().count()} it also stands for {@code limit()},
 * or it counts no more than the limit for a traverser, and the limit cuts the bulk. In front of
 * {@code dedup().count()} it also stands for {@code dedup()}: it remembers the neighbours that it
 * has counted, until it is reset. In front of {@code dedup()} alone it does likewise, and makes a
 * vertex and a traverser for each different neighbour only.
 *
 * <p>In front of steps that read labels or properties of the neighbours it announces them to the
 * store, up to 256 at a time, which loads together what is not in memory. There it also stands for
 * a {@code has} directly behind it: a neighbour that misses a condition does not become an object.
 *
 * <p>Where reading ahead could be noticed, each traverser is a group of its own. At the beginning
 * of a loop a group has traversers of one round alone. The step keeps those that wait itself, and
 * merges equal ones as TinkerPop's steps do: what it gives comes into the next round, so none that
 * comes meanwhile is equal to one that it has taken.
 *
 * @param <E> Vertex, or in front of {@code count()} also Edge
 */
public final class Bg3VertexStep<E extends Element> extends VertexStep<E> {
  /** Stands for each neighbour, where a number limits them. */
  public static final long ALL = Long.MAX_VALUE;

  /** The traversers that the step takes together. */
  public enum Taken {
    /** One alone. */
    ONE,
    /** As many as come. */
    SEVERAL,
    /** Of those that were added to the step, which is the first one of a loop, those of a round. */
    ROUND
  }

  private static final long serialVersionUID = 1L;

  private final HopResults results;
  private final Taken taken;
  private final long most;
  private final List<HasContainer> conditions;
  private TraverserSet<Vertex> waiting; // null unless it takes rounds
  private TraverserGroup<Vertex> heads = new TraverserGroup<>();
  private transient NeighbourLookup group;
  private transient Iterator<E> neighbours = Collections.emptyIterator();
  private transient SeenVertices seen;
  private long left; // results that may still be counted, where the step limits them

  /**
   * Does what another step does.
   *
   * @param results what it gives: neighbours only in place of a step that gives vertices, different
   *     ones likewise
   * @param taken the traversers that it may take together
   * @param most with {@link HopResults#COUNT}, the number from which on it does not matter how many
   *     neighbours a traverser has; with {@link HopResults#COUNT_LIMITED} that of all results; else
   *     {@link #ALL}
   * @param conditions on labels and properties that a neighbour has to meet, of which each answers
   *     the same whenever it is asked; none unless neighbours are read or all of them are counted,
   *     and several traversers may be taken
   */
  public Bg3VertexStep(
      VertexStep<E> original,
      HopResults results,
      Taken taken,
      long most,
      List<HasContainer> conditions) {
    super(
        original.getTraversal(),
        original.getReturnClass(),
        original.getDirection(),
        original.getEdgeLabels());
    assert results.countsEdges() || original.returnsVertex() : original;
    assert taken != Taken.ONE || results == HopResults.NEIGHBOURS || results.counts() : original;
    assert most == ALL || results.countsEdges() : original;
    assert conditions.isEmpty()
        || results.areRead()
        || (results.counts() && original.returnsVertex() && most == ALL);
    this.results = results;
    this.taken = taken;
    this.most = most;
    this.conditions = List.copyOf(conditions);
    this.waiting = newWaiting();
    this.left = limit();
    original.getLabels().forEach(this::addLabel);
  }

  private long limit() {
    return results == HopResults.COUNT_LIMITED ? most : ALL;
  }

  /** The kind of its results. */
  public HopResults results() {
    return results;
  }

  /** Whether it may take several traversers at once. */
  public boolean isGrouped() {
    return taken != Taken.ONE;
  }

  /** As the traversal's steps keep traversers that were added to them. */
  @SuppressWarnings("unchecked") // a supplier makes sets of any traversers
  private TraverserSet<Vertex> newWaiting() {
    return taken == Taken.ROUND
        ? (TraverserSet<Vertex>) (TraverserSet<?>) getTraversal().getTraverserSetSupplier().get()
        : null;
  }

  @Override
  public void addStart(Traverser.Admin<Vertex> start) {
    if (waiting == null) {
      super.addStart(start);
    } else {
      waiting.add(start);
    }
  }

  @Override
  public void addStarts(Iterator<Traverser.Admin<Vertex>> added) {
    if (waiting == null) {
      super.addStarts(added);
    } else {
      added.forEachRemaining(waiting::add);
    }
  }

  @Override
  public boolean hasStarts() {
    return (waiting != null && !waiting.isEmpty()) || super.hasStarts();
  }

  /** The traversers of one round, of which there may be none; then those of the step before. */
  private final class Round implements Iterator<Traverser.Admin<Vertex>> {
    private Traverser.Admin<Vertex> first;

    @Override
    public boolean hasNext() {
      return first == null
          ? hasStarts()
          : !waiting.isEmpty() && waiting.peek().loops() == first.loops();
    }

    @Override
    public Traverser.Admin<Vertex> next() {
      Traverser.Admin<Vertex> next = waiting.isEmpty() ? starts.next() : waiting.remove();
      first = first == null ? next : first;
      return next;
    }
  }

  /**
   * As the super class has it, but no exception is thrown and caught to say that no traverser comes
   * any more: that takes as long as a look-up.
   */
  @Override
  public boolean hasNext() {
    return ((Traverser<?>) nextEnd != EmptyTraverser.instance() || !isAtEnd()) && super.hasNext();
  }

  private boolean isAtEnd() {
    if (left == 0) {
      return true;
    }
    if (neighbours.hasNext() || !heads.isAtEnd() || hasStarts()) {
      return false;
    }
    heads.clear();
    group = null;
    return true;
  }

  @Override
  protected Traverser.Admin<E> processNextStart() {
    return results.counts() ? nextCounted() : nextNeighbour();
  }

  @SuppressWarnings("unchecked") // E is Vertex, unless the step counts
  private Traverser.Admin<E> nextNeighbour() {
    while (!neighbours.hasNext()) {
      nextHead();
      neighbours =
          heads.size() == 1 && results == HopResults.NEIGHBOURS
              ? flatMap(heads.get(0))
              : (Iterator<E>) neighboursOf(heads.current());
    }
    Traverser.Admin<E> result = heads.get(heads.current()).split(neighbours.next(), this);
    if (results.areDifferent()) {
      result.setBulk(1);
    }
    return result;
  }

  private Iterator<Vertex> neighboursOf(int head) {
    return results.areDifferent() ? group.newNeighbours(head, seen()) : group.neighbours(head);
  }

  private SeenVertices seen() {
    if (seen == null) {
      seen = new SeenVertices();
    }
    return seen;
  }

  @SuppressWarnings("unchecked") // what the result holds does not matter: it is counted
  private Traverser.Admin<E> nextCounted() {
    if (left == 0) {
      throw FastNoSuchElementException.instance();
    }
    while (true) {
      nextHead();
      Traverser.Admin<Vertex> counted = heads.get(heads.current());
      long count = count();
      if (count > 0) {
        Traverser.Admin<E> result = counted.split((E) counted.get(), this);
        result.setBulk(bulk(count, counted.bulk()));
        return result;
      }
    }
  }

  private long bulk(long count, long bulk) {
    if (results == HopResults.COUNT_DIFFERENT) {
      return count;
    }
    long all = count * bulk;
    if (results == HopResults.COUNT_LIMITED) {
      all = Math.min(all, left);
      left -= all;
    }
    return all;
  }

  private long count() {
    int head = heads.current();
    if (results == HopResults.COUNT_DIFFERENT) {
      return group.countNew(head, seen());
    }
    return returnsVertex() ? group.count(head, most) : group.countEdges(head, most);
  }

  private NeighbourLookup.Use use() {
    if (!results.countsEdges()) {
      return results.areRead()
          ? NeighbourLookup.Use.NEIGHBOURS_TO_READ
          : NeighbourLookup.Use.NEIGHBOURS;
    }
    return returnsVertex() ? NeighbourLookup.Use.COUNTS : NeighbourLookup.Use.EDGE_COUNTS;
  }

  private void nextHead() {
    if (!heads.next()) {
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
    heads.take(waiting == null ? starts : new Round(), taken != Taken.ONE);
    if (heads.size() > 1 || results != HopResults.NEIGHBOURS) {
      if (group == null) {
        group = newGroup();
      }
      group.clear();
      for (int i = 0; i < heads.size(); i++) {
        group.add(((Traverser<?>) heads.get(i)).get());
      }
      group.lookUp(most != ALL);
    }
  }

  private NeighbourLookup newGroup() {
    StepReads graph = (StepReads) getTraversal().getGraph().orElseThrow();
    return conditions.isEmpty()
        ? graph.neighbours(getDirection(), use(), getEdgeLabels())
        : graph.neighbours(conditions, getDirection(), getEdgeLabels());
  }

  @Override
  public Set<TraverserRequirement> getRequirements() {
    return results.areDifferent()
        ? EnumSet.of(TraverserRequirement.OBJECT, TraverserRequirement.BULK)
        : super.getRequirements();
  }

  @Override
  public void reset() {
    closeNeighbours();
    super.reset();
    waiting = newWaiting();
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
    heads = new TraverserGroup<>();
    group = null;
    neighbours = Collections.emptyIterator();
    seen = null;
    left = limit();
  }

  @Override
  public String toString() {
    if (results == HopResults.NEIGHBOURS) {
      return super.toString();
    }
    List<Object> shown = new ArrayList<>(List.of(getDirection(), Arrays.asList(getEdgeLabels())));
    shown.add(returnsVertex() ? "vertex" : "edge");
    shown.add(shownResults());
    shown.addAll(conditions);
    return StringFactory.stepString(this, shown.toArray());
  }

  private String shownResults() {
    if (results == HopResults.COUNT_LIMITED) {
      return "limit " + most + ",count";
    }
    return most == ALL ? results.shown() : "count at most " + most;
  }

  @Override
  public int hashCode() {
    return Objects.hash(super.hashCode(), results, taken, most, conditions);
  }

  @Override
  @SuppressWarnings("unchecked") // a clone is of its original's class
  public Bg3VertexStep<E> clone() {
    Bg3VertexStep<E> copy = (Bg3VertexStep<E>) super.clone();
    copy.waiting = copy.newWaiting();
    copy.forget();
    return copy;
  }
}
