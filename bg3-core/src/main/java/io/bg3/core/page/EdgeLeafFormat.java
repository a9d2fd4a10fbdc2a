package io.bg3.core.page;

import io.bg3.core.block.PageFrame;
import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.ScratchEntries;
import io.bg3.storage.memory.BlockMemory;

/** Leaves of edges. */
final class EdgeLeafFormat extends LeafFormat {
  private static final ThreadLocal<ScratchEntries> SCRATCH =
      ScratchEntries.ofThread(EdgeEntries::new);

  private static final ThreadLocal<EdgeRewrite> REWRITE = ThreadLocal.withInitial(EdgeRewrite::new);

  /** Where more comes to a leaf, copying what lies between is no gain. */
  private static final int MANY = 1 << 12;

  EdgeLeafFormat(BlockMemory memory) {
    super(memory);
  }

  @Override
  public long consolidated(long block, Horizon horizon, boolean unstored, int capacity) {
    if (holdsExpired(block, horizon.forNext(unstored))) {
      return 0;
    }
    EdgeRewrite rewrite = REWRITE.get();
    long base = rewrite.base(memory, this, block, horizon, unstored, capacity);
    keepUnlessLarge(rewrite, 0);
    return base;
  }

  @Override
  long unmarked(long block, Horizon horizon) {
    if (holdsExpired(block, horizon.forNewBase())) {
      return 0;
    }
    EdgeRewrite rewrite = REWRITE.get();
    long base = rewrite.unmarked(memory, this, block, horizon);
    keepUnlessLarge(rewrite, 0);
    return base;
  }

  @Override
  public void owners(long block, OwnerEntries each) {
    EdgeLeaf leaf = (EdgeLeaf) view(base(block));
    int end;
    for (int run = 0; run < leaf.runs; run = end) {
      end = endOfOwner(leaf, run);
      each.accept(leaf.owner(run), leaf.start(end) - leaf.start(run));
    }
  }

  /** The first run behind those of the owner of a run. */
  private static int endOfOwner(EdgeLeaf leaf, int run) {
    int end = run + 1;
    while (end < leaf.runs && leaf.owner(end) == leaf.owner(run)) {
      end++;
    }
    return end;
  }

  @Override
  public void leafOwners(long block, LeafOwners each) {
    PageHeader header = new PageHeader(memory).wrap(block);
    EdgeLeaf base = (EdgeLeaf) view(base(block));
    EdgeLeaf delta = base(block) == block ? null : (EdgeLeaf) view(block);
    int run = 0; // in the base
    int added = 0; // run in the delta
    int addedRuns = delta == null ? 0 : delta.runs;
    boolean begins = true;
    while (run < base.runs || added < addedRuns) {
      boolean inBase = run < base.runs;
      boolean inDelta = added < addedRuns;
      long owner = inBase ? base.owner(run) : delta.owner(added);
      if (inBase && inDelta) {
        owner = Math.min(owner, delta.owner(added));
      }
      int entries = 0;
      if (inBase && base.owner(run) == owner) {
        int end = endOfOwner(base, run);
        entries += base.start(end) - base.start(run);
        run = end;
      }
      if (inDelta && delta.owner(added) == owner) {
        int end = endOfOwner(delta, added);
        entries += delta.start(end) - delta.start(added);
        added = end;
      }
      boolean ends = run == base.runs && added == addedRuns;
      each.accept(
          owner, entries, begins && header.isAmidLow(owner), ends && header.isAmidHigh(owner));
      begins = false;
    }
  }

  @Override
  public int entriesOf(long block, long owner) {
    long base = base(block);
    int entries = entriesOf((EdgeLeaf) view(base), owner);
    return base == block ? entries : entries + entriesOf((EdgeLeaf) view(block), owner);
  }

  private static int entriesOf(EdgeLeaf leaf, long owner) {
    int first = OwnerSearch.firstRun(leaf, owner, 0);
    return first < leaf.runs && leaf.owner(first) == owner
        ? leaf.start(endOfOwner(leaf, first)) - leaf.start(first)
        : 0;
  }

