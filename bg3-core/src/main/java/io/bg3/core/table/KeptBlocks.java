package io.bg3.core.table;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Blocks that were replaced while a checkpoint still wants to write them out, by page. Thread-safe.
 */
final class KeptBlocks {
  private static final long[] NONE = new long[0];

  private final Map<Integer, long[]> byPage = new HashMap<>();

  synchronized void add(int page, long block) {
    long[] blocks = byPage.getOrDefault(page, NONE);
    blocks = Arrays.copyOf(blocks, blocks.length + 1);
    blocks[blocks.length - 1] = block;
    byPage.put(page, blocks);
  }

  synchronized long[] take(int page) {
    long[] blocks = byPage.remove(page);
    return blocks == null ? NONE : blocks;
  }
}
