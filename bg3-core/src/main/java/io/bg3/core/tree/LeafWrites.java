package io.bg3.core.tree;

import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.Op;
import io.bg3.core.page.LeafFormat;
import io.bg3.core.table.PageTable;
import io.bg3.core.table.StoredState;
import io.bg3.storage.memory.MemoryExceededException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Finds the leaves of sorted batches, and adds the batches to them. Threads: as {@link Tree}.
 *
 * <pre>
 *   committer                                 others
 *   find: leaf of the key, in an epoch
 *   timestamp, log                            split it, remove it, give its number to another page
 *   apply: latch of that page
 *          its leaf for the key? add, publish
 *          else: the leaf by a descent, latch
 * </pre>
 *
 * <p>A leaf that gets more than a delta may hold is written anew at once, as the pages that it is
 * split into if need be: what was in it, pruned, and the new entries with their stamp, which no
 * reader sees before the commit is visible. Nothing is waited for but latches: where the tree's
 * shape is being changed, an inner page is missing, or the entries are very many, they become a
 * delta, and the rest is done when the stripes are released.
 *
 * <p>So what was found before is believed only under the latch, by tree and fences: the thread that
 * changes these holds it.
 */
final class LeafWrites {
  /** Entries whose leaves are loaded together. */
  private static final int MOST_FETCHED = 256;

  private final Tree tree;
  private final TreeSpace space;
  private final PageTable table;
  private final LeafFormat format;

  LeafWrites(Tree tree) {
    this.tree = tree;
    this.space = tree.space;
    this.table = space.table;
    this.format = tree.format;
  }

  /** See {@link Tree#find(Entries, long, LocatedLeaves, LeafAdmission, Consumer)}. */
  int find(
      Entries batch,
      long stamp,
      LocatedLeaves leaves,
      LeafAdmission by,
      Consumer<LeafPrefetch> others) {
    leaves.clear();
    Descent.Wanted wanted = wanted(batch);
    int at = 0;
    int fetched = 0; // the leaves of the entries before it have been asked for together
    while (at < batch.count()) {
      long block;
      long weight = 0;
      int ticket = space.epochs.enter();
      try {
        block = tree.descent.leaf(batch.key(at), leaves.read, wanted);
        if (Descent.isLeaf(block)) {
          PageHeader header = leaves.read.views().header(space.memory).wrap(block);
          int page = header.pageId();
          if (!table.pinTopology(page, by.pin())) {
            continue; // it has been evicted since; the next descent says so
          }
          long state = table.block(page);
          boolean whole = PageTable.isBlock(state);
          if (isOther(block, state)) {
            block = StoredState.topology(state);
            if (!isLeafFor(block, batch.key(at))) {
              continue; // it has been split or removed since
            }
            header.wrap(block);
          }
          int end = endOfPage(batch, at, batch.count(), header);
          if (whole || (takesParts(wanted, by) && takes(page, block, end - at))) {
            weight = weight(block, header, whole);
            int newer =
                header.newestStamp() > stamp ? newer(block, batch, at, end, stamp, leaves) : end;
            if (newer < end) {
              return newer;
            }
            leaves.add(at, page);
            at = end;
          } else {
            block = -page; // its values are wanted
          }
        }
      } finally {
        space.epochs.exit(ticket);
      }
      if (!Descent.isLeaf(block) && mayFetch(at, fetched)) {
        fetched = fetch(batch, at, others, takesParts(wanted, by));
      } else if (!(Descent.isLeaf(block)
          ? by.keeps(weight)
          : load(Descent.missing(block), leaves, by, wanted))) {
        return Tree.GIVEN_UP;
      }
    }
    return Tree.NONE;
  }

  /**
   * Whether a leaf has been changed, evicted in part or loaded between the descent that found its
   * block and the pin. Behind the pin it stays in memory as it is, or more of it. So what is
   * decided by the state of then holds when the entries are applied (R5).
   */
  private static boolean isOther(long block, long state) {
    return block != StoredState.topology(state);
  }

  /**
   * The part of its leaves that a batch needs: a few entries become a delta, for which no values of
   * the base are read. A leaf that refers to large values is in memory as a whole (R31).
   */
  private Descent.Wanted wanted(Entries batch) {
    boolean few = batch.count() <= tree.consolidateLimit();
    for (int i = 0; few && i < batch.count(); i++) {
      few = !Op.isLocation(batch.op(i));
    }
    return few ? Descent.Wanted.DELTA : Descent.Wanted.WHOLE;
  }

