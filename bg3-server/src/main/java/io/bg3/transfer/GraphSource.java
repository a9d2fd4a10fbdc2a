package io.bg3.transfer;

import java.io.IOException;

/**
 * A graph that can be read any number of times.
 *
 * <p>Threads: one.
 */
public interface GraphSource extends AutoCloseable {
  /**
   * Receives elements.
   *
   * @param <T> the kind of the elements
   */
  interface Visitor<T> {
    /** Receives one element. */
    void visit(T element) throws IOException;
  }

  /** The number of vertices. */
  long vertexCount() throws IOException;

  /** The number of edges. */
  long edgeCount() throws IOException;

  /** Passes all vertices to the visitor. */
  void vertices(Visitor<VertexData> visitor) throws IOException;

  /** Passes all edges to the visitor. */
  void edges(Visitor<EdgeData> visitor) throws IOException;

  /** Passes all vertices to the visitor, each with its edges. */
  void stars(Visitor<StarData> visitor) throws IOException;

  @Override
  void close();
}
