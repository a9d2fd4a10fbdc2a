package io.bg3.core.page;

import io.bg3.core.block.PageFrame;
import io.bg3.core.block.ValueBlock;
import io.bg3.core.entry.Bytes;
import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.Op;
import io.bg3.core.entry.Pruning;
import io.bg3.storage.memory.BlockMemory;

/**
 * Rewrites a page of an edge leaf after a commit, its delta or its base, by an {@link EdgeSplice}.
 * The result is the one that {@link DeltaBuilder}, or {@link LeafMerge} with {@link Pruning}, would
 * have led to; cases that it does not handle are left to them. Belongs to one thread.
 */
final class EdgeRewrite {
  private final EdgeSplice splice = new EdgeSplice();
  private final EdgeInsert insert = new EdgeInsert();
  private final EdgeLeaf top = new EdgeLeaf();
  private final EdgeLeaf base = new EdgeLeaf();

  /** Whether a block that it was used for last, or its values, is too large for a shared slab. */
  boolean isOfLargeBlock() {
    return top.isLarge() || base.isLarge();
  }

  /**
   * The delta that follows from adding entries to a page.
   *
   * @return its address; 0 if a key comes twice, or if a stamp is not above those of the page
   */
  long delta(BlockMemory memory, long block, EdgeEntries batch, int from, int to) {
    top.place(memory.slab(block), BlockMemory.offset(block));
    for (int i = from; i < to; i++) {
      if (batch.stamp(i) <= top.newest || (i > from && batch.compareKeys(i - 1, batch, i) == 0)) {
        return 0;
      }
    }
    boolean first = !top.isDelta();
    if (!first) {
      long delta = insert.delta(memory, top, batch, from, to);
      if (delta != 0) {
        return delta;
      }
    }
    ValueBlock values = first ? null : top.values(memory);
    if (first) {
      splice.beginEmpty(top);
    } else {
      splice.begin(top, values);
    }
    EdgeEntries added = splice.added();
    for (int i = from; i < to; i++) {
      int at = first ? 0 : top.find(batch, i);
      int end = !first && at < top.count && top.hasKey(at, batch, i) ? top.groupEnd(at) : at;
      added.append(batch, i);
      added.setOp(added.count() - 1, (batch.op(i) & Op.MEANING) | Op.UNSTORED);
      if (end > at) {
        top.copyRaw(at, end, values, added);
      }
      splice.edit(at, end);
    }
    splice.layOut(0, Marks.KEPT);
    long newest = Math.max(top.newest, splice.newest());
    return splice.writeDelta(memory, newest, first ? block : top.base());
  }

  /**
   * The base that a page with a delta becomes.
   *
   * @param unstored whether the page has no stored base, so that every entry is marked
   * @param capacity of a page
   * @return its address, 0 if the page has no delta or holds nothing then, {@link LeafFormat#LARGE}
   *     if it has to be split
   */
  long base(
      BlockMemory memory,
      LeafFormat format,
      long block,
      Horizon horizon,
      boolean unstored,
      int capacity) {
    top.place(memory.slab(block), BlockMemory.offset(block));
    if (!top.isDelta()) {
      return 0;
    }
    layOut(memory, block, horizon, Marks.of(unstored));
    if (splice.count() == 0) {
      return 0;
    }
    if (!splice.fits(capacity) && splice.splitPoints(capacity, false).length > 2) {
      return LeafFormat.LARGE;
    }
    return splice.writeBase(memory, format, Math.max(top.cut(), horizon.cut()));
  }

  /**
   * The base without marks that a page becomes when what is stored holds all of it.
   *
   * @return its address; 0 if the page holds nothing then
   */
  long unmarked(BlockMemory memory, LeafFormat format, long block, Horizon horizon) {
    top.place(memory.slab(block), BlockMemory.offset(block));
    if (top.isDelta()) {
      layOut(memory, block, horizon, Marks.NONE);
    } else {
      base.place(memory.slab(block), BlockMemory.offset(block));
      layOutWith(memory, null, 0, 0, horizon, Marks.NONE);
    }
    return splice.count() == 0
        ? 0
        : splice.writeBase(memory, format, Math.max(top.cut(), horizon.cut()));
  }

