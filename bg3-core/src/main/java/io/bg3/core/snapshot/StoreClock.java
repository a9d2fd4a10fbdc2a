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
 * <p>It keeps the latest time that a reader was given. The store commits its time before readers
 * are {@link #LEAD_MILLIS} ahead of the newest commit for long, so a kill takes back no more.
 *
 * <p>Threads: any.
 */
public final class StoreClock {
  /** Readers may be given times that are so much later than the newest commit. */
  public static final long LEAD_MILLIS = 10_000;

  private final LongSupplier millis;
  private final long ahead;
  private final AtomicLong latest;
  private final AtomicLong given = new AtomicLong();

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

  /** Notes that a reader judges by a time. */
  void noteGiven(long time) {
    if (time > given.get()) {
      given.accumulateAndGet(time, Math::max);
    }
  }

  /**
   * Whether a reader was given a time that is more than {@link #LEAD_MILLIS} later than another.
   */
  public boolean leads(long time) {
    return given.get() - time > LEAD_MILLIS;
  }
}
