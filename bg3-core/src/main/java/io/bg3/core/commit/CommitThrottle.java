package io.bg3.core.commit;

import io.bg3.core.tree.DirtyPages;
import io.bg3.storage.Waiting;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Where commits wait so that they do not outrun the thread that flushes pages, takes checkpoints
 * and empties extents. Three paces say how long, each for something that grows while that thread is
 * behind:
 *
 * <pre>
 *   LogPace      the log's length behind the last checkpoint
 *   DirtyPace    memory of pages that differ from what is stored
 *   ValuePace    space of large values that were replaced; commits with large values only
 * </pre>
 *
 * <p>Commits go slower the nearer such a thing comes to its bound, so they seldom have to wait at
 * the bound itself: for memory in {@link CommitAdmission}, or for the end of a checkpoint.
 *
 * <ul>
 *   <li>P1: a thread that waits here holds nothing that a checkpoint, or a commit that does not
 *       wait, could want: no gate, stripe, dictionary, memory, log space, latch or epoch. So a
 *       checkpoint ends without it.
 *   <li>P2: nobody waits once the store has stopped writing, as it does when a checkpoint fails.
 *   <li>P3: commits that wait for one pace go on in the order in which they came to it.
 * </ul>
 *
 * <p>Commits of the store's own (codes, blocks of ids) do not wait: they are made with locks in
 * hand, and are small and few.
 *
 * <p>Threads: any.
 */
public final class CommitThrottle {
  /** A waiting thread looks again after this long at most. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final Supplier<Throwable> failure;
  private final LogPace log;
  private final DirtyPace dirty;
  private final ValuePace values;
  private final Queue logQueue;
  private final Queue dirtyQueue;
  private final Queue valueQueue;
  private final LongAdder delayed = new LongAdder();
  private final LongAccumulator longest = new LongAccumulator(Math::max, 0);

  /**
   * A throttle that has nobody wait before its paces are started.
   *
   * @param end the end of the log
   * @param values bytes of large values that were appended ever, copies among them
   * @param failure why the store has stopped writing, null while it writes
   */
  public CommitThrottle(
      LongSupplier end, DirtyPages pages, LongSupplier values, Supplier<Throwable> failure) {
    this.failure = failure;
    this.log = new LogPace(end);
    this.dirty = new DirtyPace(pages);
    this.values = new ValuePace(values);
    this.logQueue = new Queue(this.log);
    this.dirtyQueue = new Queue(this.dirty);
    this.valueQueue = new Queue(this.values);
  }

  /** The pace for the log's length; unlimited at first. */
  public LogPace log() {
    return log;
  }

  /** The pace for dirty pages; unlimited at first. */
  public DirtyPace dirty() {
    return dirty;
  }

  /** The pace for the space of large values; unlimited at first. */
  public ValuePace values() {
    return values;
  }

  /**
   * Waits as long as it takes before the next commit, of which it is not known what it writes.
   * Called without any lock in hand. An interrupt does not end the wait, its flag stays: so it is
   * with every wait of a commit. One for the log ends at the latest with the checkpoint that runs,
   * or with the store if that fails; others end when the commits before have earned their rate.
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
    long nanos = logQueue.await() + dirtyQueue.await();
    if (largeValues) {
      nanos += valueQueue.await();
    }
    if (nanos > 0) {
      delayed.increment();
      longest.accumulate(nanos);
    }
  }

  /** Whether a commit waits now, for whatever reason. */
  public boolean isAwaited() {
    return logQueue.isAwaited() || dirtyQueue.isAwaited() || valueQueue.isAwaited();
  }

  /** Commits that wait for one pace: the first of them looks at it, the others behind it. */
  private final class Queue {
    private final Pace pace;
    private final ReentrantLock first = new ReentrantLock(true); // P3
    private final LongAdder waited = new LongAdder();

    Queue(Pace pace) {
      this.pace = pace;
    }

    boolean isAwaited() {
      return first.isLocked();
    }

    /** Waits; says how many nanoseconds. */
    long await() {
      if (!pace.isAhead()) {
        return 0;
      }
      long begin = System.nanoTime();
      if (!first.isLocked() && pace.delay(begin) == 0) {
        return 0;
      }
      Waiting.require("the pace of commits");
      boolean interrupted = false;
      first.lock();
      try {
        for (long delay = pace.delay(System.nanoTime());
            delay > 0 && failure.get() == null;
            delay = pace.delay(System.nanoTime())) {
          LockSupport.parkNanos(this, Math.min(delay, LOOK_NANOS));
          interrupted |= Thread.interrupted();
        }
      } finally {
        first.unlock();
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
      long nanos = System.nanoTime() - begin;
      waited.add(nanos);
      return nanos;
    }
  }

  /** The number of commits that had to wait. */
  public long delayed() {
    return delayed.sum();
  }

  /** The sum of their waiting times, in nanoseconds. */
  public long delayedNanos() {
    return logNanos() + dirtyNanos() + valueNanos();
  }

  /** The longest of their waiting times, in nanoseconds. */
  public long longestNanos() {
    return longest.get();
  }

  /** How long commits have waited because of the log's length, in nanoseconds. */
  public long logNanos() {
    return logQueue.waited.sum();
  }

  /** How long commits have waited because of dirty pages, in nanoseconds. */
  public long dirtyNanos() {
    return dirtyQueue.waited.sum();
  }

  /** How long commits have waited because of the space of large values, in nanoseconds. */
  public long valueNanos() {
    return valueQueue.waited.sum();
  }
}
