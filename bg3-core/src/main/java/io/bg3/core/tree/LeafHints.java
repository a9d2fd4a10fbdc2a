package io.bg3.core.tree;

import io.bg3.core.block.RunPrefetch;
import io.bg3.core.block.ValuePrefetch;
import io.bg3.storage.memory.MemoryBudget;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Where the leaf of an owner's edges was found last: a small table that spares most look-ups the
 * inner pages, whose separators and children are three cache misses one after the other.
 *
 * <pre>
 *  word  field    of a slot
 *     0  page     page id in the lower half, 0 = none; the rest of the owner in the upper
 *     1  lines    what a look-up of the owner read there, see {@link RunPrefetch}
 *     2  values   what a look-up of a value read besides, see {@link ValuePrefetch}; 0 if unknown
 *     3  span     between which neighbours, likewise
 * </pre>
 *
 * <p>Neighbouring owners have neighbouring slots, as far as the table goes. Behind its end it
 * begins again at a place that is drawn anew each time: else owners in steps of its size, which is
 * what numbers put together from parts are, would all have one slot.
 *
 * <p>A hint promises nothing. A thread that follows it reads the page's state word, and looks at
 * tree and both fences of what is there now, as at any page (rule T1): a page that was split,
 * removed or used again costs a descent. The address is for fetching lines and never for reading,
 * since the block may be freed.
 *
 * <p>Threads: any. Words are released and acquired, so that the page and the slabs that a slot
 * names are there for a caller that reads it; words that do not belong together are as harmless as
 * an old hint.
 */
final class LeafHints {
  private static final int WORDS = 4;
  private static final int LINES = 1;
  private static final int VALUES = 2;
  private static final int SPAN = 3;
  private static final int FEWEST = 1 << 6;
  private static final int MOST = 1 << 21;

  /**
   * Words before the first slot: a cache line with an array's header, so that no slot is in two.
   */
  private static final int FIRST = 6;

  /** One in so many look-ups of another run of an owner than the one noted takes its place. */
  private static final int OTHER_RUN_KEPT = 4;

  private static final long MIXER = 0x9E3779B97F4A7C15L;

  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

  private final int slots;
  private final int slotsShift;
  private long[] words; // none behind the end

  /** An empty table, charged to the budget; of 64 MiB at most, see {@link OwnerSlots}. */
  LeafHints(MemoryBudget budget) {
    slots = OwnerSlots.reserve(budget, WORDS, FEWEST, MOST);
    slotsShift = Integer.numberOfTrailingZeros(slots);
    words = new long[FIRST + slots * WORDS];
  }

  /**
   * Gives the table back to the heap, though the closed store may be referred to for long. No
   * thread looks for owners any more.
   */
  void end() {
    words = OwnerSlots.NONE;
  }

  /** The page where an owner may be; 0 if nobody has looked for it, or for another since. */
  int page(long owner) {
    long word = (long) WORD.getAcquire(words, index(owner));
    return (int) (word >>> Integer.SIZE) == rest(owner) ? (int) word : 0;
  }

  /** The cache lines that a look-up read there; maybe of another owner. */
  long lines(long owner) {
    return (long) WORD.getAcquire(words, index(owner) + LINES);
  }

  /** The cache lines that a look-up of a value read besides; maybe of another owner. */
  long values(long owner) {
    return (long) WORD.getAcquire(words, index(owner) + VALUES);
  }

  /** Between which neighbours those values were. */
  long span(long owner) {
    return (long) WORD.getAcquire(words, index(owner) + SPAN);
  }

  /**
   * Whether {@link #put} with values has noted the same, or mostly also another run of the owner in
   * the same block: a thread that asks for several runs in turn would else write for each, and no
   * look-up would find its own run noted.
   */
  boolean knows(long owner, int page, long lines) {
    int index = index(owner);
    if ((long) WORD.getAcquire(words, index) != first(owner, page)
        || (long) WORD.getAcquire(words, index + VALUES) == ValuePrefetch.UNKNOWN) {
      return false;
    }
    long noted = (long) WORD.getAcquire(words, index + LINES);
    return noted == lines
        || (RunPrefetch.sameBlock(noted, lines)
            && ThreadLocalRandom.current().nextInt(OTHER_RUN_KEPT) != 0);
  }

  /** Notes where an owner was found; if that is somewhere else, its values are not known now. */
  void put(long owner, int page, long lines) {
    int index = index(owner);
    long first = first(owner, page);
    if ((long) WORD.getAcquire(words, index) != first
        || (long) WORD.getAcquire(words, index + LINES) != lines) { // lines are not written in vain
      put(owner, page, lines, ValuePrefetch.UNKNOWN, 0);
    }
  }

  /** Notes where an owner was found and its values. */
  void put(long owner, int page, long lines, long values, long span) {
    int index = index(owner);
    WORD.setRelease(words, index, first(owner, page));
    WORD.setRelease(words, index + LINES, lines);
    WORD.setRelease(words, index + VALUES, values);
    WORD.setRelease(words, index + SPAN, span);
  }

  private long first(long owner, int page) {
    return ((long) rest(owner) << Integer.SIZE) | page;
  }

  private int index(long owner) {
    long mixed = (owner >> slotsShift) * MIXER;
    mixed = (mixed ^ (mixed >>> Integer.SIZE)) * MIXER;
    int begin = (int) (mixed >>> (Long.SIZE - slotsShift));
    return FIRST + (((int) owner + begin) & (slots - 1)) * WORDS;
  }

  /** The bits that tell apart most owners that share a slot. */
  private int rest(long owner) {
    return (int) (owner >> slotsShift);
  }
}
