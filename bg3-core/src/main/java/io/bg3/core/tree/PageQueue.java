package io.bg3.core.tree;

/**
 * Pages of trees that share a shape, first in, first out. A page is two numbers and no object: all
 * pages of a store may wait here for the next checkpoint, and the garbage collector would copy an
 * object of each and its tree, and follow what they refer to.
 *
 * <p>Threads: any. The guard is held for a few steps, and nothing is waited for with it.
 */
final class PageQueue {
  private static final int PAGE_WORDS = 2;
  private static final int FEWEST_WORDS = 8 * PAGE_WORDS;
  private static final int MOST_WORDS = 512 * PAGE_WORDS;

  /** Set beside the number of a page whose tree has leaves of byte keys. */
  private static final long BYTES = 1L << Integer.SIZE;

  /** A part of the queue. */
  private static final class Chunk {
    final long[] words;
    int end;
    Chunk next;

    Chunk(int words) {
      this.words = new long[words];
    }
  }

  private final TreeShape shape;

  // Guarded by this.
  private TreeSpace space; // of all trees; null before the first page
  private Chunk first; // null while the queue is empty
  private Chunk last;
  private int begin; // in the first chunk
  private Tree newest; // of the last page that was taken

  /** An empty queue of pages of trees with this shape. */
  PageQueue(TreeShape shape) {
    this.shape = shape;
  }

  /** Adds a page behind the others. */
  synchronized void add(Tree tree, int page) {
    assert tree.shape == shape && (space == null || space == tree.space) : tree;
    space = tree.space;
    if (last == null) {
      first = new Chunk(FEWEST_WORDS);
      last = first;
    } else if (last.end == last.words.length) {
      Chunk more = new Chunk(Math.min(MOST_WORDS, 2 * last.words.length));
      last.next = more;
      last = more;
    }
    last.words[last.end] = (long) tree.id() << Integer.SIZE | tree.root();
    last.words[last.end + 1] = page | (tree.isOfEdges() ? 0 : BYTES);
    last.end += PAGE_WORDS;
  }

  /** Takes the page that was added first; null if there is none. */
  synchronized TreePage poll() {
    if (first == null) {
      return null;
    }
    long words = first.words[begin];
    long page = first.words[begin + 1];
    Tree tree = tree((int) (words >>> Integer.SIZE), (int) words, page);
    TreePage taken = new TreePage(tree, (int) page); // before it leaves the queue
    begin += PAGE_WORDS;
    if (begin == first.end) { // or another chunk follows, since this one is full
      first = first.next;
      begin = 0;
    }
    if (first == null) { // an empty queue keeps nothing
      last = null;
      newest = null;
    }
    return taken;
  }

  private Tree tree(int id, int root, long page) {
    if (newest == null || newest.id() != id) {
      TreeKind kind = (page & BYTES) == 0 ? TreeKind.EDGES : TreeKind.BYTES;
      newest = Tree.open(space, shape, id, kind, root);
    }
    return newest;
  }
}
