package io.bg3.gremlin.process.computer;

import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/**
 * A graph as it was at one moment, for reading. Vertices have internal ids, which the store orders
 * them by.
 *
 * <p>Threads: any number at the same time.
 */
public interface GraphSnapshot extends AutoCloseable {
  /** The vertices and edges of the snapshot; it refuses changes. */
  Graph graph();

  /** The vertex with an internal id; whether it exists is not looked at. */
  Vertex vertex(long internal);

  /** The internal id of a vertex that this snapshot has given; null for any other vertex. */
  Long internal(Vertex vertex);

  /** The internal id of the vertex that an id names, which may not exist; null if surely none. */
  Long find(Object id);

  /** Whether an element may have a property with this key; false: surely none has. */
  boolean mayHave(String key);

  /** The number of vertices. */
  long vertexCount();

  /** The number of edges. */
  long edgeCount();

  /**
   * Shows all edges, each once, in no order that a caller may rely on.
   *
   * @param labels none for all
   */
  void edges(EdgeSink each, String... labels);

  /** Lets go of the snapshot; reads fail from then on. Closing again does nothing. */
  @Override
  void close();

  /** Takes the edges of a scan. */
  @FunctionalInterface
  interface EdgeSink {
    /** Is shown one edge by the internal ids of its ends, which need not exist. */
    void edge(long source, long target);
  }
}
