package io.bg3.core.page;

import io.bg3.core.block.ByteKeysWriter;
import io.bg3.core.block.PageFrame;
import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.ByteEntries;
import io.bg3.core.entry.Bytes;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.ScratchEntries;
import io.bg3.storage.memory.BlockMemory;

/** Leaves of byte keys. */
final class ByteLeafFormat extends LeafFormat {
  private static final ThreadLocal<ScratchEntries> SCRATCH =
      ScratchEntries.ofThread(ByteEntries::new);

  ByteLeafFormat(BlockMemory memory) {
    super(memory);
  }

  @Override
  public Entries newEntries() {
    return new ByteEntries();
  }

  @Override
  ScratchEntries scratch() {
    return SCRATCH.get();
  }

  @Override
  int kind() {
    return PageHeader.BYTE_LEAF;
  }

  @Override
  ByteLeaf newView() {
    return new ByteLeaf();
  }

  @Override
  ByteLeaf topView(PageViews views) {
    return views.byteTop();
  }

  @Override
  ByteLeaf baseView(PageViews views) {
    return views.byteBase();
  }

  @Override
  LeafWriter writer(PageFrame frame, Entries entries, int from, int to) {
    return new ByteLeafWriter(frame, (ByteEntries) entries, from, to);
  }

  @Override
  int[] keyCosts(Entries entries, int from, int to) {
    return ByteKeysWriter.costs(((ByteEntries) entries).sharedKeys(), from, to);
  }

  @Override
  String describeKey(byte[] key) {
    return Bytes.text(key);
  }
}
