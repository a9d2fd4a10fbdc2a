package io.bg3.core.tree;

import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.entry.Entries;
import io.bg3.core.entry.Horizon;
import io.bg3.core.entry.Op;
import io.bg3.core.page.LeafFormat;
import io.bg3.core.table.PageTable;
import io.bg3.storage.memory.MemoryExceededException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * Makes the entries of a tree refer to copies of their large values (R26), one leaf at a time.
 *
 * <pre>
 *   look    in an epoch: which of the values does the leaf refer to?     no copy of the others
 *           the caller appends copies                                     the leaf may change
 *   apply   under the latch: the entry with the old location, if it is there, gets the new one
 * </pre>
 *
 * <p>The leaf is written anew as when it is consolidated, and differs from what it was in locations
 * only. So a commit, a split and a reader meet nothing that they would not meet without this, and
 * no lock but the latch is taken. An entry is found by key and location and not by its stamp: a
 * version that only an open snapshot reads moves like any other. The stored base has the old
 * location, so the entry is marked, and with it the newer versions of its key: in a stored delta
 * they hide all of the base's versions but the older ones (R3).
 *
 * <p>Nothing is waited for but the latch. A leaf that is not in memory is loaded if there is memory
 * for it. Belongs to one thread.
 */
public final class ValueRelocation {
  /** A leaf that was evicted so often before it was looked at is left for another time. */
  private static final int LOADS = 3;

  private final Tree tree;
  private final TreeRoute route;
  private final TreeSpace space;
  private final PageTable table;
  private final LeafFormat format;
  private final Horizon horizon;
  private int page;

  /**
   * Relocates values of a tree.
   *
   * @param route where owners are now: an owner that has left the tree waits, since the tree may
   *     have gone away
   * @param horizon what open snapshots may still read
   */
  public ValueRelocation(Tree tree, TreeRoute route, Horizon horizon) {
    this.tree = tree;
    this.route = route;
    this.space = tree.space;
    this.table = space.table;
    this.format = tree.format;
    this.horizon = horizon;
  }

  /**
   * Finds out which values are {@linkplain MovedValue#isWanted wanted}, of those that belong to one
   * leaf.
   *
   * @param values sorted by key
   * @param from the first that belongs to the leaf
   * @return where those of the next leaf begin
   */
  public int look(List<MovedValue> values, int from) {
    byte[] key = values.get(from).key();
    page = 0;
    for (int loads = 0; loads < LOADS; loads++) {
      long block;
      int ticket = space.epochs.enter();
      try {
        if (!isRoute(key)) {
          return from + 1;
        }
        block = tree.descent.leaf(key);
        if (Descent.isLeaf(block)) {
          return look(block, values, from);
        }
      } finally {
        space.epochs.exit(ticket);
      }
      if (!space.loader().tryLoad(Descent.missing(block))) {
        return from + 1; // its extent waits
      }
    }
    return from + 1;
  }

  /** Whether a key belongs to the tree now. Inside of an epoch, for which the answer holds. */
  private boolean isRoute(byte[] key) {
    return format != space.edges
        || route.ofLabel(EdgeKey.tagLabel(key)).tree(EdgeKey.owner(key)).equals(tree);
  }

  /** The leaf that was looked at last; 0 if it could not be loaded. */
  public int page() {
    return page;
  }

  private int look(long block, List<MovedValue> values, int from) {
    PageHeader header = space.header(block);
    page = header.pageId();
    byte[] high = header.high();
    Entries all = null;
    int at = from;
    for (; at < values.size() && isBelow(values.get(at).key(), high); at++) {
      all = all == null ? tree.mergedForBase(page, block, horizon) : all;
      MovedValue value = values.get(at);
      if (find(all, value) >= 0) {
        value.setWanted();
      }
    }
    return at;
  }

  private static boolean isBelow(byte[] key, byte[] high) {
    return high == null || Arrays.compareUnsigned(key, high) < 0;
  }

  /**
   * Makes the leaf that was looked at last refer to the copies of its values, those of which it
   * still refers to. What has left the leaf meanwhile, or finds no memory, is not {@linkplain
   * MovedValue#isMoved moved}.
   *
   * @param anyhow whether the leaf is written anew even if it refers to none of them, so that its
   *     next image refers to nothing that nobody reads
   */
  public void apply(List<MovedValue> values, boolean anyhow) {
    if (page == 0 || (values.isEmpty() && !anyhow)) {
      return;
    }
    table.latch(page);
    try {
      long block = table.block(page);
      if (tree.isLeaf(block)) {
        relocate(block, values, anyhow);
      }
    } catch (MemoryExceededException e) {
      return; // the extents of the values wait
    } finally {
      table.unlatch(page);
    }
  }

  private void relocate(long block, List<MovedValue> values, boolean anyhow) {
    Entries all = tree.mergedForBase(page, block, horizon);
    List<MovedValue> moved =
        values.stream()
            .filter(value -> tree.writes.isLeafFor(block, value.key()))
            .filter(value -> relocate(all, value))
            .toList();
    if (moved.isEmpty() && !anyhow) {
      return;
    }
    PageHeader header = space.header(block);
    long cut = Math.max(header.cut(), horizon.cut());
    tree.replace(page, block, format.writeBase(header.frame(), all, 0, all.count(), cut));
    moved.forEach(MovedValue::setMoved);
  }

  private static boolean relocate(Entries all, MovedValue value) {
    int at = find(all, value);
    if (at < 0) {
      return false;
    }
    location(all, at).putLong(0, value.copy());
    all.setOp(at, all.op(at) | Op.UNSTORED);
    for (int newer = at; Op.isOlder(all.op(newer)); newer--) {
      mark(all, newer - 1);
    }
    return true;
  }

  private static void mark(Entries all, int at) {
    all.setOp(at, all.op(at) | Op.UNSTORED);
  }

  /** The index of the version of a key that refers to a value; -1 if none does. */
  private static int find(Entries all, MovedValue value) {
    int first = all.find(value.key());
    if (first == all.count() || all.compareKey(first, value.key()) != 0) {
      return -1;
    }
    for (int i = first, end = all.groupEnd(first); i < end; i++) {
      if (Op.isLocation(all.op(i)) && refersTo(all, i, value.from())) {
        return i;
      }
    }
    return -1;
  }

  private static boolean refersTo(Entries all, int i, long location) {
    return location(all, i).getLong(0) == location;
  }

  /** The value of an entry that is a location, to be read and changed. */
  private static ByteBuffer location(Entries all, int i) {
    return ByteBuffer.wrap(all.valueArray(), all.valueStart(i), Long.BYTES)
        .slice()
        .order(ByteOrder.LITTLE_ENDIAN);
  }
}
