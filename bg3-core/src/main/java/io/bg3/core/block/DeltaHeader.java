package io.bg3.core.block;

import io.bg3.core.entry.Bytes;
import io.bg3.storage.format.Checksums;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.format.Varints;
import java.nio.ByteBuffer;

/**
 * The {@link PageHeader} of a delta without what its base says: page, tree, right sibling and
 * fences are those of the base, and the filter of the owners follows from the runs.
 *
 * <pre>
 *  size    field
 *     1    flags
 *     1    op
 *  varint  count
 *  varint  stamp count    not with the flag of one stamp
 *  varint  newest stamp   its milliseconds
 *  varint                 its counter
 *  varint  cut            signed: the milliseconds of the newest stamp less its own
 *  varint                 its counter
 *
 *  varint  runs           edge leaf
 *  varint  sort keys      edge leaf, with the flag of sort keys
 *
 *     1    head lengths   byte keys
 *     1    tail width     byte keys
 *  varint  prefix length  byte keys
 *  varint  shared         byte keys: bytes that the prefix shares with the low fence
 *     …    rest           byte keys: of the prefix
 * </pre>
 */
final class DeltaHeader {
  private final ByteBuffer block;

  /** Of a block of a delta that is there, or that {@link #read} fills. */
  DeltaHeader(ByteBuffer block) {
    this.block = block;
  }

  /** The most bytes that {@link #write} takes. */
  int bound() {
    return 4 + 10 * Varints.MAX_BYTES + prefixLength();
  }

  /** Appends the header of the block. */
  void write(ByteBuffer to) {
    assert block.getLong(PageHeader.BASE) == 0 && block.getLong(PageHeader.VALUES) == 0 : "address";
    to.put(block.get(PageHeader.FLAGS)).put(block.get(PageHeader.OP));
    Varints.put(to, count());
    if (!hasOneStamp()) {
      Varints.put(to, block.getInt(PageHeader.STAMP_COUNT));
    }
    long cut = block.getLong(PageHeader.CUT);
    Varints.put(to, millis(newest()));
    Varints.put(to, newest() & PackedRows.COUNTER_MASK);
    Varints.putSigned(to, millis(newest()) - millis(cut));
    Varints.put(to, cut & PackedRows.COUNTER_MASK);
    if (isOfEdges()) {
      Varints.put(to, runs());
      if (has(PageHeader.FLAG_SORT_KEYS)) {
        Varints.put(to, block.getInt(PageHeader.SORT_KEYS));
      }
    } else {
      to.put(block.get(PageHeader.HEAD_LENGTHS)).put(block.get(PageHeader.TAIL_WIDTH));
      writePrefix(to);
    }
  }

  private void writePrefix(ByteBuffer to) {
    int length = prefixLength();
    int at = fencesEnd(block);
    int most = Math.min(length, fenceLength(block, PageHeader.LOW_LENGTH));
    int shared = 0;
    while (shared < most && block.get(PageHeader.FENCES + shared) == block.get(at + shared)) {
      shared++;
    }
    Varints.put(to, length);
    Varints.put(to, shared);
    to.put(block.slice(at + shared, length - shared));
  }

  /**
   * Fills the block up to its first column, but for the filter of the owners.
   *
   * @param kind of the page
   * @param base a block of that kind whose fences are inside it
   */
  void read(ByteBuffer from, int kind, ByteBuffer base) {
    PackedRows.require(from, 2);
    if (block.capacity() < fencesEnd(base)) {
      throw corruption(from, "a block with room for the fences", block.capacity());
    }
    Bytes.zero(block, 0, PageHeader.FENCES);
    block.put(PageHeader.KIND, (byte) kind);
    block.put(PageHeader.FLAGS, from.get());
    block.put(PageHeader.OP, from.get());
    block.putInt(PageHeader.LENGTH, block.capacity());
    block.put(PageHeader.PAGE_ID, base, PageHeader.PAGE_ID, PageHeader.COUNT - PageHeader.PAGE_ID);
    block.put(PageHeader.LOW_LENGTH, base, PageHeader.LOW_LENGTH, 2 * Short.BYTES);
    block.put(PageHeader.FENCES, base, PageHeader.FENCES, fencesEnd(base) - PageHeader.FENCES);
    block.putInt(PageHeader.COUNT, number(from));
    block.putInt(PageHeader.STAMP_COUNT, hasOneStamp() ? 1 : number(from));
    long millis = Varints.get(from);
    block.putLong(PageHeader.NEWEST_STAMP, stamp(from, millis));
    block.putLong(PageHeader.CUT, stamp(from, millis - Varints.getSigned(from)));
    if (isOfEdges()) {
      block.putInt(PageHeader.RUNS, number(from));
      block.putInt(PageHeader.SORT_KEYS, has(PageHeader.FLAG_SORT_KEYS) ? number(from) : 0);
      zeroUpToColumns(from, fencesEnd(block));
    } else {
      readPrefix(from);
    }
  }

