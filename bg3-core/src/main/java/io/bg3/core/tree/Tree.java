package io.bg3.core.tree;

import io.bg3.core.block.PageFrame;
import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.LargeValueLocations;
import io.bg3.core.page.LeafFormat;
import io.bg3.core.page.PageRead;
import io.bg3.core.table.PageTable;
import io.bg3.core.table.StoredState;
import io.bg3.storage.codec.Compression;
import io.bg3.storage.codec.Compressor;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongToIntFunction;
import java.util.function.Supplier;
import java.util.function.ToLongBiFunction;

/**
 * One Bw-tree (Levandoski, Lomet, Sengupta, ICDE '13) in BG3's read-optimised form: each page is
 * one immutable base and at most one immutable delta, so a look-up reads two blocks of a leaf at
 * most.
 *
 * <p>Keys are bytes in unsigned lexicographic order; what a key means is its {@link LeafFormat}'s
 * business. Every version carries the stamp of its commit; a reader gives its snapshot and sees the
 * newest version at or below it.
 *
 * <p>A tree is its number and its root; all else is in pages. So an object of this class may be
 * made for one call and forgotten: two for one tree are equal and share their {@link TreeShape}.
 *
 * <p>Threads: readers never latch, and wait only for a page that is not in memory. {@link #apply}
 * may be called by any number of threads for different keys; calls for one key come in the order of
 * their stamps, which the committer's stripes see to.
 */
public final class Tree implements TreeRoute, LeafSource {
  /** No entry has been found. */
  public static final int NONE = -1;

  /** A search has ended before it knew. */
  public static final int GIVEN_UP = -2;

  final TreeSpace space;
  final LeafFormat format;

  final TreeShape shape;
  private final int id;
  private final int root;
  private final PageTable table;
  final Descent descent;
  final LeafWrites writes;

  // Made when a thread first wants them. Two threads may make two: they differ in nothing, and what
  // they keep of a change is guarded by the lock of the shape and gone when that is released.
  private PageSplitter splitter;
  private EmptyPageRemover remover;

  private Tree(TreeSpace space, TreeShape shape, int id, int root, LeafFormat format) {
    this.space = space;
    this.shape = shape;
    this.id = id;
    this.root = root;
    this.format = format;
    this.table = space.table;
    this.descent = new Descent(space, id, root, format == space.edges);
    this.writes = new LeafWrites(this);
  }

  /** A new tree of one empty leaf. */
  public static Tree create(TreeSpace space, int id, TreeKind kind) {
    return create(space, new TreeShape(), id, kind);
  }

  /** A new tree of one empty leaf, which shares its shape with others. */
  public static Tree create(TreeSpace space, TreeShape shape, int id, TreeKind kind) {
    int root = space.table.allocate();
    Tree tree = new Tree(space, shape, id, root, kind.format(space));
    PageFrame frame = new PageFrame(root, id, null, null, 0);
    space.table.publish(root, tree.format.writeBase(frame, tree.newEntries(), 0, 0, 0));
    tree.markDirty(root);
    return tree;
  }

  /** A tree whose pages are stored. */
  public static Tree open(TreeSpace space, int id, TreeKind kind, int root) {
    return open(space, new TreeShape(), id, kind, root);
  }

  /** A tree that is there, and shares its shape with others. */
  public static Tree open(TreeSpace space, TreeShape shape, int id, TreeKind kind, int root) {
    return new Tree(space, shape, id, root, kind.format(space));
  }

  /** The number of the tree in the store. */
  public int id() {
    return id;
  }

  /** The page id of the root, which never changes. */
  public int root() {
    return root;
  }

  /** This tree: it holds all that it is asked for. */
  @Override
  public Tree tree(long owner) {
    return this;
  }

  @Override
  public boolean isOfEdges() {
    return format == space.edges;
  }

  /** Empty columns for entries of this tree. */
  @Override
  public Entries newEntries() {
    return format.newEntries();
  }

