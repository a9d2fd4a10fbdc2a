package io.bg3.core.value;

import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.Epochs;
import io.bg3.storage.memory.MemoryExceededException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Large values in memory, by the locations where they are stored (R61). They take what pages leave
 * of the memory budget: a value never makes a page leave memory, and values are dropped before any
 * page is evicted.
 *
 * <pre>
 *   a value that was     while memory is free       while it is not
 *   read                 kept                       kept if it was read lately, for one that was not
 *   written              kept                       not kept
 * </pre>
 *
 * <p><b>Nothing becomes wrong.</b> A location names one record as long as the process runs: no
 * number of an extent is used twice, and no record changes. So the cache need not be told that a
 * value has moved or is not wanted any more. Such a value goes with time, as any that is not read.
 *
 * <p><b>Scans.</b> While memory is free, every value that is read is kept. Behind that, one is kept
 * at its second read within a window ({@link RecentReads}). So a scan that reads many values once
 * drops no other.
 *
 * <p><b>Replacement.</b> The hand of a clock goes round the slots. A value that was read since the
 * hand came by last is spared once. A reader writes only if it is the first since then.
 *
 * <p><b>Readers.</b> A reader enters an epoch, finds the slot, compares location and key with those
 * in the block, and copies the value. A block that is dropped is taken out of its slot, and freed
 * when the readers of then have left. No reader waits. A thread that would have to wait to keep a
 * value does not keep it.
 *
 * <p><b>Vacated spans.</b> A value in a span that is to become free (R32) moves to another block if
 * it was read since the hand came by last and memory is free for the copy. Else it is dropped.
 *
 * <p>Threads: any. {@code writing} guards the change of slots, but for the bits that readers set,
 * of the table, and of {@code hand}. The locks of the budget and of the memory are taken under it,
 * and no other; the evictor takes it under its own.
 */
public final class LargeValueCache {
  private final BlockMemory memory;
  private final Epochs epochs;
  private final CacheLookup lookup;
  private final SpareMemory spare;
  private final ReentrantLock writing = new ReentrantLock();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong count = new AtomicLong();
  private final LongAdder hits = new LongAdder();
  private final LongAdder reads = new LongAdder();
  private final CacheTable table; // changed under writing
  private int hand; // guarded by writing

  /** An empty cache. Takes no memory before there is a value. */
  public LargeValueCache(BlockMemory memory, Epochs epochs) {
    this.memory = memory;
    this.epochs = epochs;
    this.lookup = new CacheLookup(memory);
    this.spare = new SpareMemory(memory, epochs);
    this.table = new CacheTable(memory.budget(), spare);
  }

  /**
   * A copy of the value of a key.
   *
   * @param location where it is stored
   * @return null if it is not in memory
   */
  public byte[] get(long location, int space, byte[] key) {
    if (table.slots() == null) {
      return null;
    }
    int ticket = epochs.enter();
    try {
      CacheSlots now = table.slots();
      long word = now == null ? 0 : lookup.find(now, location, space, key);
      if (word == 0) {
        return null;
      }
      hits.increment();
      return CachedValue.value(memory, CacheSlots.address(word));
    } finally {
      epochs.exit(ticket);
    }
  }

  /**
   * Copies the values of a group that are in memory into it, as far as there is heap for them: the
   * thread that needs another one gets it alone.
   */
  public void copy(int space, ValueGroup group) {
    if (table.slots() == null) {
      return;
    }
    int ticket = epochs.enter();
    try {
      CacheSlots now = table.slots();
      hits.add(now == null ? 0 : lookup.copy(now, space, group));
    } catch (OutOfMemoryError e) {
      return; // nobody has asked for all of them yet
    } finally {
      epochs.exit(ticket);
    }
  }

  /** Keeps a copy of a value that was read from its extent, if it is worth the memory. */
  public void keepRead(long location, int space, byte[] key, byte[] value) {
    reads.increment();
    tryToKeep(location, space, key, value, true);
  }

