package io.bg3.transfer;

import java.io.IOException;
import java.util.Optional;

/**
 * A graph that rows are added to, and committed in batches. Rows that were added since the last
 * {@link #commit} may count only after the next. One thread.
 *
 * <p>A row that does not fit is reported, and nothing of it is added; {@link BadRowException} ends
 * the work there.
 */
public interface GraphTarget extends AutoCloseable {
  /** Adds a vertex, and commits if that makes a batch. */
  void add(VertexData vertex, Place place) throws IOException;

  /**
   * Adds an edge, and commits if that makes a batch. An id that has the form of those that a store
   * makes up is not given to it: the store makes up its own.
   */
  void add(EdgeData edge, Place place) throws IOException;

  /** Commits what was added. */
  void commit() throws IOException;

  /** How many vertices were committed. */
  long vertices();

  /** How many edges were committed. */
  long edges();

  /**
   * Where the last row stands that was committed; all rows of its file before it were, too, but for
   * bad ones. Nothing if no row was, or if it is not known.
   */
  default Optional<Place> lastCommitted() {
    return Optional.empty();
  }

  /** How many edges have another made-up id than the one with which they came. */
  long renamed();

  /** How many properties did not get the id with which they came. */
  long propertyIds();

  /** Drops what was not committed. */
  @Override
  void close();
}
