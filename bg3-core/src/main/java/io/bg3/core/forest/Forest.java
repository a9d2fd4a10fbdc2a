package io.bg3.core.forest;

import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.ByteEntries;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.Op;
import io.bg3.core.page.PageRead;
import io.bg3.core.table.Pins;
import io.bg3.core.tree.DirtyPages;
import io.bg3.core.tree.FamilyOwner;
import io.bg3.core.tree.FamilySettings;
import io.bg3.core.tree.GroupReads;
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
import io.bg3.core.tree.TreeSize;
import io.bg3.core.tree.TreeSpace;
import io.bg3.core.value.LargeValueCache;
import io.bg3.storage.format.CorruptionException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/**
 * All trees of a store: the byte-key trees by their numbers, and for edges the tree of an owner.
 *
 * <p>An owner's edges stand in its dedicated tree if the directory has one, else in the INIT tree
 * that its hash chooses. Every route goes through {@link #edges}, so that an owner can move.
 *
 * <p>Edges of families of labels stand apart from those: each family has a tree that its owners
 * share (R45), which is there before the first edge of the family, and may have dedicated trees of
 * owners with many edges in it (R54).
 *
 * <p>Of a dedicated tree nothing is kept but its row in the directory: an object is made for each
 * use of it. The directory is a table for look-ups, one for each family, and, in the order of
 * owners, the DIRECTORY tree, which is checkpointed like all others.
 *
 * <p>Threads: any.
 */
public final class Forest implements TreeRoute {
  /** Copying so many bytes takes a fraction of a second. */
  private static final long MOST_MOVED_AT_ONCE = 32 << 20;

  private final TreeSpace space;
  private final Map<Integer, Tree> trees = new ConcurrentSkipListMap<>();
  private final Tree directoryTree;

  private final Families families;

  /** The trees of entries without a family. */
  private final FamilyTrees plain;

  /**
   * Held while an owner moves, from the copying of its entries to their erasure, and while a
   * checkpoint notes what has changed: so a manifest names an owner's entries in one tree. The
   * relocation of large values and a flush that prunes a leaf take it too, because they change
   * leaves that a move may have copied, and hold no stripe of an owner.
   */
  private final ReentrantLock moves = new ReentrantLock(true);

  private int nextDedicated = TreeIds.FIRST_DEDICATED; // guarded by moves

  /** Whether a move since the last notes of a checkpoint has left out what the log may hold. */
  private boolean losesLogged; // guarded by moves

  private volatile long mostMovedAtOnce = MOST_MOVED_AT_ONCE;

