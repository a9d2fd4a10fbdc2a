package io.bg3.core.page;

import io.bg3.core.block.DeltaImage;
import io.bg3.core.block.PageFrame;
import io.bg3.core.block.PageHeader;
import io.bg3.core.block.PageImage;
import io.bg3.core.block.ValueBlock;
import io.bg3.core.entry.Bytes;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.LargeValueLocations;
import io.bg3.core.entry.Op;
import io.bg3.core.entry.Pruning;
import io.bg3.core.entry.ScratchEntries;
import io.bg3.storage.codec.Compressor;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.Epochs;
import java.nio.ByteBuffer;

/**
 * The operations on a leaf, reads and writes. The two kinds of leaf differ in their keys alone.
 *
 * <p>Blocks are written aside and never changed, so every method that writes returns a new address,
 * and the caller publishes it and retires the old one ({@link #retire}).
 *
 * <p>Threads: as of {@link LeafReader}.
 */
public abstract class LeafFormat extends LeafReader {
  /** Returned by {@link #consolidated} in place of an address for a page that has to be split. */
  public static final long LARGE = -1;

  LeafFormat(BlockMemory memory) {
    super(memory);
  }

  /**
   * Leaves of edges, {@link io.bg3.core.entry.EdgeEntries}, whose keys are {@link
   * io.bg3.core.entry.EdgeKey}s.
   */
  public static LeafFormat edges(BlockMemory memory) {
    return new EdgeLeafFormat(memory);
  }

  /** Leaves of byte keys, {@link io.bg3.core.entry.ByteEntries}. */
  public static LeafFormat bytes(BlockMemory memory) {
    return new ByteLeafFormat(memory);
  }

  /** Empty columns of this format's kind. */
  public abstract Entries newEntries();

  // Writing

  /**
   * Writes the delta that follows from adding entries to a page. They become the newest versions of
   * their keys and are marked {@link Op#UNSTORED}; older versions are kept. Skipped are entries
   * that are not newer than the newest version present, which only replay brings (a settled version
   * counts as older than any stamp). An entry of stamp 0 replaces all versions of its key.
   *
   * @param block base, or delta over a base
   * @param batch sorted entries of this page's range; their {@link Op#OLDER} and {@link
   *     Op#UNSTORED} bits are ignored
   * @return address of a delta over the same base; {@code block} itself if every entry was skipped
   */
  public long writeDelta(long block, Entries batch, int from, int to) {
    long delta = addToDelta(block, batch, from, to);
    return delta != 0 ? delta : rebuildDelta(block, batch, from, to);
  }

  /** {@link #writeDelta} in the general way. */
  final long rebuildDelta(long block, Entries batch, int from, int to) {
    LeafBlock top = view(block);
    LeafBlock base = top.isDelta() ? view(top.base()) : top;
    ScratchEntries scratch = scratch();
    Entries old = scratch.old();
    if (top.isDelta()) {
      top.copyRaw(0, top.count, top.values(memory), old);
    }
    Entries result = scratch.result();
    if (!new DeltaBuilder(base, old, top.newest, result).add(batch, from, to)) {
      return block;
    }
    PageFrame frame = new PageHeader(memory).wrap(block).frame();
    LeafWriter writer = writer(frame, result, 0, result.count());
    int length = writer.length() + writer.valuesLength();
    long delta = memory.allocate(length);
    ByteBuffer slab = memory.slab(delta);
    int at = BlockMemory.offset(delta);
    long newest = Math.max(top.newest, writer.newest());
    int inside = writer.valuesLength() > 0 ? PageHeader.FLAG_VALUES_INSIDE : 0;
    writer.write(slab, at, PageHeader.FLAG_DELTA | inside, newest, top.cut());
    if (inside != 0) {
      writer.writeValues(slab, at + writer.length());
      slab.putInt(at + PageHeader.LENGTH, length);
    }
    slab.putLong(at + PageHeader.BASE, top.isDelta() ? top.base() : block);
    return delta;
  }

