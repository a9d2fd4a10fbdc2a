package io.bg3.core.block;

import io.bg3.core.entry.Bytes;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Op;
import io.bg3.storage.memory.BlockMemory;
import java.nio.ByteBuffer;

/**
 * View of the header that every block of a page begins with, base, delta or inner page.
 *
 * <pre>
 *  offset  size  field
 *       0     1  kind           1 edge leaf, 2 byte-key leaf, 3 inner page
 *       1     1  flags          see the FLAG constants
 *       2     1  op             the ops of all entries where there is no ops column
 *       3     1  level          0 for a leaf, 1 for the parent of leaves, and so on
 *       4     4  length         of the block, from byte 0; a multiple of 8
 *       8     4  page id
 *      12     4  tree id
 *      16     4  right sibling  page id, 0 if there is none
 *      20     4  count          entries (inner page: separators)
 *      24     4  stamp count    rows of the stamps columns; 1 if all are equal, 0 if all are settled
 *      28     4  runs           edge leaf: rows of the runs columns
 *      32     8  newest stamp   largest stamp that is kept, in a delta also of those of its base
 *      40     8  cut            up to which versions that nobody read were pruned
 *      48     8  base           delta: address of its base; 0 in a base and in every image
 *      56     8  values         address of the value block, or offset of the values in this block; 0 in images
 *      64     8  owners         edge delta: filter with one bit per owner, see {@link #ownerBit}
 *      72     2  low length     0xFFFF without a low fence
 *      74     2  high length    0xFFFF without a high fence
 *      76     4  sort keys      edge leaf: rows of the sort keys column
 *      76     2  prefix length  byte keys: of the prefix that all keys share
 *      78     1  head lengths   byte keys: length of every key behind the prefix, at most 8; 0xFF: a column
 *      79     1  tail width     byte keys: bytes of an offset in the tails column; 0 without tails
 *      80     -  low fence, high fence, prefix, zeros up to a multiple of 8, then the columns
 * </pre>
 *
 * <p>Little-endian. A delta repeats what routing needs, so a reader of the state word reads one
 * block to know whether it has come to the right page.
 *
 * <p>Threads: a view belongs to one thread; the bytes are immutable once published. A thread that
 * holds a view must be inside the epoch in which it got the address.
 */
public final class PageHeader {
  /** An edge leaf. */
  public static final int EDGE_LEAF = 1;

  /** A leaf of byte keys. */
  public static final int BYTE_LEAF = 2;

  /** An inner page. */
  public static final int INNER = 3;

  public static final int KIND = 0;
  public static final int FLAGS = KIND + Byte.BYTES;
  public static final int OP = FLAGS + Byte.BYTES;
  public static final int LEVEL = OP + Byte.BYTES;
  public static final int LENGTH = LEVEL + Byte.BYTES;
  public static final int PAGE_ID = LENGTH + Integer.BYTES;
  public static final int TREE_ID = PAGE_ID + Integer.BYTES;
  public static final int RIGHT_SIBLING = TREE_ID + Integer.BYTES;
  public static final int COUNT = RIGHT_SIBLING + Integer.BYTES;
  public static final int STAMP_COUNT = COUNT + Integer.BYTES;
  public static final int RUNS = STAMP_COUNT + Integer.BYTES;
  public static final int NEWEST_STAMP = RUNS + Integer.BYTES;
  public static final int CUT = NEWEST_STAMP + Long.BYTES;
  public static final int BASE = CUT + Long.BYTES;
  public static final int VALUES = BASE + Long.BYTES;
  public static final int OWNERS = VALUES + Long.BYTES;
  public static final int LOW_LENGTH = OWNERS + Long.BYTES;
  public static final int HIGH_LENGTH = LOW_LENGTH + Short.BYTES;
  public static final int PREFIX_LENGTH = HIGH_LENGTH + Short.BYTES;
  public static final int HEAD_LENGTHS = PREFIX_LENGTH + Short.BYTES;
  public static final int TAIL_WIDTH = HEAD_LENGTHS + Byte.BYTES;
  public static final int FENCES = TAIL_WIDTH + Byte.BYTES;

