package io.bg3.core.tree;

import io.bg3.core.block.RunPrefetch;
import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.page.PageViews;
import io.bg3.core.page.RunReader;
import io.bg3.core.table.PageTable;

/**
 * Reads the neighbours of one vertex, or of many in step: a look-up spends most of its time waiting
 * for lines of a leaf that nobody has read for a while, and the waits of a group overlap.
 *
 * <p>What stands in one leaf as the snapshot sees it is copied from its column. Everything else
 * goes the way of a scan: leaves with younger entries, a route that is no longer true, vertices
 * whose entries go on in the next leaf.
 *
 * <p>Threads: belongs to one. An epoch spans the look-ups of one group, and copying from their
 * leaves, a few each; no I/O and no wait inside.
 */
public final class NeighbourReader {
  /** Look-ups in step: about as many loads as a processor has under way. */
  private static final int GROUP = 16;

  /** Leaves of one vertex that are copied in one epoch. */
  private static final int MOST_LEAVES = 4;

  private final TreeSpace space;
  private final Tree[] trees = new Tree[GROUP];
  private final byte[][] keys = new byte[GROUP][EdgeKey.prefix(0, 0).length];
  private final long[] owners = new long[GROUP];
  private final int[] pages = new int[GROUP];

  private final long[] lines = new long[GROUP];
  private final boolean[] hinted = new boolean[GROUP];

  private final long[] blocks = new long[GROUP];
  private final boolean[] placed = new boolean[GROUP];
  private final RunReader[] runs = new RunReader[GROUP];
  private final PageViews views = new PageViews();
  private final EdgeEntries merged = new EdgeEntries();

  /** Kept so that no compiler leaves out the loads that only fetch lines. */
  @SuppressWarnings("UnusedVariable")
  private long touched;

  /** Reads trees of edges in this space. */
  public NeighbourReader(TreeSpace space) {
    this.space = space;
    for (int i = 0; i < GROUP; i++) {
      runs[i] = new RunReader(space.memory);
    }
  }

  /** Where an owner's edges are. */
  public interface Route {
    /** The tree that holds them now. */
    Tree tree(long owner);
  }

  /**
   * Adds the neighbours that a snapshot sees.
   *
   * @param asked owners from index {@code from} up to {@code to}
   * @param limit neighbours of one vertex, the first ones of a longer list
   */
  public void read(
      Route route,
      long[] asked,
      int from,
      int to,
      int tagLabel,
      long snapshot,
      int limit,
      Neighbours into) {
    for (int next = from; next < to; ) {
      int count = Math.min(GROUP, to - next);
      for (int i = 0; i < count; i++) {
        long owner = asked[next + i];
        owners[i] = owner;
        trees[i] = route.tree(owner);
        EdgeKey.putPrefix(owner, tagLabel, keys[i]);
      }
      next += readGroup(count, snapshot, limit, into);
    }
  }

  /** Reads some vertices of the group, at least the first; the others are to be asked for again. */
  private int readGroup(int count, long snapshot, int limit, Neighbours into) {
    int read;
    byte[] rest = null;
    int ticket = space.epochs.enter();
    try {
      lookUp(count, snapshot);
      read = 0;
      while (read < count && placed[read] && rest == null) {
        rest = copy(read, snapshot, limit, into);
        if (rest == null) {
          into.endVertex();
          read++;
        }
      }
    } finally {
      space.epochs.exit(ticket);
    }
    if (read < count && (rest != null || read == 0)) {
      readOn(read, rest == null ? keys[read] : rest, snapshot, limit, into);
      into.endVertex();
      read++;
    }
    return read;
  }

