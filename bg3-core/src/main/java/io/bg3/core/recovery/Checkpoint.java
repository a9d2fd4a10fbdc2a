package io.bg3.core.recovery;

import io.bg3.core.forest.TreeIds;
import io.bg3.storage.extent.ExtentUsage;
import io.bg3.storage.format.CorruptionException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The content of a manifest in the engine's terms: everything that is needed to open the store
 * together with the log from {@code logPosition}.
 *
 * <pre>
 *  size  field
 *     4  version        8
 *     4  initTrees      number of INIT trees, fixed when the store was created
 *     8  logPosition    L: replay starts here
 *     8  logDurable     how far the log was durable when this was written; a shorter log is damage
 *     8  newest         E: newest stamp in any image or total that this names
 *     4  pageEnd        one above the largest page id
 *     4  trees          t, then t times: u32 tree, u32 root page
 *     …  map            where the rows of the page table are, see {@link PageMapRoot}
 *     4  extents        x, then x usage rows
 *     4  totalsLength   s, then s bytes of the commit layer: the totals and their stamp
 *     4  nextDedicated  number of the next dedicated tree; from version 5 on
 *     8  moved          bytes of records that were ever moved out of extents; from version 8 on
 * </pre>
 *
 * Little-endian. The file around it carries the store's id, a sequence number and the checksum.
 *
 * <p>Each version keeps a program that knows the one before only from a store that it would damage
 * or take for damaged. From version 8 on, the records of extents have two checksums, deltas may
 * have images of version 4, and trees of one leaf have no degrees. An edge label may have a family
 * from version 7 on, a vertex degrees from version 6 on and a tree of its own from version 5 on.
 * There is a tree of index entries from version 4 on.
 *
 * <p>Version 2 differs in the usage rows only, which count ages in milliseconds: its rows are read
 * without their recent garbage.
 *
 * @param roots root page of every tree
 * @param map where the rows of the page table are
 * @param totals the commit layer's own bytes
 * @param nextDedicated number of the next dedicated tree
 * @param moved bytes of records that were moved out of extents since the store was made; 0 in a
 *     manifest before version 8
 */
@SuppressWarnings("ArrayRecordComponent") // compared through their encoding
record Checkpoint(
    int initTrees,
    long logPosition,
    long logDurable,
    long newest,
    int pageEnd,
    List<Root> roots,
    PageMapRoot map,
    List<ExtentUsage> extents,
    byte[] totals,
    int nextDedicated,
    long moved) {
  private static final int VERSION = 8;

  /** The first with {@code nextDedicated}. */
  private static final int VERSION_OF_DEDICATED = 5;

  /** Its usage rows have ages in milliseconds. */
  private static final int VERSION_WITH_TIMES = 2;

  private static final int FIXED = 4 + 4 + 8 + 8 + 8 + 4 + 3 * 4 + 4 + 8;
  private static final int ROOT_LENGTH = 8;

  /** Root page of a tree. */
  record Root(int tree, int page) {}

  /** Of a store that has no pages yet: its empty trees are made whenever it is opened. */
  static Checkpoint first(int initTrees, long logPosition, long logDurable, byte[] totals) {
    return new Checkpoint(
        initTrees,
        logPosition,
        logDurable,
        0,
        1,
        List.of(),
        PageMapRoot.EMPTY,
        List.of(),
        totals,
        TreeIds.FIRST_DEDICATED,
        0);
  }

  ByteBuffer encode() {
    int length =
        FIXED
            + roots.size() * ROOT_LENGTH
            + map.length()
            + extents.size() * ExtentUsage.ENCODED_LENGTH
            + totals.length;
    ByteBuffer out = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(VERSION).putInt(initTrees).putLong(logPosition).putLong(logDurable).putLong(newest);
    out.putInt(pageEnd);
    out.putInt(roots.size());
    roots.forEach(root -> out.putInt(root.tree()).putInt(root.page()));
    map.encode(out);
    out.putInt(extents.size());
    extents.forEach(usage -> usage.encode(out));
    out.putInt(totals.length).put(totals);
    out.putInt(nextDedicated).putLong(moved);
    assert !out.hasRemaining() : out;
    return out.flip();
  }

  /** Reads what {@link #encode} wrote; {@code file} is named in errors. */
  static Checkpoint decode(ByteBuffer bytes, String file) {
    ByteBuffer in = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    try {
      int version = in.getInt();
      if (version < VERSION_WITH_TIMES || version > VERSION) {
        throw corrupt(
            file, in, "checkpoint version " + VERSION_WITH_TIMES + " to " + VERSION, "" + version);
      }
      int initTrees = in.getInt();
      long logPosition = in.getLong();
      long logDurable = in.getLong();
      long newest = in.getLong();
      int pageEnd = in.getInt();
      List<Root> roots = new ArrayList<>();
      for (int left = count(in, ROOT_LENGTH, file); left > 0; left--) {
        roots.add(new Root(in.getInt(), in.getInt()));
      }
      PageMapRoot map = PageMapRoot.decode(in, file);
      List<ExtentUsage> extents = new ArrayList<>();
      for (int left = count(in, ExtentUsage.ENCODED_LENGTH, file); left > 0; left--) {
        ExtentUsage usage = ExtentUsage.decode(in);
        extents.add(version == VERSION_WITH_TIMES ? usage.withoutWindow() : usage);
      }
      byte[] totals = new byte[count(in, 1, file)];
      in.get(totals);
      int nextDedicated = version >= VERSION_OF_DEDICATED ? in.getInt() : TreeIds.FIRST_DEDICATED;
      if (nextDedicated < TreeIds.FIRST_DEDICATED) {
        throw corrupt(
            file, in, "a tree from " + TreeIds.FIRST_DEDICATED + " on", "" + nextDedicated);
      }
      long moved = version == VERSION ? in.getLong() : 0;
      return new Checkpoint(
          initTrees,
          logPosition,
          logDurable,
          newest,
          pageEnd,
          roots,
          map,
          extents,
          totals,
          nextDedicated,
          moved);
    } catch (BufferUnderflowException e) {
      throw corrupt(file, in, "a whole checkpoint", "it ends early");
    }
  }

  /** Reads the number of items that follow, each of so many bytes. */
  static int count(ByteBuffer in, int length, String file) {
    int count = in.getInt();
    if (count < 0 || (long) count * length > in.remaining()) {
      throw corrupt(file, in, "at most " + in.remaining() / length + " items", "" + count);
    }
    return count;
  }

  private static CorruptionException corrupt(
      String file, ByteBuffer at, String expected, String found) {
    return new CorruptionException(file, at.position(), expected, found);
  }

  @Override
  public boolean equals(Object that) {
    return that instanceof Checkpoint c && encode().equals(c.encode());
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(totals) + 31 * Long.hashCode(logPosition);
  }

  @Override
  public String toString() {
    return "Checkpoint[logPosition="
        + logPosition
        + ", newest="
        + newest
        + ", pageEnd="
        + pageEnd
        + ", roots="
        + roots.size()
        + ", map="
        + map
        + ", extents="
        + extents.size()
        + "]";
  }
}
