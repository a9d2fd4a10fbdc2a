package io.bg3.core.tree;

import io.bg3.core.table.PageTable;
import io.bg3.storage.extent.Location;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.Set;

/**
 * The pages that a checkpoint noted: for each the block that is to be written out. Belongs to the
 * checkpoint's thread.
 */
public final class NotedPages {
  /**
   * @param block as it was noted; it may be moved until {@link TreeSpace#takeNoted}
   * @param needsBase whether only a base can store the block
   * @param reshaped whether its image cannot take the place of the last one alone (R52): the range
   *     of the leaf is another one, it is an inner page, or the log lacks what is in it
   */
  record Noted(Tree tree, int page, long block, boolean needsBase, boolean reshaped) {
    Noted at(long moved) {
      return moved == block ? this : new Noted(tree, page, moved, needsBase, reshaped);
    }
  }

  private static final int FEWEST = 64;

  private static final byte NEEDS_BASE = 1;
  private static final byte RESHAPED = 2;

  /** The tree of the page has leaves of byte keys. */
  private static final byte BYTES = 4;

  // A page is a row of numbers and no object: all pages of a store may have been noted, and the
  // garbage collector would copy an object of each and its tree.
  private TreeShape[] shapes = new TreeShape[FEWEST];
  private int[] ids = new int[FEWEST]; // of the trees
  private int[] roots = new int[FEWEST]; // of the trees
  private int[] numbers = new int[FEWEST]; // of the pages
  private long[] blocks = new long[FEWEST];
  private byte[] flags = new byte[FEWEST];
  private int count;

  /** The rows in the order in which the pages are written; null if that is their own. */
  private int[] order;

  /** Of the trees that several of the pages belong to: the one that was met last. */
  private Tree newest;

  private TreeSpace space;

  private final Set<TreePage> emptied = new LinkedHashSet<>();
  private final List<Integer> removed = new ArrayList<>();

  private final List<Tree> trees;
  private boolean losesLogged;

  /** No pages yet, of which no manifest follows. */
  public NotedPages() {
    this(List.of());
  }

  /**
   * No pages yet.
   *
   * @param trees those that a manifest names behind this
   */
  public NotedPages(List<Tree> trees) {
    this.trees = trees;
  }

  /** The trees that the manifest names, as they were when their pages were noted. */
  public List<Tree> trees() {
    return trees;
  }

  void add(Tree tree, int page, long block, boolean needsBase, boolean reshaped) {
    assert order == null && (space == null || space == tree.space) : tree;
    if (count == numbers.length) {
      grow();
    }
    space = tree.space;
    shapes[count] = tree.shape;
    ids[count] = tree.id();
    roots[count] = tree.root();
    numbers[count] = page;
    blocks[count] = block;
    int kind = tree.isOfEdges() ? 0 : BYTES;
    flags[count] = (byte) (kind | (needsBase ? NEEDS_BASE : 0) | (reshaped ? RESHAPED : 0));
    count++;
  }

  private void grow() {
    int rows = (int) Math.min(2L * count, Integer.MAX_VALUE - 8);
    shapes = Arrays.copyOf(shapes, rows);
    ids = Arrays.copyOf(ids, rows);
    roots = Arrays.copyOf(roots, rows);
    numbers = Arrays.copyOf(numbers, rows);
    blocks = Arrays.copyOf(blocks, rows);
    flags = Arrays.copyOf(flags, rows);
  }

  private Noted row(int row) {
    return new Noted(
        tree(row),
        numbers[row],
        blocks[row],
        (flags[row] & NEEDS_BASE) != 0,
        (flags[row] & RESHAPED) != 0);
  }

  private Tree tree(int row) {
    if (newest == null || newest.id() != ids[row] || newest.shape != shapes[row]) {
      TreeKind kind = (flags[row] & BYTES) == 0 ? TreeKind.EDGES : TreeKind.BYTES;
      newest = Tree.open(space, shapes[row], ids[row], kind, roots[row]);
    }
    return newest;
  }

  /**
   * Puts the pages first that are new, or of which the images cannot take the place of the last
   * ones alone, and the others behind them into the order in which their bases are stored: so these
   * supersede one extent after the other.
   *
   * @param table has the rows of the pages, which do not change meanwhile
   * @return how many pages come first
   */
  public int sortByPlace(PageTable table) {
    int[] sorted = new int[count];
    int shape = 0;
    for (int row = 0; row < count; row++) {
      if (isShape(row, table)) {
        sorted[shape++] = row;
      }
    }
    int others = shape;
    for (int row = 0; row < count; row++) {
      if (!isShape(row, table)) {
        sorted[others++] = row;
      }
    }
    order = new int[count];
    sort(sorted, 0, shape, table);
    sort(sorted, shape, count, table);
    return shape;
  }

  private void sort(int[] rows, int from, int to, PageTable table) {
    int[] some = Arrays.copyOfRange(rows, from, to);
    long[] bases = new long[some.length];
    for (int i = 0; i < bases.length; i++) {
      bases[i] = table.base(numbers[some[i]]);
    }
    System.arraycopy(PlaceOrder.sorted(bases, some), 0, order, from, some.length);
  }

  private boolean isShape(int row, PageTable table) {
    return (flags[row] & RESHAPED) != 0 || table.base(numbers[row]) == Location.NONE;
  }

  void addEmptied(TreePage page) {
    emptied.add(page);
  }

  void addRemoved(int page) {
    removed.add(page);
  }

  /**
   * Says that the trees lack entries that the log holds and that nothing in it removes: they are
   * complete only with the log behind them.
   */
  public void loseLogged() {
    losesLogged = true;
  }

  /** Whether the log from the last checkpoint on would bring back what the trees lack (R52). */
  public boolean losesLogged() {
    return losesLogged;
  }

  /** Pages that were removed from their trees: this checkpoint no longer names them. */
  public List<Integer> removed() {
    return removed;
  }

  /** Number of noted pages. */
  public int count() {
    return count;
  }

  /** Leaves that were empty when they could not be removed; they may be anything by now. */
  Set<TreePage> emptied() {
    return emptied;
  }

  /** The pages, in the order in which they are written. An object is made whenever one is got. */
  List<Noted> pages() {
    return new Rows();
  }

  private final class Rows extends AbstractList<Noted> implements RandomAccess {
    @Override
    public Noted get(int index) {
      return row(order == null ? Objects.checkIndex(index, count) : order[index]);
    }

    @Override
    public int size() {
      return count;
    }
  }
}
