package io.bg3.bench.store;

/** A reader that is asked about many vertices in one call. */
public interface BatchReader extends StoreReader {
  /** The sum of the other ends of all edges of the vertices from an index to another. */
  long sum(long[] owners, int from, int to);
}
