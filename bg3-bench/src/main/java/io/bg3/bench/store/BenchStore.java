package io.bg3.bench.store;

import java.io.IOException;

/**
 * An open store of one system. It stores edges: owner, label, other end, and a value.
 *
 * <p>Threads: any; readers and writers belong to one thread each.
 */
public interface BenchStore extends AutoCloseable {
  /** A reader for the edges with one label; the caller closes it. */
  StoreReader reader(int label);

  /**
   * A writer; the caller closes it.
   *
   * @param ascending whether all it will write comes in the order of the keys, behind everything
   *     that is stored
   */
  StoreWriter writer(boolean ascending);

  /** Brings everything that was written to where it stays, through the operating system. */
  void settle() throws IOException;

  /** Does what the system's guide recommends between a bulk load and reading. */
  default void tidy() throws IOException {}

  /** The settings that the system was opened with, for the report. */
  String settings();

  /** Bytes of memory that the system says it uses, -1 if it does not say. */
  default long usedMemory() {
    return -1;
  }

  @Override
  void close() throws IOException;
}
