package io.bg3.core.tree;

import io.bg3.core.table.PageTable;
import io.bg3.storage.memory.MemoryBudget;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;

/**
 * Takes leaves out of memory when it is short: those that say what is stored, that no commit has
 * pinned ({@link io.bg3.core.table.Pins}), and that nobody has read since the hand of a clock came
 * by last. Inner pages and empty leaves stay.
 *
 * <pre>
 *   page            flags          becomes
 *   dirty           DIRTY          clean, by a flush
 *                                  topology only, here, under the latch, if its base is stored
 *   clean           -              dirty, by a writer, under the latch
 *                                  topology only, or evicted, here, under the latch
 *   topology only   -, or DIRTY    dirty, by a writer, under the latch
 *                                  clean, by a flush
 *                                  evicted, here, under the latch, if it is clean
 *                                  whole, by the thread that loads it, under the latch
 *   evicted         ABSENT         clean, or topology only, by the thread that loads it, under the latch
 * </pre>
 *
 * <p><b>Topology before values.</b> Hops read the edges of a leaf and not their values (R31). So
 * the hand takes the values of a leaf of edges first, if nobody has read values of it since it came
 * by last. The topology that is left takes about a fourth of the bytes, and goes when the hand has
 * come by four times and nobody has read the leaf.
 *
 * <p>A reader that is in an evicted leaf goes on reading: the blocks are given back when it has
 * left its epoch. Blocks that wait for that do not count as used, so a reader that is slow to leave
 * does not cost the others the whole cache.
 *
 * <p>Large values in memory go before any leaf (R61).
 *
 * <p>Where free blocks lie scattered, leaves are also moved in memory ({@link #compact}, R32).
 *
 * <p>Nothing here does I/O or waits for a latch or a reader: a page whose latch another thread
 * holds stays. So a thread that asks for memory may run it whatever locks it holds, but for a
 * latch.
 *
 * <p>Threads: any; one evicts or moves at a time. The others wait for it where more is held than
 * may be, and then for a few milliseconds only.
 */
public final class PageEvictor implements AutoCloseable {
  /**
   * The hand spares a page that was read the first time, and the topology of a leaf whose values go
   * then some times more.
   */
  private static final int MOST_ROUNDS = 3 + PageTable.MOST_VISITS;

  /** Says that a visit has spared a page, which may go at the next one. */
  private static final long SPARED = -1;

  /** More is evicted than is missing, by this part of the budget, so that it is done less often. */
  private static final int AHEAD_SHARE = 64;

  /** So many bytes of large values are given back ahead, at most: some milliseconds. */
  private static final long MOST_AHEAD = 8 << 20;

  /** This part of the budget is used, whatever is held for it. */
  private static final int USED_SHARE = 2;

  /** How long no spans are vacated after none has become free by it: readers may be in all. */
  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final long MOST_WAIT_MILLIS = 5;

  private final TreeSpace space;
  private final PageTable table;
  private final MemoryBudget budget;
  private final ReentrantLock evicting = new ReentrantLock();
  private final LongConsumer relief = this::serve;
  private final HeldMemory held;
  private final LeafEviction leaves;
  private final PageMover mover;
  private int hand = 1; // guarded by evicting

  /** Wakes the thread that compacts ahead of need; null if there is none. */
  private volatile Runnable helper;

  /** When spans are vacated again, after nothing has become free by it. */
  private volatile long restsUntil = System.nanoTime();

  /** Evicts from this space, once it is {@linkplain #relieve asked}. */
  public PageEvictor(TreeSpace space) {
    this.space = space;
    this.table = space.table;
    this.budget = space.memory.budget();
    this.held = new HeldMemory(space.memory);
    this.leaves = new LeafEviction(space);
    this.mover = new PageMover(space);
    held.update();
  }

  /** Lets the budget evict leaves before it refuses a request. */
  public void relieveBudget() {
    budget.addRelief(relief);
  }

  /**
   * Leaves the budget alone. Views that threads keep of pages refer to the budget, so what it
   * refers to would stay as long as those threads.
   */
  @Override
  public void close() {
    budget.removeRelief(relief);
  }

  /** Pages that were evicted so far. */
  public long evictions() {
    return leaves.evictions();
  }

  /** How often a leaf was moved in memory so far. */
  public long moves() {
    return mover.moves();
  }

