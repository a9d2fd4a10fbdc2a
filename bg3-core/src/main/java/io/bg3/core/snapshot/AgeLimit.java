package io.bg3.core.snapshot;

import io.bg3.core.thread.StoreThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives up transactions that are open for too long, so that a forgotten one does not keep every old
 * version for ever. Looks a few times within the limit, from a thread of its own, and moves the
 * tick that new transactions note: reading a clock would cost each of them more than all the rest
 * of their beginning.
 *
 * <p>{@code tick} is written by that thread and read by any.
 */
public final class AgeLimit implements AutoCloseable {
  /** The setting that this limit comes from. */
  static final String SETTING = "bg3.transaction.age";

  private static final Logger LOG = LoggerFactory.getLogger(AgeLimit.class);

  /** Ticks within the limit: a transaction is given up at most so much of it late. */
  private static final int TICKS = 8;

  private static final long LONGEST_TICK_MILLIS = 1_000;

  private final SnapshotSlots slots;
  private final long tickMillis;
  private final long ticks;
  private final StoreThread thread = new StoreThread("bg3-transaction-age", this::run);
  private volatile long tick;

  /**
   * @param millis the limit; 0: there is none
   */
  public AgeLimit(SnapshotSlots slots, long millis) {
    this.slots = slots;
    this.tickMillis = Math.max(1, Math.min(millis / TICKS, LONGEST_TICK_MILLIS));
    this.ticks = millis / tickMillis;
  }

  /** Starts the thread; once. */
  public void start() {
    if (ticks > 0) {
      thread.start();
    }
  }

  /** The time for a caller that begins, in ticks. */
  long tick() {
    return tick;
  }

  private void run() {
    long begin = System.nanoTime();
    while (!thread.isEnding()) {
      LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(tickMillis));
      tick = (System.nanoTime() - begin) / TimeUnit.MILLISECONDS.toNanos(tickMillis);
      int expired = slots.expire(tick - ticks);
      if (expired > 0) {
        LOG.warn(
            "ended transactions that were open for longer than bg3.transaction.age: count={}",
            expired);
      }
    }
  }

  @Override
  public void close() {
    thread.close();
  }
}
