package io.bg3.core.tree;

import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.MemoryBudget;

/**
 * How much memory the pages may hold, as opposed to use: what the budget has, without what it has
 * granted for the heap. A part of that is to lie in spans that are free, so that a block of any
 * size finds room without new memory.
 *
 * <p>Free blocks between those in use are inevitable, up to a span for each size. A budget to which
 * they matter much holds {@link #INEVITABLE} at least beside what it may use.
 *
 * <p>Threads: any.
 */
final class HeldMemory {
  /** This part of the budget is to be in free spans. */
  private static final int FREE_SHARE = 64;

  /**
   * More is made free than is missing, by this part of the budget, so that it is done less often.
   */
  private static final int AHEAD_SHARE = 64;

  private static final long LEAST_FREE = 8L * BlockMemory.SPAN;

  /**
   * This part of what is to be free is enough for a thread to go on with, while another one makes
   * room.
   */
  private static final int RESERVE_SHARE = 4;

  private static final long INEVITABLE = 4 << 20;

  /** The part of a budget that may be free blocks. */
  private static final int INEVITABLE_SHARE = 32;

  private final BlockMemory memory;
  private final MemoryBudget budget;
  private final long free;
  private final long ahead;
  private final long more;

  HeldMemory(BlockMemory memory) {
    this.memory = memory;
    this.budget = memory.budget();
    long limit = budget.limit();
    this.free = Math.max(LEAST_FREE, limit / FREE_SHARE);
    this.ahead = Math.max(LEAST_FREE, limit / AHEAD_SHARE);
    this.more = Math.max(0, INEVITABLE - limit / INEVITABLE_SHARE);
  }

  /** Bytes that blocks and the spans around them may take. */
  long most() {
    return budget.limit() - budget.onHeap() + more;
  }

  /** Whether more is held than may be. */
  boolean isOver() {
    return memory.held() > most();
  }

  /**
   * Bytes that are missing in free spans; 0 or less if there are enough.
   *
   * @param asked bytes that are about to be allocated
   */
  long excess(long asked) {
    return memory.occupied() - most() + Math.max(free, asked);
  }

  /**
   * Whether so little is free that a thread cannot go on until room is made.
   *
   * @param asked bytes that are about to be allocated
   */
  boolean isShort(long asked) {
    return memory.occupied() - most() + Math.max(free / RESERVE_SHARE, asked) > 0;
  }

  /** Bytes that are made free beyond those that are missing. */
  long ahead() {
    return ahead;
  }

  /** Tells the memory how much it may hold by now. */
  void update() {
    memory.setMost(most(), free);
  }
}
