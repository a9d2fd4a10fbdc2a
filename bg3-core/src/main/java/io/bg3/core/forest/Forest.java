package io.bg3.core.forest;

import io.bg3.core.entry.ByteEntries;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.Op;
import io.bg3.core.page.PageRead;
import io.bg3.core.table.Pins;
import io.bg3.core.tree.DirtyPages;
import io.bg3.core.tree.FamilySettings;
import io.bg3.core.tree.HeavyOwners;
import io.bg3.core.tree.KeyReader;
import io.bg3.core.tree.LeafPrefetch;
import io.bg3.core.tree.LeafSource;
import io.bg3.core.tree.NeighbourReader;
import io.bg3.core.tree.NotedPages;
import io.bg3.core.tree.OwnersLeaves;
import io.bg3.core.tree.PendingMaintenance;
import io.bg3.core.tree.RoutedReads;
import io.bg3.core.tree.Tree;
import io.bg3.core.tree.TreeKind;
import io.bg3.core.tree.TreeRoute;
import io.bg3.core.tree.TreeShape;
import io.bg3.core.tree.TreeSpace;
import io.bg3.storage.format.CorruptionException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/**
 * All trees of a store: the byte-key trees by their numbers, and for edges the tree of an owner.
 *
 * <p>An owner's edges stand in its dedicated tree if the directory has one, else in the INIT tree
 * that its hash chooses. Every route goes through {@link #edges}, so that an owner can move.
 *
 * <p>Edges of labels with a time to live stand apart from those: each family of labels has one
 * tree, for all owners, and none of them moves (R45). It is there before the first edge of the
 * family.
 *
 * <p>Of a dedicated tree nothing is kept but its row in the directory: an object is made for each
 * use of it. The directory is a table for look-ups and, in the order of owners, the DIRECTORY tree,
 * which is checkpointed like all others.
 *
 * <p>Threads: any.
 */
public final class Forest implements TreeRoute {
  /** Dedicated trees share so many locks and queues. */
  private static final int STRIPES = 1 << 10;

  private final TreeSpace space;
  private final Map<Integer, Tree> trees = new ConcurrentSkipListMap<>();
  private final Tree[] init;
  private final Tree directoryTree;
  private final Directory directory;
  private final AtomicReferenceArray<TreeShape> stripes = new AtomicReferenceArray<>(STRIPES);

  /** The trees of families by their numbers; of 0 there is none. */
  private volatile Tree[] families = new Tree[1];

  /**
   * Held while an owner moves, from the copying of its entries to their erasure, and while a
   * checkpoint notes what has changed: so a manifest names an owner's entries in one tree.
   */
  private final ReentrantLock moves = new ReentrantLock(true);

  private int nextDedicated = TreeIds.FIRST_DEDICATED; // guarded by moves

  private Forest(TreeSpace space, int initTrees, ToIntFunction<Integer> roots) {
    this.space = space;
    this.directory = new Directory(space.memory(), space.epochs());
    for (int id = TreeIds.VERTICES; id <= TreeIds.LAST_BYTES; id++) {
      trees.put(id, open(id, TreeKind.BYTES, new TreeShape(), roots));
    }
    directoryTree = trees.get(TreeIds.DIRECTORY);
    init = new Tree[initTrees];
    for (int i = 0; i < initTrees; i++) {
      int id = TreeIds.FIRST_INIT + i;
      init[i] = open(id, TreeKind.EDGES, TreeShape.ofSharedTree(), roots);
      trees.put(id, init[i]);
    }
  }

  /** The empty trees of a new store. */
  public static Forest create(TreeSpace space, int initTrees) {
    return new Forest(space, initTrees, id -> 0);
  }

  /**
   * The trees of a store whose pages have been loaded.
   *
   * @param roots root page by tree
   * @param nextDedicated number of the next dedicated tree
   * @throws CorruptionException if the directory names no tree for an owner
   */
  public static Forest open(
      TreeSpace space, int initTrees, Map<Integer, Integer> roots, int nextDedicated) {
    Forest forest = new Forest(space, initTrees, id -> roots.getOrDefault(id, 0));
    for (int family = 1; family <= EdgeKey.MAX_FAMILY; family++) {
      int root = roots.getOrDefault(TreeIds.FAMILIES + family, 0);
      if (root != 0) {
        forest.openFamily(family, root);
      }
    }
    forest.nextDedicated = nextDedicated;
    if (nextDedicated > TreeIds.FIRST_DEDICATED) {
      forest.loadDirectory();
    }
    return forest;
  }

