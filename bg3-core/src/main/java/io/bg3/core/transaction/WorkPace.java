package io.bg3.core.transaction;

import java.util.concurrent.TimeUnit;

/**
 * When a thread of the store may look for work again that it has looked for in vain: it spends a
 * fiftieth of its time on that.
 *
 * <p>Threads: belongs to one.
 */
final class WorkPace {
  private static final int PAUSE = 50; // times what a look took

  private final long leastNanos;
  private long next = System.nanoTime();
  private long failed; // the rest behind the last failure; 0 if a look has succeeded since

  /**
   * A pace by which the first look is due at once.
   *
   * @param least milliseconds between two looks
   */
  WorkPace(long least) {
    this.leastNanos = TimeUnit.MILLISECONDS.toNanos(least);
  }

  /** Whether it is time for the next look. */
  boolean isDue() {
    return System.nanoTime() - next >= 0;
  }

  /** Has the thread rest behind a look that took so many nanoseconds in vain. */
  void rest(long nanos) {
    restFor(Math.max(leastNanos, PAUSE * nanos));
  }

  /**
   * Has the thread rest behind a look that has failed: twice as long as behind the last one.
   *
   * @param least nanoseconds behind the first failure
   * @param most nanoseconds
   */
  void restBehindFailure(long least, long most) {
    failed = Math.min(most, Math.max(least, 2 * failed));
    restFor(failed);
  }

  /** Says that a look has not failed. */
  void noteSuccess() {
    failed = 0;
  }

  /** Has the thread rest for so many nanoseconds. */
  void restFor(long nanos) {
    next = System.nanoTime() + nanos;
  }
}
