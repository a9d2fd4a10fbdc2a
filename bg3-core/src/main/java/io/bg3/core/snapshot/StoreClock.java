package io.bg3.core.snapshot;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The clock of a store, in milliseconds, by which commits take their timestamps and edges expire
 * (R13). It never goes back.
 *
 * <p>It begins at the time of the system, or at the newest timestamp in the store where that is
 * later, and goes on from there. So while the system's clock is behind the store, after it was put
 * back and the store opened again, the store's clock runs ahead by the difference and does not
 * stand still. Within a process it runs evenly, whatever is done to the system's clock.
 *
 * <p>Threads: any.
 */
public final class StoreClock {
  private final LongSupplier millis;
  private final long ahead;
  private final AtomicLong latest;

  /**
   * @param millis the time; may go back, then this clock waits for it
   * @param floor the milliseconds of the newest timestamp in the store
   */
  public StoreClock(LongSupplier millis, long floor) {
    this.millis = millis;
    long now = millis.getAsLong();
    this.ahead = Math.max(0, floor - now);
    this.latest = new AtomicLong(now + ahead);
  }

  /** The time of the system now, that from here on advances as fast as time passes. */
  public static LongSupplier system() {
    long begin = System.currentTimeMillis();
    long nanos = System.nanoTime();
    return () -> begin + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
  }

  /** The milliseconds; not below any that were given before. */
  public long now() {
    long now = millis.getAsLong() + ahead;
    long before = latest.get();
    return now <= before ? before : latest.accumulateAndGet(now, Math::max);
  }
}