  /**
   * Bytes that have to be given back before so many more fit into the budget; 0 or less if they fit
   * when the readers of now have left.
   */
  public long missing(long asked) {
    return budget.used() - space.epochs.pending() + asked - budget.limit();
  }

  /** Bytes that {@link #relieve} gives back besides those that are missing, if it can. */
  public long ahead() {
    return budget.limit() / AHEAD_SHARE;
  }

  /**
   * Evicts until so many bytes fit into the budget, if there are pages enough that can go.
   *
   * @throws IllegalStateException if the store is closed
   */
  public void relieve(long asked) {
    relieve(asked, true);
  }

  /**
   * As {@link #relieve}, and spares no leaf because it has been read: a replay of the log reads
   * each leaf once, and the hand would go round several times before it took those.
   */
  public void relieveOfAny(long asked) {
    relieve(asked, false);
  }

  private void relieve(long asked, boolean sparing) {
    int ticket = space.busy.enter();
    try {
      if (missing(asked) > 0 && evicting.tryLock()) {
        try {
          giveBack(missing(asked), ahead(), sparing);
        } finally {
          evicting.unlock();
        }
      }
      space.epochs.reclaim();
    } finally {
      space.busy.exit(ticket);
    }
  }

  /**
   * Has a thread that {@linkplain #compact compacts} ahead of need woken when spans become few, so
   * that a thread that wants memory need not do it.
   *
   * @param wakeUp wakes the thread; null if there is none any more
   */
  public void helpedBy(Runnable wakeUp) {
    helper = wakeUp;
  }

  /**
   * Serves a request for memory that does not fit, is large, or comes while spans are few. Moving
   * leaves takes milliseconds, so the helper does it while there is room to go on with.
   */
  private void serve(long asked) {
    relieve(asked);
    Runnable wakeUp = helper;
    if (wakeUp == null || held.isShort(asked)) {
      compact(asked);
    } else if (isCompactionDue()) {
      wakeUp.run();
    }
  }

  /** Whether {@link #compact} is wanted, and has not been in vain a moment ago. */
  public boolean isCompactionDue() {
    return budget.isPressed() && System.nanoTime() - restsUntil >= 0;
  }

  /**
   * Makes spans free for blocks of all sizes where too few are, so that no more memory is held than
   * the budget has (R32): leaves are moved out of the emptiest spans, and where that gives too
   * little, some are evicted first.
   *
   * @param asked bytes that are about to be allocated, in blocks of any size
   * @return bytes of leaves that would have to be evicted besides and cannot be as they are
   * @throws IllegalStateException if the store is closed
   */
  public long compact(long asked) {
    held.update();
    if (held.excess(asked) <= 0 || System.nanoTime() - restsUntil < 0) {
      return 0;
    }
    int ticket = space.busy.enter();
    try {
      return tryToCompact() ? compactLocked(asked) : 0;
    } finally {
      space.busy.exit(ticket);
    }
  }

  private long compactLocked(long asked) {
    try {
      long pending = space.epochs.pending();
      space.epochs.reclaim();
      return compactNow(asked, Math.min(pending, space.epochs.pending()));
    } finally {
      evicting.unlock();
    }
  }

