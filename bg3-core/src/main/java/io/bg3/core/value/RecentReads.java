package io.bg3.core.value;

/**
 * Which locations have been read lately and are not in memory: a part of the hash of each, in a
 * table in which a later one takes the place of an earlier one. So a location is forgotten after
 * about as many reads of others as the table has places, and rarely one is taken for another.
 *
 * <p>Threads: any. Threads may overwrite each other's entries, which costs a read more.
 */
final class RecentReads {
  private final int[] parts;

  /**
   * @param places a power of two
   */
  RecentReads(int places) {
    this.parts = new int[places];
  }

  static long bytes(int places) {
    return (long) places * Integer.BYTES;
  }

  /** Notes a read; says whether it was noted before. */
  boolean note(long hash) {
    int at = place(hash);
    int part = part(hash);
    boolean known = parts[at] == part;
    if (!known) {
      parts[at] = part;
    }
    return known;
  }

  /** Forgets the reads of a location. */
  void forget(long hash) {
    int at = place(hash);
    if (parts[at] == part(hash)) {
      parts[at] = 0;
    }
  }

  private int place(long hash) {
    return (int) (hash >>> Integer.SIZE) & (parts.length - 1);
  }

  private static int part(long hash) {
    return (int) hash | 1;
  }
}
