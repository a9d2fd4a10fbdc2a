package io.bg3.core.tree;

import io.bg3.core.block.PageHeader;
import io.bg3.core.table.PageRow;
import io.bg3.core.table.PageTable;
import io.bg3.core.table.StoredState;
import io.bg3.storage.extent.Location;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/**
 * Counts the pages of a store by family and state, and the trees by size, from the page table alone
 * and what is in memory: no page is loaded, no latch and no lock is taken. Pages change meanwhile,
 * so the numbers are those of no single moment.
 *
 * <ul>
 *   <li>Of a page in storage nothing is known but in which extents it is: it counts for the family
 *       of these. Inner pages, and leaves without anything that expires, are in the extents of all.
 *   <li>The size of a tree is 1 and what its inner pages in memory name. A tree whose root is in
 *       storage is not counted.
 * </ul>
 *
 * <p>Belongs to one thread.
 */
public final class PageCensus {
  /** Trees of one page, of less than ten, a hundred, a thousand, and of more. */
  public static final int SIZES = 5;

  /** Rows that are looked at within one epoch. */
  private static final int ROWS = 64;

  /** The first number of the trees that are counted by size. */
  private final int firstTree;

  private final TreeSpace space;
  private final IntUnaryOperator familyOfTree;
  private final IntUnaryOperator familyOfExtent;
  private final Pages[] families;
  private long[] inner = new long[16]; // tree, children of one page
  private int inners;

  /**
   * @param firstTree trees with lower numbers are not counted by size
   * @param families the highest number of a family
   */
  public PageCensus(
      TreeSpace space,
      int firstTree,
      int families,
      IntUnaryOperator familyOfTree,
      IntUnaryOperator familyOfExtent) {
    this.space = space;
    this.firstTree = firstTree;
    this.familyOfTree = familyOfTree;
    this.familyOfExtent = familyOfExtent;
    this.families = new Pages[families + 1];
    Arrays.setAll(this.families, family -> new Pages());
  }

  /** The pages of one family. */
  public static final class Pages {
    private long whole;
    private long topology;
    private long stored;
    private long dirty;
    private final long[] trees = new long[SIZES];

    private Pages() {}

    /** Pages that are in memory as a whole. */
    public long whole() {
      return whole;
    }

    /** Leaves of which the edges are in memory and their properties are not. */
    public long topology() {
      return topology;
    }

    /** Pages that are in storage only. */
    public long stored() {
      return stored;
    }

    /** Pages in memory that differ from what is stored. */
    public long dirty() {
      return dirty;
    }

    /** Trees by their pages, {@link #SIZES} numbers. */
    public long[] trees() {
      return trees.clone();
    }

    private void add(int pages) {
      int size = 0;
      for (int most = 1; size < SIZES - 1 && pages > most; size++) {
        most = most == 1 ? 9 : 10 * most + 9;
      }
      trees[size]++;
    }
  }

  /**
   * Counts all pages, once.
   *
   * @return the pages of each family by its number; under 0 those of all other trees
   */
  public Pages[] count() {
    int end = space.table.end();
    for (int from = 1; from < end; from += ROWS) {
      int ticket = space.epochs.enter();
      try {
        for (int page = from; page < Math.min(end, from + ROWS); page++) {
          look(page);
        }
      } finally {
        space.epochs.exit(ticket);
      }
    }
    addInner();
    return families.clone();
  }

  private void look(int page) {
    PageTable table = space.table;
    long state = table.block(page);
    if (state == 0 || state == PageTable.DEAD) {
      return;
    }
    if (state < 0) {
      of(family(table.row(page))).stored++;
      return;
    }
    PageHeader header = space.header(StoredState.topology(state));
    int tree = header.treeId();
    Pages family = of(familyOfTree.applyAsInt(tree));
    if (StoredState.hasTopology(state)) {
      family.topology++;
    } else {
      family.whole++;
    }
    family.dirty += table.isDirty(page) ? 1 : 0;
    if (tree < firstTree) {
      return;
    }
    if (header.kind() == PageHeader.INNER) {
      note(tree, space.inner.count(state));
    } else if (header.isLast() && header.low() == null) {
      note(tree, 0); // the only leaf, which may have inner pages above it all the same
    }
  }

  /** A family that came behind the beginning counts among the others. */
  private Pages of(int family) {
    return families[family < families.length ? family : 0];
  }

  private int family(PageRow row) {
    long at = row.base() == Location.NONE ? row.delta() : row.base();
    return at == Location.NONE ? 0 : familyOfExtent.applyAsInt(Location.extent(at));
  }

  private void note(int tree, int children) {
    if (inners == inner.length) {
      inner = Arrays.copyOf(inner, 2 * inners);
    }
    inner[inners++] = (long) tree << Integer.SIZE | children;
  }

  private void addInner() {
    Arrays.sort(inner, 0, inners);
    int end;
    for (int first = 0; first < inners; first = end) {
      int tree = (int) (inner[first] >>> Integer.SIZE);
      long pages = 1;
      for (end = first; end < inners && inner[end] >>> Integer.SIZE == tree; end++) {
        pages += (int) inner[end];
      }
      of(familyOfTree.applyAsInt(tree)).add((int) Math.min(pages, Integer.MAX_VALUE));
    }
  }
}
