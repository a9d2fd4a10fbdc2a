package io.bg3.bench.store;

/** Reads the edges of one label at a snapshot. One thread. */
public interface StoreReader extends AutoCloseable {
  /** Goes on at a new snapshot. */
  void renew();

  /** The sum of the other ends of all edges of a vertex. */
  long sum(long owner);

  /**
   * Puts the other ends of the first edges of a vertex, in their order, into an array and returns
   * how many they are.
   */
  int first(long owner, int limit, long[] into);

  /**
   * The {@linkplain io.bg3.bench.data.EdgeValue#checksum(byte[], int) checksum} of the value of an
   * edge.
   *
   * @throws java.util.NoSuchElementException if the edge is not there
   */
  long value(long owner, long other);

  @Override
  void close();
}
