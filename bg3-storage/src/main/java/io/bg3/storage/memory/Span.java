package io.bg3.storage.memory;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * A piece of a slab that is cut into blocks of one size; a block too large for that is a span and a
 * slab by itself.
 *
 * <p>Guard: everything that changes, by the lock of the {@link BlockPool} that owns the span;
 * {@code asked}, kept in debug mode only, is atomic.
 *
 * <ul>
 *   <li>N1: {@code free[0, freeCount)} are the numbers of the blocks that neither a caller nor a
 *       cache has.
 *   <li>N2: the span is linked in its pool's list if and only if it has free blocks and is not
 *       {@code leaving}.
 * </ul>
 */
final class Span {
  final int slab;
  final int start;
  final int blockSize;
  final int blocks;

  /** The pool that owns the span; null for a block that is a slab by itself. */
  final BlockPool pool;

  /**
   * Whether free blocks of the span may wait in caches. Read without the guard: a block that goes
   * to a cache because of an old value is given out again, or returned when the caches are drained.
   */
  boolean cached;

  /** Whether the span is being {@linkplain BlockMemory#vacate vacated}. */
  boolean leaving;

  /** Whether nobody moves the block of a span without a pool. Guard: the memory's lock. */
  boolean fixed;

  /** Bytes asked for, per block; 0 while the block is free. Null unless in debug mode. */
  final AtomicIntegerArray asked;

  private final short[] free;
  private int freeCount;

  Span previous;
  Span next;

  Span(int slab, int start, int blockSize, int blocks, BlockPool pool) {
    this.pool = pool;
    this.cached = pool != null && !pool.isFixed();
    this.slab = slab;
    this.start = start;
    this.blockSize = blockSize;
    this.blocks = blocks;
    this.asked = BlockAudit.ON ? new AtomicIntegerArray(blocks) : null;
    this.free = new short[blocks];
    for (int i = 0; i < blocks; i++) {
      free[i] = (short) (blocks - 1 - i);
    }
    this.freeCount = blocks;
  }

  /** Takes a free block; there must be one. */
  long take() {
    assert freeCount > 0 : "N1: " + this;
    return address(free[--freeCount]);
  }

  void give(long address) {
    assert freeCount < blocks : "N1: " + this;
    free[freeCount++] = (short) number(address);
  }

  int freeCount() {
    return freeCount;
  }

  boolean allFree() {
    return freeCount == blocks;
  }

  long address(int number) {
    return (long) slab << 32 | (start + number * blockSize);
  }

  /** Number of the block that starts at this address. */
  int number(long address) {
    return (BlockMemory.offset(address) - start) / blockSize;
  }

  @Override
  public String toString() {
    return "Span[slab="
        + slab
        + ", start="
        + start
        + ", blockSize="
        + blockSize
        + ", blocks="
        + blocks
        + ", free="
        + freeCount
        + "]";
  }
}
