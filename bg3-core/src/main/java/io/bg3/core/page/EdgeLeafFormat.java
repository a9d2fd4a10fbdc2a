package io.bg3.core.page;

import io.bg3.storage.memory.BlockMemory;

/** Leaves of edges. */
final class EdgeLeafFormat extends LeafFormat {
  private static final ThreadLocal<Scratch> SCRATCH = Scratch.ofThread(EdgeEntries::new);

  private static final ThreadLocal<EdgeRewrite> REWRITE = ThreadLocal.withInitial(EdgeRewrite::new);

  /** Where more comes to a leaf, copying what lies between is no gain. */
  private static final int MANY = 1 << 12;

  EdgeLeafFormat(BlockMemory memory) {
    super(memory);
  }

  @Override
  public long consolidated(long block, Horizon horizon, boolean unstored, int capacity) {
    return REWRITE.get().base(memory, this, block, horizon, unstored, capacity);
  }

  @Override
  public LeafPieces pieces(long block, Horizon horizon, boolean unstored, int capacity) {
    if (base(block) == block || view(block).count > MANY) {
      return super.pieces(block, horizon, unstored, capacity);
    }
    boolean appending = appends(block);
    return REWRITE.get().pieces(memory, this, block, horizon, unstored, capacity, appending);
  }

  @Override
  LeafPieces piecesWith(
      long block,
      Entries batch,
      int from,
      int to,
      Horizon horizon,
      boolean unstored,
      int capacity) {
    EdgeRewrite rewrite = REWRITE.get();
    if (to - from > MANY) {
      REWRITE.remove(); // what one large commit needed is not kept for ever
    }
    return rewrite.with(
        memory, this, block, (EdgeEntries) batch, from, to, horizon, unstored, capacity);
  }

  @Override
  long addToDelta(long delta, Entries batch, int from, int to) {
    long added = REWRITE.get().delta(memory, delta, (EdgeEntries) batch, from, to);
    if (to - from > MANY) {
      REWRITE.remove(); // what one large commit needed is not kept for ever
    }
    return added;
  }

  @Override
  public Entries newEntries() {
    return new EdgeEntries();
  }

  @Override
  Scratch scratch() {
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
  EdgeLeaf topView(Version out) {
    return out.edgeTop();
  }

  @Override
  EdgeLeaf baseView(Version out) {
    return out.edgeBase();
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
