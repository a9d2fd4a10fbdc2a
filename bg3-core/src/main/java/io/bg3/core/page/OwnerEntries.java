package io.bg3.core.page;

/** Told the owners of a leaf, each with the number of its entries there. */
@FunctionalInterface
public interface OwnerEntries {
  /** An owner, and how many entries of it the leaf has. */
  void accept(long owner, int entries);
}
