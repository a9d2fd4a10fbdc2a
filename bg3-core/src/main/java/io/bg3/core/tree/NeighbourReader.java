package io.bg3.core.tree;

import io.bg3.core.block.RunPrefetch;
import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Expiry;
import io.bg3.core.page.PageRead;
import io.bg3.core.page.PageViews;
import io.bg3.core.page.RunReader;
import io.bg3.core.table.PageTable;
import io.bg3.core.table.StoredState;

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
  private static final int MOST_COPIED = 4;

  /** Leaves of one vertex that are counted in one epoch, which takes as long. */
  private static final int MOST_COUNTED = 64;

  /** Vertices whose leaves are loaded together: a hop asks for about as many. */
  private static final int MOST_FETCHED = 64;

  /** About as many neighbours a leaf has. */
  private static final int LEAF_NEIGHBOURS = 256;

  private final TreeSpace space;
  private final Tree[] trees = new Tree[GROUP];
  private final byte[][] keys = new byte[GROUP][EdgeKey.prefix(0, 0).length];
  private final long[] owners = new long[GROUP];
  private final int[] pages = new int[GROUP];

  private final long[] lines = new long[GROUP];
  private final boolean[] hinted = new boolean[GROUP];

  /** Of the pages, before their blocks were read. */
  private final long[] publications = new long[GROUP];

  private final long[] blocks = new long[GROUP];
  private final boolean[] placed = new boolean[GROUP];

  /** Of the owners whose counts are asked for together: those that are known. */
  private final int[] counts = new int[MOST_FETCHED];

  /** The others. */
  private final long[] uncounted = new long[MOST_FETCHED];

  private final Neighbours counted = new Neighbours();

  /** Where the count of one owner was found. */
  private final CountedPages note = new CountedPages();

  private final RunReader[] runs = new RunReader[GROUP];
  private final PageViews views = new PageViews();
  private final EdgeEntries merged = new EdgeEntries();
  private final PageRead read = new PageRead();
  private final LeafPrefetch prefetch;
  private ReadTally tally = ReadTally.ofThread();

  /** Which entries have expired, by the snapshot that is read. */
  private Expiry expiry = Expiry.NEVER;

  /** Whether a leaf of the group is in storage only. */
  private boolean missing;

  /** The leaves of the owners before this one have been loaded together. */
  private int fetched;

  /** Kept so that no compiler leaves out the loads that only fetch lines. */
  @SuppressWarnings("UnusedVariable")
  private long touched;

  /** Reads trees of edges in this space. */
  public NeighbourReader(TreeSpace space) {
    this.space = space;
    this.prefetch = new LeafPrefetch(space);
    for (int i = 0; i < GROUP; i++) {
      runs[i] = new RunReader(space.memory);
    }
  }

  /**
   * Adds the neighbours that a snapshot sees.
   *
   * @param asked owners from index {@code from} up to {@code to}
   * @param clock tells which of the entries have expired
   * @param limit neighbours of one vertex, the first ones of a longer list
   */
  public void read(
      TreeRoute route,
      long[] asked,
      int from,
      int to,
      int tagLabel,
      long snapshot,
      Expiry clock,
      int limit,
      Neighbours into) {
    expiry = clock;
    tally = ReadTally.ofThread();
    if (into.isCounting()) {
      count(route, asked, from, to, tagLabel, snapshot, limit, into);
    } else {
      readLeaves(route, asked, from, to, tagLabel, snapshot, limit, into);
    }
  }

  /** Adds the counts that are noted, and reads the leaves of the owners that have none. */
  private void count(
      TreeRoute route,
      long[] asked,
      int from,
      int to,
      int tagLabel,
      long snapshot,
      int limit,
      Neighbours into) {
    counted.countOnly(true);
    for (int next = from; next < to; next += MOST_FETCHED) {
      int some = Math.min(MOST_FETCHED, to - next);
      touched += space.counts.find(route, asked, next, some, tagLabel, snapshot, counts);
      int unknown = 0;
      for (int i = 0; i < some; i++) {
        if (counts[i] == NotedCounts.NOT_KNOWN) {
          uncounted[unknown++] = asked[next + i];
        } else {
          tally.addPage(Math.min(limit, counts[i]));
        }
      }
      counted.clear();
      readLeaves(route, uncounted, 0, unknown, tagLabel, snapshot, limit, counted);
      int read = 0;
      for (int i = 0; i < some; i++) {
        boolean isKnown = counts[i] != NotedCounts.NOT_KNOWN;
        into.added(isKnown ? Math.min(limit, counts[i]) : counted.count(read++));
        into.endVertex();
      }
    }
  }

  private void readLeaves(
      TreeRoute route,
      long[] asked,
      int from,
      int to,
      int tagLabel,
      long snapshot,
      int limit,
      Neighbours into) {
    fetched = from;
    for (int next = from; next < to; ) {
      int count = Math.min(GROUP, to - next);
      for (int i = 0; i < count; i++) {
        long owner = asked[next + i];
        owners[i] = owner;
        EdgeKey.putPrefix(owner, tagLabel, keys[i]);
      }
      int read = readGroup(route, count, snapshot, limit, mayFetch(next), into);
      if (read == 0) {
        fetched = Math.min(to, next + MOST_FETCHED);
        fetch(route, asked, next, fetched, tagLabel, limit);
      }
      next += read;
    }
  }

  /**
   * Whether the leaves of the next owners may be loaded together: those of each owner are once, so
   * that a reader whose leaves are evicted again before it reads them comes to an end.
   */
  private boolean mayFetch(int next) {
    return next >= fetched;
  }

  /**
   * Loads the leaves of some owners together. A leaf that is not there afterwards is loaded when
   * its owner's turn comes.
   */
  private void fetch(TreeRoute route, long[] asked, int from, int to, int tagLabel, int limit) {
    int leaves = Math.min(LeafPrefetch.AHEAD, 1 + limit / LEAF_NEIGHBOURS);
    for (int i = from; i < to; i++) {
      byte[] low = EdgeKey.prefix(asked[i], tagLabel);
      prefetch.want(route, asked[i], low, EdgeKey.after(low), leaves);
    }
    prefetch.load(PageLoader.Part.TOPOLOGY);
  }

  /**
   * Reads some vertices of the group; the others are to be asked for again.
   *
   * @param fetches whether the leaves that are in storage may be loaded together
   * @return how many it has read, at least 1; 0 if leaves are to be loaded first
   */
  private int readGroup(
      TreeRoute route, int count, long snapshot, int limit, boolean fetches, Neighbours into) {
    int read;
    byte[] rest = null;
    int ticket = space.epochs.enter();
    try {
      for (int i = 0; i < count; i++) {
        trees[i] = route.tree(owners[i]);
      }
      lookUp(count, snapshot, !into.isCounting());
      if (missing && fetches && prefetch.isUseful()) {
        return 0;
      }
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
      readOn(route, read, rest == null ? keys[read] : rest, snapshot, limit, into);
      into.endVertex();
      read++;
    }
    return read;
  }

  /**
   * Finds the runs of the group.
   *
   * @param held whether their neighbours are copied: then the lines of these are asked for too
   */
  private void lookUp(int count, long snapshot, boolean held) {
    long seen = fetchHeaders(count, held);
    for (int i = 0; i < count; i++) {
      readState(i, held);
    }
    missing = false;
    for (int i = 0; i < count; i++) {
      placed[i] = place(i, snapshot) || (hinted[i] && placeAnew(i, snapshot, held));
      missing |= !placed[i] && StoredState.isStored(blocks[i]);
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
    for (int i = 0; many && held && i < count; i++) {
      seen += placed[i] ? runs[i].touchOthers() : 0;
    }
    touched += seen;
  }

  /** Finds the page where each owner may begin, and asks for the first lines of its block. */
  private long fetchHeaders(int count, boolean held) {
    for (int i = 0; i < count; i++) {
      pages[i] = space.hints.page(owners[i]);
      lines[i] = pages[i] == 0 ? RunPrefetch.NONE : space.hints.lines(owners[i]);
    }
    long seen = 0;
    for (int i = 0; i < count; i++) {
      seen +=
          held
              ? RunPrefetch.fetch(space.memory, lines[i])
              : RunPrefetch.fetchRun(space.memory, lines[i]);
    }
    for (int i = 0; i < count; i++) {
      hinted[i] = pages[i] != 0;
      if (!hinted[i]) {
        pages[i] = trees[i].descent.probableLeaf(keys[i], views);
        long block = block(pages[i]);
        seen += PageTable.isBlock(block) ? fetchHeader(block) : 0;
      }
    }
    return seen;
  }

  /** The state of a page, or the block of its topology, which is all that is read here. */
  private long block(int page) {
    return StoredState.topology(space.table.block(page));
  }

  private long fetchHeader(long block) {
    return RunPrefetch.fetch(space.memory, RunPrefetch.ofHeader(block));
  }

  private void readState(int i, boolean held) {
    if (!held) { // only counts are noted, and the column is a cache line more of each page
      publications[i] = space.table.publications(pages[i]);
    }
    blocks[i] = block(pages[i]);
  }

  private boolean place(int i, long snapshot) {
    return PageTable.isBlock(blocks[i])
        && runs[i].place(blocks[i], trees[i].id(), keys[i], snapshot);
  }

  /** Places a look-up that a hint has led astray. */
  private boolean placeAnew(int i, long snapshot, boolean held) {
    pages[i] = trees[i].descent.probableLeaf(keys[i], views);
    readState(i, held);
    return place(i, snapshot);
  }

  /**
   * Copies from the leaf that was looked up, and from a few to its right; says where the entries go
   * on, null if nowhere.
   */
  private byte[] copy(int i, long snapshot, int limit, Neighbours into) {
    RunReader run = runs[i];
    int found = copyLeaf(run, blocks[i], keys[i], keys[i], snapshot, limit, into);
    boolean counts = into.isCounting();
    int most = counts ? MOST_COUNTED : MOST_COPIED;
    if (counts) {
      note.begin(pages[i], publications[i], run.newest());
    }
    for (int leaves = 1; run.goesOn() && into.pending() < limit; leaves++) {
      byte[] high = run.high();
      int next = run.rightSibling();
      long nextPublications =
          counts && note.hasRoom() ? space.table.publications(next) : 0; // a cache line more
      long block = leaves == most ? 0 : block(next);
      if (!PageTable.isBlock(block) || !run.placeNext(block, trees[i].id(), high, snapshot)) {
        return high;
      }
      space.table.touch(next);
      found += copyLeaf(run, block, high, keys[i], snapshot, limit, into);
      if (counts) {
        note.goOn(next, nextPublications, run.newest());
      }
    }
    if (counts && !run.goesOn()) {
      space.counts.note(owners[i], EdgeKey.tagLabel(keys[i]), found, trees[i].id(), snapshot, note);
    }
    return null;
  }

  /** Says how many the leaf has that the snapshot sees. */
  private int copyLeaf(
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
      if (!into.isCounting()) {
        run.copy(more, into.ensure(more), into.size());
      }
      into.added(more);
      tally.addPage(more);
      return run.count();
    }
    byte[] high = EdgeKey.after(prefix);
    if (into.isCounting() && !EdgeKey.hasTtl(EdgeKey.tagLabel(prefix))) {
      int seen = space.edges.count(block, low, high, snapshot, read);
      tally.addPage(seen);
      into.added(Math.min(room, seen));
      return seen;
    }
    merged.clear();
    space.edges.copyFirst(block, low, high, snapshot, false, Integer.MAX_VALUE, merged, read);
    tally.addPage(merged.count());
    expiry.drop(merged);
    into.addAll(merged, room);
    return merged.count();
  }

  /** Goes from leaf to leaf, outside of the epoch: each leaf has its own, and its own route. */
  private void readOn(
      TreeRoute route, int i, byte[] from, long snapshot, int limit, Neighbours into) {
    byte[] high = EdgeKey.after(keys[i]);
    byte[] low = from;
    for (int leaf = 0; low != null && into.pending() < limit; leaf++) {
      int room = limit - into.pending();
      if (leaf % LeafPrefetch.AHEAD == 1 && room > LEAF_NEIGHBOURS) {
        prefetch.want(route, owners[i], low, high, LeafPrefetch.AHEAD);
        prefetch.load(PageLoader.Part.TOPOLOGY);
      }
      merged.clear();
      low =
          RoutedReads.copyForward(
              space, route, owners[i], low, high, snapshot, false, Integer.MAX_VALUE, merged, read);
      tally.addPage(merged.count());
      expiry.drop(merged);
      into.addAll(merged, limit - into.pending());
    }
  }
}
