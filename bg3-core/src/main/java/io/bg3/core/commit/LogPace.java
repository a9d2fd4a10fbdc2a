package io.bg3.core.commit;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The pace of commits while the log is longer than its limit, so that it does not outgrow a
 * checkpoint that is behind.
 *
 * <pre>
 *   begin                         begin + limit              begin + stop
 *     |-----------------------------|---------------------------|
 *       as fast as they come          room * 1.5 / left           nobody, until begin has moved
 *                                     bytes in a unit of time
 * </pre>
 *
 * <p><i>begin</i> is where the last checkpoint has left the log, <i>room</i> what is left to the
 * stop, <i>left</i> the time until the checkpoint that runs has ended, or until one that begins now
 * would end. At first that follows from the duration of the last checkpoint; the more pages have
 * been written, the more it follows from the time that these have taken. The time in which a
 * checkpoint does not write for the sake of others does not count.
 *
 * <p>So nobody waits as long as what is committed during a checkpoint takes less than the room.
 * Threads that commit more share the room evenly over the checkpoint: the rate falls with the
 * square root of what is left of it. If they had the rate of <i>room / duration</i> instead, they
 * would use most of the room at once, take the processor from the checkpoint meanwhile, and then
 * wait for it to end while the processor idles.
 *
 * <p>While checkpoints are kept off on purpose, as a check of the store does, nobody waits and the
 * log grows. A commit that begins below the stop is not stopped, whatever its size; each thread may
 * carry the log beyond the stop by the one commit that it was let through with.
 *
 * <p>Threads: any. {@code this} guards what is not final or volatile.
 */
public final class LogPace implements Pace {
  /** How long is waited at the stop before the next look. */
  private static final long STOP_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** No checkpoint is believed to be faster. */
  private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final double HASTE = 1.5;

  /** The pages take this part of a checkpoint; behind them it syncs and writes a manifest. */
  private static final double PAGES_PART = 7.0 / 8;

  /** From this part on, what a checkpoint has done says how long it takes. */
  private static final double TELLING_PART = 1.0 / 4;

  private final LongSupplier end;

  private volatile long begin;
  private volatile long limit = Long.MAX_VALUE;
  private long stop = Long.MAX_VALUE;

  private volatile boolean running; // a checkpoint
  private long started;
  private boolean pausing;
  private long pausedAt;
  private long pausedNanos;
  private long lastDuration;
  private double done; // part of the work of the checkpoint that runs

  private final Allowance allowance = new Allowance(Double.MAX_VALUE);

  /**
   * A pace without a limit.
   *
   * @param end the end of the log
   */
  LogPace(LongSupplier end) {
    this.end = end;
    this.begin = end.getAsLong();
  }

  /**
   * Sets the limits, before anybody commits.
   *
   * @param position where the last checkpoint has left the log
   * @param slow length from which commits are slowed down
   * @param most length from which they have to wait for a checkpoint, above {@code slow}
   */
  public synchronized void limit(long position, long slow, long most) {
    if (slow < 1 || most <= slow) {
      throw new IllegalArgumentException(
          "limits of the log must ascend: slow=" + slow + ", most=" + most);
    }
    begin = position;
    limit = slow;
    stop = most;
  }

  /** Says that a checkpoint begins. */
  public void checkpointBegins() {
    checkpointBegins(System.nanoTime());
  }

  synchronized void checkpointBegins(long now) {
    running = true;
    started = now;
    pausing = false;
    pausedNanos = 0;
    done = 0;
  }

  /**
   * Says how far a checkpoint is.
   *
   * @param written how many pages it has written
   * @param all how many it writes in all, at least one
   */
  public synchronized void checkpointWrote(int written, int all) {
    done = PAGES_PART * written / all;
  }

  /** Says that the checkpoint waits for a while, though it could write. */
  public void checkpointPauses() {
    checkpointPauses(System.nanoTime());
  }

  synchronized void checkpointPauses(long now) {
    pausing = true;
    pausedAt = now;
  }

  /** Says that it writes on. */
  public void checkpointGoesOn() {
    checkpointGoesOn(System.nanoTime());
  }

  synchronized void checkpointGoesOn(long now) {
    pausing = false;
    pausedNanos += now - pausedAt;
  }

  /** Says that it has ended, and the log before {@code position} is gone. */
  public void checkpointEnds(long position) {
    checkpointEnds(position, System.nanoTime());
  }

  synchronized void checkpointEnds(long position, long now) {
    running = false;
    lastDuration = worked(now);
    begin = position;
  }

  /** Whether a checkpoint runs. */
  public boolean isCheckpointRunning() {
    return running;
  }

  @Override
  public boolean isAhead() {
    return end.getAsLong() - begin >= limit;
  }

  @Override
  public synchronized long delay(long now) {
    long at = end.getAsLong();
    long length = at - begin;
    if (length < limit) {
      return 0;
    }
    if (length >= stop) {
      return STOP_NANOS;
    }
    double rate = HASTE * (stop - length) / left(now);
    if (allowance.position() < begin + limit) { // the first beyond it since the last checkpoint
      allowance.restart(now, at);
    }
    return allowance.delay(now, at, rate);
  }

  /** How long it takes until the log is cut off, if nobody pauses. */
  private double left(long now) {
    double left = running ? (1 - done) * duration(now) : lastDuration;
    return Math.max(left, (double) SHORTEST_NANOS);
  }

  /** How long the checkpoint that runs takes in all. */
  private double duration(long now) {
    long worked = worked(now);
    double expected = Math.max(lastDuration, worked);
    if (done == 0) {
      return expected;
    }
    double sure = Math.min(1, done / TELLING_PART);
    return sure * worked / done + (1 - sure) * expected;
  }

  /** How long the checkpoint that runs has written: pauses are ended when somebody waits. */
  private long worked(long now) {
    return (pausing ? pausedAt : now) - started - pausedNanos;
  }
}