  /** Bytes of a leaf above which it is split. */
  int capacity() {
    int own = shape.settings().pageCapacity();
    return own == 0 ? space.capacity : own;
  }

  /** Entries that the delta of a leaf may hold. */
  int consolidateLimit() {
    int own = shape.settings().consolidate();
    return own == 0 ? space.consolidate : own;
  }

  /** Compresses the images of the bases of leaves. */
  Compressor baseImages() {
    return compressor(space.baseImages());
  }

  /** Compresses the images of deltas. */
  Compressor deltaImages() {
    return compressor(space.deltaImages());
  }

  private Compressor compressor(Compressor ofStore) {
    Compression own = shape.settings().compression();
    return own == null ? ofStore : ofStore.with(own);
  }

  /** The operations on the leaves of this tree. */
  public LeafFormat format() {
    return format;
  }

  /**
   * The newest version of a key at or below a snapshot, a tombstone too.
   *
   * @param snapshot {@link Long#MAX_VALUE} for what was applied last
   * @return false if there is none; of {@code read} then only the cut has changed
   */
  public boolean get(byte[] key, long snapshot, PageRead read) {
    return lookUp(key, snapshot, Descent.Wanted.VALUE, read);
  }

  /** As {@link #get}, for a caller that wants to know the op and not the value: reads no values. */
  public boolean find(byte[] key, long snapshot, PageRead read) {
    return lookUp(key, snapshot, Descent.Wanted.TOPOLOGY, read);
  }

  /**
   * As {@link #find}, for a caller that writes to the tree next: in a tree of one leaf, what the
   * write reads of the leaf is asked for together with what this reads.
   */
  public boolean findBeforeWrite(byte[] key, long snapshot, PageRead read) {
    return lookUp(key, snapshot, Descent.Wanted.DELTA, read);
  }

  private boolean lookUp(byte[] key, long snapshot, Descent.Wanted wanted, PageRead read) {
    return RoutedReads.lookUp(space, this, 0, key, snapshot, wanted, read);
  }

  @Override
  public byte[] copyForward(
      byte[] low,
      byte[] high,
      long snapshot,
      boolean values,
      int most,
      Entries into,
      PageRead read) {
    return RoutedReads.copyForward(space, this, 0, low, high, snapshot, values, most, into, read);
  }

  @Override
  public byte[] copyBackward(
      byte[] low, byte[] high, long snapshot, boolean values, int most, Entries into) {
    return RoutedReads.copyBackward(space, this, 0, low, high, snapshot, values, most, into);
  }

  @Override
  public void prefetch(byte[] low, byte[] high, boolean values, int leaves) {
    RoutedReads.prefetch(space, this, 0, low, high, values, leaves);
  }

  /**
   * Whether a version, a tombstone too, of a key with {@code low <= key < high} is newer than
   * {@code stamp}. A page whose newest stamp is not costs nothing more, and is not loaded.
   *
   * @param low null from the first key
   * @param high null to the last key
   */
  public boolean changedAfter(byte[] low, byte[] high, long stamp) {
    return new ChangeSearch(space, this, 0, low, high, stamp).find();
  }

  /**
   * The end of the leaf of a key if the leaf is in memory and none of its versions is newer than a
   * stamp, null for the last leaf; otherwise {@code key} itself.
   */
  public byte[] endOfUnchanged(byte[] key, long stamp) {
    int ticket = space.epochs.enter();
    try {
      long block = descent.leaf(key, null, Descent.Wanted.TOPOLOGY);
      if (!Descent.isLeaf(block)) {
        return key;
      }
      PageHeader header = space.header(block);
      return header.newestStamp() > stamp ? key : header.high();
    } finally {
      space.epochs.exit(ticket);
    }
  }

  /**
   * Adds the entries {@code [from, to)} of a sorted batch, stamped, to the leaves they belong to:
   * one new delta a leaf. Entries that are not newer than what their key has are skipped, which
   * makes replay idempotent. Memory may be overdrawn; the caller has asked for it before, and has
   * seen to it that the leaves are in memory ({@link #find}) if this may not fail.
   *
   * @param due collects the leaves whose deltas have become too large
   */
  public void apply(Entries batch, int from, int to, PendingMaintenance due) {
    writes.apply(batch, from, to, null, null, due);
  }

