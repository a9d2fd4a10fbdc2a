package io.bg3.core.tree;

import io.bg3.storage.extent.NoSuchExtentException;
import io.bg3.storage.format.UnreadableException;
import io.bg3.storage.memory.MemoryExceededException;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;

/**
 * Makes the reads of a group at the same time, for a thread that is about to need all of them: a
 * device that is asked for one page at a time idles most of the time.
 *
 * <pre>
 *   thread that asks                    helpers
 *   asks helpers
 *   takes A, reads it                   take B and C, read them
 *   takes D, reads it                   nothing is left: end
 *   waits for B and C
 * </pre>
 *
 * <p>The thread that asks takes part, and waits only for what a helper has begun to read. So a pool
 * whose threads are all busy, or that is closed, delays nobody. The reads of helpers count as reads
 * of that thread (R40).
 *
 * <p>Each read is an attempt (R30). One that fails for damage, for want of memory, or because what
 * it reads has moved fails nobody here: the thread that needs it reads it alone, and gets the
 * error.
 *
 * <p>Threads: any, outside of epochs and without a latch in hand.
 */
public final class GroupReads {
  private final Executor helpers;
  private final int reads;

  /**
   * Reads of groups.
   *
   * @param helpers runs tasks, or drops them
   * @param reads how many of one group are made at the same time, at most
   */
  GroupReads(Executor helpers, int reads) {
    this.helpers = helpers;
    this.reads = reads;
  }

  /** Whether it makes more than one read at a time. */
  public boolean isUseful() {
    return reads > 1;
  }

  /**
   * Tries to make reads, each once, and returns when all have been tried.
   *
   * @param count of them, from index 0 on
   * @param read makes the one of an index, on any thread
   * @throws RuntimeException what a read has thrown that is not left to its reader, when the others
   *     have been tried; or an Error
   */
  public void run(int count, IntConsumer read) {
    Group group = new Group(count, read);
    ask(group, Math.min(reads, count) - 1);
    group.run();
    group.await();
  }

  /** Whether a read that has failed is left to the thread that needs it, if there is one. */
  private static boolean isLeftToReader(Throwable e) {
    return e instanceof UnreadableException
        || e instanceof NoSuchExtentException
        || e instanceof UncheckedIOException
        || e instanceof MemoryExceededException
        || e instanceof OutOfMemoryError;
  }

  private void ask(Group group, int count) {
    try {
      for (int i = 0; i < count; i++) {
        helpers.execute(group);
      }
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      return; // the pool is closed, or no thread can be made: those that there are suffice
    }
  }

  /** The reads of one group, which several threads take one after another. */
  private static final class Group implements Runnable {
    private final int count;
    private final IntConsumer read;
    private final AtomicInteger next = new AtomicInteger();
    private final CountDownLatch left;
    private final Thread asker = Thread.currentThread();
    private final AtomicLong helpersReads = new AtomicLong();
    private final AtomicLong helpersBytes = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    Group(int count, IntConsumer read) {
      this.count = count;
      this.read = read;
      this.left = new CountDownLatch(count);
    }

    /** Makes reads until none is left that no thread has taken. */
    @Override
    public void run() {
      for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
        make(i);
      }
    }

    private void make(int i) {
      ReadCounts before = ReadCounts.ofThread();
      try {
        read.accept(i);
      } catch (RuntimeException | Error e) {
        if (!isLeftToReader(e)) {
          failure.compareAndSet(null, e);
        }
      } finally {
        if (Thread.currentThread() != asker) {
          noteHelper(ReadCounts.ofThread().since(before));
        }
        left.countDown();
      }
    }

    /** Notes what a helper has read, before the thread that asked goes on. */
    private void noteHelper(ReadCounts read) {
      helpersReads.addAndGet(read.deviceReads());
      helpersBytes.addAndGet(read.deviceBytes());
    }

    /**
     * Waits for the helpers that are reading.
     *
     * @throws RuntimeException what the first read has thrown that failed and is not left to its
     *     reader; or an Error
     */
    void await() {
      boolean interrupted = false;
      while (left.getCount() > 0) {
        try {
          left.await();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      ReadTally.ofThread().addDeviceReads(helpersReads.get(), helpersBytes.get());
      Throwable first = failure.get();
      if (first instanceof Error error) {
        throw error;
      } else if (first != null) {
        throw (RuntimeException) first;
      }
    }
  }
}
