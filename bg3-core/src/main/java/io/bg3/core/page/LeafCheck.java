package io.bg3.core.page;

import io.bg3.core.block.ByteKeys;
import io.bg3.core.block.FrameCodec;
import io.bg3.core.block.PageFrame;
import io.bg3.core.block.PageHeader;
import io.bg3.core.block.ValueBlock;
import io.bg3.core.entry.Bytes;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Op;
import io.bg3.storage.format.CorruptionException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Checks a block of a leaf. {@link LeafBlock} has already seen to it that the columns lie inside
 * the block, so nothing here reads outside it, whatever the bytes are.
 *
 * <ul>
 *   <li>L1: the columns fill the block, header bytes without a use are zero, and flags for later
 *       formats are not set.
 *   <li>L2: the fences are in order, and there is a right sibling if and only if there is a high
 *       fence.
 *   <li>L3: stamps are above 0, at ascending positions of entries; a base's newest stamp is the
 *       largest of them, a delta's at least that.
 *   <li>L4: ops are known bits, a tombstone has no location, and the header's op is the union of
 *       all.
 *   <li>L5: runs ascend by owner, tag and label, and each begins behind the one before; the entries
 *       of those with the tag of an index, and no others, have sort keys.
 *   <li>L6: entries ascend by key; those of one key have descending stamps and all but the first
 *       are marked as older.
 *   <li>L7: keys lie between the fences.
 *   <li>L8: values lie inside their block, and that of a location has 8 bytes.
 *   <li>L9: every entry of a delta is marked as not stored, and its owners are in the filter.
 *   <li>L10: a delta has the frame of its base and no older cut; in memory no older newest stamp.
 * </ul>
 */
final class LeafCheck {
  private final LeafBlock block;
  private final ByteBuffer slab;
  private final int at;

  LeafCheck(LeafBlock block) {
    this.block = block;
    this.slab = block.slab;
    this.at = block.at;
  }

  /**
   * Checks L1 to L9.
   *
   * @throws CorruptionException with offsets from the block's first byte
   */
  void run(ValueBlock values) {
    runTopology();
    runValues(values);
  }

  /** Checks all of them but L8. */
  void runTopology() {
    checkHeader();
    PageFrame frame = FrameCodec.read(slab, at);
    checkStamps();
    checkOps();
    if (block instanceof EdgeLeaf edges) {
      checkRuns(edges);
      checkSortKeys(edges);
    } else if (block instanceof ByteLeaf bytes) {
      checkByteKeys(bytes);
    }
    checkKeys(frame);
    if (block.isDelta()) {
      checkDelta();
    }
  }

  /** Checks L8, of a block that keeps the others. */
  void runValues(ValueBlock values) {
    checkValues(values);
  }

  /** Checks L10. */
  void runOver(LeafBlock base) {
    require(!base.isDelta(), PageHeader.BASE, "L10: a base under a delta", "a delta");
    PageFrame mine = FrameCodec.read(slab, at);
    PageFrame its = FrameCodec.read(base.slab, base.at);
    if (!mine.equals(its)) {
      throw corruption(PageHeader.PAGE_ID, "L10: " + its, mine.toString());
    }
    require(
        block.cut() >= base.cut(),
        PageHeader.CUT,
        "L10: a cut of at least " + base.cut(),
        block.cut());
  }

  private void checkHeader() {
    int unused =
        block instanceof EdgeLeaf
            ? PageHeader.FLAG_NO_OWNER
            : PageHeader.FLAG_NO_OWNER | PageHeader.FLAG_SORT_KEYS;
    require((block.flags & unused) == 0, PageHeader.FLAGS, "L1: known flags", block.flags & 0xFF);
    require(
        slab.get(at + PageHeader.LEVEL) == 0,
        PageHeader.LEVEL,
        "L1: level 0",
        slab.get(at + PageHeader.LEVEL));
    require(block.length() % 8 == 0, PageHeader.LENGTH, "L1: a multiple of 8", block.length());
    require(
        block.has(PageHeader.FLAG_VALUES) || !block.has(PageHeader.FLAG_VALUES_INSIDE),
        PageHeader.FLAGS,
        "L1: values where they are inside",
        block.flags & 0xFF);
  }

