package io.bg3.core.tree;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The pages that a checkpoint noted: for each the block that is to be written out. Belongs to the
 * checkpoint's thread.
 */
public final class NotedPages {
  /**
   * @param needsBase whether only a base can store the block
   */
  record Noted(Tree tree, int page, long block, boolean needsBase) {}

  private final List<Noted> pages = new ArrayList<>();
  private final Set<TreePage> emptied = new LinkedHashSet<>();
  private final List<Integer> removed = new ArrayList<>();

  private final List<Tree> trees;

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

  void add(Tree tree, int page, long block, boolean needsBase) {
    pages.add(new Noted(tree, page, block, needsBase));
  }

  void addEmptied(TreePage page) {
    emptied.add(page);
  }

  void addRemoved(int page) {
    removed.add(page);
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
