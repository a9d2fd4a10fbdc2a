package io.bg3.core.forest;

import io.bg3.core.tree.Tree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The trees of each family of edge labels of a forest, by the number of the family; under 0 those
 * without a family.
 *
 * <p>Threads: any may read, without a lock. Families are added under a lock of the caller's.
 */
final class Families {
  private final FamilyTrees plain;
  private volatile FamilyTrees[] byNumber;

  // Lists of the above, ascending, made when a family is added.
  private volatile List<FamilyTrees> all;
  private volatile List<FamilyTrees> named;
  private volatile List<Tree> shared;

  /** No family but the trees without one. */
  Families(FamilyTrees plain) {
    this.plain = plain;
    publish(new FamilyTrees[] {plain});
  }

  /** Adds the trees of a family that has none here. */
  void add(FamilyTrees family) {
    FamilyTrees[] known = byNumber;
    int number = family.family();
    FamilyTrees[] more = Arrays.copyOf(known, Math.max(known.length, number + 1));
    more[number] = family;
    publish(more);
  }

  private void publish(FamilyTrees[] known) {
    all = Arrays.stream(known).filter(Objects::nonNull).toList();
    named = all.stream().filter(of -> of != plain).toList();
    List<Tree> trees = new ArrayList<>();
    all.forEach(of -> trees.addAll(of.shared()));
    shared = List.copyOf(trees);
    byNumber = known;
  }

  /** The trees of a family, or those without one for 0; null if there are none. */
  FamilyTrees get(int family) {
    FamilyTrees[] known = byNumber;
    return family < known.length ? known[family] : null;
  }

  /** The highest number of a family. */
  int last() {
    return byNumber.length - 1;
  }

  /** The trees without a family. */
  FamilyTrees plain() {
    return plain;
  }

  /** The trees without a family, and those of each family. */
  List<FamilyTrees> all() {
    return all;
  }

  /** The trees of each family. */
  List<FamilyTrees> named() {
    return named;
  }

  /** The trees that several owners share: the INIT trees, and those of families. */
  List<Tree> sharedTrees() {
    return shared;
  }

  /** Whether a dedicated tree may have lost all its entries since a sweep has looked. */
  boolean anyEmptied() {
    for (FamilyTrees of : all) {
      if (of.mayHaveEmptied()) {
        return true;
      }
    }
    return false;
  }
}
