package io.bg3.core.commit;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How long the last syncs of the log took, for a thread that has other things to do and would have
 * to wait for the next one. A disk whose syncs are short has a long one now and then: behind one of
 * them no sync counts as short for {@link #SHARE} times as long as it took. So such threads spend
 * about one part in so many in long syncs at most.
 *
 * <p>Threads: any. The times of syncs that end at the same moment may be mixed up, which costs one
 * sync in the wrong thread.
 */
final class SyncTimes {
  /** A sync that takes longer is long, in nanoseconds. */
  static final long SHORT = TimeUnit.MICROSECONDS.toNanos(300);

  /** How many times its duration a long sync counts. */
  static final int SHARE = 100;

  private final LongSupplier clock;
  private volatile boolean isShort; // the last one; false before the first
  private volatile long until; // when the last long one counts no more, of the clock

  /**
   * Knows of no sync.
   *
   * @param clock as {@link System#nanoTime}
   */
  SyncTimes(LongSupplier clock) {
    this.clock = clock;
    this.until = clock.getAsLong();
  }

  /** The time now, for {@link #end}. */
  long begin() {
    return clock.getAsLong();
  }

  /** Takes note of a sync that began then and has ended. */
  void end(long begin) {
    long now = clock.getAsLong();
    long took = now - begin;
    isShort = took <= SHORT;
    if (took > SHORT) {
      until = now + SHARE * took;
    }
  }

  /** Whether the next sync is likely to be short. */
  boolean areShort() {
    return isShort && clock.getAsLong() - until >= 0;
  }
}