  /**
   * {@link #writeDelta} in a quicker way, if there is one for this page and these entries.
   *
   * @return 0 if there is none
   */
  long addToDelta(long block, Entries batch, int from, int to) {
    return 0;
  }

  /**
   * Writes the base that base and delta of a page become, the same as {@link #writeBase} of what
   * {@link #merged} gives, in a quicker way if there is one.
   *
   * @param unstored whether the page has no stored base, so that every entry is marked
   * @param capacity of a page
   * @return its address; 0 if there is none, or the page may be empty; {@link #LARGE} if it has to
   *     be split
   */
  public long consolidated(long block, Horizon horizon, boolean unstored, int capacity) {
    return 0;
  }

  /**
   * The pieces that base and delta of a page are cut into if they are too large for one base.
   *
   * @param unstored whether the page has no stored base
   * @param capacity of a page
   * @return null if they are not
   */
  public LeafPieces pieces(long block, Horizon horizon, boolean unstored, int capacity) {
    boolean appending = appends(block);
    Entries all = mergedForNow(block, horizon.forNext(unstored));
    return pieces(all, horizon, unstored, capacity, appending);
  }

  /**
   * The pieces that the entries of a page are cut into if they are too large for one base.
   *
   * @param horizon by which the entries were pruned. The next images of the pieces are bases, so
   *     more may go
   * @param appending as in {@link #splitPoints}
   */
  public LeafPieces pieces(
      Entries all, Horizon horizon, boolean unstored, int capacity, boolean appending) {
    if (unstored) {
      all.markAllUnstored();
    }
    int[] cuts = splitPoints(all, capacity, appending);
    if (cuts.length == 2) {
      return null;
    }
    int count = all.count();
    Pruning.apply(all, horizon.forNewBase());
    all.markAllUnstored();
    if (all.count() < count) { // without some tombstones, and what has expired
      cuts = splitPoints(all, capacity, appending);
    }
    return new EntryPieces(this, all, cuts);
  }

  /**
   * The entries of a page, base and delta, after pruning: what a new base is written from. Versions
   * that nobody reads are left out, stamps at or below the floor are 0, and a settled tombstone is
   * left out unless it is marked, since then the stored base may hold what it hides. So is what has
   * expired.
   *
   * @param horizon also says whether the next image of the page is a base
   * @return new columns, changeable by the caller
   */
  public Entries merged(long block, Horizon horizon) {
    return merged(block, horizon, newEntries());
  }

  /**
   * As {@link #merged}, in columns that the calling thread fills anew at its next call for any
   * page.
   */
  public Entries mergedForNow(long block, Horizon horizon) {
    return merged(block, horizon, scratch().merged());
  }

  /**
   * Whether {@link #with} may be asked: it takes a delta if the page has one, or if an entry of the
   * batch is a removal, comes twice, or is not newer than the page.
   *
   * @param batch sorted entries of this page's range
   */
  public final boolean takes(long block, Entries batch, int from, int to) {
    LeafBlock top = view(block);
    if (top.isDelta()) {
      return false;
    }
    for (int i = from; i < to; i++) {
      if (batch.stamp(i) <= top.newest
          || Op.isTombstone(batch.op(i))
          || (i > from && batch.compareKeys(i - 1, batch, i) == 0)) {
        return false;
      }
    }
    return true;
  }

  /**
   * The pieces that a page becomes with many more entries, written without a delta in between: what
   * {@link #writeDelta} and then consolidating or splitting would lead to. One piece takes the
   * block's place and has the marks that go with the stored base; several are pieces as {@link
   * #pieces} gives them.
   *
   * @param batch entries that the page {@link #takes}
   * @param unstored whether the page has no stored base
   * @param capacity of a page
   * @return null where it takes a delta all the same
   */
  public LeafPieces with(
      long block,
      Entries batch,
      int from,
      int to,
      Horizon horizon,
      boolean unstored,
      int capacity) {
    boolean appending = isBehind(block, batch, from);
    Entries all = mergedWith(block, batch, from, to, horizon.forNext(unstored));
    LeafPieces pieces = pieces(all, horizon, unstored, capacity, appending);
    if (pieces == null) {
      return new EntryPieces(this, all, 0, all.count());
    }
    return pieces.count() == 1 ? null : pieces; // what is left out now made it too large
  }

