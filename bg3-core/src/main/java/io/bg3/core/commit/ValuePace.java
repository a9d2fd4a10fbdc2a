package io.bg3.core.commit;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Slows commits with large values down while they replace values faster than the extents with the
 * old ones are emptied, so that a store does not take much more space than it may.
 *
 * <pre>
 *   checkpoint   half of what one checkpoint     what one checkpoint may
 *     |          may append, less excess |         append, less excess |
 *     |----------------------------------|-----------------------------|
 *       as fast as they come               left * 2 / work               a little
 * </pre>
 *
 * <p><i>Excess</i> is the space, after the last checkpoint, above that of the live bytes times
 * {@code bg3.reclaim.max-space-amplification}; where there is none, nobody waits. <i>Work</i> is
 * the time that flushes, the emptying of extents and the checkpoint have taken since the checkpoint
 * before, or the time since committers came to the limit, whichever is longer.
 *
 * <p>Nobody stops: however long a checkpoint takes, a part of the room is left each ten seconds.
 *
 * <p>Threads: any. {@code this} guards what is not final or volatile.
 */
public final class ValuePace implements Pace {
  private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** No commit waits longer, whatever was appended before it. */
  private static final long MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private static final double HASTE = 2;

  /** The part of the room in which committers slow down, at its end. */
  private static final int SLOW_SHARE = 2;

  /** The part of that which is left when it is used up. */
  private static final int LEAST_SHARE = 16;

  private final LongSupplier appended;
  private final Allowance allowance = new Allowance(MOST_NANOS);

  private volatile long begin = Long.MAX_VALUE;
  private boolean started;
  private long end;
  private long least;
  private long work;
  private boolean passed;
  private long passedAt;

  /**
   * A pace without a limit.
   *
   * @param appended bytes of large values that were appended ever, copies among them
   */
  ValuePace(LongSupplier appended) {
    this.appended = appended;
  }

  /** Begins to slow committers: a thread takes checkpoints and empties extents from now on. */
  public synchronized void start() {
    started = true;
  }

  /**
   * Says what a checkpoint has found.
   *
   * @param excess bytes of the extents of values above what they may take, as far as they can be
   *     emptied; 0 or less for none
   * @param room bytes of values that may be appended until the next checkpoint has ended
   * @param nanos how long flushes, emptying and the checkpoint have taken since the one before
   */
  public synchronized void checkpointed(long excess, long room, long nanos) {
    if (excess <= 0 || !started) {
      begin = Long.MAX_VALUE;
      return;
    }
    long slow = Math.max(1, room / SLOW_SHARE);
    end = appended.getAsLong() + room - excess;
    least = Math.max(1, slow / LEAST_SHARE);
    work = nanos;
    passed = false;
    begin = end - slow;
  }

  @Override
  public boolean isAhead() {
    return appended.getAsLong() >= begin;
  }

  @Override
  public synchronized long delay(long now) {
    long at = appended.getAsLong();
    if (at < begin) {
      return 0;
    }
    if (!passed) {
      passed = true;
      passedAt = now;
      allowance.restart(now, at);
    }
    long nanos = Math.max(SHORTEST_NANOS, Math.max(work, now - passedAt));
    double rate = HASTE * Math.max(least, end - at) / Math.min(nanos, LONGEST_NANOS);
    return allowance.delay(now, at, rate);
  }
}
