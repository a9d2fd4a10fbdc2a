package io.bg3.gremlin.process.traversal.step.filter;

import io.bg3.gremlin.process.traversal.step.util.NeighbourLookup;
import io.bg3.gremlin.process.traversal.step.util.StepReads;
import io.bg3.gremlin.process.traversal.step.util.TraverserGroup;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.FilterStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.process.traversal.traverser.TraverserRequirement;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/**
 * {@code where(out(labels).has(...))}: lets the vertices pass that have a neighbour which meets
 * some conditions.
 *
 * <p>The step takes groups of traversers ({@link TraverserGroup}), looks up the neighbours of all
 * in one call, and tests each neighbour once, however many vertices have it. Where the condition
 * names one id, a vertex that comes alone is asked by a look-up for each label, and where it names
 * a few, so is a vertex with too many neighbours for a group.
 *
 * <p>Where reading ahead could be noticed, each traverser is a group of its own.
 */
public final class Bg3NeighbourFilterStep extends FilterStep<Vertex> {
  private static final long serialVersionUID = 1L;

  private final Direction direction;
  private final String[] edgeLabels;
  private final List<HasContainer> conditions;
  private final Collection<?> ids;
  private boolean grouped;
  private TraverserGroup<Vertex> heads = new TraverserGroup<>();
  private transient NeighbourLookup group;

  /**
   * @param edgeLabels of the edges, at least one
   * @param conditions on the neighbour, of which each answers the same whenever it is asked
   * @param ids by which every vertex is found that meets the only condition; null if it is not on a
   *     few ids
   */
  public Bg3NeighbourFilterStep(
      Traversal.Admin<?, ?> traversal,
      Direction direction,
      String[] edgeLabels,
      List<HasContainer> conditions,
      Collection<?> ids) {
    super(traversal);
    assert edgeLabels.length > 0;
    assert ids == null || conditions.size() == 1 : conditions;
    this.direction = direction;
    this.edgeLabels = edgeLabels.clone();
    this.conditions = List.copyOf(conditions);
    this.ids = ids == null ? null : List.copyOf(ids);
  }

  /** Says that nobody notices if it takes several traversers at once. */
  public void takeTogether() {
    grouped = true;
  }

  @Override
  protected Traverser.Admin<Vertex> processNextStart() {
    while (true) {
      if (!heads.next()) {
        readGroup();
      }
      Traverser.Admin<Vertex> traverser = heads.get(heads.current());
      if (filter(traverser)) {
        return traverser;
      }
    }
  }

  /** Takes the next traversers, at least one; throws NoSuchElementException if there is none. */
  private void readGroup() {
    try {
      heads.take(starts, grouped);
      if (isTogether()) {
        if (group == null) {
          group = graph().neighbours(direction, NeighbourLookup.Use.NEIGHBOURS, edgeLabels);
        }
        group.clear();
        for (int i = 0; i < heads.size(); i++) {
          group.add(((Traverser<?>) heads.get(i)).get());
        }
        group.lookUp(false);
      }
    } catch (RuntimeException e) { // also when there is no traverser any more
      heads.clear();
      group = null;
      throw e;
    }
  }

  /** Whether the neighbours are looked up in a group, and not by an id alone. */
  private boolean isTogether() {
    return heads.size() > 1 || (grouped && (ids == null || ids.size() > 1));
  }

  private StepReads graph() {
    return (StepReads) getTraversal().getGraph().orElseThrow();
  }

  @Override
  protected boolean filter(Traverser.Admin<Vertex> traverser) {
    int head = heads.current();
    if (isTogether() && (ids == null || group.isHeld(head))) {
      return group.anyNeighbour(head, this::test);
    }
    Vertex vertex = traverser.get();
    Graph graph = getTraversal().getGraph().orElseThrow();
    if (ids == null || vertex.graph() != graph) {
      return anyMatch(vertex.vertices(direction, edgeLabels));
    }
    Iterator<Vertex> others =
        ids.isEmpty() ? Collections.emptyIterator() : graph.vertices(ids.toArray());
    while (others.hasNext()) {
      Vertex other = others.next();
      if (test(other) && isNeighbour((StepReads) graph, vertex, other)) {
        return true;
      }
    }
    return false;
  }

  private boolean test(Vertex other) {
    return HasContainer.testAll(other, conditions);
  }

  private boolean anyMatch(Iterator<Vertex> neighbours) {
    try {
      while (neighbours.hasNext()) {
        if (test(neighbours.next())) {
          return true;
        }
      }
      return false;
    } finally {
      CloseableIterator.closeIterator(neighbours);
    }
  }

  private boolean isNeighbour(StepReads graph, Vertex vertex, Vertex other) {
    for (String label : edgeLabels) {
      if ((direction != Direction.IN && graph.hasEdge(vertex, label, other, Direction.OUT))
          || (direction != Direction.OUT && graph.hasEdge(other, label, vertex, Direction.IN))) {
        return true;
      }
    }
    return false;
  }

  @Override
  public Set<TraverserRequirement> getRequirements() {
    return Set.of(TraverserRequirement.OBJECT);
  }

  /** Keeps what it knows of neighbours: a step of a child is reset for each traverser. */
  @Override
  public void reset() {
    super.reset();
    heads = new TraverserGroup<>();
  }

  @Override
  public String toString() {
    List<Object> shown = new ArrayList<>(List.of(direction, Arrays.asList(edgeLabels)));
    shown.addAll(conditions);
    return StringFactory.stepString(this, shown.toArray());
  }

  @Override
  public int hashCode() {
    return Objects.hash(super.hashCode(), direction, Arrays.hashCode(edgeLabels), conditions);
  }

  @Override
  public Bg3NeighbourFilterStep clone() {
    Bg3NeighbourFilterStep copy = (Bg3NeighbourFilterStep) super.clone();
    copy.heads = new TraverserGroup<>();
    copy.group = null;
    return copy;
  }
}
