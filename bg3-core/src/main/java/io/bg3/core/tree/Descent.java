package io.bg3.core.tree;

import io.bg3.core.block.PageHeader;
import io.bg3.core.block.RunPrefetch;
import io.bg3.core.block.ValuePrefetch;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.page.FoundRun;
import io.bg3.core.page.PageRead;
import io.bg3.core.page.PageViews;
import io.bg3.core.table.PageTable;
import io.bg3.core.table.StoredState;
import java.util.Arrays;

/**
 * The way from the root of a tree to one of its leaves, by the rules T1 and T2 of the package.
 *
 * <p>A descent ends at a leaf or at a page that is not in memory, and returns one number for both:
 * the address of the leaf's newest block, or the page's number with a minus. A thread that gets the
 * latter leaves its epoch, has the page loaded, and begins a new descent: nothing that this one saw
 * is true any more.
 *
 * <p>Threads: any, inside an epoch.
 */
final class Descent {
  /** Cache lines of a delta, as many as most have. */
  private static final int DELTA_LINES = 12;

  /** The part of a leaf that is read next, and prefetched on the way. */
  enum Wanted {
    /** Keys, ops and stamps, and no value: a leaf without its values will do. */
    TOPOLOGY,
    /** Its keys, and then perhaps values. */
    KEYS,
    /** The value of the key looked for. */
    VALUE,
    /** All of its delta, to write the next one. */
    DELTA
  }

  /** Sorts before every key. */
  static final byte[] FIRST = new byte[0];

  private final TreeSpace space;
  private final PageTable table;
  private final int tree;
  private final int root;

  /** Null in a tree whose keys do not begin with an owner. */
  private final LeafHints hints;

  Descent(TreeSpace space, int tree, int root, boolean owners) {
    this.space = space;
    this.table = space.table;
    this.tree = tree;
    this.root = root;
    this.hints = owners ? space.hints : null;
  }

  /** The page id of the tree's root. */
  int root() {
    return root;
  }

  /** Whether a descent ended at a leaf. */
  static boolean isLeaf(long found) {
    return found > 0;
  }

  /** The page that a descent ended at because it is not in memory. */
  static int missing(long found) {
    assert !isLeaf(found) : found;
    return (int) -found;
  }

  /** To the leaf that a key belongs to. */
  long leaf(byte[] key) {
    return leaf(key, null, Wanted.KEYS);
  }

  /**
   * Descends to the leaf that a key belongs to.
   *
   * @param read what the thread uses again; null if there is nothing
   * @param wanted what is about to be read
   */
  long leaf(byte[] key, PageRead read, Wanted wanted) {
    PageViews views = read == null ? null : read.views();
    PageHeader header = views == null ? new PageHeader(space.memory) : views.header(space.memory);
    boolean hinting = hints != null && key.length >= Long.BYTES;
    long only = hinting && wanted == Wanted.DELTA ? onlyLeaf(key, header) : 0;
    long hinted = hinting && only == 0 ? hinted(key, header, read, wanted) : 0;
    if (hinted != 0) {
      return hinted;
    }
    if (read != null) { // a hint to another leaf says nothing about this one
      read.run().expect(RunPrefetch.NONE, ValuePrefetch.ANYWHERE);
    }
    if (only != 0) {
      return only;
    }
    int page = root;
    while (true) {
      long block = block(page, wanted);
      if (!PageTable.isBlock(block)) {
        if (StoredState.isStored(block)) {
          return -page;
        }
        page = startAgain();
        continue;
      }
      header.wrap(block);
      if (header.treeId() != tree || header.isBelowLow(key)) { // T1
        page = startAgain();
      } else if (header.isAtOrAboveHigh(key)) { // T2
        page = header.rightSibling();
      } else if (header.kind() == PageHeader.INNER) {
        page = child(block, key, views);
      } else {
        if (hinting) {
          hints.put(EdgeKey.owner(key), page, RunPrefetch.ofHeader(block));
        }
        touch(page, wanted);
        return block;
      }
    }
  }

  private void touch(int leaf, Wanted wanted) {
    if (wanted == Wanted.TOPOLOGY) {
      table.touch(leaf);
    } else {
      table.touchValues(leaf);
    }
  }

  /** The state of a page, or the block that is enough of it for what is wanted. */
  private long block(int page, Wanted wanted) {
    long state = table.block(page);
    return wanted == Wanted.TOPOLOGY ? StoredState.topology(state) : state;
  }

  /**
   * Notes what a look-up that has found its key has read, for the next one of the same owner.
   *
   * @param withValue whether it has read the value too
   */
  void note(byte[] key, boolean withValue, PageRead read) {
    FoundRun run = read.run();
    if (hints == null || run.lines() == RunPrefetch.NONE) {
      return;
    }
    long owner = EdgeKey.owner(key);
    int page = read.views().header(space.memory).pageId();
    if (hints.knows(owner, page, run.lines())) {
      return;
    } else if (withValue) {
      hints.put(owner, page, run.lines(), run.valueLines(), run.span());
    } else {
      hints.put(owner, page, run.lines());
    }
  }

