package io.bg3.core.tree;

import io.bg3.core.block.PageFrame;
import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.DegreeKey;
import io.bg3.core.entry.EdgeEntries;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Expiry;
import io.bg3.core.entry.Horizon;
import io.bg3.core.page.LeafPieces;
import io.bg3.core.table.PageTable;
import io.bg3.core.table.Pins;
import java.util.Arrays;

/**
 * The parts of a move of one owner from a shared tree to a new one (R19), in the order in which
 * they are called. All versions move, with their stamps. Some parts serve the way back too, on
 * which nothing moves but the cut ({@link EmptyTree}).
 *
 * <p>The caller holds the owner's stripe exclusively, so no commit changes what moves. Splits,
 * consolidations and commits of other owners go on in the shared leaves.
 *
 * <p>Threads: belongs to one.
 */
public final class OwnerMove implements AutoCloseable {
  /** Loads after which the move is put off. */
  private static final int MOST_LOADS = 64;

  /** So few leaves that have changed while they were copied can be copied under locks. */
  private static final int FEW_CHANGED = 64;

  /** How often leaves are copied again before the locks are taken. */
  private static final int MOST_ROUNDS = 8;

  /** With more leaves to copy under locks, the move is put off. */
  private static final int MOST_CHANGED = 1_024;

  private final Tree from;
  private final TreeSpace space;
  private final PageTable table;
  private final byte[] low;
  private final byte[] high;
  private final Pins.Registration pins;
  private OwnerCopy ahead; // null unless the leaves are copied before
  private long bytes;
  private long cut;
  private boolean losesDegrees;

  /** A move of an owner out of a tree. */
  public OwnerMove(Tree from, long owner) {
    this(from, EdgeKey.prefix(owner), EdgeKey.after(EdgeKey.prefix(owner)));
  }

  /**
   * A move of a range of keys out of a tree.
   *
   * @param high null for all keys from {@code low} on
   */
  public OwnerMove(Tree from, byte[] low, byte[] high) {
    this.from = from;
    this.space = from.space;
    this.table = space.table;
    this.low = low;
    this.high = high;
    this.pins = space.pins.register();
  }

  /**
   * Whether an owner has more entries than so many, as a reader sees them now. May load leaves, and
   * wait for memory: called without a lock in hand.
   *
   * @param expiry tells which entries do not count
   */
  public static boolean isAbove(Tree tree, long owner, int entries, Expiry expiry) {
    byte[] at = EdgeKey.prefix(owner);
    byte[] end = EdgeKey.after(at);
    Entries found = tree.newEntries();
    while (at != null && found.count() <= entries) {
      at = tree.copyForward(at, end, Long.MAX_VALUE, false, entries + 1, found);
      expiry.drop(found);
    }
    return found.count() > entries;
  }

  /**
   * Finds the owner's leaves and keeps them in memory until {@link #close}. Loads few of them, and
   * waits for no memory.
   *
   * @param most bytes that the leaves may take
   * @return whether it has found all of them, and they take no more
   */
  public boolean pin(long most) {
    return pin(most, MOST_LOADS);
  }

  /** As {@link #pin}, and loads as many as it takes: called without a lock in hand. */
  public boolean load(long most) {
    return pin(most, Integer.MAX_VALUE);
  }

  /**
   * As {@link #load}, and copies the leaves (R62): {@link #refresh} and {@link #buildCopied}
   * follow.
   *
   * @return false also if there is no memory for the copies
   */
  public boolean copyAhead(long most) {
    if (!load(most) || !table.budget().tryRequest(bytes)) {
      return false;
    }
    ahead = new OwnerCopy(from, low, high, bytes);
    int copied;
    int rounds = 0;
    do {
      copied = ahead.refresh(Integer.MAX_VALUE);
    } while (copied > FEW_CHANGED && ++rounds < MOST_ROUNDS);
    return copied != OwnerCopy.MISSING;
  }

  /**
   * Copies the leaves again that have changed since {@link #copyAhead}. No I/O.
   *
   * @return false if they are too many for the caller's locks, or one is not in memory
   */
  public boolean refresh() {
    int copied = ahead.refresh(MOST_CHANGED);
    return copied != OwnerCopy.MISSING && copied <= MOST_CHANGED;
  }