  /** Keeps a copy of a value that was just stored, if memory is free. */
  public void keepWritten(long location, int space, byte[] key, byte[] value) {
    tryToKeep(location, space, key, value, false);
  }

  /** Whether a location was read lately; notes that it has been now. */
  private boolean wasRead(long location) {
    RecentReads recent = table.recent();
    return recent != null && recent.note(CacheSlots.hash(location));
  }

  /** Others have gone for a location: they do not go for it again before it is read twice. */
  private void forgetRead(long location) {
    RecentReads recent = table.recent();
    if (recent != null) {
      recent.forget(CacheSlots.hash(location));
    }
  }

  /** Drops values for another one if need be; says whether there is memory for it. */
  private boolean makeRoom(int capacity) {
    if (spare.isFreeInItsSize(capacity)) {
      return true;
    }
    if (!spare.mayReplace(capacity) || !writing.tryLock()) {
      return false;
    }
    DroppedValues dropped = new DroppedValues(memory, epochs);
    try {
      sweep(capacity, dropped);
    } finally {
      writing.unlock();
    }
    dropped.retire();
    return dropped.bytes() >= capacity && spare.hasBlock(capacity);
  }

  /**
   * Keeps a value if the store is open and there is memory for the block. The epoch keeps the
   * memory from being closed meanwhile. Throws nothing: the caller has done what it was asked for.
   *
   * @param isRead whether other values go for it, if it was read lately
   */
  private void tryToKeep(long location, int space, byte[] key, byte[] value, boolean isRead) {
    int capacity = spare.capacity(key, value);
    if (capacity == 0) {
      return;
    }
    int ticket;
    try {
      ticket = epochs.enter();
    } catch (IllegalStateException | OutOfMemoryError e) {
      return; // closed, or no heap for a thread that has never entered
    }
    try {
      if (spare.isFree(capacity)) {
        keep(location, space, key, value);
      } else if (isRead && wasRead(location) && makeRoom(capacity)) {
        keep(location, space, key, value);
        forgetRead(location);
      }
    } catch (MemoryExceededException | OutOfMemoryError e) {
      return; // it is read again from where it is stored
    } finally {
      epochs.exit(ticket);
    }
  }

  private void keep(long location, int space, byte[] key, byte[] value) {
    DroppedValues dropped = new DroppedValues(memory, epochs);
    long address = CachedValue.write(memory, location, space, key, value);
    boolean kept = false;
    try {
      boolean fits = spare.fits(0); // else others have taken memory at the same time
      if (fits && CacheSlots.fits(address) && writing.tryLock()) {
        try {
          kept = insert(location, address, dropped);
        } finally {
          writing.unlock();
        }
      }
    } finally {
      if (!kept) {
        memory.free(address); // nobody has seen it
      }
    }
    dropped.retire();
  }

  /** Puts a block into the set of its location; false if the value is there already. */
  private boolean insert(long location, long address, DroppedValues dropped) {
    table.growFor(count.get() + 1);
    CacheSlots now = table.slots();
    if (now == null) {
      return false;
    }
    long hash = CacheSlots.hash(location);
    int into = slotFor(now, location, hash);
    if (into < 0) {
      return false;
    }
    long old = now.take(into);
    if (old != 0) {
      drop(CacheSlots.address(old), dropped);
    }
    now.fill(into, hash, address);
    add(address);
    return true;
  }

  /**
   * The slot in which a location goes: a free one, else that of a value that has not been read
   * lately, else the first one.
   *
   * @return -1 if the location has a slot
   */
  private int slotFor(CacheSlots now, long location, long hash) {
    int first = now.first(hash);
    int found = first;
    boolean free = false;
    boolean unread = false;
    for (int slot = first; slot < first + CacheSlots.WAYS; slot++) {
      long word = now.word(slot);
      if (CacheSlots.mayBe(word, hash)
          && CachedValue.isOf(memory, CacheSlots.address(word), location)) {
        return -1;
      }
      if (word == 0 && !free) {
        free = true;
        found = slot;
      } else if (!free && !unread && !CacheSlots.isRead(word)) {
        unread = true;
        found = slot;
      }
    }
    return found;
  }

