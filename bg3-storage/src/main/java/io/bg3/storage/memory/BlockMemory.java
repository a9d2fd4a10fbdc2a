package io.bg3.storage.memory;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * Blocks of off-heap memory, cut from slabs, charged to one budget.
 *
 * <p>An address is the number of a slab in the upper half and the offset in it in the lower; {@link
 * #slab} is one array load, so resolve an address once a page and use the slab from there on.
 *
 * <p><b>What is charged.</b> Every block in use, with the size it was rounded up to: no more and no
 * less. Not charged are free blocks, whether in a cache or between blocks in use: {@link #held}
 * counts them. A free block serves its own size, and a span whose blocks are all free any size.
 * Where no span is free and as much is held as {@linkplain #setMost wanted}, a request gets a free
 * block of at most twice its bytes.
 *
 * <p><b>What is held.</b> Free blocks of one size are no help to another, so when the sizes shift,
 * more would be held than the budget has. The owner of the blocks keeps it from that: it compares
 * {@link #occupied} with what it wants to hold, has spans {@linkplain #vacate vacated}, and moves
 * the blocks in them. Those that it cannot move are in spans of their own ({@link #allocateFixed}).
 * The memory of a slab is given back when it is wholly free and much more is held than {@linkplain
 * #setMost wanted}; that of a block above 256 KiB when the block is freed; both as soon as the
 * garbage collector has found the buffer.
 *
 * <p><b>Caches.</b> Free blocks wait in caches that threads are spread over by their number. A
 * cache holds a bounded number of bytes; what is too much goes to the pool of its size, from where
 * every cache is filled: so a block may be freed on another thread than it was allocated on, and a
 * thread that dies takes nothing with it.
 *
 * <p>Threads: any. Lock order: this, leaving, cache, pool, slabs. Only {@link #used}, {@link
 * #vacate} and {@link #close} wait for a cache. A thread that has one takes and gives small blocks
 * alone, so that a large one, whose memory is made and given up by the JVM, is never waited for
 * with it.
 *
 * <p>With {@code -Dbg3.memory.debug=true} misuse is looked for: see {@link BlockAudit} for what is
 * found and what not.
 */
public final class BlockMemory implements AutoCloseable {
  /** Bytes of a span, whose blocks have one size. */
  public static final int SPAN = SizeClasses.SPAN;

  private static final long MOST_CACHED = 256 << 10;
  private static final int CACHED_PART = 64;
  private static final int LINE = 64;
  private static final long WAIT_NANOS = 10_000;

  /** A block of another class has at most so many times the bytes. */
  private static final int MOST_WASTE = 2;

  /** Most bytes that a block may have. */
  static final int LARGEST_BLOCK = Integer.MAX_VALUE - (1 << 16);

  private final MemoryBudget budget;
  private final Slabs slabs;
  private final ByteBuffer[] buffers;
  private final BlockPool[] pools = new BlockPool[SizeClasses.count()];
  private final BlockPool[] fixedPools = new BlockPool[SizeClasses.count()];
  private final BlockCache[] caches;
  private final List<Span> leaving = new ArrayList<>(); // guarded by itself
  private long largeBytes; // guarded by this
  private volatile long largeFixedBytes; // a part of it, written under the same lock
  private boolean closed;

  /**
   * @param budget what the blocks are charged to
   */
  public BlockMemory(MemoryBudget budget) {
    this.budget = budget;
    this.slabs = new Slabs(budget);
    this.buffers = slabs.buffers;
    for (int sizeClass = 0; sizeClass < pools.length; sizeClass++) {
      pools[sizeClass] = new BlockPool(slabs, SizeClasses.size(sizeClass), false);
      fixedPools[sizeClass] = new BlockPool(slabs, SizeClasses.size(sizeClass), true);
    }
    int stripes =
        Integer.highestOneBit(Math.max(2, 4 * Runtime.getRuntime().availableProcessors() - 1));
    this.caches = new BlockCache[stripes];
    long limit = Math.min(MOST_CACHED, budget.limit() / CACHED_PART / stripes);
    for (int i = 0; i < stripes; i++) {
      caches[i] = new BlockCache(pools, limit);
    }
  }

  /**
   * Takes a block and charges its {@link #capacity} to the budget, which may be overdrawn by it: a
   * thread that can still fail asks the budget before.
   *
   * @param bytes wanted, from 1 to 2^31 - 2^16
   * @return its address, never 0; 16-byte aligned, 64-byte aligned from 1 KiB on; the content is
   *     undefined
   * @throws MemoryExceededException if the JVM has no direct memory left
   */
  public long allocate(int bytes) {
    return allocate(bytes, false);
  }

  /**
   * As {@link #allocate}, for a block that nobody {@linkplain #isLeaving moves}: it lies beside
   * others of that kind, so that it keeps no span from becoming free.
   */
  public long allocateFixed(int bytes) {
    return allocate(bytes, true);
  }

  private long allocate(int bytes, boolean fixed) {
    int capacity = capacityFor(bytes);
    budget.reserve(capacity);
    long address = 0;
    try {
      if (isLarge(bytes)) {
        address = takeLarge(capacity, fixed);
      } else if (fixed) {
        address = fixedPools[SizeClasses.classOf(bytes)].take();
      } else {
        address = take(SizeClasses.classOf(bytes));
      }
    } finally {
      if (address == 0) {
        budget.release(capacity);
      }
    }
    if (BlockAudit.ON) {
      BlockAudit.taken(buffers[(int) (address >>> 32)], slabs.span(address), address, bytes);
    }
    return address;
  }

  /**
   * Gives a block back at once. Nobody may still read it; blocks that readers could reach go
   * through {@link Epochs}.
   */
  public void free(long address) {
    Span span = slabs.span(address);
    int capacity = span.blockSize;
    if (isLarge(span.blockSize)) {
      giveLarge(address, span);
    } else {
      BlockCache cache = lockCache();
      try {
        give(address, span, cache);
      } finally {
        unlock(cache);
      }
    }
    budget.release(capacity);
  }

  /**
   * Gives many blocks back at once, with one step for all where each would need two.
   *
   * @param addresses of the blocks, to be overwritten
   * @return the bytes that the budget gets back
   */
  long free(long[] addresses, int count) {
    long bytes = 0;
    int large = 0;
    BlockCache cache = lockCache();
    try {
      for (int i = 0; i < count; i++) {
        Span span = slabs.span(addresses[i]);
        bytes += span.blockSize;
        if (isLarge(span.blockSize)) {
          addresses[large++] = addresses[i];
        } else {
          give(addresses[i], span, cache);
        }
      }
    } finally {
      unlock(cache);
    }
    for (int i = 0; i < large; i++) {
      giveLarge(addresses[i], slabs.span(addresses[i]));
    }
    budget.release(bytes);
    return bytes;
  }

  /**
   * Bytes that the block takes from the budget, at least what was asked for. Not for use beyond
   * what was asked for.
   */
  public int capacity(long address) {
    return slabs.span(address).blockSize;
  }

  /**
   * Bytes that a block for this many bytes takes from the budget: what to request before {@link
   * #allocate}.
   */
  public static int capacityFor(int bytes) {
    checkBytes(bytes);
    return bytes <= SizeClasses.LARGEST
        ? SizeClasses.size(SizeClasses.classOf(bytes))
        : SizeClasses.largeSize(bytes);
  }

  /** Whether a block of so many bytes has memory of its own, which goes when it is freed. */
  public static boolean isLarge(int bytes) {
    return bytes > SizeClasses.LARGEST;
  }

  /**
   * The slab that holds the block, little-endian; to be accessed by absolute positions only, from
   * {@link #offset} on. The buffer's position and limit belong to nobody and must not be changed.
   * The address must be in use, or have been so when the caller's epoch began.
   */
  public ByteBuffer slab(long address) {
    ByteBuffer slab = buffers[(int) (address >>> 32)];
    if (BlockAudit.ON) {
      return BlockAudit.bounded(slab, slabs.span(address), address);
    }
    return slab;
  }

  /**
   * Reads a number in each of some cache lines of a block, which asks for them all at once.
   *
   * @param address where a block is or was, also one that was freed; 0 for none
   * @param first line from the block's beginning on
   * @return something, for the caller to keep, so that no compiler leaves out the loads
   */
  public long fetch(long address, int first, int lines) {
    ByteBuffer slab = slabs.bufferOrNull(address);
    long seen = 0;
    if (slab != null) {
      int from = offset(address) + first * LINE;
      int end = Math.min(from + lines * LINE, slab.capacity());
      for (int at = from; at < end; at += LINE) {
        seen += slab.getInt(at);
      }
    }
    return seen;
  }

  /**
   * The first eight bytes of a block.
   *
   * @param address where a block is or was, also one that was freed: nothing is concluded from what
   *     stands there then
   */
  public long peek(long address) {
    ByteBuffer slab = slabs.bufferOrNull(address);
    int at = offset(address);
    return slab == null || at > slab.capacity() - Long.BYTES ? 0 : slab.getLong(at);
  }

  /** Position of the block's first byte in its slab. */
  public static int offset(long address) {
    return (int) address;
  }

  /**
   * Bytes of all slabs: what the blocks in use, those free for reuse, and the holes between them
   * take of the machine.
   */
  public long held() {
    return slabs.held();
  }

  /**
   * Bytes of large blocks and of the spans that are cut into blocks: those in use, and those that
   * are free for blocks of the same size only. The rest of {@link #held} is free for all sizes.
   */
  public long occupied() {
    return slabs.occupied();
  }

  /**
   * Whether a block for this many bytes, at most {@link #SPAN}, can be had without another span, as
   * far as can be said while others allocate. Free blocks in caches do not count.
   */
  public boolean hasFree(int bytes) {
    return pools[SizeClasses.classOf(bytes)].hasFree();
  }

  /**
   * Says how many bytes should be {@linkplain #held} at most, by default as many as the budget has.
   * That is no bound on what is given out.
   *
   * @param shortage the budget is {@linkplain MemoryBudget#setPressed pressed} while fewer bytes
   *     than that can be had for blocks of any size
   */
  public void setMost(long bytes, long shortage) {
    slabs.setMost(bytes, shortage);
  }

  /**
   * Chooses spans that are to become free, those first of which the least has to be moved, and none
   * whose blocks find no room in other spans of their size. Until the next call no block is taken
   * from them, so each becomes free when all of its blocks are freed: the caller looks for the
   * blocks in use that are {@linkplain #isLeaving leaving}, and replaces them. What was chosen
   * before and is not free is no longer chosen.
   *
   * @param bytes wanted of spans
   * @return bytes of the chosen spans; fewer if there are not so many
   */
  public long vacate(long bytes) {
    return vacate(bytes, false);
  }

  /**
   * As {@link #vacate(long)}, for all spans that have a free block, whether there is room for their
   * other blocks or not: for tests of those who move them.
   */
  public long vacateAll() {
    return vacate(Long.MAX_VALUE, true);
  }

  private long vacate(long bytes, boolean anyhow) {
    synchronized (leaving) {
      leaving.forEach(span -> span.pool.stay(span));
      leaving.clear();
      for (BlockCache cache : caches) {
        lock(cache);
        cache.clear();
        cache.unlock();
      }
      List<BlockPool.Vacatable> all = new ArrayList<>();
      for (BlockPool pool : pools) {
        pool.addVacatable(all, anyhow);
      }
      Collections.sort(all);
      long chosen = 0;
      for (int i = 0; i < all.size() && chosen < bytes; i++) {
        Span span = all.get(i).span();
        if (span.pool.leave(span)) {
          leaving.add(span);
          chosen += SizeClasses.SPAN;
        }
      }
      return chosen;
    }
  }

  /**
   * Whether a block is in a span that is being {@linkplain #vacate vacated}. As with {@link #slab},
   * the address must be in use.
   */
  public boolean isLeaving(long address) {
    return slabs.span(address).leaving;
  }

  /**
   * Says the addresses of the blocks in spans that are being {@linkplain #vacate vacated}: of those
   * in use, of free ones, and some that were given up meanwhile. Nobody vacates spans meanwhile.
   */
  public void forEachLeaving(LongConsumer block) {
    synchronized (leaving) {
      for (Span span : leaving) {
        for (int i = 0; i < span.blocks; i++) {
          block.accept(span.address(i));
        }
      }
    }
  }

  /**
   * Bytes of the blocks in use: what this memory has charged to its budget. Exact while nobody
   * allocates or frees.
   */
  public long used() {
    long used;
    synchronized (this) {
      used = largeBytes;
    }
    for (BlockPool pool : pools) {
      used += pool.out() * pool.blockSize();
    }
    used += fixedInPools();
    for (BlockCache cache : caches) {
      lock(cache);
      used -= cache.bytes();
      cache.unlock();
    }
    return used;
  }

  /** The part of {@link #used} in blocks that nobody moves. */
  public long fixed() {
    return largeFixedBytes + fixedInPools();
  }

  private long fixedInPools() {
    long fixed = 0;
    for (BlockPool pool : fixedPools) {
      fixed += pool.out() * pool.blockSize();
    }
    return fixed;
  }

  /** The budget to which blocks are charged. */
  public MemoryBudget budget() {
    return budget;
  }

  /**
   * Releases everything to the budget. Nobody may use a block or call anything here at the same
   * time or afterwards.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    budget.release(used());
    for (BlockCache cache : caches) {
      lock(cache);
      cache.clear();
      cache.unlock();
    }
    for (BlockPool pool : pools) {
      pool.close();
    }
    for (BlockPool pool : fixedPools) {
      pool.close();
    }
    synchronized (leaving) {
      leaving.clear();
    }
    slabs.close();
  }

  private long take(int sizeClass) {
    BlockCache cache = lockCache();
    try {
      long address =
          cache == null ? pools[sizeClass].takeWithinMost() : cache.takeWithinMost(sizeClass);
      return address == 0 ? takeOther(sizeClass) : address;
    } finally {
      unlock(cache);
    }
  }

  /**
   * Takes a free block of a larger class, and only where there is none a new slab, so that more is
   * held than wanted. The budget is charged for the whole block.
   */
  private long takeOther(int sizeClass) {
    int size = SizeClasses.size(sizeClass);
    for (int larger = sizeClass + 1;
        larger < pools.length && SizeClasses.size(larger) <= MOST_WASTE * size;
        larger++) {
      long address = pools[larger].takeFree();
      if (address != 0) {
        budget.reserve(SizeClasses.size(larger) - size);
        return address;
      }
    }
    return pools[sizeClass].take();
  }

  /** Gives a block to a cache, or where there is none to the pool. */
  private void give(long address, Span span, BlockCache cache) {
    audit(address, span);
    if (cache != null && span.cached) {
      cache.give(SizeClasses.classOf(span.blockSize), address);
    } else {
      span.pool.give(address);
    }
  }

  private long takeLarge(int capacity, boolean fixed) {
    Span span = slabs.acquireLarge(capacity);
    synchronized (this) {
      largeBytes += capacity;
      if (fixed) {
        span.fixed = true;
        largeFixedBytes += capacity;
      }
    }
    return span.address(0);
  }

  private void giveLarge(long address, Span span) {
    audit(address, span);
    synchronized (this) {
      largeBytes -= span.blockSize;
      if (span.fixed) {
        largeFixedBytes -= span.blockSize;
      }
    }
    slabs.releaseLarge(span);
  }

  private void audit(long freed, Span span) {
    if (BlockAudit.ON) {
      BlockAudit.freed(buffers[(int) (freed >>> 32)], span, freed);
    }
  }

  /** The thread's cache, or another that is free just now; null if none is. */
  private BlockCache lockCache() {
    int home = (int) Thread.currentThread().getId();
    for (int i = 0; i < caches.length; i++) {
      BlockCache cache = caches[home + i & caches.length - 1];
      if (cache.tryLock()) {
        return cache;
      }
    }
    return null;
  }

  private static void checkBytes(int bytes) {
    if (bytes <= 0 || bytes > LARGEST_BLOCK) {
      throw new IllegalArgumentException(
          "bytes of a block must be in [1, " + LARGEST_BLOCK + "]: bytes=" + bytes);
    }
  }

  private static void lock(BlockCache cache) {
    while (!cache.tryLock()) {
      LockSupport.parkNanos(cache, WAIT_NANOS);
    }
  }

  private static void unlock(BlockCache cache) {
    if (cache != null) {
      cache.unlock();
    }
  }
}
