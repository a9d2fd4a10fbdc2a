package io.bg3.core.page;

import io.bg3.core.block.PageHeader;
import io.bg3.core.block.RunPrefetch;
import io.bg3.core.block.ValuePrefetch;
import io.bg3.core.entry.EdgeKey;
import io.bg3.storage.memory.BlockMemory;
import java.util.Arrays;

/**
 * Finds the neighbours of one owner under one tag and label in one leaf, in steps, each of which
 * reads what the one before has found: a thread that looks for many does each step for all of them,
 * so that their cache misses overlap (group prefetching; Chen, Ailamaki, Gibbons, Mowry, ICDE '04).
 *
 * <pre>
 *   place      the newest block: is it the leaf, is there a delta that concerns the owner
 *   placeBase  the block under a delta
 *   find       the run
 *   copy       its neighbours, if the snapshot sees every entry as it stands
 * </pre>
 *
 * <p>Threads: belongs to one. All steps of a look-up are in the epoch in which the block was read.
 */
public final class RunReader {
  private static final int LINE = 64;

  /** Lines of a header and its fences. */
  private static final int HEADER_LINES = 2;

  /** Neighbours of a run that {@link #touchOthers} looks at. */
  private static final int MOST_TOUCHED = 128;

  private final BlockMemory memory;
  private final EdgeLeaf top = new EdgeLeaf();
  private final EdgeLeaf under = new EdgeLeaf();
  private final PageHeader header;
  private EdgeLeaf base;
  private long owner;
  private int tagLabel;
  private boolean plain;

  /** Whether the delta may have entries of the owner. */
  private boolean inDelta;

  private long baseBlock;
  private int run;
  private int from;
  private int to;

  /** Reads leaves in this memory. */
  public RunReader(BlockMemory memory) {
    this.memory = memory;
    this.header = new PageHeader(memory);
  }

  /** The page that {@link #high} begins; 0 if there is none. */
  public int rightSibling() {
    return header.rightSibling();
  }

  /**
   * Looks at the newest block of the page to the right, where the run goes on, and finds the rest
   * of it there.
   *
   * @param high the high fence of the page before
   * @return false if it does not go on there just now
   */
  public boolean placeNext(long block, int tree, byte[] high, long snapshot) {
    header.wrap(block);
    if (header.treeId() != tree
        || header.kind() != PageHeader.EDGE_LEAF
        || !Arrays.equals(header.low(), high)) {
      return false;
    }
    placeTop(block, snapshot);
    placeBase(snapshot);
    find();
    return true;
  }

  /**
   * Looks at the newest block of a page.
   *
   * @param tree that the page has to belong to
   * @param key the first 12 bytes of the keys looked for
   * @return false if these keys do not begin in this page, or it is no leaf
   */
  public boolean place(long block, int tree, byte[] key, long snapshot) {
    header.wrap(block);
    if (header.treeId() != tree
        || header.kind() != PageHeader.EDGE_LEAF
        || header.isBelowLow(key)
        || header.isAtOrAboveHigh(key)) {
      return false;
    }
    owner = EdgeKey.owner(key);
    tagLabel = EdgeKey.tagLabel(key);
    placeTop(block, snapshot);
    return true;
  }

  private void placeTop(long block, long snapshot) {
    top.placeRuns(memory.slab(block), BlockMemory.offset(block));
    base = top.isDelta() ? null : top;
    baseBlock = base == null ? top.base() : block;
    inDelta = base == null && top.mayHold(owner);
    plain = base == null || top.isPlainFor(snapshot);
    plain &= !EdgeKey.hasTtl(tagLabel);
  }

  /** Reads the first lines of the base under a delta, and the delta's rows near the owner's. */
  public long touchBase() {
    if (base != null) {
      return 0;
    }
    long seen = memory.fetch(top.base(), 0, HEADER_LINES);
    return inDelta ? seen + top.touchRun(owner) : seen;
  }

  /** Looks at the base, if that was not the newest block. */
  public void placeBase(long snapshot) {
    if (base == null) {
      under.placeRuns(memory.slab(baseBlock), BlockMemory.offset(baseBlock));
      base = under;
      plain &= under.isPlainFor(snapshot);
      plain &= !inDelta || top.runAt(owner, tagLabel) < 0;
    }
  }

  /** Reads the row that {@link #find(long)} begins with. */
  public long touchRun(long lines) {
    return RunPrefetch.row(lines) == 0 ? base.touchRun(owner) : 0;
  }

  /** Looks for the run. */
  public void find() {
    find(RunPrefetch.NONE);
  }

  /**
   * Looks for the run, where the last look-up found it first.
   *
   * @param lines what that has read; none if it is not known
   */
  public void find(long lines) {
    base.expect(lines, ValuePrefetch.ANYWHERE);
    run = base.runAt(owner, tagLabel);
    from = run < 0 ? 0 : base.start(run);
    to = run < 0 ? 0 : base.start(run + 1);
    if (from < 0 || to > base.count) {
      throw new IllegalStateException("no run here: from=" + from + ", to=" + to);
    }
  }

  /** The cache lines of the base that this look-up has read, for the next one of the same owner. */
  public long lines() {
    return base.lines(baseBlock, run);
  }

  /** Reads a neighbour of each line, of a long run the first ones. */
  public long touchOthers() {
    int end = Math.min(to, from + MOST_TOUCHED);
    long seen = 0;
    for (int i = from; i < end; i += LINE / Long.BYTES) {
      seen += base.other(i);
    }
    return seen;
  }

  /** Whether {@link #copy} copies all that the snapshot sees; else the leaf is to be merged. */
  public boolean isPlain() {
    return plain;
  }

  /** No entry of the leaf has a newer stamp. */
  public long newest() {
    return Math.max(top.newest, base.newest);
  }

  /** Neighbours in the run. */
  public int count() {
    return Math.max(0, to - from);
  }

  /** Copies the first neighbours of the run. */
  public void copy(int count, long[] into, int at) {
    base.copyOthers(from, count, into, at);
  }

  /** Whether keys that begin with the same 12 bytes may go on in the page to the right. */
  public boolean goesOn() {
    return header.highBeginsWith(owner, tagLabel);
  }

  /** The page's high fence: where the rest of the keys begins if it {@link #goesOn}. */
  public byte[] high() {
    return header.high();
  }
}
