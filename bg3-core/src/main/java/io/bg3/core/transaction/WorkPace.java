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

  /** Has the thread rest for so many nanoseconds. */
  void restFor(long nanos) {
    next = System.nanoTime() + nanos;
  }
}
