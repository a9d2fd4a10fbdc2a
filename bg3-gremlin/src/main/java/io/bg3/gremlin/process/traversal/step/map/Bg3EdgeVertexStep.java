package io.bg3.gremlin.process.traversal.step.map;

import io.bg3.gremlin.process.traversal.step.util.StepReads;
import io.bg3.gremlin.process.traversal.step.util.TraverserGroup;
import java.util.Collections;
import java.util.Iterator;
import java.util.function.BooleanSupplier;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.EdgeVertexStep;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/**
 * {@code outV}, {@code inV} or {@code bothV} in front of steps that read labels or properties of
 * the vertices: takes a group of traversers from the step before, as {@link Bg3VertexStep} does,
 * and announces to the store that the vertices at these ends are going to be read, so that what is
 * not in memory is loaded together. It gives the vertices as {@link EdgeVertexStep} does. An edge
 * that the transaction removes after the group was taken has no ends any more, as for a step that
 * takes its traversers one by one.
 */
public final class Bg3EdgeVertexStep extends EdgeVertexStep {
  private static final long serialVersionUID = 1L;

  private TraverserGroup<Edge> heads = new TraverserGroup<>();
  private transient Iterator<Vertex> ends = Collections.emptyIterator();
  private transient BooleanSupplier unchanged; // since the group was taken; null before

  /** Does what another step does. */
  public Bg3EdgeVertexStep(EdgeVertexStep original) {
    super(original.getTraversal(), original.getDirection());
    original.getLabels().forEach(this::addLabel);
  }

  @Override
  protected Traverser.Admin<Vertex> processNextStart() {
    while (!ends.hasNext()) {
      nextHead();
      ends = flatMap(heads.get(heads.current()));
    }
    return heads.get(heads.current()).split(ends.next(), this);
  }

  private void nextHead() {
    while (heads.next()) {
      if (isThere()) {
        return;
      }
    }
    try {
      readGroup();
    } catch (RuntimeException e) { // also when there is no traverser any more
      heads.clear();
      throw e;
    }
  }

  private void readGroup() {
    heads.take(starts, true);
    if (heads.size() > 1) {
      StepReads graph = graph();
      unchanged = graph.unchanged();
      graph.announceEnds(direction, heads.size(), this::edge);
    }
  }

  private boolean isThere() {
    return unchanged.getAsBoolean() || graph().isThere(edge(heads.current()));
  }

  private StepReads graph() {
    return (StepReads) getTraversal().getGraph().orElseThrow();
  }

  /** The object of a traverser of the group: an edge, unless the traversal is wrong. */
  private Object edge(int index) {
    return ((Traverser<?>) heads.get(index)).get();
  }

  @Override
  public void reset() {
    close();
    super.reset();
  }

  @Override
  public void close() {
    CloseableIterator.closeIterator(ends);
    forget();
  }

  private void forget() {
    heads = new TraverserGroup<>();
    ends = Collections.emptyIterator();
  }

  @Override
  public String toString() {
    return StringFactory.stepString(this, direction, "read");
  }

  @Override
  public int hashCode() {
    return 31 * super.hashCode() + 1;
  }

  @Override
  public Bg3EdgeVertexStep clone() {
    Bg3EdgeVertexStep copy = (Bg3EdgeVertexStep) super.clone();
    copy.forget();
    return copy;
  }
}
