package io.bg3.core.tree;

import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.ByteEntries;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.page.PageRead;
import java.util.Arrays;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Copies the entries of all owners of a shared tree in the order of their keys, those of the owners
 * that have moved to trees of their own too.
 *
 * <p>Each leaf is copied in one epoch, behind a look into the directory: for the next owner from
 * here on that has a tree of its own.
 *
 * <pre>
 *   reader                                     owner O moves
 *   enters an epoch
 *   directory: the next owner is D, above O    O is in the directory
 *   copies the shared leaf up to D: has O      waits for the epochs of the time before
 *   leaves its epoch
 *                                              erases O from the shared tree
 *   goes on at D
 * </pre>
 *
 * <p>So an owner that the directory does not name is still in the shared leaf, and of one that it
 * names nothing is read there. While no owner has a tree of its own, the directory is not read: the
 * reader asks for their number in the epoch of the leaf too.
 *
 * <p>Threads: any.
 */
public final class OwnersLeaves implements LeafSource {
  /** Rows of the directory that are looked at in one epoch. */
  private static final int MOST_ROWS = 64;

  private final TreeSpace space;
  private final Tree shared;
  private final Tree directory;
  private final TreeRoute route;
  private final Predicate<byte[]> mine;
  private final LongSupplier dedicatedTrees;

  /**
   * @param directory whose keys begin with the {@linkplain EdgeKey#prefix(long) prefixes} of owners
   * @param route where an owner is that the directory names
   * @param mine whether a key of the directory names an owner that belongs to the shared tree while
   *     it has none of its own
   * @param dedicatedTrees how many owners have one, at least once the route leads to them
   */
  public OwnersLeaves(
      Tree shared,
      Tree directory,
      TreeRoute route,
      Predicate<byte[]> mine,
      LongSupplier dedicatedTrees) {
    this.space = shared.space;
    this.shared = shared;
    this.directory = directory;
    this.route = route;
    this.mine = mine;
    this.dedicatedTrees = dedicatedTrees;
  }

  @Override
  public Entries newEntries() {
    return shared.newEntries();
  }

  @Override
  public byte[] copyForward(
      byte[] low,
      byte[] high,
      long snapshot,
      boolean values,
      int most,
      Entries into,
      PageRead read) {
    byte[] from = low == null ? Descent.FIRST : low;
    Step step = new Step(from, high, snapshot, values, most, into, read);
    while (true) {
      long found;
      int ticket = space.epochs.enter();
      try {
        found = step.copy();
        if (Descent.isLeaf(found)) {
          return step.next;
        }
      } finally {
        space.epochs.exit(ticket);
      }
      RoutedReads.load(space, shared, found, step.wanted());
    }
  }

  @Override
  public byte[] copyBackward(
      byte[] low, byte[] high, long snapshot, boolean values, int most, Entries into) {
    throw new UnsupportedOperationException("the edges of all owners are read forward");
  }

  /** Of the shared tree's leaves, the only ones that a scan reads many of. */
  @Override
  public void prefetch(byte[] low, byte[] high, boolean values, int leaves) {
    shared.prefetch(low, high, values, leaves);
  }

  /** The copying of one leaf, inside of an epoch. */
  private final class Step {
    private final byte[] low;
    private final byte[] high;
    private final long snapshot;
    private final boolean values;
    private final int most;
    private final Entries into;
    private final PageRead read;

    /** Where to go on. */
    private byte[] next;

    Step(
        byte[] low,
        byte[] high,
        long snapshot,
        boolean values,
        int most,
        Entries into,
        PageRead read) {
      this.low = low;
      this.high = high;
      this.snapshot = snapshot;
      this.values = values;
      this.most = most;
      this.into = into;
      this.read = read;
    }

    Descent.Wanted wanted() {
      return RoutedReads.wanted(values);
    }

    /** Copies the leaf; says what a descent ended at. */
    long copy() {
      if (dedicatedTrees.getAsLong() == 0) {
        return copy(shared, null);
      }
      byte[] from = low.length > Long.BYTES ? Arrays.copyOf(low, Long.BYTES) : low;
      byte[] dedicated = null;
      byte[] end = from;
      while (dedicated == null && end != null && Arrays.equals(owner(end), owner(from))) {
        byte[] at = end;
        long found = directory.descent.leaf(at);
        if (!Descent.isLeaf(found)) {
          return found;
        }
        ByteEntries rows = new ByteEntries();
        end =
            directory.format.copyFirst(
                found, at, null, Long.MAX_VALUE, false, MOST_ROWS, rows, read);
        if (end == null) {
          end = space.header(found).high();
        }
        dedicated = firstOfMine(rows);
      }
      if (dedicated != null && Arrays.equals(dedicated, owner(from))) {
        Tree tree = route.tree(EdgeKey.owner(dedicated));
        return copy(tree, EdgeKey.after(dedicated));
      }
      return copy(shared, dedicated != null || end == null ? dedicated : owner(end));
    }

    /** The prefix of the first owner that rows of the directory name; null if they name none. */
    private byte[] firstOfMine(ByteEntries rows) {
      for (int i = 0; i < rows.count(); i++) {
        byte[] key = rows.key(i);
        if (mine.test(key)) {
          return owner(key);
        }
      }
      return null;
    }

    /**
     * The prefix of the owner that a key or a bound begins with: what is below it is of owners
     * before that.
     */
    private static byte[] owner(byte[] key) {
      return key.length == Long.BYTES ? key : Arrays.copyOf(key, Long.BYTES);
    }

    /**
     * Copies a leaf of a tree.
     *
     * @param bound where the tree stops being the one to read; null if nowhere
     */
    private long copy(Tree tree, byte[] bound) {
      boolean isBounded =
          bound != null && (high == null || Arrays.compareUnsigned(bound, high) < 0);
      byte[] to = isBounded ? bound : high;
      long found = tree.descent.leaf(low, null, wanted());
      if (!Descent.isLeaf(found)) {
        return found;
      }
      next = tree.format.copyFirst(found, low, to, snapshot, values, most, into, read);
      if (next == null) {
        PageHeader header = space.header(found);
        boolean end = header.isLast() || (to != null && !header.isAboveHigh(to));
        next = !end ? header.high() : isBounded ? bound : null;
      }
      return found;
    }
  }
}
