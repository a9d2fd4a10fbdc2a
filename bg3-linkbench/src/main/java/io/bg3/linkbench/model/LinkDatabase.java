package io.bg3.linkbench.model;

/**
 * A store of nodes and links, open until it is closed.
 *
 * <p>Threads: any; each has a session of its own.
 */
public interface LinkDatabase extends AutoCloseable {
  /**
   * Begins a session for one thread.
   *
   * @throws LinkStoreException if the store cannot be reached
   */
  LinkSession session();

  /** The name and the settings of the store, in one line for a report. */
  String describe();

  /**
   * Makes what was loaded fit to be measured: written where it belongs, statistics gathered.
   *
   * @throws LinkStoreException if that fails
   */
  void settle();

  /** Bytes that the store takes on the disk, -1 if that cannot be known. */
  long bytesOnDisk();

  /** How many checkpoints the store has taken since it was opened; 0 if it does not tell. */
  default long checkpoints() {
    return 0;
  }

  /**
   * Closes it; the sessions have to be closed before.
   *
   * @throws LinkStoreException if something is not on the disk now
   */
  @Override
  void close();
}