  /** Whether leaves are taken without their values, which then count as full pages. */
  private static boolean takesParts(Descent.Wanted wanted, LeafAdmission by) {
    return wanted == Descent.Wanted.DELTA && by.keepsLittle();
  }

  private PageLoader.Part part(Descent.Wanted wanted) {
    return RoutedReads.part(tree, wanted);
  }

  /**
   * Whether so many entries are added to a leaf whose values are not in memory. If they would make
   * the delta too large, the leaf is going to be merged, which takes the values. So does a new
   * base, where one is better than the next delta.
   */
  private boolean takes(int page, long topology, int entries) {
    int before = format.deltaCount(topology);
    return before + entries <= tree.consolidateLimit()
        && RejoinedLeaf.takesEntries(space, topology)
        && (before == 0 || !isDueForBase(page, topology));
  }

  /** By about the bytes that the page takes with its values. */
  private boolean isDueForBase(int page, long topology) {
    long base = Math.min(space.loader().bytes(page), 2L * tree.capacity());
    return PageFlush.isLargeDelta(base, format.markedBytes(topology), table.deltaBytes(page));
  }

  /** The first entry whose key has a version that is newer than a stamp; {@code to} if none has. */
  private int newer(long block, Entries batch, int from, int to, long stamp, LocatedLeaves leaves) {
    int i = from;
    while (i < to
        && (batch.isCounter(i) || format.newest(block, batch, i, leaves.read.views()) <= stamp)) {
      i++;
    }
    return i;
  }

  /**
   * About the bytes of a leaf, by what its newest block says: the base under a delta, with its
   * values, counts as a full page at least. So does a leaf without its values. A reader may load
   * them, and then they stay for as long as the commit keeps the leaf.
   *
   * @param whole whether its values are in memory
   */
  private long weight(long block, PageHeader header, boolean whole) {
    if (!whole) {
      long topology =
          (long) space.memory.capacity(block)
              + (header.isDelta() ? space.memory.capacity(header.base()) : 0);
      return Math.max(tree.capacity(), topology);
    }
    long values = header.valueBlock();
    long bytes = space.memory.capacity(block) + (values == 0 ? 0L : space.memory.capacity(values));
    return header.isDelta()
        ? bytes + Math.max(tree.capacity(), space.memory.capacity(header.base()))
        : bytes;
  }

  /** Loads the page that a descent ended at; says whether the search goes on. */
  private boolean load(int page, LocatedLeaves leaves, LeafAdmission by, Descent.Wanted wanted) {
    boolean lacksValues = StoredState.hasTopology(table.block(page));
    PageLoader.Part part =
        lacksValues || !takesParts(wanted, by) ? PageLoader.Part.ALL : part(wanted);
    long patience = by.patienceMillis();
    if (patience == LeafAdmission.UNTIL_REFUSED) {
      space.loader().load(page, part);
      return true;
    }
    leaves.missing = page;
    leaves.missingPart = part;
    return space.loader().tryLoadEvicting(page, part, patience);
  }

  /** Whether the leaves of the next entries may be loaded together: those of each entry once. */
  private static boolean mayFetch(int next, int fetched) {
    return next >= fetched;
  }

  /** Loads the leaves of the next entries together, and says where those end. */
  private int fetch(Entries batch, int from, Consumer<LeafPrefetch> others, boolean parts) {
    int to = Math.min(batch.count(), from + MOST_FETCHED);
    LeafPrefetch prefetch = new LeafPrefetch(space);
    if (prefetch.isUseful()) {
      if (!parts) {
        prefetch.loadWhole();
      }
      want(prefetch, batch, from, to);
      others.accept(prefetch);
      prefetch.load();
    }
    return to;
  }

  /** See {@link Tree#want}. */
  void want(LeafPrefetch prefetch, Entries batch, int from, int to) {
    PageLoader.Part part = part(wanted(batch));
    for (int i = from; i < to; i++) {
      prefetch.want(tree, batch.key(i), part);
    }
  }

  /**
   * Adds entries to their leaves.
   *
   * @param leaves where they were found; null if nobody has looked for them
   * @param horizon by which leaves that get many may be written anew; null if they get deltas
   */
  void apply(
      Entries batch,
      int from,
      int to,
      LocatedLeaves leaves,
      Supplier<Horizon> horizon,
      PendingMaintenance due) {
    int at = from;
    while (at < to) {
      int hint = leaves == null ? 0 : leaves.page(at);
      int page = hint == 0 ? leafPage(batch.key(at)) : hint;
      boolean many = horizon != null && hint != 0 && leaves.end(to) - at > tree.consolidateLimit();
      int end = many ? rewrite(page, batch, at, to, horizon, due) : at;
      at = end > at ? end : add(page, batch, at, to, due);
    }
  }

