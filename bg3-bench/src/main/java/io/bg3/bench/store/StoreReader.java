package io.bg3.bench.store;

/** Reads the edges of one label at a snapshot. One thread. */
public interface StoreReader extends AutoCloseable {
  /** Ends the read transaction and begins another one, at a new snapshot. */
  void renew();

  /** The sum of the other ends of all edges of a vertex. */
  long sum(long owner);

  /**
   * The sum of the other ends of all edges of a vertex and of the {@linkplain
   * io.bg3.bench.data.EdgeValue#first first eight bytes} of their values.
   */
  long sumValues(long owner);

  /**
   * Puts the other ends of the first edges of a vertex, in their order, into an array and returns
   * how many they are.
   */
  int first(long owner, int limit, long[] into);

  /**
   * Puts the other ends of the first edges of several vertices into an array, in the way in which a
   * system does so fastest: one vertex after the other if it has nothing better.
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

  /** Whether an edge is there. */
  boolean has(long owner, long other);

  @Override
  void close();
}
