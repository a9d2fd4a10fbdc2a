package io.bg3.core.tree;

import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.LargeValueLocations;
import io.bg3.core.page.InnerFormat;
import io.bg3.core.page.LeafFormat;
import io.bg3.core.table.PageTable;
import io.bg3.core.table.StoredState;
import io.bg3.storage.format.CorruptionException;
import io.bg3.storage.format.UnreadableException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongBiFunction;

/**
 * Walks a whole tree and compares every page with what its parent and its left neighbour say of it.
 *
 * <ul>
 *   <li>C1: every page is reachable exactly once, belongs to the tree and knows its own number.
 *   <li>C2: a page's fences are those that its parent's separators give it.
 *   <li>C3: a page's right sibling is the next page of its level, 0 for the last.
 *   <li>C4: children stand one level below their parent; leaves at level 0.
 *   <li>C5: every page keeps its own invariants, and the keys of a leaf lie between its fences.
 *   <li>C6: a leaf of edges has entries of the family of its tree alone; of none where the tree is
 *       of none (R45).
 * </ul>
 *
 * <p>The tree is checked in slices of some leaves, from left to right, with its shape held still
 * during each. Between two of them pages may come and go, so C1 and C3 hold for the pages of a
 * slice, and C2 from one to the next: a slice begins at the key at which the last one has ended.
 *
 * <p>A leaf in memory is looked at under its latch. A page that is not is read into blocks of this
 * checker's own, which it frees: so a store is checked in the memory of a few pages, by which the
 * budget may be overdrawn.
 *
 * <p>Threads: belongs to one.
 */
public final class TreeChecker {
  /** Bytes of large values that count as much as a leaf in a slice. */
  private static final long LEAF_BYTES = 16 << 10;

  private final TreeSpace space;
  private final LeafFormat format;
  private final Tree of;
  private final int tree;
  private final int root;
  private final PageLoader.Listener stored;
  private final ToLongBiFunction<LargeValueLocations, Integer> values;
  private final Set<String> problems = new LinkedHashSet<>(); // inner pages are met in many slices
  private final BitSet pages = new BitSet();
  private int height;
  private long entries;

  /** Where the next slice begins; null behind the last one. */
  private byte[] from = Descent.FIRST;

  /** Where the leaf begins that was visited last. */
  private byte[] lastLeaf = Descent.FIRST;

  // Of the slice under way.
  private final Set<Integer> seen = new HashSet<>();
  private long left; // in leaves

  /** Says of a right sibling that the page could not be read. */
  private static final int UNKNOWN = -1;

  /** The page met last on each level, and what it said of its right sibling. */
  private final List<Integer> last = new ArrayList<>();

  private final List<Integer> expectedNext = new ArrayList<>();

  TreeChecker(
      Tree of, PageLoader.Listener stored, ToLongBiFunction<LargeValueLocations, Integer> values) {
    this.of = of;
    this.space = of.space;
    this.format = of.format;
    this.tree = of.id();
    this.root = of.root();
    this.stored = stored;
    this.values = values;
  }

  /**
   * Checks the next leaves, with the tree's shape held still: splits wait meanwhile.
   *
   * @param leaves how many; damaged ones count too, and so do 16 KiB of large values
   * @return whether there are more
   */
  public boolean next(int leaves) {
    int ticket = space.busy.enter();
    of.shape.lock.lock();
    try {
      slice(leaves);
    } finally {
      of.shape.lock.unlock();
      space.busy.exit(ticket);
    }
    return from != null;
  }

  /** Lets the next slice begin with the leaf that this one has visited last. */
  public void visitLastLeafAgain() {
    from = lastLeaf;
  }

  /** The findings so far. */
  public TreeReport report() {
    return new TreeReport(tree, pages.cardinality(), height, entries, List.copyOf(problems));
  }

  private void slice(int leaves) {
    seen.clear();
    last.clear();
    expectedNext.clear();
    left = leaves;
    height = height();
    for (int level = 0; level < height; level++) {
      last.add(0);
      expectedNext.add(0);
    }
    byte[] next = height > 0 ? visit(root, height - 1, null, null) : null;
    from = next;
    for (int level = 0; next == null && level < height; level++) {
      if (expectedNext.get(level) > 0) {
        problem(
            "C3",
            last.get(level),
            "last of its level but has right sibling " + expectedNext.get(level));
      }
    }
  }

  /** Levels, by what the root says; 0 if it cannot be read. */
  private int height() {
    int ticket = space.epochs.enter();
    try {
      long block = space.table.block(root);
      if (PageTable.isBlock(block)) {
        return space.header(block).level() + 1;
      }
    } finally {
      space.epochs.exit(ticket);
    }
    try {
      long own = space.loader().read(root);
      int level = space.header(own).level();
      space.free(own);
      return level + 1;
    } catch (UnreadableException | UncheckedIOException e) {
      problem("C5", root, e.getMessage());
      return 0;
    }
  }

