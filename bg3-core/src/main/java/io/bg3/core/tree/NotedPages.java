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

  /** A leaf that was empty when it could not be removed; it may be anything by now. */
  record Emptied(Tree tree, int page) {}

  private final List<Noted> pages = new ArrayList<>();
  private final Set<Emptied> emptied = new LinkedHashSet<>();
  private final List<Integer> removed = new ArrayList<>();

  void add(Tree tree, int page, long block, boolean needsBase) {
    pages.add(new Noted(tree, page, block, needsBase));
  }

  void addEmptied(Tree tree, int page) {
    emptied.add(new Emptied(tree, page));
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

  Set<Emptied> emptied() {
    return emptied;
  }

  List<Noted> pages() {
    return pages;
  }
}