  private void checkStamps() {
    int stamps = block.stampCount();
    boolean one = block.has(PageHeader.FLAG_ONE_STAMP);
    require(
        one ? stamps == 1 : stamps <= block.count,
        PageHeader.STAMP_COUNT,
        "L3: stamps of entries",
        stamps);
    require(
        !one || block.count > 0,
        PageHeader.STAMP_COUNT,
        "L3: entries that have the stamp",
        block.count);
    long largest = 0;
    for (int row = 0; row < stamps; row++) {
      long stamp = block.stampAt(row);
      require(stamp > 0, PageHeader.STAMP_COUNT, "L3: a stamp above 0", stamp);
      largest = Math.max(largest, stamp);
      if (!one) {
        int position = block.stampPosition(row);
        int before = row == 0 ? -1 : block.stampPosition(row - 1);
        if (position <= before || position >= block.count) {
          String expected = "L3: a position above " + before + " and below " + block.count;
          throw corruption(PageHeader.STAMP_COUNT, expected, String.valueOf(position));
        }
      }
    }
    require(
        block.isDelta() ? block.newest >= largest : block.newest == largest,
        PageHeader.NEWEST_STAMP,
        "L3: newest stamp " + largest,
        block.newest);
  }

  private void checkOps() {
    int union = 0;
    for (int i = 0; i < block.count; i++) {
      int op = block.op(i);
      union |= op;
      require((op & ~Op.ALL) == 0, PageHeader.OP, "L4: a known op", op);
      require((op & Op.MEANING) != Op.MEANING, PageHeader.OP, "L4: a tombstone or a location", op);
    }
    require(
        union == block.opsUnion,
        PageHeader.OP,
        "L4: the union of all ops, " + union,
        block.opsUnion);
  }

  private void checkRuns(EdgeLeaf edges) {
    require(
        (edges.runs == 0) == (edges.count == 0),
        PageHeader.RUNS,
        "L5: runs of entries",
        edges.runs);
    for (int run = 0; run < edges.runs; run++) {
      int start = edges.start(run);
      boolean ordered = start == 0;
      if (run > 0) {
        int order = Long.compare(edges.owner(run - 1), edges.owner(run));
        ordered =
            start > edges.start(run - 1)
                && (order < 0
                    || (order == 0
                        && Integer.compareUnsigned(edges.tagLabel(run - 1), edges.tagLabel(run))
                            < 0));
      }
      if (!ordered || start >= edges.count) {
        String expected = "L5: run " + run + " behind the one before";
        throw corruption(PageHeader.RUNS, expected, Integer.toString(start));
      }
    }
  }

  private void checkSortKeys(EdgeLeaf edges) {
    int before = 0;
    for (int run = 0; run < edges.runs; run++) {
      boolean index = EdgeKey.isIndex(edges.tagLabel(run));
      require(
          !index || edges.has(PageHeader.FLAG_SORT_KEYS),
          PageHeader.FLAGS,
          "L5: sort keys of a run of an index",
          "none");
      if (edges.sortStart(run) != before) {
        String expected = "L5: sort keys before run " + run + ", " + before;
        throw corruption(PageHeader.SORT_KEYS, expected, Integer.toString(edges.sortStart(run)));
      }
      before += index ? edges.start(run + 1) - edges.start(run) : 0;
    }
    require(
        before == slab.getInt(at + PageHeader.SORT_KEYS)
            && before > 0 == edges.has(PageHeader.FLAG_SORT_KEYS),
        PageHeader.SORT_KEYS,
        "L5: sort keys of entries, " + before,
        slab.getInt(at + PageHeader.SORT_KEYS));
  }

