package io.bg3.gremlin.process.traversal.step.util;

import org.apache.tinkerpop.gremlin.structure.Vertex;

/**
 * Vertices from which the store counts the paths of some hops, or the different vertices at which
 * the paths end. No vertex or edge becomes an object. Belongs to one thread.
 */
public interface PathLookup {
  /**
   * Adds a vertex.
   *
   * @param bulk how often each of its paths counts
   */
  void add(Vertex vertex, long bulk);

  /**
   * The number of paths from the vertices that were added since it was last asked. Where different
   * vertices are counted, the number of those that were never counted before.
   */
  long count();
}