  private void readPrefix(ByteBuffer from) {
    PackedRows.require(from, 2);
    block.put(PageHeader.HEAD_LENGTHS, from.get());
    block.put(PageHeader.TAIL_WIDTH, from.get());
    int length = number(from);
    int shared = number(from);
    int at = fencesEnd(block);
    if (length > Math.min(PageHeader.MAX_KEY, block.capacity() - at)) {
      throw corruption(from, "a prefix inside the block", length);
    }
    if (shared > Math.min(length, fenceLength(block, PageHeader.LOW_LENGTH))) {
      throw corruption(from, "bytes of the low fence", shared);
    }
    int rest = length - shared;
    PackedRows.require(from, rest);
    block.putShort(PageHeader.PREFIX_LENGTH, (short) length);
    block.put(at, block, PageHeader.FENCES, shared);
    block.put(at + shared, from, from.position(), rest);
    from.position(from.position() + rest);
    zeroUpToColumns(from, at + length);
  }

  private void zeroUpToColumns(ByteBuffer from, int at) {
    if (columnsAt() > block.capacity()) {
      throw corruption(from, "columns inside the block", block.capacity());
    }
    Bytes.zero(block, at, columnsAt());
  }

  /** Fills the filter of the owners, once the runs are there. */
  void fillOwners() {
    if (!isOfEdges()) {
      return;
    }
    int at = columnsAt();
    if (at + runsBytes() > block.capacity()) {
      throw new CorruptionException("packed", 0, "runs inside the block", runs() + " runs");
    }
    long owners = 0;
    for (int i = 0; i < runs(); i++) {
      owners |= PageHeader.ownerBit(block.getLong(at + i * Columns.Kind.RUNS.bytes));
    }
    block.putLong(PageHeader.OWNERS, owners);
  }

  /** Adds what the base has to say: page, tree, right sibling and fences. */
  static Checksums addFrame(Checksums sum, ByteBuffer base) {
    return sum.add(base, PageHeader.PAGE_ID, PageHeader.COUNT)
        .add(base, PageHeader.LOW_LENGTH, PageHeader.PREFIX_LENGTH)
        .add(base, PageHeader.FENCES, fencesEnd(base));
  }

  int count() {
    return block.getInt(PageHeader.COUNT);
  }

  long newest() {
    return block.getLong(PageHeader.NEWEST_STAMP);
  }

  boolean hasOneStamp() {
    return has(PageHeader.FLAG_ONE_STAMP);
  }

  boolean hasValues() {
    return has(PageHeader.FLAG_VALUES);
  }

  /** Where the first column begins. */
  int columnsAt() {
    return Bytes.align8(fencesEnd(block) + prefixLength());
  }

  /** Where the stamps begin, which may be outside of the block. */
  long stampsAt() {
    long rows = count();
    if (isOfEdges()) {
      rows += block.getInt(PageHeader.SORT_KEYS);
    }
    return columnsAt() + runsBytes() + rows * Long.BYTES;
  }

  /** The milliseconds of a stamp. */
  static long millis(long stamp) {
    return stamp >> PackedRows.COUNTER_BITS;
  }

  private long runsBytes() {
    return isOfEdges() ? (long) runs() * Columns.Kind.RUNS.bytes : 0;
  }

  private int runs() {
    return block.getInt(PageHeader.RUNS);
  }

  private int prefixLength() {
    return isOfEdges() ? 0 : block.getShort(PageHeader.PREFIX_LENGTH) & 0xFFFF;
  }

  private boolean isOfEdges() {
    return block.get(PageHeader.KIND) == PageHeader.EDGE_LEAF;
  }

  private boolean has(int flag) {
    return (block.get(PageHeader.FLAGS) & flag) != 0;
  }

  private static int fencesEnd(ByteBuffer block) {
    return PageHeader.FENCES
        + fenceLength(block, PageHeader.LOW_LENGTH)
        + fenceLength(block, PageHeader.HIGH_LENGTH);
  }

  private static int fenceLength(ByteBuffer block, int at) {
    int length = block.getShort(at) & 0xFFFF;
    return length == PageHeader.NO_FENCE ? 0 : length;
  }

  private static int number(ByteBuffer from) {
    long number = Varints.get(from);
    if (number < 0 || number > Integer.MAX_VALUE) {
      throw corruption(from, "a number of at most 31 bits", number);
    }
    return (int) number;
  }

  private static long stamp(ByteBuffer from, long millis) {
    long counter = Varints.get(from);
    long stamp = millis << PackedRows.COUNTER_BITS | counter;
    if (millis(stamp) != millis || (counter & ~PackedRows.COUNTER_MASK) != 0) {
      throw corruption(from, "a stamp", millis);
    }
    return stamp;
  }

  private static CorruptionException corruption(ByteBuffer from, String expected, long found) {
    return new CorruptionException("packed", from.position(), expected, Long.toString(found));
  }
}
