package io.bg3.core.page;

import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.Epochs;
import java.nio.ByteBuffer;

/**
 * What can be done with a leaf, read and write: the two kinds of leaf differ in their keys alone.
 *
 * <p>A leaf is named by the address of its newest block, which is a base, or a delta whose header
 * points at its base. Blocks are written aside and never changed, so every method that writes
 * returns a new address, and the caller publishes it and retires the old one ({@link #retire}).
 *
 * <p>Keys are given as bytes. A bound of a range may be shorter or longer than a key of the leaf;
 * null is open.
 *
 * <p>Threads: the object has no state but its memory. Methods that take an address are called
 * inside the epoch in which it was read, or by who holds the page's latch. Addresses of freed
 * blocks give wrong answers or a RuntimeException, and end.
 */
public abstract class LeafFormat {
  /** What {@link #consolidated} returns in place of an address for a page that has to be split. */
  public static final long LARGE = -1;

  final BlockMemory memory;

  LeafFormat(BlockMemory memory) {
    this.memory = memory;
  }

  /** Leaves of edges, {@link EdgeEntries}, whose keys are {@link EdgeKey}s. */
  public static LeafFormat edges(BlockMemory memory) {
    return new EdgeLeafFormat(memory);
  }

  /** Leaves of byte keys, {@link ByteEntries}. */
  public static LeafFormat bytes(BlockMemory memory) {
    return new ByteLeafFormat(memory);
  }

  /** Empty columns of this format's kind. */
  public abstract Entries newEntries();

  // Reading

  /**
   * The newest version of a key at or below a snapshot, a tombstone too.
   *
   * @param snapshot {@link Long#MAX_VALUE} for what was applied last
   * @return false if there is none; of {@code out} then only the cut has changed
   */
  public boolean get(long block, byte[] key, long snapshot, Version out) {
    LeafBlock top = placed(topView(out), block);
    out.cut = top.cut();
    if (!top.isDelta()) {
      return get(block, top, key, snapshot, out);
    }
    return (top.mayHold(key) && get(block, top, key, snapshot, out))
        || get(top.base(), placed(baseView(out), top.base()), key, snapshot, out);
  }

