package io.bg3.core.tree;

import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.page.PageRead;
import java.util.Arrays;

/**
 * Reads the entries of owners, each in the tree that holds them at the moment.
 *
 * <p>The tree is asked for in the epoch in which it is read, and again in the next: after a page
 * was loaded, or for the next leaf (R12). A reader that brought a tree from before its epoch would
 * find an owner without edges:
 *
 * <pre>
 *   reader                              owner moves from tree A to tree B
 *   the owner is in A
 *                                       B holds everything; the route says B
 *                                       waits for all epochs: this reader is in none
 *                                       erases the owner from A
 *   enters an epoch, reads A: nothing
 * </pre>
 *
 * <p>Labels of a family have trees of their own (R45). A range of several labels is read part by
 * part, each in its tree: the key to go on with says which is next.
 *
 * <p>Threads: any.
 */
public final class RoutedReads {
  private final TreeSpace space;
  private final TreeRoute route;

  /** Reads of the trees of edges that a route names. */
  public RoutedReads(TreeSpace space, TreeRoute route) {
    this.space = space;
    this.route = route;
  }

  /**
   * The newest version of a key of an owner at or below a snapshot, a tombstone too.
   *
   * @param snapshot {@link Long#MAX_VALUE} for what was applied last
   * @return false if there is none; of {@code read} then only the cut has changed
   */
  public boolean get(long owner, byte[] key, long snapshot, PageRead read) {
    return lookUp(space, of(key), owner, key, snapshot, Descent.Wanted.VALUE, read);
  }

  /** As {@link #get}, for a caller that wants to know the op and not the value: reads no values. */
  public boolean find(long owner, byte[] key, long snapshot, PageRead read) {
    return lookUp(space, of(key), owner, key, snapshot, Descent.Wanted.TOPOLOGY, read);
  }

  /** The route to a whole key. */
  private TreeRoute of(byte[] key) {
    return route.ofLabel(EdgeKey.tagLabel(key));
  }

  /**
   * Copies what one leaf holds of a range of an owner, as {@link LeafSource#copyForward}.
   *
   * @param read told the {@linkplain PageRead#cut cut} of the leaf
   */
  public byte[] copyForward(
      long owner,
      byte[] low,
      byte[] high,
      long snapshot,
      boolean values,
      int most,
      Entries into,
      PageRead read) {
    int families = route.families();
    if (families == 0 || !OwnerPart.isOf(owner, low)) {
      return copyForward(space, route, owner, low, high, snapshot, values, most, into, read);
    }
    OwnerPart part = OwnerPart.first(owner, low, high, families);
    if (part == null) {
      return null;
    }
    TreeRoute of = route.ofLabel(part.tagLabel());
    byte[] next =
        copyForward(space, of, owner, part.low(), part.high(), snapshot, values, most, into, read);
    return next != null || part.outermost() ? next : part.high();
  }

  /** Copies what one leaf holds of a range of an owner, as {@link LeafSource#copyBackward}. */
  public byte[] copyBackward(
      long owner, byte[] low, byte[] high, long snapshot, boolean values, int most, Entries into) {
    int families = route.families();
    if (families == 0 || !OwnerPart.isOf(owner, low)) {
      return copyBackward(space, route, owner, low, high, snapshot, values, most, into);
    }
    OwnerPart part = OwnerPart.last(owner, low, high, families);
    if (part == null) {
      return null;
    }
    TreeRoute of = route.ofLabel(part.tagLabel());
    byte[] next =
        copyBackward(space, of, owner, part.low(), part.high(), snapshot, values, most, into);
    return next != null || part.outermost() ? next : part.low();
  }

  /** Whether an owner has a version newer than a stamp, as {@link Tree#changedAfter}. */
  public boolean changedAfter(long owner, byte[] low, byte[] high, long stamp) {
    int families = route.families();
    if (families == 0 || !OwnerPart.isOf(owner, low)) {
      return new ChangeSearch(space, route, owner, low, high, stamp).find();
    }
    OwnerPart part = OwnerPart.first(owner, low, high, families);
    while (part != null) {
      TreeRoute of = route.ofLabel(part.tagLabel());
      if (new ChangeSearch(space, of, owner, part.low(), part.high(), stamp).find()) {
        return true;
      }
      part = part.outermost() ? null : OwnerPart.first(owner, part.high(), high, families);
    }
    return false;
  }

  /** What copies ranges of one owner. */
  public LeafSource leaves(long owner) {
    return new OwnerLeaves(this, owner);
  }

  private void prefetch(long owner, byte[] low, byte[] high, boolean values, int leaves) {
    int families = route.families();
    if (families == 0 || !OwnerPart.isOf(owner, low)) {
      prefetch(space, route, owner, low, high, values, leaves);
      return;
    }
    OwnerPart part = OwnerPart.first(owner, low, high, families);
    if (part != null) {
      TreeRoute of = route.ofLabel(part.tagLabel());
      prefetch(space, of, owner, part.low(), part.high(), values, leaves);
    }
  }

  private record OwnerLeaves(RoutedReads reads, long owner) implements LeafSource {
    @Override
    public byte[] copyForward(
        byte[] low,
        byte[] high,
        long snapshot,
        boolean values,
        int most,
        Entries into,
        PageRead read) {
      return reads.copyForward(owner, low, high, snapshot, values, most, into, read);
    }

