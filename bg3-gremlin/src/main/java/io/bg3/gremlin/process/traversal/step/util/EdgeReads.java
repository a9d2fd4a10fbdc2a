package io.bg3.gremlin.process.traversal.step.util;

import java.util.Iterator;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/** Reads the edges of one vertex after the other that matter to a step. Belongs to that step. */
public interface EdgeReads {
  /** The edges of a vertex: at least those that matter, in the transaction of this thread. */
  Iterator<Edge> of(Vertex vertex);

  /**
   * The number of edges of a vertex that meet the conditions; none becomes an object if possible.
   */
  long count(Vertex vertex);
}
