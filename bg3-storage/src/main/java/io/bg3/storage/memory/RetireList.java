package io.bg3.storage.memory;

import java.util.ArrayList;
import java.util.List;

/**
 * The blocks that one thread retired and that are not freed yet, oldest first. Guard: {@code this};
 * mostly taken by its thread alone.
 *
 * <ul>
 *   <li>T1: tags never descend from first to last, because the epoch is read under the guard.
 *   <li>T2: {@code bytes} is the sum of the capacities of the blocks in the list and of those in
 *       {@code freed}.
 * </ul>
 */
final class RetireList {
  private static final int SMALLEST = 16;

  /** Blocks that are freed together. */
  private static final int TOGETHER = 64;

  private static final int GATHERED_COUNT = 64;
  private static final long GATHERED_BYTES = 512 << 10;

  private long[] tags = new long[SMALLEST];
  private long[] addresses = new long[SMALLEST];

  /** A BlockMemory where the element is a block, else a Runnable. */
  private Object[] targets = new Object[SMALLEST];

  private int head;
  private int count;
  private long bytes;
  private int countSinceReclaim;
  private long bytesSinceReclaim;

  /** Blocks of {@code freedOf} that have left the list and are not freed yet, during a reclaim. */
  private final long[] freed = new long[TOGETHER];

  private int freedCount;
  private BlockMemory freedOf;

  synchronized long bytes() {
    return bytes;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Adds an element; says whether enough has gathered to try to reclaim. */
  boolean add(long tag, long address, Object target, int size) {
    assert count == 0 || tags[at(count - 1)] <= tag : "T1: tag=" + tag;
    if (count == tags.length) {
      grow();
    }
    int at = at(count++);
    tags[at] = tag;
    addresses[at] = address;
    targets[at] = target;
    setBytes(bytes + size);
    countSinceReclaim++;
    bytesSinceReclaim += size;
    return countSinceReclaim >= GATHERED_COUNT || bytesSinceReclaim >= GATHERED_BYTES;
  }

  /**
   * Frees the blocks retired before the epoch {@code safe}; returns the actions, to be run without
   * the guard.
   */
  List<Runnable> reclaim(long safe) {
    countSinceReclaim = 0;
    bytesSinceReclaim = 0;
    List<Runnable> actions = List.of();
    while (count > 0 && tags[head] < safe) {
      long address = addresses[head];
      Object target = targets[head];
      targets[head] = null;
      head = at(1);
      count--;
      if (target instanceof BlockMemory memory) {
        free(address, memory);
      } else {
        if (actions.isEmpty()) {
          actions = new ArrayList<>();
        }
        actions.add((Runnable) target);
      }
    }
    freeGathered();
    return actions;
  }

  private void free(long address, BlockMemory memory) {
    if (memory != freedOf || freedCount == TOGETHER) {
      freeGathered();
    }
    freedOf = memory;
    freed[freedCount++] = address;
  }

  private void freeGathered() {
    int gathered = freedCount;
    BlockMemory memory = freedOf;
    freedCount = 0; // before, so that misuse found by freeing them is not met again
    freedOf = null;
    if (gathered > 0) {
      setBytes(bytes - memory.free(freed, gathered));
    }
  }

  private int at(int i) {
    return head + i & tags.length - 1;
  }

  private void grow() {
    long[] newTags = new long[2 * count];
    long[] newAddresses = new long[2 * count];
    Object[] newTargets = new Object[2 * count];
    for (int i = 0; i < count; i++) {
      int at = at(i);
      newTags[i] = tags[at];
      newAddresses[i] = addresses[at];
      newTargets[i] = targets[at];
    }
    tags = newTags;
    addresses = newAddresses;
    targets = newTargets;
    head = 0;
  }

  private void setBytes(long newBytes) {
    assert newBytes >= 0 : "T2: bytes=" + newBytes;
    bytes = newBytes;
  }
}
