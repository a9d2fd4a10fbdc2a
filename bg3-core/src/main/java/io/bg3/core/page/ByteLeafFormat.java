package io.bg3.core.page;

import io.bg3.storage.memory.BlockMemory;
import java.nio.ByteBuffer;

/** Leaves of byte keys. */
final class ByteLeafFormat extends LeafFormat {
  ByteLeafFormat(BlockMemory memory) {
    super(memory);
  }

  @Override
  public Entries newEntries() {
    return new ByteEntries();
  }

  @Override
  int kind() {
    return PageHeader.BYTE_LEAF;
  }

  @Override
  LeafBlock view(ByteBuffer slab, int at) {
    return new ByteLeaf(slab, at);
  }

  @Override
  LeafWriter writer(PageFrame frame, Entries entries, int from, int to) {
    return new ByteLeafWriter(frame, (ByteEntries) entries, from, to);
  }

  @Override
  int[] keyCosts(Entries entries, int from, int to) {
    byte[][] keys = ((ByteEntries) entries).sharedKeys();
    int[] costs = new int[to - from];
    if (to > from) {
      int inHead = Bytes.commonPrefix(keys[from], keys[to - 1]) + Long.BYTES;
      for (int i = from; i < to; i++) {
        int tail = Math.max(0, keys[i].length - inHead);
        costs[i - from] = Long.BYTES + Byte.BYTES + (tail == 0 ? 0 : Short.BYTES + tail);
      }
    }
    return costs;
  }

  @Override
  int longestKeyCost(Entries entries, int i) {
    return keyCost(((ByteEntries) entries).sharedKey(i).length);
  }

  @Override
  int longestKeyCost(LeafBlock block) {
    int longest = 0;
    for (int i = 0; i < block.count; i++) {
      longest = Math.max(longest, ((ByteLeaf) block).keys().length(i));
    }
    return keyCost(longest);
  }

  private static int keyCost(int length) {
    return Long.BYTES + Integer.BYTES + Byte.BYTES + length;
  }

  @Override
  String describeKey(byte[] key) {
    return PageFrame.text(key);
  }
}
