package io.bg3.core.forest;

/**
 * From owner to dedicated tree: the table that every hop asks first. Open addressing with linear
 * probing over pairs of longs (owner, tree).
 *
 * <p>A store in which no owner is large has no rows, and then a look-up reads one field.
 *
 * <p>Threads: look-ups from any thread, without a lock: they read the table that was published
 * last. {@link #put} is serialised here; growing builds a new table and publishes it whole, so a
 * look-up sees all rows of one moment.
 */
final class Directory {
  /** The owner's edges are in its INIT tree. */
  static final int ABSENT = 0;

  private static final int OWNER = 0;
  private static final int TREE = 1;
  private static final int WORDS = 2;
  private static final int INITIAL_ROWS = 16;

  private volatile long[] table = new long[0];
  private int rows;

  /** The dedicated tree of an owner, or {@link #ABSENT}. */
  int lookUp(long owner) {
    long[] words = table;
    return words.length == 0 ? ABSENT : (int) words[slot(words, owner) + TREE];
  }

  /** Says that an owner has a dedicated tree from now on. */
  synchronized void put(long owner, int tree) {
    if (tree == ABSENT) {
      throw new IllegalArgumentException("not a tree: tree=" + tree);
    }
    long[] old = table;
    boolean grows = 4 * (rows + 1) > 3 * (old.length / WORDS);
    long[] words = grows ? new long[Math.max(INITIAL_ROWS * WORDS, 2 * old.length)] : old.clone();
    if (grows) {
      for (int i = 0; i < old.length; i += WORDS) {
        if (old[i + TREE] != ABSENT) {
          set(words, old[i + OWNER], old[i + TREE]);
        }
      }
    }
    if (words[slot(words, owner) + TREE] == ABSENT) {
      rows++;
    }
    set(words, owner, tree);
    table = words;
  }

  private static void set(long[] words, long owner, long tree) {
    int slot = slot(words, owner);
    words[slot + OWNER] = owner;
    words[slot + TREE] = tree;
  }

  /** The owner's row, or the free row where it would be; one row is always free. */
  private static int slot(long[] words, long owner) {
    int mask = words.length / WORDS - 1;
    int row = (int) ((owner * 0x9E3779B97F4A7C15L) >>> 32) & mask;
    while (words[row * WORDS + TREE] != ABSENT && words[row * WORDS + OWNER] != owner) {
      row = (row + 1) & mask;
    }
    return row * WORDS;
  }
}
