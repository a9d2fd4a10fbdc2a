package io.bg3.core.recovery;

import io.bg3.core.entry.ByteEntries;
import io.bg3.core.entry.LargeValueLocations;
import io.bg3.core.forest.DedicatedTreeCheck;
import io.bg3.core.forest.DirectoryKey;
import io.bg3.core.forest.Forest;
import io.bg3.core.table.PageRow;
import io.bg3.core.table.PageTable;
import io.bg3.core.tree.FamilyOwner;
import io.bg3.core.tree.Tree;
import io.bg3.core.tree.TreeChecker;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.extent.Location;
import io.bg3.storage.extent.NoSuchExtentException;
import io.bg3.storage.format.UnreadableException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * Checks the engine's own structures: every tree, every image that the page table or the last
 * checkpoint names, and every value that pages and images refer to, read from storage with its
 * checksum. The meaning as a graph is checked above.
 *
 * <p>It works in slices. No row changes during one, and no value is given up; flushes and
 * checkpoints come between two of them. So it sees each page at some moment, and not all of them at
 * the same one.
 */
final class StoreCheck {
  /** Leaves that are looked at in one slice. */
  private static final int LEAVES = 32;

  /** Bytes of large values after which a slice reads no further one. */
  private static final long VALUE_BYTES = 1 << 20;

  /** Rows whose images are read in one slice. */
  private static final int ROWS = 32;

  private final Forest forest;
  private final PageTable table;
  private final ExtentStore extents;
  private final ValueReferences values;
  private final NamedRows named;

  // Of the check under way.
  private final List<String> problems = new ArrayList<>();
  private final BitSet read = new BitSet();
  private final Set<Long> wanted = new LinkedHashSet<>();

  /** Values of the leaf looked at last that the slice had no time for. */
  private final Set<Long> rest = new HashSet<>();

  private long looked;

  /** One check of a store. */
  StoreCheck(OpenedStore store) {
    this.forest = store.forest();
    this.table = store.space().table();
    this.extents = store.extents();
    this.values = store.values();
    this.named = store.named();
  }

  /** Keeps the rows as they are while a slice is done. */
  @FunctionalInterface
  interface Slices {
    /** Does one slice; says whether it is to be called again. */
    boolean run(BooleanSupplier slice);
  }

  /**
   * Looks at everything and lists what is wrong, one sentence each.
   *
   * @param progress is told how many pages and values have been looked at
   */
  List<String> run(Slices slices, LongConsumer progress) {
    for (Tree tree : forest.trees()) {
      check(tree, () -> true, slices, progress);
    }
    checkDedicated(slices, progress);
    int[] page = {1};
    while (slices.run(() -> readRows(page))) {
      progress.accept(looked + page[0]);
    }
    looked += page[0];
    int[] next = {0};
    int[][] pages = new int[1][];
    while (slices.run(() -> readNamed(pages, next))) {
      progress.accept(looked + next[0]);
    }
    progress.accept(looked + next[0]);
    return problems;
  }

  private void checkDedicated(Slices slices, LongConsumer progress) {
    DedicatedTreeCheck dedicated = new DedicatedTreeCheck(forest);
    ByteEntries owners = new ByteEntries();
    byte[] next = forest.dedicatedTrees() == 0 ? null : new byte[0];
    while (next != null) {
      owners.clear();
      next = forest.dedicatedOwners(next, owners);
      for (int i = 0; i < owners.count(); i++) {
        FamilyOwner owner = DirectoryKey.decode(owners.key(i));
        Tree tree = forest.dedicatedTree(owner);
        if (tree != null) { // else its move is under way, or it has gone back
          check(tree, () -> tree.equals(forest.dedicatedTree(owner)), slices, progress);
          dedicated.problem(owner).ifPresent(problems::add);
        }
      }
    }
  }

  /**
   * Checks a tree.
   *
   * @param isThere whether the tree has not gone away, which it does by being no owner's first and
   *     losing its pages then: asked behind each slice, whose findings count only if it has not
   */
  private void check(Tree tree, BooleanSupplier isThere, Slices slices, LongConsumer progress) {
    TreeChecker checker =
        tree.checker(
            (page, references) -> read.set(page),
            (references, page) -> want(references) + want(values.ofPage(page)));
    long before = looked;
    while (slices.run(() -> next(checker)) && isThere.getAsBoolean()) {
      progress.accept(before + checker.report().pages());
    }
    if (isThere.getAsBoolean()) {
      problems.addAll(checker.report().problems());
    }
    rest.clear();
    looked = before + checker.report().pages();
  }

  /** Notes values to be read; says how many bytes that is. */
  private long want(LargeValueLocations references) {
    long bytes = 0;
    for (long location : references.locations()) {
      if ((rest.isEmpty() || rest.contains(location)) && wanted.add(location)) {
        bytes += Location.bytes(location);
      }
    }
    return bytes;
  }

  /**
   * Checks the next leaves, and reads their values. The values of one leaf may be too many for a
   * slice: then the next slice looks at the leaf again, and reads those that it still refers to.
   */
  private boolean next(TreeChecker checker) {
    boolean more = checker.next(rest.isEmpty() ? LEAVES : 1);
    rest.clear();
    long bytes = 0;
    for (long location : wanted) {
      if (hasTime(bytes)) {
        read(location, "value");
        bytes += Location.bytes(location);
      } else {
        rest.add(location);
      }
    }
    wanted.clear();
    if (!rest.isEmpty()) {
      checker.visitLastLeafAgain();
    }
    return more || !rest.isEmpty();
  }

  /** Whether a slice that has read so many bytes of values may read another one. */
  private static boolean hasTime(long bytes) {
    return bytes < VALUE_BYTES;
  }

  /** Reads the images of pages in memory, from one on; says whether there are more. */
  private boolean readRows(int[] next) {
    for (int rows = 0; rows < ROWS && next[0] < table.end(); next[0]++) {
      int page = next[0];
      if (table.base(page) != 0 && !read.get(page)) {
        rows++;
        read(table.base(page), "base of page " + page);
        if (table.delta(page) != 0) {
          read(table.delta(page), "delta of page " + page);
        }
      }
    }
    return next[0] < table.end();
  }

  /** Reads images that only the last manifest names. Those of a later one are other rows by now. */
  private boolean readNamed(int[][] pages, int[] next) {
    if (pages[0] == null) {
      pages[0] = named.pages();
    }
    for (int rows = 0; rows < ROWS && next[0] < pages[0].length; rows++) {
      int page = pages[0][next[0]++];
      PageRow now = table.row(page);
      PageRow old = named.named(page);
      if (old != null) {
        old.locations()
            .filter(location -> !now.names(location))
            .forEach(location -> read(location, "last image of page " + page));
      }
    }
    return next[0] < pages[0].length;
  }

  private void read(long location, String what) {
    try {
      extents.read(location);
    } catch (UnreadableException | NoSuchExtentException | IOException e) {
      problems.add(what + " cannot be read: " + e.getMessage());
    }
  }
}
