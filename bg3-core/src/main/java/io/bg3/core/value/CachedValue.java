package io.bg3.core.value;

import io.bg3.storage.memory.BlockMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A large value in memory: one block.
 *
 * <pre>
 *  offset  size  field
 *       0     8  location     where the value is stored
 *       8     4  space        of the key
 *      12     4  keyLength
 *      16     4  valueLength
 *      20     …  key, value
 * </pre>
 *
 * <p>A block is written before its address is published, and never again.
 *
 * <p>Threads: any; the address must be in use, or have been so when the caller's epoch began.
 */
final class CachedValue {
  static final int LOCATION = 0;
  static final int SPACE = LOCATION + Long.BYTES;
  static final int KEY_LENGTH = SPACE + Integer.BYTES;
  static final int VALUE_LENGTH = KEY_LENGTH + Integer.BYTES;
  static final int KEY = VALUE_LENGTH + Integer.BYTES;

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private CachedValue() {}

  /** Bytes of the block of a value. */
  static long bytes(byte[] key, byte[] value) {
    return (long) KEY + key.length + value.length;
  }

  /** Allocates the block of a value and fills it. */
  static long write(BlockMemory memory, long location, int space, byte[] key, byte[] value) {
    long address = memory.allocate((int) bytes(key, value));
    ByteBuffer slab = memory.slab(address);
    int at = BlockMemory.offset(address);
    slab.putLong(at + LOCATION, location);
    slab.putInt(at + SPACE, space);
    slab.putInt(at + KEY_LENGTH, key.length);
    slab.putInt(at + VALUE_LENGTH, value.length);
    slab.put(at + KEY, key);
    slab.put(at + KEY + key.length, value);
    return address;
  }

  /** Allocates a block and copies that at an address into it. */
  static long copy(BlockMemory memory, long address) {
    ByteBuffer from = memory.slab(address);
    int start = BlockMemory.offset(address);
    int bytes = KEY + from.getInt(start + KEY_LENGTH) + from.getInt(start + VALUE_LENGTH);
    long copy = memory.allocate(bytes);
    memory.slab(copy).put(BlockMemory.offset(copy), from, start, bytes);
    return copy;
  }

  /** Whether the block at an address is that of a location. */
  static boolean isOf(BlockMemory memory, long address, long location) {
    return memory.slab(address).getLong(BlockMemory.offset(address) + LOCATION) == location;
  }

  /** Whether the block at an address is that of a key. */
  static boolean hasKey(BlockMemory memory, long address, int space, byte[] key) {
    ByteBuffer slab = memory.slab(address);
    int at = BlockMemory.offset(address);
    if (slab.getInt(at + SPACE) != space || slab.getInt(at + KEY_LENGTH) != key.length) {
      return false;
    }
    if (key.length < Long.BYTES) {
      return isSame(slab, at + KEY, key);
    }
    int last = key.length - Long.BYTES; // the last word may overlap the one before
    for (int i = 0; i < last; i += Long.BYTES) {
      if (slab.getLong(at + KEY + i) != (long) WORD.get(key, i)) {
        return false;
      }
    }
    return slab.getLong(at + KEY + last) == (long) WORD.get(key, last);
  }

  private static boolean isSame(ByteBuffer slab, int at, byte[] key) {
    for (int i = 0; i < key.length; i++) {
      if (slab.get(at + i) != key[i]) {
        return false;
      }
    }
    return true;
  }

  /** A copy of the value in the block at an address. */
  static byte[] value(BlockMemory memory, long address) {
    ByteBuffer slab = memory.slab(address);
    int at = BlockMemory.offset(address);
    byte[] value = new byte[slab.getInt(at + VALUE_LENGTH)];
    slab.get(at + KEY + slab.getInt(at + KEY_LENGTH), value);
    return value;
  }

  /** Copies the value in the block at an address into a group, at an index. */
  static void copy(BlockMemory memory, long address, ValueGroup group, int i) {
    ByteBuffer slab = memory.slab(address);
    int at = BlockMemory.offset(address);
    int length = slab.getInt(at + VALUE_LENGTH);
    group.reserve(i, length);
    slab.get(at + KEY + slab.getInt(at + KEY_LENGTH), group.array(i), group.start(i), length);
  }
}