  private Tree open(int id, TreeKind kind, TreeShape shape, ToIntFunction<Integer> roots) {
    int root = roots.applyAsInt(id);
    return root == 0
        ? Tree.create(space, shape, id, kind)
        : Tree.open(space, shape, id, kind, root);
  }

  /** Makes the tree of a family if there is none. Replay asks for each entry of a family. */
  public void openFamily(int family) {
    if (family(family) == null) {
      openFamily(family, 0);
    }
  }

  private synchronized void openFamily(int family, int root) {
    if (family(family) != null) {
      return;
    }
    FamilySettings settings = settingsOfFamily(family);
    TreeShape shape = TreeShape.ofFamily(family);
    if (settings != null) {
      shape.configure(settings);
    }
    Tree[] known = families;
    Tree[] more = Arrays.copyOf(known, Math.max(known.length, family + 1));
    int id = TreeIds.FAMILIES + family;
    more[family] = open(id, TreeKind.EDGES, shape, tree -> root);
    trees.put(id, more[family]);
    families = more; // last: a checkpoint that does not name the tree meets no entry of it
  }

  /** Says how the pages of a family are written from now on; makes its tree if there is none. */
  public void configureFamily(int family, FamilySettings settings) {
    openFamily(family);
    family(family).shape().configure(settings);
  }

  /** The settings of a family as its entry has them; null if there is none. May load a page. */
  public FamilySettings settingsOfFamily(int family) {
    PageRead read = new PageRead();
    byte[] key = FamilySettings.key(family);
    boolean found =
        bytes(TreeIds.META).get(key, Long.MAX_VALUE, read) && !read.version().isTombstone();
    return found ? FamilySettings.decode(read.version().value()) : null;
  }

  private void loadDirectory() {
    ByteEntries rows = new ByteEntries();
    byte[] next = new byte[0];
    while (next != null) {
      rows.clear();
      next = directoryTree.copyForward(next, null, Long.MAX_VALUE, true, Integer.MAX_VALUE, rows);
      for (int i = 0; i < rows.count(); i++) {
        byte[] key = rows.key(i);
        long row = DirectoryRow.decode(rows.value(i));
        int root = (int) row;
        boolean isRoot = root > 0 && root < space.table().end() && space.table().block(root) != 0;
        if (key.length != Long.BYTES || !isRoot || row >>> Integer.SIZE >= nextDedicated) {
          throw new CorruptionException(
              "directory", i, "the tree of an owner", "tree=" + (row >>> 32) + ", root=" + root);
        }
        directory.put(EdgeKey.owner(key), row);
      }
    }
  }

  /** The byte-key tree with this number. */
  public Tree bytes(int treeId) {
    Tree tree = trees.get(treeId);
    if (tree == null || treeId >= TreeIds.FIRST_INIT) {
      throw new IllegalArgumentException("no byte-key tree: tree=" + treeId);
    }
    return tree;
  }

  /** The tree that holds the entry of a key now. Inside of an epoch, or under its stripe. */
  public Tree edges(byte[] key) {
    return ofLabel(EdgeKey.tagLabel(key)).tree(EdgeKey.owner(key));
  }

  @Override
  public TreeRoute ofLabel(int tagLabel) {
    int family = EdgeKey.family(tagLabel);
    Tree tree = family == 0 ? null : family(family);
    return tree == null ? this : tree;
  }

  @Override
  public int families() {
    return families.length - 1;
  }

  /** The tree of a family; null if it has none. */
  public Tree family(int family) {
    Tree[] known = families;
    return family < known.length ? known[family] : null;
  }

  /** The trees of all families. */
  public List<Tree> familyTrees() {
    return Arrays.stream(families).filter(Objects::nonNull).toList();
  }

  /**
   * The tree that holds the edges of an owner now, but for those of a family. Inside of an epoch,
   * or under its stripe.
   */
  @Override
  public Tree tree(long owner) {
    long row = directory.lookUp(owner);
    return row == Directory.ABSENT ? initTree(owner) : dedicated(row);
  }

  /** The INIT tree that holds the edges of an owner unless it has a tree of its own. */
  public Tree initTree(long owner) {
    return init[initIndex(owner)];
  }

  /** Whether an owner has a tree of its own. */
  public boolean isDedicated(long owner) {
    return directory.lookUp(owner) != Directory.ABSENT;
  }

  /** Whether any owner has a tree of its own. Costs a look at one field. */
  public boolean hasDedicated() {
    return !directory.isEmpty();
  }

