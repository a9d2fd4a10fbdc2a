package io.bg3.gremlin.process.traversal.step.filter;

import io.bg3.gremlin.process.traversal.step.util.StepReads;
import java.util.ArrayList;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.DropStep;
import org.apache.tinkerpop.gremlin.process.traversal.util.FastNoSuchElementException;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/**
 * {@code drop()} behind a {@code V()}: takes some vertices at a time and removes them with all
 * their edges, in their order, so that what the removals read is read together.
 *
 * <p>The removal of one vertex must not change whether the next ones come. It calls no listeners,
 * so it does not stand where events are wanted.
 */
public final class Bg3DropVerticesStep extends DropStep<Vertex> {
  private static final long serialVersionUID = 1L;

  /** Vertices that are taken at a time. */
  private static final int GROUP = 64;

  /** A step that removes each vertex that comes. */
  public Bg3DropVerticesStep(Traversal.Admin<?, ?> traversal) {
    super(traversal);
  }

  @Override
  protected Traverser.Admin<Vertex> processNextStart() {
    StepReads graph = (StepReads) getTraversal().getGraph().orElseThrow();
    List<Vertex> group = new ArrayList<>();
    while (starts.hasNext()) {
      group.add(starts.next().get());
      if (group.size() == GROUP) {
        graph.removeVertices(group);
        group.clear();
      }
    }
    graph.removeVertices(group);
    throw FastNoSuchElementException.instance();
  }
}
