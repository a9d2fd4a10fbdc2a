package io.bg3.core.tree;

import io.bg3.storage.memory.MemoryBudget;
import java.util.Map;

/**
 * Loads several pages at once, for a thread that is about to read all of them ({@link GroupReads}).
 *
 * <pre>
 *   thread that asks                    helpers
 *   memory for all pages
 *   takes page A, loads it              take pages B and C, load them
 *   takes page D, loads it
 *   waits for B and C
 * </pre>
 *
 * <p>Loading a group is only an attempt, and nothing depends on it (R30). A page that is not in
 * memory afterwards, because it is damaged, because budget, heap or direct memory is short, or
 * because it was evicted again, is loaded by the reader that meets it, which then gets the error. A
 * group that there is no memory for is made smaller. A page that another thread loads already is
 * waited for, like any.
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
  private final GroupReads reads;

  /** A loader of groups, whose pages are loaded by these reads. */
  GroupLoader(PageLoader loader, MemoryBudget budget, GroupReads reads) {
    this.loader = loader;
    this.budget = budget;
    this.reads = reads;
  }

  /** Whether it loads more than one page at a time. */
  boolean isUseful() {
    return reads.isUseful();
  }

  /**
   * Tries to bring pages into memory: the first ones, if they are too many. Does not wait for
   * memory, and returns when each of them has been tried once.
   *
   * @param wanted the pages, and how much of each; stays as it is meanwhile
   * @return how many were tried
   * @throws RuntimeException what a page could not be loaded for, if it is neither damage nor want
   *     of memory; or an Error
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
      reads.run(fitting, i -> loadGranted(wanted.get(pages[i]), pages[i], bytes[i]));
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

  private void loadGranted(PageLoader.Part part, int page, long granted) {
    long bytes = granted;
    try {
      long needed = loader.loadGranted(page, part, bytes);
      if (needed > bytes && budget.tryRequest(needed - bytes)) {
        bytes = needed;
        loader.loadGranted(page, part, bytes);
      }
    } finally {
      budget.release(bytes);
    }
  }
}