  private Forest(TreeSpace space, int initTrees, ToIntFunction<Integer> roots) {
    this.space = space;
    for (int id = TreeIds.VERTICES; id <= TreeIds.LAST_BYTES; id++) {
      TreeShape shape = id == TreeIds.DIRECTORY ? TreeShape.ofUnloggedTree() : new TreeShape();
      trees.put(id, open(id, TreeKind.BYTES, shape, roots));
    }
    directoryTree = trees.get(TreeIds.DIRECTORY);
    Tree[] init = new Tree[initTrees];
    TreeShape ofInit = TreeShape.ofSharedTree();
    for (int i = 0; i < initTrees; i++) {
      int id = TreeIds.FIRST_INIT + i;
      init[i] = open(id, TreeKind.EDGES, i == 0 ? ofInit : ofInit.ofSharedTrees(), roots);
      trees.put(id, init[i]);
    }
    plain = new FamilyTrees(space, 0, init);
    families = new Families(plain);
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
    int id = TreeIds.FAMILIES + family;
    Tree tree = open(id, TreeKind.EDGES, shape, each -> root);
    FamilyTrees made = new FamilyTrees(space, family, tree);
    trees.put(id, tree);
    families.add(made); // last: a checkpoint that does not name the tree meets no entry of it
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
        FamilyTrees of = DirectoryKey.isValid(key) ? of(DirectoryKey.family(key)) : null;
        if (of == null || !isRoot || row >>> Integer.SIZE >= nextDedicated) {
          throw new CorruptionException(
              "directory", i, "the tree of an owner", "tree=" + (row >>> 32) + ", root=" + root);
        }
        of.directory().put(EdgeKey.owner(key), row);
      }
    }
    families.named().forEach(FamilyTrees::noteEmptied); // when the store was closed
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
    FamilyTrees of = family == 0 ? null : of(family);
    return of == null ? this : of;
  }

  @Override
  public int families() {
    return families.last();
  }

  /** The tree that owners share for their entries of a family; null if it has none. */
  public Tree family(int family) {
    FamilyTrees of = of(family);
    return of == null || of == plain ? null : of.only();
  }

  /** The trees that owners share for their entries of families, one for each family. */
  public List<Tree> familyTrees() {
    return families.named().stream().map(FamilyTrees::only).toList();
  }

  /** The trees of a family, or those without one for 0; null if there are none. */
  private FamilyTrees of(int family) {
    return families.get(family);
  }

  private FamilyTrees of(FamilyOwner owner) {
    return of(owner.family());
  }

  /**
   * The tree that holds the edges of an owner now, but for those of a family. Inside of an epoch,
   * or under its stripe.
   */
  @Override
  public Tree tree(long owner) {
    return plain.tree(owner);
  }

  /**
   * The tree that holds the entries of an owner without a family, and what is known of its degrees,
   * by one look-up. Under its stripe.
   */
  public OwnersTree ownersTree(long owner) {
    return plain.ownersTree(owner);
  }

  /** The tree that holds the entries of an owner unless it has a tree of its own for them. */
  public Tree sharedTree(FamilyOwner owner) {
    return of(owner).sharedTree(owner.owner());
  }

  /** Whether an owner has a tree of its own for entries without a family. */
  public boolean isDedicated(long owner) {
    return plain.isDedicated(owner);
  }

  /** Whether an owner has a tree of its own for its entries of a family. */
  public boolean isDedicated(FamilyOwner owner) {
    return of(owner).isDedicated(owner.owner());
  }

  /** What is known of an owner's degrees; right for as long as its stripe is held. */
  public KeptDegrees degrees(long owner) {
    return plain.directory().degrees(owner);
  }

  /**
   * Whether an owner has a tree of its own for entries without a family, and many leaves of its own
   * ({@link TreeSize}), there or in a tree of a family whose edges stay. May load roots, and waits
   * for no memory: called by the thread that moves owners.
   */
  public boolean isLarge(long owner) {
    if (!isDedicated(owner)) {
      return false;
    }
    for (FamilyTrees of : families.all()) {
      Tree tree = of.dedicatedTree(owner);
      if (tree != null && !tree.shape().expires() && TreeSize.isLarge(tree)) {
        return true;
      }
    }
    return false;
  }

  /** Notes whether an owner's degrees are kept from now on. The owner's stripe is held. */
  public void noteDegrees(long owner, boolean kept) {
    plain.directory().noteDegrees(owner, kept);
  }

  /** Says that nothing is known of an owner's degrees from now on. The owner's stripe is held. */
  public void forgetDegrees(long owner) {
    plain.directory().forgetDegrees(owner);
  }

  /**
   * Whether any owner has a tree of its own for entries without a family. Costs a look at one
   * field.
   */
  public boolean hasDedicated() {
    return !plain.directory().isEmpty();
  }

  /** How many trees have one owner each, those of families too. */
  public long dedicatedTrees() {
    return families.all().stream().mapToLong(of -> of.directory().count()).sum();
  }

  /** How many trees of a family, or without one for 0, have one owner each. */
  public long dedicatedTrees(int family) {
    return of(family).directory().count();
  }

  /** Entries of an owner above which it leaves the shared tree of a family; 0 if none leaves it. */
  public int splitOut(int family) {
    return family(family).shape().splitOut();
  }

  /** Whether owners leave the shared tree of any family, or may be about to. */
  public boolean hasSplitOuts() {
    return families.named().stream().anyMatch(FamilyTrees::splitsOut);
  }

  /** How often a thread has waited for the lock under which the shape of a tree changes. */
  public long structureWaits() {
    return shapes().stream().mapToLong(TreeShape::waits).sum();
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

  /** The reads of groups. */
  public GroupReads groupReads() {
    return space.groupReads();
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
    return plain.shared();
  }

  /** Says that any shared tree may have owners with many entries that nobody notices (R56). */
  public void notePassedOver() {
    families.sharedTrees().forEach(tree -> tree.shape().notePassedOver());
  }

  /**
   * The sources that together copy the edges of all owners, each in the order of their keys. The
   * source of a shared tree copies those of the owners that belong to it, wherever they are.
   */
  public List<LeafSource> allEdges() {
    return edgesOf(family -> true);
  }

  /** As {@link #allEdges}, of the families that are wanted alone; 0 is none. */
  public List<LeafSource> edgesOf(IntPredicate wanted) {
    List<LeafSource> all = new ArrayList<>();
    families.named().stream()
        .filter(of -> wanted.test(of.family()))
        .forEach(of -> addLeaves(of, all));
    if (wanted.test(0)) {
      addLeaves(plain, all);
    }
    return all;
  }

  private void addLeaves(FamilyTrees of, List<LeafSource> all) {
    for (int i = 0; i < of.shared().size(); i++) {
      int index = i;
      all.add(
          new OwnersLeaves(
              of.shared().get(i),
              directoryTree,
              of,
              key -> of.isOf(key) && of.index(EdgeKey.owner(key)) == index,
              of.directory()::count));
    }
  }

  /**
   * Some owners that have trees of their own, ascending.
   *
   * @param from the prefix of the first that may be among them; empty for all
   * @param into their keys in the directory are added ({@link DirectoryKey})
   * @return where to go on; null at the end
   */
  public byte[] dedicatedOwners(byte[] from, ByteEntries into) {
    return directoryTree.copyForward(from, null, Long.MAX_VALUE, false, Integer.MAX_VALUE, into);
  }

  /** Says that a dedicated tree of a family, or without one for 0, may have no entries (R57). */
  public void noteEmptied(int family) {
    of(family).noteEmptied();
  }

  /** Says of which family a tree is by its number; right for the trees of this moment. */
  public IntUnaryOperator familyOfTrees() {
    return new FamiliesOfTrees(families.named());
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

  /** Does something as {@link #betweenMoves} does, or nothing if it would have to wait. */
  public void tryBetweenMoves(Runnable work) {
    if (moves.tryLock()) {
      try {
        work.run();
      } finally {
        moves.unlock();
      }
    }
  }

  /** The dedicated tree of an owner for entries without a family; null if it has none. */
  public Tree dedicatedTree(long owner) {
    return plain.dedicatedTree(owner);
  }

  /** The dedicated tree of an owner; null if it has none. */
  public Tree dedicatedTree(FamilyOwner owner) {
    return of(owner).dedicatedTree(owner.owner());
  }

  /**
   * Says of which tree of a family a page in memory is, null if of none; right for the trees of
   * this moment.
   */
  public Function<PageHeader, Tree> treesOfPages(int family) {
    return new TreesOfPages(of(family));
  }

  /** Something that takes its tree away from an owner that has no entries any more. */
  public TreeRemoval treeRemoval(FamilyOwner owner) {
    return new TreeRemoval(this, owner);
  }

  /** Has owners moved as large ones whose leaves take more bytes; for tests. */
  public void moveAtOnce(long bytes) {
    mostMovedAtOnce = bytes;
  }

  /** Something that moves an owner out of its shared tree. */
  public MoveOut moveOut(FamilyOwner owner) {
    return new MoveOut(this, owner);
  }

  /** The owners that were noticed to have many entries in a shared tree. */
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

  /** The large values in memory. */
  public LargeValueCache largeValues() {
    return space.largeValues();
  }

  /** Number of INIT trees, fixed when the store was created. */
  public int initTrees() {
    return plain.shared().size();
  }

  /**
   * Notes what changed in all trees, sources before destinations: data, then the directory, then
   * dedicated trees (R20). No owner moves meanwhile. A tree of a family that is made behind this is
   * none of those that the manifest names: no page of it was noted, no owner has left it, and its
   * first entry is in the log that is kept.
   */
  public NotedPages note() {
    moves.lock();
    try {
      List<Tree> known = List.copyOf(trees.values());
      NotedPages noted = new NotedPages(known);
      for (Tree tree : known) {
        if (tree.id() != TreeIds.DIRECTORY) {
          tree.shape().note(noted);
        }
      }
      directoryTree.shape().note(noted);
      if (losesLogged) {
        noted.loseLogged();
        losesLogged = false;
      }
      families.all().stream()
          .flatMap(of -> of.stripes().stream())
          .forEach(shape -> shape.note(noted));
      return noted;
    } finally {
      moves.unlock();
    }
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
    families.all().forEach(of -> all.addAll(of.stripes()));
    return all;
  }

  /** The trees by family, for the searches of this package. */
  Families byFamily() {
    return families;
  }

  // For MoveOut and TreeRemoval, which are within betweenMoves where nothing else is said.

  /** Says that a tree lacks entries that the log may hold, and no record removes (R52). */
  void noteLoss() {
    losesLogged = true;
  }

  TreeSpace space() {
    return space;
  }

  Tree directoryTree() {
    return directoryTree;
  }

  /** Bytes of the leaves of an owner that are copied while its commits wait (R62). */
  long mostMovedAtOnce() {
    return mostMovedAtOnce;
  }

  ReentrantLock moves() {
    return moves;
  }

  /** Takes the next number of a dedicated tree. */
  int takeNumber() {
    return nextDedicated++;
  }

  TreeShape stripeOf(int family, int tree) {
    return of(family).stripe(tree);
  }

  /** Sees to it that {@link #publish} fails before it has changed anything, or not at all. */
  void makeRoom(int family) {
    of(family).directory().makeRoom();
  }

  /** Says that the tree of an owner is this one from now on. Its entries are in both trees. */
  void publish(FamilyOwner owner, Tree tree, PendingMaintenance due) {
    ByteEntries entry = new ByteEntries();
    byte[] row = DirectoryRow.encode(tree.id(), tree.root());
    entry.append(DirectoryKey.of(owner), Op.PUT, 0, row);
    directoryTree.apply(entry, 0, 1, due);
    Directory directory = of(owner).directory();
    directory.put(owner.owner(), DirectoryRow.pack(tree.id(), tree.root()));
  }

  /**
   * Says that an owner is in its shared tree from now on. The DIRECTORY tree does not have it any
   * more; its own tree has nothing that anybody reads.
   */
  void unpublish(FamilyOwner owner) {
    of(owner).directory().remove(owner.owner());
  }

  /** Settles what {@link #publish} has left. Not within {@link #betweenMoves}. */
  void settle(PendingMaintenance due) {
    due.settle(Horizon.KEEP_ALL);
  }
}
