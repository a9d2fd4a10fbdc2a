package io.bg3.core.page;

import io.bg3.core.block.PageHeader;
import io.bg3.core.block.RunPrefetch;
import io.bg3.core.block.ValuePrefetch;
import io.bg3.core.entry.Op;
import io.bg3.storage.memory.BlockMemory;

/**
 * One version of a key, filled by {@link LeafFormat#get}, with the views through which it was
 * found: a thread that uses it for the next look-up too allocates nothing but the value. Belongs to
 * one thread.
 */
public final class Version {
  // Of every view there is none until a look-up needs it.
  private EdgeLeaf edgeTop;
  private EdgeLeaf edgeBase;
  private ByteLeaf byteTop;
  private ByteLeaf byteBase;
  private InnerBlock inner;
  private PageHeader header;
  private EdgeLeaf found;
  private BlockMemory memory;
  private long lines;
  long cut;
  private long expected;
  byte op;
  byte[] value;

  EdgeLeaf edgeTop() {
    if (edgeTop == null) {
      edgeTop = new EdgeLeaf();
    }
    return edgeTop;
  }

  EdgeLeaf edgeBase() {
    if (edgeBase == null) {
      edgeBase = new EdgeLeaf();
    }
    return edgeBase;
  }

  ByteLeaf byteTop() {
    if (byteTop == null) {
      byteTop = new ByteLeaf();
    }
    return byteTop;
  }

  ByteLeaf byteBase() {
    if (byteBase == null) {
      byteBase = new ByteLeaf();
    }
    return byteBase;
  }

  InnerBlock inner() {
    if (inner == null) {
      inner = new InnerBlock();
    }
    return inner;
  }

  /** A view of headers in this memory, always the same, for a caller that looks for the leaf. */
  public PageHeader header(BlockMemory memory) {
    if (header == null) {
      header = new PageHeader(memory);
    }
    return header;
  }

  /**
   * The op of the version: {@link Op#PUT}, {@link Op#TOMBSTONE} or {@link Op#LOCATION}, no other
   * bits.
   */
  public byte op() {
    return op;
  }

  /** A copy of the value of its own; empty if there is none, 8 bytes if the op is a location. */
  public byte[] value() {
    return value;
  }

  /** Says what lines the last look-up has read, see {@link #lines}; none if that is not known. */
  public void expect(long linesThen) {
    expected = linesThen;
  }

  long expected() {
    return expected;
  }

  /** Says in which block, which is placed, the key was found, and where that is. */
  void foundIn(LeafBlock block, long address, BlockMemory from) {
    found = block instanceof EdgeLeaf leaf && !leaf.isDelta() ? leaf : null;
    memory = from;
    lines = found == null ? RunPrefetch.NONE : found.lines(address, found.runFound());
  }

  /** The {@link RunPrefetch} that the look-up read; none if it ended in a delta. */
  public long lines() {
    return lines;
  }

  /**
   * The {@link ValuePrefetch} of the run of {@link #lines}, which are not none; never unknown. To
   * be asked in the epoch of the look-up.
   */
  public long valueLines() {
    if (!found.ownsValueBlock()) {
      return ValuePrefetch.NONE;
    }
    int run = found.runFound();
    return found
        .values(memory)
        .lines(found.valuesAddress(), found.start(run), found.start(run + 1));
  }

  /** Between which neighbours those values are. */
  public long span() {
    int run = found.runFound();
    return ValuePrefetch.span(found.other(found.start(run)), found.other(found.start(run + 1) - 1));
  }

  /**
   * Up to which stamp the page that was read may have been pruned: a thread that reads at an older
   * snapshot and has not registered it may have missed versions. Known whether or not anything was
   * found.
   */
  public long cut() {
    return cut;
  }

  /** Whether the key is absent in this version. */
  public boolean isTombstone() {
    return Op.isTombstone(op);
  }

  @Override
  public String toString() {
    return "Version[" + Op.toString(op) + ", bytes=" + (value == null ? 0 : value.length) + "]";
  }
}
