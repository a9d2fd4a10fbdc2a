package io.bg3.gremlin.process.traversal.step.filter;

import io.bg3.gremlin.process.traversal.step.util.StepReads;
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
 * {@code where(out(labels).hasId(ids))}: lets the vertices pass that have a neighbour with one of
 * these ids, by a look-up for each id and label, however many neighbours a vertex has.
 */
public final class Bg3NeighbourFilterStep extends FilterStep<Vertex> {
  private static final long serialVersionUID = 1L;

  private final Direction direction;
  private final String[] edgeLabels;
  private final HasContainer condition;
  private final Collection<?> ids;

  /**
   * @param edgeLabels of the edges, at least one
   * @param condition on the id of the neighbour
   * @param ids by which every vertex is found that meets the condition
   */
  public Bg3NeighbourFilterStep(
      Traversal.Admin<?, ?> traversal,
      Direction direction,
      String[] edgeLabels,
      HasContainer condition,
      Collection<?> ids) {
    super(traversal);
    assert edgeLabels.length > 0;
    this.direction = direction;
    this.edgeLabels = edgeLabels.clone();
    this.condition = condition;
    this.ids = List.copyOf(ids);
  }

  @Override
  protected boolean filter(Traverser.Admin<Vertex> traverser) {
    Vertex vertex = traverser.get();
    Graph graph = getTraversal().getGraph().orElseThrow();
    if (vertex.graph() != graph) {
      return anyMatch(vertex.vertices(direction, edgeLabels));
    }
    Iterator<Vertex> others =
        ids.isEmpty() ? Collections.emptyIterator() : graph.vertices(ids.toArray());
    while (others.hasNext()) {
      Vertex other = others.next();
      if (condition.test(other) && isNeighbour((StepReads) graph, vertex, other)) {
        return true;
      }
    }
    return false;
  }

  private boolean anyMatch(Iterator<Vertex> neighbours) {
    try {
      while (neighbours.hasNext()) {
        if (condition.test(neighbours.next())) {
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

  @Override
  public String toString() {
    return StringFactory.stepString(this, direction, Arrays.asList(edgeLabels), condition);
  }

  @Override
  public int hashCode() {
    return Objects.hash(super.hashCode(), direction, Arrays.hashCode(edgeLabels), condition);
  }
}
