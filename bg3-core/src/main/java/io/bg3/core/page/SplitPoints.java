package io.bg3.core.page;

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
  private static final int STAMP = Long.BYTES + Short.BYTES;

  /** Entries of a piece, whatever the capacity: their index fits two bytes. */
  private static final int MOST_ENTRIES = 1 << Short.SIZE;

  /** How full the left pieces are left where keys ascend, in hundredths. */
  private static final int APPENDING_FILL = 90;

  private final Entries entries;

  /** Bytes of each entry, as if it were a newest version. */
  private final int[] costs;

  private final int capacity;

  SplitPoints(Entries entries, int[] costs, int capacity) {
    if (capacity < 4 * OVERHEAD) {
      throw new IllegalArgumentException("page capacity too small: capacity=" + capacity);
    }
    this.entries = entries;
    this.costs = costs;
    this.capacity = capacity - OVERHEAD - CUT_RUN;
  }

  /**
   * What the entries of a page may weigh, all versions and stamps included, to be left as they are.
   */
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
    int count = entries.count();
    long total = load(count);
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
    long newest = 0;
    long all = 0;
    int i = start;
    while (i < entries.count()) {
      newest += costs[i];
      all += cost(i);
      int next = i + 1;
      while (next < entries.count() && entries.followsItsKey(next)) {
        all += cost(next++);
      }
      long load = Math.max(2 * newest, all);
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

  /** What the first entries weigh in half bytes, so that all versions count half. */
  private long load(int to) {
    long newest = 0;
    long all = 0;
    for (int i = 0; i < to; i++) {
      if (!entries.followsItsKey(i)) {
        newest += costs[i];
      }
      all += cost(i);
    }
    return Math.max(2 * newest, all);
  }

  private long cost(int i) {
    return entries.stamp(i) == 0 ? costs[i] : (long) costs[i] + STAMP;
  }
}
