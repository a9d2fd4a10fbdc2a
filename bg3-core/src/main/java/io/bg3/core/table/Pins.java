package io.bg3.core.table;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Numbers by which commits keep the leaves in memory that they have found, until they are applied
 * (R5). A pin is a number in the flags of the page and no count: nothing is unpinned.
 *
 * <pre>
 *   commit                                      evictor
 *   register: slot = number, fence,             number = number + 1, fence
 *             again if the number has changed   least = min(all slots, number)
 *   finds the leaf in an epoch                  latches the page
 *   pin: page's number = at least the slot's,   absent, unless page's number &gt;= least:
 *        unless the page is absent              one compare-and-set for both
 *   applies
 *   slot = 0
 * </pre>
 *
 * <p><b>Why that is enough.</b> Both change the flags word of the page by compare-and-set, so one
 * comes first. If it is the evictor, the commit finds the page absent and loads it. If it is the
 * commit, the page's number is at least the number n of its slot, and {@code least <= n}: either
 * the evictor saw the slot, or it read the slots before the slot was stored; then its increment
 * came before the commit's second look at the number, and n is not below it.
 *
 * <p>A commit that waits, for memory say, keeps what has been pinned with its number or a later
 * one, also by commits that have ended. So the number does not stay as it is when nothing is
 * evicted: every few registrations draw a new one. At 100,000 commits a second 2^40 numbers last
 * for five years. And a commit that is registered waits for memory only for a moment, or while no
 * other commit begins (R29).
 *
 * <p>A page that takes entries of a pinned page, in a split or a removal, gets the {@linkplain
 * #current current} number when the page that leads to it is published and before its latch is
 * released. No commit that may have found the old page has a larger one.
 *
 * <p>Threads: any.
 */
public final class Pins {
  /** The number of pages that no commit has pinned. */
  static final long NONE = 0;

  private static final int SLOTS = 64;
  private static final int LINE_LONGS = 8; // each slot in a line of its own

  /** Where, behind a slot, it is counted how often the slot was used. */
  private static final int USES = 1;

  /** A slot draws a new number so often that a commit which waits keeps few leaves of others. */
  private static final int USES_OF_A_NUMBER = 16;

  private final AtomicLong number = new AtomicLong(1);
  private final Chunk first = new Chunk();

  private static final class Chunk {
    final AtomicLongArray slots = new AtomicLongArray(SLOTS * LINE_LONGS);
    volatile Chunk next;
  }

  /** A commit that has found leaves and has not been applied. */
  public static final class Registration implements AutoCloseable {
    private final Chunk chunk;
    private final int slot;
    private final long number;

    private Registration(Chunk chunk, int slot, long number) {
      this.chunk = chunk;
      this.slot = slot;
      this.number = number;
    }

    /** The number that its leaves get. */
    public long number() {
      return number;
    }

    /** Lets go of all leaves that only it has kept. */
    @Override
    public void close() {
      chunk.slots.setRelease(slot, NONE);
    }
  }

  /** Registers a commit that is about to look for its leaves. */
  public Registration register() {
    long at = number.get();
    int hash = Thread.currentThread().hashCode();
    for (Chunk chunk = first; ; chunk = next(chunk)) {
      for (int i = 0; i < SLOTS; i++) {
        int slot = ((hash + i) & (SLOTS - 1)) * LINE_LONGS;
        if (chunk.slots.get(slot) == NONE && chunk.slots.compareAndSet(slot, NONE, at)) {
          long uses = chunk.slots.getPlain(slot + USES);
          chunk.slots.setPlain(slot + USES, uses + 1);
          if (uses % USES_OF_A_NUMBER == 0) {
            number.incrementAndGet();
          }
          return registration(chunk, slot, settle(chunk, slot, at));
        }
      }
    }
  }

  private static Registration registration(Chunk chunk, int slot, long settled) {
    try {
      return new Registration(chunk, slot, settled);
    } catch (OutOfMemoryError e) { // a slot that nobody frees would pin every leaf from now on
      chunk.slots.setRelease(slot, NONE);
      throw e;
    }
  }

  /** Sees to it that the number in a slot was the current one when the slot could be seen. */
  private long settle(Chunk chunk, int slot, long stored) {
    long at = stored;
    VarHandle.fullFence();
    for (long now = number.get(); now != at; now = number.get()) {
      at = now;
      chunk.slots.set(slot, at);
      VarHandle.fullFence();
    }
    return at;
  }

  private Chunk next(Chunk chunk) {
    if (chunk.next == null) {
      synchronized (this) {
        if (chunk.next == null) {
          chunk.next = new Chunk();
        }
      }
    }
    return chunk.next;
  }

  /**
   * The number of pages that no thread which registers from now on can have found before.
   * Everything that the caller has published before is visible when the number is read.
   */
  public long current() {
    VarHandle.fullFence();
    return number.get();
  }

  /** The number below which pages may be evicted now. */
  public long advance() {
    long least = number.incrementAndGet();
    VarHandle.fullFence();
    for (Chunk chunk = first; chunk != null; chunk = chunk.next) {
      for (int i = 0; i < SLOTS; i++) {
        long at = chunk.slots.get(i * LINE_LONGS);
        if (at != NONE) {
          least = Math.min(least, at);
        }
      }
    }
    return least;
  }
}
