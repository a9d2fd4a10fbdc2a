package io.bg3.core.recovery;

import io.bg3.core.commit.StoreFailedException;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The lock under which the rows of the page table change (R24). A flush, a checkpoint and a slice
 * of reclaiming each hold it from their first step to their last.
 *
 * <p>A failure of what is done under the lock is a failure of the store: rows or notes may be
 * half-changed. After it, and after {@link #end}, nothing more is done under the lock.
 *
 * <p>It also measures how long its holders work, without the pauses of checkpoints (R47): commits
 * are slowed by the time in which this thread works, and not by the time that it spares them.
 *
 * <p>Threads: any. The lock is fair, so that a flush does not overtake a checkpoint, and comes
 * before the next slice of a check.
 */
final class RowLock {
  private final CheckpointSource source;
  private final LongSupplier nanos;
  private final ReentrantLock lock = new ReentrantLock(true);

  // Guarded by the lock.
  private boolean ended;

  /** Nanoseconds worked since {@link #takeWorked}, without the piece of work under way. */
  private long worked;

  private long workBegan;

  /**
   * A lock that nobody holds.
   *
   * @param source is told when work begins, ends and fails
   * @param nanos clock, in nanoseconds
   */
  RowLock(CheckpointSource source, LongSupplier nanos) {
    this.source = source;
    this.nanos = nanos;
  }

  /** Work that a thread does under the lock. */
  @FunctionalInterface
  interface Work<T> {
    T run() throws IOException;
  }

  /**
   * Does something while no other thread changes rows.
   *
   * @throws StoreFailedException if the store has failed before; nothing is done
   * @throws IllegalStateException after {@link #end}
   */
  <T> T hold(Work<T> work) throws IOException {
    lock.lock();
    try {
      if (ended) {
        throw new IllegalStateException("the store is closed and takes no checkpoint");
      }
      requireNoFailure();
      workBegan = nanos.getAsLong();
      source.workBegins();
      try {
        T result = work.run();
        worked += nanos.getAsLong() - workBegan;
        return result;
      } catch (IOException | RuntimeException | Error e) {
        source.fail(e);
        throw e;
      } finally {
        source.workEnds();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Looks at something while no thread changes rows. Unlike {@link #hold}, it is no work that slows
   * commits, its failure is its own, and it goes on behind a failure of the store.
   *
   * @throws IllegalStateException after {@link #end}
   */
  boolean look(BooleanSupplier slice) {
    lock.lock();
    try {
      if (ended) {
        throw new IllegalStateException("the store is closed and not checked to its end");
      }
      return slice.getAsBoolean();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the holder, and lets nothing more be done under the lock. */
  void end() {
    lock.lock();
    try {
      ended = true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Refuses to go on behind a failure of the store. A flush that failed has pages noted that no
   * later one writes, and a commit that failed may have changed only some of its pages: a manifest
   * would let go of the log that has all of them.
   */
  void requireNoFailure() {
    Throwable failure = source.failure();
    if (failure != null) {
      throw new StoreFailedException(failure);
    }
  }

  /**
   * Whether anybody waits for the holder: for the lock, or, as a commit does, for the end of its
   * checkpoint. Also if the store has failed, so that it can be closed. Any thread may ask.
   */
  boolean isAwaited() {
    return lock.hasQueuedThreads() || source.commitsWait() || source.failure() != null;
  }

  /** Has the holder, which takes a checkpoint, wait as {@code pause} does. That is no work. */
  void pause(Runnable pause) {
    worked += nanos.getAsLong() - workBegan;
    source.checkpointPauses();
    pause.run();
    source.checkpointGoesOn();
    workBegan = nanos.getAsLong();
  }

  /** Nanoseconds that holders have worked since the last call. Called by the holder. */
  long takeWorked() {
    long now = nanos.getAsLong();
    long taken = worked + now - workBegan;
    worked = 0;
    workBegan = now;
    return taken;
  }
}