  /**
   * Adds the entries that a snapshot sees of keys at or above {@code low} and below {@code high},
   * ascending. Their ops say {@link Op#PUT} or {@link Op#LOCATION} and nothing else; a location's
   * value is its 8 bytes. Only the bulk of columns is copied where no version stands in question.
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

  private void copy(
      LeafBlock top,
      LeafBlock base,
      byte[] low,
      byte[] high,
      long snapshot,
      boolean withValues,
      Entries into) {
    LeafBlock delta = top.isDelta() && top.mayHold(low, high) ? top : null;
    new LeafMerge(base, delta, memory).copyVisible(low, high, snapshot, withValues, into);
  }

  /**
   * Copies the first entries of a range, about {@code most} of them, as {@link #copy} does.
   *
   * @param views for its views; told the page's cut
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
      Version views) {
    LeafBlock top = placed(topView(views), block);
    LeafBlock base = top.isDelta() ? placed(baseView(views), top.base()) : top;
    views.cut = top.cut();
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
   *
   * @param views for its views only
   */
  public long newest(long block, Entries entries, int i, Version views) {
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
    Scratch scratch = scratch();
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
   * What base and delta of a page are cut into if they are too large for one base.
   *
   * @param unstored whether the page has no stored base
   * @param capacity of a page
   * @return null if they are not
   */
  public LeafPieces pieces(long block, Horizon horizon, boolean unstored, int capacity) {
    boolean appending = appends(block);
    return pieces(mergedForNow(block, horizon), unstored, capacity, appending);
  }

  /**
   * The same of the entries of a page; who adds to {@code all} does so before.
   *
   * @param appending as in {@link #splitPoints}
   */
  public LeafPieces pieces(Entries all, boolean unstored, int capacity, boolean appending) {
    if (unstored) {
      all.markAllUnstored();
    }
    int[] cuts = splitPoints(all, capacity, appending);
    if (cuts.length == 2) {
      return null;
    }
    int count = all.count();
    all.markAllUnstored();
    if (all.count() < count) { // without some tombstones
      cuts = splitPoints(all, capacity, appending);
    }
    return new EntryPieces(this, all, cuts);
  }

  /**
   * The entries of a page, base and delta, after pruning: what a new base is written from. Versions
   * that nobody reads are left out, stamps at or below the floor are 0, and a settled tombstone is
   * left out unless it is marked, since then the stored base may hold what it hides.
   *
   * @return new columns, changeable by the caller
   */
  public Entries merged(long block, Horizon horizon) {
    return merged(block, horizon, newEntries());
  }

  /** The same in columns that this thread fills anew when it next asks for any page's. */
  public Entries mergedForNow(long block, Horizon horizon) {
    return merged(block, horizon, scratch().merged());
  }

  /**
   * What a page becomes with many more entries, written without a delta in between: what {@link
   * #writeDelta} and then consolidating or splitting would lead to. One piece takes the block's
   * place and has the marks that go with the stored base; several are pieces as {@link #pieces}
   * gives them.
   *
   * @param batch sorted entries of this page's range
   * @param unstored whether the page has no stored base
   * @param capacity of a page
   * @return null where it takes a delta: the page has one, or an entry of the batch is a removal,
   *     comes twice, or is not newer than the page
   */
  public final LeafPieces with(
      long block,
      Entries batch,
      int from,
      int to,
      Horizon horizon,
      boolean unstored,
      int capacity) {
    LeafBlock top = view(block);
    if (top.isDelta()) {
      return null;
    }
    for (int i = from; i < to; i++) {
      if (batch.stamp(i) <= top.newest
          || Op.isTombstone(batch.op(i))
          || (i > from && batch.compareKeys(i - 1, batch, i) == 0)) {
        return null;
      }
    }
    return piecesWith(block, batch, from, to, horizon, unstored, capacity);
  }

  /** {@link #with} where there is no reason against it; null if there is one all the same. */
  LeafPieces piecesWith(
      long block,
      Entries batch,
      int from,
      int to,
      Horizon horizon,
      boolean unstored,
      int capacity) {
    boolean appending = isBehind(block, batch, from);
    Entries all = mergedWith(block, batch, from, to, horizon);
    LeafPieces pieces = pieces(all, unstored, capacity, appending);
    if (pieces == null) {
      return new EntryPieces(this, all, 0, all.count());
    }
    return pieces.count() == 1 ? null : pieces; // tombstones made it too large
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
   * Writes the base that a page becomes when all it holds has been stored as its base: merged,
   * without marks, without settled tombstones (the package's rule 3). To be published only if
   * {@code block} is still the page's block.
   */
  public long withoutMarks(long block, Horizon horizon) {
    Entries entries = mergedForNow(block, horizon);
    entries.clearMarks();
    PageHeader header = new PageHeader(memory).wrap(block);
    return writeBase(
        header.frame(), entries, 0, entries.count(), Math.max(header.cut(), horizon.cut()));
  }

  /** The large values that the page refers to, by versions too that only older snapshots see. */
  public References references(long block) {
    LeafBlock top = view(block);
    int ops = top.isDelta() ? top.opsUnion | view(top.base()).opsUnion : top.opsUnion;
    return Op.isLocation(ops) ? References.of(merged(block, Horizon.KEEP_ALL)) : References.NONE;
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
   * Where to cut entries so that no piece exceeds the capacity, nor twice the capacity with older
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

  /**
   * The shortest bound above the key at {@code at - 1} and not above that at {@code at}: a fence
   * between two pieces.
   */
  public byte[] separator(Entries entries, int at) {
    return Bytes.separator(entries.key(at - 1), entries.key(at));
  }

  // Lifetime

  /** Address of the base: of the block under a delta, or the block itself. */
  public long base(long block) {
    LeafBlock top = view(block);
    return top.isDelta() ? top.base() : block;
  }

  /**
   * Frees one block with its values at once, a delta without its base. Nobody may have seen it or
   * may still read it.
   */
  public void free(long block) {
    LeafBlock top = view(block);
    if (top.ownsValueBlock()) {
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
  public ByteBuffer[] baseImage(long block) {
    Entries entries = merged(block, Horizon.KEEP_ALL);
    entries.clearMarks();
    return image(block, entries, 0);
  }

  /**
   * The image of the page's delta against its stored base: exactly the marked entries of base and
   * delta.
   */
  public ByteBuffer[] deltaImage(long block) {
    Entries entries = merged(block, Horizon.KEEP_ALL);
    entries.keepUnstored();
    return image(block, entries, PageHeader.FLAG_DELTA);
  }

  /** Entries that {@link #deltaImage} would hold. */
  public int markedCount(long block) {
    LeafBlock top = view(block);
    int count = top.markedCount();
    return top.isDelta() ? count + view(top.base()).markedCount() : count;
  }

  /**
   * About the bytes that {@link #deltaImage} would have; to be compared with {@link #imageBytes}.
   */
  public int markedBytes(long block) {
    LeafBlock top = view(block);
    int bytes = PageImage.PARTS + PageHeader.FENCES + markedBytes(top);
    return top.isDelta() ? bytes + markedBytes(view(top.base())) : bytes;
  }

  /** About the bytes that {@link #baseImage} would have. */
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

  // Watching

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

  abstract int kind();

  /** Columns of the calling thread for what does not outlive a call. */
  abstract Scratch scratch();

  /** A view that has not been placed. */
  abstract LeafBlock newView();

  /** The view for newest blocks that is kept with a version. */
  abstract LeafBlock topView(Version out);

  /** The view for bases that is kept with a version. */
  abstract LeafBlock baseView(Version out);

  final LeafBlock view(ByteBuffer slab, int at) {
    LeafBlock view = newView();
    view.place(slab, at);
    return view;
  }

  private LeafBlock placed(LeafBlock view, long block) {
    view.place(memory.slab(block), BlockMemory.offset(block));
    return view;
  }

  abstract LeafWriter writer(PageFrame frame, Entries entries, int from, int to);

  /** Bytes that the key of each entry takes in a page of these entries, if no version is older. */
  abstract int[] keyCosts(Entries entries, int from, int to);

  abstract String describeKey(byte[] key);

  final LeafBlock view(long block) {
    return view(memory.slab(block), BlockMemory.offset(block));
  }

  /** Takes memory for a block whose values have theirs; gives that back if there is none. */
  final long allocateBeside(long values, int length) {
    try {
      return memory.allocate(length);
    } catch (RuntimeException e) {
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

  private boolean get(long address, LeafBlock block, byte[] key, long snapshot, Version out) {
    block.fetchValues(memory);
    block.expect(out.expected());
    int at = block.at(key);
    if (at < 0) {
      return false;
    }
    boolean seesAll = block.newest <= snapshot; // then no stamp has to be read
    int seen = seesAll ? at : block.visible(at, block.groupEnd(at), snapshot);
    if (seen < 0) {
      return false;
    }
    ValueBlock values = block.values(memory);
    out.foundIn(block, address, memory);
    out.op = (byte) (block.op(seen) & Op.MEANING);
    out.value = values == null ? Entries.NO_VALUE : values.value(seen);
    return true;
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

  private int memoryBytes(long address, LeafBlock block) {
    int bytes = memory.capacity(address);
    return block.ownsValueBlock() ? bytes + memory.capacity(block.valuesAddress()) : bytes;
  }

  private ByteBuffer[] image(long block, Entries entries, int flags) {
    PageHeader header = new PageHeader(memory).wrap(block);
    LeafWriter writer = writer(header.frame(), entries, 0, entries.count());
    ByteBuffer topology = PageImage.part(writer.length());
    writer.write(topology, 0, flags, writer.newest(), header.cut());
    ByteBuffer properties = null;
    if (writer.valuesLength() > 0) {
      properties = PageImage.part(writer.valuesLength());
      writer.writeValues(properties, 0);
    }
    return PageImage.write(kind(), topology, properties);
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
        text.append(" value=").append(PageFrame.text(values.value(i)));
      }
      text.append('\n');
    }
  }
}