  /**
   * Adds a whole batch whose leaves {@link #find} has found. A leaf that gets many entries may be
   * written anew at once, and split.
   *
   * @param leaves from there
   * @param horizon asked then, once a leaf
   */
  public void apply(
      Entries batch, LocatedLeaves leaves, Supplier<Horizon> horizon, PendingMaintenance due) {
    writes.apply(batch, 0, batch.count(), leaves, horizon, due);
  }

  /**
   * Finds the leaves of a sorted batch, sees to it that they are in memory, and pins them there,
   * and looks for a version of one of its keys, a tombstone too, that is newer than a stamp.
   *
   * @param stamp {@link Long#MAX_VALUE} to look for none
   * @param leaves filled, for {@link #apply(Entries, LocatedLeaves, Supplier, PendingMaintenance)},
   *     unless a version is found
   * @param by the commit that the batch belongs to
   * @return index of the first entry whose key has a newer version, {@link #NONE} if there is none,
   *     {@link #GIVEN_UP} if the commit is to try again with none of its leaves kept; it may {@link
   *     #loadMissing} before
   */
  public int find(Entries batch, long stamp, LocatedLeaves leaves, LeafAdmission by) {
    return find(batch, stamp, leaves, by, prefetch -> {});
  }

  /**
   * As the method above, for one of several batches of a commit.
   *
   * @param others wants the leaves of the other batches; asked where a leaf of this one is not in
   *     memory, to load them together
   */
  public int find(
      Entries batch,
      long stamp,
      LocatedLeaves leaves,
      LeafAdmission by,
      Consumer<LeafPrefetch> others) {
    return writes.find(batch, stamp, leaves, by, others);
  }

  /**
   * Wants the leaves of the first entries of a batch, as much of each as {@link #find} will.
   *
   * @param most entries
   */
  public void want(LeafPrefetch prefetch, Entries batch, int most) {
    writes.want(prefetch, batch, 0, Math.min(most, batch.count()));
  }

  /**
   * Loads the page for which a search had no memory, if it was given up for that; waits for memory.
   *
   * @return whether it was
   */
  public boolean loadMissing(LocatedLeaves leaves) {
    if (leaves.missing == 0) {
      return false;
    }
    space.loader().load(leaves.missing, leaves.missingPart);
    return true;
  }

  /**
   * Checks the whole tree: every page's own invariants, fences, siblings, levels; every page
   * reachable exactly once. Pages that are not in memory are read and not kept. The tree's shape is
   * held still meanwhile, so commits may have to wait.
   *
   * @param stored is told which pages were read from storage, damaged ones too, and what they refer
   *     to
   */
  public TreeReport check(PageLoader.Listener stored) {
    TreeChecker checker = checker(stored, (references, page) -> 0);
    while (checker.next(Integer.MAX_VALUE)) {}
    return checker.report();
  }

  /**
   * Something that checks the tree as {@link #check} does, some leaves at a time.
   *
   * @param values is told what each leaf refers to that was looked at, in memory or not, with the
   *     page; a latch may be held. It answers how many bytes of values are going to be read for
   *     that, which count in the slice
   */
  public TreeChecker checker(
      PageLoader.Listener stored, ToLongBiFunction<LargeValueLocations, Integer> values) {
    return new TreeChecker(this, stored, values);
  }

  /** The lock and the queues of the tree, which it may share with others. */
  public TreeShape shape() {
    return shape;
  }

  /** What splits pages. */
  PageSplitter splits() {
    PageSplitter made = splitter;
    if (made == null) {
      made = new PageSplitter(this);
      splitter = made;
    }
    return made;
  }

  private EmptyPageRemover emptyPages() {
    EmptyPageRemover made = remover;
    if (made == null) {
      made = new EmptyPageRemover(this);
      remover = made;
    }
    return made;
  }

