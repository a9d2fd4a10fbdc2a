package io.bg3.storage.memory;

import java.util.Arrays;
import java.util.List;

/**
 * The spans of one block size, either of blocks that can be moved or of those that cannot; where
 * caches get their blocks and give them back. Guard: {@code this}.
 */
final class BlockPool {
  private final Slabs slabs;
  private final int blockSize;
  private final boolean fixed;

  /** The spans that have free blocks: the one used last in front, those that may go behind. */
  private Span first;

  private Span last;

  /** Blocks that callers and caches have; written under the lock. */
  private volatile long out;

  /**
   * @param fixed whether nobody moves the blocks
   */
  BlockPool(Slabs slabs, int blockSize, boolean fixed) {
    this.slabs = slabs;
    this.blockSize = blockSize;
    this.fixed = fixed;
  }

  synchronized long take() {
    if (first == null) {
      link(slabs.acquire(blockSize, this));
    }
    return takeFirst();
  }

  /**
   * Takes a block, unless that takes a new slab and more is held then than wanted: says 0 instead.
   */
  synchronized long takeWithinMost() {
    if (first == null) {
      Span span = slabs.acquireWithinMost(blockSize, this);
      if (span == null) {
        return 0;
      }
      link(span);
    }
    return takeFirst();
  }

  /** Takes a block of a span that others are in; 0 if all of these are full. */
  synchronized long takeFree() {
    return first == null ? 0 : takeFirst();
  }

  /** Whether a span that others are in has a free block. */
  synchronized boolean hasFree() {
    return first != null;
  }

  private synchronized long takeFirst() {
    Span span = first;
    long address = span.take();
    if (span.freeCount() == 0) {
      unlink(span);
    }
    out++;
    return address;
  }

  /**
   * Takes up to {@code count} blocks, without making a new span for more than the first; says how
   * many. None if {@link #takeWithinMost} gives none.
   */
  synchronized int takeWithinMost(long[] into, int count) {
    into[0] = takeWithinMost();
    int taken = into[0] == 0 ? 0 : 1;
    while (taken > 0 && taken < count && first != null) {
      into[taken++] = takeFirst();
    }
    return taken;
  }

  synchronized void give(long address) {
    Span span = slabs.span(address);
    span.give(address);
    out--;
    if (span.freeCount() == 1 && !span.leaving) {
      link(span);
    }
    if (span.allFree()) {
      if (!span.leaving) {
        unlink(span);
      }
      slabs.release(span);
    }
  }

  synchronized void give(long[] addresses, int from, int to) {
    for (int i = from; i < to; i++) {
      give(addresses[i]);
    }
  }

  /**
   * Adds the spans that can be vacated: the emptiest, as many as the others have free blocks for
   * what is in them.
   *
   * @param anyhow whether they are as many as there are
   */
  synchronized void addVacatable(List<Vacatable> into, boolean anyhow) {
    int count = 0;
    long free = 0;
    for (Span span = first; span != null; span = span.next) {
      count++;
      free += span.freeCount();
    }
    int most = anyhow ? count : (int) (free / (SizeClasses.SPAN / blockSize));
    if (most == 0) {
      return;
    }
    Vacatable[] all = new Vacatable[count];
    Span span = first;
    for (int i = 0; i < count; i++) {
      all[i] = new Vacatable(span, (span.blocks - span.freeCount()) * blockSize);
      span = span.next;
    }
    Arrays.sort(all);
    into.addAll(Arrays.asList(all).subList(0, most));
  }

  /**
   * Takes no more blocks from a span, so that it becomes free when those in use are given back.
   *
   * @return false if all of them have been meanwhile
   */
  synchronized boolean leave(Span span) {
    if (span.allFree()) {
      return false;
    }
    if (span.freeCount() > 0) {
      unlink(span);
    }
    span.leaving = true;
    span.cached = false;
    return true;
  }

  /**
   * Takes {@link #leave} back, unless the span has become free. Blocks are taken from it when the
   * others have none left: so it may yet become free.
   */
  synchronized void stay(Span span) {
    if (span.allFree()) {
      return;
    }
    span.leaving = false;
    span.cached = !fixed;
    if (span.freeCount() > 0) {
      linkLast(span);
    }
  }

  /** A span that can be vacated, and the bytes that would have to be moved. */
  record Vacatable(Span span, int bytes) implements Comparable<Vacatable> {
    @Override
    public int compareTo(Vacatable that) {
      return Integer.compare(bytes, that.bytes);
    }
  }

  long out() {
    return out;
  }

  /** Forgets all spans. */
  synchronized void close() {
    first = null;
    last = null;
    out = 0;
  }

  int blockSize() {
    return blockSize;
  }

  /** Whether the blocks stay where they are. */
  boolean isFixed() {
    return fixed;
  }

  private void link(Span span) {
    span.previous = null;
    span.next = first;
    if (first == null) {
      last = span;
    } else {
      first.previous = span;
    }
    first = span;
  }

  private void linkLast(Span span) {
    span.previous = last;
    span.next = null;
    if (last == null) {
      first = span;
    } else {
      last.next = span;
    }
    last = span;
  }

  private void unlink(Span span) {
    if (span.previous == null) {
      first = span.next;
    } else {
      span.previous.next = span.next;
    }
    if (span.next == null) {
      last = span.previous;
    } else {
      span.next.previous = span.previous;
    }
    span.previous = null;
    span.next = null;
  }
}