  /**
   * The entries of a page, base and delta, with those of a batch: what {@link #merged} gives after
   * {@link #writeDelta}. In columns that this thread fills anew when it next writes to any page.
   *
   * @param batch sorted entries of this page's range, one of a key
   * @return null if the page has all of the batch already
   */
  public Entries mergedWith(long block, Entries batch, int from, int to, Horizon horizon) {
    Entries all = scratch().merged();
    merge(block).copyAll(all);
    Entries result = scratch().result();
    result.makeRoom(
        all.count() + to - from, all.valueBytes(0, all.count()) + batch.valueBytes(from, to));
    boolean changed = false;
    int next = 0;
    for (int i = from; i < to; i++) {
      int order = -1;
      int kept = next;
      while (next < all.count() && (order = all.compareKeys(next, batch, i)) < 0) {
        next++;
      }
      result.append(all, kept, next);
      boolean same = next < all.count() && order == 0;
      if (!same || all.stamp(next) < batch.stamp(i)) {
        result.append(batch, i);
        result.setOp(result.count() - 1, (batch.op(i) & Op.MEANING) | Op.UNSTORED);
        changed = true;
        for (int end = same ? all.groupEnd(next) : next; next < end; next++) {
          result.append(all, next);
          result.setOp(result.count() - 1, all.op(next) | Op.OLDER);
        }
      }
    }
    result.append(all, next, all.count());
    Pruning.apply(result, horizon);
    return changed ? result : null;
  }

  private Entries merged(long block, Horizon horizon, Entries entries) {
    merge(block).copyAll(entries);
    Pruning.apply(entries, horizon);
    return entries;
  }

  /**
   * Writes a base of some entries, with the marks they have. Entries of a page that has no stored
   * base are to be marked first, {@link Entries#markAllUnstored}.
   *
   * @param cut of the pruning that the entries came from; of two pages made one, the larger
   */
  public long writeBase(PageFrame frame, Entries entries, int from, int to, long cut) {
    LeafWriter writer = writer(frame, entries, from, to);
    long values = 0;
    if (writer.valuesLength() > 0) {
      values = memory.allocate(writer.valuesLength());
      writer.writeValues(memory.slab(values), BlockMemory.offset(values));
    }
    long base = allocateBeside(values, writer.length());
    ByteBuffer slab = memory.slab(base);
    int at = BlockMemory.offset(base);
    writer.write(slab, at, 0, writer.newest(), cut);
    slab.putLong(at + PageHeader.VALUES, values);
    return base;
  }

  /**
   * Writes the base that a page becomes when all it holds has been stored: merged, without marks,
   * without settled tombstones (R3). To be published only if {@code block} is still the page's
   * block, and if it has been stored as its base or its next image is one.
   */
  public long withoutMarks(long block, Horizon horizon) {
    long base = unmarked(block, horizon);
    return base != 0 ? base : rebuildWithoutMarks(block, horizon);
  }

  /**
   * {@link #withoutMarks} in a quicker way, if there is one for this page.
   *
   * @return 0 if there is none
   */
  long unmarked(long block, Horizon horizon) {
    return 0;
  }

  /** {@link #withoutMarks} in the general way. */
  final long rebuildWithoutMarks(long block, Horizon horizon) {
    Entries entries = scratch().merged();
    merge(block).copyAll(entries);
    entries.clearMarks(); // first: no entry hides any more what an older base holds
    Pruning.apply(entries, horizon);
    PageHeader header = new PageHeader(memory).wrap(block);
    return writeBase(
        header.frame(), entries, 0, entries.count(), Math.max(header.cut(), horizon.cut()));
  }

