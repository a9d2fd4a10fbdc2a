package io.bg3.core.page;

import io.bg3.core.block.PageHeader;
import io.bg3.core.entry.Entries;
import java.util.Arrays;

/**
 * Decides where a page is cut. An entry weighs what its newest version takes without its stamp;
 * older versions and stamps count only against twice the capacity, so that a page does not split
 * for what the next pruning takes away.
 */
final class SplitPoints {
  /** Bytes of header, fences and padding. */
  static final int OVERHEAD = PageHeader.FENCES + 48;

  /** Bytes that a piece takes besides, because a run that was cut begins anew in it. */
  private static final int CUT_RUN = EdgeLeaf.LONGEST_RUN;

  /** Bytes of a stamp and its position. */
  static final int STAMP = Long.BYTES + Short.BYTES;

  /** Entries of a piece, whatever the capacity: their index fits two bytes. */
  private static final int MOST_ENTRIES = 1 << Short.SIZE;

  /** How full the left pieces are left where keys ascend, in hundredths. */
  private static final int APPENDING_FILL = 90;

  private final int count;

  /** Bytes of each entry as a newest version without its stamp; 0 for an older version. */
  private final int[] newest;

  /** Bytes of each entry with its stamp. */
  private final int[] all;

  private final int capacity;

  /**
   * For the first {@code count} of entries that weigh so much.
   *
   * @param newest of each what it weighs without its stamp, 0 if it is an older version
   * @param all of each what it weighs with its stamp
   */
  SplitPoints(int count, int[] newest, int[] all, int capacity) {
    if (capacity < 4 * OVERHEAD) {
      throw new IllegalArgumentException("page capacity too small: capacity=" + capacity);
    }
    this.count = count;
    this.newest = newest;
    this.all = all;
    this.capacity = capacity - OVERHEAD - CUT_RUN;
  }

  /**
   * For entries on the heap.
   *
   * @param costs bytes of each, as if it were a newest version
   */
  static SplitPoints of(Entries entries, int[] costs, int capacity) {
    int[] newest = new int[entries.count()];
    int[] all = new int[entries.count()];
    for (int i = 0; i < entries.count(); i++) {
      newest[i] = entries.followsItsKey(i) ? 0 : costs[i];
      all[i] = costs[i] + (entries.stamp(i) == 0 ? 0 : STAMP);
    }
    return new SplitPoints(entries.count(), newest, all, capacity);
  }

  /** The largest weight of a page's entries, with all versions and stamps, that needs no split. */
  static int room(int capacity) {
    return capacity - OVERHEAD - CUT_RUN;
  }

  /** Bytes of entries without stamps and older versions. */
  static int bytes(Entries entries, int[] costs, int from, int to) {
    int bytes = OVERHEAD;
    for (int i = from; i < to; i++) {
      if (i == from || !entries.followsItsKey(i)) {
        bytes = Math.addExact(bytes, costs[i - from]);
      }
    }
    return bytes;
  }

  int[] find(boolean appending) {
    long total = load();
    long most = 2L * capacity;
    if (total <= most && count <= MOST_ENTRIES) {
      return new int[] {0, count};
    }
    long pieces = Math.max(2, (total + most - 1) / most);
    long target = appending ? most * APPENDING_FILL / 100 : total / pieces;
    int[] points = new int[16];
    int found = 1;
    int start = 0;
    while (start < count) {
      start = pieceEnd(start, target);
      if (found == points.length) {
        points = Arrays.copyOf(points, 2 * found);
      }
      points[found++] = start;
    }
    return Arrays.copyOf(points, found);
  }

  /**
   * End of the piece that begins at {@code start}: at the target, never above the capacity, at
   * least one key.
   */
  private int pieceEnd(int start, long target) {
    long newestLoad = 0;
    long allLoad = 0;
    int i = start;
    while (i < count) {
      newestLoad += newest[i];
      allLoad += all[i];
      int next = i + 1;
      while (next < count && newest[next] == 0) {
        allLoad += all[next++];
      }
      long load = Math.max(2 * newestLoad, allLoad);
      boolean tooMuch = load > 2L * capacity || next - start > MOST_ENTRIES;
      if (tooMuch && i > start) {
        return i;
      }
      if (load >= target) {
        return next;
      }
      i = next;
    }
    return i;
  }

  /** The weight of the entries in half bytes, so that all versions count half. */
  private long load() {
    long newestLoad = 0;
    long allLoad = 0;
    for (int i = 0; i < count; i++) {
      newestLoad += newest[i];
      allLoad += all[i];
    }
    return Math.max(2 * newestLoad, allLoad);
  }
}
