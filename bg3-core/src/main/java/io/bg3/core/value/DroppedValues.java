package io.bg3.core.value;

import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.Epochs;
import java.util.Arrays;

/**
 * Blocks of values that have left their slots, gathered under the lock of the table and given back
 * behind it. Belongs to one thread.
 */
final class DroppedValues {
  private static final int FIRST_ROOM = 16;

  private final BlockMemory memory;
  private final Epochs epochs;
  private long[] addresses = new long[FIRST_ROOM];
  private int count;
  private long bytes;

  DroppedValues(BlockMemory memory, Epochs epochs) {
    this.memory = memory;
    this.epochs = epochs;
  }

  /**
   * Whether one more block can be added. Asked before a value leaves its slot: without heap for the
   * address it stays there.
   */
  boolean hasRoom() {
    if (count < addresses.length) {
      return true;
    }
    try {
      addresses = Arrays.copyOf(addresses, 2 * count);
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  /**
   * Adds a block, to which no slot leads any more; there {@linkplain #hasRoom is room}, as there is
   * for the first one. Says how many bytes it takes.
   */
  int add(long address) {
    addresses[count++] = address;
    int capacity = memory.capacity(address);
    bytes += capacity;
    return capacity;
  }

  /** Bytes of all of them. */
  long bytes() {
    return bytes;
  }

  /** Gives the blocks back when the readers of now have left. */
  void retire() {
    for (int i = 0; i < count; i++) {
      epochs.retire(addresses[i], memory);
    }
  }
}
