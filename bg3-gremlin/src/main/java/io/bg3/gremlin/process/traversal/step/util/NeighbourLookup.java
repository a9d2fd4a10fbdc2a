package io.bg3.gremlin.process.traversal.step.util;

import java.util.Iterator;
import java.util.function.Predicate;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/**
 * A group of vertices whose neighbours the store looks up in one call. Each vertex has the
 * neighbours that {@link Vertex#vertices} gives, in the same order. Belongs to one thread.
 */
public interface NeighbourLookup {
  /** The most vertices of a group. */
  int MOST_VERTICES = 64;

  /** The questions that a caller asks of a group. */
  enum Use {
    /** The neighbours, those of them that are new, or how many of them are. */
    NEIGHBOURS,
    /**
     * The neighbours, of which labels or properties are read as they are given: then those that are
     * not in memory are loaded together.
     */
    NEIGHBOURS_TO_READ,
    /** The numbers of neighbours. */
    COUNTS,
    /** The numbers of edges. */
    EDGE_COUNTS;

    /** Whether only numbers are asked for. */
    public boolean counts() {
      return this == COUNTS || this == EDGE_COUNTS;
    }
  }

  /** Forgets the vertices and their neighbours. */
  void clear();

  /** Adds a vertex. Any other object is refused when its neighbours are asked for. */
  void add(Object vertex);

  /**
   * Looks up the neighbours of all vertices of the group.
   *
   * @param alone whether also if there is only one vertex; else that one is asked by itself, which
   *     may be a counter or a scan that ends early
   */
  void lookUp(boolean alone);

  /** The neighbours of a vertex of the group, by its index. */
  Iterator<Vertex> neighbours(int index);

  /** Those of them that were not seen before; each is as it is given. */
  Iterator<Vertex> newNeighbours(int index, SeenVertices seen);

  /**
   * The number of neighbours of a vertex of the group. No neighbour becomes an object.
   *
   * @param most where there are more, this number or a larger one may be returned
   */
  long count(int index, long most);

  /**
   * The number of neighbours of a vertex of the group that were not seen before; they are then. No
   * neighbour becomes an object.
   */
  long countNew(int index, SeenVertices seen);

  /**
   * The number of edges by which {@link #neighbours} goes, those of loose labels whose other end is
   * missing among them. No edge becomes an object.
   *
   * @param most as {@link #count} has it
   */
  long countEdges(int index, long most);

  /**
   * Whether a vertex of the group has a neighbour that passes a test. What the test has said of a
   * neighbour holds for as long as the transaction changes nothing: it is not asked again for each
   * vertex that has this neighbour.
   *
   * @param test always one and the same for a group
   */
  boolean anyNeighbour(int index, Predicate<Vertex> test);

  /** Whether the neighbours of a vertex are held, so that asking for them reads nothing. */
  boolean isHeld(int index);
}
