package io.bg3.transfer;

import java.io.IOException;
import java.util.Optional;

/**
 * A graph to which a load adds rows and commits them in batches. The counts may not include the
 * rows added since the last {@link #commit}.
 *
 * <p>The target reports a row that does not fit and adds nothing of it. {@link BadRowException}
 * ends the load.
 *
 * <p>Threads: one.
 */
public interface GraphTarget extends AutoCloseable {
  /** Adds a vertex, and commits if the batch is full. */
  void add(VertexData vertex, FilePosition place) throws IOException;

  /**
   * Adds an edge, and commits if the batch is full. If the id has the form of the ids that stores
   * generate, the edge does not keep it: the store generates a new one.
   */
  void add(EdgeData edge, FilePosition place) throws IOException;

  /** Commits the rows added since the last commit. */
  void commit() throws IOException;

  /**
   * Commits the rows added since the last commit, when no more rows come. If a target keeps rows
   * back until all are there, it writes them now.
   */
  default void finish() throws IOException {
    commit();
  }

  /**
   * Writes what the target has kept back of the rows that were added, for a load that ends because
   * no more can be read.
   */
  default void keep() throws IOException {}

  /**
   * Waits for commits that are under way, for a load that ends early: the counts then have all that
   * remains.
   */
  default void settle() {}

  /** The number of committed vertices. */
  long vertices();

  /** The number of committed edges. */
  long edges();

  /**
   * The place of the last committed row. All rows of its file before it are committed too, except
   * bad ones. Empty if no row is committed or the place is unknown.
   */
  default Optional<FilePosition> lastCommitted() {
    return Optional.empty();
  }

  /** The number of edges whose generated id differs from the id in the file. */
  long renamed();

  /** The number of properties whose id differs from the id in the file. */
  long propertyIds();

  /** Discards the rows that are not committed. */
  @Override
  void close();
}