  private void checkByteKeys(ByteLeaf bytes) {
    String problem = bytes.keys().problem();
    require(problem == null, PageHeader.HEAD_LENGTHS, "L6: keys inside their columns", problem);
  }

  /** Compares keys as bytes only where the columns do not say at once that they ascend. */
  private void checkKeys(PageFrame frame) {
    boolean plain = (block.opsUnion & Op.OLDER) == 0;
    byte[] before = null;
    for (int i = 0; i < block.count; ) {
      before = checkKey(frame, i, before);
      int end = plain ? ascendsTo(i) : i + 1;
      if (end > i + 1) {
        before = checkKey(frame, end - 1, before);
      }
      i = end;
    }
  }

  /**
   * End of a stretch of entries from {@code i} on of which each has a larger key than the one
   * before, as a glance at the columns tells.
   */
  private int ascendsTo(int i) {
    int next = i + 1;
    if (block instanceof EdgeLeaf edges) {
      int run = edges.runOf(i);
      int end = EdgeKey.isIndex(edges.tagLabel(run)) ? next : edges.start(run + 1);
      while (next < end && edges.other(next - 1) < edges.other(next)) {
        next++;
      }
    } else if (block instanceof ByteLeaf bytes) {
      ByteKeys keys = bytes.keys();
      while (next < block.count && Long.compareUnsigned(keys.head(next - 1), keys.head(next)) < 0) {
        next++;
      }
    }
    return next;
  }

  /** Checks one key against the one before, null if there is none, and returns it. */
  private byte[] checkKey(PageFrame frame, int i, byte[] before) {
    byte[] key = block.key(i);
    int order = before == null ? -1 : Arrays.compareUnsigned(before, key);
    boolean older = Op.isOlder(block.op(i));
    if (older ? order != 0 : order >= 0) {
      String expected = "L6: ascending keys at entry " + i;
      throw corruption(PageHeader.COUNT, expected, Bytes.text(key));
    }
    require(
        !older || block.stamp(i - 1) > block.stamp(i),
        PageHeader.COUNT,
        "L6: a stamp below that of the newer version",
        older ? block.stamp(i) : 0);
    if (!older && !frame.covers(key)) {
      String expected = "L7: a key of " + frame + " at entry " + i;
      throw corruption(PageHeader.COUNT, expected, Bytes.text(key));
    }
    return key;
  }

  private void checkValues(ValueBlock values) {
    require(
        (values != null) == block.has(PageHeader.FLAG_VALUES),
        PageHeader.FLAGS,
        "L8: values if and only if the header says so",
        values != null);
    if (values == null) {
      require(
          (block.opsUnion & Op.LOCATION) == 0,
          PageHeader.OP,
          "L8: values that are locations",
          "none");
      return;
    }
    String problem = values.problem(block.count);
    require(problem == null, PageHeader.VALUES, "L8: values inside their block", problem);
    for (int i = 0; i < block.count; i++) {
      if (Op.isLocation(block.op(i))) {
        require(
            values.valueLength(i) == Long.BYTES,
            PageHeader.VALUES,
            "L8: a location of 8 bytes at entry " + i,
            values.valueLength(i));
      }
    }
  }

  private void checkDelta() {
    for (int i = 0; i < block.count; i++) {
      require(Op.isUnstored(block.op(i)), PageHeader.OP, "L9: a mark at entry " + i, block.op(i));
    }
    if (block instanceof EdgeLeaf edges) {
      for (int run = 0; run < edges.runs; run++) {
        require(
            edges.mayHold(edges.owner(run)),
            PageHeader.OWNERS,
            "L9: an owner in the filter",
            edges.owner(run));
      }
    }
  }

  /**
   * For what is checked rarely or costs nothing to name: every page that is loaded passes here once
   * an entry.
   */
  private static void require(boolean holds, int offset, String expected, Object found) {
    if (!holds) {
      throw corruption(offset, expected, String.valueOf(found));
    }
  }

  private static CorruptionException corruption(int offset, String expected, String found) {
    return new CorruptionException("leaf", offset, expected, found);
  }
}