  /** Checks a page and what is below it; says where the slice has ended, null if it goes on. */
  private byte[] visit(int page, int level, byte[] low, byte[] high) {
    boolean again = pages.get(page);
    pages.set(page);
    if (level == 0) {
      lastLeaf = low == null ? Descent.FIRST : low;
      left--;
    }
    if (!seen.add(page)) {
      problem("C1", page, "reachable twice");
      return end(high);
    }
    long block;
    space.table.latch(page);
    try {
      block = space.table.block(page);
      if (!StoredState.isStored(block) && !isInner(block)) {
        return visitBlock(page, block, level, low, high, again);
      }
    } finally {
      space.table.unlatch(page);
    }
    return StoredState.isStored(block)
        ? visitStored(page, level, low, high, again)
        : visitBlock(page, block, level, low, high, again);
  }

  /** Where the slice ends behind a page whose range ends here; null if it goes on. */
  private byte[] end(byte[] high) {
    return left > 0 ? null : high;
  }

  private boolean isInner(long block) {
    return PageTable.isBlock(block) && space.header(block).kind() == PageHeader.INNER;
  }

  private byte[] visitStored(int page, int level, byte[] low, byte[] high, boolean again) {
    long block;
    try {
      block = space.loader().read(page);
    } catch (UnreadableException | UncheckedIOException e) {
      problem("C5", page, e.getMessage());
      stored.loaded(page, LargeValueLocations.NONE);
      last.set(level, page);
      expectedNext.set(level, UNKNOWN);
      left -= level == 0 ? 0 : 1; // a leaf has been counted
      return end(high);
    }
    try {
      stored.loaded(page, space.loader().references(block));
      return visitBlock(page, block, level, low, high, again);
    } finally {
      space.free(block);
    }
  }

  private byte[] visitBlock(
      int page, long block, int level, byte[] low, byte[] high, boolean again) {
    if (!PageTable.isBlock(block)) {
      problem("C1", page, "reachable but not there");
      return end(high);
    }
    PageHeader header = space.header(block);
    if (header.pageId() != page || header.treeId() != tree) {
      problem("C1", page, "says it is page=" + header.pageId() + ", tree=" + header.treeId());
      return end(high);
    }
    if (!Arrays.equals(header.low(), low) || !Arrays.equals(header.high(), high)) {
      problem("C2", page, "has other fences than its parent gives it: " + header.frame());
    }
    if (header.level() != level || (level == 0) == (header.kind() == PageHeader.INNER)) {
      problem(
          "C4",
          page,
          "level=" + header.level() + ", kind=" + header.kind() + ", expected level=" + level);
      return end(high);
    }
    if (last.get(level) != 0
        && expectedNext.get(level) != UNKNOWN
        && expectedNext.get(level) != page) {
      problem(
          "C3",
          last.get(level),
          "right sibling=" + expectedNext.get(level) + ", next page=" + page);
    }
    last.set(level, page);
    expectedNext.set(level, header.rightSibling());
    if (level > 0) {
      return checkInner(page, block, level, low, high);
    }
    checkLeaf(page, block, low, high, again);
    left -= values.applyAsLong(format.references(block), page) / LEAF_BYTES;
    return end(high);
  }

  private byte[] checkInner(int page, long block, int level, byte[] low, byte[] high) {
    InnerFormat inner = space.inner;
    try {
      inner.check(block);
    } catch (AssertionError | CorruptionException e) {
      problem("C5", page, e.getMessage());
    }
    List<byte[]> separators = inner.separators(block);
    int[] children = inner.children(block);
    for (int i = 0; i < children.length; i++) {
      byte[] end = i == separators.size() ? high : separators.get(i);
      if (end == null || Arrays.compareUnsigned(end, from) > 0) {
        byte[] next = visit(children[i], level - 1, i == 0 ? low : separators.get(i - 1), end);
        if (next != null) {
          return next;
        }
      }
    }
    return null;
  }

  private void checkLeaf(int page, long block, byte[] low, byte[] high, boolean again) {
    try {
      format.check(block);
    } catch (AssertionError | CorruptionException e) {
      problem("C5", page, e.getMessage());
    }
    var all = format.merged(block, Horizon.KEEP_ALL);
    entries += again ? 0 : all.count();
    if (!all.isSorted()) {
      problem("C5", page, "entries out of order");
    }
    if (all.count() > 0
        && ((low != null && all.compareKey(0, low) < 0)
            || (high != null && all.compareKey(all.count() - 1, high) >= 0))) {
      problem("C5", page, "keys outside of the fences");
    }
    if (all instanceof EdgeEntries edges) {
      checkFamily(page, edges);
    }
  }

  private void checkFamily(int page, EdgeEntries edges) {
    for (int i = 0; i < edges.count(); i++) {
      int family = EdgeKey.family(edges.tagLabel(i));
      if (family != of.shape.family) {
        problem(
            "C6", page, "has edges of family " + family + ", tree of family " + of.shape.family);
        return; // one for each leaf
      }
    }
  }

  private void problem(String rule, int page, String what) {
    problems.add(rule + ": " + what + ": tree=" + tree + ", page=" + page);
  }
}