  /**
   * Names the owners of a page, each with the number of its entries in base and delta. Of a page
   * whose keys begin with no owner, none.
   */
  public void leafOwners(long block, LeafOwners each) {}

  /**
   * Entries of an owner in base and delta of a page. In a page whose keys begin with no owner, 0.
   */
  public int entriesOf(long block, long owner) {
    return 0;
  }

  /**
   * Names the owners of a page, each with the number of its entries in the base, in their order. Of
   * a page whose keys begin with no owner, none.
   */
  public void owners(long block, OwnerEntries each) {}

  /** The large values that the page refers to, by versions too that only older snapshots see. */
  public LargeValueLocations references(long block) {
    LeafBlock top = view(block);
    int ops = top.isDelta() ? top.opsUnion | view(top.base()).opsUnion : top.opsUnion;
    return Op.isLocation(ops)
        ? LargeValueLocations.of(merged(block, Horizon.KEEP_ALL))
        : LargeValueLocations.NONE;
  }

  // Sizes

  /**
   * Bytes that entries take in a page, without stamps and older versions: what is compared with the
   * capacity. Values are counted.
   */
  public int bytes(Entries entries, int from, int to) {
    return SplitPoints.bytes(entries, costs(entries, from, to), from, to);
  }

  /**
   * The cuts of entries by which no piece exceeds the capacity, nor twice the capacity with older
   * versions and stamps. No cut separates versions of a key.
   *
   * @param appending whether what made the page grow stands at its right end: then the left pieces
   *     are left nearly full, else the pieces are made equal
   * @return ascending indexes from 0 to the number of entries, both included: two numbers if there
   *     is nothing to cut
   */
  public int[] splitPoints(Entries entries, int capacity, boolean appending) {
    int[] costs = costs(entries, 0, entries.count());
    return SplitPoints.of(entries, costs, capacity).find(appending);
  }

  /**
   * The shortest bound above the key at {@code at - 1} and not above that at {@code at}: a fence
   * between two pieces.
   */
  public byte[] separator(Entries entries, int at) {
    return Bytes.separator(entries.key(at - 1), entries.key(at));
  }

  // Lifetime

  /**
   * Whether any block of a page, of its base, its delta or its values, is in a span that is being
   * vacated.
   */
  public boolean isLeaving(long block) {
    PageHeader header = new PageHeader(memory).wrap(block);
    long base = header.base();
    return isLeaving(block, header)
        || (base != 0 && isLeaving(base, new PageHeader(memory).wrap(base)));
  }

  private boolean isLeaving(long block, PageHeader header) {
    long values = header.valueBlock();
    return memory.isLeaving(block) || (values != 0 && memory.isLeaving(values));
  }

  /** As {@link #isLeaving(long)}, for a page whose values are not in memory. */
  public boolean isTopologyLeaving(long block) {
    long base = new PageHeader(memory).wrap(block).base();
    return memory.isLeaving(block) || (base != 0 && memory.isLeaving(base));
  }

  /**
   * Copies all blocks of a page, to be published in its place.
   *
   * @param block base, or delta over a base
   * @return address of the copy, which says the same
   */
  public long copy(long block) {
    return copy(block, true);
  }

  /**
   * As {@link #copy(long)}, for a page whose values are not in memory: the copy has no address of
   * them.
   */
  public long copyTopology(long block) {
    return copy(block, false);
  }

  private long copy(long block, boolean withValues) {
    LeafBlock top = view(block);
    if (!top.isDelta()) {
      return copyBlock(top, withValues);
    }
    long base = copyBlock(view(top.base()), withValues);
    try {
      long delta = copyBlock(top, withValues);
      memory.slab(delta).putLong(BlockMemory.offset(delta) + PageHeader.BASE, base);
      return delta;
    } catch (RuntimeException | Error e) {
      free(base);
      throw e;
    }
  }

