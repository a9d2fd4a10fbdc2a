package io.bg3.core.page;

import io.bg3.core.block.FrameCodec;
import io.bg3.core.block.PageFrame;
import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.Bytes;
import io.bg3.storage.format.CorruptionException;
import java.util.Arrays;

/**
 * Checks an inner page. {@link InnerBlock} has already seen to it that the columns lie inside the
 * block.
 *
 * <ul>
 *   <li>N1: flags, ops, stamps and addresses are zero, and the level is above 0.
 *   <li>N2: the fences are in order, and there is a right sibling if and only if there is a high
 *       fence.
 *   <li>N3: separators ascend, above the low fence and below the high one.
 *   <li>N4: children are pages, none of them the page itself, and none stands there twice.
 * </ul>
 */
final class InnerCheck {
  private final InnerBlock block;

  InnerCheck(InnerBlock block) {
    this.block = block;
  }

  /**
   * Checks N1 to N4.
   *
   * @throws CorruptionException with offsets from the block's first byte
   */
  void run() {
    checkUnused();
    PageFrame frame = FrameCodec.read(block.slab, block.at);
    checkSeparators(frame);
    checkChildren(frame);
  }

  private void checkUnused() {
    require(
        block.slab.getShort(block.at + PageHeader.FLAGS) == 0,
        PageHeader.FLAGS,
        "N1: no flags and ops",
        "some");
    require(block.level() > 0, PageHeader.LEVEL, "N1: a level above 0", block.level());
    for (int field = PageHeader.STAMP_COUNT;
        field < PageHeader.LOW_LENGTH;
        field += Integer.BYTES) {
      int found = block.slab.getInt(block.at + field);
      require(found == 0, field, "N1: zero", found);
    }
  }

  private void checkSeparators(PageFrame frame) {
    String problem = block.separators().problem();
    require(
        problem == null, PageHeader.HEAD_LENGTHS, "N3: separators inside their columns", problem);
    byte[] before = frame.low();
    for (int i = 0; i < block.count; i++) {
      byte[] separator = block.separators().key(i);
      boolean above = before == null || Arrays.compareUnsigned(before, separator) < 0;
      require(
          above && frame.covers(separator),
          PageHeader.COUNT,
          "N3: ascending separators at " + i,
          Bytes.text(separator));
      before = separator;
    }
  }

  private void checkChildren(PageFrame frame) {
    int[] children = new int[block.count + 1];
    for (int i = 0; i < children.length; i++) {
      children[i] = block.child(i);
      require(
          children[i] != 0 && children[i] != frame.pageId(),
          PageHeader.COUNT,
          "N4: a page below at " + i,
          children[i]);
    }
    Arrays.sort(children);
    for (int i = 1; i < children.length; i++) {
      require(children[i - 1] != children[i], PageHeader.COUNT, "N4: a child once", children[i]);
    }
  }

  private static void require(boolean holds, int offset, String expected, Object found) {
    if (!holds) {
      throw new CorruptionException("inner page", offset, expected, String.valueOf(found));
    }
  }
}
