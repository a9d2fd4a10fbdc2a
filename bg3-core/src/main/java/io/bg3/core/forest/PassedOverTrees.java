package io.bg3.core.forest;

import io.bg3.core.tree.FamilyOwner;
import io.bg3.core.tree.HeavyOwnerSearch;
import io.bg3.core.tree.Tree;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * The shared trees in which an owner with many entries may be that nobody notices: more waited at
 * once than are remembered, or the store was closed before they had moved (R56). The trees are
 * searched one after the other, leaf by leaf, and the place is kept between two looks. A tree in
 * which owners are passed over meanwhile is searched again when the others have been.
 *
 * <p>A tree with owners that cannot be moved, and of which too many are put off to remember each,
 * is searched again after a long rest ({@link SearchRests}).
 *
 * <p>Threads: belongs to the one that moves owners.
 */
public final class PassedOverTrees implements UnnoticedOwners {
  private final Forest forest;
  private final SearchRests later; // of trees with owners that cannot be moved
  private HeavyOwnerSearch search; // null if none is under way
  private int last; // place of the tree that was searched last

  /** The trees of a forest. */
  public PassedOverTrees(Forest forest) {
    this(forest, System::nanoTime);
  }

  /** The trees of a forest, by a clock of the caller's, in nanoseconds. */
  public PassedOverTrees(Forest forest, LongSupplier nanos) {
    this.forest = forest;
    this.later = new SearchRests(nanos);
  }

  /**
   * Has the next search begin at any tree: a store that is never open for as long as it takes to
   * look at all trees looks at each of them in the end.
   */
  public void beginAnywhere() {
    last = ThreadLocalRandom.current().nextInt(forest.byFamily().sharedTrees().size());
  }

  @Override
  public boolean isEmpty() {
    return !isSearching() && nextTree(forest.byFamily().sharedTrees()) < 0;
  }

  /** Looks at the next leaf of a shared tree, and names owners that may have many entries. */
  @Override
  public List<FamilyOwner> lookAtNext() {
    if (!isSearching()) {
      List<Tree> trees = forest.byFamily().sharedTrees();
      int next = nextTree(trees);
      if (next < 0) {
        return List.of();
      }
      last = next;
      begin(trees.get(next));
    }
    List<FamilyOwner> found = search.lookAtNext();
    if (search.isAtEnd()) {
      search = null;
    }
    return found;
  }

  private void begin(Tree tree) {
    later.begin(tree.id());
    search = HeavyOwnerSearch.begin(tree);
  }

  /** Whether a search is under way; it ends if owners do not leave its tree any more. */
  private boolean isSearching() {
    if (search != null && !HeavyOwnerSearch.isPossible(search.tree())) {
      search = null;
    }
    return search != null;
  }

  /**
   * Goes on behind the leaf that is damaged. If it is not known where that is, the search of the
   * tree ends, and another one begins later.
   */
  @Override
  public void passLeaf() {
    if (search != null && !search.passLeaf()) {
      later.note(search.tree().id());
      search = null;
    } else if (search != null && search.isAtEnd()) {
      search = null;
    }
  }

  /** Says that an owner cannot be moved now, and that it is not remembered any more. */
  public void noteLater(FamilyOwner owner) {
    later.note(forest.sharedTree(owner).id());
  }

  /** Whether the tree that an owner shares is noted, to be searched after a long rest. */
  public boolean isNotedForLater(FamilyOwner owner) {
    return later.isNoted(forest.sharedTree(owner).id());
  }

  @Override
  public void noteMoved(FamilyOwner owner) {
    later.noteMoved(forest.sharedTree(owner).id());
  }

  /** The place of the next tree to search, those behind the last one first; -1 if there is none. */
  private int nextTree(List<Tree> trees) {
    for (int i = 1; i <= trees.size(); i++) {
      int at = (last + i) % trees.size();
      if (HeavyOwnerSearch.isDue(trees.get(at)) || isDueLater(trees.get(at))) {
        return at;
      }
    }
    return -1;
  }

  private boolean isDueLater(Tree tree) {
    return later.isDue(tree.id()) && HeavyOwnerSearch.isPossible(tree);
  }
}