    @Override
    public byte[] copyBackward(
        byte[] low, byte[] high, long snapshot, boolean values, int most, Entries into) {
      return reads.copyBackward(owner, low, high, snapshot, values, most, into);
    }

    @Override
    public void prefetch(byte[] low, byte[] high, boolean values, int leaves) {
      reads.prefetch(owner, low, high, values, leaves);
    }

    @Override
    public Entries newEntries() {
      return reads.space.edges.newEntries();
    }
  }

  static boolean lookUp(
      TreeSpace space,
      TreeRoute route,
      long owner,
      byte[] key,
      long snapshot,
      Descent.Wanted wanted,
      PageRead read) {
    while (true) {
      long block;
      int ticket = space.epochs.enter();
      try {
        Tree tree = route.tree(owner);
        block = tree.descent.leaf(key, read, wanted);
        if (Descent.isLeaf(block)) {
          boolean withValue = wanted == Descent.Wanted.VALUE;
          boolean found = tree.format.get(block, key, snapshot, withValue, read);
          if (found) {
            tree.descent.note(key, withValue, read);
          }
          return found;
        }
      } finally {
        space.epochs.exit(ticket);
      }
      load(space, route, block, wanted);
    }
  }

  static byte[] copyForward(
      TreeSpace space,
      TreeRoute route,
      long owner,
      byte[] low,
      byte[] high,
      long snapshot,
      boolean values,
      int most,
      Entries into,
      PageRead read) {
    Descent.Wanted wanted = wanted(values);
    int before = into.count();
    while (true) {
      long block;
      int ticket = space.epochs.enter();
      try {
        Tree tree = route.tree(owner);
        block = tree.descent.leaf(low == null ? Descent.FIRST : low, read, wanted);
        if (Descent.isLeaf(block)) {
          byte[] next = tree.format.copyFirst(block, low, high, snapshot, values, most, into, read);
          if (next != null) {
            return next;
          }
          PageHeader header = read.views().header(space.memory).wrap(block);
          boolean end = header.isLast() || (high != null && !header.isAboveHigh(high));
          if (!end && into.count() == before && reachesBelow(header, low)) {
            noticeIfBarren(tree, header);
          }
          return end ? null : header.high();
        }
      } finally {
        space.epochs.exit(ticket);
      }
      load(space, route, block, wanted);
    }
  }

  static byte[] copyBackward(
      TreeSpace space,
      TreeRoute route,
      long owner,
      byte[] low,
      byte[] high,
      long snapshot,
      boolean values,
      int most,
      Entries into) {
    int before = into.count();
    while (true) {
      long block;
      int ticket = space.epochs.enter();
      try {
        Tree tree = route.tree(owner);
        block = tree.descent.leafBelow(high);
        if (Descent.isLeaf(block)) {
          byte[] cut = tree.format.copyLast(block, low, high, snapshot, values, most, into);
          byte[] next = cut == null ? space.header(block).low() : cut;
          boolean end = next == null || (low != null && Arrays.compareUnsigned(next, low) <= 0);
          if (!end && into.count() == before && reachesAbove(space.header(block), high)) {
            noticeIfBarren(tree, space.header(block));
          }
          return end ? null : next;
        }
      } finally {
        space.epochs.exit(ticket);
      }
      load(space, route, block, Descent.Wanted.KEYS);
    }
  }

  /** Whether a scan from a bound on sees a leaf from its low fence on; not if it has none. */
  private static boolean reachesBelow(PageHeader leaf, byte[] from) {
    byte[] low = leaf.low();
    return low != null && (from == null || Arrays.compareUnsigned(from, low) <= 0);
  }

  /** Whether a backward scan from a bound on sees a leaf from its high fence on. */
  private static boolean reachesAbove(PageHeader leaf, byte[] from) {
    return from == null || (!leaf.isLast() && Arrays.compareUnsigned(leaf.high(), from) <= 0);
  }

  /** Notices a leaf in which a scan of its whole range has found nothing, if it has entries. */
  private static void noticeIfBarren(Tree tree, PageHeader leaf) {
    if (leaf.isDelta() || leaf.count() > 0) {
      tree.space.barren.notice(tree, leaf.pageId());
    }
  }

  /** See {@link LeafSource#prefetch}. */
  static void prefetch(
      TreeSpace space,
      TreeRoute route,
      long owner,
      byte[] low,
      byte[] high,
      boolean values,
      int leaves) {
    if (LeafPrefetch.mayHelp(space)) {
      LeafPrefetch prefetch = new LeafPrefetch(space);
      prefetch.want(route, owner, low, high, leaves);
      prefetch.load(part(route, wanted(values)));
    }
  }

  /** The part of a leaf that a scan wants. */
  static Descent.Wanted wanted(boolean values) {
    return values ? Descent.Wanted.KEYS : Descent.Wanted.TOPOLOGY;
  }

  /** The part of a missing page that is loaded for what is wanted of a leaf. */
  static PageLoader.Part part(TreeRoute route, Descent.Wanted wanted) {
    return wanted == Descent.Wanted.TOPOLOGY && route.isOfEdges()
        ? PageLoader.Part.TOPOLOGY
        : PageLoader.Part.ALL;
  }

  /** Loads as much of the page that a descent met as it did not find. Outside of epochs. */
  static void load(TreeSpace space, TreeRoute route, long found, Descent.Wanted wanted) {
    space.loader().load(Descent.missing(found), part(route, wanted));
  }
}
