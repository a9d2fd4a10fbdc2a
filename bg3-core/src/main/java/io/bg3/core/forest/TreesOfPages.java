package io.bg3.core.forest;

import io.bg3.core.block.PageHeader;
import io.bg3.core.tree.Tree;
import java.util.Arrays;
import java.util.function.Function;

/**
 * Says of which tree of a family a page is by the number that it bears: of the trees that were
 * there when this was made. Takes 8 bytes for each dedicated tree of the family.
 *
 * <p>Threads: any.
 */
final class TreesOfPages implements Function<PageHeader, Tree> {
  private final FamilyTrees family;
  private final long[] rows;

  TreesOfPages(FamilyTrees family) {
    this.family = family;
    this.rows = family.rows();
  }

  /** The tree of a page; null if it was not there, or is of another family. */
  @Override
  public Tree apply(PageHeader page) {
    int id = page.treeId();
    if (id == family.only().id()) {
      return family.only();
    }
    int at = Arrays.binarySearch(rows, DirectoryRow.pack(id, 0));
    int first = at < 0 ? -at - 1 : at;
    boolean isThere = first < rows.length && DirectoryRow.tree(rows[first]) == id;
    return isThere ? family.dedicated(rows[first]) : null;
  }
}
