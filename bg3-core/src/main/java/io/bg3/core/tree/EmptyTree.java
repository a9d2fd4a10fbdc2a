package io.bg3.core.tree;

import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.DegreeKey;
import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Expiry;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.Op;
import io.bg3.core.page.PageRead;
import io.bg3.core.table.PageRow;
import io.bg3.core.table.PageTable;
import io.bg3.storage.extent.Location;
import java.util.ArrayList;
import java.util.List;

/**
 * A tree of one owner that may have lost all its entries, and the removal of its pages (R41).
 *
 * <p>Threads: belongs to one.
 */
public final class EmptyTree implements AutoCloseable {
  /** The content of a tree, apart from degrees and their marker. */
  public enum Content {
    /** Entries that a reader of now sees. */
    ENTRIES,
    /** Versions that an older snapshot may read, or of commits that are not visible. */
    OLD_VERSIONS,
    /** Nothing that any snapshot reads, now or later. */
    NOTHING
  }

  /** The answers that the pages in memory give about a tree. */
  public enum Look {
    /** It has an entry that a reader of now sees, or a degree. */
    ENTRIES,
    /** All of it is in memory, and there is none. */
    NOTHING,
    /** A page is in storage alone, with images as small as those of a leaf without entries. */
    SMALL,
    /** A page is in storage alone. */
    STORED
  }

  /**
   * Images of fewer bytes in all may be of a leaf without entries: fewer than those of a few edges,
   * for which nothing is to be loaded in vain.
   */
  private static final int SMALL_IMAGE = 192;

  private final Tree tree;
  private final TreeSpace space;
  private final PageTable table;
  private final long owner;
  private final byte[] low;
  private final OwnerMove leaves;
  private long cut;

  /** The tree of an owner. */
  public EmptyTree(Tree tree, long owner) {
    this.tree = tree;
    this.space = tree.space;
    this.table = space.table;
    this.owner = owner;
    this.low = EdgeKey.prefix(owner);
    this.leaves = new OwnerMove(tree, owner);
  }

  /**
   * Whether a reader of now sees an entry below the degrees. May load leaves.
   *
   * @param expiry tells which entries nobody sees
   */
  public boolean hasEdges(Expiry expiry) {
    Entries found = tree.newEntries();
    byte[] end = DegreeKey.first(owner);
    byte[] at = low;
    while (at != null && found.count() == 0) {
      at = tree.copyForward(at, end, Long.MAX_VALUE, false, 1, found);
      expiry.drop(found);
    }
    return found.count() > 0;
  }

  /**
   * Looks at a tree as far as it is in memory: up to its first entry, or the first page that is
   * not.
   *
   * @param expiry tells which entries nobody sees
   */
  public static Look look(Tree tree, Expiry expiry) {
    EntrySearch search = new EntrySearch(tree);
    int missing = 0;
    while (missing == 0 && !search.isOver()) {
      missing = search.lookAtNextInMemory(expiry);
    }
    if (missing == 0) {
      return search.hasFound() ? Look.ENTRIES : Look.NOTHING;
    }
    PageRow row = tree.space.table.row(missing);
    long bytes = row.locations().mapToLong(Location::bytes).sum();
    return bytes < SMALL_IMAGE ? Look.SMALL : Look.STORED;
  }

  /**
   * Whether a tree has few leaves ({@link TreeSize}), which are in memory, and no entry in them
   * that has not been removed. The leaf of an entry that was removed last is looked at first, and
   * the others only if nothing is left in it.
   *
   * @param removed the key of this entry
   * @param some used for this call alone
   * @param read used for this call alone
   */
  public static boolean isEmptyAndSmall(
      Tree tree, byte[] removed, EdgeEntries some, PageRead read) {
    int ticket = tree.space.epochs.enter();
    try {
      long block = tree.space.table.block(tree.root());
      boolean isOneLeaf = tree.isLeaf(block);
      if (!isOneLeaf) {
        block = tree.descent.leaf(removed);
      }
      if (!Descent.isLeaf(block) || EntrySearch.isAny(tree, block, Expiry.NEVER, some, read)) {
        return false;
      }
      return isOneLeaf || (!TreeSize.isSeenLarge(tree) && hasNothing(tree));
    } finally {
      tree.space.epochs.exit(ticket);
    }
  }

  private static boolean hasNothing(Tree tree) {
    return look(tree, Expiry.NEVER) == Look.NOTHING;
  }

  /**
   * Finds the leaves and keeps them in memory until {@link #close}. Waits for no memory.
   *
   * @param most bytes that the leaves may take
   * @return whether it has found all of them, and they take no more
   */
  public boolean pin(long most) {
    return leaves.pin(most);
  }

  /**
   * Reads the leaves that {@link #pin} has found and says what they have. An entry whose newest
   * version is a tombstone at or below the floor is nothing: every snapshot sees the tombstone.
   * Neither is an entry that has expired for all snapshots.
   *
   * @param degrees whether degrees and their marker count as well
   */
  public Content content(Horizon horizon, boolean degrees) {
    Content found = Content.NOTHING;
    byte[] at = low;
    while (at != null && found != Content.ENTRIES) {
      int ticket = space.epochs.enter();
      try {
        long block = OwnerMove.requireLeaf(tree.descent.leaf(at));
        PageHeader header = space.header(block);
        cut = Math.max(cut, header.cut());
        Entries all = tree.format.merged(block, horizon.forNewBase());
        found = content((EdgeEntries) all, horizon, degrees, found);
        at = header.high();
      } finally {
        space.epochs.exit(ticket);
      }
    }
    return found;
  }

  private static Content content(
      EdgeEntries all, Horizon horizon, boolean degrees, Content before) {
    Content found = before;
    for (int i = 0; i < all.count(); i++) {
      if (!degrees && DegreeKey.isOne(all.tagLabel(i))) {
        continue;
      }
      boolean older = Op.isOlder(all.op(i));
      if (!older && !Op.isTombstone(all.op(i))) {
        return Content.ENTRIES;
      } else if (older || all.stamp(i) > horizon.floor()) {
        found = Content.OLD_VERSIONS;
      }
    }
    return found;
  }

  /** The largest cut of the leaves that {@link #content} has looked at. */
  public long cut() {
    return cut;
  }

  /**
   * Removes all pages, when no reader is sent to the tree any more. The next checkpoint lets go of
   * their rows, and of all that is stored of them. No I/O.
   */
  public void remove() {
    tree.shape.lock.lock();
    try {
      List<Integer> pages = new ArrayList<>();
      collect(tree.root(), pages);
      for (int page : pages) {
        table.latch(page);
        try {
          tree.kill(page, table.block(page));
        } finally {
          table.unlatch(page);
        }
      }
    } finally {
      tree.shape.lock.unlock();
    }
  }

  /** Adds the pages from one downwards. The structure lock is held, so every way is true. */
  private void collect(int page, List<Integer> into) {
    int[] children = {};
    table.latch(page);
    try {
      long block = table.block(page);
      if (!tree.isOwn(block)) {
        throw new IllegalStateException("a page that is pinned is not there: page=" + page);
      }
      if (space.header(block).kind() == PageHeader.INNER) {
        children = space.inner.children(block);
      }
    } finally {
      table.unlatch(page);
    }
    into.add(page);
    for (int child : children) {
      collect(child, into);
    }
  }

  /** Lets go of the leaves. */
  @Override
  public void close() {
    leaves.close();
  }
}
