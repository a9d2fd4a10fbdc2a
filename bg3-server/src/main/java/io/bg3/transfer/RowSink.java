package io.bg3.transfer;

import java.io.IOException;

/** Receives the rows of a file, in their order. */
public interface RowSink {
  /** Receives a vertex. */
  void vertex(VertexData vertex, FilePosition place) throws IOException;

  /** Receives an edge. */
  void edge(EdgeData edge, FilePosition place) throws IOException;

  /** Receives a row that is neither a vertex nor an edge. */
  void bad(FilePosition place, String reason) throws IOException;
}