  /**
   * Notes a page that stood in the queue of dirty ones.
   *
   * @param inner whether inner pages are noted too
   * @return whether the page is dirty and has not been noted
   */
  boolean noteIfDirty(int page, boolean inner, NotedPages into) {
    table.latch(page);
    try {
      long block = StoredState.topology(table.block(page));
      if (!isOwn(block) || !table.isDirty(page) || table.isNoted(page)) {
        return false;
      }
      boolean isInner = space.header(block).kind() == PageHeader.INNER;
      if (isInner && !inner) {
        return true;
      }
      table.note(page, block);
      boolean reshaped = table.takeReshaped(page) || isInner || !shape.isLogged;
      into.add(this, page, block, table.needsBase(page), reshaped);
      return false;
    } finally {
      table.unlatch(page);
    }
  }

  /**
   * {@link #settle} for a thread that no lock keeps the store open for.
   *
   * @throws IllegalStateException if the store is closed
   */
  void settleDue(int page, Horizon horizon) {
    int ticket = space.busy.enter();
    try {
      settle(page, horizon);
    } finally {
      space.busy.exit(ticket);
    }
  }

  /**
   * Consolidates a leaf whose delta is too large, splits it if it is then too large, removes it if
   * it is empty.
   */
  void settle(int page, Horizon horizon) {
    Consolidated done = isProbablyLarge(page) ? Consolidated.LARGE : consolidate(page, horizon);
    List<Integer> leaves = List.of();
    if (done == Consolidated.LARGE) {
      leaves = splits().split(page, horizon);
      done = leaves.isEmpty() ? consolidate(page, horizon) : done;
    }
    if (done == Consolidated.EMPTY) {
      removeIfEmpty(page, horizon);
    } else if (!space.heavy.isOff(shape)) {
      noticeOwners(page);
      leaves.stream().filter(leaf -> leaf != page).forEach(this::noticeOwners);
    }
  }

  /** Notices the owners that have many entries in a leaf. */
  private void noticeOwners(int page) {
    int ticket = space.epochs.enter();
    try {
      long block = StoredState.topology(table.block(page)); // which is enough
      if (isLeaf(block)) {
        space.heavy.look(shape, format, block);
      } else if (StoredState.isStored(block)) {
        shape.notePassedOver(); // it has been evicted since it was written to
      }
    } finally {
      space.epochs.exit(ticket);
    }
  }

  /**
   * Whether a leaf will have to be split, guessed by the lengths of base and delta: after a large
   * commit it is, and merging it only to find that out costs as much as the split itself.
   */
  private boolean isProbablyLarge(int page) {
    int ticket = space.epochs.enter();
    try {
      long block = table.block(page);
      return isLeaf(block) && format.imageBytes(block) > capacity() + capacity() / 4;
    } finally {
      space.epochs.exit(ticket);
    }
  }

  /**
   * Removes a leaf if it holds nothing that a snapshot reads, for a thread that no lock keeps the
   * store open for.
   *
   * @throws IllegalStateException if the store is closed
   */
  void removeIfBarren(int page, Horizon horizon) {
    int ticket = space.busy.enter();
    try {
      RenewedLeaf.removeIfBarren(this, page, horizon);
    } finally {
      space.busy.exit(ticket);
    }
  }

  /** Removes a leaf if it holds nothing, now or behind the next checkpoint. */
  void removeIfEmpty(int page, Horizon horizon) {
    if (!emptyPages().remove(page, horizon)) {
      addEmptied(page);
    }
  }

  private enum Consolidated {
    FITS,
    LARGE,
    EMPTY
  }

