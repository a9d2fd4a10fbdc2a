package io.bg3.core.commit;

import java.util.concurrent.TimeUnit;

/**
 * Bytes that committers may add, earned at a rate. Those that were added are seen by how far a
 * counter has come, so nobody says how much a commit adds. Guarded by its owner.
 */
final class Allowance {
  /** The unused part is kept for so long; a thread can hardly sleep for less. */
  private static final long KEPT_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final double longestNanos;

  private long position;
  private long at;
  private double bytes; // negative: to be waited for

  /**
   * An allowance of nothing.
   *
   * @param longestNanos how long is waited at most for what was added too much
   */
  Allowance(double longestNanos) {
    this.longestNanos = longestNanos;
  }

  /** How far the counter was when it was seen last. */
  long position() {
    return position;
  }

  /** Begins with nothing. */
  void restart(long now, long counter) {
    position = counter;
    at = now;
    bytes = 0;
  }

  /**
   * Nanoseconds after which more may be added; 0: at once.
   *
   * @param counter how far it has come
   * @param rate bytes in a nanosecond
   */
  long delay(long now, long counter, double rate) {
    bytes = Math.min(bytes + rate * (now - at) - (counter - position), rate * KEPT_NANOS);
    bytes = Math.max(bytes, -rate * longestNanos);
    position = counter;
    at = now;
    return bytes >= 0 ? 0 : Math.max(1, (long) (-bytes / rate));
  }
}
