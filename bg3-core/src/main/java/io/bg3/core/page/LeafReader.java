package io.bg3.core.page;

import io.bg3.core.block.PageHeader;
import io.bg3.core.block.ValueBlock;
import io.bg3.core.entry.Bytes;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Op;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.memory.BlockMemory;
import java.nio.ByteBuffer;

/**
 * The queries on a leaf.
 *
 * <p>A leaf is named by the address of its newest block, which is a base, or a delta whose header
 * points at its base.
 *
 * <p>Keys are given as bytes. A bound of a range may be shorter or longer than a key of the leaf;
 * null is open.
 *
 * <p>Threads: the object has no state but its memory. Methods that take an address are called
 * inside the epoch in which it was read, or by the thread that holds the page's latch. Addresses of
 * freed blocks give wrong answers or a RuntimeException, and end.
 */
public abstract class LeafReader {
  final BlockMemory memory;

  LeafReader(BlockMemory memory) {
    this.memory = memory;
  }

  /**
   * The newest version of a key at or below a snapshot, a tombstone too.
   *
   * @param snapshot {@link Long#MAX_VALUE} for what was applied last
   * @return false if there is none; of {@code read} then only the cut has changed
   */
  public boolean get(long block, byte[] key, long snapshot, PageRead read) {
    return get(block, key, snapshot, true, read);
  }

  /**
   * As the method above.
   *
   * @param withValue whether the value is copied; if not, no value block is read, and the version
   *     has none
   */
  public boolean get(long block, byte[] key, long snapshot, boolean withValue, PageRead read) {
    LeafBlock top = placed(topView(read.views()), block);
    read.cut = top.cut();
    if (!top.isDelta()) {
      return get(block, top, key, snapshot, withValue, read);
    }
    if (top.mayHold(key) && get(block, top, key, snapshot, withValue, read)) {
      return true;
    }
    LeafBlock base = placed(baseView(read.views()), top.base());
    return get(top.base(), base, key, snapshot, withValue, read);
  }

  /**
   * Adds the entries that a snapshot sees of keys at or above {@code low} and below {@code high},
   * ascending. Their ops say {@link Op#PUT} or {@link Op#LOCATION} and nothing else; a location's
   * value is its 8 bytes. Only entries that may expire have their stamps (R13). Only the bulk of
   * columns is copied where no version stands in question.
   *
   * @param low null from the first
   * @param high null to the last
   * @param withValues whether values are copied; locations come anyhow without them
   */
  public void copy(
      long block, byte[] low, byte[] high, long snapshot, boolean withValues, Entries into) {
    LeafBlock top = view(block);
    LeafBlock base = top.isDelta() ? view(top.base()) : top;
    copy(top, base, low, high, snapshot, withValues, into);
  }

  /**
   * Counts the entries that a snapshot sees of keys at or above {@code low} and below {@code high},
   * also those that have expired.
   *
   * @param low null from the first
   * @param high null to the last
   */
  public int count(long block, byte[] low, byte[] high, long snapshot, PageRead read) {
    PageViews views = read.views();
    LeafBlock top = placed(topView(views), block);
    LeafBlock base = top.isDelta() ? placed(baseView(views), top.base()) : top;
    return copy(top, base, low, high, snapshot, false, null);
  }

  private int copy(
      LeafBlock top,
      LeafBlock base,
      byte[] low,
      byte[] high,
      long snapshot,
      boolean withValues,
      Entries into) {
    LeafBlock delta = top.isDelta() && top.mayHold(low, high) ? top : null;
    return new LeafMerge(base, delta, memory).copyVisible(low, high, snapshot, withValues, into);
  }

  /**
   * Copies the first entries of a range, about {@code most} of them, as {@link #copy} does.
   *
   * @param read told the page's cut
   * @return the key where to go on; null if it copied all of the range
   */
  public byte[] copyFirst(
      long block,
      byte[] low,
      byte[] high,
      long snapshot,
      boolean withValues,
      int most,
      Entries into,
      PageRead read) {
    PageViews views = read.views();
    LeafBlock top = placed(topView(views), block);
    LeafBlock base = top.isDelta() ? placed(baseView(views), top.base()) : top;
    read.cut = top.cut();
    byte[] next = most == Integer.MAX_VALUE ? null : keyBehind(base, low, high, most);
    copy(top, base, low, next == null ? high : next, snapshot, withValues, into);
    return next;
  }

