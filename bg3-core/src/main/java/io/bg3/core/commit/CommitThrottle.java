package io.bg3.core.commit;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Slows committers down while the log is longer than its limit, so that it does not outgrow a
 * checkpoint that is behind; and, by a {@link ValueThrottle}, while large values take too much
 * space.
 *
 * <pre>
 *   begin                         begin + limit              begin + stop
 *     |-----------------------------|---------------------------|
 *       as fast as they come          room * 2 / duration         nobody, until begin has moved
 *                                     bytes in a unit of time
 * </pre>
 *
 * <p><i>begin</i> is where the last checkpoint has left the log, <i>room</i> what is left to the
 * stop, <i>duration</i> that of the last checkpoint or of the one that runs, whichever is longer.
 * So nobody waits as long as what is committed during a checkpoint takes less than about two thirds
 * of the room; a thread that commits more than that comes nearer to the stop ever more slowly.
 *
 * <ul>
 *   <li>P1: a thread that waits here holds nothing that a checkpoint, or a commit that does not
 *       wait, could want: no gate, stripe, dictionary, memory, log space, latch or epoch. So a
 *       checkpoint ends without it.
 *   <li>P2: nobody waits once the store has stopped writing, as it does when a checkpoint fails.
 *   <li>P3: while checkpoints are kept off on purpose, as a check of the store does, nobody waits
 *       and the log grows.
 *   <li>P4: a commit that begins below the stop is not stopped, whatever its size; each thread may
 *       carry the log beyond the stop by the one commit that it was let through with.
 * </ul>
 *
 * <p>Commits of the store's own (codes, blocks of ids) do not wait: they are made with locks in
 * hand, and are small and few.
 *
 * <p>Threads: any. {@code this} guards what is not final or volatile.
 */
public final class CommitThrottle {
  /** A waiting thread looks again after this long at most. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** No checkpoint is believed to be faster. */
  private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final double HASTE = 2;

  private final LongSupplier end;
  private final Supplier<Throwable> failure;
  private final LongAdder delayed = new LongAdder();
  private final LongAdder delayedNanos = new LongAdder();

  private volatile long begin;
  private volatile long limit = Long.MAX_VALUE;
  private long stop = Long.MAX_VALUE;

  private boolean running; // a checkpoint
  private long started;
  private long lastDuration;

  private final Allowance allowance = new Allowance(Double.MAX_VALUE);
  private final ValueThrottle values;

  /**
   * A throttle without a limit, of commits without large values.
   *
   * @param end the end of the log
   * @param failure why the store has stopped writing, null while it writes
   */
  public CommitThrottle(LongSupplier end, Supplier<Throwable> failure) {
    this(end, () -> 0, failure);
  }

  /**
   * A throttle without a limit.
   *
   * @param end the end of the log
   * @param values bytes of large values that commits have appended, ever
   * @param failure why the store has stopped writing, null while it writes
   */
  public CommitThrottle(LongSupplier end, LongSupplier values, Supplier<Throwable> failure) {
    this.end = end;
    this.values = new ValueThrottle(values);
    this.failure = failure;
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
  }

  /** Says that it has ended, and the log before {@code position} is gone. */
  public void checkpointEnds(long position) {
    checkpointEnds(position, System.nanoTime());
  }

  synchronized void checkpointEnds(long position, long now) {
    running = false;
    lastDuration = now - started;
    begin = position;
  }

  /**
   * Waits as long as it takes before the next commit, of which it is not known what it writes.
   * Called without any lock in hand. An interrupt does not end the wait, its flag stays: so it is
   * with every wait of a commit. One for the log ends at the latest with the checkpoint that runs,
   * or with the store if that fails; one for values ends when they have earned their rate.
   */
  public void await() {
    await(true);
  }

  /**
   * Waits as {@link #await()} does.
   *
   * @param largeValues whether the commit has appended large values, or may
   */
  public void await(boolean largeValues) {
    if (end.getAsLong() - begin >= limit || (largeValues && values.isAhead())) {
      awaitAllowance(largeValues);
    }
  }

  private void awaitAllowance(boolean largeValues) {
    long first = System.nanoTime();
    long now = first;
    boolean interrupted = false;
    for (long delay = delay(now, largeValues);
        delay > 0 && failure.get() == null;
        delay = delay(now, largeValues)) {
      LockSupport.parkNanos(this, Math.min(delay, LOOK_NANOS));
      interrupted |= Thread.interrupted();
      now = System.nanoTime();
    }
    if (now != first) {
      delayed.increment();
      delayedNanos.add(now - first);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private long delay(long now, boolean largeValues) {
    long delay = delay(now);
    return largeValues ? Math.max(delay, values.delay(now)) : delay;
  }

  /** What slows commits of large values. */
  public ValueThrottle values() {
    return values;
  }

  /**
   * Nanoseconds after which a commit may begin because of the log, as far as can be said now; 0: at
   * once.
   */
  synchronized long delay(long now) {
    long at = end.getAsLong();
    long length = at - begin;
    if (length < limit) {
      return 0;
    }
    if (length >= stop) {
      return LOOK_NANOS;
    }
    double rate = HASTE * (stop - length) / duration(now);
    if (allowance.position() < begin + limit) { // the first beyond it since the last checkpoint
      allowance.restart(now, at);
    }
    return allowance.delay(now, at, rate);
  }

  private long duration(long now) {
    long duration = running ? Math.max(lastDuration, now - started) : lastDuration;
    return Math.max(duration, SHORTEST_NANOS);
  }

  /** The number of commits that had to wait. */
  public long delayed() {
    return delayed.sum();
  }

  /** The sum of their waiting times, in nanoseconds. */
  public long delayedNanos() {
    return delayedNanos.sum();
  }
}
