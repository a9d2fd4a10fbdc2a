package io.bg3.gremlin.process.traversal.step.filter;

import io.bg3.gremlin.process.traversal.step.util.Hop;
import io.bg3.gremlin.process.traversal.step.util.StepReads;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.DropStep;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/**
 * {@code outE().drop()}, {@code inE().drop()} or {@code bothE().drop()}: removes the edges of each
 * vertex while one scan of the store shows them, in the order in which {@code outE()} would give
 * them. No edge becomes an object, and none is looked up to see whether it exists.
 *
 * <p>It calls no listeners, so it does not stand where events are wanted.
 */
public final class Bg3DropStep extends DropStep<Vertex> {
  private static final long serialVersionUID = 1L;

  private final Hop edges;

  /** A step that removes these edges of each vertex that comes. */
  public Bg3DropStep(Traversal.Admin<?, ?> traversal, Hop edges) {
    super(traversal);
    this.edges = edges;
  }

  @Override
  protected boolean filter(Traverser.Admin<Vertex> traverser) {
    StepReads graph = (StepReads) getTraversal().getGraph().orElseThrow();
    graph.removeEdges(traverser.get(), edges.direction(), edges.labels());
    return false;
  }

  @Override
  public String toString() {
    return StringFactory.stepString(this, edges.direction(), edges.shownLabels(), "edge");
  }

  @Override
  public int hashCode() {
    return super.hashCode() ^ edges.hashCode();
  }
}
