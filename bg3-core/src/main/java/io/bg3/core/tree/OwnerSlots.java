package io.bg3.core.tree;

import io.bg3.storage.memory.MemoryBudget;

/**
 * The size of a table on the heap with slots for owners: a bounded part of the memory budget and of
 * the heap.
 */
final class OwnerSlots {
  /** The words of a table that has ended. */
  static final long[] NONE = {};

  /** A table has at most this part of the budget. */
  private static final int BUDGET_SHARE = 64;

  /** And this part of the heap. */
  private static final int HEAP_SHARE = 32;

  private OwnerSlots() {}

  /**
   * Charges a table to the budget and says how many slots it has, a power of two.
   *
   * @param words longs of a slot
   * @param fewest slots, however small budget and heap are; a power of two
   * @param most slots
   * @throws io.bg3.storage.memory.MemoryExceededException if the budget has no room for it
   */
  static int reserve(MemoryBudget budget, int words, int fewest, int most) {
    long heap = Runtime.getRuntime().maxMemory();
    long bytes = Math.min(budget.limit() / BUDGET_SHARE, heap / HEAP_SHARE);
    long wanted = bytes / ((long) words * Long.BYTES);
    int slots = Integer.highestOneBit((int) Math.max(fewest, Math.min(wanted, most)));
    budget.reserveOnHeap((long) slots * words * Long.BYTES);
    return slots;
  }
}
