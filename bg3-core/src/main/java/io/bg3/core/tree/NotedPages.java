package io.bg3.core.tree;

import io.bg3.core.table.PageTable;
import io.bg3.storage.extent.Location;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
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

  private final List<Noted> pages = new ArrayList<>();
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
    pages.add(new Noted(tree, page, block, needsBase, reshaped));
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
    pages.sort(
        Comparator.comparing((Noted page) -> !isShape(page, table))
            .thenComparing(
                (a, b) -> Long.compareUnsigned(table.base(a.page()), table.base(b.page()))));
    return (int) pages.stream().filter(page -> isShape(page, table)).count();
  }

  private static boolean isShape(Noted page, PageTable table) {
    return page.reshaped() || table.base(page.page()) == Location.NONE;
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
    return pages.size();
  }

  /** Leaves that were empty when they could not be removed; they may be anything by now. */
  Set<TreePage> emptied() {
    return emptied;
  }

  List<Noted> pages() {
    return pages;
  }
}
