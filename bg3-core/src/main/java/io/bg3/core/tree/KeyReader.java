package io.bg3.core.tree;

import io.bg3.core.block.PageHeader;
import io.bg3.core.block.RunPrefetch;
import io.bg3.core.entry.Op;
import io.bg3.core.page.PageRead;
import io.bg3.core.page.PageViews;
import io.bg3.core.page.Version;
import io.bg3.core.table.PageTable;

/**
 * Looks up many keys of a tree of byte keys in step: a look-up spends most of its time waiting for
 * lines of pages that nobody has read for a while, and the waits of a group overlap.
 *
 * <pre>
 *   for all keys of the group: the page that the parent names, from inner pages, which are few
 *                              the page's block, and the first lines of it
 *                              the entry in the leaf
 * </pre>
 *
 * <p>A key whose leaf is not in memory, or is another one than the parent says just now, is left to
 * a look-up of its own, and a value that stands apart to its location.
 *
 * <p>Threads: belongs to one. An epoch spans the look-ups of one group; no I/O and no wait inside.
 */
public final class KeyReader {
  /** Look-ups in step: about as many loads as a processor has under way. */
  public static final int GROUP = 16;

  private final TreeSpace space;
  private final int[] pages = new int[GROUP];
  private final long[] blocks = new long[GROUP];
  private final boolean[] answered = new boolean[GROUP];
  private final boolean[] apart = new boolean[GROUP];
  private final byte[][] values = new byte[GROUP][];
  private final PageRead read = new PageRead();

  /** Kept so that no compiler leaves out the loads that only fetch lines. */
  @SuppressWarnings("UnusedVariable")
  private long touched;

  /** Reads trees of byte keys in this space. */
  public KeyReader(TreeSpace space) {
    this.space = space;
  }

  /**
   * Looks up some keys.
   *
   * @param keys from index {@code from} up to {@code to}, {@value #GROUP} at most
   */
  public void read(Tree tree, byte[][] keys, int from, int to, long snapshot) {
    int count = to - from;
    int ticket = space.epochs.enter();
    try {
      PageViews views = read.views();
      for (int i = 0; i < count; i++) {
        pages[i] = tree.descent.probableLeaf(keys[from + i], views);
      }
      long seen = 0;
      for (int i = 0; i < count; i++) {
        blocks[i] = space.table.block(pages[i]);
        if (PageTable.isBlock(blocks[i])) {
          seen += RunPrefetch.fetch(space.memory, RunPrefetch.ofHeader(blocks[i]));
        }
      }
      touched += seen;
      for (int i = 0; i < count; i++) {
        answered[i] = answer(tree, i, keys[from + i], snapshot);
      }
    } finally {
      space.epochs.exit(ticket);
    }
  }

  private boolean answer(Tree tree, int i, byte[] key, long snapshot) {
    values[i] = null;
    apart[i] = false;
    PageHeader header = read.views().header(space.memory);
    if (!PageTable.isBlock(blocks[i]) || !tree.descent.isLeafFor(header.wrap(blocks[i]), key)) {
      return false;
    }
    space.table.touchValues(pages[i]);
    if (!tree.format().get(blocks[i], key, snapshot, read)) {
      return true;
    }
    Version version = read.version();
    if (version.isTombstone()) {
      return true;
    }
    values[i] = version.value();
    apart[i] = version.stamp() == 0 && Op.isLocation(version.op());
    return version.stamp() == 0 && !apart[i];
  }

  /** Whether the look-up of a key, by its index in the group, has come to an end. */
  public boolean isAnswered(int i) {
    return answered[i];
  }

  /** Whether the look-up of a key has come to the location of its value. */
  public boolean isApart(int i) {
    return apart[i];
  }

  /**
   * The value of a key whose look-up has come to an end; null if it is absent. The location of one
   * that stands apart.
   */
  public byte[] value(int i) {
    return values[i];
  }
}
