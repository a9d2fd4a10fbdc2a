package io.bg3.bench.store;

import io.bg3.bench.data.PowerLawGraph;
import java.util.Arrays;

/**
 * Sorted arrays in the heap, compressed sparse rows: what reading costs when nothing can change.
 * The row of a vertex is found by binary search among all vertices that have edges. There are no
 * values and no writers.
 */
final class ArrayStore implements BenchStore {
  private final long[] owners;
  private final int[] starts;
  private final long[] others;

  ArrayStore(PowerLawGraph graph) {
    if (graph.edges() > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException("more edges than an array holds: edges=" + graph.edges());
    }
    long[] targets = new long[graph.maxDegree()];
    owners = new long[graph.sources()];
    starts = new int[graph.sources() + 1];
    others = new long[(int) graph.edges()];
    for (int i = 0; i < owners.length; i++) {
      owners[i] = PowerLawGraph.id(i);
      int degree = graph.targets(i, targets);
      System.arraycopy(targets, 0, others, starts[i], degree);
      starts[i + 1] = starts[i] + degree;
    }
  }

  @Override
  public StoreReader reader(int label) {
    return new Reader();
  }

  @Override
  public StoreWriter writer(boolean ascending) {
    throw new UnsupportedOperationException("sorted arrays are not written");
  }

  @Override
  public void settle() {}

  @Override
  public String settings() {
    return "long[] owners, int[] starts, long[] others; the owner by binary search";
  }

  @Override
  public void close() {}

  private final class Reader implements BatchReader {
    private static final int LANES = 16;

    private final int[] rows = new int[LANES];

    @Override
    public void renew() {}

    @Override
    public long sum(long owner) {
      return sumOfRow(row(owner));
    }

    @Override
    public long sum(long[] asked, int from, int to) {
      long sum = 0;
      for (int next = from; next < to; next += LANES) {
        int count = Math.min(LANES, to - next);
        findRows(asked, next, count);
        for (int i = 0; i < count; i++) {
          sum += sumOfRow(rows[i]);
        }
      }
      return sum;
    }

    @Override
    public long sumValues(long owner) {
      throw new UnsupportedOperationException("sorted arrays have no values");
    }

    @Override
    public int first(long owner, int limit, long[] into) {
      int row = row(owner);
      int count = Math.min(limit, starts[row + 1] - starts[row]);
      System.arraycopy(others, starts[row], into, 0, count);
      return count;
    }

    @Override
    public void first(long[] asked, int count, int limit, long[] into, int[] ends) {
      int end = 0;
      for (int next = 0; next < count; next += LANES) {
        int lanes = Math.min(LANES, count - next);
        findRows(asked, next, lanes);
        for (int i = 0; i < lanes; i++) {
          int row = rows[i];
          int found = Math.min(limit, starts[row + 1] - starts[row]);
          System.arraycopy(others, starts[row], into, end, found);
          end += found;
          ends[next + i] = end;
        }
      }
    }

    @Override
    public long value(long owner, long other) {
      throw new UnsupportedOperationException("sorted arrays have no values");
    }

    @Override
    public boolean has(long owner, long other) {
      int row = row(owner);
      return row >= 0 && Arrays.binarySearch(others, starts[row], starts[row + 1], other) >= 0;
    }

    @Override
    public void close() {}

    private int row(long owner) {
      return Arrays.binarySearch(owners, owner);
    }

    private long sumOfRow(int row) {
      long sum = 0;
      for (int i = starts[row]; i < starts[row + 1]; i++) {
        sum += others[i];
      }
      return sum;
    }

    /** Searches in step, so that the cache misses of the lanes overlap. */
    private void findRows(long[] asked, int from, int count) {
      Arrays.fill(rows, 0);
      for (int length = owners.length; length > 1; ) {
        int half = length >>> 1;
        for (int i = 0; i < count; i++) {
          rows[i] += owners[rows[i] + half] <= asked[from + i] ? half : 0;
        }
        length -= half;
      }
    }
  }
}
