package io.bg3.storage.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;

/**
 * The direct buffers that blocks lie in. A shared slab is divided into spans, which go from one
 * block size to another when all their blocks are free; a large slab is one block.
 *
 * <p>Finding a slab is one load from an array that never grows: {@code buffers} has room for more
 * slabs than the budget could fill. An element is written before the first address in that slab is
 * handed out. A thread that publishes an address does so with a release store, and a thread that
 * reads it there (or was handed it) therefore sees the element; no load by an address in use needs
 * an order of its own. An element changes again after its large block was freed. Addresses of freed
 * blocks are still around then, in hints: by those, elements are only read by {@link
 * #bufferOrNull}, since a buffer has fields that who sees it by a race may see empty.
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
  private final ArrayDeque<Long> freeSpans = new ArrayDeque<>();
  private long held;
  private boolean closed;

  Slabs(MemoryBudget budget) {
    this.budget = budget;
    long slots = 2 * (budget.limit() / SizeClasses.SPAN);
    int count = (int) Math.min(Math.max(slots, FEWEST_SLOTS), MOST_SLOTS);
    this.buffers = new ByteBuffer[count];
    this.spans = new Span[count][];
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

  /** A span cut into blocks of this size. */
  synchronized Span acquire(int blockSize) {
    if (freeSpans.isEmpty()) {
      addSharedSlab();
    }
    long place = freeSpans.pop();
    int slab = (int) (place >>> 32);
    int start = (int) place;
    Span span = new Span(slab, start, blockSize, SizeClasses.SPAN / blockSize);
    spans[slab][start / SizeClasses.SPAN] = span;
    BlockAudit.poison(buffers[slab], start, SizeClasses.SPAN);
    return span;
  }

  /** Takes a span back; all its blocks are free. */
  synchronized void release(Span span) {
    assert span.allFree() : "N1: " + span;
    freeSpans.push((long) span.slab << 32 | span.start);
  }

  /**
   * A slab that is one block. Its memory is made without the guard, which others need meanwhile.
   */
  Span acquireLarge(int size) {
    ByteBuffer buffer = newBuffer(size);
    BlockAudit.poison(buffer, 0, size);
    synchronized (this) {
      int slab = add(buffer);
      Span span = new Span(slab, 0, size, 1);
      spans[slab] = new Span[] {span};
      return span;
    }
  }

  /** Drops a large slab; its memory goes back when the garbage collector finds the buffer. */
  synchronized void releaseLarge(Span span) {
    held -= buffers[span.slab].capacity();
    buffers[span.slab] = null;
    spans[span.slab] = null;
    freeSlots.push(span.slab);
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
    int size = SMALLEST_SLAB;
    while (size < LARGEST_SLAB && size * 2L <= held / GROWTH) {
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
      freeSpans.push((long) slab << 32 | start);
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