  private boolean pin(long most, int mostLoads) {
    byte[] at = low;
    bytes = 0;
    int loads = 0;
    while (at != null) {
      long block;
      int ticket = space.epochs.enter();
      try {
        block = from.descent.leaf(at);
        if (Descent.isLeaf(block)) {
          PageHeader header = space.header(block);
          if (!table.pin(header.pageId(), pins.number())) {
            continue; // it has been evicted since
          }
          bytes += from.format.imageBytes(block);
          at = next(header);
        }
      } finally {
        space.epochs.exit(ticket);
      }
      if (!Descent.isLeaf(block)) {
        int missing = Descent.missing(block);
        if (++loads > mostLoads || !space.loader().tryLoadEvicting(missing)) {
          return false;
        }
      }
      if (bytes > most) {
        return false;
      }
    }
    return true;
  }

  /** Bytes of the leaves that {@link #pin} or {@link #load} has found. */
  public long bytes() {
    return bytes;
  }

  /**
   * All versions of the owner's entries, from leaves that are pinned, without degrees that no
   * commit has kept since a crash (R36). No I/O.
   */
  public Entries copy() {
    EdgeEntries all = new EdgeEntries();
    byte[] at = low;
    while (at != null) {
      int ticket = space.epochs.enter();
      try {
        long block = requireLeaf(from.descent.leaf(at));
        PageHeader header = space.header(block);
        cut = Math.max(cut, header.cut());
        Entries some = from.format.merged(block, Horizon.KEEP_ALL);
        all.append(some, some.find(at), end(some));
        at = next(header);
      } finally {
        space.epochs.exit(ticket);
      }
    }
    Entries kept = withoutLostDegrees(all);
    losesDegrees = kept != all;
    return kept;
  }

  /** Whether degrees have been left out that the log may hold. */
  public boolean losesDegrees() {
    return ahead == null ? losesDegrees : ahead.losesDegrees();
  }

  /**
   * A shared tree has degrees of an owner if the owner was in a tree of its own that a crash has
   * taken back. Nobody has kept them since. They may have no marker, if the owner was in a second
   * tree that has gone, and another crash has taken that back too.
   */
  static Entries withoutLostDegrees(EdgeEntries all) {
    int count = all.count();
    int first = count;
    boolean hasDegrees = false;
    while (first > 0 && EdgeKey.tag(all.tagLabel(first - 1)) == EdgeKey.COUNTER) {
      first--;
      hasDegrees |= DegreeKey.isOne(all.tagLabel(first));
    }
    if (!hasDegrees) {
      return all;
    }
    EdgeEntries rest = new EdgeEntries();
    rest.append(all, 0, first);
    for (int i = first; i < count; i++) {
      if (!DegreeKey.isOne(all.tagLabel(i))) {
        rest.append(all, i);
      }
    }
    return rest;
  }

  private int end(Entries some) {
    return high == null ? some.count() : some.find(high);
  }

  static long requireLeaf(long found) {
    if (!Descent.isLeaf(found)) {
      throw new IllegalStateException("a leaf that is pinned was evicted: page=" + -found);
    }
    return found;
  }

  /** Where the leaf to the right begins, null if the owner's entries end in this one. */
  private byte[] next(PageHeader header) {
    return next(header, high);
  }

  /**
   * Where the leaf to the right begins, null if the keys below {@code high} end in this one.
   *
   * @param high null for all keys
   */
  static byte[] next(PageHeader header, byte[] high) {
    byte[] end = header.high();
    return end == null || (high != null && Arrays.compareUnsigned(end, high) >= 0) ? null : end;
  }

  /**
   * Makes a tree of entries that {@link #copy} has copied. No other thread knows the tree as yet,
   * except that checkpoints find its pages among those that have changed.
   */
  public Tree build(TreeShape shape, int id, Entries all) {
    Tree tree = Tree.create(space, shape, id, TreeKind.EDGES);
    shape.lock.lock();
    try {
      all.markAllUnstored();
      LeafPieces pieces = tree.format.pieces(all, Horizon.KEEP_ALL, true, tree.capacity(), false);
      if (pieces != null) {
        tree.splits().replace(tree.root(), pieces, cut);
      } else {
        replace(tree, new PageFrame(tree.root(), id, null, null, 0), all);
      }
    } finally {
      shape.lock.unlock();
    }
    return tree;
  }

