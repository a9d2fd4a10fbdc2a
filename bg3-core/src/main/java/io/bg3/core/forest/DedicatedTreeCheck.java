package io.bg3.core.forest;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.tree.FamilyOwner;
import io.bg3.core.tree.LeafSource;
import io.bg3.core.tree.RoutedReads;
import io.bg3.core.tree.Tree;
import java.util.Optional;

/**
 * The check that the entries of an owner with a dedicated tree are in that tree, and that no others
 * are there.
 *
 * <p>Threads: any, beside moves and commits.
 */
public final class DedicatedTreeCheck {
  private final Forest forest;

  /** A check of the trees of a forest. */
  public DedicatedTreeCheck(Forest forest) {
    this.forest = forest;
  }

  /**
   * Describes an entry that the dedicated tree of an owner has of other owners, or that the shared
   * tree still has of the owner; empty if there is none. May load pages.
   */
  public Optional<String> problem(FamilyOwner owner) {
    byte[] low = EdgeKey.prefix(owner.owner());
    byte[] high = EdgeKey.after(low);
    Tree tree = forest.dedicatedTree(owner);
    FamilyTrees of = forest.byFamily().get(owner.family());
    RoutedReads reads = new RoutedReads(forest.space(), of); // the tree may go away meanwhile
    LeafSource own = reads.leaves(owner.owner());
    if (!isEmpty(own, null, low) || (high != null && !isEmpty(own, high, null))) {
      return still(owner, tree, "tree of " + owner + " has entries of others: " + tree);
    }
    Tree shared = forest.sharedTree(owner);
    if (!isEmpty(shared, low, high)) {
      forest.betweenMoves(() -> owner); // its move may be under way
      if (!isEmpty(shared, low, high)) {
        return still(owner, tree, owner + " has entries beside its tree: " + tree);
      }
    }
    return Optional.empty();
  }

  /** A problem of the tree of an owner, unless the tree has gone away meanwhile. */
  private Optional<String> still(FamilyOwner owner, Tree tree, String problem) {
    return tree != null && tree.equals(forest.dedicatedTree(owner))
        ? Optional.of(problem)
        : Optional.empty();
  }

  private static boolean isEmpty(LeafSource tree, byte[] low, byte[] high) {
    Entries found = tree.newEntries();
    byte[] at = low == null ? new byte[0] : low;
    while (at != null && found.count() == 0) {
      at = tree.copyForward(at, high, Long.MAX_VALUE, false, 1, found);
    }
    return found.count() == 0;
  }
}