  private Consolidated consolidate(int page, Horizon horizon) {
    table.latch(page);
    try {
      long block = table.block(page);
      if (!isLeaf(block) || format.deltaCount(block) <= consolidateLimit()) {
        return Consolidated.FITS;
      }
      long quick = format.consolidated(block, horizon, table.needsBase(page), capacity());
      if (quick == LeafFormat.LARGE) {
        return Consolidated.LARGE;
      }
      if (quick != 0) {
        replace(page, block, quick);
        return Consolidated.FITS;
      }
      Entries all = mergedForBase(page, block, horizon);
      if (format.splitPoints(all, capacity(), false).length > 2) {
        return Consolidated.LARGE;
      }
      PageHeader header = space.header(block);
      long cut = Math.max(header.cut(), horizon.cut());
      replace(page, block, format.writeBase(header.frame(), all, 0, all.count(), cut));
      return all.count() == 0 && page != root ? Consolidated.EMPTY : Consolidated.FITS;
    } finally {
      table.unlatch(page);
    }
  }

  /**
   * The entries of a new base of the page, all of them marked where no stored base can be completed
   * by marks. The page is dirty afterwards: where its next image is a base, entries are missing
   * that its stored images have. The columns are valid until this thread merges the next page.
   */
  Entries mergedForBase(int page, long block, Horizon horizon) {
    return mergedInMemory(page, block, horizon.forNext(table.needsBase(page)));
  }

  /**
   * As {@link #mergedForBase}, with all that the stored images have, for a page that stays clean.
   */
  Entries mergedInMemory(int page, long block, Horizon horizon) {
    Entries all = format.mergedForNow(block, horizon);
    if (table.needsBase(page)) {
      all.markAllUnstored();
    }
    return all;
  }

  /** Publishes a block that takes the place of base and delta. The latch is held. */
  void replace(int page, long old, long block) {
    table.publish(page, block);
    markDirty(page);
    long base = space.header(old).base();
    space.retire(page, old);
    if (base != 0) {
      space.retire(page, base);
    }
  }

  /**
   * Marks a page dead that nothing leads to any more, and gives back base and delta. The next
   * checkpoint lets go of its row. The latch is held.
   */
  void kill(int page, long old) {
    long base = space.header(old).base();
    table.publishDead(page);
    space.retire(page, old);
    if (base != 0) {
      space.retire(page, base);
    }
    shape.removed.add(page);
  }

  /** Says that a page differs from what is stored, so that the next flush notes it. */
  void markDirty(int page) {
    if (table.markDirty(page)) {
      space.dirtyPages.seen(space.bytes(StoredState.topology(table.block(page))));
      addDirty(page);
    }
  }

  /** Says that a dirty page is to be noted by the next flush. */
  void addDirty(int page) {
    shape.dirty.add(this, page);
  }

  /** Says that the next checkpoint is to try again to remove an empty leaf. */
  void addEmptied(int page) {
    shape.emptied.add(new TreePage(this, page));
  }

  /** Whether the block is a page of this tree that is there. */
  boolean isOwn(long block) {
    return PageTable.isBlock(block) && space.header(block).treeId() == id;
  }

  boolean isLeaf(long block) {
    return isOwn(block) && space.header(block).kind() != PageHeader.INNER;
  }

  /**
   * The first page on a way from the root to a leaf that is not in memory; 0 if all are. The
   * structure lock is held, so every way is true. A leaf may be evicted as soon as this returns.
   *
   * @param child the next page of the way, by the block of an inner page
   */
  int missing(LongToIntFunction child) {
    int ticket = space.epochs.enter(); // the blocks of leaves change under it
    try {
      int page = root;
      while (true) {
        long block = table.block(page);
        if (!PageTable.isBlock(block)) {
          return page;
        }
        if (space.header(block).kind() != PageHeader.INNER) {
          return 0;
        }
        page = child.applyAsInt(block);
      }
    } finally {
      space.epochs.exit(ticket);
    }
  }

  /** Loads the page that a descent met and did not find in memory. Outside of epochs. */
  void load(long found) {
    space.loader().load(Descent.missing(found));
  }

  @Override
  public boolean equals(Object that) {
    return that instanceof Tree tree && tree.id == id && tree.space == space;
  }

  @Override
  public int hashCode() {
    return id;
  }

  @Override
  public String toString() {
    return "Tree[id=" + id + ", root=" + root + "]";
  }
}