  /** The offset of the three fields that pages of byte keys have before the fences. */
  public static final int SORT_KEYS = PREFIX_LENGTH;

  /** The block is a delta. */
  public static final int FLAG_DELTA = 1;

  /** There is an ops column. */
  public static final int FLAG_OPS = 1 << 1;

  /** All entries have one stamp, which is not 0. */
  public static final int FLAG_ONE_STAMP = 1 << 2;

  /** There is a sequences column. */
  public static final int FLAG_SEQUENCES = 1 << 3;

  /** There are values. */
  public static final int FLAG_VALUES = 1 << 4;

  /** The values stand in this block and not in one of their own. */
  public static final int FLAG_VALUES_INSIDE = 1 << 5;

  /** There are a column of sort keys and one that says whose they are. */
  public static final int FLAG_SORT_KEYS = 1 << 6;

  /** Reserved: the owner is the same for the whole tree and not kept. */
  public static final int FLAG_NO_OWNER = 1 << 7;

  /** Stands for the length of a high fence that is not there. */
  public static final int NO_FENCE = 0xFFFF;

  /** Longest key or fence. */
  static final int MAX_KEY = NO_FENCE - 1;

  private final BlockMemory memory;
  private ByteBuffer slab;
  private int at;

  @SuppressWarnings("UnusedVariable") // see fetch
  private long fetched;

  /** A view of nothing yet. */
  public PageHeader(BlockMemory memory) {
    this.memory = memory;
  }

  /** Looks at the block at this address. */
  public PageHeader wrap(long block) {
    slab = memory.slab(block);
    at = BlockMemory.offset(block);
    return this;
  }

  /** Prefetches lines that are about to be read, see {@link RunPrefetch}. */
  public void fetch(long lines) {
    fetched = RunPrefetch.fetch(memory, lines);
  }

  /**
   * Prefetches the lines of one entry and its value, see {@link ValuePrefetch}.
   *
   * @param part of the run that is before the entry
   */
  public void fetch(long lines, long values, float part) {
    fetched =
        RunPrefetch.fetch(memory, lines, part) + ValuePrefetch.fetch(memory, lines, values, part);
  }

  /**
   * Asks for the first lines of a block, which may be shorter.
   *
   * @param other something read elsewhere for the same reason; kept too
   */
  public void fetch(long block, int lines, long other) {
    fetched = other + memory.fetch(block, 0, lines);
  }

  /** {@link #EDGE_LEAF}, {@link #BYTE_LEAF} or {@link #INNER}. */
  public int kind() {
    return slab.get(at + KIND);
  }

  /** Distance from the leaves; 0 for a leaf. */
  public int level() {
    return slab.get(at + LEVEL);
  }

  /** Whether the block is a delta over a base. */
  public boolean isDelta() {
    return (slab.get(at + FLAGS) & FLAG_DELTA) != 0;
  }

  /** Bytes of the block itself, without its values where they have a block of their own. */
  public int length() {
    return slab.getInt(at + LENGTH);
  }

  /** Number of the page in the page table. */
  public int pageId() {
    return slab.getInt(at + PAGE_ID);
  }

  /** Tree that the page belongs to. */
  public int treeId() {
    return slab.getInt(at + TREE_ID);
  }

  /** Page that holds the high fence, 0 if there is none. */
  public int rightSibling() {
    return slab.getInt(at + RIGHT_SIBLING);
  }

  /** Entries in this block alone; separators of an inner page. */
  public int count() {
    return slab.getInt(at + COUNT);
  }

  /** The largest stamp kept in the page, base and delta; 0 if all is settled. */
  public long newestStamp() {
    return slab.getLong(at + NEWEST_STAMP);
  }

  /** Up to which stamp versions that nobody read may have been pruned. */
  public long cut() {
    return slab.getLong(at + CUT);
  }

  /** Address of the base under a delta; 0 for a base or an inner page. */
  public long base() {
    return slab.getLong(at + BASE);
  }

  /** Address of the block of values that goes with this one; 0 if there is none. */
  public long valueBlock() {
    int values = slab.get(at + FLAGS) & (FLAG_VALUES | FLAG_VALUES_INSIDE);
    return values == FLAG_VALUES ? slab.getLong(at + VALUES) : 0;
  }

