package io.bg3.transfer;

import java.io.IOException;

/** Receives the rows of a file, in their order. */
public interface RowSink {
  /** Receives a vertex. */
  void vertex(VertexData vertex, Place place) throws IOException;

  /** Receives an edge. */
  void edge(EdgeData edge, Place place) throws IOException;

  /** Receives a row that is neither a vertex nor an edge. */
  void bad(Place place, String reason) throws IOException;
}
