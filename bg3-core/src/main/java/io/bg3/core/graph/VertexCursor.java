package io.bg3.core.graph;

import io.bg3.core.record.VertexRecord;

/** Vertices one after the other, as one transaction sees them. */
public interface VertexCursor extends AutoCloseable {
  /** So many entries are read under the transaction's lock at once. */
  int STEP = 1024;

  /**
   * Goes to the next vertex; false if there is none.
   *
   * @throws IllegalStateException if the transaction has ended
   */
  default boolean next() {
    return next(() -> {});
  }

  /**
   * Goes to the next vertex, as {@link #next()} does. The next one may be far away, behind vertices
   * that the cursor passes over.
   *
   * @param pause called after each 1,024 entries that were passed over, outside of the lock; what
   *     it throws ends the search
   */
  boolean next(Runnable pause);

  /** The internal id of the vertex. */
  long vertex();

  /** Labels and properties of the vertex; of one that was removed, as they were. */
  VertexRecord record();

  /** Whether its transaction has removed the vertex since the cursor was opened. */
  boolean isRemoved();

  /**
   * The number of vertices that have been read so far, those that were passed over among them. For
   * the thread that calls {@link #next}.
   */
  long passed();

  /** Lets go of the cursor. Vertices that it has not reached count as not read. */
  @Override
  void close();
}
