package io.bg3.core.tree;

import java.util.ArrayList;
import java.util.List;

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
  private final List<Integer> removed = new ArrayList<>();

  void add(Tree tree, int page, long block, boolean needsBase) {
    pages.add(new Noted(tree, page, block, needsBase));
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

  List<Noted> pages() {
    return pages;
  }
}