  /**
   * Copies the delta of a page, to stand over another base that holds what its own base does.
   *
   * @return the address of the copy
   */
  public long copyDelta(long delta, long base) {
    LeafBlock top = view(delta);
    long copy = copyBlock(top, false);
    ByteBuffer slab = memory.slab(copy);
    int at = BlockMemory.offset(copy);
    slab.putLong(at + PageHeader.BASE, base);
    slab.putLong(at + PageHeader.NEWEST_STAMP, Math.max(top.newest, view(base).newest));
    return copy;
  }

  /**
   * Sees to it that a block which nobody has seen has no lower cut than another block, whose
   * entries it takes over.
   */
  public void raiseCut(long block, long other) {
    long cut = Math.max(view(block).cut(), view(other).cut());
    memory.slab(block).putLong(BlockMemory.offset(block) + PageHeader.CUT, cut);
  }

  /** Copies one block, and that of its values if it is in memory. */
  private long copyBlock(LeafBlock block, boolean withValues) {
    long values = withValues ? copyValues(block) : 0;
    long copy = allocateBeside(values, block.length());
    ByteBuffer slab = memory.slab(copy);
    int at = BlockMemory.offset(copy);
    slab.put(at, block.slab, block.at, block.length());
    if (block.ownsValueBlock()) {
      slab.putLong(at + PageHeader.VALUES, values);
    }
    return copy;
  }

  private long copyValues(LeafBlock block) {
    if (!block.ownsValueBlock()) {
      return 0;
    }
    ValueBlock old = block.values(memory);
    long values = memory.allocate(old.length());
    old.writeTo(memory.slab(values), BlockMemory.offset(values));
    return values;
  }

  /**
   * Frees one block with its values at once, a delta without its base. Nobody may have seen it or
   * may still read it.
   */
  public void free(long block) {
    LeafBlock top = view(block);
    if (top.ownsValueBlock() && top.valuesAddress() != 0) {
      memory.free(top.valuesAddress());
    }
    memory.free(block);
  }

  /**
   * Frees one block with its values, a delta without its base, when the readers of now are gone.
   */
  public void retire(long block, Epochs epochs) {
    long values = new PageHeader(memory).wrap(block).valueBlock();
    if (values != 0) {
      epochs.retire(values, memory);
    }
    epochs.retire(block, memory);
  }

  // Images

  /**
   * The image of the whole page as a base: base and delta merged, no marks, no settled tombstones.
   * On the heap, ready to be appended to an extent.
   */
  public ByteBuffer[] baseImage(long block, Compressor compressor) {
    Entries entries = mergedForNow(block, Horizon.KEEP_ALL);
    entries.clearMarks();
    return image(block, entries, 0, compressor);
  }

  /**
   * The image of the page's delta against its stored base: exactly the marked entries of base and
   * delta.
   */
  public ByteBuffer[] deltaImage(long block, Compressor compressor) {
    LeafBlock top = view(block);
    Entries entries = scratch().merged();
    if (top.isDelta() && view(top.base()).markedCount() == 0) { // its values may not be in memory
      top.copyRaw(0, top.count, top.values(memory), entries);
    } else {
      merge(block).copyMarked(entries);
    }
    entries.keepUnstored();
    return image(block, entries, PageHeader.FLAG_DELTA, compressor);
  }

  /** Entries that {@link #deltaImage} would hold. */
  public int markedCount(long block) {
    LeafBlock top = view(block);
    int count = top.markedCount();
    return top.isDelta() ? count + view(top.base()).markedCount() : count;
  }

  /** Whether a page has removals, by whichever version of a key. */
  public boolean hasRemovals(long block) {
    LeafBlock top = view(block);
    return Op.isTombstone(top.isDelta() ? top.opsUnion | view(top.base()).opsUnion : top.opsUnion);
  }

  /**
   * About the bytes that {@link #deltaImage} would have before it is compressed; to be compared
   * with {@link #imageBytes}.
   */
  public int markedBytes(long block) {
    LeafBlock top = view(block);
    int bytes = PageImage.PARTS + PageHeader.FENCES + markedBytes(top);
    return top.isDelta() ? bytes + markedBytes(view(top.base())) : bytes;
  }