  /**
   * Copies the last entries of a range, about {@code most} of them, as {@link #copy} does.
   *
   * @return the key that is the upper end of what is left; null if it copied all of the range
   */
  public byte[] copyLast(
      long block,
      byte[] low,
      byte[] high,
      long snapshot,
      boolean withValues,
      int most,
      Entries into) {
    LeafBlock base = most == Integer.MAX_VALUE ? null : view(base(block));
    byte[] cut = base == null ? null : keyBefore(base, low, high, most);
    copy(block, cut == null ? low : cut, high, snapshot, withValues, into);
    return cut;
  }

  /**
   * The largest stamp kept among all versions, tombstones too, of keys at or above {@code low} and
   * below {@code high}; 0 if all are settled or there are none. {@link PageHeader#newestStamp}
   * bounds it for the whole page.
   */
  public long newest(long block, byte[] low, byte[] high) {
    LeafBlock top = view(block);
    if (top.newest == 0) {
      return 0;
    }
    long newest = top.isDelta() && !top.mayHold(low, high) ? 0 : newest(top, low, high);
    return top.isDelta() ? Math.max(newest, newest(view(top.base()), low, high)) : newest;
  }

  /**
   * The stamp of the newest version, a tombstone too, of the key of an entry; 0 if it is settled or
   * there is none.
   */
  public long newest(long block, Entries entries, int i, PageViews views) {
    LeafBlock top = placed(topView(views), block);
    long newest = newest(top, entries, i);
    return top.isDelta()
        ? Math.max(newest, newest(placed(baseView(views), top.base()), entries, i))
        : newest;
  }

  private static long newest(LeafBlock block, Entries entries, int i) {
    if (block.newest == 0) {
      return 0;
    }
    int at = block.find(entries, i);
    return at < block.count && block.hasKey(at, entries, i) ? block.stamp(at) : 0;
  }

  /** Entries of the delta, 0 for a base: more than the configured number make a new base due. */
  public int deltaCount(long block) {
    PageHeader header = new PageHeader(memory).wrap(block);
    return header.isDelta() ? header.count() : 0;
  }

  /** Bytes that the page takes of memory, base, delta and values. */
  public int memoryBytes(long block) {
    LeafBlock top = view(block);
    int bytes = memoryBytes(block, top);
    return top.isDelta() ? bytes + memoryBytes(top.base(), view(top.base())) : bytes;
  }

  /** Whether all keys of a page's delta stand behind those of its base, as when keys ascend. */
  public boolean appends(long block) {
    LeafBlock top = view(block);
    return top.isDelta() && top.count > 0 && appends(top, view(top.base()));
  }

  /** Whether an entry's key stands behind all keys of a page. */
  public boolean isBehind(long block, Entries entries, int i) {
    LeafBlock top = view(block);
    if (top.isDelta() && top.find(entries, i) < top.count) {
      return false;
    }
    LeafBlock base = top.isDelta() ? view(top.base()) : top;
    return base.find(entries, i) == base.count;
  }

  /** Address of the base: of the block under a delta, or the block itself. */
  public long base(long block) {
    LeafBlock top = view(block);
    return top.isDelta() ? top.base() : block;
  }

  /**
   * Checks the numbered invariants of a block, and of the base under a delta.
   *
   * @throws AssertionError naming the first that does not hold
   */
  public void check(long block) {
    LeafBlock top = view(block);
    try {
      new LeafCheck(top).run(top.values(memory));
      if (top.isDelta()) {
        LeafBlock base = view(top.base());
        new LeafCheck(base).run(base.values(memory));
        new LeafCheck(top).runOver(base);
        assert top.newest >= base.newest : "L10: newest=" + top.newest + ", base=" + base.newest;
      }
    } catch (CorruptionException e) {
      throw new AssertionError(e.getMessage() + "\n" + print(block), e);
    }
  }