  /**
   * The root, if it is a leaf: a writer needs no hint to find it, and saves the cache line of the
   * hint, which is seldom in the cache where many owners have trees of their own.
   */
  private long onlyLeaf(byte[] key, PageHeader header) {
    long block = table.block(root);
    if (!PageTable.isBlock(block) || header.wrap(block).kind() == PageHeader.INNER) {
      return 0;
    }
    header.fetch(block, DELTA_LINES, table.fetch(root));
    if (!isLeafFor(header.wrap(block), key)) {
      return 0;
    }
    touch(root, Wanted.DELTA);
    return block;
  }

  /** The leaf that a hint leads to, if the key belongs to it; else 0. */
  private long hinted(byte[] key, PageHeader header, PageRead read, Wanted wanted) {
    long owner = EdgeKey.owner(key);
    int page = hints.page(owner);
    if (page == 0) {
      return 0;
    }
    long lines = hints.lines(owner);
    float part = ValuePrefetch.ANYWHERE;
    if (wanted == Wanted.VALUE && key.length == EdgeKey.LENGTH) {
      part = ValuePrefetch.part(hints.span(owner), EdgeKey.other(key));
      header.fetch(lines, hints.values(owner), part);
    } else if (wanted != Wanted.DELTA) {
      header.fetch(lines);
    }
    if (read != null) {
      read.run().expect(lines, part);
    }
    long block = block(page, wanted);
    if (!PageTable.isBlock(block)) {
      return 0;
    }
    if (wanted == Wanted.DELTA) {
      header.fetch(block, DELTA_LINES, table.fetch(page));
    }
    if (!isLeafFor(header.wrap(block), key)) {
      return 0;
    }
    touch(page, wanted);
    return block;
  }

  /** Whether a page is the leaf of this tree that a key belongs to. */
  boolean isLeafFor(PageHeader page, byte[] key) {
    return page.treeId() == tree
        && page.kind() != PageHeader.INNER
        && !page.isBelowLow(key)
        && !page.isAtOrAboveHigh(key);
  }

  /**
   * The page that its parent names for a key: the leaf, if no split is under way. Its row in the
   * page table has not been read, if it is not the root. If a page on the way is not there just
   * now, or not in memory, the page that it was looked for from.
   */
  int probableLeaf(byte[] key, PageViews views) {
    PageHeader header = views.header(space.memory);
    int page = root;
    int level = Integer.MAX_VALUE;
    while (level > 1) {
      long block = table.block(page);
      if (!PageTable.isBlock(block)) {
        return page;
      }
      header.wrap(block);
      level = header.level();
      if (level > 0) {
        page = space.inner.child(block, key, views);
      }
    }
    return page;
  }

  /**
   * The block of the inner page above the leaf that a key belongs to; 0 if the only page is a leaf,
   * or a page on the way is not in memory, or not there just now.
   */
  long aboveLeaf(byte[] key) {
    PageHeader header = new PageHeader(space.memory);
    int page = root;
    while (true) {
      long block = table.block(page);
      if (!PageTable.isBlock(block)) {
        return 0;
      }
      header.wrap(block);
      if (header.treeId() != tree || header.isBelowLow(key) || header.level() == 0) { // T1
        return 0;
      } else if (header.isAtOrAboveHigh(key)) { // T2
        page = header.rightSibling();
      } else if (header.level() == 1) {
        return block;
      } else {
        page = space.inner.child(block, key);
      }
    }
  }

  private int child(long block, byte[] key, PageViews views) {
    return views == null ? space.inner.child(block, key) : space.inner.child(block, key, views);
  }

  /** To the leaf that the keys just below a bound belong to; the last leaf for null. */
  long leafBelow(byte[] bound) {
    return leafBelow(bound, true);
  }

  /**
   * As the method above.
   *
   * @param uses whether the leaf counts as used, so that it stays in memory for longer
   */
  long leafBelow(byte[] bound, boolean uses) {
    PageHeader header = new PageHeader(space.memory);
    int page = root;
    while (true) {
      long block = table.block(page);
      if (!PageTable.isBlock(block)) {
        if (StoredState.isStored(block)) {
          return -page;
        }
        page = startAgain();
        continue;
      }
      header.wrap(block);
      if (header.treeId() != tree || !beginsBelow(header, bound)) { // T1
        page = startAgain();
      } else if (bound == null ? !header.isLast() : header.isAboveHigh(bound)) { // T2
        page = header.rightSibling();
      } else if (header.kind() == PageHeader.INNER) {
        page = space.inner.childBelow(block, bound);
      } else {
        if (uses) {
          table.touchValues(page);
        }
        return block;
      }
    }
  }

  private static boolean beginsBelow(PageHeader header, byte[] bound) {
    byte[] low = bound == null ? null : header.low();
    return low == null || Arrays.compareUnsigned(low, bound) < 0;
  }

  private int startAgain() {
    Thread.onSpinWait();
    return root;
  }
}
