package io.bg3.bench.store;

/**
 * Reads and writes the edges of one label that are kept in the order of their times, the newest
 * first, and counted where the system can count. An edge has two entries: one under its other end,
 * which has the time, and one in the order, which has the value. One thread.
 */
public interface OrderedLists extends AutoCloseable {
  /** Adds a new edge to the transaction. */
  void put(long owner, long time, long other, byte[] value, int length);

  /** Adds the removal of an edge to the transaction. */
  void delete(long owner, long time, long other);

  /** Makes what was put and deleted happen. */
  void commit();

  /** Ends the read transaction and begins another one, at a new snapshot. */
  void renew();

  /** Puts the other ends of the newest edges into an array and returns how many they are. */
  int newest(long owner, int limit, long[] into);

  /**
   * The {@linkplain io.bg3.bench.data.EdgeValue#checksum(byte[], int) checksum} of the value of the
   * edge to a vertex.
   *
   * @throws java.util.NoSuchElementException if the edge is not there
   */
  long value(long owner, long other);

  /** The number of edges. */
  long count(long owner);

  /** Whether {@link #count} reads a counter; else it reads all edges. */
  boolean hasCounter();

  @Override
  void close();

  /** The place of a time in the order: the larger the time, the smaller. */
  static long place(long time) {
    return Long.MAX_VALUE - time;
  }
}
