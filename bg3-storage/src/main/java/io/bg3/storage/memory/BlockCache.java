package io.bg3.storage.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Free blocks close at hand for the threads that hash here. It belongs to the thread that
 * {@linkplain #tryLock locked} it; a thread that finds it taken goes to the next one instead of
 * waiting.
 *
 * <ul>
 *   <li>C1: {@code bytes} is the sum of the sizes of the blocks in the stacks, at most {@code
 *       limit}.
 * </ul>
 */
final class BlockCache {
  private static final VarHandle LOCKED;

  static {
    try {
      LOCKED = MethodHandles.lookup().findVarHandle(BlockCache.class, "locked", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Most blocks of one size. */
  private static final int MOST = 64;

  private final BlockPool[] pools;
  private final long limit;
  private final long[][] stacks;
  private final int[] counts;
  private long bytes;

  @SuppressWarnings("UnusedVariable") // through LOCKED
  private int locked;

  BlockCache(BlockPool[] pools, long limit) {
    this.pools = pools;
    this.limit = limit;
    this.stacks = new long[pools.length][];
    this.counts = new int[pools.length];
  }

  boolean tryLock() {
    return (int) LOCKED.getOpaque(this) == 0 && LOCKED.compareAndSet(this, 0, 1);
  }

  void unlock() {
    LOCKED.setRelease(this, 0);
  }

  /**
   * A block of this class, fetching some more from the pool if there was none; 0 if {@link
   * BlockPool#takeWithinMost} gives none.
   */
  long takeWithinMost(int sizeClass) {
    BlockPool pool = pools[sizeClass];
    int size = pool.blockSize();
    if (counts[sizeClass] == 0) {
      int wanted = (int) Math.min(MOST / 2, (limit - bytes) / 2 / size);
      if (wanted <= 1) {
        return pool.takeWithinMost();
      }
      int taken = pool.takeWithinMost(stack(sizeClass), wanted);
      counts[sizeClass] = taken;
      bytes += (long) taken * size;
      if (taken == 0) {
        return 0;
      }
    }
    bytes -= size;
    return stacks[sizeClass][--counts[sizeClass]];
  }

  /** Keeps the block, or gives it and half of its like to the pool when there are enough. */
  void give(int sizeClass, long address) {
    BlockPool pool = pools[sizeClass];
    int size = pool.blockSize();
    int count = counts[sizeClass];
    if (count == MOST || bytes + size > limit) {
      int kept = count / 2;
      if (kept < count) {
        pool.give(stacks[sizeClass], kept, count);
        counts[sizeClass] = kept;
        bytes -= (long) (count - kept) * size;
      }
      pool.give(address);
      return;
    }
    stack(sizeClass)[count] = address;
    counts[sizeClass] = count + 1;
    bytes += size;
    assert bytes <= limit : "C1: bytes=" + bytes + ", limit=" + limit;
  }

  /** Gives everything to the pools. */
  void clear() {
    for (int sizeClass = 0; sizeClass < pools.length; sizeClass++) {
      if (counts[sizeClass] > 0) {
        pools[sizeClass].give(stacks[sizeClass], 0, counts[sizeClass]);
        counts[sizeClass] = 0;
      }
    }
    bytes = 0;
  }

  long bytes() {
    return bytes;
  }

  private long[] stack(int sizeClass) {
    long[] stack = stacks[sizeClass];
    if (stack == null) {
      stack = new long[MOST];
      stacks[sizeClass] = stack;
    }
    return stack;
  }
}