  /** About the bytes that {@link #baseImage} would have before it is compressed. */
  public int imageBytes(long block) {
    LeafBlock top = view(block);
    int bytes = PageImage.PARTS + imageBytes(top);
    return top.isDelta() ? bytes + imageBytes(view(top.base())) : bytes;
  }

  /**
   * Loads a page into memory. Base and delta become a base at once where the delta has many
   * entries, or where one of the two refers to a large value that no newest version refers to: that
   * may be gone.
   *
   * @param base its base image, from its position on to its limit; no longer needed afterwards
   * @param delta its delta image, likewise; null if there is none
   * @param most entries that a delta may keep
   * @param settled which versions are left out where the two become one: nobody may read them
   * @param source where the images come from, for messages
   * @return address of its newest block, in which exactly the delta's entries are marked
   * @throws CorruptionException if the images are not what {@link #baseImage} and {@link
   *     #deltaImage} wrote for one page
   */
  public long load(ByteBuffer base, ByteBuffer delta, int most, Horizon settled, String source) {
    return LeafLoader.page(this, base, delta, most, settled, source);
  }

  /**
   * Loads a page into memory without the values of its base, which are not decoded and not checked.
   *
   * @param base may end behind its topology
   * @return as {@link #load}; 0 if the page has to be loaded as a whole, because base and delta
   *     become one, or because it refers to large values
   */
  public long loadTopology(ByteBuffer base, ByteBuffer delta, int most, String source) {
    return LeafLoader.topology(this, base, delta, most, source);
  }

  abstract int kind();

  /** Columns of the calling thread for what does not outlive a call. */
  abstract ScratchEntries scratch();

  abstract LeafWriter writer(PageFrame frame, Entries entries, int from, int to);

  /** Bytes that the key of each entry takes in a page of these entries, if no version is older. */
  abstract int[] keyCosts(Entries entries, int from, int to);

  /** Takes memory for a block whose values have theirs; gives that back if there is none. */
  final long allocateBeside(long values, int length) {
    try {
      return memory.allocate(length);
    } catch (RuntimeException | Error e) {
      if (values != 0) {
        memory.free(values);
      }
      throw e;
    }
  }

  private LeafMerge merge(long block) {
    LeafBlock top = view(block);
    return top.isDelta()
        ? new LeafMerge(view(top.base()), top, memory)
        : new LeafMerge(top, null, memory);
  }

  private int[] costs(Entries entries, int from, int to) {
    int[] costs = keyCosts(entries, from, to);
    if (entries.hasValues()) {
      for (int i = from; i < to; i++) {
        costs[i - from] = Math.addExact(costs[i - from], Short.BYTES + entries.valueLength(i));
      }
    }
    return costs;
  }

  private int markedBytes(LeafBlock block) {
    int marked = block.markedCount();
    if (marked == 0) {
      return 0;
    }
    return (int) ((long) imageBytes(block) * marked / block.count);
  }

  private int imageBytes(LeafBlock block) {
    ValueBlock values = block.values(memory);
    return values == null ? block.length() : block.columnsLength() + values.length();
  }

  private ByteBuffer[] image(long block, Entries entries, int flags, Compressor compressor) {
    PageHeader header = new PageHeader(memory).wrap(block);
    LeafWriter writer = writer(header.frame(), entries, 0, entries.count());
    ByteBuffer topology = PageImage.part(writer.length());
    writer.write(topology, 0, flags, writer.newest(), header.cut());
    ByteBuffer properties = null;
    if (writer.valuesLength() > 0) {
      properties = PageImage.part(writer.valuesLength());
      writer.writeValues(properties, 0);
    }
    ByteBuffer[] delta =
        (flags & PageHeader.FLAG_DELTA) == 0
            ? null
            : DeltaImage.write(topology, writer.layout(), properties, compressor);
    return delta != null
        ? delta
        : PageImage.write(
            kind(), topology, writer.layout(), properties, writer.valuesLayout(), compressor);
  }
}