  /**
   * The pieces of a page with a delta that has to be split.
   *
   * @param unstored whether the page has no stored base
   * @param appending see {@link LeafFormat#splitPoints}
   * @return null if it need not be split
   */
  LeafPieces pieces(
      BlockMemory memory,
      LeafFormat format,
      long block,
      Horizon horizon,
      boolean unstored,
      int capacity,
      boolean appending) {
    layOut(memory, block, horizon, Marks.ALL);
    int[] cuts = splice.splitPoints(capacity, appending);
    if (cuts.length == 2 && !unstored) { // is it the tombstones that would make it too large?
      layOut(memory, block, horizon, Marks.KEPT);
      boolean large = splice.splitPoints(capacity, appending).length > 2;
      layOut(memory, block, horizon, Marks.ALL);
      return large ? new Pieces(memory, format, horizon, Marks.ALL, cuts) : null;
    }
    return cuts.length == 2 ? null : new Pieces(memory, format, horizon, Marks.ALL, cuts);
  }

  /**
   * The pieces that a page without a delta becomes, see {@link LeafFormat#with}.
   *
   * @param unstored whether the page has no stored base
   */
  LeafPieces with(
      BlockMemory memory,
      LeafFormat format,
      long block,
      EdgeEntries batch,
      int from,
      int to,
      Horizon horizon,
      boolean unstored,
      int capacity) {
    base.place(memory.slab(block), BlockMemory.offset(block));
    boolean appending = base.find(batch, from) == base.count;
    layOutWith(memory, batch, from, to, horizon, Marks.of(unstored));
    int[] cuts = splice.splitPoints(capacity, appending);
    if (cuts.length > 2 && !unstored) { // nothing is stored of pages that are new
      layOutWith(memory, batch, from, to, horizon, Marks.ALL);
      cuts = splice.splitPoints(capacity, appending);
      if (cuts.length == 2) {
        return null; // tombstones made it too large
      }
    }
    Marks marks = Marks.of(unstored || cuts.length > 2);
    return new Pieces(memory, format, horizon, marks, cuts);
  }

  private void layOutWith(
      BlockMemory memory, EdgeEntries batch, int from, int to, Horizon horizon, Marks marks) {
    splice.begin(base, base.values(memory));
    mergeWith(memory, batch, from, to, horizon, marks);
    splice.layOut(horizon.floor(), marks);
  }

  /** Lays out the base that a page with a delta becomes. */
  private void layOut(BlockMemory memory, long block, Horizon horizon, Marks marks) {
    top.place(memory.slab(block), BlockMemory.offset(block));
    base.place(memory.slab(top.base()), BlockMemory.offset(top.base()));
    splice.begin(base, base.values(memory));
    merge(memory, horizon, marks);
    splice.layOut(horizon.floor(), marks);
  }

  /** Writes the entries that were laid out, piece by piece. */
  private final class Pieces implements LeafPieces {
    private final BlockMemory memory;
    private final LeafFormat format;
    private final Horizon horizon;
    private final Marks marks;
    private final int[] cuts;
    private final byte[][] lows;

    Pieces(BlockMemory memory, LeafFormat format, Horizon horizon, Marks marks, int... cuts) {
      this.memory = memory;
      this.format = format;
      this.horizon = horizon;
      this.marks = marks;
      this.cuts = cuts;
      this.lows = new byte[cuts.length - 1][];
      for (int i = 1; i < lows.length; i++) {
        lows[i] = Bytes.separator(splice.key(cuts[i] - 1), splice.key(cuts[i]));
      }
    }

    @Override
    public int count() {
      return lows.length;
    }

    @Override
    public byte[] low(int piece) {
      return lows[piece];
    }