  /**
   * Takes {@code evicting}. While more is held than may be, a thread that wants memory waits for a
   * moment for the one that compacts, which waits for nobody.
   */
  private boolean tryToCompact() {
    if (evicting.tryLock() || !held.isOver()) {
      return evicting.isHeldByCurrentThread();
    }
    try {
      return evicting.tryLock(MOST_WAIT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Blocks that wait for readers, {@code pending}, count as free: evicting more is no help. */
  private long compactNow(long asked, long pending) {
    long excess = held.excess(asked);
    if (excess <= 0) {
      return 0;
    }
    long before = space.memory.occupied();
    long chosen = space.memory.vacate(excess + held.ahead());
    long missing = Math.min(excess - chosen - pending, budget.used() - budget.limit() / USED_SHARE);
    long lacking = missing > 0 ? Math.max(0, missing - giveBack(missing, held.ahead(), true)) : 0;
    boolean moved = chosen == 0 || moveOut();
    space.epochs.reclaim();
    if (space.memory.occupied() >= before) {
      if (!moved) { // else they become free when the readers of now have left
        space.memory.vacate(0); // the spans that could not be emptied take blocks again
      }
      restsUntil = System.nanoTime() + REST_NANOS;
    }
    return lacking;
  }

  /**
   * Moves every leaf that can be moved, whether memory is short or not; says how many. For tests.
   */
  public long moveAll() {
    int ticket = space.busy.enter();
    evicting.lock();
    try {
      long before = mover.moves();
      space.memory.vacateAll();
      moveOut();
      space.epochs.reclaim();
      return mover.moves() - before;
    } finally {
      evicting.unlock();
      space.busy.exit(ticket);
    }
  }

  /** Empties the spans that are being vacated; says whether no page is left in them. */
  private boolean moveOut() {
    space.largeValues.leave();
    return mover.moveAll();
  }

  /** Evicts every leaf that can go, and every large value, read or not; says how many leaves. */
  public int evictAll() {
    return evictEach(leaves::evict);
  }

  /**
   * Evicts the values of every leaf of edges that can go, and every large value, read or not; says
   * of how many leaves.
   */
  public int evictValues() {
    return evictEach(leaves::evictValues);
  }

  /** Evicts a page, or a part of it; says how many bytes. */
  @FunctionalInterface
  private interface Eviction {
    long evict(int page, long least);
  }

  private int evictEach(Eviction eviction) {
    int ticket = space.busy.enter();
    evicting.lock();
    try {
      space.largeValues.giveBack(Long.MAX_VALUE);
      long least = space.pins.advance();
      int count = 0;
      for (int page = 1; page < table.end(); page++) {
        count += eviction.evict(page, least) > 0 ? 1 : 0;
      }
      return count;
    } finally {
      evicting.unlock();
      space.busy.exit(ticket);
    }
  }

  /**
   * Gives large values back, and evicts leaves where these are too few (R61). A value is smaller
   * than a leaf, so fewer bytes of values are given back ahead than of leaves.
   */
  private long giveBack(long missing, long ahead, boolean sparing) {
    long values = missing + Math.min(ahead, MOST_AHEAD);
    long given = space.largeValues.giveBack(values);
    return given >= values ? given : given + evict(missing + ahead - given, sparing);
  }

  /**
   * The hand goes round {@link #MOST_ROUNDS} times at most, and once where nothing can go. Says how
   * many bytes that gives back.
   */
  private long evict(long bytes, boolean sparing) {
    table.beginEvicting();
    long least = space.pins.advance();
    long left = bytes;
    int end = table.end();
    int idle = 0; // pages in a row that can neither go nor will be at the next visit
    for (long steps = (long) MOST_ROUNDS * end; steps > 0 && left > 0 && idle < end; steps--) {
      hand = hand + 1 < end ? hand + 1 : 1;
      long given = sparing ? visit(hand, least) : take(hand, least);
      left -= Math.max(0, given);
      idle = given == 0 ? idle + 1 : 0;
    }
    return bytes - left;
  }

  /**
   * Evicts a leaf, or its values, if nobody has read what goes since the last visit, or the last
   * visits.
   *
   * @return the bytes that this gives back; 0 if the leaf cannot go, or {@link #SPARED}
   */
  private long visit(int page, long least) {
    boolean mayGo = leaves.mayGo(page);
    boolean valuesMayGo = !space.keepsLeavesWhole() && leaves.mayLoseValues(page);
    if (!mayGo && !valuesMayGo) {
      return 0;
    }
    boolean areRead = table.takeTouchedValues(page);
    long given = valuesMayGo && !areRead ? leaves.evictValues(page, least) : 0;
    if (given > 0) {
      return given;
    } else if (!mayGo) {
      return areRead ? SPARED : 0;
    }
    boolean whole = PageTable.isBlock(table.block(page));
    boolean spared = whole ? table.takeTouched(page) : table.takeVisit(page);
    return spared ? SPARED : leaves.evict(page, least);
  }

  /** Evicts a leaf, or its values if it differs from what is stored, whether it was read or not. */
  private long take(int page, long least) {
    if (leaves.mayGo(page)) {
      return leaves.evict(page, least);
    }
    boolean valuesMayGo = !space.keepsLeavesWhole() && leaves.mayLoseValues(page);
    return valuesMayGo ? leaves.evictValues(page, least) : 0;
  }
}