  /** Whether the block's values are in a block of their own. */
  public boolean ownsValues() {
    return (slab.get(at + FLAGS) & (FLAG_VALUES | FLAG_VALUES_INSIDE)) == FLAG_VALUES;
  }

  /** Whether a value of this block may be the location of a large value. */
  public boolean hasLocations() {
    return Op.isLocation(slab.get(at + OP));
  }

  /** Whether an entry of this block may be one that what is stored lacks. */
  public boolean hasMarks() {
    return Op.isUnstored(slab.get(at + OP));
  }

  /** Whether the key is below the low fence: the reader came by a route that is no longer true. */
  public boolean isBelowLow(byte[] key) {
    int length = lowLength();
    return length != NO_FENCE && Bytes.compare(slab, at + FENCES, length, key, 0, key.length) > 0;
  }

  /** Whether the key is at or above the high fence: it is on a page further right. */
  public boolean isAtOrAboveHigh(byte[] key) {
    int length = highLength();
    return length != NO_FENCE && Bytes.compare(slab, highAt(), length, key, 0, key.length) <= 0;
  }

  /**
   * Whether the bound is above the high fence, so that the page does not hold all that is below the
   * bound.
   */
  public boolean isAboveHigh(byte[] bound) {
    int length = highLength();
    return length != NO_FENCE && Bytes.compare(slab, highAt(), length, bound, 0, bound.length) < 0;
  }

  /** Whether the high fence of an edge leaf begins with this owner, tag and label. */
  public boolean highBeginsWith(long owner, int tagLabel) {
    int length = highLength();
    return length != NO_FENCE
        && length > EdgeKey.OTHER
        && Long.reverseBytes(slab.getLong(highAt())) == (owner ^ Long.MIN_VALUE)
        && Integer.reverseBytes(slab.getInt(highAt() + Long.BYTES)) == tagLabel;
  }

  /** Whether keys of an owner belong to pages further left. */
  public boolean isAmidLow(long owner) {
    return isBelowLow(EdgeKey.prefix(owner));
  }

  /** Whether keys of an owner belong to pages further right. */
  public boolean isAmidHigh(long owner) {
    byte[] behind = EdgeKey.after(EdgeKey.prefix(owner));
    return behind == null ? !isLast() : isAboveHigh(behind);
  }

  /** Whether there is no page further right. */
  public boolean isLast() {
    return highLength() == NO_FENCE;
  }

  /** A copy of the low fence, null if there is none. */
  public byte[] low() {
    int length = lowLength();
    return length == NO_FENCE ? null : Bytes.copy(slab, at + FENCES, length);
  }

  /** A copy of the high fence, null if there is none. */
  public byte[] high() {
    int length = highLength();
    return length == NO_FENCE ? null : Bytes.copy(slab, highAt(), length);
  }

  /** A copy of what the header says besides the entries. */
  public PageFrame frame() {
    return new PageFrame(pageId(), treeId(), low(), high(), rightSibling());
  }

  /**
   * Gives a block that no other thread knows another page, tree and right sibling.
   *
   * @param frame has the fences that the block has
   */
  public void identify(PageFrame frame) {
    slab.putInt(at + PAGE_ID, frame.pageId());
    slab.putInt(at + TREE_ID, frame.treeId());
    slab.putInt(at + RIGHT_SIBLING, frame.rightSibling());
    assert frame().equals(frame) : frame() + " for " + frame;
  }

  /** The bit of an owner in a delta's filter. */
  public static long ownerBit(long owner) {
    return 1L << ((owner * 0x9E3779B97F4A7C15L) >>> 58);
  }

  /** Bytes of both fences. */
  int fencesLength() {
    int high = highLength();
    return highAt() - at - FENCES + (high == NO_FENCE ? 0 : high);
  }

  private int lowLength() {
    return slab.getShort(at + LOW_LENGTH) & 0xFFFF;
  }

  private int highLength() {
    return slab.getShort(at + HIGH_LENGTH) & 0xFFFF;
  }

  private int highAt() {
    int low = lowLength();
    return at + FENCES + (low == NO_FENCE ? 0 : low);
  }
}
