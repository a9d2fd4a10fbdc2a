package io.bg3.core.tree;

import io.bg3.storage.format.UnreadableException;
import io.bg3.storage.memory.MemoryBudget;
import io.bg3.storage.memory.MemoryExceededException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Loads several pages at once, for a thread that is about to read all of them: a device that is
 * asked for one page at a time idles most of the time.
 *
 * <pre>
 *   thread that asks                    helpers
 *   memory for all pages
 *   asks helpers
 *   takes page A, loads it              take pages B and C, load them
 *   takes page D, loads it              nothing is left: end
 *   waits for B and C
 * </pre>
 *
 * <p>Loading a group is only an attempt, and nothing depends on it (R30). A page that is not in
 * memory afterwards, because it is damaged, because budget, heap or direct memory is short, or
 * because it was evicted again, is loaded by the reader that meets it, which then gets the error. A
 * group that there is no memory for is made smaller. A page that another thread loads already is
 * waited for, like any.
 *
 * <p>The thread that asks takes part, and waits only for pages that a helper has begun to load. So
 * a pool whose threads are all busy, or that is closed, delays nobody. What helpers have read
 * counts as read by that thread (R40).
 *
 * <p>Threads: any, outside of epochs and without a latch in hand.
 */
final class GroupLoader {
  /** Pages of one group. */
  private static final int MOST = 256;

  /** A group may take this part of the memory, so that groups do not evict each other's pages. */
  private static final int SHARE = 16;

  private final PageLoader loader;
  private final MemoryBudget budget;
  private final Executor helpers;
  private final int reads;

  /**
   * A loader of groups.
   *
   * @param helpers runs tasks, or drops them
   * @param reads pages that one group loads at the same time, at most
   */
  GroupLoader(PageLoader loader, MemoryBudget budget, Executor helpers, int reads) {
    this.loader = loader;
    this.budget = budget;
    this.helpers = helpers;
    this.reads = reads;
  }

  /** Whether it loads more than one page at a time. */
  boolean isUseful() {
    return reads > 1;
  }

  /**
   * Tries to bring pages into memory: the first ones, if they are too many. Does not wait for
   * memory, and returns when each of them has been tried once.
   *
   * @param wanted the pages, and how much of each
   * @return how many were tried
   */
  int load(Map<Integer, PageLoader.Part> wanted) {
    int count = Math.min(wanted.size(), MOST);
    int[] pages = wanted.keySet().stream().mapToInt(page -> page).limit(count).toArray();
    long[] bytes = new long[count];
    int fitting = 0;
    for (long sum = 0; fitting < count; fitting++) {
      bytes[fitting] = loader.bytes(pages[fitting]);
      sum += bytes[fitting];
      if (sum > share()) {
        break;
      }
    }
    while (fitting > 0 && !budget.tryRequest(sum(bytes, fitting))) {
      fitting /= 2;
    }
    if (fitting > 0) {
      Group group = new Group(wanted, Arrays.copyOf(pages, fitting), bytes);
      ask(group, Math.min(reads, fitting) - 1);
      group.run();
      group.await();
    }
    return fitting;
  }

  /** Bytes that one group may take. */
  private long share() {
    return budget.limit() / SHARE;
  }

  private static long sum(long[] bytes, int count) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += bytes[i];
    }
    return sum;
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

  /** The pages of one group, which several threads take one after another. */
  private final class Group implements Runnable {
    private final Map<Integer, PageLoader.Part> wanted;
    private final int[] pages;
    private final long[] bytes;
    private final AtomicInteger next = new AtomicInteger();
    private final CountDownLatch left;
    private final Thread asker = Thread.currentThread();
    private final AtomicLong helpersReads = new AtomicLong();
    private final AtomicLong helpersBytes = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    Group(Map<Integer, PageLoader.Part> wanted, int[] pages, long[] bytes) {
      this.wanted = wanted; // stays as it is until all pages have been tried
      this.pages = pages;
      this.bytes = bytes;
      this.left = new CountDownLatch(pages.length);
    }

    /** Loads pages until none is left that no thread has taken. */
    @Override
    public void run() {
      for (int i = next.getAndIncrement(); i < pages.length; i = next.getAndIncrement()) {
        tryLoad(pages[i], bytes[i]);
      }
    }

    private void tryLoad(int page, long granted) {
      ReadCounts before = ReadCounts.ofThread();
      try {
        load(page, granted);
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

    /** Whether the thread that needs the page is told, if there is one. */
    private static boolean isLeftToReader(Throwable e) {
      return e instanceof UnreadableException
          || e instanceof UncheckedIOException
          || e instanceof MemoryExceededException
          || e instanceof OutOfMemoryError;
    }

    private void load(int page, long granted) {
      long bytes = granted;
      try {
        PageLoader.Part part = wanted.get(page);
        long needed = loader.loadGranted(page, part, bytes);
        if (needed > bytes && budget.tryRequest(needed - bytes)) {
          bytes = needed;
          loader.loadGranted(page, part, bytes);
        }
      } finally {
        budget.release(bytes);
      }
    }

    /**
     * Waits for the helpers that are loading a page.
     *
     * @throws RuntimeException what a page could not be loaded for, if it is neither damage nor
     *     want of memory; or an Error
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