  /** How many owners have a tree of their own. */
  public long dedicatedTrees() {
    return directory.count();
  }

  /** How often a thread has waited for the lock under which the shape of a tree changes. */
  public long structureWaits() {
    return shapes().stream().mapToLong(TreeShape::waits).sum();
  }

  private Tree dedicated(long row) {
    int id = (int) (row >>> Integer.SIZE);
    return Tree.open(space, stripe(id), id, TreeKind.EDGES, (int) row);
  }

  private TreeShape stripe(int tree) {
    int i = tree & (STRIPES - 1);
    TreeShape shape = stripes.get(i);
    if (shape == null) {
      TreeShape made = new TreeShape();
      shape = stripes.compareAndSet(i, null, made) ? made : stripes.get(i);
    }
    return shape;
  }

  /** The reads of edges, each owner's in the tree that holds them at the moment. */
  public RoutedReads reads() {
    return new RoutedReads(space, this);
  }

  /**
   * Something that reads neighbours in trees of this forest; belongs to the thread that uses it.
   */
  public NeighbourReader neighbourReader() {
    return new NeighbourReader(space);
  }

  /** Something that looks up many byte keys; belongs to the thread that uses it. */
  public KeyReader keyReader() {
    return new KeyReader(space);
  }

  /** Whether there may be leaves to prefetch: false where all pages are in memory. */
  public boolean mayPrefetch() {
    return LeafPrefetch.mayHelp(space);
  }

  /** A prefetch of leaves of this forest; belongs to the thread that uses it. */
  public LeafPrefetch leafPrefetch() {
    return new LeafPrefetch(space);
  }

  /** The INIT trees, which hold edges of several owners each. */
  public List<Tree> initTreesInOrder() {
    return List.of(init);
  }

  /**
   * The sources that together copy the edges of all owners, each in the order of their keys. The
   * source of an INIT tree copies those of the owners that its hash chooses, wherever they are. The
   * source of a family copies those of its tree.
   */
  public List<LeafSource> allEdges() {
    List<LeafSource> all = new ArrayList<>(familyTrees());
    for (int i = 0; i < init.length; i++) {
      int index = i;
      all.add(
          new OwnersLeaves(
              init[i], directoryTree, this, owner -> initIndex(owner) == index, directory::count));
    }
    return all;
  }

  /**
   * Some owners that have trees of their own, ascending.
   *
   * @param from the prefix of the first that may be among them; empty for all
   * @param into their prefixes are added as keys
   * @return where to go on; null at the end
   */
  public byte[] dedicatedOwners(byte[] from, ByteEntries into) {
    return directoryTree.copyForward(from, null, Long.MAX_VALUE, false, Integer.MAX_VALUE, into);
  }

  /**
   * The trees that are not dedicated, by number: those of byte keys, the INIT trees, and those of
   * families.
   */
  public Collection<Tree> trees() {
    return Collections.unmodifiableCollection(trees.values());
  }

  /** The number of the next dedicated tree. */
  public int nextDedicated() {
    moves.lock();
    try {
      return nextDedicated;
    } finally {
      moves.unlock();
    }
  }

  /** Does something while no owner moves and no checkpoint notes what has changed. No I/O. */
  public <T> T betweenMoves(Supplier<T> work) {
    moves.lock();
    try {
      return work.get();
    } finally {
      moves.unlock();
    }
  }

  /**
   * What is wrong with the dedicated tree of an owner, as far as other owners or the INIT tree have
   * to do with it; empty if nothing is. May load pages.
   */
  public Optional<String> problem(long owner) {
    byte[] low = EdgeKey.prefix(owner);
    byte[] high = EdgeKey.after(low);
    Tree tree = dedicatedTree(owner);
    LeafSource own = reads().leaves(owner); // the tree may go away meanwhile
    if (!isEmpty(own, null, low) || (high != null && !isEmpty(own, high, null))) {
      return still(owner, tree, "tree of vertex " + owner + " has entries of others: " + tree);
    }
    if (!isEmpty(initTree(owner), low, high)) {
      betweenMoves(() -> owner); // its move may be under way
      if (!isEmpty(initTree(owner), low, high)) {
        return still(owner, tree, "vertex " + owner + " has entries beside its tree: " + tree);
      }
    }
    return Optional.empty();
  }

