package io.bg3.core.commit;

import java.util.Arrays;

/**
 * The amounts that one transaction adds to totals: a few counters, ascending, with an amount each.
 * Belongs to one thread until its commit is in flight, and is not changed any more from then on.
 */
public final class TotalIncrements {
  private int[] counters = new int[4];
  private long[] amounts = new long[4];
  private int count;

  /**
   * Adds to the amount of a counter. A sum that exceeds 63 bits wraps: here, many commits'
   * increments come together at replay, each of which was allowed.
   */
  public void add(int counter, long amount) {
    int at = find(counter);
    if (at >= 0) {
      amounts[at] += amount;
      return;
    }
    int index = -at - 1;
    if (count == counters.length) {
      counters = Arrays.copyOf(counters, 2 * count);
      amounts = Arrays.copyOf(amounts, 2 * count);
    }
    System.arraycopy(counters, index, counters, index + 1, count - index);
    System.arraycopy(amounts, index, amounts, index + 1, count - index);
    counters[index] = counter;
    amounts[index] = amount;
    count++;
  }

  int count() {
    return count;
  }

  int counter(int i) {
    return counters[i];
  }

  long amount(int i) {
    return amounts[i];
  }

  /** The amount of a counter, 0 if it has none. */
  public long amountOf(int counter) {
    int at = find(counter);
    return at < 0 ? 0 : amounts[at];
  }

  private int find(int counter) {
    return Arrays.binarySearch(counters, 0, count, counter);
  }
}
