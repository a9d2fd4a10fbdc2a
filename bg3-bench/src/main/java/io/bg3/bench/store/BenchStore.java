package io.bg3.bench.store;

import java.io.IOException;
import java.util.Map;

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

  /** Ordered edges with one label; the caller closes them. */
  default OrderedLists lists(int label) {
    throw new UnsupportedOperationException("no ordered edges: label=" + label);
  }

  /** Brings everything that was written to where it stays, through the operating system. */
  void settle() throws IOException;

  /** Does what the system's guide recommends between a bulk load and reading. */
  default void tidy() throws IOException {}

  /**
   * Whether an edge that has expired is seen by no reader; else it is there until the system
   * compacts the file that has it.
   */
  default boolean hidesExpired() {
    return false;
  }

  /** The settings that the system was opened with, for the report. */
  String settings();

  /** Bytes of memory that the system says it uses, -1 if it does not say. */
  default long usedMemory() {
    return -1;
  }

  /** How often threads have waited inside of the system since it was opened, by what for. */
  default Map<String, Long> waits() {
    return Map.of();
  }

  /** How many vertices have a tree of their own. */
  default long dedicatedTrees() {
    return 0;
  }

  @Override
  void close() throws IOException;
}
