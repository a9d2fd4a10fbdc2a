package io.bg3.core.transaction;

import io.bg3.core.commit.TotalIncrements;
import io.bg3.core.limit.Limit;

/**
 * The amounts that one transaction adds to totals and to counters of vertices. Belongs to one
 * thread.
 */
final class PendingIncrements {
  /** Those of every transaction that only reads. */
  static final PendingIncrements NONE = new PendingIncrements();

  private TotalIncrements increments;
  private CounterIncrements counts;

  boolean isEmpty() {
    return increments == null && counts == null;
  }

  void addTotal(int counter, long delta) {
    assert this != NONE : "a transaction that only reads adds nothing: counter=" + counter;
    if (counter < 0) {
      throw new IllegalArgumentException("counter must not be negative: counter=" + counter);
    }
    if (increments == null) {
      increments = new TotalIncrements();
    }
    sum(increments.amountOf(counter), delta);
    increments.add(counter, delta);
  }

  /**
   * The sum of two amounts.
   *
   * @throws io.bg3.core.limit.LimitExceededException if it exceeds 63 bits
   */
  static long sum(long one, long other) {
    long sum = one + other;
    if (((one ^ sum) & (other ^ sum)) < 0) { // both have the sign that the sum has not
      throw Limit.COUNTER.exceeded(Long.MAX_VALUE, one + " + " + other);
    }
    return sum;
  }

  /** The increment of a total. */
  long ofTotal(int counter) {
    return increments == null ? 0 : increments.amountOf(counter);
  }

  void addCount(byte[] key, long increment) {
    makeCounts().add(key, increment);
  }

  void setCount(byte[] key, long increment) {
    makeCounts().set(key, increment);
  }

  private CounterIncrements makeCounts() {
    assert this != NONE : "a transaction that only reads adds to no counter";
    if (counts == null) {
      counts = new CounterIncrements();
    }
    return counts;
  }

  /** The increment of a counter. */
  long ofCount(byte[] key) {
    return counts == null ? 0 : counts.amountOf(key);
  }

  /** The additions to totals, null if there are none. */
  TotalIncrements increments() {
    return increments;
  }

  /** The additions to counters, null if there are none. */
  CounterIncrements counts() {
    return counts;
  }
}
