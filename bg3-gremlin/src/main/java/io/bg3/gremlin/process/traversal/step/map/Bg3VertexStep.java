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
import org.apache.tinkerpop.gremlin.process.traversal.traverser.util.TraverserSet;
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
 * inE} and {@code bothE}. In front of {@code limit().count()} it does so too, and counts no more
 * than the limit for a traverser; the limit cuts the bulk. In front of {@code dedup().count()} it
 * also stands for {@code dedup()}: it remembers the neighbours that it has counted, until it is
 * reset. In front of {@code dedup()} alone it does likewise, and makes a vertex and a traverser for
 * each different neighbour only.
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
  /** The kinds of results of this step. */
  public enum Results {
    /** Each neighbour. */
    NEIGHBOURS,
    /** Each neighbour, of which the steps behind read labels or properties. */
    NEIGHBOURS_TO_READ,
    /** Each neighbour once, with a bulk of 1: for {@code dedup()}. */
    DIFFERENT,
    /** Likewise, of which the steps behind read labels or properties. */
    DIFFERENT_TO_READ,
    /** Each traverser with the number of its neighbours or edges, in front of {@code count()}. */
    COUNT,
    /** As {@link #COUNT}, and each neighbour counts once: for {@code dedup().count()}. */
    COUNT_DIFFERENT;

    /** Whether the step counts. */
    public boolean counts() {
      return this == COUNT || this == COUNT_DIFFERENT;
    }

    /** Whether labels or properties of the results are read. */
    boolean areRead() {
      return this == NEIGHBOURS_TO_READ || this == DIFFERENT_TO_READ;
    }

    /** Whether the step gives each neighbour once. */
    boolean areDifferent() {
      return this == DIFFERENT || this == DIFFERENT_TO_READ;
    }

    /** The word for people; empty if the step gives each neighbour and no more. */
    String shown() {
      return switch (this) {
        case NEIGHBOURS -> "";
        case NEIGHBOURS_TO_READ -> "read";
        case DIFFERENT -> "dedup";
        case DIFFERENT_TO_READ -> "dedup,read";
        case COUNT -> "count";
        case COUNT_DIFFERENT -> "dedup,count";
      };
    }
  }

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

  private final Results results;
  private final Taken taken;
  private final long most;
  private final List<HasContainer> conditions;
  private TraverserSet<Vertex> waiting; // null unless it takes rounds
  private TraverserGroup<Vertex> heads = new TraverserGroup<>();
  private transient NeighbourLookup group;
  private transient Iterator<E> neighbours = Collections.emptyIterator();
  private transient SeenVertices seen;

  /**
   * Does what another step does.
   *
   * @param results what it gives: neighbours only in place of a step that gives vertices, different
   *     ones likewise
   * @param taken the traversers that it may take together
   * @param most with {@link Results#COUNT}, the number from which on it does not matter how many
   *     neighbours a traverser has; else {@link #ALL}
   * @param conditions on labels and properties that a neighbour has to meet, of which each answers
   *     the same whenever it is asked; none unless neighbours are read or all of them are counted,
   *     and several traversers may be taken
   */
  public Bg3VertexStep(
      VertexStep<E> original,
      Results results,
      Taken taken,
      long most,
      List<HasContainer> conditions) {
    super(
        original.getTraversal(),
        original.getReturnClass(),
        original.getDirection(),
        original.getEdgeLabels());
    assert results == Results.COUNT || original.returnsVertex() : original;
    assert taken != Taken.ONE || results == Results.NEIGHBOURS || results.counts() : original;
    assert most == ALL || results == Results.COUNT : original;
    assert conditions.isEmpty()
        || results.areRead()
        || (results.counts() && original.returnsVertex() && most == ALL);
    this.results = results;
    this.taken = taken;
    this.most = most;
    this.conditions = List.copyOf(conditions);
    this.waiting = newWaiting();
    original.getLabels().forEach(this::addLabel);
  }

  /** The kind of its results. */
  public Results results() {
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

  @Override
  protected Traverser.Admin<E> processNextStart() {
    return results.counts() ? nextCounted() : nextNeighbour();
  }

  @SuppressWarnings("unchecked") // E is Vertex, unless the step counts
  private Traverser.Admin<E> nextNeighbour() {
    while (!neighbours.hasNext()) {
      nextHead();
      neighbours =
          heads.size() == 1 && results == Results.NEIGHBOURS
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
    while (true) {
      nextHead();
      Traverser.Admin<Vertex> counted = heads.get(heads.current());
      long count = count();
      if (count > 0) {
        Traverser.Admin<E> result = counted.split((E) counted.get(), this);
        result.setBulk(results == Results.COUNT ? count * counted.bulk() : count);
        return result;
      }
    }
  }

  private long count() {
    int head = heads.current();
    if (results == Results.COUNT_DIFFERENT) {
      return group.countNew(head, seen());
    }
    return returnsVertex() ? group.count(head, most) : group.countEdges(head, most);
  }

  private NeighbourLookup.Use use() {
    if (results != Results.COUNT) {
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
    if (heads.size() > 1 || results != Results.NEIGHBOURS) {
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
  }

  @Override
  public String toString() {
    if (results == Results.NEIGHBOURS) {
      return super.toString();
    }
    List<Object> shown = new ArrayList<>(List.of(getDirection(), Arrays.asList(getEdgeLabels())));
    shown.add(returnsVertex() ? "vertex" : "edge");
    shown.add(most == ALL ? results.shown() : "count at most " + most);
    shown.addAll(conditions);
    return StringFactory.stepString(this, shown.toArray());
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
