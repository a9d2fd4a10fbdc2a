package io.bg3.core.recovery;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Knows whether a store is at rest: its log has grown by little for some seconds. Threads: belongs
 * to the one that asks.
 */
final class QuietLog {
  /** So long the log has to be quiet. */
  static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Growing by no more is being quiet. */
  static final long LITTLE = 1 << 20;

  private final LongSupplier end;
  private final LongSupplier clock;
  private long quietEnd;
  private long quietSince;

  /**
   * A store that has just been written to.
   *
   * @param end the end of the log
   * @param clock nanoseconds
   */
  QuietLog(LongSupplier end, LongSupplier clock) {
    this.end = end;
    this.clock = clock;
    this.quietEnd = end.getAsLong();
    this.quietSince = clock.getAsLong();
  }

  /** Whether the store is at rest. */
  boolean isQuiet() {
    long now = clock.getAsLong();
    long at = end.getAsLong();
    if (at - quietEnd > LITTLE) {
      quietEnd = at;
      quietSince = now;
    }
    return now - quietSince >= QUIET_NANOS;
  }
}