    @Override
    public long write(int piece, PageFrame frame, long cut) {
      splice.frame(frame);
      splice.layOut(horizon.floor(), marks, cuts[piece], cuts[piece + 1]);
      return splice.writeBase(memory, format, cut);
    }
  }

  /** An edit for every key that is in the delta, or has more in the base than one plain version. */
  private void merge(BlockMemory memory, Horizon horizon, Marks marks) {
    ValueBlock topValues = top.values(memory);
    ValueBlock baseValues = base.values(memory);
    EdgeEntries added = splice.added();
    int b = 0;
    int special = base.nextSpecial(0);
    for (int d = 0; d < top.count || special < base.count; ) {
      int same = d < top.count ? base.find(top, d, b) : base.count;
      int first = added.count();
      int cut;
      if (special < same) {
        cut = special;
        b = base.groupEnd(cut);
        base.copyRaw(cut, b, baseValues, added);
      } else {
        cut = same;
        int next = top.groupEnd(d);
        top.copyRaw(d, next, topValues, added);
        b = cut;
        if (cut < base.count && base.hasKey(cut, top, d)) {
          b = base.groupEnd(cut);
          LeafMerge.copyOlder(base, cut, b, top.stamp(next - 1), baseValues, added);
        }
        d = next;
      }
      prune(added, first, horizon, marks);
      splice.edit(cut, b);
      special = special < b ? base.nextSpecial(b) : special;
    }
  }

  /**
   * Merges a batch into a page without a delta. Each entry is a put, to a key of its own, that is
   * newer than all entries of the page.
   */
  private void mergeWith(
      BlockMemory memory, EdgeEntries batch, int from, int to, Horizon horizon, Marks marks) {
    ValueBlock values = base.values(memory);
    EdgeEntries added = splice.added();
    int special = base.nextSpecial(0);
    for (int i = from; i < to || special < base.count; ) {
      int cut = i < to ? base.find(batch, i) : base.count;
      int first = added.count();
      int b = cut;
      if (special < cut) {
        cut = special;
        b = base.groupEnd(cut);
        base.copyRaw(cut, b, values, added);
        prune(added, first, horizon, marks);
      } else if (cut < base.count && base.hasKey(cut, batch, i)) {
        b = base.groupEnd(cut);
        addNew(batch, i, i + 1, horizon);
        LeafMerge.copyOlder(base, cut, b, batch.stamp(i), values, added);
        prune(added, first, horizon, marks);
        i++;
      } else { // and all that stand before the same entry
        int end = cut == base.count ? to : batch.find(base.key(cut), i, to);
        addNew(batch, i, end, horizon);
        i = end;
      }
      splice.edit(cut, b);
      special = special < b ? base.nextSpecial(b) : special;
    }
  }

  private void addNew(EdgeEntries batch, int from, int to, Horizon horizon) {
    EdgeEntries added = splice.added();
    int first = added.count();
    added.append(batch, from, to);
    for (int i = first; i < added.count(); i++) {
      added.setOp(i, (added.op(i) & Op.MEANING) | Op.UNSTORED);
      if (added.stamp(i) <= horizon.floor() && !added.keepsStamp(i)) {
        added.setStamp(i, 0);
      }
    }
  }

  /** Prunes the versions of the key that was added last. */
  private static void prune(EdgeEntries added, int first, Horizon horizon, Marks marks) {
    Horizon next = horizon;
    if (marks == Marks.NONE) { // first: no version hides any more what an older base holds
      for (int i = first; i < added.count(); i++) {
        added.setOp(i, marks.of(added.op(i)));
      }
    } else {
      next = horizon.forNext(marks == Marks.ALL);
    }
    int kept = Pruning.pruneKey(added, first, added.count(), first, next);
    added.truncate(kept);
    if (marks == Marks.ALL && kept > first && isSettledTombstone(added, kept - 1)) {
      added.truncate(kept - 1); // nothing is stored that it could hide
    }
  }

  private static boolean isSettledTombstone(Entries entries, int i) {
    return Op.isTombstone(entries.op(i)) && entries.stamp(i) == 0;
  }
}
