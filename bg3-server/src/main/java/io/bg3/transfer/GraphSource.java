package io.bg3.transfer;

import java.io.IOException;

/** A graph that is gone through, as often as needed. One thread. */
public interface GraphSource extends AutoCloseable {
  /**
   * Who is shown elements.
   *
   * @param <T> what kind of them
   */
  interface Visitor<T> {
    /** Is shown one. */
    void visit(T element) throws IOException;
  }

  /** How many vertices there are. */
  long vertexCount() throws IOException;

  /** How many edges there are. */
  long edgeCount() throws IOException;

  /** Shows all vertices. */
  void vertices(Visitor<VertexData> visitor) throws IOException;

  /** Shows all edges. */
  void edges(Visitor<EdgeData> visitor) throws IOException;

  /** Shows all vertices, each with its edges. */
  void stars(Visitor<StarData> visitor) throws IOException;

  @Override
  void close();
}
