package io.bg3.gremlin.process.traversal.step.util;

import java.util.Iterator;
import java.util.function.IntFunction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/** Reads the edges of one vertex after the other that matter to a step. Belongs to that step. */
public interface EdgeReads {
  /**
   * Says that the edges of some vertices are about to be read, so that those which are not in
   * memory are loaded together. Is no read.
   *
   * @param vertex the vertices by their indexes; what is no vertex of the graph is passed over
   */
  void announce(int count, IntFunction<Object> vertex);

  /** The edges of a vertex: at least those that matter, in the transaction of this thread. */
  Iterator<Edge> of(Vertex vertex);

  /**
   * The number of edges of a vertex that meet the conditions; none becomes an object if possible.
   */
  long count(Vertex vertex);
}
