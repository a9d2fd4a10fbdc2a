package io.bg3.storage.memory;

/**
 * All spans of one block size; where caches get their blocks and give them back. Guard: {@code
 * this}.
 */
final class BlockPool {
  private final Slabs slabs;
  private final int blockSize;

  /** The spans that have free blocks, the one used last in front. */
  private Span first;

  /** Blocks that callers and caches have. */
  private long out;

  BlockPool(Slabs slabs, int blockSize) {
    this.slabs = slabs;
    this.blockSize = blockSize;
  }

  synchronized long take() {
    if (first == null) {
      link(slabs.acquire(blockSize));
    }
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
   * many.
   */
  synchronized int take(long[] into, int count) {
    into[0] = take();
    int taken = 1;
    while (taken < count && first != null) {
      into[taken++] = take();
    }
    return taken;
  }

  synchronized void give(long address) {
    Span span = slabs.span(address);
    span.give(address);
    out--;
    if (span.freeCount() == 1) {
      link(span);
    }
    if (span.allFree()) {
      unlink(span);
      slabs.release(span);
    }
  }

  synchronized void give(long[] addresses, int from, int to) {
    for (int i = from; i < to; i++) {
      give(addresses[i]);
    }
  }

  synchronized long out() {
    return out;
  }

  /** Forgets all spans. */
  synchronized void close() {
    first = null;
    out = 0;
  }

  int blockSize() {
    return blockSize;
  }

  private void link(Span span) {
    span.previous = null;
    span.next = first;
    if (first != null) {
      first.previous = span;
    }
    first = span;
  }

  private void unlink(Span span) {
    if (span.previous == null) {
      first = span.next;
    } else {
      span.previous.next = span.next;
    }
    if (span.next != null) {
      span.next.previous = span.previous;
    }
    span.previous = null;
    span.next = null;
  }
}
