package io.bg3.gremlin.process.traversal.step.map;

import io.bg3.gremlin.process.traversal.step.util.EdgeSelection;
import io.bg3.gremlin.process.traversal.step.util.StepReads;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Objects;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStep;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/**
 * {@code outE} with one label that leaves out edges which the steps behind it would drop: those
 * that miss a condition on the property by which the label is ordered, and those that are not among
 * the first where {@code order()} and {@code limit()} follow. The steps behind it stay, so it may
 * give more edges than they need, and gives them in the order in which {@link VertexStep} does.
 */
public final class Bg3EdgeStep extends VertexStep<Edge> {
  private static final long serialVersionUID = 1L;

  private final EdgeSelection wanted;

  /** Does what another step does, for steps behind it to which only some edges matter. */
  public Bg3EdgeStep(VertexStep<Edge> original, EdgeSelection wanted) {
    super(original.getTraversal(), Edge.class, Direction.OUT, original.getEdgeLabels());
    assert original.returnsEdge() && original.getDirection() == Direction.OUT : original;
    assert original.getEdgeLabels().length == 1 : original;
    this.wanted = wanted;
    original.getLabels().forEach(this::addLabel);
  }

  @Override
  protected Iterator<Edge> flatMap(Traverser.Admin<Vertex> traverser) {
    StepReads graph = (StepReads) getTraversal().getGraph().orElseThrow();
    return graph.edges(traverser.get(), getEdgeLabels()[0], wanted);
  }

  @Override
  public void close() {
    closeIterator();
  }

  @Override
  public String toString() {
    return StringFactory.stepString(
        this, getDirection(), Arrays.asList(getEdgeLabels()), "edge", wanted);
  }

  @Override
  public int hashCode() {
    return Objects.hash(super.hashCode(), wanted);
  }
}