  /**
   * Writes a leaf anew if it gets many entries, unless another thread is changing the tree's shape.
   * Says where the rest begins.
   */
  private int rewrite(
      int page,
      Entries batch,
      int from,
      int to,
      Supplier<Horizon> horizon,
      PendingMaintenance due) {
    if (!tree.shape.lock.tryLock()) { // nobody waits for it with stripes in hand
      return from;
    }
    try {
      return tree.splits()
          .add(page, batch, from, to, horizon, written -> noticeLater(written, due));
    } catch (MemoryExceededException e) {
      return from; // then a delta, which is one block
    } finally {
      tree.shape.lock.unlock();
    }
  }

  /** Has the owners of a leaf noticed when the committer holds nothing any more. */
  private void noticeLater(int leaf, PendingMaintenance due) {
    if (!space.heavy.isOff(tree.shape)) {
      due.add(tree, leaf);
    }
  }

  /** Adds entries to the delta of a page, if it is their leaf. Says where the rest begins. */
  private int add(int page, Entries batch, int from, int to, PendingMaintenance due) {
    table.latch(page);
    try {
      long state = table.block(page);
      long block = StoredState.topology(state);
      boolean whole = block == state;
      if (!isLeafFor(block, batch.key(from))
          || !(whole || RejoinedLeaf.takesEntries(space, block))) {
        return from;
      }
      int end = endOfPage(batch, from, to, space.header(block));
      if (whole) {
        addDelta(page, block, batch, from, end, due);
      } else {
        addToTopology(page, block, batch, from, end);
      }
      return end;
    } finally {
      table.unlatch(page);
    }
  }

  /** Whether a block is the leaf that a key belongs to. The page's latch is held. */
  boolean isLeafFor(long block, byte[] key) {
    return PageTable.isBlock(block) && tree.descent.isLeafFor(space.header(block), key);
  }

  private void addDelta(
      int page, long block, Entries batch, int from, int to, PendingMaintenance due) {
    long delta = format.writeDelta(block, batch, from, to);
    if (delta == block) {
      return;
    }
    table.publish(page, delta);
    tree.markDirty(page);
    if (space.header(block).isDelta()) {
      space.retire(page, block);
    }
    if (format.deltaCount(delta) > tree.consolidateLimit()) {
      due.add(tree, page);
    }
  }

  /**
   * Adds entries to a leaf whose values are not in memory (R31). Its new block has no address of
   * its values, so that the block can be given back as that of every other page. The leaf is not
   * consolidated before it is a whole again.
   */
  private void addToTopology(int page, long topology, Entries batch, int from, int to) {
    boolean isNew = !space.lacksValues(topology); // its values went, and the address is still there
    assert !isNew || (!table.isDirty(page) && !table.isNoted(page)) : "R31: page=" + page;
    long block = isNew ? format.copyTopology(topology) : topology;
    long delta = format.writeDelta(block, batch, from, to);
    if (delta != block) {
      table.publishNextTopology(page, delta);
      tree.markDirty(page);
    }
    if (!isNew) {
      if (delta != block && space.header(block).isDelta()) {
        space.retire(page, block);
      }
    } else if (delta == block) {
      space.free(block);
    } else {
      space.retireTopology(topology);
      if (space.header(block).isDelta()) {
        format.free(block); // the delta of the copy, which nobody has seen
      }
    }
  }

  /** End of the entries, from one that is on a page, that are on it too. */
  static int endOfPage(Entries batch, int from, int to, PageHeader header) {
    byte[] high = to - from == 1 ? null : header.high();
    if (high == null || batch.compareKey(to - 1, high) < 0) {
      return to;
    }
    return batch.find(high, from, to);
  }

  /** The page of the leaf that a key belongs to, which is loaded if it is not in memory. */
  int leafPage(byte[] key) {
    while (true) {
      long block;
      int ticket = space.epochs.enter();
      try {
        block = tree.descent.leaf(key);
        if (Descent.isLeaf(block)) {
          return space.header(block).pageId();
        }
      } finally {
        space.epochs.exit(ticket);
      }
      space.loader().loadNow(Descent.missing(block)); // only replay gets here: commits pin
    }
  }
}
