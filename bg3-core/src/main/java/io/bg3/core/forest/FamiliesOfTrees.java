package io.bg3.core.forest;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * Maps the number of a tree to its family, 0 for none. Knows the dedicated trees that existed when
 * this was made, and all other trees. Takes 8 bytes for each dedicated tree of a family.
 *
 * <p>Threads: any.
 */
final class FamiliesOfTrees implements IntUnaryOperator {
  /** Number and family of each dedicated tree, ascending. */
  private final long[] dedicated;

  FamiliesOfTrees(List<FamilyTrees> families) {
    long[] all = {};
    for (FamilyTrees each : families) {
      long[] rows = each.rows();
      int end = all.length;
      all = Arrays.copyOf(all, end + rows.length);
      for (int i = 0; i < rows.length; i++) {
        all[end + i] = DirectoryRow.pack(DirectoryRow.tree(rows[i]), each.family());
      }
    }
    dedicated = all;
    Arrays.sort(dedicated);
  }

  @Override
  public int applyAsInt(int tree) {
    if (tree < TreeIds.FIRST_DEDICATED) {
      return TreeIds.family(tree);
    }
    int at =
        Arrays.binarySearch(dedicated, DirectoryRow.pack(tree, 0)); // in no family, so not there
    int first = -at - 1;
    boolean isThere = first < dedicated.length && DirectoryRow.tree(dedicated[first]) == tree;
    return isThere ? (int) dedicated[first] : 0;
  }
}