  /** As {@link #build}, of what {@link #refresh} has found to be copied. */
  public Tree buildCopied(TreeShape shape, int id) {
    Tree tree = Tree.create(space, shape, id, TreeKind.EDGES);
    shape.lock.lock();
    try {
      ahead.becomes(tree);
    } finally {
      shape.lock.unlock();
    }
    return tree;
  }

  private void replace(Tree tree, PageFrame frame, Entries all) {
    int page = frame.pageId();
    table.latch(page);
    try {
      long base = tree.format.writeBase(frame, all, 0, all.count(), cut);
      tree.replace(page, table.block(page), base);
    } finally {
      table.unlatch(page);
    }
  }

  /**
   * Raises the cuts of the leaves that the owner's keys belong to, because versions of the owner
   * have been dropped with another tree (R9). These leaves get the owner's next entries, of which
   * only a checkpoint's manifest knows that they are not in the other tree (R52). No entry of a
   * leaf says that its cut is another one, so the next image of each is a base (R3): also of a leaf
   * whose cut in memory is as high, since a flush raises it behind the image. No I/O.
   *
   * @param least no leaf has a lower cut afterwards
   */
  public void raiseCut(long least) {
    byte[] at = low;
    while (at != null) {
      at = raiseCut(leafPage(at), at, least);
    }
  }

  /** Raises the cut of a leaf, if it is that of a key; says where to go on. */
  private byte[] raiseCut(int page, byte[] at, long least) {
    table.latch(page);
    try {
      long block = table.block(page);
      if (!from.writes.isLeafFor(block, at)) {
        return at; // it was split meanwhile
      }
      PageHeader header = space.header(block);
      byte[] next = next(header); // the block may be gone when it has been replaced
      table.markReshaped(page);
      long cut = Math.max(header.cut(), least);
      Entries all = from.mergedForBase(page, block, Horizon.KEEP_ALL);
      from.replace(page, block, from.format.writeBase(header.frame(), all, 0, all.count(), cut));
      table.markRebase(page);
      return next;
    } finally {
      table.unlatch(page);
    }
  }

  private int leafPage(byte[] key) {
    int ticket = space.epochs.enter();
    try {
      return space.header(requireLeaf(from.descent.leaf(key))).pageId();
    } finally {
      space.epochs.exit(ticket);
    }
  }

  /**
   * Takes the owner's entries out of the shared leaves, when no reader looks for them there any
   * more. What is stored of the leaves has them, and no mark could say that they have gone, so the
   * next image of each is a base (R3). This holds for a leaf without entries of the owner too: it
   * may have lost entries that have expired, which its stored base has on. No I/O.
   */
  public void erase() {
    byte[] at = low;
    while (at != null) {
      at = erase(leafPage(at), at);
    }
  }

  /** Erases the owner from a leaf, if it is that of a key; says where to go on. */
  private byte[] erase(int page, byte[] at) {
    table.latch(page);
    try {
      long block = table.block(page);
      if (!from.writes.isLeafFor(block, at)) {
        return at; // it was split meanwhile
      }
      PageHeader header = space.header(block);
      byte[] next = next(header); // the block may be gone when it has been replaced
      Entries rest = isOwners(header) ? from.newEntries() : rest(block);
      rest.markAllUnstored();
      long base = from.format.writeBase(header.frame(), rest, 0, rest.count(), header.cut());
      table.markReshaped(page); // its images may have entries that were removed from it since
      table.markRebase(page); // or that have expired
      from.replace(page, block, base);
      if (rest.count() == 0 && page != from.root()) {
        from.addEmptied(page);
      }
      return next;
    } finally {
      table.unlatch(page);
    }
  }

  /** Whether a leaf has no keys but the owner's. */
  private boolean isOwners(PageHeader header) {
    byte[] first = header.low();
    byte[] end = header.high();
    return first != null
        && end != null
        && high != null
        && Arrays.compareUnsigned(first, low) >= 0
        && Arrays.compareUnsigned(end, high) <= 0;
  }

  /** The entries of a leaf that are those of others. */
  private Entries rest(long block) {
    Entries all = from.format.merged(block, Horizon.KEEP_ALL);
    Entries rest = from.newEntries();
    rest.append(all, 0, all.find(low));
    rest.append(all, end(all), all.count());
    return rest;
  }

  /** Lets go of the leaves, and of copies that have not become a tree. */
  @Override
  public void close() {
    if (ahead != null) {
      ahead.close();
    }
    pins.close();
  }
}
