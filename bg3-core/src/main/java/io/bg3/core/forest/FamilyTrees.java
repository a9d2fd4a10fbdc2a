package io.bg3.core.forest;

import io.bg3.core.entry.Expiry;
import io.bg3.core.tree.EmptyTree;
import io.bg3.core.tree.FamilyOwner;
import io.bg3.core.tree.Tree;
import io.bg3.core.tree.TreeKind;
import io.bg3.core.tree.TreeRoute;
import io.bg3.core.tree.TreeShape;
import io.bg3.core.tree.TreeSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

/**
 * The trees that hold the entries of one family of edge labels, or those without a family: shared
 * trees, and a dedicated one for each owner that has left them (R19, R54). Without a family there
 * are the INIT trees, from which the hash of an owner chooses; a family has one shared tree.
 *
 * <p>The table of this family lists the owners that have left. A dedicated tree has only its row
 * there: each use of the tree makes a new object.
 *
 * <p>Threads: any.
 */
final class FamilyTrees implements TreeRoute {
  /**
   * Dedicated trees share so many locks and queues: some times as many as threads change shapes at
   * once, and few enough that all of them stay in the processor's cache.
   */
  private static final int STRIPES = 1 << 7;

  /** Rows of the table that are copied together. */
  private static final int ROWS = 256;

  private final TreeSpace space;
  private final int family;
  private final Tree[] shared;
  private final List<Tree> sharedList; // of the same trees
  private final Directory directory;

  /** Made with the first dedicated tree. */
  private volatile AtomicReferenceArray<TreeShape> stripes;

  FamilyTrees(TreeSpace space, int family, Tree... shared) {
    this.space = space;
    this.family = family;
    this.shared = shared.clone();
    this.sharedList = List.of(shared);
    this.directory = new Directory(space.memory(), space.epochs());
  }

  int family() {
    return family;
  }

  /** The trees that several owners share. */
  List<Tree> shared() {
    return sharedList;
  }

  /** The only shared tree of a family. */
  Tree only() {
    assert family > 0;
    return shared[0];
  }

  /** The tree that holds the entries of an owner now. Inside of an epoch, or under its stripe. */
  @Override
  public Tree tree(long owner) {
    long row = directory.lookUp(owner);
    return row == Directory.ABSENT ? sharedTree(owner) : dedicated(row);
  }

  /**
   * As {@link #tree}, with what is known of the degrees of the owner, which is under its stripe.
   */
  OwnersTree ownersTree(long owner) {
    long row = directory.withBits(owner);
    long tree = Directory.treeIn(row);
    return new OwnersTree(
        tree == Directory.ABSENT ? sharedTree(owner) : dedicated(tree), Directory.degreesIn(row));
  }

  /** The tree that holds the entries of an owner unless it has a tree of its own. */
  Tree sharedTree(long owner) {
    return shared[index(owner)];
  }

  /** The index of the shared tree of an owner: a mixed hash, so that dense ids spread. */
  int index(long owner) {
    long hash = owner * 0x9E3779B97F4A7C15L;
    return (int) ((hash >>> 33) % shared.length);
  }

  boolean isDedicated(long owner) {
    return directory.lookUp(owner) != Directory.ABSENT;
  }

  /** The dedicated tree of an owner; null if it has none. */
  Tree dedicatedTree(long owner) {
    long row = directory.lookUp(owner);
    return row == Directory.ABSENT ? null : dedicated(row);
  }

  Directory directory() {
    return directory;
  }

  /** The dedicated tree that a row names. */
  Tree dedicated(long row) {
    int id = DirectoryRow.tree(row);
    return Tree.open(space, stripe(id), id, TreeKind.EDGES, DirectoryRow.root(row));
  }

  TreeShape stripe(int tree) {
    AtomicReferenceArray<TreeShape> all = stripes == null ? makeStripes() : stripes;
    int i = tree & (STRIPES - 1);
    TreeShape shape = all.get(i);
    if (shape == null) {
      TreeShape made = shared[0].shape().ofDedicatedTrees();
      shape = all.compareAndSet(i, null, made) ? made : all.get(i);
    }
    return shape;
  }

  private synchronized AtomicReferenceArray<TreeShape> makeStripes() {
    if (stripes == null) {
      stripes = new AtomicReferenceArray<>(STRIPES);
    }
    return stripes;
  }

  /** The shapes of the dedicated trees. */
  List<TreeShape> stripes() {
    AtomicReferenceArray<TreeShape> all = stripes;
    List<TreeShape> shapes = new ArrayList<>();
    for (int i = 0; all != null && i < STRIPES; i++) {
      TreeShape shape = all.get(i);
      if (shape != null) {
        shapes.add(shape);
      }
    }
    return shapes;
  }

  /** Whether owners leave the shared tree, or some have. */
  boolean splitsOut() {
    return only().shape().splitOut() > 0 || !directory.isEmpty();
  }

  /** Whether a key of the directory is of this family. */
  boolean isOf(byte[] key) {
    return DirectoryKey.family(key) == family;
  }

  /** Whether {@link #visitEmptied} would look at any tree. */
  boolean mayHaveEmptied() {
    return directory.count() > 0 && shared[0].shape().mayHaveEmptied();
  }

  /** Has {@link #visitEmptied} look at the dedicated trees. */
  void noteEmptied() {
    shared[0].shape().noteEmptied();
  }

  /**
   * Visits the owners whose dedicated trees may have lost all their entries, by what is in memory;
   * in a family also those with a page in storage whose images are small. In the thread that moves
   * owners, so that the table is not replaced meanwhile.
   *
   * @param visit may take the tree away
   * @return whether it is known of all trees that have not been visited that they have entries
   */
  boolean visitEmptied(Expiry expiry, Consumer<FamilyOwner> visit) {
    shared[0].shape().forgetEmptied(); // first: what is noted from here on is looked at again
    boolean isKnown = true;
    long[] owners = new long[ROWS];
    long[] rows = new long[ROWS];
    Directory.Position position = new Directory.Position();
    int copied;
    while ((copied = directory.copy(position, owners, rows)) > 0) {
      for (int i = 0; i < copied; i++) {
        EmptyTree.Look look = EmptyTree.look(dedicated(rows[i]), expiry);
        boolean isSmall = look == EmptyTree.Look.SMALL && family > 0;
        if (look == EmptyTree.Look.NOTHING || isSmall) {
          visit.accept(new FamilyOwner(owners[i], family));
        } else {
          isKnown &= look == EmptyTree.Look.ENTRIES;
        }
      }
    }
    return isKnown;
  }

  /**
   * The rows of all dedicated trees by their numbers, ascending; 8 bytes each. One may be missing
   * if the table is replaced meanwhile.
   */
  long[] rows() {
    long[] found = new long[ROWS];
    int count = 0;
    long[] owners = new long[ROWS];
    long[] rows = new long[ROWS];
    Directory.Position position = new Directory.Position();
    int copied;
    while ((copied = directory.copy(position, owners, rows)) > 0) {
      found = count + copied > found.length ? Arrays.copyOf(found, 2 * (count + copied)) : found;
      System.arraycopy(rows, 0, found, count, copied);
      count += copied;
    }
    long[] all = Arrays.copyOf(found, count);
    Arrays.sort(all);
    return all;
  }
}
