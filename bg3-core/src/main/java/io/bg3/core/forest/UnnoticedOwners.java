package io.bg3.core.forest;

import io.bg3.core.tree.FamilyOwner;
import java.util.List;

/**
 * Owners whose entries belong into another tree, and that nobody has noticed. They are found leaf
 * by leaf, and the place is kept between two looks.
 *
 * <p>Threads: belongs to the one that moves owners.
 */
public interface UnnoticedOwners {
  /** Whether there is no leaf to look at now. */
  boolean isEmpty();

  /**
   * Looks at the next leaf, as {@link io.bg3.core.tree.LeafWalk#next}.
   *
   * @return the owners that may have to be moved; empty also if there is no leaf to look at
   */
  List<FamilyOwner> lookAtNext();

  /** Goes on behind the leaf that the last look has found damaged. */
  void passLeaf();

  /** Says that an owner which a look has named has been moved, or its degrees are kept now. */
  void noteMoved(FamilyOwner owner);
}
