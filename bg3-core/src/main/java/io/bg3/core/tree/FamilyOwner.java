package io.bg3.core.tree;

/**
 * An owner, as far as its entries of one family are concerned: what moves from a shared tree to a
 * tree of its own, and back (R54).
 *
 * @param family 0 for the entries that are of no family
 */
public record FamilyOwner(long owner, int family) {
  /** The entries of an owner that are of no family. */
  public static FamilyOwner plain(long owner) {
    return new FamilyOwner(owner, 0);
  }

  @Override
  public String toString() {
    return family == 0 ? "vertex " + owner : "vertex " + owner + " in family " + family;
  }
}
