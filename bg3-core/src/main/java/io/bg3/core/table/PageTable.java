package io.bg3.core.table;

import io.bg3.storage.memory.MemoryBudget;
import io.bg3.storage.memory.MemoryExceededException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The dense array that turns a page id into the page's newest block in memory and its images in
 * storage (the Bw-tree's mapping table). One row is five words. The states of pages and the numbers
 * of their publications stand apart from the other three, so that the columns that readers use are
 * dense:
 *
 * <pre>
 *  word  field
 *     0  state   address of the newest block; 0 = no page; {@link #DEAD} = removed, start again at the root;
 *                {@link StoredState} = in storage, to be loaded; perhaps with its topology in memory
 *     -  publications   how often the state was set, see {@link #publications}
 *     1  base    location of the stored base image; 0 = none
 *     2  delta   location of the stored delta image; 0 = none
 *     3  flags   bit 0 latch, bit 1 dirty, bit 2 noted, bit 3 rebase, bit 4 absent, bit 5 touched,
 *                bit 6 values touched, bit 7 reshaped; bits 8 to 47 the number of the newest pin ({@link Pins}); bits 48 and 49 how
 *                often the evictor has come by since the page was read; bits 50 to 63 the bytes of the
 *                deltas that were stored since the base, in units of 64
 * </pre>
 *
 * <p><b>Publication.</b> The state word is the only pointer that readers follow: {@link #publish}
 * stores it with release and {@link #block} loads it with acquire, so a thread that sees an address
 * sees every byte of the block behind it. Readers take no latch; they are inside an epoch, so a
 * block that was replaced under them is not reused before they leave. A page that is {@linkplain
 * StoredState stored} is published by the thread that loads it; nothing else changes it or its row
 * before that. A leaf whose newest block is what is stored becomes stored again when it is evicted.
 * An id that was freed and given out again has no block before the new page is published: a thread
 * that comes by a hint to the old page finds no page, and then a page whose tree and fences tell it
 * whether the page is the one it wants.
 *
 * <p><b>Latch.</b> Writers hold the latch of a page from reading its state word to publishing the
 * next block. It is held for the building of what the page becomes, one block, or at a split all
 * that it is cut into and the inner pages above; never over I/O and never while waiting for
 * anything but the latch of a page further to the right, or of one that is new.
 *
 * <table>
 * <caption>Who may touch what</caption>
 * <tr><td>state</td><td>read by anybody (acquire); written under the latch, or before anybody knows the page's tree</td></tr>
 * <tr><td>base, delta</td><td>written by the one flush or checkpoint that runs, for pages in memory, and by opening; read by the thread that loads the page, too</td></tr>
 * <tr><td>flags</td><td>compare-and-set; dirty, noted, rebase, reshaped and absent change under the latch only</td></tr>
 * <tr><td>noted blocks</td><td>of a page under its latch</td></tr>
 * <tr><td>free list</td><td>this table's monitor</td></tr>
 * </table>
 *
 * <p>All of these live in chunks that never move, so a reader needs no lock while the table grows.
 * 40 bytes a page, and 8 for the noted block in chunks of pages of which any has ever been noted,
 * charged to the store's memory budget.
 */
public final class PageTable {
  /**
   * State of a page that was removed: the thread that meets it starts again at the root. Never a
   * block's address.
   */
  public static final long DEAD = 1;

  /** The largest state that is no block's address. */
  private static final long NO_BLOCK = DEAD;

  private static final long LATCH = 1;
  private static final long DIRTY = 2;
  private static final long NOTED = 4;
  private static final long REBASE = 8;
  private static final long ABSENT = 16;
  private static final long TOUCHED = 32;
  private static final long TOUCHED_VALUES = 64;
  private static final long RESHAPED = 128;
  private static final int PIN_SHIFT = 8;
  private static final long PIN_MASK = ((1L << 40) - 1) << PIN_SHIFT;
  private static final int VISITS_SHIFT = 48;
  private static final long VISIT = 1L << VISITS_SHIFT;
  private static final int DELTAS_SHIFT = 50;
  private static final long VISITS = (1L << DELTAS_SHIFT) - VISIT;
  private static final long DELTAS_UNIT = 64;
  private static final long MOST_DELTAS = (1L << (Long.SIZE - DELTAS_SHIFT)) - 1;

  /**
   * So often the evictor comes by before the topology of a page goes that nobody reads. Values take
   * about four times as many bytes, and go the first time: each of the two spares a reader one read
   * of the disk.
   */
  public static final int MOST_VISITS = (int) (VISITS >>> VISITS_SHIFT);

  private static final int WORDS = 3;
  private static final int BASE = 0;
  private static final int DELTA = 1;
  private static final int FLAGS = 2;

  private static final int CHUNK_SHIFT = 10;
  private static final int CHUNK_PAGES = 1 << CHUNK_SHIFT;

  /** Ids are positive: 2^31 - 1 pages at most. */
  private static final int MOST_CHUNKS = 1 << 21;

  private static final int FEWEST_CHUNKS = 1 << 10;
  private static final long CHUNK_BYTES = (long) CHUNK_PAGES * (2 + WORDS) * Long.BYTES;
  private static final long NOTED_BYTES = (long) CHUNK_PAGES * Long.BYTES;
  private static final int SPINS = 64;

  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

  private final MemoryBudget budget;
  private final long[][] states;
  private final long[][] publications;
  private final long[][] chunks;

  /** The noted blocks of pages; null for a chunk of pages that none was noted of yet. */
  private final long[][] noted;

  private final AtomicLong changed = new AtomicLong();
  private final AtomicLong settled = new AtomicLong();
  private final LongAdder latchWaits = new LongAdder();
  private int[] free = new int[16];
  private int freeCount;
  private volatile int end = 1;

  /** Pages that are in storage only. */
  private final AtomicInteger storedPages = new AtomicInteger();

  /** Whether pages are evicted, so that it matters which have been read. */
  private volatile boolean evicting;

  /** An empty table whose rows are charged to {@code budget}. */
  public PageTable(MemoryBudget budget) {
    this.budget = budget;
    long rows = 2 * (budget.limit() / CHUNK_BYTES); // more than the budget has room for
    int chunkCount = (int) Math.min(Math.max(rows, FEWEST_CHUNKS), MOST_CHUNKS);
    this.states = new long[chunkCount][];
    this.publications = new long[chunkCount][];
    this.chunks = new long[chunkCount][];
    this.noted = new long[chunkCount][];
  }

  /** The budget that the rows are charged to. */
  public MemoryBudget budget() {
    return budget;
  }

  /** One above the largest page id in use; ids begin at 1. */
  public int end() {
    return end;
  }

  /**
   * An id for a new page, a freed one first, so there may be hints that lead to it. The page has no
   * block until one is published.
   */
  public synchronized int allocate() {
    if (freeCount > 0) {
      return free[--freeCount];
    }
    int page = end;
    grow(page + 1);
    return page;
  }

  /** Takes back what {@link #allocate} gave for a page that no block was published of. */
  public synchronized void giveBack(int page) {
    assert block(page) == 0 : page;
    addFree(page);
  }

  private void addFree(int page) {
    if (freeCount == free.length) {
      free = Arrays.copyOf(free, (int) Math.min(2L * freeCount, Integer.MAX_VALUE - 8));
    }
    free[freeCount++] = page;
  }

  /**
   * Makes room for all page ids below {@code newEnd}; for opening a store.
   *
   * @throws MemoryExceededException if there are more pages than the budget has room for rows
   */
  public synchronized void grow(int newEnd) {
    for (int chunk = (end - 1) >>> CHUNK_SHIFT; chunk <= (newEnd - 1) >>> CHUNK_SHIFT; chunk++) {
      if (chunk >= chunks.length || newEnd < 0) {
        throw new MemoryExceededException(
            "page table is full: pages=" + end,
            budget.settingName(),
            CHUNK_BYTES,
            budget.used(),
            budget.limit());
      }
      if (chunks[chunk] == null) {
        budget.reserveOnHeap(CHUNK_BYTES);
        states[chunk] = new long[CHUNK_PAGES];
        publications[chunk] = new long[CHUNK_PAGES];
        chunks[chunk] = new long[CHUNK_PAGES * WORDS];
      }
    }
    end = Math.max(end, newEnd);
  }

  /**
   * Says where a page is stored that is not in memory, or, with a base of 0, that there is no such
   * page after all; for opening a store.
   *
   * @param newest no image holds a newer stamp
   */
  public void open(int page, long base, long delta, long newest) {
    store(page, base, delta);
    int before = StoredState.isStored(block(page)) ? 1 : 0;
    setState(page, base == 0 ? 0 : StoredState.of(newest));
    storedPages.addAndGet((base == 0 ? 0 : 1) - before);
  }

  /** Puts the ids below {@link #end()} that are no page on the free list; for opening a store. */
  public synchronized void collectFree() {
    for (int page = end - 1; page >= 1; page--) {
      if (block(page) == 0) {
        addFree(page);
      }
    }
  }

  /** Whether a state is the address of a block. */
  public static boolean isBlock(long state) {
    return state > NO_BLOCK && !StoredState.hasTopology(state);
  }

  /**
   * Address of the newest block of a page, its {@link StoredState}, {@link #DEAD}, or 0 where there
   * is no page. Call inside an epoch or under the latch.
   */
  public long block(int page) {
    return (long) WORD.getAcquire(states[page >>> CHUNK_SHIFT], page & (CHUNK_PAGES - 1));
  }

  /**
   * Makes a block the newest of its page. The latch is held, or it is the root of a tree that
   * nobody knows yet.
   */
  public void publish(int page, long block) {
    assert !StoredState.isStored(block(page)) && !StoredState.isStored(block) : page;
    setState(page, block);
  }

  private void setState(int page, long state) {
    WORD.setRelease(states[page >>> CHUNK_SHIFT], page & (CHUNK_PAGES - 1), state);
    countPublication(page);
  }

  private void countPublication(int page) {
    long[] chunk = publications[page >>> CHUNK_SHIFT];
    int index = page & (CHUNK_PAGES - 1);
    WORD.setRelease(chunk, index, chunk[index] + 1); // one thread at a time: it holds the latch
  }

  /**
   * How often the state of a page has been set: a number that only grows. Of two calls that give
   * the same number, the first before a call of {@link #block} and the second at any time behind
   * it, the second tells that the block was the page's newest, or was about to be replaced by a
   * thread that has not let anybody write yet to what it replaces it by.
   */
  public long publications(int page) {
    return (long) WORD.getAcquire(publications[page >>> CHUNK_SHIFT], page & (CHUNK_PAGES - 1));
  }

  /** Removes a page: there is nothing left of it to be written. The latch is held. */
  public void publishDead(int page) {
    assert isLatched(page) : page;
    publish(page, DEAD);
    markClean(page);
  }

  /**
   * Reads what {@link #latch} and {@link #publish} will, so that it comes while other things are
   * waited for.
   *
   * @return something for the caller to keep, so that no compiler leaves out the load
   */
  public long fetch(int page) {
    return flags(page) ^ publications(page);
  }

  /** Takes the latch of a page; waits for its holder, who builds the page's next block. */
  public void latch(int page) {
    if (!tryLatch(page)) {
      latchWaits.increment();
      awaitLatch(page);
    }
  }

  @SuppressWarnings(
      "ThreadPriorityCheck") // a holder that lost its core is faster let run than woken from a park
  private void awaitLatch(int page) {
    int spins = 0;
    while (!tryLatch(page)) {
      if (++spins < SPINS) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
  }

  /** How often a thread has found the latch of a page taken, and has waited for it. */
  public long latchWaits() {
    return latchWaits.sum();
  }

  /** Takes the latch of a page if nobody holds it. */
  public boolean tryLatch(int page) {
    long flags = flags(page);
    return (flags & LATCH) == 0
        && WORD.compareAndSet(chunk(page), index(page, FLAGS), flags, flags | LATCH);
  }

  /**
   * Keeps a page in memory as a whole that was found there in the epoch that the caller is in, for
   * as long as the caller is registered (R5).
   *
   * @param number of the caller's registration
   * @return false if the page, or its values, have been evicted meanwhile. The call pins the
   *     topology that is left all the same
   */
  public boolean pin(int page, long number) {
    return pinTopology(page, number) && isBlock(block(page));
  }

  /**
   * As {@link #pin}, for a caller to whom the topology of a leaf is enough. A leaf that is in
   * memory as a whole stays so.
   *
   * @return false if the page has been evicted meanwhile
   */
  public boolean pinTopology(int page, long number) {
    long[] chunk = chunk(page);
    int index = index(page, FLAGS);
    while (true) {
      long flags = (long) WORD.getAcquire(chunk, index);
      if ((flags & ABSENT) != 0) {
        return false;
      } else if ((flags & PIN_MASK) >>> PIN_SHIFT >= number
          || WORD.compareAndSet(chunk, index, flags, pinned(flags, number))) {
        return true;
      }
    }
  }

  private static long pinned(long flags, long number) {
    return (flags & ~PIN_MASK) | ((number << PIN_SHIFT) & PIN_MASK);
  }

  /**
   * Whether a page is a block in memory, and what is stored of it is the same. True for as long as
   * the latch is held.
   */
  public boolean isEvictable(int page) {
    return isBlock(block(page)) && !isDirty(page) && !isNoted(page) && base(page) != 0;
  }

  /**
   * Whether a page is a leaf of which only the topology is in memory, and what is stored of it is
   * the same. True for as long as the latch is held.
   */
  public boolean isTopologyEvictable(int page) {
    return StoredState.hasTopology(block(page)) && !isDirty(page) && !isNoted(page);
  }

  /**
   * Begins to evict an evictable page, its topology or its values: nobody can pin it any more.
   * {@link #publishEvicted}, {@link #publishWithoutValues} or {@link #dropTopology} follows. A page
   * that is clean has all of its newest block in what is stored, and loading it marks what its
   * stored base lacks, so that no base need be asked for any more. The latch is held.
   *
   * @param least a page that was pinned with this number or a larger one stays
   * @return false if the page stays
   */
  public boolean makeAbsent(int page, long least) {
    assert isLatched(page) && !isNoted(page) && base(page) != 0 : page;
    long[] chunk = chunk(page);
    int index = index(page, FLAGS);
    long flags;
    do {
      flags = (long) WORD.getAcquire(chunk, index);
      if ((flags & PIN_MASK) >>> PIN_SHIFT >= least) {
        return false;
      }
    } while (!WORD.compareAndSet(chunk, index, flags, absent(flags)));
    return true;
  }

  private static long absent(long flags) {
    return (flags | ABSENT) & ~REBASE;
  }

  /**
   * Takes {@link #makeAbsent} back: the page stays in memory. The latch is held.
   *
   * @param neededBase whether the page {@linkplain #needsBase needed a base}: it lacks the same
   *     marks as before
   */
  public void makePresent(int page, boolean neededBase) {
    assert isLatched(page) && isBlock(block(page)) : page;
    if (neededBase) {
      markRebase(page);
    }
    change(page, 0, ABSENT);
  }

  /**
   * Makes a page that is absent one that is in storage only, which others may load from now on; its
   * block is the caller's to give back. The latch is held.
   *
   * @param newest the newest stamp in the page
   */
  public void publishEvicted(int page, long newest) {
    assert isLatched(page) && (flags(page) & ABSENT) != 0 : page;
    setState(page, StoredState.of(newest));
    storedPages.incrementAndGet();
  }

  /**
   * Keeps the topology of a page that is absent in memory, for readers that want no values and for
   * writers; the values are the caller's to give back. Others may load the page from now on, or pin
   * its topology. The latch is held.
   */
  public void publishWithoutValues(int page, long block) {
    assert isLatched(page) && (flags(page) & ABSENT) != 0 && isBlock(block(page)) : page;
    setState(page, StoredState.ofTopology(block));
    storedPages.incrementAndGet();
    change(page, 0, ABSENT | VISITS);
  }

  /** Publishes the topology of a page that was in storage only. The latch is held. */
  public void publishTopology(int page, long block) {
    assert isLatched(page) && block(page) < 0 : page;
    setState(page, StoredState.ofTopology(block));
    change(page, TOUCHED, ABSENT | VISITS);
  }

  /**
   * Publishes another block of the topology of a page whose values are not in memory, a copy or a
   * new delta; the old block is the caller's to give back. The latch is held.
   */
  public void publishNextTopology(int page, long block) {
    assert isLatched(page) && StoredState.hasTopology(block(page)) : page;
    setState(page, StoredState.ofTopology(block));
  }

  /**
   * Makes an absent page whose topology is in memory one that is in storage only; the block is the
   * caller's to give back. The latch is held.
   *
   * @param newest the newest stamp in the page
   */
  public void dropTopology(int page, long newest) {
    assert isLatched(page) && StoredState.hasTopology(block(page)) : page;
    assert (flags(page) & ABSENT) != 0 : page;
    setState(page, StoredState.of(newest));
  }

  /** Pages that are in storage, and in memory not as a whole; one on its way counts or not. */
  public int storedPages() {
    return storedPages.get();
  }

  /**
   * Publishes the block of a page that was in storage; its topology, if that was in memory, is the
   * caller's to give back. The latch is held.
   */
  public void publishLoaded(int page, long block) {
    assert isLatched(page) && StoredState.isStored(block(page)) : page;
    setState(page, block);
    storedPages.decrementAndGet();
    change(page, TOUCHED | TOUCHED_VALUES, ABSENT);
  }

  /** Says that pages are evicted from now on. */
  public void beginEvicting() {
    evicting = true;
  }

  /**
   * Says that a leaf was read. Nothing is written unless pages are evicted, and then once between
   * two visits of the evictor.
   */
  public void touch(int page) {
    touch(page, TOUCHED);
  }

  /** Says that a leaf was read as a whole, with its values, as {@link #touch} does. */
  public void touchValues(int page) {
    touch(page, TOUCHED | TOUCHED_VALUES);
  }

  private void touch(int page, long how) {
    if (evicting && (flags(page) & how) != how) {
      change(page, how, 0);
    }
  }

  /** Whether a page was read or loaded since the last call. */
  public boolean takeTouched(int page) {
    return take(page, TOUCHED, TOUCHED | TOUCHED_VALUES);
  }

  /**
   * Whether a page of which the topology is in memory was read or loaded since the last call, or
   * there were fewer than {@link #MOST_VISITS} calls since, or since its values went.
   */
  public boolean takeVisit(int page) {
    long flags = flags(page);
    if ((flags & (TOUCHED | TOUCHED_VALUES)) != 0) {
      change(page, 0, TOUCHED | TOUCHED_VALUES | VISITS);
      return true;
    }
    boolean spared = (flags & VISITS) != VISITS;
    if (spared) { // one evicts at a time
      long visits = (flags & VISITS) + VISIT;
      change(page, visits, VISITS & ~visits);
    }
    return spared;
  }

  /** Whether the values of a page were read or loaded since the last call. */
  public boolean takeTouchedValues(int page) {
    return take(page, TOUCHED_VALUES, TOUCHED_VALUES);
  }

  private boolean take(int page, long looked, long cleared) {
    boolean touched = (flags(page) & looked) != 0;
    if (touched) {
      change(page, 0, cleared);
    }
    return touched;
  }

  /** Lets go of the latch. */
  public void unlatch(int page) {
    assert isLatched(page) : page;
    change(page, 0, LATCH);
  }

  /** Whether a thread holds the latch; for assertions. */
  public boolean isLatched(int page) {
    return (flags(page) & LATCH) != 0;
  }

  /**
   * Says that the newest block differs from what is stored. The latch is held, or it is the root of
   * a tree that nobody knows yet.
   *
   * @return whether the page was clean before
   */
  public boolean markDirty(int page) {
    boolean clean = !isDirty(page);
    if (clean) {
      change(page, DIRTY, 0);
      changed.getAndIncrement();
    }
    return clean;
  }

  /** Says that the newest block is what is stored. The latch is held. */
  public void markClean(int page) {
    if (isDirty(page)) {
      change(page, 0, DIRTY);
      settled.getAndIncrement();
    }
  }

  /** How many clean pages have become dirty so far. */
  public long changed() {
    return changed.get();
  }

  /** How many dirty pages have become clean or were removed so far. */
  public long settled() {
    return settled.get();
  }

  /** Whether the newest block differs from what is stored. */
  public boolean isDirty(int page) {
    return (flags(page) & DIRTY) != 0;
  }

  /**
   * Says that the marks of the page's entries do not tell what its stored base lacks, because its
   * fences changed, the marks of a large delta went, or a base was stored that does not belong to
   * the newest block: the next flush writes a base (R3).
   */
  public void markRebase(int page) {
    change(page, REBASE, 0);
  }

  /** Says that the stored base belongs to the newest block's marks again. The latch is held. */
  public void clearRebase(int page) {
    change(page, 0, REBASE);
  }

  /** Whether the next flush has to write a base. */
  public boolean needsBase(int page) {
    return base(page) == 0 || (flags(page) & REBASE) != 0;
  }

  /**
   * Says that the leaf has another range than its stored images, has lost entries that the log does
   * not remove, or may get entries that another tree would get if the store were opened from the
   * last manifest: only a checkpoint may name the next image (R52). The latch is held.
   */
  public void markReshaped(int page) {
    assert isLatched(page) : page;
    change(page, RESHAPED, 0);
  }

  /** Whether {@link #markReshaped} was called since the last call of this. The latch is held. */
  public boolean takeReshaped(int page) {
    assert isLatched(page) : page;
    return take(page, RESHAPED, RESHAPED);
  }

  /** Whether a checkpoint has noted the page and not yet written it. */
  public boolean isNoted(int page) {
    return (flags(page) & NOTED) != 0;
  }

  /**
   * Says that a checkpoint is going to write the page's block out, until {@link #unnote}: it must
   * not be freed before, nor the base under it. The latch is held.
   */
  public void note(int page, long block) {
    assert isLatched(page) && block == StoredState.topology(block(page)) : page;
    setNoted(page, block);
    change(page, NOTED, 0);
  }

  private void setNoted(int page, long block) {
    long[] chunk = noted[page >>> CHUNK_SHIFT];
    if (chunk == null) {
      chunk = makeNoted(page >>> CHUNK_SHIFT);
    }
    chunk[page & (CHUNK_PAGES - 1)] = block;
  }

  private synchronized long[] makeNoted(int chunk) {
    if (noted[chunk] == null) {
      budget.reserveOnHeap(NOTED_BYTES);
      noted[chunk] = new long[CHUNK_PAGES];
    }
    return noted[chunk];
  }

  /**
   * Says that the noted block of a page has been replaced by a copy, which is the page's block now:
   * the copy is written out instead. The latch is held.
   */
  public void renote(int page, long block) {
    assert isLatched(page) && isNoted(page) && block == StoredState.topology(block(page)) : page;
    setNoted(page, block);
  }

  /**
   * The block that a checkpoint has noted of a page and not yet written; 0 if there is none. The
   * latch is held.
   */
  public long noted(int page) {
    return isNoted(page) ? noted[page >>> CHUNK_SHIFT][page & (CHUNK_PAGES - 1)] : 0;
  }

  /** Ends what {@link #note} began. The latch is held. */
  public void unnote(int page) {
    assert isLatched(page) : page;
    change(page, 0, NOTED);
  }

  /** Location of the stored base image, 0 if there is none. */
  public long base(int page) {
    return (long) WORD.getAcquire(chunk(page), index(page, BASE));
  }

  /** Location of the stored delta image, 0 if there is none. */
  public long delta(int page) {
    return (long) WORD.getAcquire(chunk(page), index(page, DELTA));
  }

  /**
   * Where the page is stored. True only for a thread that keeps the row from changing, as the one
   * that flushes does; others look {@linkplain #base again} behind what they did with it.
   */
  public PageRow row(int page) {
    return new PageRow(base(page), delta(page));
  }

  /**
   * About the bytes of all deltas that were stored for the page since its base, in this opening of
   * the store: rounded up, and 1 MiB where there were more.
   */
  public long deltaBytes(int page) {
    return (flags(page) >>> DELTAS_SHIFT) * DELTAS_UNIT;
  }

  /** Says how many bytes of deltas were stored since the base. The latch is held. */
  public void setDeltaBytes(int page, long bytes) {
    assert isLatched(page) : page;
    long units = Math.min((bytes + DELTAS_UNIT - 1) / DELTAS_UNIT, MOST_DELTAS);
    change(page, units << DELTAS_SHIFT, (MOST_DELTAS ^ units) << DELTAS_SHIFT);
  }

  /** Sets where the page is stored. */
  public void store(int page, long base, long delta) {
    WORD.setRelease(chunk(page), index(page, BASE), base);
    WORD.setRelease(chunk(page), index(page, DELTA), delta);
  }

  /**
   * Makes the id of a removed page free for another page: after an epoch and a checkpoint (R23).
   */
  public synchronized void reuse(int page) {
    latch(page); // a writer with an old route may hold it for a moment, to find the page dead
    try {
      assert block(page) == DEAD : page;
      store(page, 0, 0);
      markClean(page);
      change(
          page,
          0,
          NOTED
              | REBASE
              | ABSENT
              | TOUCHED
              | TOUCHED_VALUES
              | RESHAPED
              | VISITS
              | (MOST_DELTAS << DELTAS_SHIFT));
      publish(page, 0);
    } finally {
      unlatch(page);
    }
    addFree(page);
  }

  private long flags(int page) {
    return (long) WORD.getAcquire(chunk(page), index(page, FLAGS));
  }

  private void change(int page, long set, long clear) {
    long[] chunk = chunk(page);
    int index = index(page, FLAGS);
    long flags;
    do {
      flags = (long) WORD.getAcquire(chunk, index);
    } while (!WORD.compareAndSet(chunk, index, flags, (flags | set) & ~clear));
  }

  private long[] chunk(int page) {
    return chunks[page >>> CHUNK_SHIFT];
  }

  private static int index(int page, int word) {
    return (page & (CHUNK_PAGES - 1)) * WORDS + word;
  }
}
