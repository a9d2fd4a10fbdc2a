package io.bg3.core.tree;

/**
 * The leaves in which a thread has counted the edges of an owner with a tag and label, from left to
 * right, for {@link NotedCounts}. Belongs to one thread.
 */
final class CountedPages {
  /** The most leaves of a note: more have very few owners, which fill the leaves between alone. */
  private static final int MOST = 2;

  private final int[] pages = new int[MOST];
  private final long[] publications = new long[MOST];
  private int count;
  private long newest;

  /**
   * The leaf that the edges begin in.
   *
   * @param publicationsThen of the page, asked for before its block
   * @param newestStamp no entry of the leaf has a newer stamp
   */
  void begin(int page, long publicationsThen, long newestStamp) {
    count = 0;
    newest = newestStamp;
    goOn(page, publicationsThen, newestStamp);
  }

  /** The next leaf, as in {@link #begin}. */
  void goOn(int page, long publicationsThen, long newestStamp) {
    if (count < MOST) {
      pages[count] = page;
      publications[count] = publicationsThen;
    }
    count++;
    newest = Math.max(newest, newestStamp);
  }

  /** Whether a note has room for one leaf more. */
  boolean hasRoom() {
    return count < MOST;
  }

  /** Whether a note has room for all of the leaves. */
  boolean areAll() {
    return count <= MOST;
  }

  /** A page by its index, of two; 0 for the second if there is one. */
  int page(int index) {
    return index < count ? pages[index] : 0;
  }

  /** The publications of a page. */
  long publications(int index) {
    return publications[index];
  }

  /** No entry of the leaves has a newer stamp. */
  long newest() {
    return newest;
  }
}
