package io.bg3.storage.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.PriorityQueue;

/**
 * The direct buffers that blocks lie in. A shared slab is divided into spans, which go from one
 * block size to another when all their blocks are free; a large slab is one block.
 *
 * <p>Finding a slab is one load from an array that never grows: {@code buffers} has room for more
 * slabs than the budget could fill. An element is written before the first address in that slab is
 * handed out. A thread that publishes an address does so with a release store, and a thread that
 * reads it there (or was handed it) therefore sees the element; no load by an address in use needs
 * an order of its own. An element changes again after its large block was freed, or after a shared
 * slab whose spans are all free was given up. Addresses of freed blocks are still around then, in
 * hints: by those, elements are only read by {@link #bufferOrNull}, since a thread that sees a
 * buffer by a race may see its fields empty.
 *
 * <p>Guard: {@code this} for everything but reading {@code buffers} and {@code spans} by an address
 * in use.
 */
final class Slabs {
  static final int SMALLEST_SLAB = 1 << 20;
  static final int LARGEST_SLAB = 1 << 24;

  /**
   * A new shared slab is at most this part of what is held already, so that little of it lies idle.
   */
  private static final int GROWTH = 4;

  /** A new shared slab is at most this part of the budget, so that little is held beyond it. */
  private static final int BUDGET_SHARE = 64;

  /**
   * Slabs are given back when this part too much is held. A little is kept: it will be wanted
   * again, and the garbage collector may come too late to have given it back by then.
   */
  private static final int KEPT_SHARE = 32;

  private static final int FEWEST_SLOTS = 1 << 12;
  private static final int MOST_SLOTS = 1 << 20;
  private static final int ALIGNMENT = 64;

  private static final VarHandle BUFFER = MethodHandles.arrayElementVarHandle(ByteBuffer[].class);

  private final MemoryBudget budget;
  final ByteBuffer[] buffers;
  private final Span[][] spans;

  /** Slots from {@code freshSlot} on were never used; slot 0 is none, so that no address is 0. */
  private int freshSlot = 1;

  private final ArrayDeque<Integer> freeSlots = new ArrayDeque<>();

  /** Those of low slabs come first, so that the slabs that were made last become free. */
  private final PriorityQueue<Long> freeSpans = new PriorityQueue<>();

  /** Free spans of each slab. */
  private final short[] freeInSlab;

  private long held;

  /** Bytes that slabs should have at most. */
  private long most;

  /** Free and unused bytes below which the budget is told that spans are short. */
  private long least;

  private boolean closed;

  Slabs(MemoryBudget budget) {
    this.budget = budget;
    long slots = 2 * (budget.limit() / SizeClasses.SPAN);
    int count = (int) Math.min(Math.max(slots, FEWEST_SLOTS), MOST_SLOTS);
    this.buffers = new ByteBuffer[count];
    this.spans = new Span[count][];
    this.freeInSlab = new short[count];
    this.most = budget.limit();
  }

  /** The slab of an address that need not be in use; null if there is none just now. */
  ByteBuffer bufferOrNull(long address) {
    int slab = (int) (address >>> 32);
    return slab < 0 || slab >= buffers.length
        ? null
        : (ByteBuffer) BUFFER.getAcquire(buffers, slab);
  }

  /** The span that holds this address, which must be in use. */
  Span span(long address) {
    Span[] inSlab = spans[(int) (address >>> 32)];
    return inSlab[BlockMemory.offset(address) / SizeClasses.SPAN];
  }

  /** A span cut into blocks of this size, for this pool. */
  synchronized Span acquire(int blockSize, BlockPool pool) {
    if (freeSpans.isEmpty()) {
      addSharedSlab();
    }
    long place = freeSpans.remove();
    int slab = (int) (place >>> 32);
    int start = (int) place;
    freeInSlab[slab]--;
    Span span = new Span(slab, start, blockSize, SizeClasses.SPAN / blockSize, pool);
    spans[slab][start / SizeClasses.SPAN] = span;
    BlockAudit.poison(buffers[slab], start, SizeClasses.SPAN);
    tellShortage();
    return span;
  }

  /** As {@link #acquire}; null if more would be held for it than wanted. */
  synchronized Span acquireWithinMost(int blockSize, BlockPool pool) {
    return freeSpans.isEmpty() && held + SMALLEST_SLAB > most ? null : acquire(blockSize, pool);
  }

