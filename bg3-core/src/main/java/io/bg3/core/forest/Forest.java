package io.bg3.core.forest;

import io.bg3.core.table.Pins;
import io.bg3.core.tree.NeighbourReader;
import io.bg3.core.tree.NotedPages;
import io.bg3.core.tree.Tree;
import io.bg3.core.tree.TreeKind;
import io.bg3.core.tree.TreeSpace;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;

/**
 * All trees of a store: the byte-key trees by their numbers, and for edges the tree of an owner.
 *
 * <p>An owner's edges stand in its dedicated tree if the directory has one, else in the INIT tree
 * that its hash chooses. Every route goes through {@link #edges}, so that an owner can move.
 *
 * <p>Threads: any.
 */
public final class Forest {
  private final TreeSpace space;
  private final TreeMap<Integer, Tree> trees = new TreeMap<>();
  private final Tree[] init;
  private final Directory directory = new Directory();

  private Forest(TreeSpace space, int initTrees, ToIntFunction<Integer> roots) {
    this.space = space;
    for (int id = TreeIds.VERTICES; id <= TreeIds.LAST_BYTES; id++) {
      trees.put(id, open(id, TreeKind.BYTES, roots));
    }
    init = new Tree[initTrees];
    for (int i = 0; i < initTrees; i++) {
      int id = TreeIds.FIRST_INIT + i;
      init[i] = open(id, TreeKind.EDGES, roots);
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
   */
  public static Forest open(TreeSpace space, int initTrees, Map<Integer, Integer> roots) {
    return new Forest(space, initTrees, id -> roots.getOrDefault(id, 0));
  }

  private Tree open(int id, TreeKind kind, ToIntFunction<Integer> roots) {
    int root = roots.applyAsInt(id);
    return root == 0 ? Tree.create(space, id, kind) : Tree.open(space, id, kind, root);
  }

  /** The byte-key tree with this number. */
  public Tree bytes(int treeId) {
    Tree tree = trees.get(treeId);
    if (tree == null || treeId >= TreeIds.FIRST_INIT) {
      throw new IllegalArgumentException("no byte-key tree: tree=" + treeId);
    }
    return tree;
  }

  /** The tree that holds the edges of an owner now. */
  public Tree edges(long owner) {
    int dedicated = directory.lookUp(owner);
    return dedicated == Directory.ABSENT ? init[initIndex(owner)] : trees.get(dedicated);
  }

  /**
   * Something that reads neighbours in trees of this forest; belongs to the thread that uses it.
   */
  public NeighbourReader neighbourReader() {
    return new NeighbourReader(space);
  }

  /** The trees that hold edges of several owners each, in no order of owners. */
  public List<Tree> edgeTrees() {
    return List.of(init);
  }

  /** All trees, by number. */
  public Collection<Tree> trees() {
    return Collections.unmodifiableCollection(trees.values());
  }

  /** The pins by which commits keep leaves in memory. */
  public Pins pins() {
    return space.pins();
  }

  /** Number of INIT trees, fixed when the store was created. */
  public int initTrees() {
    return init.length;
  }

  /**
   * Notes what changed in all trees, sources before destinations: data, then the directory (R20).
   */
  public NotedPages note() {
    NotedPages noted = new NotedPages();
    List<Tree> inOrder = new ArrayList<>(trees.values());
    Tree last = trees.get(TreeIds.DIRECTORY);
    inOrder.remove(last);
    inOrder.forEach(tree -> tree.note(noted));
    last.note(noted);
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
    List<Tree> all = List.copyOf(trees.values());
    for (int i = 0; i < all.size() && noted.count() < most; i++) {
      all.get(Math.floorMod(from + i, all.size())).noteLeaves(noted, most);
    }
    return noted;
  }

  /** The INIT tree of an owner: a mixed hash, so that dense ids spread. */
  private int initIndex(long owner) {
    long hash = owner * 0x9E3779B97F4A7C15L;
    return (int) ((hash >>> 33) % init.length);
  }
}
