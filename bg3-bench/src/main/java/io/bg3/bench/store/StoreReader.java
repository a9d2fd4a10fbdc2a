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
   * The same for several vertices at once, as a system answers that best: one after the other if it
   * has nothing better.
   *
   * @param owners asked about from index 0 up to {@code count}
   * @param into receives the other ends of all of them, vertex after vertex
   * @param ends receives for each vertex where its other ends end in {@code into}
   */
  default void first(long[] owners, int count, int limit, long[] into, int[] ends) {
    long[] some = new long[limit];
    int end = 0;
    for (int i = 0; i < count; i++) {
      int found = first(owners[i], limit, some);
      System.arraycopy(some, 0, into, end, found);
      end += found;
      ends[i] = end;
    }
  }

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
