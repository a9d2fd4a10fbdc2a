package io.bg3.core.value;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * From the hash of a location to the block of its value: a table of sets, each a cache line of
 * {@value #WAYS} slots. The upper bits of the hash are the number of the set.
 *
 * <pre>
 *  bits    field    of a slot; 0 for one that is free
 *  63..41  tag      the bits of the hash behind the first {@value #FEWEST_BITS}
 *      40  read     the value has been read since the hand of the clock came by last
 *  39..20  slab     of the block's address
 *  19.. 0  offset   of the block in its slab, in units of 16 bytes
 * </pre>
 *
 * <p>A table that becomes twice as large needs no hash: the next bit of each is in the tag. Slots
 * with one tag may be of several locations, so a reader looks at the location in the block.
 *
 * <p>Threads: a slot is filled, freed and its read bit taken away by one thread at a time; readers
 * set that bit by compare-and-set beside it, so that the other thread notices. A block is filled
 * before its slot is set with release, and readers load the slot with acquire.
 */
class CacheSlots {
  static final int WAYS = 8;
  static final int FEWEST_BITS = 7;

  /** With more, tags would tell too few locations apart. */
  private static final int MOST_BITS = 22;

  static final int TAG_BITS = 23;
  private static final int TAG_SHIFT = Long.SIZE - TAG_BITS;
  static final long READ = 1L << (TAG_SHIFT - 1);
  private static final int UNIT_BITS = 4;
  private static final int OFFSET_BITS = 20;
  private static final int SLAB_BITS = 20;
  private static final long OFFSET_MASK = (1L << OFFSET_BITS) - 1;
  private static final long SLAB_MASK = (1L << SLAB_BITS) - 1;
  private static final long LOWER = 0xFFFFFFFFL;

  /** Words before the first set: where the array begins at a multiple of 64, each is one line. */
  private static final int FIRST = 6;

  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

  private final int bits;
  private final long[] words;

  /** The smallest table. */
  CacheSlots() {
    this(FEWEST_BITS);
  }

  private CacheSlots(int bits) {
    this.bits = bits;
    this.words = new long[FIRST + (WAYS << bits)];
  }

  /** Bytes of a table with as many slots. */
  static long bytes(int slots) {
    return (long) slots * Long.BYTES;
  }

  /** A hash of a location, all of whose bits depend on all of its own. */
  static long hash(long location) {
    long mixed = location * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
    return mixed ^ (mixed >>> 32);
  }

  /** Whether a block's address fits into a slot: that of a block in a shared slab does. */
  static boolean fits(long address) {
    long offset = address & LOWER;
    return address >>> Integer.SIZE <= SLAB_MASK && offset >>> UNIT_BITS <= OFFSET_MASK;
  }

  /** The number of slots. */
  int count() {
    return WAYS << bits;
  }

  /** The first slot of the set of a hash. */
  int first(long hash) {
    return (int) (hash >>> (Long.SIZE - bits)) * WAYS;
  }

  /** The word of a slot. */
  long word(int slot) {
    return (long) WORD.getAcquire(words, FIRST + slot);
  }

  /** Whether a slot may be that of a hash. */
  static boolean mayBe(long word, long hash) {
    return word != 0 && word >>> TAG_SHIFT == tag(hash);
  }

  /** The slot of a block at an address, if that is the block of a location; -1 if it is not. */
  int slotOf(long location, long address) {
    long hash = hash(location);
    int first = first(hash);
    for (int slot = first; slot < first + WAYS; slot++) {
      long word = word(slot);
      if (mayBe(word, hash) && address(word) == address) {
        return slot;
      }
    }
    return -1;
  }

  /** The word of the first slot that may be that of a hash; 0 if there is none. */
  long probable(long hash) {
    int first = first(hash);
    for (int slot = first; slot < first + WAYS; slot++) {
      long word = word(slot);
      if (mayBe(word, hash)) {
        return word;
      }
    }
    return 0;
  }

  private static long tag(long hash) {
    return hash << FEWEST_BITS >>> TAG_SHIFT;
  }

  /** The address in a slot. */
  static long address(long word) {
    long slab = word >>> OFFSET_BITS & SLAB_MASK;
    return slab << Integer.SIZE | (word & OFFSET_MASK) << UNIT_BITS;
  }

  static boolean isRead(long word) {
    return (word & READ) != 0;
  }

  /** Says that the value of a slot has been read; writes only if that is new. */
  void markRead(int slot, long word) {
    if (!isRead(word)) {
      change(slot, word, word | READ);
    }
  }

  /**
   * Changes a slot, unless another thread has changed it meanwhile. Overridden by the broken twin
   * in the tests and by nobody else.
   */
  boolean change(int slot, long from, long to) {
    return WORD.compareAndSet(words, FIRST + slot, from, to);
  }

  /** Takes the read bit away from a slot that has it. */
  void forgetRead(int slot, long word) {
    WORD.setRelease(words, FIRST + slot, word & ~READ); // no reader changes a slot with the bit
  }

  /** Fills a slot, which is free or whose block goes. */
  void fill(int slot, long hash, long address) {
    set(slot, tag(hash) << TAG_SHIFT | placeOf(address));
  }

  /** Says where the block of a slot is now that has the read bit, which stays. */
  void move(int slot, long address) {
    long rest = word(slot) >>> (TAG_SHIFT - 1) << (TAG_SHIFT - 1);
    set(slot, rest | placeOf(address)); // no reader changes it
  }

  final void set(int slot, long word) {
    WORD.setVolatile(words, FIRST + slot, word);
  }

  private static long placeOf(long address) {
    long slab = address >>> Integer.SIZE;
    return slab << OFFSET_BITS | (address & LOWER) >>> UNIT_BITS;
  }

  /** Frees a slot; says what was in it. */
  long take(int slot) {
    return (long) WORD.getAndSet(words, FIRST + slot, 0L);
  }

  /** Frees a slot, unless a reader has changed it meanwhile. */
  boolean free(int slot, long word) {
    return change(slot, word, 0L);
  }

  /** Whether there is a table that is twice as large. */
  boolean mayGrow() {
    return bits < MOST_BITS;
  }

  /** A table twice as large with what is in this one. */
  CacheSlots grown() {
    CacheSlots grown = new CacheSlots(bits + 1);
    int shift = Long.SIZE - 1 - (bits - FEWEST_BITS);
    for (int set = 0; set < 1 << bits; set++) {
      int[] filled = new int[2];
      for (int way = 0; way < WAYS; way++) {
        long word = word(set * WAYS + way);
        if (word != 0) {
          int half = (int) (word >>> shift & 1);
          grown.words[FIRST + (2 * set + half) * WAYS + filled[half]++] = word;
        }
      }
    }
    return grown;
  }
}
