package io.bg3.core.value;

import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.Epochs;
import io.bg3.storage.memory.MemoryBudget;

/**
 * How much of the memory budget values may take: what pages leave.
 *
 * <pre>
 *   0                                                15/16 - 1/128      15/16          limit
 *   |------------------------------------------------|------------------|--------------|
 *    values that are read or written are kept         others go for      kept free for
 *                                                     those read again   pages (row keeper)
 * </pre>
 *
 * <p>Threads: any.
 */
final class SpareMemory {
  /** Values do not take this part of the budget, which the row keeper keeps free for pages. */
  private static final int FREE_SHARE = 16;

  /** Nor this part, in which pages may grow before values have to go. */
  private static final int GROWTH_SHARE = 128;

  /**
   * Nor a span of this part, so that blocks find room beside those that wait for readers, and the
   * budget is not {@linkplain MemoryBudget#isPressed pressed} by values.
   */
  private static final int SPANS_SHARE = 32;

  /** A value has at most this part of the budget. */
  private static final int VALUE_SHARE = 64;

  private final BlockMemory memory;
  private final MemoryBudget budget;
  private final Epochs epochs;
  private final long most;
  private final long mostForSome;
  private final long mostInSpans;
  private final int mostOfValue;

  SpareMemory(BlockMemory memory, Epochs epochs) {
    this.memory = memory;
    this.budget = memory.budget();
    this.epochs = epochs;
    long limit = budget.limit();
    this.most = limit - limit / FREE_SHARE;
    this.mostForSome = most - limit / GROWTH_SHARE;
    this.mostInSpans = limit - limit / SPANS_SHARE;
    this.mostOfValue = (int) Math.min(BlockMemory.SPAN, limit / VALUE_SHARE);
  }

  /** Bytes of the block of a value; 0 for one that is too large. */
  int capacity(byte[] key, byte[] value) {
    long wanted = CachedValue.bytes(key, value);
    return wanted > mostOfValue ? 0 : BlockMemory.capacityFor((int) wanted);
  }

  /** Whether so many bytes can be had without one that pages might want. */
  boolean isFree(int capacity) {
    return areBytesFree(capacity) && spansWithOneMore() <= most;
  }

  /** Whether a block can be had that only values and pages of its size have a use for. */
  boolean isFreeInItsSize(int capacity) {
    return areBytesFree(capacity) && memory.hasFree(capacity);
  }

  private boolean areBytesFree(int capacity) {
    return !budget.isPressed() && budget.used() + capacity <= mostForSome;
  }

  /**
   * Whether there is a block for a value for which others have gone. A span that pages can do
   * without is one: they need some for blocks of any size.
   */
  boolean hasBlock(int capacity) {
    return spansWithOneMore() <= mostInSpans || memory.hasFree(capacity);
  }

  /**
   * Bytes of blocks and heap with one more span in use. The bytes on the heap leave fewer spans.
   */
  private long spansWithOneMore() {
    return memory.occupied() + budget.onHeap() + BlockMemory.SPAN;
  }

  /** Whether so many bytes more leave free what is kept free for pages. */
  boolean fits(long more) {
    return budget.used() + more <= most;
  }

  /**
   * Whether so many bytes fit if other values go for them. The blocks of those are in use until the
   * readers of now have left, so they come beside the new one.
   */
  boolean mayReplace(int capacity) {
    if (budget.isPressed() || budget.used() - epochs.pending() > mostForSome) {
      return false; // pages have grown
    }
    if (!fits(capacity)) {
      epochs.reclaim();
    }
    return fits(capacity);
  }
}