  /** Takes a span back; all its blocks are free. */
  synchronized void release(Span span) {
    assert span.allFree() : "N1: " + span;
    freeSpans.add((long) span.slab << 32 | span.start);
    freeInSlab[span.slab]++;
    long without = held - buffers[span.slab].capacity();
    if (without >= most + most / KEPT_SHARE && freeInSlab[span.slab] == spans[span.slab].length) {
      drop(span.slab);
    }
    tellShortage();
  }

  /**
   * Says how many bytes slabs should have at most, and below how many bytes in free spans and slabs
   * that may still be made the budget is told that they are short. More is held all the same when a
   * span is wanted and none is free.
   */
  synchronized void setMost(long bytes, long shortage) {
    most = bytes;
    least = shortage;
    tellShortage();
  }

  /** Bytes of the spans that are cut into blocks, and of large blocks. */
  synchronized long occupied() {
    return held - freeBytes();
  }

  private long freeBytes() {
    return (long) freeSpans.size() * SizeClasses.SPAN;
  }

  private void tellShortage() {
    budget.setPressed(most - held + freeBytes() < least);
  }

  /** Gives up a shared slab with no span in use; its memory goes like that of a large slab. */
  private void drop(int slab) {
    for (int start = 0; start < buffers[slab].capacity(); start += SizeClasses.SPAN) {
      freeSpans.remove((long) slab << 32 | start);
    }
    freeInSlab[slab] = 0;
    forget(slab);
  }

  /**
   * A slab that is one block. Its memory is made without the guard, which others need meanwhile.
   */
  Span acquireLarge(int size) {
    ByteBuffer buffer = newBuffer(size);
    BlockAudit.poison(buffer, 0, size);
    synchronized (this) {
      int slab = add(buffer);
      Span span = new Span(slab, 0, size, 1, null);
      spans[slab] = new Span[] {span};
      tellShortage();
      return span;
    }
  }

  /** Drops a large slab; its memory goes back when the garbage collector finds the buffer. */
  synchronized void releaseLarge(Span span) {
    forget(span.slab);
    tellShortage();
  }

  private void forget(int slab) {
    held -= buffers[slab].capacity();
    buffers[slab] = null;
    spans[slab] = null;
    freeSlots.push(slab);
  }

  synchronized long held() {
    return held;
  }

  synchronized void close() {
    closed = true;
    freeSpans.clear();
    java.util.Arrays.fill(buffers, null);
    java.util.Arrays.fill(spans, null);
    held = 0;
  }

  private void addSharedSlab() {
    long bound = Math.min(Math.min(held / GROWTH, most / BUDGET_SHARE), most - held);
    int size = SMALLEST_SLAB;
    while (size < LARGEST_SLAB && size * 2L <= bound) {
      size *= 2;
    }
    ByteBuffer buffer = null;
    while (buffer == null) {
      try {
        buffer = newBuffer(size);
      } catch (MemoryExceededException e) {
        if (size == SizeClasses.SPAN) {
          throw e;
        }
        size /= 2;
      }
    }
    int slab = add(buffer);
    spans[slab] = new Span[size / SizeClasses.SPAN];
    for (int start = size - SizeClasses.SPAN; start >= 0; start -= SizeClasses.SPAN) {
      freeSpans.add((long) slab << 32 | start);
      freeInSlab[slab]++;
    }
  }

  private ByteBuffer newBuffer(int size) {
    try {
      return ByteBuffer.allocateDirect(Math.addExact(size, ALIGNMENT))
          .alignedSlice(ALIGNMENT)
          .slice(0, size)
          .order(ByteOrder.LITTLE_ENDIAN);
    } catch (OutOfMemoryError e) {
      throw exceeded("the JVM has no direct memory left (-XX:MaxDirectMemorySize)", size, e);
    }
  }

  private int add(ByteBuffer buffer) {
    if (closed) {
      throw new IllegalStateException("block memory is closed: asked=" + buffer.capacity());
    }
    int slab = freeSlots.isEmpty() ? freshSlot++ : freeSlots.pop();
    if (slab == buffers.length) {
      freshSlot--;
      throw exceeded("too many slabs: slabs=" + slab, buffer.capacity(), null);
    }
    BUFFER.setRelease(buffers, slab, buffer);
    held += buffer.capacity();
    return slab;
  }

  private MemoryExceededException exceeded(String what, int size, Throwable cause) {
    return new MemoryExceededException(
        what, budget.settingName(), size, budget.used(), budget.limit(), cause);
  }
}
