package io.bg3.core.forest;

import io.bg3.storage.memory.BlockMemory;
import io.bg3.storage.memory.Epochs;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * From owner to dedicated tree: the table that every hop asks first. Open addressing with linear
 * probing, outside of the heap.
 *
 * <pre>
 *  offset  size  field
 *       0     8  mask     rows - 1; the number of rows is a power of two
 *      64  16*r  rows     owner (8), tree (8): number in the upper half, root page in the lower
 * </pre>
 *
 * <p>A row whose tree is 0 is free. The owner of a row is written once, before its tree, which is
 * written with release. So a look-up that reads a tree with acquire sees the row's owner, and one
 * that reads 0 has come to the end of the rows that it may have to look at. One row is always free.
 *
 * <p>Root and number are positive, so the upper bits of both are free. They say what is known of
 * the owner's degrees (R43), for as long as it has this tree: {@link KeptDegrees}.
 *
 * <p>A row whose owner has lost its tree keeps the owner and stays taken, for that owner alone: a
 * look-up that has found its owner in a row reads no other owner's tree there.
 *
 * <p>When three quarters of the rows are taken, another table is filled with the rows that have a
 * tree and published whole, and the old one is given back when the epochs of its readers have
 * ended.
 *
 * <p>A store in which no owner has a tree of its own has no table, and then a look-up reads one
 * field.
 *
 * <p>Threads: look-ups and notes of degrees from any thread, without a lock. {@link #put} is
 * serialised here.
 */
final class Directory {
  /** The owner's edges are in its INIT tree. */
  static final long ABSENT = 0;

  /** In place of the tree of an owner that has had one. */
  private static final long REMOVED = -1;

  /** Set in the tree of an owner whose degrees are kept. */
  private static final long KEPT = 1L << 63;

  /** Set in the tree of an owner whose degrees are not kept. */
  private static final long NOT_KEPT = 1L << 31;

  private static final long TREE_BITS = ~(KEPT | NOT_KEPT);

  private static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int MASK = 0;
  private static final int ROWS = 64;
  private static final int ROW = 16;
  private static final int TREE = Long.BYTES;
  private static final int INITIAL_ROWS = 16;

  private final BlockMemory memory;
  private final Epochs epochs;

  /** Address of the table; 0 if there is none. */
  private volatile long table;

  private long rows; // of the table
  private long taken; // of the rows
  private volatile long count; // of owners that have a tree, written under the lock

  /** A directory without owners, whose table lies in this memory. */
  Directory(BlockMemory memory, Epochs epochs) {
    this.memory = memory;
    this.epochs = epochs;
  }

  /** The dedicated tree of an owner, number and root as in a row, or {@link #ABSENT}. */
  long lookUp(long owner) {
    return treeIn(withBits(owner));
  }

  /**
   * What is known of an owner's degrees: that they are not kept where it has no dedicated tree.
   * Right for as long as the owner's stripe is held.
   */
  KeptDegrees degrees(long owner) {
    return degreesIn(withBits(owner));
  }

  /** What {@link #withBits} says of degrees. */
  static KeptDegrees degreesIn(long withBits) {
    if (withBits == ABSENT || (withBits & NOT_KEPT) != 0) {
      return KeptDegrees.NO;
    }
    return (withBits & KEPT) != 0 ? KeptDegrees.YES : KeptDegrees.UNKNOWN;
  }

  /** The tree in what {@link #withBits} says, number and root as in a row; or {@link #ABSENT}. */
  static long treeIn(long withBits) {
    return withBits & TREE_BITS;
  }

  /**
   * Notes whether an owner's degrees are kept, unless it has no dedicated tree. The owner's stripe
   * is held. Takes no lock, so no commit waits for one that builds a table: such a table may not
   * have the note, and then nothing is known.
   */
  void noteDegrees(long owner, boolean kept) {
    int ticket = epochs.enter();
    try {
      setDegrees(table, owner, kept ? KEPT : NOT_KEPT);
    } finally {
      epochs.exit(ticket);
    }
  }

  /**
   * Says that nothing is known of an owner's degrees from now on. The owner's stripe is held.
   * Serialised with the building of a table, which might take an earlier note along.
   */
  synchronized void forgetDegrees(long owner) {
    setDegrees(table, owner, 0);
  }

  private void setDegrees(long block, long owner, long bits) {
    if (block == 0) {
      return;
    }
    ByteBuffer slab = memory.slab(block);
    int row = row(slab, BlockMemory.offset(block), owner);
    long before = (long) LONGS.getAcquire(slab, row + TREE);
    boolean isOwners =
        before != ABSENT && before != REMOVED && (long) LONGS.get(slab, row) == owner;
    if (isOwners) {
      LONGS.setRelease(slab, row + TREE, (before & TREE_BITS) | bits);
    }
  }

  /**
   * The tree of an owner with what is known of its degrees, as {@link #treeIn} and {@link
   * #degreesIn} tell; {@link #ABSENT} if it has none.
   */
  long withBits(long owner) {
    if (table == 0) {
      return ABSENT;
    }
    int ticket = epochs.enter();
    try {
      long block = table;
      return find(memory.slab(block), BlockMemory.offset(block), owner);
    } finally {
      epochs.exit(ticket);
    }
  }

  /** Whether no owner has ever had a dedicated tree, as far as this table knows. */
  boolean isEmpty() {
    return table == 0;
  }

  /** Makes room for one more owner, so that the next {@link #put} takes no memory. */
  synchronized void makeRoom() {
    if (4 * (taken + 1) > 3 * rows) {
      rebuild();
    }
  }

  /**
   * Says that an owner that has no dedicated tree has one from now on.
   *
   * @param tree as in a row, not {@link #ABSENT}
   */
  synchronized void put(long owner, long tree) {
    if (tree == ABSENT || (tree & TREE_BITS) != tree) {
      throw new IllegalArgumentException("not a tree: tree=" + tree);
    }
    makeRoom();
    ByteBuffer slab = memory.slab(table);
    int row = row(slab, BlockMemory.offset(table), owner);
    long before = (long) LONGS.get(slab, row + TREE);
    if (before == REMOVED) {
      LONGS.setRelease(slab, row + TREE, tree);
    } else if (before == ABSENT) {
      set(slab, row, owner, tree);
      taken++;
    } else {
      throw new IllegalStateException("the owner has a tree already: owner=" + owner);
    }
    count++;
  }

  /** Says that an owner that has a dedicated tree has none from now on. */
  synchronized void remove(long owner) {
    if (lookUp(owner) == ABSENT) {
      throw new IllegalStateException("the owner has no tree: owner=" + owner);
    }
    ByteBuffer slab = memory.slab(table);
    LONGS.setRelease(slab, row(slab, BlockMemory.offset(table), owner) + TREE, REMOVED);
    count--;
  }

  /**
   * Copies some rows of owners that have a dedicated tree. Rows may come twice, or not at all, if
   * the table is replaced between two calls.
   *
   * @param from where to begin; moved to where to go on
   * @param owners filled from index 0 on
   * @param trees filled with the rows of these owners
   * @return how many rows have been copied
   */
  synchronized int copy(Position from, long[] owners, long[] trees) {
    int copied = 0;
    ByteBuffer slab = table == 0 ? null : memory.slab(table);
    for (; from.row < rows && copied < owners.length; from.row++) {
      int row = BlockMemory.offset(table) + ROWS + (int) from.row * ROW;
      long tree = (long) LONGS.get(slab, row + TREE);
      if (tree != ABSENT && tree != REMOVED) {
        owners[copied] = (long) LONGS.get(slab, row);
        trees[copied++] = tree & TREE_BITS;
      }
    }
    return copied;
  }

  /** Where a copy of all rows goes on. Belongs to one thread. */
  static final class Position {
    private long row;
  }

  /** How many owners have a dedicated tree. */
  long count() {
    return count;
  }

  /** Publishes a table that is half full at most, without the rows of owners that have no tree. */
  private void rebuild() {
    long wanted = INITIAL_ROWS;
    while (2 * count > wanted) {
      wanted *= 2;
    }
    int bytes = Math.toIntExact(ROWS + wanted * ROW);
    long block = memory.allocateFixed(bytes);
    ByteBuffer slab = memory.slab(block);
    int at = BlockMemory.offset(block);
    for (int i = 0; i < bytes; i += Long.BYTES) {
      LONGS.set(slab, at + i, 0L);
    }
    LONGS.set(slab, at + MASK, wanted - 1);
    long old = table;
    if (old != 0) {
      ByteBuffer from = memory.slab(old);
      int first = BlockMemory.offset(old) + ROWS;
      for (long i = 0; i < rows; i++) {
        int row = first + (int) i * ROW;
        long tree = (long) LONGS.get(from, row + TREE);
        if (tree != ABSENT && tree != REMOVED) {
          long owner = (long) LONGS.get(from, row);
          set(slab, row(slab, at, owner), owner, tree);
        }
      }
    }
    rows = wanted;
    taken = count;
    table = block;
    if (old != 0) {
      epochs.retire(old, memory);
    }
  }

  private static void set(ByteBuffer slab, int row, long owner, long tree) {
    LONGS.set(slab, row, owner);
    LONGS.setRelease(slab, row + TREE, tree);
  }

  /**
   * The tree of an owner. Each row's tree is read once: a row that was free may be another owner's
   * by now.
   */
  private static long find(ByteBuffer slab, int at, long owner) {
    int mask = (int) (long) LONGS.get(slab, at + MASK);
    for (int i = first(owner, mask); ; i = (i + 1) & mask) {
      int row = at + ROWS + i * ROW;
      long tree = (long) LONGS.getAcquire(slab, row + TREE);
      if (tree == ABSENT || (long) LONGS.get(slab, row) == owner) {
        return tree == REMOVED ? ABSENT : tree;
      }
    }
  }

  /**
   * The owner's row, with a tree or without, or the free row where it would be. Under the lock; for
   * others a row that was free may be another owner's by now.
   */
  private static int row(ByteBuffer slab, int at, long owner) {
    int mask = (int) (long) LONGS.get(slab, at + MASK);
    int i = first(owner, mask);
    int row = at + ROWS + i * ROW;
    while ((long) LONGS.getAcquire(slab, row + TREE) != ABSENT
        && (long) LONGS.get(slab, row) != owner) {
      i = (i + 1) & mask;
      row = at + ROWS + i * ROW;
    }
    return row;
  }

  private static int first(long owner, int mask) {
    return (int) ((owner * 0x9E3779B97F4A7C15L) >>> 32) & mask;
  }
}
