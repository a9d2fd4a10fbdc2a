package io.bg3.core.tree;

import java.util.ArrayList;
import java.util.List;

/**
 * A search through the leaves of one shared tree, from the left to the right, for owners that may
 * have enough entries for a tree of their own and that nobody notices any more (R56).
 *
 * <pre>
 *   search                                 thread that consolidates leaf 3
 *   forgets that owners were passed over
 *   looks at leaves 1, 2, …                publishes leaf 3
 *                                          finds no room for its owner
 *                                          notes that one was passed over
 *   looks at leaf 3, …, the last
 *   one was passed over: begins anew
 * </pre>
 *
 * <p>A leaf that was published before the search began is seen as it is, or as it became.
 *
 * <p>Threads: belongs to one, outside of epochs.
 */
public final class HeavyOwnerSearch {
  private final Tree tree;
  private final LeafWalk leaves;

  private HeavyOwnerSearch(Tree tree) {
    this.tree = tree;
    this.leaves = new LeafWalk(tree);
  }

  /** Whether a tree may have owners that were passed over, and is one whose owners move. */
  public static boolean isDue(Tree tree) {
    return tree.shape.hasPassedOver() && isPossible(tree);
  }

  /** Whether a tree is one whose owners move. */
  public static boolean isPossible(Tree tree) {
    return !tree.space.heavy.isOff(tree.shape);
  }

  /** The tree that is searched. */
  public Tree tree() {
    return tree;
  }

  /** Begins a search: owners that are passed over from now on are another one's. */
  public static HeavyOwnerSearch begin(Tree tree) {
    tree.shape.forgetPassedOver(); // first: what is published before that is seen
    return new HeavyOwnerSearch(tree);
  }

  /** Whether all leaves have been looked at. */
  public boolean isAtEnd() {
    return leaves.isAtEnd();
  }

  /** Names the owners of the next leaf that may have many entries, as {@link LeafWalk#next}. */
  public List<FamilyOwner> lookAtNext() {
    List<FamilyOwner> found = new ArrayList<>();
    leaves.next(block -> name(block, found));
    return found;
  }

  private void name(long block, List<FamilyOwner> found) {
    HeavyOwners heavy = tree.space.heavy;
    if (!heavy.isOff(tree.shape)) {
      heavy.name(
          tree.shape,
          tree.format,
          block,
          owner -> found.add(new FamilyOwner(owner, tree.shape.family)));
    }
  }

  /** Goes on behind a leaf that cannot be read, as {@link LeafWalk#passLeaf}. */
  public boolean passLeaf() {
    return leaves.passLeaf();
  }
}