  @Override
  public LeafPieces pieces(long block, Horizon horizon, boolean unstored, int capacity) {
    if (base(block) == block
        || view(block).count > MANY
        || holdsExpired(block, horizon.forNewBase())) {
      return super.pieces(block, horizon, unstored, capacity);
    }
    EdgeRewrite rewrite = REWRITE.get();
    boolean appending = appends(block);
    LeafPieces pieces = rewrite.pieces(memory, this, block, horizon, unstored, capacity, appending);
    keepUnlessLarge(rewrite, 0);
    return pieces;
  }

  @Override
  public LeafPieces with(
      long block,
      Entries batch,
      int from,
      int to,
      Horizon horizon,
      boolean unstored,
      int capacity) {
    if (holdsExpired(block, horizon.forNewBase())) {
      return super.with(block, batch, from, to, horizon, unstored, capacity);
    }
    EdgeRewrite rewrite = REWRITE.get();
    LeafPieces pieces =
        rewrite.with(
            memory, this, block, (EdgeEntries) batch, from, to, horizon, unstored, capacity);
    keepUnlessLarge(rewrite, to - from);
    return pieces;
  }

  @Override
  long addToDelta(long delta, Entries batch, int from, int to) {
    EdgeRewrite rewrite = REWRITE.get();
    long added = rewrite.delta(memory, delta, (EdgeEntries) batch, from, to);
    keepUnlessLarge(rewrite, to - from);
    return added;
  }

  /**
   * Whether the base of a page holds entries that go because they have expired for all snapshots:
   * copying what lies between the changed keys would keep them.
   */
  private boolean holdsExpired(long block, Horizon horizon) {
    if (horizon.expiry().isNever()) {
      return false;
    }
    EdgeLeaf base = (EdgeLeaf) view(base(block));
    if (base.stampCount() == 0) {
      return false;
    }
    for (int run = 0; run < base.runs; run++) {
      int tagLabel = base.tagLabel(run);
      for (int i = base.start(run); EdgeKey.hasTtl(tagLabel) && i < base.start(run + 1); i++) {
        if (base.keepsStamp(run, i) && horizon.lets(tagLabel, base.stamp(i), base.op(i))) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Room that one large commit needed is not kept for ever; nor is the memory of a block that goes
   * when the block is freed, as long as a view of it is kept. Pieces that are yet to be written
   * have what they need.
   */
  private static void keepUnlessLarge(EdgeRewrite rewrite, int added) {
    if (added > MANY || rewrite.isOfLargeBlock()) {
      REWRITE.remove();
    }
  }

  @Override
  public Entries newEntries() {
    return new EdgeEntries();
  }

  @Override
  ScratchEntries scratch() {
    return SCRATCH.get();
  }

  @Override
  int kind() {
    return PageHeader.EDGE_LEAF;
  }

  @Override
  EdgeLeaf newView() {
    return new EdgeLeaf();
  }

  @Override
  EdgeLeaf topView(PageViews views) {
    return views.edgeTop();
  }

  @Override
  EdgeLeaf baseView(PageViews views) {
    return views.edgeBase();
  }

  @Override
  LeafWriter writer(PageFrame frame, Entries entries, int from, int to) {
    return new EdgeLeafWriter(frame, (EdgeEntries) entries, from, to);
  }

  @Override
  int[] keyCosts(Entries entries, int from, int to) {
    EdgeEntries edges = (EdgeEntries) entries;
    boolean sequences = false;
    boolean sortKeys = false;
    for (int i = from; i < to; i++) {
      sequences |= edges.sequence(i) != 0;
      sortKeys |= EdgeKey.isIndex(edges.tagLabel(i));
    }
    int entry = Long.BYTES + (sequences ? Integer.BYTES : 0);
    int run = sortKeys ? EdgeLeaf.LONGEST_RUN : EdgeLeaf.RUN;
    int[] costs = new int[to - from];
    for (int i = from; i < to; i++) {
      boolean startsRun =
          i == from
              || edges.owner(i) != edges.owner(i - 1)
              || edges.tagLabel(i) != edges.tagLabel(i - 1);
      costs[i - from] =
          (startsRun ? run : 0) + entry + (EdgeKey.isIndex(edges.tagLabel(i)) ? Long.BYTES : 0);
    }
    return costs;
  }

  @Override
  String describeKey(byte[] key) {
    return EdgeKey.toString(key);
  }
}