  /** The page in words, header and every entry. */
  public String print(long block) {
    LeafBlock top = view(block);
    StringBuilder text = new StringBuilder();
    print(block, top, text);
    if (top.isDelta()) {
      print(top.base(), view(top.base()), text);
    }
    return text.toString();
  }

  /** A view that has not been placed. */
  abstract LeafBlock newView();

  /** The thread's view for newest blocks. */
  abstract LeafBlock topView(PageViews views);

  /** The thread's view for bases. */
  abstract LeafBlock baseView(PageViews views);

  public final LeafBlock view(ByteBuffer slab, int at) {
    LeafBlock view = newView();
    view.place(slab, at);
    return view;
  }

  private LeafBlock placed(LeafBlock view, long block) {
    view.place(memory.slab(block), BlockMemory.offset(block));
    return view;
  }

  abstract String describeKey(byte[] key);

  public final LeafBlock view(long block) {
    return view(memory.slab(block), BlockMemory.offset(block));
  }

  private boolean get(
      long address, LeafBlock block, byte[] key, long snapshot, boolean withValue, PageRead read) {
    if (withValue) {
      block.fetchValues(memory);
    }
    block.expect(read.run().expected(), read.run().part());
    int at = block.at(key);
    if (at < 0) {
      return false;
    }
    boolean seesAll = block.newest <= snapshot; // then no stamp has to be read
    int seen = seesAll ? at : block.visible(at, block.groupEnd(at), snapshot);
    if (seen < 0) {
      return false;
    }
    read.run().set(block, address, memory);
    byte op = (byte) (block.op(seen) & Op.MEANING);
    long stamp = block.stampCount() > 0 && block.mayExpire(key) ? block.stamp(seen) : 0;
    read.version().set(op, withValue ? value(block, seen) : null, stamp);
    return true;
  }

  private byte[] value(LeafBlock block, int at) {
    ValueBlock values = block.values(memory);
    return values == null ? Entries.NO_VALUE : values.value(at);
  }

  /** The key behind the first {@code most} entries of a range; null if there is none in it. */
  private static byte[] keyBehind(LeafBlock block, byte[] low, byte[] high, int most) {
    int from = low == null ? 0 : block.find(low);
    int to = high == null ? block.count : block.find(high);
    if (to - from <= most) {
      return null;
    }
    int at = from + most;
    while (at < to && Op.isOlder(block.op(at))) {
      at++;
    }
    return at == to ? null : block.key(at);
  }

  /** The key with which the last {@code most} entries of a range begin; null if that is all. */
  private static byte[] keyBefore(LeafBlock block, byte[] low, byte[] high, int most) {
    int from = low == null ? 0 : block.find(low);
    int at = (high == null ? block.count : block.find(high)) - most;
    while (at > from && Op.isOlder(block.op(at))) {
      at--;
    }
    return at <= from ? null : block.key(at);
  }

  private static long newest(LeafBlock block, byte[] low, byte[] high) {
    int from = low == null ? 0 : block.find(low);
    int to = high == null ? block.count : block.find(high);
    return block.newestIn(from, to);
  }

  private static boolean appends(LeafBlock delta, LeafBlock base) {
    return base.find(delta, 0, 0) == base.count;
  }

  private int memoryBytes(long address, LeafBlock block) {
    int bytes = memory.capacity(address);
    return block.ownsValueBlock() ? bytes + memory.capacity(block.valuesAddress()) : bytes;
  }

  private void print(long address, LeafBlock block, StringBuilder text) {
    PageHeader header = new PageHeader(memory).wrap(address);
    text.append(block.isDelta() ? "delta " : "base ")
        .append(header.frame())
        .append(" count=")
        .append(block.count)
        .append(" newest=")
        .append(block.newest)
        .append(" cut=")
        .append(block.cut())
        .append(" bytes=")
        .append(block.length())
        .append('\n');
    ValueBlock values = block.values(memory);
    for (int i = 0; i < block.count; i++) {
      text.append("  ")
          .append(describeKey(block.key(i)))
          .append(" @")
          .append(block.stamp(i))
          .append(' ')
          .append(Op.toString(block.op(i)));
      if (values != null) {
        text.append(" value=").append(Bytes.text(values.value(i)));
      }
      text.append('\n');
    }
  }
}
