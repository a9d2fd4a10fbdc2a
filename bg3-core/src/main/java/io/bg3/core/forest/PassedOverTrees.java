package io.bg3.core.forest;

import io.bg3.core.tree.FamilyOwner;
import io.bg3.core.tree.HeavyOwnerSearch;
import io.bg3.core.tree.Tree;
import java.util.List;

/**
 * The shared trees in which an owner with many entries may be that nobody notices: more waited at
 * once than are remembered, or the store was closed before they had moved (R56). The trees are
 * searched one after the other, leaf by leaf, and the place is kept between two looks. A tree in
 * which owners are passed over meanwhile is searched again when the others have been.
 *
 * <p>Threads: belongs to the one that moves owners.
 */
public final class PassedOverTrees {
  private final Forest forest;
  private HeavyOwnerSearch search; // null if none is under way
  private int last; // place of the tree that was searched last

  /** The trees of a forest. */
  public PassedOverTrees(Forest forest) {
    this.forest = forest;
  }

  /** Whether there is a leaf to look at. */
  public boolean isEmpty() {
    return search == null && nextTree(forest.sharedTrees()) < 0;
  }

  /**
   * Looks at the next leaf, as {@link HeavyOwnerSearch#lookAtNext}.
   *
   * @return the owners that may have many entries; empty also if there is no leaf to look at
   */
  public List<FamilyOwner> lookAtNext() {
    if (search == null) {
      List<Tree> trees = forest.sharedTrees();
      int next = nextTree(trees);
      if (next < 0) {
        return List.of();
      }
      last = next;
      search = HeavyOwnerSearch.begin(trees.get(next));
    }
    List<FamilyOwner> found = search.lookAtNext();
    if (search.isAtEnd()) {
      search = null;
    }
    return found;
  }

  /** Ends the search of the tree whose leaf could not be read. */
  public void skipTree() {
    search = null;
  }

  /** The place of the next tree to search, those behind the last one first; -1 if there is none. */
  private int nextTree(List<Tree> trees) {
    for (int i = 1; i <= trees.size(); i++) {
      int at = (last + i) % trees.size();
      if (HeavyOwnerSearch.isDue(trees.get(at))) {
        return at;
      }
    }
    return -1;
  }
}
