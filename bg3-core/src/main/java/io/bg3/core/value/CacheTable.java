package io.bg3.core.value;

import io.bg3.storage.memory.MemoryBudget;

/**
 * The table of the large values in memory, whose size follows their number: the slots, and the
 * reads of values that are not in memory. It is on the heap, counts against the budget, and takes a
 * bounded part of both.
 *
 * <p>Threads: any may read. One at a time changes it, and the slots and recent reads in it are made
 * before they are published.
 */
final class CacheTable {
  /** The table has at most this part of the budget. */
  private static final int BUDGET_SHARE = 8;

  /** And this part of the heap. */
  private static final int HEAP_SHARE = 32;

  /**
   * The table grows when more than so many eighths of the slots are used. With more, values would
   * find their sets full though memory is free.
   */
  private static final int FULL_EIGHTHS = 3;

  private static final int EIGHTHS = 8;

  /** With more slots a value, the table is too large. */
  private static final int SLOTS_OF_VALUE = 64;

  /** So many slots have one place among the recent reads. */
  private static final int SLOTS_OF_RECENT = 2;

  private final MemoryBudget budget;
  private final SpareMemory spare;
  private volatile CacheSlots slots; // null while there is no value
  private volatile RecentReads recent; // as slots
  private long most;

  CacheTable(MemoryBudget budget, SpareMemory spare) {
    this.budget = budget;
    this.spare = spare;
    this.most =
        Math.min(budget.limit() / BUDGET_SHARE, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
  }

  /** The slots; null while there is no value. */
  CacheSlots slots() {
    return slots;
  }

  /** The reads of values that are not in memory; null while there is no value. */
  RecentReads recent() {
    return recent;
  }

  /** Doubles the table if so many values are many for it. Without a table, makes the first. */
  void growFor(long values) {
    CacheSlots now = slots;
    if (now == null) {
      grow(null, CacheSlots.WAYS << CacheSlots.FEWEST_BITS);
    } else if (values * EIGHTHS > (long) now.count() * FULL_EIGHTHS && now.mayGrow()) {
      grow(now, 2 * now.count());
    }
  }

  private void grow(CacheSlots old, int places) {
    long more = bytes(places) - (old == null ? 0 : bytes(old.count()));
    if (old != null && (bytes(places) > most || !spare.fits(more))) {
      return;
    }
    try {
      CacheSlots next = old == null ? new CacheSlots() : old.grown();
      RecentReads reads = new RecentReads(places / SLOTS_OF_RECENT);
      budget.reserveOnHeap(more);
      recent = reads;
      slots = next;
    } catch (OutOfMemoryError e) {
      stopGrowing();
    }
  }

  /** The table is as good as before, and each attempt would collect garbage. */
  private void stopGrowing() {
    most = 0;
  }

  /** Whether so few values are in the table that they are not worth its memory. */
  boolean isTooLargeFor(long values) {
    CacheSlots now = slots;
    return now != null && values * SLOTS_OF_VALUE < now.count();
  }

  /** Gives up a table without values; says how many bytes it had. */
  long end() {
    long bytes = bytes(slots.count());
    slots = null;
    recent = null;
    budget.releaseOnHeap(bytes);
    return bytes;
  }

  private static long bytes(int slots) {
    return CacheSlots.bytes(slots) + RecentReads.bytes(slots / SLOTS_OF_RECENT);
  }
}