  /** A problem of the tree of an owner, unless the tree has gone away meanwhile. */
  private Optional<String> still(long owner, Tree tree, String problem) {
    return tree != null && tree.equals(dedicatedTree(owner))
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

  /** The dedicated tree of an owner; null if it has none. */
  public Tree dedicatedTree(long owner) {
    long row = directory.lookUp(owner);
    return row == Directory.ABSENT ? null : dedicated(row);
  }

  /** Something that takes its tree away from an owner that has no entries any more. */
  public TreeRemoval treeRemoval(long owner) {
    return new TreeRemoval(this, owner);
  }

  /** Something that moves an owner out of its INIT tree. */
  public MoveOut moveOut(long owner) {
    return new MoveOut(this, owner);
  }

  /** The owners that were noticed to have many entries in an INIT tree. */
  public HeavyOwners heavyOwners() {
    return space.heavyOwners();
  }

  /** The pins by which commits keep leaves in memory. */
  public Pins pins() {
    return space.pins();
  }

  /** How much memory the pages take that differ from what is stored. */
  public DirtyPages dirtyPages() {
    return space.dirtyPages();
  }

  /** Number of INIT trees, fixed when the store was created. */
  public int initTrees() {
    return init.length;
  }

  /**
   * Notes what changed in all trees, sources before destinations: data, then the directory, then
   * dedicated trees (R20). No owner moves meanwhile. A tree of a family that is made behind this is
   * none of those that the manifest names: no page of it was noted, and its first entry is in the
   * log that is kept.
   */
  public NotedPages note() {
    List<Tree> known = List.copyOf(trees.values());
    NotedPages noted = new NotedPages(known);
    moves.lock();
    try {
      for (Tree tree : known) {
        if (tree.id() != TreeIds.DIRECTORY) {
          tree.shape().note(noted);
        }
      }
      directoryTree.shape().note(noted);
      for (int i = 0; i < STRIPES; i++) {
        TreeShape shape = stripes.get(i);
        if (shape != null) {
          shape.note(noted);
        }
      }
    } finally {
      moves.unlock();
    }
    return noted;
  }

  /**
   * Notes leaves that changed, for a flush that no manifest follows.
   *
   * @param from the tree to begin with, by its place among all trees; any number
   * @param most leaves that are noted
   */
  public NotedPages noteLeaves(int from, int most) {
    NotedPages noted = new NotedPages();
    List<TreeShape> all = shapes();
    for (int i = 0; i < all.size() && noted.count() < most; i++) {
      all.get(Math.floorMod(from + i, all.size())).noteLeaves(noted, most);
    }
    return noted;
  }

  private List<TreeShape> shapes() {
    List<TreeShape> all = new ArrayList<>();
    trees.values().forEach(tree -> all.add(tree.shape()));
    for (int i = 0; i < STRIPES; i++) {
      TreeShape shape = stripes.get(i);
      if (shape != null) {
        all.add(shape);
      }
    }
    return all;
  }

  // For MoveOut and TreeRemoval, which are within betweenMoves where nothing else is said.

  TreeSpace space() {
    return space;
  }

  Tree directoryTree() {
    return directoryTree;
  }

  ReentrantLock moves() {
    return moves;
  }

  /** Takes the next number of a dedicated tree. */
  int takeNumber() {
    return nextDedicated++;
  }

  TreeShape stripeOf(int tree) {
    return stripe(tree);
  }

  /** Sees to it that {@link #publish} fails before it has changed anything, or not at all. */
  void makeRoom() {
    directory.makeRoom();
  }

  /** Says that the tree of an owner is this one from now on. Its entries are in both trees. */
  void publish(long owner, Tree tree, PendingMaintenance due) {
    ByteEntries entry = new ByteEntries();
    byte[] row = DirectoryRow.encode(tree.id(), tree.root());
    entry.append(EdgeKey.prefix(owner), Op.PUT, 0, row);
    directoryTree.apply(entry, 0, 1, due);
    directory.put(owner, DirectoryRow.pack(tree.id(), tree.root()));
  }

  /**
   * Says that an owner is in its INIT tree from now on. The DIRECTORY tree does not have it any
   * more; its own tree has nothing that anybody reads.
   */
  void unpublish(long owner) {
    directory.remove(owner);
  }

  /** Settles what {@link #publish} has left. Not within {@link #betweenMoves}. */
  void settle(PendingMaintenance due) {
    due.settle(Horizon.KEEP_ALL);
  }

  /** The INIT tree of an owner: a mixed hash, so that dense ids spread. */
  private int initIndex(long owner) {
    long hash = owner * 0x9E3779B97F4A7C15L;
    return (int) ((hash >>> 33) % init.length);
  }
}