  private void lookUp(int count, long snapshot) {
    long seen = fetchHeaders(count);
    for (int i = 0; i < count; i++) {
      blocks[i] = space.table.block(pages[i]);
    }
    for (int i = 0; i < count; i++) {
      placed[i] = place(i, snapshot) || (hinted[i] && placeAnew(i, snapshot));
    }
    boolean many = count > 1;
    for (int i = 0; many && i < count; i++) {
      seen += placed[i] ? runs[i].touchBase() : 0;
    }
    for (int i = 0; i < count; i++) {
      if (placed[i]) {
        space.table.touch(pages[i]);
        runs[i].placeBase(snapshot);
      }
    }
    for (int i = 0; many && i < count; i++) {
      seen += placed[i] ? runs[i].touchRun(lines[i]) : 0;
    }
    for (int i = 0; i < count; i++) {
      if (placed[i]) {
        runs[i].find(lines[i]);
        space.hints.put(owners[i], pages[i], runs[i].lines());
      }
    }
    for (int i = 0; many && i < count; i++) {
      seen += placed[i] ? runs[i].touchOthers() : 0;
    }
    touched += seen;
  }

  /** Finds the page where each owner may begin, and asks for the first lines of its block. */
  private long fetchHeaders(int count) {
    for (int i = 0; i < count; i++) {
      pages[i] = space.hints.page(owners[i]);
      lines[i] = pages[i] == 0 ? RunPrefetch.NONE : space.hints.lines(owners[i]);
    }
    long seen = 0;
    for (int i = 0; i < count; i++) {
      seen += RunPrefetch.fetch(space.memory, lines[i]);
    }
    for (int i = 0; i < count; i++) {
      hinted[i] = pages[i] != 0;
      if (!hinted[i]) {
        pages[i] = trees[i].descent.probableLeaf(keys[i], views);
        long block = space.table.block(pages[i]);
        seen += PageTable.isBlock(block) ? fetchHeader(block) : 0;
      }
    }
    return seen;
  }

  private long fetchHeader(long block) {
    return RunPrefetch.fetch(space.memory, RunPrefetch.ofHeader(block));
  }

  private boolean place(int i, long snapshot) {
    return PageTable.isBlock(blocks[i])
        && runs[i].place(blocks[i], trees[i].id(), keys[i], snapshot);
  }

  /** Places a look-up that a hint has led astray. */
  private boolean placeAnew(int i, long snapshot) {

    pages[i] = trees[i].descent.probableLeaf(keys[i], views);
    blocks[i] = space.table.block(pages[i]);
    return place(i, snapshot);
  }

  /**
   * Copies from the leaf that was looked up, and from a few to its right; says where the entries go
   * on, null if nowhere.
   */
  private byte[] copy(int i, long snapshot, int limit, Neighbours into) {
    RunReader run = runs[i];
    copyLeaf(run, blocks[i], keys[i], keys[i], snapshot, limit, into);
    for (int leaves = 1; run.goesOn() && into.pending() < limit; leaves++) {
      byte[] high = run.high();
      long block = leaves == MOST_LEAVES ? 0 : space.table.block(run.rightSibling());
      if (!PageTable.isBlock(block) || !run.placeNext(block, trees[i].id(), high, snapshot)) {
        return high;
      }
      copyLeaf(run, block, high, keys[i], snapshot, limit, into);
    }
    return null;
  }

  private void copyLeaf(
      RunReader run,
      long block,
      byte[] low,
      byte[] prefix,
      long snapshot,
      int limit,
      Neighbours into) {
    int room = limit - into.pending();
    if (run.isPlain()) {
      int more = Math.min(room, run.count());
      run.copy(more, into.ensure(more), into.size());
      into.added(more);
    } else {
      merged.clear();
      space.edges.copy(block, low, EdgeKey.after(prefix), snapshot, false, merged);
      into.addAll(merged, room);
    }
  }

  /** Goes from leaf to leaf, outside of the epoch: each leaf has its own. */
  private void readOn(int i, byte[] from, long snapshot, int limit, Neighbours into) {
    byte[] high = EdgeKey.after(keys[i]);
    byte[] low = from;
    while (low != null && into.pending() < limit) {
      merged.clear();
      low = trees[i].copyForward(low, high, snapshot, false, Integer.MAX_VALUE, merged);
      into.addAll(merged, limit - into.pending());
    }
  }
}
