package io.bg3;

import io.bg3.core.forest.Forest;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.recovery.OpenedStore;
import io.bg3.core.tree.PageCensus;
import io.bg3.core.tree.Tree;
import io.bg3.storage.extent.ExtentUsage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The pages of a family of edge labels by state, and its trees by size, as far as BG3 knows them
 * without loading anything: {@link PageCensus} says what that is.
 *
 * @param family number of the family; 0 for all that is in no family: vertices, indexes, and the
 *     edges of other labels
 * @param whole pages that are in memory as a whole
 * @param topology leaves of which the edges are in memory and their properties are not
 * @param stored pages that are in storage only, as far as their extents are those of the family
 * @param dirty pages in memory that differ from what is stored
 * @param trees trees by their number of pages: 1, less than ten, a hundred, a thousand, more
 * @param treesInStorage trees whose root is in storage only, so that their size is not known
 */
public record FamilyPages(
    int family,
    long whole,
    long topology,
    long stored,
    long dirty,
    List<Long> trees,
    long treesInStorage) {
  /** Counts the pages and trees of a store. */
  static List<FamilyPages> of(OpenedStore store) {
    Forest forest = store.forest();
    Map<Integer, Integer> families = new HashMap<>();
    for (ExtentUsage usage : store.extents().usage()) {
      families.put(usage.extent(), usage.family());
    }
    PageCensus.Pages[] counted =
        new PageCensus(
                store.space(),
                TreeIds.FIRST_INIT,
                forest.families(),
                forest.familyOfTrees(),
                extent -> families.getOrDefault(extent, 0))
            .count();
    List<FamilyPages> pages = new ArrayList<>();
    pages.add(of(0, forest.initTrees() + forest.dedicatedTrees(0), counted[0]));
    for (Tree tree : forest.familyTrees()) {
      int family = tree.shape().family();
      if (family < counted.length) {
        pages.add(of(family, 1 + forest.dedicatedTrees(family), counted[family]));
      }
    }
    return List.copyOf(pages);
  }

  private static FamilyPages of(int family, long trees, PageCensus.Pages counted) {
    List<Long> sizes = new ArrayList<>();
    long known = 0;
    for (long size : counted.trees()) {
      sizes.add(size);
      known += size;
    }
    return new FamilyPages(
        family,
        counted.whole(),
        counted.topology(),
        counted.stored(),
        counted.dirty(),
        List.copyOf(sizes),
        Math.max(0, trees - known));
  }
}
