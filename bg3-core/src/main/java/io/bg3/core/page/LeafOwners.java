package io.bg3.core.page;

/** Told the owners of a leaf, base and delta, in their order. */
@FunctionalInterface
public interface LeafOwners {
  /**
   * An owner of the leaf.
   *
   * @param entries of it in the leaf; one that the delta replaces or removes counts as well
   * @param before whether keys of it belong to leaves further left
   * @param behind whether keys of it belong to leaves further right
   */
  void accept(long owner, int entries, boolean before, boolean behind);
}
