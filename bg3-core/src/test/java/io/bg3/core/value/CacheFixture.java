package io.bg3.core.value;

import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.Epochs;
import io.bg3.storage.memory.MemoryBudget;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** A cache in memory of its own, and values that can be told from their locations. */
final class CacheFixture implements AutoCloseable {
  static final int SPACE = 3;

  final MemoryBudget budget;
  final BlockMemory memory;
  final Epochs epochs;
  final LargeValueCache cache;

  CacheFixture(long bytes) {
    budget = new MemoryBudget(bytes, "bg3.memory.budget");
    memory = new BlockMemory(budget);
    epochs = Epochs.relieving(budget);
    cache = new LargeValueCache(memory, epochs);
  }

  static byte[] key(long location) {
    return ByteBuffer.allocate(Long.BYTES).putLong(location).array();
  }

  static byte[] value(long location, int length) {
    byte[] value = new byte[length];
    Arrays.fill(value, (byte) (location ^ location >>> 8));
    return value;
  }

  /** Says that a value was read from its extent. */
  void keep(long location, int length) {
    cache.keepRead(location, SPACE, key(location), value(location, length));
  }

  byte[] get(long location) {
    return cache.get(location, SPACE, key(location));
  }

  /** Whether a value is in memory. */
  boolean has(long location) {
    return get(location) != null;
  }

  @Override
  public void close() {
    epochs.close();
    memory.close();
  }
}
