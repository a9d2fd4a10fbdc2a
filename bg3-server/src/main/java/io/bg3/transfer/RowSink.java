package io.bg3.transfer;

import java.io.IOException;

/** Who takes the rows of a file, one after the other. */
public interface RowSink {
  /** Takes a vertex. */
  void vertex(VertexData vertex, Place place) throws IOException;

  /** Takes an edge. */
  void edge(EdgeData edge, Place place) throws IOException;

  /** Takes notice of a row that is neither. */
  void bad(Place place, String reason) throws IOException;
}
