package io.bg3.core.graph;

import io.bg3.core.record.VertexRecord;

/** Vertices one after the other, as one transaction sees them. */
public interface VertexCursor extends AutoCloseable {
  /**
   * Goes to the next vertex; false if there is none.
   *
   * @throws IllegalStateException if the transaction has ended
   */
  boolean next();

  /** The internal id of the vertex. */
  long vertex();

  /** Labels and properties of the vertex. */
  VertexRecord record();

  /**
   * The number of vertices that have been read so far, those that were passed over among them. For
   * the thread that calls {@link #next}.
   */
  long passed();

  /** Lets go of the cursor. Vertices that it has not reached count as not read. */
  @Override
  void close();
}