  /**
   * Drops values, those first that were not read lately. Waits for a thread that changes the table,
   * which waits for nobody.
   *
   * @param wanted bytes
   * @return bytes of the blocks that are free as soon as the readers of now have left, and of the
   *     table if it goes; fewer than wanted if no value is left, or the heap is short
   */
  public long giveBack(long wanted) {
    if (table.slots() == null || wanted <= 0) {
      return 0;
    }
    DroppedValues dropped = new DroppedValues(memory, epochs);
    long given = 0;
    writing.lock();
    try {
      sweep(wanted, dropped);
      given = endIfFew(dropped);
    } finally {
      writing.unlock();
    }
    dropped.retire();
    return given + dropped.bytes();
  }

  /** The hand goes round twice at most: a value that was read is spared the first time. */
  private void sweep(long wanted, DroppedValues dropped) {
    CacheSlots now = table.slots();
    int end = now == null ? 0 : now.count();
    for (long steps = 2L * end;
        steps > 0 && dropped.bytes() < wanted && count.get() > 0 && dropped.hasRoom();
        steps--) {
      hand = hand + 1 < end ? hand + 1 : 0;
      long word = now.word(hand);
      if (word != 0 && CacheSlots.isRead(word)) {
        now.forgetRead(hand, word);
      } else if (word != 0 && now.free(hand, word)) {
        drop(CacheSlots.address(word), dropped);
      }
    }
  }

  private void add(long address) {
    count.incrementAndGet();
    bytes.addAndGet(memory.capacity(address));
  }

  private void drop(long address, DroppedValues dropped) {
    bytes.addAndGet(-dropped.add(address));
    count.decrementAndGet();
  }

  /**
   * Gives up the table when few values are left for its size, and these values. Says how many bytes
   * it had.
   */
  private long endIfFew(DroppedValues dropped) {
    if (!table.isTooLargeFor(count.get())) {
      return 0;
    }
    sweep(Long.MAX_VALUE, dropped);
    return count.get() > 0 ? 0 : table.end(); // else readers have marked them meanwhile
  }

  /**
   * Moves or drops the values whose blocks are in spans that are being vacated (R32). Waits for a
   * thread that changes the table, which waits for nobody.
   */
  public void leave() {
    if (table.slots() == null) {
      return;
    }
    DroppedValues dropped = new DroppedValues(memory, epochs);
    writing.lock();
    try {
      memory.forEachLeaving(address -> leave(address, dropped));
    } finally {
      writing.unlock();
    }
    dropped.retire();
  }

  /** Moves or drops a block if it is that of a value, which then has a slot. */
  private void leave(long address, DroppedValues dropped) {
    CacheSlots now = table.slots();
    int slot = now == null ? -1 : now.slotOf(memory.peek(address), address);
    if (slot < 0 || !dropped.hasRoom()) {
      return;
    }
    long copy = CacheSlots.isRead(now.word(slot)) ? tryToCopy(address) : 0;
    if (copy == 0) {
      now.take(slot);
    } else {
      now.move(slot, copy);
      add(copy);
    }
    drop(address, dropped);
  }

  /** A copy of a block; 0 if no memory is free for it. */
  private long tryToCopy(long address) {
    if (!spare.fits(memory.capacity(address))) {
      return 0;
    }
    try {
      long copy = CachedValue.copy(memory, address);
      if (CacheSlots.fits(copy)) {
        return copy;
      }
      memory.free(copy); // nobody has seen it
      return 0;
    } catch (MemoryExceededException | OutOfMemoryError e) {
      return 0; // the value is read again from where it is stored
    }
  }

  /** Bytes of the blocks of the values. */
  public long bytes() {
    return bytes.get();
  }

  /** How many values are in memory. */
  public long count() {
    return count.get();
  }

  /** How often a value was found in memory. */
  public long hits() {
    return hits.sum();
  }

  /** How often a value was read from its extent. */
  public long reads() {
    return reads.sum();
  }
}
