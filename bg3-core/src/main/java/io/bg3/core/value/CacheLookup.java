package io.bg3.core.value;

import io.bg3.storage.memory.BlockMemory;

/**
 * Finds values in the slots: one, or several in step, so that the waits for lines of memory that
 * nobody has read for a while overlap.
 *
 * <pre>
 *   for all values of the group: the set of slots
 *                                the first lines of the block, where a slot has the tag
 *                                location and key in the block, and the value
 * </pre>
 *
 * <p>Threads: any, inside of an epoch.
 */
final class CacheLookup {
  /** Lines of a block with location, key, and the beginning of the value. */
  private static final int FIRST_LINES = 3;

  private final BlockMemory memory;

  CacheLookup(BlockMemory memory) {
    this.memory = memory;
  }

  /**
   * The slot of a value, which counts as read from now on.
   *
   * @return what is in the slot; 0 if the value is not in memory
   */
  long find(CacheSlots slots, long location, int space, byte[] key) {
    long hash = CacheSlots.hash(location);
    int first = slots.first(hash);
    for (int slot = first; slot < first + CacheSlots.WAYS; slot++) {
      long word = slots.word(slot);
      if (CacheSlots.mayBe(word, hash)) {
        long address = CacheSlots.address(word);
        if (CachedValue.isOf(memory, address, location)
            && CachedValue.hasKey(memory, address, space, key)) {
          slots.markRead(slot, word);
          return word;
        }
      }
    }
    return 0;
  }

  /** Copies the values of a group that are in memory; says how many. */
  int copy(CacheSlots slots, int space, ValueGroup group) {
    if (group.count() > 1) {
      fetch(slots, group);
    }
    int found = 0;
    for (int i = 0; i < group.count(); i++) {
      long word = find(slots, group.location(i), space, group.key(i));
      if (word != 0) {
        CachedValue.copy(memory, CacheSlots.address(word), group, i);
        found++;
      }
    }
    return found;
  }

  /** Asks for the lines that are going to be read, without waiting for one before the next. */
  private void fetch(CacheSlots slots, ValueGroup group) {
    long seen = 0;
    for (int i = 0; i < group.count(); i++) {
      seen += slots.word(slots.first(CacheSlots.hash(group.location(i))));
    }
    for (int i = 0; i < group.count(); i++) {
      long word = slots.probable(CacheSlots.hash(group.location(i)));
      seen += memory.fetch(CacheSlots.address(word), 0, FIRST_LINES);
    }
    group.touched += seen;
  }
}
